// The vectors of all entries, and the search for those nearest to a query: exact while the catalog is small, among the
// nearest clusters when it is large. The answer depends on the vectors alone, never on the order they came in.
import type { Image } from '../../memory/snapshot.ts'
import { createVectorClusters } from './centroids.ts'
import { createVectorCells, type VisitRun } from './ivf-lists.ts'
import { type CompareSlots, createVectorBest, type Nearest, type VectorBest } from './nearest.ts'
import { createVectorScan, fromLevels, type QuantisedVector, toQuantised } from './scan.ts'

export type { Nearest } from './nearest.ts'

/** A vector made ready for comparing; undefined stands for one of zeros, which is near nothing. */
export type VectorQuery = QuantisedVector | undefined

/** What is kept of a vector: its direction as signed bytes, and the cluster that it belongs to. */
export type PlacedVector = { readonly levels: Int8Array; readonly cluster: number }

export type Vectors = {
  readonly size: number
  /** Memory held, in bytes. */
  readonly bytes: number
  /** Makes a vector ready to be kept, here or elsewhere. */
  toPlaced(vector: Float32Array): PlacedVector
  /** Keeps the vector of a slot. One of zeros is not kept. */
  set(slot: number, vector: PlacedVector | Float32Array): void
  delete(slot: number): void
  toQuery(vector: Float32Array): VectorQuery
  /** The cosine of a query and each slot's vector; 0 when there is none. */
  scores(query: VectorQuery, slots: readonly number[]): Float64Array
  /**
   * The k slots with the highest cosines among those that `accept` lets through, best first, ties by compareSlots.
   * In a large catalog a few of them may be missed (bench/vectors.ts shows how many). A filter that lets little
   * through makes the search go on to further clusters; where it leaves a short list, ask for the `scores` of that list instead.
   * `effort` multiplies how many are compared in a large catalog.
   */
  nearest(query: VectorQuery, k: number, accept?: (slot: number) => boolean, effort?: number): Nearest[]
  carry(image: Image): Generator<void>
}

export type VectorsOptions = {
  readonly dimensions: number
  /** Fixed directions to sort vectors by, as signed bytes, one after the other: the embedder's. */
  readonly centroids: Int8Array
  readonly compareSlots: CompareSlots
  /** Up to this many vectors every one is compared. */
  readonly exactUpTo?: number
  /** A cell with more vectors than this is split. */
  readonly cellLimit?: number
}

const EXACT_UP_TO = 8_192
/** Compared in a larger catalog: this share, and not fewer than LEAST_SCANNED. */
const SCANNED_SHARE = 1 / 128
const LEAST_SCANNED = 3_072
/** Of those, this share is compared by more than the signs, and not fewer than LEAST_RESCORED for each one wanted. */
const RESCORED_SHARE = 1 / 32
const LEAST_RESCORED = 4
/** How many are scored at a time. */
const SCORED = 512
const ABSENT = -1

