// The vectors of all entries, and the search for those nearest to a query: exact while the catalog is small, among the
// nearest clusters when it is large. The answer depends on the vectors alone, never on the order they came in.
import { type CompareSlots, createVectorBest, type Nearest } from './vector-best.ts'
import { createVectorClusters } from './vector-clusters.ts'
import {
  createVectorScan,
  fromLevels,
  type QuantisedVector,
  toQuantised,
  type VectorRun,
} from './vector-scan.ts'

export type { Nearest } from './vector-best.ts'

/** A vector made ready for comparing; undefined stands for one of zeros, which is near nothing. */
export type VectorQuery = QuantisedVector | undefined

export type Vectors = {
  readonly size: number
  /** Memory held, in bytes. */
  readonly bytes: number
  /** Keeps the vector of a slot, or what `get` gave earlier. One of zeros is not kept. */
  set(slot: number, vector: Float32Array | Int8Array): void
  delete(slot: number): void
  /** What is kept of a slot's vector, to be stored and given to `set` again. */
  get(slot: number): Int8Array | undefined
  toQuery(vector: Float32Array): VectorQuery
  /** The cosine of a query and a slot's vector; 0 when there is none. */
  score(query: VectorQuery, slot: number): number
  /**
   * The k slots with the highest cosines among those that `accept` lets through, best first, ties by compareSlots.
   * In a large catalog a few of them may be missed (bench/vectors.ts shows how many). A filter that lets little
   * through makes the search go on to further clusters; where it leaves a short list, `score` that list instead.
   */
  nearest(query: VectorQuery, k: number, accept?: (slot: number) => boolean): Nearest[]
}

export type VectorsOptions = {
  readonly dimensions: number
  /** Fixed directions to sort vectors by, as signed bytes, one after the other: the embedder's. */
  readonly centroids: Int8Array
  readonly compareSlots: CompareSlots
  /** Up to this many vectors every one is compared. */
  readonly exactUpTo?: number
}

const EXACT_UP_TO = 8_192
/** Compared in a larger catalog: this share, and not fewer than a small catalog has. */
const SCANNED_SHARE = 1 / 16
const BLOCK = 64
const ABSENT = -1

function grown(array: Int32Array, length: number): Int32Array {
  if (length <= array.length) return array
  const larger = new Int32Array(Math.max(length, array.length + (array.length >> 1), 1024)).fill(ABSENT)
  larger.set(array)
  return larger
}

export function createVectors(options: VectorsOptions): Vectors {
  const { dimensions, compareSlots, exactUpTo = EXACT_UP_TO } = options
  const scan = createVectorScan(dimensions)
  const clusters = createVectorClusters(scan, options.centroids)
  /** A place is a block's number times BLOCK plus the position inside; a cluster fills its blocks one by one. */
  const blocks: VectorRun[] = []
  const freeBlocks: number[] = []
  const blocksOf: number[][] = Array.from({ length: clusters.count }, () => [])
  const countOf = new Int32Array(clusters.count)
  let clusterOf: Int32Array = new Int32Array(0)
  let placeOf: Int32Array = new Int32Array(0)
  let slotAt: Int32Array = new Int32Array(0)
  let size = 0
  let asked: VectorQuery

  function placeAt(cluster: number, index: number): number {
    return blocksOf[cluster]![Math.floor(index / BLOCK)]! * BLOCK + (index % BLOCK)
  }

  function takeBlock(): number {
    const free = freeBlocks.pop()
    if (free !== undefined) return free
    slotAt = grown(slotAt, (blocks.length + 1) * BLOCK)
    return blocks.push(scan.allocate(BLOCK)) - 1
  }

  function insert(slot: number, vector: QuantisedVector): void {
    asked = undefined
    const cluster = clusters.place(vector)
    const index = countOf[cluster]!++
    if (index % BLOCK === 0) blocksOf[cluster]!.push(takeBlock())
    const place = placeAt(cluster, index)
    scan.write(blocks[Math.floor(place / BLOCK)]!, place % BLOCK, vector)
    placeOf = grown(placeOf, slot + 1)
    clusterOf = grown(clusterOf, slot + 1)
    placeOf[slot] = place
    clusterOf[slot] = cluster
    slotAt[place] = slot
    size++
  }

  /** Fills the gap with the cluster's last vector, so that blocks stay dense. */
  function remove(slot: number): void {
    const place = placeOf[slot] ?? ABSENT
    if (place === ABSENT) return
    const cluster = clusterOf[slot]!
    const index = --countOf[cluster]!
    const last = placeAt(cluster, index)
    if (last !== place) {
      scan.copy(
        blocks[Math.floor(last / BLOCK)]!,
        last % BLOCK,
        blocks[Math.floor(place / BLOCK)]!,
        place % BLOCK,
      )
      const moved = slotAt[last]!
      slotAt[place] = moved
      placeOf[moved] = place
    }
    slotAt[last] = ABSENT
    placeOf[slot] = ABSENT
    if (index % BLOCK === 0) freeBlocks.push(blocksOf[cluster]!.pop()!)
    size--
  }

  function ask(query: QuantisedVector): void {
    if (asked === query) return
    scan.ask(query)
    asked = query
  }

  return {
    get size() {
      return size
    },
    get bytes() {
      return scan.bytes + placeOf.byteLength + clusterOf.byteLength + slotAt.byteLength + countOf.byteLength
    },
    set(slot, vector) {
      if (vector.length !== dimensions)
        throw new Error(`A vector of ${dimensions} numbers is needed, not ${vector.length}.`)
      remove(slot)
      const quantised = vector instanceof Int8Array ? fromLevels(vector) : toQuantised(vector)
      if (quantised !== undefined) insert(slot, quantised)
    },
    delete: remove,
    get(slot) {
      const place = placeOf[slot] ?? ABSENT
      return place === ABSENT
        ? undefined
        : scan.read(blocks[Math.floor(place / BLOCK)]!, place % BLOCK).levels
    },
    toQuery: toQuantised,
    score(query, slot) {
      const place = placeOf[slot] ?? ABSENT
      if (place === ABSENT || query === undefined) return 0
      ask(query)
      return scan.scoreOne(blocks[Math.floor(place / BLOCK)]!, place % BLOCK) * query.factor
    },
    nearest(query, k, accept) {
      if (query === undefined || k < 1) return []
      ask(query)
      const best = createVectorBest(k, compareSlots)
      const enough = size <= exactUpTo ? size : Math.max(exactUpTo, Math.ceil(size * SCANNED_SHARE))
      let scanned = 0
      clusters.rank()
      for (let cluster = clusters.next(); cluster >= 0; cluster = clusters.next()) {
        const count = countOf[cluster]!
        for (let first = 0; first < count; first += BLOCK) {
          const block = blocksOf[cluster]![first / BLOCK]!
          const found = scan.scan(blocks[block]!, Math.min(BLOCK, count - first), best.floor)
          for (let i = 0; i < found; i++) {
            const slot = slotAt[block * BLOCK + scan.positionAt(i)]!
            const score = scan.scoreAt(i)
            if (best.admits(slot, score) && (accept === undefined || accept(slot))) best.add(slot, score)
          }
        }
        scanned += count
        if (scanned >= enough && best.isFull) break
      }
      return best.drain(query.factor)
    },
  }
}
