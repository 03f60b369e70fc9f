// Turns issues of the schema library into problems with a path and a message of our own.
import { z } from 'zod'
import {
  type Code,
  type Given,
  isMessage,
  type Message,
  readMessage,
  say,
  verbatim,
} from '../messages/message.ts'
import { tellInEnglish } from '../messages/tell-in-english.ts'
import { type Problem, toProblem } from './errors.ts'

/** The message of a schema for a value that it refuses. The library only takes a text, so the message is encoded as JSON. */
export const expecting = <C extends Code>(code: C, ...values: Given<C>): string =>
  JSON.stringify(say(code, ...values))

/** The message of `expecting`; else a message for a default of the library; else the text of the schema. */
export function readIssue(issue: Issue): Message {
  const { message } = issue
  try {
    const decoded: unknown = JSON.parse(message)
    if (isMessage(decoded)) return decoded
  } catch {
    // Not JSON: a text of the schema or the library.
  }
  return ofDefault(issue) ?? verbatim(message)
}

type Issue = Pick<z.core.$ZodIssue, 'message'> & Partial<z.core.$ZodIssue>

const TYPES: Readonly<Record<string, Message>> = {
  string: say('not_text'),
  boolean: say('not_boolean'),
  object: say('not_json_object'),
  record: say('not_json_object'),
}

/** The message for a default check of the library. */
function ofDefault(issue: Issue): Message | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected ?? '']
    case 'too_big':
      return issue.origin === 'string' ? say('text_too_long', { max: Number(issue.maximum) }) : undefined
    case 'too_small':
      return issue.origin === 'string' ? say('empty') : undefined
    default:
      return undefined
  }
}

/** One problem per path: the first states what is expected, further ones about the same value add nothing. */
export function toProblems(error: z.ZodError, input: unknown): Problem[] {
  const byPath = new Map<string, Problem>()
  for (const issue of error.issues) {
    const path = issue.path.join('.')
    const isMissing = issue.path.length > 0 && valueAt(input, issue.path) === undefined
    const problem = readIssue(issue)
    if (!byPath.has(path))
      byPath.set(path, toProblem(path, isMissing ? say('required', { problem }) : problem))
  }
  return [...byPath.values()]
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined | null)?.[key],
    input,
  )
}

// A message in a response: a sentence for people, with its code and values for programs.

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
