// The vector index: one vector per slot, as int8 codes and as signs, one bit per dimension. A search compares the query with the
// signs of all vectors, an eighth of the memory, then with the codes of the most similar ones. Results depend on the vectors
// alone, not on the order in which they were stored.
import type { SlotOrder, SlotTest } from '../../memory/sorted-slots.ts'
import { TopK } from '../index/evaluate.ts'
import { SCAN_WASM } from './kernels.ts'

/** The codes of a vector, and one over their length, which turns a dot product of codes into a cosine. */
type Int8Vector = { readonly codes: Int8Array; readonly inverseNorm: number }
/** A quantised query vector; undefined for a vector of zeros, which has no neighbours. */
export type VectorQuery = Int8Vector | undefined
export type Neighbour = { readonly slot: number; readonly cosine: number }

/** The kernels of scan.wat, which documents them. */
type Kernels = {
  scores(query: number, addresses: number, count: number, dimensions: number, scores: number): void
  signSums(components: number, dimensions: number, lookup: number): void
  signScores(lookup: number, signs: number, count: number, bytes: number, out: number, highest: number): void
}

const MAX_CODE = 127
/** Dimensions that one step of a kernel compares. */
const STEP = 64
/** The sign bytes of this many vectors are interleaved, so that a kernel reads them together. */
const BLOCK = 64
/**
 * Vectors are allocated in chunks, each with the norms, the codes, the signs and the sign scores of its vectors, and the
 * highest sign score of each block.
 */
const CHUNK_SHIFT = 11
const CHUNK = 1 << CHUNK_SHIFT
const PAGE_BYTES = 65_536
const CACHE_LINE = 64
/** Vectors that are compared by their codes in one call of the kernel. */
const BATCH = 1_024

/** A sign score is one byte: a quarter of the sum of the query's components. */
const LEVELS = 256
const MAX_SUM = 4 * (LEVELS - 1)
/** A kernel adds sums of four components as bytes. Two such sums and a rounding error of up to 2 fit into one. */
const FOUR = 4
const MAX_SUM_OF_FOUR = 63 - 2
/** At least this many vectors are compared by their codes: a catalog up to this size is searched exactly. */
const MIN_RESCORED = 512
const RESCORED_EACH = 10

/** Scales a vector so that its largest component uses the whole range of a signed byte. */
function toCodes(vector: Float32Array): Int8Array {
  let peak = 0
  for (let d = 0; d < vector.length; d++) peak = Math.max(peak, Math.abs(vector[d]!))
  const codes = new Int8Array(vector.length)
  if (!(peak > 0)) return codes
  const scale = MAX_CODE / peak
  for (let d = 0; d < vector.length; d++) {
    const value = vector[d]! * scale
    codes[d] = value < 0 ? value - 0.5 : value + 0.5
  }
  return codes
}

/** Returns 0 when all codes are zero. */
function toInverseNorm(codes: Int8Array): number {
  let squares = 0
  for (let d = 0; d < codes.length; d++) squares += codes[d]! * codes[d]!
  return squares === 0 ? 0 : Math.fround(1 / Math.sqrt(squares))
}

/** Returns the highest score that at least `wanted` have, by how many have each; 0 if there are fewer. */
function toLeast(counts: Uint32Array, wanted: number): number {
  let least = LEVELS - 1
  for (let found = counts[least]!; found < wanted && least > 0; ) found += counts[--least]!
  return least
}

