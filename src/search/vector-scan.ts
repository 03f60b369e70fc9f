// The memory that vectors live in, and the assembled loop that compares them with a query.
import type { Image } from '../domain/image.ts'
import { VECTOR_SCAN_WASM } from './vector-scan-wasm.ts'

/** Signed bytes a vector is kept in, and what turns their dot product into a cosine: one over their length. */
export type QuantisedVector = { readonly levels: Int8Array; readonly factor: number }

export type VectorScan = {
  readonly dimensions: number
  readonly bytes: number
  /** Reserves space for `count` vectors; the number returned addresses them together. */
  allocate(count: number): VectorRun
  write(run: VectorRun, position: number, vector: QuantisedVector): void
  /** What was written, as long as nothing is allocated. */
  view(run: VectorRun, position: number): QuantisedVector
  copy(from: VectorRun, fromPosition: number, to: VectorRun, toPosition: number): void
  /** Sets what the following scans compare with. */
  ask(query: QuantisedVector): void
  /**
   * Compares the first `count` (at most RUN_LIMIT) vectors of a run with the query and returns how many reach `floor`;
   * positionAt and scoreAt then tell which. Scores still lack the query's factor.
   */
  scan(run: VectorRun, count: number, floor: number): number
  /** The score of one vector, as `scan` gives it. */
  scoreOne(run: VectorRun, position: number): number
  positionAt(found: number): number
  scoreAt(found: number): number
  /** Begins to compare by signs alone, in which a vector takes an eighth of the memory. */
  startSketching(): void
  /** Adds the first `count` (1 to SKETCHED) vectors of a run to what is compared by signs. */
  sketch(run: VectorRun, count: number): void
  /** Of all that was added, compares whole those `wanted` (or more, where they tie) that differ least from the query. */
  rescore(wanted: number, visit: (nth: number, position: number, score: number) => void): void
  carry(image: Image): void
}

/** Where a run's factors, vectors and sketches begin. */
export type VectorRun = {
  readonly factorsAt: number
  readonly vectorsAt: number
  readonly sketchesAt: number
}

export const RUN_LIMIT = 4096

const PAGE_BYTES = 65_536
/** Dimensions that one turn of the loop compares. */
const STEP = 64
const ALIGNMENT = 16
/** The most vectors of one run that is compared by signs. */
const SKETCHED = 64
const SKETCHED_RUNS = 512
/** Where a run's sketches, vectors and factors begin, and how many they are. */
const ROW_BYTES = 16
const module = new WebAssembly.Module(Buffer.from(VECTOR_SCAN_WASM, 'base64'))

type Loops = {
  scan: ScanFunction
  sketch(vector: number, dimensions: number, sketch: number): void
  distances(
    query: number,
    table: number,
    count: number,
    bytes: number,
    distances: number,
    counts: number,
  ): void
  rescore(
    query: number,
    table: number,
    first: number,
    count: number,
    dimensions: number,
    distances: number,
    cutoff: number,
    room: number,
    places: number,
    scores: number,
    next: number,
  ): number
}
type ScanFunction = (
  query: number,
  vectors: number,
  factors: number,
  count: number,
  dimensions: number,
  floor: number,
  positions: number,
  scores: number,
) => number

/** Spreads the vector's largest number over the range of a signed byte; undefined when all are zero. */
export function toQuantised(vector: Float32Array): QuantisedVector | undefined {
  let peak = 0
  for (let d = 0; d < vector.length; d++) {
    const value = vector[d]!
    if (value > peak) peak = value
    else if (-value > peak) peak = -value
  }
  if (!(peak > 0)) return undefined
  const scale = 127 / peak
  const levels = new Int8Array(vector.length)
  for (let d = 0; d < vector.length; d++) {
    const value = vector[d]! * scale
    levels[d] = value < 0 ? value - 0.5 : value + 0.5
  }
  return fromLevels(levels)
}

/** Undefined when all levels are zero. */
export function fromLevels(levels: Int8Array): QuantisedVector | undefined {
  let squares = 0
  for (let d = 0; d < levels.length; d++) squares += levels[d]! * levels[d]!
  return squares === 0 ? undefined : { levels, factor: Math.fround(1 / Math.sqrt(squares)) }
}

