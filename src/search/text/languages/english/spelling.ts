// British spellings, and the American ones that most descriptions of services use.

/** In this order: colourise, colorise, colorize. */
const RULES: readonly (readonly [written: RegExp, american: string])[] = [
  [/^(.{3,})our(s|ed|ing|ful|ites?|able|i[sz]\w+)?$/, '$1or$2'],
  [/^(.{3,})is(e|ed|es|er|ers|ing|able|ations?)$/, '$1iz$2'],
  [/^(.{3,})ys(e|ed|es|er|ers|ing)$/, '$1yz$2'],
  [/^(.{2,})tre(s)?$/, '$1ter$2'],
  [/^(.{2,}og)ues?$/, '$1'],
  [/^(.{2,}[aeiou]l)l(ed|er|ers|ing)$/, '$1$2'],
]

/** Returns the American spelling of a lower-case word; undefined if it has no other. */
export function toAmerican(word: string): string | undefined {
  const american = RULES.reduce((text, [written, other]) => text.replace(written, other), word)
  return american === word ? undefined : american
}
