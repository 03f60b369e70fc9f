// Turns what the schema library found into problems with the path and the words of our own.
import type { z } from 'zod'
import type { Problem } from './errors.ts'

/** One problem per path: the first says what is expected, further ones about the same value add nothing. */
export function toProblems(error: z.ZodError, input: unknown): Problem[] {
  const byPath = new Map<string, Problem>()
  for (const issue of error.issues) {
    const path = issue.path.join('.')
    const missing = issue.path.length > 0 && valueAt(input, issue.path) === undefined
    const message = missing ? `is required: ${issue.message}` : issue.message
    if (!byPath.has(path)) byPath.set(path, { path, message })
  }
  return [...byPath.values()]
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined | null)?.[key],
    input,
  )
}
