// Compares vectors with a query, those of one run at a time.
import type { Image } from '../../memory/snapshot.ts'
import { VectorTable } from './table.ts'
import { LANES, VectorMemory, type VectorRun } from './vector-memory.ts'

/** Signed bytes a vector is kept in, and what turns their dot product into a cosine: one over their length. */
export type QuantisedVector = { readonly levels: Int8Array; readonly factor: number }

export type VectorScan = {
  readonly dimensions: number
  readonly bytes: number
  /** Reserves space for `runs` runs of `count` vectors each; what is alike of them lies together. */
  allocate(count: number, runs: number): VectorRun[]
  write(run: VectorRun, position: number, vector: QuantisedVector): void
  /** What was written, as long as nothing is allocated. */
  view(run: VectorRun, position: number): QuantisedVector
  copy(from: VectorRun, fromPosition: number, to: VectorRun, toPosition: number): void
  /** Sets what the following scans, and those of the table, compare with. */
  ask(query: QuantisedVector): void
  /**
   * Compares the first `count` (at most RUN_LIMIT) vectors of a run with the query and returns how many reach `floor`;
   * positionAt and scoreAt then tell which. Scores still lack the query's factor.
   */
  scan(run: VectorRun, count: number, floor: number): number
  positionAt(found: number): number
  scoreAt(found: number): number
  /** Scores the first `count` vectors of a run to be ranked, behind `before` that are scored already. */
  rank(run: VectorRun, count: number, before: number): void
  /** Which of so many that are ranked has the highest score, the first of equals; it is given once. -1 where none is left. */
  takeHighest(ranked: number): number
  /** Vectors of many runs, compared together. */
  readonly table: VectorTable
  carry(image: Image): void
}

export const RUN_LIMIT = 4096

/** Sketches of so many vectors are woven into each other: the first byte of each, then the second. */
const SKETCHED = 64
/** Dimensions that one turn of the loop compares. */
const STEP = 64
const LOWEST = Number.NEGATIVE_INFINITY

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
  const memory = new VectorMemory()
  const { loops } = memory
  const sketchBytes = dimensions / 8
  /** Where the sketch of a vector begins; its further bytes lie SKETCHED apart. */
  const toSketch = (sketchesAt: number, position: number): number => {
    const inside = position % SKETCHED
    return sketchesAt + (position - inside) * sketchBytes + inside
  }
  const queryAt = memory.allocate(dimensions * 2)
  const levelsAt = memory.allocate(dimensions)
  const positionsAt = memory.allocate(RUN_LIMIT * 4)
  const scoresAt = memory.allocate(RUN_LIMIT * 4)
  const takenAt = memory.allocate(4)
  const rankedAt = memory.allocate((RUN_LIMIT + LANES) * 4)
  const table = new VectorTable(memory, dimensions, { queryAt, levelsAt })

  return {
    dimensions,
    table,
    get bytes() {
      return memory.size
    },
    allocate(count, runs) {
      const factorsAt = memory.allocate(runs * count * 4)
      const vectorsAt = memory.allocate(runs * count * dimensions)
      const sketched = Math.ceil(count / SKETCHED) * SKETCHED * sketchBytes
      const sketchesAt = memory.allocate(runs * sketched)
      return Array.from({ length: runs }, (_, run) => ({
        factorsAt: factorsAt + run * count * 4,
        vectorsAt: vectorsAt + run * count * dimensions,
        sketchesAt: sketchesAt + run * sketched,
      }))
    },
    write({ factorsAt, vectorsAt, sketchesAt }, position, { levels, factor }) {
      memory.floats[(factorsAt >> 2) + position] = factor
      memory.bytes.set(levels, vectorsAt + position * dimensions)
      loops.sketch(vectorsAt + position * dimensions, dimensions, toSketch(sketchesAt, position))
    },
    view({ factorsAt, vectorsAt }, position) {
      const start = vectorsAt + position * dimensions
      return {
        levels: memory.bytes.subarray(start, start + dimensions),
        factor: memory.floats[(factorsAt >> 2) + position]!,
      }
    },
    copy(from, fromPosition, to, toPosition) {
      const { bytes, floats } = memory
      floats[(to.factorsAt >> 2) + toPosition] = floats[(from.factorsAt >> 2) + fromPosition]!
      const start = from.vectorsAt + fromPosition * dimensions
      bytes.copyWithin(to.vectorsAt + toPosition * dimensions, start, start + dimensions)
      loops.sketch(start, dimensions, toSketch(to.sketchesAt, toPosition))
    },
    ask({ levels }) {
      memory.bytes.set(levels, levelsAt)
      loops.widen(levelsAt, dimensions, queryAt)
    },
    scan: ({ factorsAt, vectorsAt }, count, floor) =>
      loops.scan(queryAt, vectorsAt, factorsAt, count, dimensions, floor, positionsAt, scoresAt),
    positionAt: found => memory.integers[(positionsAt >> 2) + found]!,
    scoreAt: found => memory.floats[(scoresAt >> 2) + found]!,
    rank({ factorsAt, vectorsAt }, count, before) {
      const to = rankedAt + before * 4
      loops.scan(queryAt, vectorsAt, factorsAt, count, dimensions, LOWEST, positionsAt, to)
      for (let i = 0; i < LANES; i++) memory.floats[(to >> 2) + count + i] = LOWEST
    },
    takeHighest: ranked => loops.takeHighest(rankedAt, ranked, takenAt),
    carry(image) {
      table.carry(image)
      memory.carry(image)
    },
  }
}
