// The vector index: stores a vector per entry, and finds those nearest to a query. The search is exact in a small catalog,
// and limited to the lists of the nearest centroids in a large one (IVF). Results depend on the vectors alone, not on their
// order of insertion.
import type { SlotOrder } from '../../memory/sorted-slots.ts'
import { TopK } from '../topk/top-k.ts'
import type { Centroids } from './centroids.ts'
import { CoarseQuantiser } from './coarse-quantiser.ts'
import { fromCodes, type Int8Vector, quantise } from './int8.ts'
import { IvfLists } from './ivf-lists.ts'
import { type AcceptSlot, ListScan, type OrderedVectors, type ScoredVectors } from './scan.ts'
import { VectorMemory } from './vector-memory.ts'

/** A quantised query vector; undefined for a vector of zeros, which has no neighbours. */
export type VectorQuery = Int8Vector | undefined

/** The stored form of a vector: its int8 codes, and the list that it belongs to. */
export type EncodedVector = { readonly codes: Int8Array; readonly list: number }

export type Neighbour = { readonly slot: number; readonly cosine: number }

export type SearchOptions = {
  readonly accept?: AcceptSlot | undefined
  /** Scales how many vectors are compared in a large catalog: like nprobe of FAISS, but in vectors instead of lists. */
  readonly probeFactor?: number
}

export type IvfOptions = {
  readonly dimensions: number
  /** There is one list per centroid. */
  readonly centroids: Centroids
  /** Up to this size every vector is compared. */
  readonly exactUpTo?: number
}

const EXACT_UP_TO = 8_192
/** In a larger catalog this share is compared by sign, at least MIN_SCANNED. */
const SCANNED_SHARE = 1 / 128
const MIN_SCANNED = 3_072
/** This share of those is rescored by the codes, at least MIN_RESCORED for each result. */
const RESCORED_SHARE = 1 / 32
const MIN_RESCORED = 4

export class IvfIndex {
  readonly #memory: VectorMemory
  readonly #coarse: CoarseQuantiser
  readonly #lists: IvfLists
  readonly #scan: ListScan
  readonly #exactUpTo: number
  readonly #everyList: readonly number[]
  /**
   * The comparisons of the last query. A ranking calls `nearest` several times with the same query, for more results and
   * with different filters.
   */
  #scored: ScoredVectors | undefined
  #probed: { readonly vectors: OrderedVectors; readonly enough: number } | undefined

  constructor({ dimensions, centroids, exactUpTo = EXACT_UP_TO }: IvfOptions) {
    this.#memory = new VectorMemory(dimensions)
    this.#coarse = new CoarseQuantiser(this.#memory, centroids)
    this.#lists = new IvfLists(this.#memory, centroids.size)
    this.#scan = new ListScan(this.#memory, this.#lists)
    this.#exactUpTo = exactUpTo
    this.#everyList = Array.from({ length: centroids.size }, (_, list) => list)
  }

  get size(): number {
    return this.#lists.size
  }

  /** Memory used, in bytes. */
  get bytes(): number {
    return this.#memory.size + this.#lists.bytes
  }

  /** Returns the stored form of a vector. */
  encode(vector: Float32Array): EncodedVector {
    const { dimensions } = this.#memory
    if (vector.length !== dimensions)
      throw new Error(`A vector of ${dimensions} numbers is needed, not ${vector.length}.`)
    const quantised = quantise(vector)
    if (quantised === undefined) return { codes: new Int8Array(dimensions), list: 0 }
    return { codes: quantised.codes, list: this.#coarse.assign(quantised) }
  }

  /** Stores the vector of a slot, replacing the previous one. A vector of zeros is not stored. */
  set(slot: number, { codes, list }: EncodedVector): void {
    this.#lists.remove(slot)
    const vector = fromCodes(codes)
    if (vector !== undefined) this.#lists.insert(slot, list, vector)
  }

  delete(slot: number): void {
    this.#lists.remove(slot)
  }

  toQuery(vector: Float32Array): VectorQuery {
    return quantise(vector)
  }

  /** Returns the cosine of the query and each slot's vector; 0 for a slot without one. */
  cosines(query: VectorQuery, slots: readonly number[]): Float64Array {
    return query === undefined ? new Float64Array(slots.length) : this.#scan.cosines(query, slots)
  }

  /**
   * Returns the k accepted slots with the highest cosines, best first. In a large catalog a few of them may be missed (`npm
   * run bench -- vectors` shows how many). A selective filter makes the search continue in further lists; for a very
   * selective one, call `cosines` with the slots that pass instead.
   */
  nearest(
    query: VectorQuery,
    k: number,
    order: SlotOrder,
    { accept, probeFactor = 1 }: SearchOptions = {},
  ): Neighbour[] {
    if (query === undefined || k < 1) return []
    const { size } = this
    const top = new TopK(k, order, Number.NEGATIVE_INFINITY)
    if (size <= this.#exactUpTo) {
      if (!this.#isCurrent(this.#scored, query)) this.#scored = this.#scan.scoreAll(query, this.#everyList)
      this.#scan.collectAll(this.#scored!, top, accept)
      return toNeighbours(top)
    }
    const share = Math.max(Math.min(this.#exactUpTo, MIN_SCANNED), size * SCANNED_SHARE)
    const enough = Math.ceil(share * probeFactor)
    const wanted = Math.max(MIN_RESCORED * k, enough * RESCORED_SHARE)
    this.#scan.collectNearest(this.#ordered(query, enough), wanted, top, accept)
    if (accept === undefined || top.size === k) return toNeighbours(top)
    top.clear()
    let scanned = 0
    this.#coarse.visitNearest(query, list => {
      this.#scan.collectAll(this.#scan.scoreAll(query, [list]), top, accept)
      scanned += this.#lists.countOf(list)
      return scanned < enough || top.size < k
    })
    return toNeighbours(top)
  }

  /** Orders the vectors of the nearest lists, `enough` in total. */
  #ordered(query: Int8Vector, enough: number): OrderedVectors {
    const last = this.#probed
    if (last?.enough === enough && this.#isCurrent(last.vectors, query)) return last.vectors
    const vectors = this.#scan.scoreSigns(query, this.#probe(query, enough))
    this.#probed = { vectors, enough }
    return vectors
  }

  #isCurrent(vectors: ScoredVectors | OrderedVectors | undefined, query: Int8Vector): boolean {
    return vectors?.query === query && vectors.version === this.#lists.version
  }

  /**
   * Returns the nearest lists that have `enough` vectors in total. Lists are taken whole, so the order within one does not
   * matter.
   */
  #probe(query: Int8Vector, enough: number): number[] {
    const lists: number[] = []
    let scanned = 0
    this.#coarse.visitNearest(query, list => {
      lists.push(list)
      scanned += this.#lists.countOf(list)
      return scanned < enough
    })
    return lists
  }
}

const toNeighbours = (top: TopK): Neighbour[] => top.sorted().map(({ slot, key }) => ({ slot, cosine: key }))
