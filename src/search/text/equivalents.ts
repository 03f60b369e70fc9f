// Finds words in a text that stand for others: of another language, in another script, or the reading of one.

const MAX_KEY = 24

/** Whether a character beside a word makes it a part of another. @param edge the character of the word that is next to it */
export type Continues = (word: string, edge: string, neighbour: string) => boolean

/** Words that stand for each other, and how they are read: readings lead to words, and no word to a reading. */
export type LexiconEntry = {
  readonly words: readonly string[]
  readonly readings: readonly string[]
  /** What it names, where requests are about one of many: hardly any service is about that one alone. */
  readonly name?: NameKind
}

export type NameKind = 'place' | 'coin' | 'day'

export type Equivalent = {
  readonly written: string
  readonly others: readonly string[]
  readonly name: NameKind | undefined
}
/** @param text lower-case */
export type FindEquivalents = (text: string) => readonly Equivalent[]

export function createEquivalents(lexicon: readonly LexiconEntry[], continues: Continues): FindEquivalents {
  const others = new Map<string, string[]>()
  const beginnings = new Set<string>()
  const names = new Map<string, NameKind>()
  for (const { words, readings, name } of lexicon) {
    for (const word of [...words, ...readings]) {
      const known = others.get(word) ?? []
      others.set(word, [...new Set([...known, ...words.filter(each => each !== word)])])
      beginnings.add(word.slice(0, 2))
      if (name) names.set(word, name)
    }
  }
  function isWhole(text: string, at: number, word: string): boolean {
    const end = at + word.length
    if (at > 0 && continues(word, word[0]!, text[at - 1]!)) return false
    return end >= text.length || !continues(word, word.at(-1)!, text[end]!)
  }

  return text => {
    const found: Equivalent[] = []
    for (let at = 0; at < text.length; at++) {
      if (!beginnings.has(text.slice(at, at + 2)) && !beginnings.has(text[at]!)) continue
      for (let length = Math.min(MAX_KEY, text.length - at); length > 0; length--) {
        const key = text.slice(at, at + length)
        const words = others.get(key)
        if (words === undefined || !isWhole(text, at, key)) continue
        found.push({ written: key, others: words, name: names.get(key) })
        at += length - 1
        break
      }
    }
    return found
  }
}
