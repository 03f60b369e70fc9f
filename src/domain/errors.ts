// What can go wrong for a caller. A door translates the code once; the message is a full sentence that says what to do.

export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'idempotency_conflict'
  | 'history_changed'
  | 'hidden'
  | 'precondition_failed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'not_ready'
  | 'store_unavailable'
  | 'internal'

/** One thing that is wrong with the input: which field, and what was expected there. */
export type Problem = { readonly path: string; readonly message: string }

export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly problems: readonly Problem[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** A cursor that is no place in the history of this directory. @param advice a full sentence */
export const historyChanged = (cursor: string, advice: string): DirectoryError =>
  new DirectoryError(
    'history_changed',
    `${cursor}: is not a place in the history of this directory, which was put back to an earlier state, or is another one. ${advice}`,
  )

/** Invalid input, with every problem at once. */
export function invalid(problems: readonly Problem[]): DirectoryError {
  const [first, ...others] = problems
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return new DirectoryError('invalid_request', `${first?.path}: ${first?.message}${more}.`, problems)
}
