// Searches that found nothing, of one day, in this process. Only ordinary words that several callers looked for ever leave it: a search
// may hold a secret, a name or whatever somebody wants others to read.
import type { UnmetOfDay } from '../store/census.ts'

/** More words than this are a sentence, which may tell who asks. */
const MAX_WORDS = 4
const MAX_LENGTH = 24
const LETTERS = /^\p{L}[\p{L}\p{M}ー]*$/u

const MAX_SEARCHES = 2_000
/** What one caller has asked for beyond this is not counted that day: nobody crowds out what others look for. */
const MAX_OF_CALLER = 20
const MAX_CALLERS = 20_000
/** A count goes no further. */
const MAX_COUNTED = 100

export type Unmet = { readonly day: string; readonly searches: readonly UnmetOfDay[] }

export class UnmetSearches {
  /** A search that fewer made on a day is never told; 0: nothing is counted. */
  readonly minCallers: number
  readonly #isWord: (word: string) => boolean
  #day = ''
  /** New every day, so that what is kept of a caller means nothing beyond it. */
  #seed = 0
  /** By words, the callers as numbers. */
  #searches = new Map<string, Set<number>>()
  /** How many searches of a caller are counted. */
  #ofCaller = new Map<number, number>()
  #ended: Unmet[] = []

  /** @param isWord whether it is an ordinary word, that is known whoever asks */
  constructor({ minCallers, isWord }: { minCallers: number; isWord: (word: string) => boolean }) {
    this.minCallers = minCallers
    this.#isWord = isWord
  }

  /** @param from where the caller is, as it is counted */
  add(words: readonly string[], from: string, day: string): void {
    if (this.minCallers === 0) return
    const key = this.#toKey(words)
    if (key === undefined) return
    this.#turnTo(day)
    const caller = Bun.hash.xxHash32(from, this.#seed)
    const asked = this.#ofCaller.get(caller) ?? 0
    const callers = this.#searches.get(key)
    if (callers?.has(caller) || asked >= MAX_OF_CALLER) return
    if (asked === 0 && this.#ofCaller.size >= MAX_CALLERS) return
    this.#ofCaller.set(caller, asked + 1)
    if (!callers) {
      if (this.#searches.size >= MAX_SEARCHES) this.#dropOne()
      this.#searches.set(key, new Set([caller]))
    } else if (callers.size < MAX_COUNTED) callers.add(caller)
  }

  /** What enough callers looked for: today so far, and on a day that has ended since the last time. */
  take(day: string): Unmet[] {
    this.#turnTo(day)
    const taken = [...this.#ended, this.#told()].filter(({ searches }) => searches.length > 0)
    this.#ended = []
    return taken
  }

  /** Sorted, so that no sentence can be read from it. */
  #toKey(words: readonly string[]): string | undefined {
    const distinct = [...new Set(words)].sort()
    if (distinct.length === 0 || distinct.length > MAX_WORDS) return undefined
    const isPlain = distinct.every(
      word => word.length <= MAX_LENGTH && LETTERS.test(word) && this.#isWord(word),
    )
    return isPlain ? distinct.join(' ') : undefined
  }

  #turnTo(day: string): void {
    if (day === this.#day) return
    if (this.#day !== '') this.#ended = [...this.#ended.slice(-1), this.#told()]
    this.#day = day
    this.#seed = crypto.getRandomValues(new Uint32Array(1))[0]!
    this.#searches = new Map()
    this.#ofCaller = new Map()
  }

  #told(): Unmet {
    const searches = [...this.#searches]
      .filter(([, { size }]) => size >= this.minCallers)
      .map(([words, { size }]) => ({ words, callers: size }))
    return { day: this.#day, searches }
  }

  /** The oldest of those that the fewest callers made. */
  #dropOne(): void {
    let [least, key] = [Number.POSITIVE_INFINITY, '']
    for (const [words, { size }] of this.#searches) if (size < least) [least, key] = [size, words]
    this.#searches.delete(key)
  }
}
