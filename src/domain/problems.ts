// Turns what the schema library found into problems with the path and the words of our own.
import type { z } from 'zod'
import { type Code, type Given, isMessage, type Message, say, verbatim } from '../messages/message.ts'
import { type Problem, toProblem } from './errors.ts'

/** What a schema says of a value that it refuses: the library carries a text, so the message travels as JSON. */
export const expecting = <C extends Code>(code: C, ...values: Given<C>): string =>
  JSON.stringify(say(code, ...values))

/** The message of `expecting`; a text where the schema or the library has said it in words. */
export function readIssue({ message }: { readonly message: string }): Message {
  try {
    const said: unknown = JSON.parse(message)
    return isMessage(said) ? said : verbatim(message)
  } catch {
    return verbatim(message)
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
