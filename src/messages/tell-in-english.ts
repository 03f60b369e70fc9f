// English only, so that the client need not bundle every language.
import { ENGLISH } from './english/english.ts'
import type { Message } from './message.ts'
import { tellBy } from './words.ts'

export const tellInEnglish = (message: Message): string => tellBy(ENGLISH, message)

/** Whether an untrusted message can be rendered. The types of all values would be too large for a client. */
export function isTellable(value: unknown): value is Message {
  const code = (value as { code?: unknown } | null)?.code
  try {
    return typeof code === 'string' && Object.hasOwn(ENGLISH, code) && tellInEnglish(value as Message) !== ''
  } catch {
    return false
  }
}
