// Compares a query with the vectors of some lists: first by their signs, which are an eighth of the memory, then the most
// similar ones by their codes. The sign distance is asymmetric: the components of the query are summed with the signs of
// the vector, four at a time by a table of 16 sums (as in PQ Fast Scan). This is much more accurate than counting different
// signs, since a few components make up most of a query.
import type { Borrowed } from '../../memory/borrowed.ts'
import type { Snapshot } from '../../memory/snapshot.ts'
import type { TopK } from '../topk/top-k.ts'
import type { Int8Vector } from './int8.ts'
import { BLOCK, type IvfLists } from './ivf-lists.ts'
import type { VectorMemory } from './vector-memory.ts'

export type AcceptSlot = (slot: number) => boolean

/** A sign score is one byte: a quarter of the sum of the query's components. */
const LEVELS = 256
const MAX_SUM = 4 * (LEVELS - 1)
/** A kernel adds sums of four components as bytes. Two such sums and a rounding error of up to 2 fit into one. */
const FOUR = 4
const MAX_SUM_OF_FOUR = 63 - 2
const MIN_BLOCKS = 512

/** Vectors that were compared with a query, at one version of the lists. They are invalid at any other. */
type Compared = { readonly query: Int8Vector; readonly version: number; readonly blocks: readonly number[] }

/** The scores of the vectors of some lists, by block; `counts` is the number of vectors in each block. */
export type ScoredVectors = Compared & {
  readonly counts: readonly number[]
  /** The dot product of the query with each vector, divided by the norm of the vector. */
  readonly scores: Float32Array
}

/** Vectors of some lists, in descending order of their sign scores. */
export type OrderedVectors = Compared & {
  /** 64 times the index of the block in this scan, plus the index in the block; in descending order of sign scores. */
  readonly places: Uint32Array
  /** The end of each score in `places`. */
  readonly ends: Uint32Array
}

export class ListScan {
  readonly #memory: VectorMemory
  readonly #lists: IvfLists
  readonly #lookupAt: number
  /** Memory for this many blocks: their addresses, their sign scores, then the addresses and scores of vectors. */
  #capacity = 0
  #blocksAt = 0

  constructor(memory: VectorMemory, lists: IvfLists) {
    this.#memory = memory
    this.#lists = lists
    this.#lookupAt = memory.allocate((memory.dimensions / FOUR) * 2 ** FOUR)
  }

