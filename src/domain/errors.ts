// What can go wrong for a caller. An interface translates the code once; the message is a full sentence that says what to do.
import { type Message, say, verbatim } from '../messages/message.ts'
import { tellInEnglish } from '../messages/tell-in-english.ts'

export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'no_terms'
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
export type Problem = {
  readonly path: string
  /** In English. */
  readonly message: string
  /** The same for an interface in another language; what has none is told in English there too. */
  readonly said?: Message | undefined
}

export const toProblem = (path: string, said: Message): Problem => ({
  path,
  message: tellInEnglish(said),
  said,
})

export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'

  /** What it says; a text stays English in every language. */
  readonly said: Message

  constructor(
    readonly code: ErrorCode,
    said: Message | string,
    readonly problems: readonly Problem[] = [],
    options?: ErrorOptions,
  ) {
    super(typeof said === 'string' ? said : tellInEnglish(said), options)
    this.said = typeof said === 'string' ? verbatim(said) : said
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
  const problem = first?.said ?? verbatim(first?.message ?? '')
  const said = say('invalid_field', { path: first?.path ?? '', problem, more: others.length })
  return new DirectoryError('invalid_request', said, problems)
}
