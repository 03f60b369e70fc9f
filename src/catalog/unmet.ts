// Searches without results, of one day, in this process. Only dictionary words that several callers used are ever reported: a search
// may contain a secret, a name, or text that an attacker wants published.
import type { UnmetOfDay } from '../store/census.ts'

/** More words form a sentence, which may identify the caller. */
const MAX_WORDS = 4
const MAX_LENGTH = 24
const LETTERS = /^\p{L}[\p{L}\p{M}ー]*$/u

const MAX_SEARCHES = 2_000
/** Searches counted per caller and day, so that one caller cannot displace those of others. */
const MAX_OF_CALLER = 20
const MAX_CALLERS = 20_000
/** Callers counted per search. */
const MAX_COUNTED = 100

export type Unmet = { readonly day: string; readonly searches: readonly UnmetOfDay[] }

export class UnmetSearches {
  /** A search with fewer callers on a day is never reported; 0 disables counting. */
  readonly minCallers: number
  readonly #isWord: (word: string) => boolean
  #day = ''
  /** New every day, so that hashes of callers cannot be linked across days. */
  #seed = 0
  /** Hashes of the callers, by words. */
  #searches = new Map<string, Set<number>>()
  /** The number of counted searches, by caller. */
  #ofCaller = new Map<number, number>()
  #ended: Unmet[] = []

  /** @param isWord whether it is a dictionary word */
  constructor({ minCallers, isWord }: { minCallers: number; isWord: (word: string) => boolean }) {
    this.minCallers = minCallers
    this.#isWord = isWord
  }

  /** @param from the address by which the caller is counted */
  add(words: readonly string[], from: string, day: string): void {
    if (this.minCallers === 0) return
    const key = this.#toKey(words)
    if (key === undefined) return
    this.#setDay(day)
    const caller = Bun.hash.xxHash32(from, this.#seed)
    const searched = this.#ofCaller.get(caller) ?? 0
    const callers = this.#searches.get(key)
    if (callers?.has(caller) || searched >= MAX_OF_CALLER) return
    if (searched === 0 && this.#ofCaller.size >= MAX_CALLERS) return
    this.#ofCaller.set(caller, searched + 1)
    if (!callers) {
      if (this.#searches.size >= MAX_SEARCHES) this.#dropOne()
      this.#searches.set(key, new Set([caller]))
    } else if (callers.size < MAX_COUNTED) callers.add(caller)
  }

  /** Searches with enough callers: today's so far, and those of a day that has ended since the last call. */
  take(day: string): Unmet[] {
    this.#setDay(day)
    const result = [...this.#ended, this.#reportable()].filter(({ searches }) => searches.length > 0)
    this.#ended = []
    return result
  }

  /** Sorted, so that the sentence cannot be reconstructed. */
  #toKey(words: readonly string[]): string | undefined {
    const distinct = [...new Set(words)].sort()
    if (distinct.length === 0 || distinct.length > MAX_WORDS) return undefined
    const isPlain = distinct.every(
      word => word.length <= MAX_LENGTH && LETTERS.test(word) && this.#isWord(word),
    )
    return isPlain ? distinct.join(' ') : undefined
  }

  #setDay(day: string): void {
    if (day === this.#day) return
    if (this.#day !== '') this.#ended = [...this.#ended.slice(-1), this.#reportable()]
    this.#day = day
    this.#seed = crypto.getRandomValues(new Uint32Array(1))[0]!
    this.#searches = new Map()
    this.#ofCaller = new Map()
  }

  #reportable(): Unmet {
    const searches = [...this.#searches]
      .filter(([, { size }]) => size >= this.minCallers)
      .map(([words, { size }]) => ({ words, callers: size }))
    return { day: this.#day, searches }
  }

  /** Drops the oldest of the searches with the fewest callers. */
  #dropOne(): void {
    let [least, key] = [Number.POSITIVE_INFINITY, '']
    for (const [words, { size }] of this.#searches) if (size < least) [least, key] = [size, words]
    this.#searches.delete(key)
  }
}
