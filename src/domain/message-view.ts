// A message as a response holds it: a sentence for people, and beside it the code and its values for programs.
import { z } from 'zod'
import { type Message, readMessage, verbatim } from '../messages/message.ts'
import { tellInEnglish } from '../messages/tell-in-english.ts'

const code = z.string().describe('What the sentence says, for programs; docs/messages.md has all codes')
const values = z.record(z.string(), z.unknown()).describe('The values in the sentence, by name')

/** The fields that stand beside the sentence. */
export const messageFieldsSchema = z.object({ code, values })
/** Beside a sentence that may be missing. */
export const maybeMessageFieldsSchema = z.object({ code: code.nullable(), values: values.nullable() })
export const messageSchema = messageFieldsSchema.meta({ id: 'Message', title: 'A code and its values' })

type MessageRecord = { code: string; values: Record<string, unknown> }

export const toMessageRecord = ({ code, values }: Message): MessageRecord => ({ code, values: { ...values } })

export const toReason = (message: Message) => ({
  reason: tellInEnglish(message),
  ...toMessageRecord(message),
})

export const toDetail = (message: Message) => ({
  detail: tellInEnglish(message),
  ...toMessageRecord(message),
})

/** Where there is nothing to tell. */
export const NO_MESSAGE = { reason: null, code: null, values: null } as const

/** The message of an answer; where its code is not known here, the sentence beside it. */
export function readMessageRecord(
  told: { readonly code: string | null; readonly values: unknown } | undefined,
  sentence: string,
): Message {
  const message = readMessage({ code: told?.code, values: told?.values })
  return message.code === told?.code ? message : verbatim(sentence)
}
