// How Japanese puts values into a sentence.

export const quoted = (text: string): string => JSON.stringify(text)

/** What was seen, cut short if there is more. */
export const listed = ({ seen, more }: { readonly seen: readonly string[]; readonly more: number }): string =>
  seen.join('、') + (more > 0 ? `、ほか${more}件` : '')
