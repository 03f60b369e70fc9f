// A message in a response: a sentence for people, with its code and values for programs.
import { z } from 'zod'
import { type Message, readMessage, verbatim } from '../messages/message.ts'
import { tellInEnglish } from '../messages/tell-in-english.ts'

const code = z.string().describe('Code of the sentence, for programs')
const values = z.record(z.string(), z.unknown()).describe('The values in the sentence, by name')

/** The fields next to the sentence. */
export const messageFieldsSchema = z.object({ code, values })
/** The fields next to a sentence that may be missing. */
export const maybeMessageFieldsSchema = z.object({
  code: code.nullable().describe('Code of the reason; null: there is none'),
  values: values.nullable().describe('The values in the reason, by name'),
})
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

/** If there is no message. */
export const NO_MESSAGE = { reason: null, code: null, values: null } as const

/** The message of a response; if its code is unknown here, the sentence itself. */
export function readMessageRecord(
  record: { readonly code: string | null; readonly values: unknown } | undefined,
  sentence: string,
): Message {
  const message = readMessage({ code: record?.code, values: record?.values })
  return message.code === record?.code ? message : verbatim(sentence)
}
