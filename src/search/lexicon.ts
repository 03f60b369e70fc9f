// Every term that was ever indexed, with its number, and the ways to find terms near a word that is in no entry:
// by its beginning, and with one typo.
import type { Image } from '../domain/image.ts'
import { grown } from './growing.ts'
import { createTypoTable } from './typos.ts'

export interface Lexicon {
  readonly size: number
  readonly bytes: number
  /** The number of a term, given out on first sight. */
  add(term: string): number
  /** The number of a term, or -1. */
  find(term: string): number
  termAt(number: number): string
  /** Numbers of the terms that begin with `prefix`, in no order. */
  startingWith(prefix: string): number[]
  /** Numbers of the terms that become `word` by one letter more, less, other, or two swapped; in no order. */
  oneTypoFrom(word: string): number[]
  /** In steps of some thousand terms. */
  carry(image: Image): Generator<void>
}

/** Chains of terms by their first one, two and three units. */
const PREFIX_LENGTHS = [1, 2, 3] as const
/** One Latin letter begins too many words to be worth following. */
const FIRST_WIDE = 0x80

function prefixKey(term: string, length: number): number {
  let key = length
  for (let i = 0; i < length; i++) key = key * 0x10000 + term.charCodeAt(i)
  return key
}

/** A Map of a million terms takes a tenth of a second to double, so there are many small ones. */
const SHARDS = 64
const shardOf = (term: string): number =>
  (31 * term.charCodeAt(0) + 7 * term.charCodeAt(term.length - 1) + term.length) & (SHARDS - 1)

const PART_SHIFT = 12
const PART = 1 << PART_SHIFT

/** In parts, of which only the last one changes: the collector looks through what has changed each time. */
class TermList {
  readonly #parts: string[][] = []
  length = 0

  at(number: number): string {
    return this.#parts[number >> PART_SHIFT]![number & (PART - 1)]!
  }

  /** Answers the number of the term. */
  push(term: string): number {
    if (this.length % PART === 0) this.#parts.push([])
    this.#parts.at(-1)!.push(term)
    return this.length++
  }

  /** The part that begins with the number. */
  part(first: number): readonly string[] {
    return this.#parts[first >> PART_SHIFT] ?? []
  }
}

export function createLexicon(): Lexicon {
  const shards = Array.from({ length: SHARDS }, () => new Map<string, number>())
  let terms = new TermList()
  let heads = new Map<number, number>()
  const nexts = PREFIX_LENGTHS.map(() => new Int32Array(1024))
  const typos = createTypoTable()

  function chain(term: string, number: number): void {
    for (const [row, length] of PREFIX_LENGTHS.entries()) {
      if (term.length < length || (length === 1 && term.charCodeAt(0) < FIRST_WIDE)) continue
      const key = prefixKey(term, length)
      const next = grown(nexts[row]!, number + 1)
      nexts[row] = next
      next[number] = heads.get(key) ?? -1
      heads.set(key, number)
    }
  }

  return {
    get size() {
      return terms.length
    },
    get bytes() {
      const text = terms.length * 96 + heads.size * 32
      return text + nexts.reduce((sum, next) => sum + next.byteLength, 0) + typos.bytes
    },
    add(term) {
      const numbers = shards[shardOf(term)]!
      const known = numbers.get(term)
      if (known !== undefined) return known
      const number = terms.push(term)
      numbers.set(term, number)
      chain(term, number)
      typos.add(term, number)
      return number
    },
    find: term => shards[shardOf(term)]!.get(term) ?? -1,
    termAt: number => terms.at(number),
    startingWith(prefix) {
      const length = Math.min(prefix.length, PREFIX_LENGTHS.length)
      if (length === 0) return []
      const next = nexts[length - 1]!
      const found: number[] = []
      for (let at = heads.get(prefixKey(prefix, length)) ?? -1; at >= 0; at = next[at]!) {
        if (terms.at(at).startsWith(prefix)) found.push(at)
      }
      return found
    },
    *carry(image) {
      const count = image.number(terms.length)
      const read = new TermList()
      for (let at = 0; at < count; at += PART) {
        const part = image.texts(terms.part(at))
        if (image.isReading) for (const term of part) shards[shardOf(term)]!.set(term, read.push(term))
        yield
      }
      const prefixes = image.array(Float64Array.from(heads.keys()))
      const firsts = image.array(Int32Array.from(heads.values()))
      for (const row of nexts.keys()) nexts[row] = image.array(nexts[row]!)
      typos.carry(image)
      if (!image.isReading) return
      terms = read
      heads = new Map()
      for (let i = 0; i < prefixes.length; i++) heads.set(prefixes[i]!, firsts[i]!)
    },
    oneTypoFrom: word => typos.find(word).filter(number => isOneEdit(terms.at(number), word)),
  }
}

/** One letter added, left out or replaced, or two neighbours swapped. */
export function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at)
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1)
  if (a.slice(at + 1) === b.slice(at + 1)) return true
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
