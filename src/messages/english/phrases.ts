// How English puts values into a sentence.

export const quoted = (text: string): string => JSON.stringify(text)

/** What was seen, cut short if there is more. */
export const listed = ({
  seen,
  more,
}: {
  readonly seen: readonly string[]
  readonly more: number
}): string => (more > 0 ? `${seen.join(', ')} and ${more} more` : seen.join(' and '))

/** Like `a, b and c`. */
export const joined = (by: 'and' | 'or', names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(part => part !== '').join(` ${by} `)
