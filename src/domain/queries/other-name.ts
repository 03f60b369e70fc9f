// One thing has two names: the API calls a sentence `q`, and the tool that pays for a call `sentence`. Each takes the other's as its own.

export type Input = ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>

/** Returns the input with `name` instead of `other`, unless it has both: the second is then reported as unknown. */
export function withName<I extends Input>(input: I, name: string, other: string): I {
  const entries = input instanceof Map ? [...input] : Object.entries(input)
  const names = entries.map(([each]) => each)
  if (!names.includes(other) || names.includes(name)) return input
  const renamed = entries.map(([each, value]) => [each === other ? name : each, value] as const)
  return (input instanceof Map ? new Map(renamed) : Object.fromEntries(renamed)) as I
}
