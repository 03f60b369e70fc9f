// Messages in English alone: whoever needs no other language, such as the client, does not carry the words of all.
import { ENGLISH } from './english/english.ts'
import type { Message } from './message.ts'
import { tellBy } from './words.ts'

export const tellInEnglish = (message: Message): string => tellBy(ENGLISH, message)

/** Asks whether what a stranger says can be put into words. The shapes of all codes would be too large for a client. */
export function isTellable(value: unknown): value is Message {
  const code = (value as { code?: unknown } | null)?.code
  try {
    return typeof code === 'string' && Object.hasOwn(ENGLISH, code) && tellInEnglish(value as Message) !== ''
  } catch {
    return false
  }
}
