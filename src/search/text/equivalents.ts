// Finds words in a text that stand for others: of another language, in another script, or the reading of one.

const MAX_KEY = 24
const SPACED = /[a-z0-9]/
const HIRAGANA = /\p{Script=Hiragana}/u
const KATAKANA = /[\p{Script=Katakana}ー]/u
const HAN = /\p{Script=Han}/u
/** Between characters of one kind these part words. */
const PARTICLES = 'のをがはにでともや'

/** Which characters next to a key would make it a part of another word. */
function isPartOf(key: string, at: number, neighbour: string): boolean {
  if (neighbour === '') return false
  const edge = key[at]!
  if (SPACED.test(edge)) return SPACED.test(neighbour)
  if (HIRAGANA.test(edge)) return HIRAGANA.test(neighbour) && !PARTICLES.includes(neighbour)
  if (KATAKANA.test(edge)) return KATAKANA.test(neighbour)
  return key.length === 1 && HAN.test(neighbour)
}

/** Words that stand for each other, and how they are read: readings lead to words, and no word to a reading. */
export type LexiconEntry = { readonly words: readonly string[]; readonly readings: readonly string[] }

export type Equivalent = { readonly written: string; readonly others: readonly string[] }
/** @param text lower-case */
export type FindEquivalents = (text: string) => readonly Equivalent[]

export function createEquivalents(lexicon: readonly LexiconEntry[]): FindEquivalents {
  const others = new Map<string, string[]>()
  const beginnings = new Set<string>()
  for (const { words, readings } of lexicon) {
    for (const word of [...words, ...readings]) {
      const known = others.get(word) ?? []
      others.set(word, [...new Set([...known, ...words.filter(each => each !== word)])])
      beginnings.add(word.slice(0, 2))
    }
  }
  const isWhole = (text: string, at: number, key: string): boolean =>
    !isPartOf(key, 0, text[at - 1] ?? '') && !isPartOf(key, key.length - 1, text[at + key.length] ?? '')

  return text => {
    const found: Equivalent[] = []
    for (let at = 0; at < text.length; at++) {
      if (!beginnings.has(text.slice(at, at + 2)) && !beginnings.has(text[at]!)) continue
      for (let length = Math.min(MAX_KEY, text.length - at); length > 0; length--) {
        const key = text.slice(at, at + length)
        const words = others.get(key)
        if (words === undefined || !isWhole(text, at, key)) continue
        found.push({ written: key, others: words })
        at += length - 1
        break
      }
    }
    return found
  }
}
