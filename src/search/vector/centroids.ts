// The centroids of the IVF index, and how they are grouped. They come with the model and never move, so all indexes of a model
// share one of these.
import { fromCodes, type Int8Vector } from './int8.ts'

const MAX_CENTROIDS = 65_536

/** Centroids are grouped, and only those of the nearest few groups are compared (a second, coarser quantiser). */
export const MAX_GROUPS = 32

/** By group: the numbers of its centroids, their vectors in the same order, and their mean direction. */
type GroupedCentroids = readonly {
  readonly centroids: readonly number[]
  readonly vectors: readonly Int8Vector[]
  readonly mean: Int8Vector
}[]

export class Centroids {
  readonly #codes: Int8Array
  readonly #dimensions: number
  readonly size: number
  #grouped: GroupedCentroids | undefined

  /** @param codes the centroids one after the other */
  constructor(codes: Int8Array, dimensions: number) {
    this.size = codes.length / dimensions
    if (!Number.isInteger(this.size) || this.size < 1 || this.size > MAX_CENTROIDS)
      throw new Error(`Give from 1 to ${MAX_CENTROIDS} centroids of ${dimensions} dimensions.`)
    this.#codes = codes
    this.#dimensions = dimensions
  }

  /** Computed on first use: a small catalog with stored embeddings never needs it. */
  get grouped(): GroupedCentroids {
    this.#grouped ??= this.#group()
    return this.#grouped
  }

  #group(): GroupedCentroids {
    const vectors = Array.from({ length: this.size }, (_, i) =>
      toVector(this.#codes.slice(i * this.#dimensions, (i + 1) * this.#dimensions)),
    )
    return toGroups(vectors).map(members => {
      const ofGroup = members.map(i => vectors[i]!)
      return { centroids: members, vectors: ofGroup, mean: toMean(ofGroup) }
    })
  }
}

const toVector = (codes: Int8Array): Int8Vector => fromCodes(codes) ?? { codes, inverseNorm: 0 }

/** Picks centroids that are far from each other (Gonzalez 1985), and assigns every centroid to the nearest of them. */
function toGroups(centroids: readonly Int8Vector[]): number[][] {
  const nearest = centroids.map(() => Number.NEGATIVE_INFINITY)
  const groupOf = centroids.map(() => 0)
  const count = Math.min(MAX_GROUPS, centroids.length)
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
