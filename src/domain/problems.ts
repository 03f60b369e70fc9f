// Turns what the schema library found into problems with the path and the words of our own.
import type { z } from 'zod'
import { type Code, type Given, isMessage, type Message, say, verbatim } from '../messages/message.ts'
import { type Problem, toProblem } from './errors.ts'

/** What a schema says of a value that it refuses: the library carries a text, so the message travels as JSON. */
export const expecting = <C extends Code>(code: C, ...values: Given<C>): string =>
  JSON.stringify(say(code, ...values))

/** The message of `expecting`; what the library says where the schema leaves it to it; else the words of the schema. */
export function readIssue(issue: Issue): Message {
  const { message } = issue
  try {
    const said: unknown = JSON.parse(message)
    if (isMessage(said)) return said
  } catch {
    // Words.
  }
  return ofLibrary(issue) ?? verbatim(message)
}

type Issue = Pick<z.core.$ZodIssue, 'message'> & Partial<z.core.$ZodIssue>

const TYPES: Readonly<Record<string, Message>> = {
  string: say('not_text'),
  boolean: say('not_boolean'),
  object: say('not_json_object'),
  record: say('not_json_object'),
}

/** What the library expects of its own accord. */
function ofLibrary(issue: Issue): Message | undefined {
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

/** One problem per path: the first says what is expected, further ones about the same value add nothing. */
export function toProblems(error: z.ZodError, input: unknown): Problem[] {
  const byPath = new Map<string, Problem>()
  for (const issue of error.issues) {
    const path = issue.path.join('.')
    const missing = issue.path.length > 0 && valueAt(input, issue.path) === undefined
    const said = readIssue(issue)
    if (!byPath.has(path))
      byPath.set(path, toProblem(path, missing ? say('required', { problem: said }) : said))
  }
  return [...byPath.values()]
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined | null)?.[key],
    input,
  )
}
