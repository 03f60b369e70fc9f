// The term dictionary: every term that was ever indexed, with its id. Also finds terms near an unknown word: by prefix and by one typo.

import { grown } from '../../memory/growing.ts'
import { addUnit, ChainedHash, FNV_START, mixed } from '../../memory/hash-table.ts'
import { TermTexts } from '../../memory/string-table.ts'

const MIN_LENGTH = 4
const MAX_LENGTH = 24

/** Changing one character of a number or of a word in Chinese characters gives a different word, not a typo. */
const canHaveTypo = (word: string): boolean =>
  word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && !/[\d\p{Script=Han}]/u.test(word)

function hashWithout(word: string, left: number): number {
  let hash = FNV_START
  for (let i = 0; i < word.length; i++) if (i !== left) hash = addUnit(hash, word.charCodeAt(i))
  return mixed(hash)
}

/** Returns the hashes of a word and of its deletions; none for a word that is not corrected. */
function deletionHashes(word: string): number[] {
  if (!canHaveTypo(word)) return []
  const hashes = [hashWithout(word, -1)]
  for (let left = 0; left < word.length; left++)
    if (word[left] !== word[left + 1]) hashes.push(hashWithout(word, left))
  return hashes
}

// Finds terms by the hashes of lookup keys. Several terms may share a hash, and a term may have several.

class HashedTerms {
  #hashes = new Uint32Array(1024)
  #termIds = new Int32Array(1024)
  #size = 0
  readonly #lists = new ChainedHash(at => this.#hashes[at]!)

  get bytes(): number {
    return this.#hashes.byteLength + this.#termIds.byteLength + this.#lists.bytes
  }

  add(hash: number, termId: number): void {
    this.#hashes = grown(this.#hashes, this.#size + 1)
    this.#termIds = grown(this.#termIds, this.#size + 1)
    this.#hashes[this.#size] = hash
    this.#termIds[this.#size] = termId
    this.#lists.add(this.#size++)
  }

  /** Returns the ids of the terms with one of these hashes that pass a test, which compares the keys, in no order. */
  find(hashes: readonly number[], passes: (termId: number) => boolean): number[] {
    const found = new Set<number>()
    for (const hash of hashes)
      for (let at = this.#lists.first(hash); at >= 0; at = this.#lists.next(at)) {
        if (this.#hashes[at] !== hash) continue
        const termId = this.#termIds[at]!
        if (!found.has(termId) && passes(termId)) found.add(termId)
      }
    return [...found]
  }
}

export interface Lexicon {
  readonly size: number
  readonly bytes: number
  /** Returns the id of a term, assigning one to a new term. */
  add(term: string): number
  /** Returns the id of a term, or -1. */
  find(term: string): number
  termAt(termId: number): string
  /** Returns whether one term sorts before another. */
  isBefore(a: number, b: number): boolean
  /** Returns the ids of the terms that begin with `prefix`, in no order. */
  startingWith(prefix: string): number[]
  /**
   * Returns the ids of the terms at edit distance one from `word` (insertion, deletion, substitution or transposition), in
   * no order.
   */
  oneTypoFrom(word: string): number[]
}

/** Terms are chained by their first one, two and three UTF-16 units. */
const PREFIX_LENGTHS = [1, 2, 3] as const
/** A single Latin letter is a prefix of too many terms to be worth a chain. */
const FIRST_WIDE = 0x80

function prefixKey(term: string, length: number): number {
  let key = length
  for (let i = 0; i < length; i++) key = key * 0x10000 + term.charCodeAt(i)
  return key
}

export function createLexicon(): Lexicon {
  const texts = new TermTexts()
  const heads = new Map<number, number>()
  const nexts = PREFIX_LENGTHS.map(() => new Int32Array(1024))
  const byDeletion = new HashedTerms()

  function chain(term: string, termId: number): void {
    for (let row = 0; row < PREFIX_LENGTHS.length; row++) {
      const length = PREFIX_LENGTHS[row]!
      if (term.length < length || (length === 1 && term.charCodeAt(0) < FIRST_WIDE)) continue
      const key = prefixKey(term, length)
      const next = grown(nexts[row]!, termId + 1)
      nexts[row] = next
      next[termId] = heads.get(key) ?? -1
      heads.set(key, termId)
    }
  }

  return {
    get size() {
      return texts.size
    },
    get bytes() {
      return (
        texts.bytes +
        heads.size * 32 +
        nexts.reduce((sum, next) => sum + next.byteLength, 0) +
        byDeletion.bytes
      )
    },
    add(term) {
      const size = texts.size
      const termId = texts.add(term)
      if (termId < size) return termId
      chain(term, termId)
      for (const hash of deletionHashes(term)) byDeletion.add(hash, termId)
      return termId
    },
    find: term => texts.find(term),
    termAt: termId => texts.at(termId),
    isBefore: (a, b) => texts.isBefore(a, b),
    startingWith(prefix) {
      const length = Math.min(prefix.length, PREFIX_LENGTHS.length)
      if (length === 0) return []
      const next = nexts[length - 1]!
      const found: number[] = []
      for (let at = heads.get(prefixKey(prefix, length)) ?? -1; at >= 0; at = next[at]!) {
        // All terms of a chain begin with its one to three units.
        if (prefix.length === length || texts.startsWith(at, prefix)) found.push(at)
      }
      return found
    },
    oneTypoFrom: word => byDeletion.find(deletionHashes(word), termId => isOneEdit(texts.at(termId), word)),
  }
}

/** One letter inserted, deleted or replaced, or two neighbours swapped. */
export function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at)
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1)
  if (a.slice(at + 1) === b.slice(at + 1)) return true
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
