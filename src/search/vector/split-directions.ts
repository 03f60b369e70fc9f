// In which of eight directions a vector leaves the centre of its cluster: what a cell that grew too large is split by.
import type { QuantisedVector } from './scan.ts'

/** Four directions, forth and back. */
const AXES = 4
export const DIRECTIONS = 2 * AXES

export type VectorDirections = {
  /** The direction in which a vector leaves the centre furthest, by the axes of a depth. */
  of(vector: QuantisedVector, centre: QuantisedVector, depth: number): number
  /** All directions, from that in which the vector lies furthest on. */
  inOrder(vector: QuantisedVector, depth: number): number[]
}

/** Which axis each dimension belongs to and with which sign; another draw at every depth, the same on every machine. */
function drawAxes(dimensions: number, depth: number): Int8Array {
  let state = 0x9e3779b9 ^ Math.imul(depth + 1, 0x85ebca6b)
  const next = () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5
    return (state ^ (state >>> 13)) >>> 0
  }
  return Int8Array.from({ length: dimensions }, () => (next() % AXES) + (next() & 1 ? AXES : 0))
}

export function createVectorDirections(dimensions: number, depths: number): VectorDirections {
  const axes = Array.from({ length: depths }, (_, depth) => drawAxes(dimensions, depth))
  const along = new Float64Array(DIRECTIONS)
  const alongCentre = new Float64Array(DIRECTIONS)

  /** How far a vector goes in each of the directions. */
  function project({ levels, factor }: QuantisedVector, depth: number, out: Float64Array): void {
    const axis = axes[depth]!
    out.fill(0)
    for (let d = 0; d < dimensions; d++) out[axis[d]!]! += levels[d]!
    for (let a = 0; a < AXES; a++) {
      const value = (out[a]! - out[a + AXES]!) * factor
      out[a] = value
      out[a + AXES] = -value
    }
  }

  return {
    of(vector, centre, depth) {
      project(centre, depth, alongCentre)
      project(vector, depth, along)
      let direction = 0
      let furthest = Number.NEGATIVE_INFINITY
      for (let a = 0; a < DIRECTIONS; a++) {
        const distance = along[a]! - alongCentre[a]!
        if (distance <= furthest) continue
        furthest = distance
        direction = a
      }
      return direction
    },
    inOrder(vector, depth) {
      project(vector, depth, along)
      return [...along.keys()].sort((a, b) => along[b]! - along[a]! || a - b)
    },
  }
}