export function createVectorScan(dimensions: number): VectorScan {
  if (dimensions % STEP !== 0)
    throw new Error(`Vectors need a multiple of ${STEP} dimensions, not ${dimensions}.`)
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 65_536 })
  const instance = new WebAssembly.Instance(module, { host: { memory } })
  const loops = instance.exports as unknown as Loops
  const { scan } = loops
  const sketchBytes = dimensions / 8
  const queryAt = 0
  const queryLevelsAt = queryAt + dimensions * 2
  const querySketchAt = queryLevelsAt + dimensions
  const positionsAt = querySketchAt + sketchBytes
  const scoresAt = positionsAt + RUN_LIMIT * 4
  const countsAt = scoresAt + RUN_LIMIT * 4
  const nextAt = countsAt + (dimensions + 1) * 4
  let end = Math.ceil((nextAt + 4) / ALIGNMENT) * ALIGNMENT
  /** Room for a table of so many runs and for their distances; found anew where more are compared at a time. */
  let sketchable = 0
  let tableAt = 0
  let distancesAt = 0
  let sketched = 0
  let bytes = new Int8Array(memory.buffer)
  let floats = new Float32Array(memory.buffer)
  let integers = new Int32Array(memory.buffer)
  let query = new Int16Array(memory.buffer, queryAt, dimensions)

  function reserve(upTo: number): void {
    const missing = Math.ceil((upTo - memory.buffer.byteLength) / PAGE_BYTES)
    if (missing <= 0) return
    // An eighth more than asked keeps the number of growths small without doubling the memory of a large catalog.
    memory.grow(Math.max(missing, memory.buffer.byteLength >> 19))
    bytes = new Int8Array(memory.buffer)
    floats = new Float32Array(memory.buffer)
    integers = new Int32Array(memory.buffer)
    query = new Int16Array(memory.buffer, queryAt, dimensions)
  }

  function enlargeTable(): void {
    const larger = end
    const room = Math.max(SKETCHED_RUNS, sketchable * 2)
    end += room * (ROW_BYTES + SKETCHED)
    reserve(end)
    bytes.copyWithin(larger, tableAt, tableAt + sketchable * ROW_BYTES)
    tableAt = larger
    distancesAt = larger + room * ROW_BYTES
    sketchable = room
  }

  /** The least number of differing signs that `wanted` vectors do not exceed. */
  function cutoffOf(wanted: number): number {
    let distance = 0
    for (let left = wanted; distance < dimensions; distance++) {
      left -= integers[(countsAt >> 2) + distance]!
      if (left <= 0) break
    }
    return distance
  }

  return {
    dimensions,
    get bytes() {
      return memory.buffer.byteLength
    },
    allocate(count) {
      const factorsAt = end
      const vectorsAt = Math.ceil((factorsAt + count * 4) / ALIGNMENT) * ALIGNMENT
      const sketchesAt = vectorsAt + count * dimensions
      end = sketchesAt + count * sketchBytes
      reserve(end)
      return { factorsAt, vectorsAt, sketchesAt }
    },
    write({ factorsAt, vectorsAt, sketchesAt }, position, { levels, factor }) {
      floats[(factorsAt >> 2) + position] = factor
      bytes.set(levels, vectorsAt + position * dimensions)
      loops.sketch(vectorsAt + position * dimensions, dimensions, sketchesAt + position * sketchBytes)
    },
    view({ factorsAt, vectorsAt }, position) {
      const start = vectorsAt + position * dimensions
      return {
        levels: bytes.subarray(start, start + dimensions),
        factor: floats[(factorsAt >> 2) + position]!,
      }
    },
    copy(from, fromPosition, to, toPosition) {
      floats[(to.factorsAt >> 2) + toPosition] = floats[(from.factorsAt >> 2) + fromPosition]!
      const start = from.vectorsAt + fromPosition * dimensions
      bytes.copyWithin(to.vectorsAt + toPosition * dimensions, start, start + dimensions)
      const sketch = from.sketchesAt + fromPosition * sketchBytes
      bytes.copyWithin(to.sketchesAt + toPosition * sketchBytes, sketch, sketch + sketchBytes)
    },
    ask({ levels }) {
      query.set(levels)
      bytes.set(levels, queryLevelsAt)
    },
    scan: ({ factorsAt, vectorsAt }, count, floor) =>
      scan(queryAt, vectorsAt, factorsAt, count, dimensions, floor, positionsAt, scoresAt),
    scoreOne({ factorsAt, vectorsAt }, position) {
      const start = vectorsAt + position * dimensions
      scan(
        queryAt,
        start,
        factorsAt + position * 4,
        1,
        dimensions,
        Number.NEGATIVE_INFINITY,
        positionsAt,
        scoresAt,
      )
      return floats[scoresAt >> 2]!
    },
    positionAt: found => integers[(positionsAt >> 2) + found]!,
    scoreAt: found => floats[(scoresAt >> 2) + found]!,
    carry(image) {
      sketchable = image.number(sketchable)
      tableAt = image.number(tableAt)
      distancesAt = image.number(distancesAt)
      const kept = image.array(bytes.subarray(0, end), end, length => {
        reserve(length)
        return bytes.subarray(0, length)
      })
      end = kept.length
    },
    startSketching() {
      sketched = 0
    },
    sketch({ sketchesAt, vectorsAt, factorsAt }, count) {
      if (sketched === sketchable) enlargeTable()
      const row = (tableAt + sketched++ * ROW_BYTES) >> 2
      integers[row] = sketchesAt
      integers[row + 1] = vectorsAt
      integers[row + 2] = factorsAt
      integers[row + 3] = count
    },
    rescore(wanted, visit) {
      if (sketched === 0) return
      integers.fill(0, countsAt >> 2, (countsAt >> 2) + dimensions + 1)
      loops.sketch(queryLevelsAt, dimensions, querySketchAt)
      loops.distances(querySketchAt, tableAt, sketched, sketchBytes, distancesAt, countsAt)
      const cutoff = cutoffOf(wanted)
      for (let first = 0; first < sketched; first = integers[nextAt >> 2]!) {
        const found = loops.rescore(
          queryAt,
          tableAt,
          first,
          sketched,
          dimensions,
          distancesAt,
          cutoff,
          RUN_LIMIT,
          positionsAt,
          scoresAt,
          nextAt,
        )
        for (let i = 0; i < found; i++) {
          const place = integers[(positionsAt >> 2) + i]!
          visit(Math.floor(place / SKETCHED), place % SKETCHED, floats[(scoresAt >> 2) + i]!)
        }
      }
    },
  }
}
