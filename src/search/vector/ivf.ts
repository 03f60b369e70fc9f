// The vectors of all entries, and the search for those nearest to a query: exact while the catalog is small, in the lists of the
// nearest centroids when it is large (IVF). Results depend on the vectors alone, never on the order they came in.
import type { Snapshot } from '../../memory/snapshot.ts'
import type { SlotOrder } from '../../memory/sorted-slots.ts'
import { TopK } from '../topk/top-k.ts'
import type { Centroids } from './centroids.ts'
import { CoarseQuantiser } from './coarse-quantiser.ts'
import { fromCodes, type Int8Vector, quantise } from './int8.ts'
import { IvfLists } from './ivf-lists.ts'
import { type AcceptSlot, ListScan, type OrderedVectors, type ScoredVectors } from './scan.ts'
import { VectorMemory } from './vector-memory.ts'

/** A vector made ready for comparing; undefined stands for one of zeros, which is near nothing. */
export type VectorQuery = Int8Vector | undefined

/** What is kept of a vector: its int8 codes, and the list that it belongs to. */
export type EncodedVector = { readonly codes: Int8Array; readonly list: number }

export type Neighbour = { readonly slot: number; readonly cosine: number }

export type SearchOptions = {
  readonly accept?: AcceptSlot | undefined
  /** Multiplies how many vectors are compared in a large catalog; as nprobe of FAISS, but in vectors instead of lists. */
  readonly probeFactor?: number
}

export type IvfOptions = {
  readonly dimensions: number
  /** One list each: those of the embedding. */
  readonly centroids: Centroids
  /** Up to this many vectors every one is compared. */
  readonly exactUpTo?: number
}

const EXACT_UP_TO = 8_192
/** Compared in a larger catalog: this share, and not fewer than MIN_SCANNED. */
const SCANNED_SHARE = 1 / 128
const MIN_SCANNED = 3_072
/** Of those, this share is compared by more than the signs, and not fewer than MIN_RESCORED for each one wanted. */
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
   * What the last query was compared with, at which version of the lists: a ranking asks several times, for more of the nearest and
   * for those that pass a filter.
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

  /** Memory held, in bytes. */
  get bytes(): number {
    return this.#memory.size + this.#lists.bytes
  }

  /** Makes a vector ready to be kept, here or elsewhere. */
  encode(vector: Float32Array): EncodedVector {
    const { dimensions } = this.#memory
    if (vector.length !== dimensions)
      throw new Error(`A vector of ${dimensions} numbers is needed, not ${vector.length}.`)
    const quantised = quantise(vector)
    if (quantised === undefined) return { codes: new Int8Array(dimensions), list: 0 }
    return { codes: quantised.codes, list: this.#coarse.assign(quantised) }
  }

  /** Keeps the vector of a slot instead of the one before. One of zeros is not kept. */
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

  /** Returns the cosine of a query and each slot's vector; 0 where there is none. */
  cosines(query: VectorQuery, slots: readonly number[]): Float64Array {
    return query === undefined ? new Float64Array(slots.length) : this.#scan.cosines(query, slots)
  }

  /**
   * Returns the k slots with the highest cosines among those that are accepted, best first. In a large catalog a few of
   * them may be missed (`npm run bench -- vectors` tells how many). A filter that accepts little makes the search go on to
   * further lists; where it leaves few slots, ask for the `cosines` of those instead.
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
    for (const list of this.#coarse.nearest(query)) {
      this.#scan.collectAll(this.#scan.scoreAll(query, [list]), top, accept)
      scanned += this.#lists.countOf(list)
      if (scanned >= enough && top.size === k) break
    }
    return toNeighbours(top)
  }

  serialize(snapshot: Snapshot): void {
    this.#memory.serialize(snapshot)
    this.#coarse.forget()
    this.#scan.serialize(snapshot)
    this.#lists.serialize(snapshot)
  }

  /** Orders the vectors of the nearest lists that hold so many. */
  #ordered(query: Int8Vector, enough: number): OrderedVectors {
    const last = this.#probed
    if (last?.enough === enough && this.#isCurrent(last.vectors, query)) return last.vectors
    const vectors = this.#scan.orderBySigns(query, this.#probe(query, enough))
    this.#probed = { vectors, enough }
    return vectors
  }

  #isCurrent(vectors: ScoredVectors | OrderedVectors | undefined, query: Int8Vector): boolean {
    return vectors?.query === query && vectors.version === this.#lists.version
  }

  /** Returns the nearest lists that hold so many vectors together. Lists are taken whole: the order within one is of no consequence. */
  #probe(query: Int8Vector, enough: number): number[] {
    const lists: number[] = []
    let scanned = 0
    for (const list of this.#coarse.nearest(query)) {
      lists.push(list)
      scanned += this.#lists.countOf(list)
      if (scanned >= enough) break
    }
    return lists
  }
}

const toNeighbours = (top: TopK): Neighbour[] => top.sorted().map(({ slot, key }) => ({ slot, cosine: key }))
