// Chooses the words that get a row of their own.
import { toEmbeddingWords } from '../src/search/embedding/tokens.ts'
import { isHiragana, isJapanese } from '../src/search/text/languages/japanese/embedding.ts'
import { type PairSources, readLines } from './pair.ts'
import type { DictionaryEntry } from './read-edict.ts'
import type { Glove } from './start-vectors.ts'

const ENGLISH_WORDS = 52_000
const JAPANESE_WORDS = 48_000
/** Kanji and kanji pairs that open up words which are not in the list. */
const PART_COUNT = 15
const PARTS = 1_000
/** A word seen only twice is kept when it is among this many most frequent words of general English. */
const FREQUENT_ENGLISH = 60_000

const KANJI = /\p{Script=Han}/u

type Counts = Map<string, number>

export type WordCounts = { readonly words: Counts; readonly parts: Counts }

const add = (counts: Counts, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

function addParts(word: string, parts: Counts): void {
  const characters = [...word]
  characters.forEach((character, i) => {
    if (!KANJI.test(character)) return
    add(parts, character)
    const next = characters[i + 1]
    if (next !== undefined && KANJI.test(next)) add(parts, character + next)
  })
}

/** In how many texts each word occurs, and each kanji and pair of kanji inside words. */
export function countWords(sources: PairSources): WordCounts {
  const words: Counts = new Map()
  const parts: Counts = new Map()
  for (const pairs of sources.values()) {
    for (const { a, b } of pairs) {
      for (const text of [a, b]) {
        for (const word of new Set(toEmbeddingWords(text))) {
          add(words, word)
          if (KANJI.test(word)) addParts(word, parts)
        }
      }
    }
  }
  return { words, parts }
}

const byCount = (x: [string, number], y: [string, number]) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)

/** English words first, then Japanese ones, then parts; the most frequent first in each. */
export function toWordList(
  { words, parts }: WordCounts,
  glove: Glove,
  dictionary: readonly DictionaryEntry[],
) {
  const common = new Set(dictionary.filter(entry => entry.isCommon).flatMap(entry => entry.headwords))
  const all = [...words]
  const english = all
    .filter(
      ([word, count]) =>
        !isJapanese(word) && (count >= 5 || (count >= 2 && glove.rankOf(word) < FREQUENT_ENGLISH)),
    )
    .sort(byCount)
    .slice(0, ENGLISH_WORDS)
  const japanese = all
    .filter(
      ([word, count]) =>
        isJapanese(word) && (count >= 3 || common.has(word) || (count >= 2 && !isHiragana(word))),
    )
    .sort(byCount)
    .slice(0, JAPANESE_WORDS)
  const chosen = new Set([...english, ...japanese].map(([word]) => word))
  const extra = [...parts]
    .filter(([part, count]) => count >= PART_COUNT && !chosen.has(part))
    .sort(byCount)
    .slice(0, PARTS)
  return { words: [...english, ...japanese, ...extra].map(([word]) => word), english: english.length }
}

/** The words of earlier weights, in the same order. */
export function readWordList(path: string) {
  const all = readLines(path)
  const english = all.filter(word => !isJapanese(word))
  return { words: [...english, ...all.filter(isJapanese)], english: english.length }
}
