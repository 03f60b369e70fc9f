// The coarse quantiser of the IVF index: assigns each vector to the list of its nearest centroid, and orders the lists by their
// nearness to a query. Centroids never move, so the list of a vector, and with it every result, depends on the vector alone and
// not on what was indexed before it.
import type { Centroids } from './centroids.ts'
import type { Int8Vector } from './int8.ts'
import type { VectorMemory } from './vector-memory.ts'

/** Only the centroids of so many groups are compared with a vector that is assigned. */
const GROUPS_ASSIGNED = 4
/** A query orders the lists of so many groups at a time. */
const GROUPS_PROBED = 12

/** Some centroids, and where the addresses of their codes and norms are. */
type Group = { readonly centroids: readonly number[]; readonly addressesAt: number }

export class CoarseQuantiser {
  readonly size: number
  readonly #memory: VectorMemory
  readonly #groups: readonly Group[]
  /** The mean direction of each group. */
  readonly #pivots: Group
  readonly #scoresAt: number

  constructor(memory: VectorMemory, { size, vectors, groups, pivots }: Centroids) {
    this.#memory = memory
    this.size = size
    this.#scoresAt = memory.allocate(size * 4)
    this.#pivots = this.#write(pivots, [...groups.keys()])
    this.#groups = groups.map(members =>
      this.#write(
        members.map(i => vectors[i]!),
        members,
      ),
    )
  }

  /** Returns the list that a vector belongs to. */
  assign(vector: Int8Vector): number {
    const groups = this.#score(vector, [this.#pivots])
    let nearest = 0
    let highest = Number.NEGATIVE_INFINITY
    for (let tried = 0; tried < Math.min(GROUPS_ASSIGNED, groups.length); tried++) {
      const group = this.#groups[takeHighest(groups)]!
      const scores = this.#score(vector, [group])
      for (let i = 0; i < scores.length; i++) {
        const score = scores[i]!
        const centroid = group.centroids[i]!
        if (score < highest || (score === highest && centroid > nearest)) continue
        nearest = centroid
        highest = score
      }
    }
    return nearest
  }

  /** Returns the lists from the nearest to the query on. */
  *nearest(query: Int8Vector): Generator<number> {
    const ofGroups = this.#score(query, [this.#pivots])
    for (let left = this.#groups.length; left > 0; left -= GROUPS_PROBED) {
      const groups = Array.from(
        { length: Math.min(GROUPS_PROBED, left) },
        () => this.#groups[takeHighest(ofGroups)]!,
      )
      const scores = this.#score(query, groups)
      for (let at = takeHighest(scores); at >= 0; at = takeHighest(scores)) yield centroidAt(groups, at)
    }
  }

  /** Returns the scores of the centroids of some groups, one group after the other. */
  #score(vector: Int8Vector, groups: readonly Group[]): Float32Array {
    const { kernels, dimensions, floats } = this.#memory
    const query = this.#memory.load(vector)
    let at = this.#scoresAt
    for (const { centroids, addressesAt } of groups) {
      kernels.scores(query, addressesAt, centroids.length, dimensions, at)
      at += centroids.length * 4
    }
    return floats.slice(this.#scoresAt >> 2, at >> 2)
  }

  #write(vectors: readonly Int8Vector[], centroids: readonly number[]): Group {
    const memory = this.#memory
    const addressesAt = memory.allocate(vectors.length * 8)
    const codesAt = memory.allocate(vectors.length * memory.dimensions)
    const normsAt = memory.allocate(vectors.length * 4)
    for (const [i, { codes, inverseNorm }] of vectors.entries()) {
      const codesOfOne = codesAt + i * memory.dimensions
      memory.bytes.set(codes, codesOfOne)
      memory.floats[(normsAt >> 2) + i] = inverseNorm
      memory.integers.set([codesOfOne, normsAt + i * 4], (addressesAt >> 2) + 2 * i)
    }
    return { centroids, addressesAt }
  }
}

/** Returns the centroid at a place among those of some groups. */
function centroidAt(groups: readonly Group[], at: number): number {
  let place = at
  for (const { centroids } of groups) {
    if (place < centroids.length) return centroids[place]!
    place -= centroids.length
  }
  return -1
}

/** Returns the place of the highest score, the first of equals, and takes it out; -1 where none is left. */
function takeHighest(scores: Float32Array): number {
  let highest = Number.NEGATIVE_INFINITY
  let place = -1
  for (let i = 0; i < scores.length; i++) {
    if (scores[i]! <= highest) continue
    highest = scores[i]!
    place = i
  }
  if (place >= 0) scores[place] = Number.NEGATIVE_INFINITY
  return place
}
