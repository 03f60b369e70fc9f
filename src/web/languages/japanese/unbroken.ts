// A number stays with its unit, and a value with the particle after it: no line breaks between them. After an address, which may fill a
// line by itself, one does: else it would part the particle.

const BEFORE_UNIT_OR_PARTICLE = /(?<=\d) (?=[A-Z]{2}|ms)|(?<=\S)(?<!\S{25}) (?=\p{Script=Hiragana})/gu

export const toUnbroken = (text: string): string => text.replace(BEFORE_UNIT_OR_PARTICLE, '\u00a0')

/** A particle stays in the line of the value before it. */
export const toGlued = (text: string): string => text.replace(/^ (?=\p{Script=Hiragana})/u, '\u00a0')

/** The same of every text in the words of the pages, and of what their functions return. */
export function allUnbroken<T>(words: T): T {
  if (typeof words === 'string') return toUnbroken(words) as T
  if (typeof words === 'function')
    return ((...values: readonly unknown[]) =>
      allUnbroken((words as (...values: readonly unknown[]) => unknown)(...values))) as T
  if (Array.isArray(words)) return words.map(allUnbroken) as T
  if (typeof words === 'object' && words !== null)
    return Object.fromEntries(Object.entries(words).map(([name, each]) => [name, allUnbroken(each)])) as T
  return words
}