export class VectorIndex {
  readonly dimensions: number
  readonly #memory = new WebAssembly.Memory({ initial: 2, maximum: 65_536 })
  readonly #kernels = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(SCAN_WASM, 'base64')), {
    host: { memory: this.#memory },
  }).exports as unknown as Kernels
  /** Views of the memory. `#allocate` replaces them. */
  #bytes = new Uint8Array(this.#memory.buffer)
  #integers = new Int32Array(this.#memory.buffer)
  #floats = new Float32Array(this.#memory.buffer)
  #end = 0
  /** Addresses of the query, of its scaled components, of their sums, and of a batch with its scores. */
  readonly #at: Readonly<Record<'query' | 'scaled' | 'sums' | 'batch' | 'scores', number>>
  /** The address of each chunk. */
  readonly #chunks: number[] = []
  /** The highest slot with a vector, plus one, and the slots below it without one. */
  #reach = 0
  readonly #holes = new Set<number>()
  /** Incremented by every write. */
  #version = 0
  /** The query whose sign scores are in memory. */
  #scored: { readonly query: Int8Vector; readonly version: number } | undefined

  constructor(dimensions: number) {
    if (dimensions % STEP !== 0)
      throw new Error(`Vectors need a multiple of ${STEP} dimensions, not ${dimensions}.`)
    this.dimensions = dimensions
    this.#at = {
      query: this.#allocate(dimensions),
      scaled: this.#allocate(dimensions),
      sums: this.#allocate((dimensions / FOUR) * 2 ** FOUR),
      batch: this.#allocate(8 * BATCH),
      scores: this.#allocate(4 * BATCH),
    }
  }

  get size(): number {
    return this.#reach - this.#holes.size
  }

  /** Memory used, in bytes. */
  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  /** Returns the stored form of a vector. */
  encode(vector: Float32Array): Int8Array {
    if (vector.length !== this.dimensions)
      throw new Error(`A vector of ${this.dimensions} numbers is needed, not ${vector.length}.`)
    return toCodes(vector)
  }

  /** Stores the vector of a slot, replacing the previous one. A vector of zeros is not stored. */
  set(slot: number, codes: Int8Array): void {
    const inverseNorm = toInverseNorm(codes)
    if (inverseNorm === 0) {
      this.delete(slot)
      return
    }
    while (this.#chunks.length << CHUNK_SHIFT <= slot) this.#chunks.push(this.#allocate(this.#chunkBytes))
    for (; this.#reach <= slot; this.#reach++) this.#holes.add(this.#reach)
    this.#holes.delete(slot)
    this.#write(slot, codes, inverseNorm)
  }

  delete(slot: number): void {
    if (slot >= this.#reach || this.#holes.has(slot)) return
    this.#holes.add(slot)
    this.#write(slot, new Int8Array(this.dimensions), 0)
  }

  toQuery(vector: Float32Array): VectorQuery {
    const codes = toCodes(vector)
    const inverseNorm = toInverseNorm(codes)
    return inverseNorm === 0 ? undefined : { codes, inverseNorm }
  }

  /** Returns the cosine of the query and each slot's vector; 0 for a slot without one. */
  cosines(query: VectorQuery, slots: readonly number[]): Float64Array {
    const cosines = new Float64Array(slots.length)
    if (query === undefined) return cosines
    this.#load(query)
    for (let from = 0; from < slots.length; from += BATCH) {
      const end = Math.min(slots.length, from + BATCH)
      let size = 0
      for (let i = from; i < end; i++) if (this.#has(slots[i]!)) this.#address(size++, slots[i]!)
      const scoresAt = this.#score(size)
      size = 0
      for (let i = from; i < end; i++)
        if (this.#has(slots[i]!)) cosines[i] = this.#floats[scoresAt + size++]! * query.inverseNorm
    }
    return cosines
  }

  /**
   * Returns the k accepted slots with the highest cosines, best first. In a catalog of more than a few thousand, one that is
   * similar by its codes but not by its signs can be missed; `npm run bench -- vectors` shows how often.
   */
  nearest(query: VectorQuery, k: number, order: SlotOrder, accept?: SlotTest): Neighbour[] {
    if (query === undefined || k < 1) return []
    const wanted = Math.max(MIN_RESCORED, RESCORED_EACH * k)
    this.#scoreSigns(query)
    const top = new TopK(k, order)
    this.#rescore(query, this.#findSimilar(wanted, accept), top)
    return top.sorted().map(({ slot, key }) => ({ slot, cosine: key }))
  }

  #has(slot: number): boolean {
    return slot < this.#reach && this.#floats[this.#normAt(slot) >> 2] !== 0
  }

  /** Returns the accepted slots with the highest sign scores, at least `wanted` if there are as many; of equal scores, all. */
  #findSimilar(wanted: number, accept: SlotTest | undefined): number[] {
    for (let count = wanted; ; count *= 4) {
      const least = this.#scoreOfBest(count)
      const slots = this.#slotsFrom(least, accept)
      if (slots.length >= wanted || least === 0) return slots
    }
  }

  /** Returns the highest sign score that so many vectors have at least, or 0. */
  #scoreOfBest(count: number): number {
    const bytes = this.#bytes
    const blocks = new Uint32Array(LEVELS)
    for (let first = 0; first < this.#reach; first += BLOCK) blocks[bytes[this.#highestAt(first)]!]!++
    // Each of so many blocks has one, so the others need not be read.
    const low = toLeast(blocks, count + this.#holes.size)
    const scores = new Uint32Array(LEVELS)
    for (let first = 0; first < this.#reach; first += BLOCK) {
      if (bytes[this.#highestAt(first)]! < low) continue
      const at = this.#signScoresAt(first)
      const end = at + Math.min(BLOCK, this.#reach - first)
      for (let i = at; i < end; i++) scores[bytes[i]!]!++
    }
    // What has no vector has a score nevertheless.
    for (const slot of this.#holes) {
      if (bytes[this.#highestAt(slot)]! >= low) scores[bytes[this.#signScoresAt(slot)]!]!--
    }
    return toLeast(scores, count)
  }

  /** Returns the accepted slots with at least this sign score. */
  #slotsFrom(least: number, accept: SlotTest | undefined): number[] {
    const bytes = this.#bytes
    const slots: number[] = []
    for (let first = 0; first < this.#reach; first += BLOCK) {
      if (bytes[this.#highestAt(first)]! < least) continue
      const at = this.#signScoresAt(first)
      const end = Math.min(BLOCK, this.#reach - first)
      for (let i = 0; i < end; i++) {
        if (bytes[at + i]! < least || !this.#has(first + i)) continue
        if (accept === undefined || accept(first + i)) slots.push(first + i)
      }
    }
    return slots
  }

  /** Collects slots by the codes of their vectors. */
  #rescore(query: Int8Vector, slots: readonly number[], top: TopK): void {
    const cosines = this.cosines(query, slots)
    for (let i = 0; i < slots.length; i++)
      if (cosines[i]! >= top.threshold) top.collect(cosines[i]!, slots[i]!)
  }

  /** Compares the signs of all vectors with a query. */
  #scoreSigns(query: Int8Vector): void {
    const last = this.#scored
    if (last?.query === query && last.version === this.#version) return
    this.#writeSums(query.codes)
    for (let first = 0; first < this.#reach; first += CHUNK) {
      const blocks = Math.ceil(Math.min(CHUNK, this.#reach - first) / BLOCK)
      const [out, highest] = [this.#signScoresAt(first), this.#highestAt(first)]
      this.#kernels.signScores(this.#at.sums, this.#signsAt(first), blocks, this.dimensions / 8, out, highest)
    }
    this.#scored = { query, version: this.#version }
  }

  /** Writes the table of sums for the signs of the vectors. The sum of all components, and of any four, must fit its limit. */
  #writeSums(codes: Int8Array): void {
    let sum = 1
    let ofFour = 1
    for (let d = 0; d < codes.length; d += FOUR) {
      let four = 0
      for (let i = d; i < d + FOUR; i++) four += Math.abs(codes[i]!)
      sum += four
      ofFour = Math.max(ofFour, four)
    }
    const scale = Math.min(MAX_SUM_OF_FOUR / ofFour, MAX_SUM / sum)
    for (let d = 0; d < codes.length; d++) {
      const value = codes[d]! * scale
      this.#bytes[this.#at.scaled + d] = value < 0 ? value - 0.5 : value + 0.5
    }
    this.#kernels.signSums(this.#at.scaled, codes.length, this.#at.sums)
  }

  #load({ codes }: Int8Vector): void {
    this.#bytes.set(codes, this.#at.query)
  }

  /** Adds a vector as the nth of the batch. */
  #address(n: number, slot: number): void {
    const at = (this.#at.batch >> 2) + 2 * n
    this.#integers[at] = this.#codesAt(slot)
    this.#integers[at + 1] = this.#normAt(slot)
  }

  /** Scores the first vectors of the batch: cosines, apart from the norm of the query. Returns their index in `#floats`. */
  #score(count: number): number {
    const { query, batch, scores } = this.#at
    if (count > 0) this.#kernels.scores(query, batch, count, this.dimensions, scores)
    return scores >> 2
  }

  #write(slot: number, codes: Int8Array, inverseNorm: number): void {
    this.#version++
    this.#floats[this.#normAt(slot) >> 2] = inverseNorm
    this.#bytes.set(codes, this.#codesAt(slot))
    const from = this.#signsAt(slot) + (slot % BLOCK)
    for (let byte = 0; byte < codes.length / 8; byte++) {
      let signs = 0
      for (let bit = 0; bit < 8; bit++) if (codes[8 * byte + bit]! > 0) signs |= 1 << bit
      this.#bytes[from + byte * BLOCK] = signs
    }
  }

  get #chunkBytes(): number {
    return CHUNK * (4 + this.dimensions + this.dimensions / 8 + 1) + CHUNK / BLOCK
  }

  #normAt(slot: number): number {
    return this.#chunks[slot >> CHUNK_SHIFT]! + (slot % CHUNK) * 4
  }

  #codesAt(slot: number): number {
    return this.#chunks[slot >> CHUNK_SHIFT]! + CHUNK * 4 + (slot % CHUNK) * this.dimensions
  }

  /** The signs of the block of a slot. */
  #signsAt(slot: number): number {
    const block = (slot % CHUNK) - (slot % BLOCK)
    return this.#chunks[slot >> CHUNK_SHIFT]! + CHUNK * (4 + this.dimensions) + (block * this.dimensions) / 8
  }

  #signScoresAt(slot: number): number {
    const before = CHUNK * (4 + this.dimensions + this.dimensions / 8)
    return this.#chunks[slot >> CHUNK_SHIFT]! + before + (slot % CHUNK)
  }

  /** The highest sign score of the block of a slot. */
  #highestAt(slot: number): number {
    const before = CHUNK * (4 + this.dimensions + this.dimensions / 8 + 1)
    return this.#chunks[slot >> CHUNK_SHIFT]! + before + Math.floor((slot % CHUNK) / BLOCK)
  }

  /** Returns the address of newly allocated bytes, aligned to a cache line. */
  #allocate(bytes: number): number {
    const start = this.#end
    this.#end = Math.ceil((start + bytes) / CACHE_LINE) * CACHE_LINE
    this.#reserve(this.#end)
    return start
  }

  #reserve(upTo: number): void {
    const missing = Math.ceil((upTo - this.bytes) / PAGE_BYTES)
    if (missing <= 0) return
    // An eighth more than needed keeps the number of growths small without doubling the memory of a large catalog.
    this.#memory.grow(Math.max(missing, this.bytes >> 19))
    this.#bytes = new Uint8Array(this.#memory.buffer)
    this.#integers = new Int32Array(this.#memory.buffer)
    this.#floats = new Float32Array(this.#memory.buffer)
  }
}
