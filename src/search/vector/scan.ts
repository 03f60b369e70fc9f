// Compares a query with the vectors of some lists: first by their signs, which are an eighth of the memory, then the most
// similar ones by their codes. The sign distance is asymmetric: the components of the query are summed with the signs of
// the vector, four at a time by a table of 16 sums (as in PQ Fast Scan). This is much more accurate than counting different
// signs, since a few components make up most of a query.
import type { Borrowed } from '../../memory/borrowed.ts'
import type { TopK } from '../topk/top-k.ts'
import type { Int8Vector } from './int8.ts'
import { BLOCK, BLOCK_SHIFT, type IvfLists } from './ivf-lists.ts'
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

/** Vectors of some lists, in descending order of their sign scores, as far as they were needed. */
export type OrderedVectors = Compared & {
  readonly counts: readonly number[]
  /** The sign score of each vector, 64 in a block. */
  readonly signScores: Int8Array
  /** 64 times the index of the block in this scan, plus the index in the block; in descending order of sign scores. */
  readonly places: Uint32Array
  /** The end of each score in `places`; where it begins, while its vectors are not in `places` yet. */
  readonly ends: Uint32Array
  /** The vectors with this sign score or a higher one are in `places`. */
  ordered: number
}

export class ListScan {
  readonly #memory: VectorMemory
  readonly #lists: IvfLists
  readonly #scaledAt: number
  readonly #lookupAt: number
  /** Memory for this many blocks: their addresses, their sign scores, then the addresses and scores of vectors. */
  #capacity = 0
  #blocksAt = 0

  constructor(memory: VectorMemory, lists: IvfLists) {
    this.#memory = memory
    this.#lists = lists
    this.#scaledAt = memory.allocate(memory.dimensions)
    this.#lookupAt = memory.allocate((memory.dimensions / FOUR) * 2 ** FOUR)
  }

  /** Returns the cosine of the query and each slot's vector; 0 for a slot without one. */
  cosines(query: Int8Vector, slots: readonly number[]): Float64Array {
    this.#reserve(Math.ceil(slots.length / BLOCK))
    const cosines = new Float64Array(slots.length)
    let size = 0
    for (const slot of slots) {
      const position = this.#lists.positionOf(slot)
      if (position >= 0) this.#address(size++, position)
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
        let codes = this.#lists.codesAt(block * BLOCK)
        let norm = this.#lists.normAt(block * BLOCK)
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
        const slot = this.#lists.slotAt(blocks[i]! * BLOCK + place)
        if (accept === undefined || accept(slot)) top.collect(cosine, slot)
      }
    }
  }

  /** Compares a query with the signs of every vector of some lists. */
  scoreSigns(query: Int8Vector, lists: readonly number[]): OrderedVectors {
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
    const signScores = this.#scoreSigns(query, blocks)
    const ends = new Uint32Array(LEVELS)
    for (let i = 0; i < counts.length; i++)
      for (let at = i * BLOCK, end = at + counts[i]!; at < end; at++) ends[signScores[at]! & 0xff]!++
    let size = 0
    for (let level = LEVELS - 1; level >= 0; level--) {
      const here = ends[level]!
      ends[level] = size
      size += here
    }
    const { version } = this.#lists
    return {
      query,
      version,
      blocks,
      counts,
      signScores,
      places: new Uint32Array(size),
      ends,
      ordered: LEVELS,
    }
  }

  /**
   * Collects the `wanted` accepted slots (more, if scores tie) with the highest sign scores, scored by their codes.
   * @throws Error when a vector was written since
   */
  collectNearest(vectors: OrderedVectors, wanted: number, top: TopK, accept?: AcceptSlot): void {
    this.#assertCurrent(vectors)
    const { query, blocks, places, ends } = vectors
    const positions: number[] = []
    let at = 0
    for (let level = LEVELS - 1; level >= 0 && positions.length < wanted; level--) {
      if (level < vectors.ordered) orderDown(vectors, wanted)
      for (; at < ends[level]!; at++) {
        const position = blocks[places[at]! >> BLOCK_SHIFT]! * BLOCK + (places[at]! % BLOCK)
        if (accept !== undefined && !accept(this.#lists.slotAt(position))) continue
        this.#address(positions.length, position)
        positions.push(position)
      }
    }
    if (positions.length === 0) return
    const scores = this.#score(query, positions.length)
    for (let i = 0; i < positions.length; i++) {
      const cosine = scores[i]! * query.inverseNorm
      if (cosine >= top.threshold) top.collect(cosine, this.#lists.slotAt(positions[i]!))
    }
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
  #address(n: number, position: number): void {
    const { integers } = this.#memory
    const at = (this.#addressesAt >> 2) + 2 * n
    integers[at] = this.#lists.codesAt(position)
    integers[at + 1] = this.#lists.normAt(position)
  }

  /** Returns the scores of the first `count` addressed vectors: cosines, apart from the norm of the query. */
  #score(query: Int8Vector, count: number): Borrowed<Float32Array> {
    const { kernels, dimensions, floats } = this.#memory
    kernels.scores(this.#memory.load(query), this.#addressesAt, count, dimensions, this.#scoresAt)
    return floats.subarray(this.#scoresAt >> 2, (this.#scoresAt >> 2) + count)
  }

  /** Returns the sign score of each vector of some blocks. */
  #scoreSigns(query: Int8Vector, blocks: readonly number[]): Int8Array {
    if (blocks.length === 0) return new Int8Array(0)
    this.#reserve(blocks.length)
    const { bytes, integers, kernels, dimensions } = this.#memory
    const blocksAt = this.#blocksAt >> 2
    for (let i = 0; i < blocks.length; i++) integers[blocksAt + i] = this.#lists.signsAt(blocks[i]!)
    this.#writeLookup(query.codes)
    const scoresAt = this.#signScoresAt
    kernels.signScores(this.#lookupAt, this.#blocksAt, blocks.length, dimensions / 8, scoresAt)
    return bytes.slice(scoresAt, scoresAt + blocks.length * BLOCK)
  }

  /** Writes the table of sums for the signs of the vectors. */
  #writeLookup(codes: Int8Array): void {
    const { bytes, kernels } = this.#memory
    const scale = toScale(codes)
    for (let d = 0; d < codes.length; d++) {
      const value = codes[d]! * scale
      bytes[this.#scaledAt + d] = value < 0 ? value - 0.5 : value + 0.5
    }
    kernels.signSums(this.#scaledAt, codes.length, this.#lookupAt)
  }
}

/**
 * Orders further vectors, by a counting sort: of the scores that `wanted` reach, then the rest. Most searches want a few of
 * many.
 */
function orderDown(vectors: OrderedVectors, wanted: number): void {
  const { counts, signScores, places, ends, ordered } = vectors
  let least = 0
  if (ordered === LEVELS) while (least + 1 < LEVELS && ends[least]! >= wanted) least++
  for (let i = 0; i < counts.length; i++)
    for (let at = i * BLOCK, end = at + counts[i]!; at < end; at++) {
      const score = signScores[at]! & 0xff
      if (score >= least && score < ordered) places[ends[score]!++] = at
    }
  vectors.ordered = least
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