  /** Returns the cosine of the query and each slot's vector; 0 for a slot without one. */
  cosines(query: Int8Vector, slots: readonly number[]): Float64Array {
    this.#reserve(Math.ceil(slots.length / BLOCK))
    const cosines = new Float64Array(slots.length)
    let size = 0
    for (const slot of slots) {
      const position = this.#lists.positionOf(slot)
      if (position >= 0) this.#address(size++, Math.floor(position / BLOCK), position % BLOCK)
    }
    if (size === 0) return cosines
    const scores = this.#score(query, size)
    let at = 0
    for (let i = 0; i < slots.length; i++)
      if (this.#lists.positionOf(slots[i]!) >= 0) cosines[i] = scores[at++]! * query.inverseNorm
    return cosines
  }

  /** Compares a query with every vector of some lists. They are scored together, because many lists are short. */
  scoreAll(query: Int8Vector, lists: readonly number[]): ScoredVectors {
    this.#reserve(1)
    const { integers, dimensions } = this.#memory
    const blocks: number[] = []
    const counts: number[] = []
    let total = 0
    for (const list of lists) total += this.#lists.countOf(list)
    const scores = new Float32Array(total)
    let at = this.#addressesAt >> 2
    let size = 0
    let scored = 0
    const score = () => {
      if (size === 0) return
      scores.set(this.#score(query, size), scored)
      scored += size
      size = 0
      at = this.#addressesAt >> 2
    }
    for (const list of lists) {
      let left = this.#lists.countOf(list)
      for (const block of this.#lists.blocksOf(list)) {
        const count = Math.min(left, BLOCK)
        let codes = this.#lists.codesAt(block)
        let norm = this.#lists.normsAt(block)
        for (let i = 0; i < count; i++, codes += dimensions, norm += 4) {
          integers[at++] = codes
          integers[at++] = norm
        }
        blocks.push(block)
        counts.push(count)
        size += count
        left -= count
        if (blocks.length % this.#capacity === 0) score()
      }
    }
    score()
    return { query, version: this.#lists.version, blocks, counts, scores }
  }

  /** Collects the slots that pass the filter. @throws Error when a vector was written since */
  collectAll(vectors: ScoredVectors, top: TopK, accept?: AcceptSlot): void {
    this.#assertCurrent(vectors)
    const { query, blocks, counts, scores } = vectors
    let at = 0
    for (let i = 0; i < blocks.length; i++) {
      for (let place = 0; place < counts[i]!; place++) {
        const cosine = scores[at++]! * query.inverseNorm
        if (cosine < top.threshold) continue
        const slot = this.#lists.slotAt(blocks[i]!, place)
        if (accept === undefined || accept(slot)) top.collect(cosine, slot)
      }
    }
  }

  /** Orders the vectors of some lists by their sign scores. */
  orderBySigns(query: Int8Vector, lists: readonly number[]): OrderedVectors {
    const blocks: number[] = []
    const counts: number[] = []
    for (const list of lists) {
      let left = this.#lists.countOf(list)
      for (const block of this.#lists.blocksOf(list)) {
        blocks.push(block)
        counts.push(Math.min(left, BLOCK))
        left -= BLOCK
      }
    }
    const { version } = this.#lists
    if (blocks.length === 0)
      return { query, version, blocks, places: new Uint32Array(0), ends: new Uint32Array(LEVELS) }
    this.#reserve(blocks.length)
    return { query, version, blocks, ...this.#orderBySigns(query, blocks, counts) }
  }

  /**
   * Collects the `wanted` accepted slots (more, if scores tie) with the highest sign scores, scored by their codes.
   * @throws Error when a vector was written since
   */
  collectNearest(vectors: OrderedVectors, wanted: number, top: TopK, accept?: AcceptSlot): void {
    this.#assertCurrent(vectors)
    const { query, blocks, places, ends } = vectors
    const slots: number[] = []
    let at = 0
    for (let level = LEVELS - 1; level >= 0 && slots.length < wanted; level--) {
      for (; at < ends[level]!; at++) {
        const block = blocks[Math.floor(places[at]! / BLOCK)]!
        const place = places[at]! % BLOCK
        const slot = this.#lists.slotAt(block, place)
        if (accept !== undefined && !accept(slot)) continue
        this.#address(slots.length, block, place)
        slots.push(slot)
      }
    }
    if (slots.length === 0) return
    const scores = this.#score(query, slots.length)
    for (let i = 0; i < slots.length; i++) top.collect(scores[i]! * query.inverseNorm, slots[i]!)
  }

  serialize(snapshot: Snapshot): void {
    this.#capacity = snapshot.number(this.#capacity)
    this.#blocksAt = snapshot.number(this.#blocksAt)
  }

  #assertCurrent({ version }: Compared): void {
    if (version !== this.#lists.version) throw new Error('Vectors were written since these were compared.')
  }

  get #signScoresAt(): number {
    return this.#blocksAt + this.#capacity * 4
  }

  get #addressesAt(): number {
    return this.#signScoresAt + this.#capacity * BLOCK
  }

  get #scoresAt(): number {
    return this.#addressesAt + this.#capacity * BLOCK * 8
  }

  #reserve(blocks: number): void {
    if (blocks <= this.#capacity) return
    this.#capacity = Math.max(MIN_BLOCKS, blocks, this.#capacity * 2)
    this.#blocksAt = this.#memory.allocate(this.#capacity * (4 + BLOCK * (1 + 8 + 4)))
  }

  /** Adds a vector as the nth to be scored. */
  #address(n: number, block: number, place: number): void {
    const { integers, dimensions } = this.#memory
    const at = (this.#addressesAt >> 2) + 2 * n
    integers[at] = this.#lists.codesAt(block) + place * dimensions
    integers[at + 1] = this.#lists.normsAt(block) + place * 4
  }

  /** Returns the scores of the first `count` addressed vectors: cosines, apart from the norm of the query. */
  #score(query: Int8Vector, count: number): Borrowed<Float32Array> {
    const { kernels, dimensions, floats } = this.#memory
    kernels.scores(this.#memory.load(query), this.#addressesAt, count, dimensions, this.#scoresAt)
    return floats.subarray(this.#scoresAt >> 2, (this.#scoresAt >> 2) + count)
  }

  /** A counting sort in descending order. */
  #orderBySigns(
    query: Int8Vector,
    blocks: readonly number[],
    counts: readonly number[],
  ): Pick<OrderedVectors, 'places' | 'ends'> {
    const { bytes, integers, kernels, dimensions } = this.#memory
    for (let i = 0; i < blocks.length; i++)
      integers[(this.#blocksAt >> 2) + i] = this.#lists.signsAt(blocks[i]!)
    this.#writeLookup(query.codes)
    const scoresAt = this.#signScoresAt
    kernels.signScores(this.#lookupAt, this.#blocksAt, blocks.length, dimensions / 8, scoresAt)
    const ends = new Uint32Array(LEVELS)
    for (let i = 0; i < blocks.length; i++)
      for (let at = scoresAt + i * BLOCK, end = at + counts[i]!; at < end; at++) ends[bytes[at]! & 0xff]!++
    let before = 0
    for (let level = LEVELS - 1; level >= 0; level--) {
      const here = ends[level]!
      ends[level] = before
      before += here
    }
    const places = new Uint32Array(before)
    for (let i = 0; i < blocks.length; i++)
      for (let place = 0; place < counts[i]!; place++)
        places[ends[bytes[scoresAt + i * BLOCK + place]! & 0xff]!++] = i * BLOCK + place
    return { places, ends }
  }

  /** For every four components of the query, their sums for all combinations of signs. */
  #writeLookup(codes: Int8Array): void {
    const { bytes, dimensions } = this.#memory
    const scale = toScale(codes)
    const numbers = new Int8Array(FOUR)
    for (let d = 0; d < dimensions; d += FOUR) {
      let sum = 0
      for (let i = 0; i < FOUR; i++) {
        const number = codes[d + i]! * scale
        numbers[i] = number < 0 ? number - 0.5 : number + 0.5
        sum -= numbers[i]!
      }
      const at = this.#lookupAt + (d / FOUR) * 2 ** FOUR
      bytes[at] = sum
      for (let i = 0; i < FOUR; i++)
        for (let signs = 0; signs < 1 << i; signs++)
          bytes[at + (1 << i) + signs] = bytes[at + signs]! + 2 * numbers[i]!
    }
  }
}

/** Scales the query so that the sum of all components, and of any four, fits its limit. */
function toScale(codes: Int8Array): number {
  let sum = 0
  let ofFour = 1
  for (let d = 0; d < codes.length; d += FOUR) {
    const four =
      Math.abs(codes[d]!) + Math.abs(codes[d + 1]!) + Math.abs(codes[d + 2]!) + Math.abs(codes[d + 3]!)
    sum += four
    if (four > ofFour) ofFour = four
  }
  return Math.min(MAX_SUM_OF_FOUR / ofFour, MAX_SUM / Math.max(1, sum))
}
