// The centroids of the IVF index, and how they are grouped. They come with the model and never move, so all indexes of a model
// share one of these.
import { fromCodes, type Int8Vector } from './int8.ts'

/** Centroids are grouped, and only those of the nearest few groups are compared (a second, coarser quantiser). */
const GROUPS = 32
const MAX_CENTROIDS = 65_536

export class Centroids {
  readonly vectors: readonly Int8Vector[]
  /** The numbers of the centroids of each group. */
  readonly groups: readonly (readonly number[])[]
  /** The mean direction of each group. */
  readonly pivots: readonly Int8Vector[]

  /** @param codes the centroids one after the other */
  constructor(codes: Int8Array, dimensions: number) {
    const size = codes.length / dimensions
    if (!Number.isInteger(size) || size < 1 || size > MAX_CENTROIDS)
      throw new Error(`Give from 1 to ${MAX_CENTROIDS} centroids of ${dimensions} dimensions.`)
    this.vectors = Array.from({ length: size }, (_, i) =>
      toVector(codes.slice(i * dimensions, (i + 1) * dimensions)),
    )
    this.groups = toGroups(this.vectors)
    this.pivots = this.groups.map(members => toMean(members.map(i => this.vectors[i]!)))
  }

  get size(): number {
    return this.vectors.length
  }
}

const toVector = (codes: Int8Array): Int8Vector => fromCodes(codes) ?? { codes, inverseNorm: 0 }

/** Picks centroids far from each other, one after the other (Gonzalez), and gives every centroid to the nearest of them. */
function toGroups(centroids: readonly Int8Vector[]): number[][] {
  const nearest = centroids.map(() => Number.NEGATIVE_INFINITY)
  const groupOf = centroids.map(() => 0)
  const count = Math.min(GROUPS, centroids.length)
  let pivot = 0
  for (let group = 0; group < count; group++) {
    centroids.forEach((centroid, i) => {
      const similarity = cosine(centroid, centroids[pivot]!)
      if (similarity <= nearest[i]!) return
      nearest[i] = similarity
      groupOf[i] = group
    })
    pivot = nearest.indexOf(Math.min(...nearest))
  }
  return Array.from({ length: count }, (_, group) =>
    [...groupOf.keys()].filter(i => groupOf[i] === group),
  ).filter(members => members.length > 0)
}

function cosine({ codes, inverseNorm }: Int8Vector, other: Int8Vector): number {
  const others = other.codes
  let dot = 0
  for (let d = 0; d < codes.length; d++) dot += codes[d]! * others[d]!
  return dot * inverseNorm * other.inverseNorm
}

function toMean(vectors: readonly Int8Vector[]): Int8Vector {
  const sum = new Float32Array(vectors[0]!.codes.length)
  for (const { codes, inverseNorm } of vectors)
    for (let d = 0; d < sum.length; d++) sum[d]! += codes[d]! * inverseNorm
  const peak = Math.max(...sum.map(Math.abs)) || 1
  return toVector(Int8Array.from(sum, x => Math.round((x / peak) * 127)))
}
