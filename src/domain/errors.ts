// Errors for callers. Each interface maps the code once; the message is a full sentence that states what to do.

import type { Word } from '../messages/kinds.ts'
import { type Message, say, tellInEnglish, verbatim } from '../messages/message.ts'
import { MINUTE_MS } from './time.ts'

export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_approved'
  | 'over_budget'
  | 'not_found'
  | 'no_terms'
  | 'method_not_allowed'
  | 'idempotency_conflict'
  | 'history_changed'
  | 'hidden'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'not_ready'
  | 'store_unavailable'
  | 'internal'

/** One problem with the input: the field, and what was expected there. */
export type Problem = {
  readonly path: string
  /** In English. */
  readonly message: string
  /** The same as a code with values, for interfaces in other languages. */
  readonly said: Message
}

export const toProblem = (path: string, said: Message): Problem => ({
  path,
  message: tellInEnglish(said),
  said,
})

export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'

  constructor(
    readonly code: ErrorCode,
    /** The English `message` is rendered from it. */
    readonly said: Message,
    readonly problems: readonly Problem[] = [],
    options?: ErrorOptions,
  ) {
    super(tellInEnglish(said), options)
  }
}

/** The cursor is not a position in the history of this directory. */
export const historyChanged = (cursor: string, advice: Message): DirectoryError =>
  new DirectoryError('history_changed', say('history_other', { cursor, advice }))

/** Told at once: more than anybody makes by mistake. A stranger can make thousands in one request, each as long to tell as to read. */
export const MAX_PROBLEMS = 20

/** Invalid input, with all its problems at once. */
export function invalid(problems: readonly Problem[]): DirectoryError {
  const [{ path, said: problem } = toProblem('', verbatim('')), ...others] = problems
  const said = say('invalid_field', { path, problem, more: others.length })
  return new DirectoryError('invalid_request', said, problems.slice(0, MAX_PROBLEMS))
}

/** Limits how often each caller does something per minute; counted per process. @throws DirectoryError `rate_limited` */
export function createAllowance(
  perMinute: number,
  what: Word<'allowance'>,
): (caller: string, now: Date) => void {
  const counts = new Map<string, number>()
  let window = -1
  return (caller, now) => {
    const current = Math.floor(now.getTime() / MINUTE_MS)
    if (current !== window) counts.clear()
    window = current
    const count = (counts.get(caller) ?? 0) + 1
    counts.set(caller, count)
    if (count > perMinute)
      throw new DirectoryError('rate_limited', say('allowance_spent', { what, perMinute }))
  }
}
