// Turns issues of the schema library into problems with a path and a message of our own.
import type { z } from 'zod'
import { type Code, type Given, isMessage, type Message, say, verbatim } from '../messages/message.ts'
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