export function createVectors(options: VectorsOptions): Vectors {
  const { dimensions, compareSlots, exactUpTo = EXACT_UP_TO } = options
  const scan = createVectorScan(dimensions)
  const clusters = createVectorClusters(scan, options.centroids)
  const cells = createVectorCells(scan, clusters.directions, options.cellLimit)
  let asked: VectorQuery

  function ask(query: QuantisedVector): void {
    if (asked === query) return
    scan.ask(query)
    asked = query
  }

  /** Visits cells from the nearest on until the visitor has seen enough. */
  function visit(query: QuantisedVector, visitor: VisitRun): void {
    for (const part of [cells.visit, cells.visitRest]) {
      clusters.rank()
      for (let cluster = clusters.next(); cluster >= 0; cluster = clusters.next())
        if (!part(cluster, query, visitor)) return
    }
  }

  function compareWhole(
    query: QuantisedVector,
    best: VectorBest,
    enough: number,
    accept: ((slot: number) => boolean) | undefined,
  ): void {
    let compared = 0
    visit(query, (run, count, isEnd) => {
      const found = scan.scan(cells.runOf(run), count, best.floor)
      for (let i = 0; i < found; i++) {
        const slot = cells.slotAt(run, scan.positionAt(i))
        const score = scan.scoreAt(i)
        if (best.admits(slot, score) && (accept === undefined || accept(slot))) best.add(slot, score)
      }
      compared += count
      return !(isEnd && compared >= enough && best.isFull)
    })
  }

  /** Compares by the signs of the numbers first, and whole only what has most of them in common with the query. */
  function compareBySigns(
    query: QuantisedVector,
    k: number,
    enough: number,
    rescored: number,
    accept: ((slot: number) => boolean) | undefined,
  ): Nearest[] {
    const { table } = scan
    const runs: number[] = []
    let compared = 0
    table.clear()
    visit(query, (run, count, isEnd) => {
      cells.addRunTo(table, run, count)
      runs.push(run)
      compared += count
      return !(isEnd && compared >= enough)
    })
    // A filter is asked before vectors are compared whole, which costs more.
    const slotAt = (row: number, position: number) => cells.slotAt(runs[row]!, position)
    const passing = accept && { slotAt, accept }
    const found = table.compareNearest(rescored, passing)
    const best: Nearest[] = []
    for (let at = table.takeNearest(found); at >= 0; at = table.takeNearest(found)) {
      // What ties with the last of k is taken too: the order of ties decides between them.
      if (best.length >= k && table.taken * query.factor < best.at(-1)!.score) break
      const slot = slotAt(table.rowAt(at), table.positionAt(at))
      best.push({ slot, score: table.taken * query.factor })
    }
    return sortTies(best).slice(0, k)
  }

  function sortTies(nearest: Nearest[]): Nearest[] {
    const isTied = nearest.some(({ score }, i) => i > 0 && score === nearest[i - 1]!.score)
    return isTied ? nearest.sort((a, b) => b.score - a.score || compareSlots(a.slot, b.slot)) : nearest
  }

  const rowOf = new Int16Array(SCORED)
  /** Fills in the scores of at most SCORED slots. */
  function scoreSome(query: QuantisedVector, slots: readonly number[], first: number, scores: Float64Array) {
    const { table } = scan
    const end = Math.min(slots.length, first + SCORED)
    table.clear()
    rowOf.fill(ABSENT)
    let rows = 0
    for (let i = first; i < end; i++) if (cells.addTo(table, slots[i]!)) rowOf[i - first] = rows++
    table.compareFirsts()
    for (let i = first; i < end; i++)
      if (rowOf[i - first] !== ABSENT) scores[i] = table.scoreAt(rowOf[i - first]!) * query.factor
  }

  function toPlaced(vector: Float32Array): PlacedVector {
    if (vector.length !== dimensions)
      throw new Error(`A vector of ${dimensions} numbers is needed, not ${vector.length}.`)
    const quantised = toQuantised(vector)
    if (quantised === undefined) return { levels: new Int8Array(dimensions), cluster: 0 }
    asked = undefined
    return { levels: quantised.levels, cluster: clusters.place(quantised) }
  }

  return {
    get size() {
      return cells.size
    },
    get bytes() {
      return cells.bytes
    },
    toPlaced,
    set(slot, vector) {
      const { levels, cluster } = vector instanceof Float32Array ? toPlaced(vector) : vector
      cells.remove(slot)
      const quantised = fromLevels(levels)
      if (quantised === undefined) return
      asked = undefined
      cells.insert(slot, cluster, quantised)
    },
    delete: cells.remove,
    carry(image) {
      asked = undefined
      return cells.carry(image)
    },
    toQuery: toQuantised,
    scores(query, slots) {
      const scores = new Float64Array(slots.length)
      if (query === undefined) return scores
      ask(query)
      for (let first = 0; first < slots.length; first += SCORED) scoreSome(query, slots, first, scores)
      return scores
    },
    nearest(query, k, accept, effort = 1) {
      if (query === undefined || k < 1) return []
      ask(query)
      const { size } = cells
      const share = Math.max(Math.min(exactUpTo, LEAST_SCANNED), size * SCANNED_SHARE)
      const enough = size <= exactUpTo ? size : Math.ceil(share * effort)
      const rescored = Math.max(LEAST_RESCORED * k, enough * RESCORED_SHARE)
      if (size > exactUpTo) {
        const nearest = compareBySigns(query, k, enough, rescored, accept)
        if (accept === undefined || nearest.length === k) return nearest
      }
      const best = createVectorBest(k, compareSlots)
      compareWhole(query, best, enough, accept)
      return best.drain(query.factor)
    },
  }
}
