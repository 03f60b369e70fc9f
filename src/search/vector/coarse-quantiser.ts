// The coarse quantiser of the IVF index: assigns each vector to the list of its nearest centroid, and orders the lists by
// distance to a query. Centroids never move, so the list of a vector, and with it every result, depends on the vector alone
// and not on what was indexed before it.
import { type Centroids, MAX_GROUPS } from './centroids.ts'
import type { Int8Vector } from './int8.ts'
import { CACHE_LINE, type VectorMemory } from './vector-memory.ts'

/** A vector that is assigned is compared with the centroids of this many groups only. */
const GROUPS_ASSIGNED = 4
/** A query orders the lists of this many groups at a time. */
const GROUPS_PROBED = 12

/** Some centroids, and the address of the table with their codes and norms. */
type Group = { readonly centroids: readonly number[]; readonly addressesAt: number }

export class CoarseQuantiser {
  readonly #memory: VectorMemory
  readonly #centroids: Centroids
  readonly #scoresAt: number
  /** The address of the centroids and group means. */
  readonly #vectorsAt: number
  #written: { readonly groups: readonly Group[]; readonly means: Group } | undefined

  constructor(memory: VectorMemory, centroids: Centroids) {
    this.#memory = memory
    this.#centroids = centroids
    this.#scoresAt = memory.allocate(centroids.size * 4)
    this.#vectorsAt = memory.allocate(
      (centroids.size + MAX_GROUPS) * this.#vectorBytes + (MAX_GROUPS + 1) * CACHE_LINE,
    )
  }

  /** Returns the list that a vector belongs to. */
  assign(vector: Int8Vector): number {
    const { groups, means } = this.#groups
    const ofGroups = new HighestFirst(this.#score(vector, [means]))
    let nearest = 0
    let highest = Number.NEGATIVE_INFINITY
    for (let tried = 0; tried < Math.min(GROUPS_ASSIGNED, groups.length); tried++) {
      const group = groups[ofGroups.take()]!
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

  /** Visits the lists in ascending order of distance to the query, until `visit` returns false. */
  visitNearest(query: Int8Vector, visit: (list: number) => boolean): void {
    const { groups, means } = this.#groups
    const ofGroups = new HighestFirst(this.#score(query, [means]))
    for (let left = groups.length; left > 0; left -= GROUPS_PROBED) {
      const probed: Group[] = []
      for (let i = 0; i < Math.min(GROUPS_PROBED, left); i++) probed.push(groups[ofGroups.take()]!)
      const scores = new HighestFirst(this.#score(query, probed))
      for (let at = scores.take(); at >= 0; at = scores.take()) if (!visit(centroidAt(probed, at))) return
    }
  }

  /** Returns the scores of the centroids of some groups, in the order of the groups. */
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

  /** The address of the codes and of the norm, the codes, and the norm. */
  get #vectorBytes(): number {
    return 8 + this.#memory.dimensions + 4
  }

  /** Written on first use, always at the same address. */
  get #groups(): { readonly groups: readonly Group[]; readonly means: Group } {
    this.#written ??= this.#write()
    return this.#written
  }

  #write(): { readonly groups: readonly Group[]; readonly means: Group } {
    const { grouped } = this.#centroids
    let at = this.#vectorsAt
    const write = (vectors: readonly Int8Vector[], centroids: readonly number[]): Group => {
      const addressesAt = at
      at = this.#writeGroup(vectors, addressesAt)
      return { centroids, addressesAt }
    }
    const means = write(
      grouped.map(({ mean }) => mean),
      [...grouped.keys()],
    )
    return { means, groups: grouped.map(({ vectors, centroids }) => write(vectors, centroids)) }
  }

  /** Returns the address of the end. */
  #writeGroup(vectors: readonly Int8Vector[], addressesAt: number): number {
    const { bytes, floats, integers, dimensions } = this.#memory
    const codesAt = Math.ceil((addressesAt + vectors.length * 8) / CACHE_LINE) * CACHE_LINE
    const normsAt = codesAt + vectors.length * dimensions
    for (const [i, { codes, inverseNorm }] of vectors.entries()) {
      const codesOfOne = codesAt + i * dimensions
      bytes.set(codes, codesOfOne)
      floats[(normsAt >> 2) + i] = inverseNorm
      integers.set([codesOfOne, normsAt + i * 4], (addressesAt >> 2) + 2 * i)
    }
    return normsAt + vectors.length * 4
  }
}

/** Returns the centroid at an index into the centroids of some groups. */
function centroidAt(groups: readonly Group[], at: number): number {
  let place = at
  for (const { centroids } of groups) {
    if (place < centroids.length) return centroids[place]!
    place -= centroids.length
  }
  return -1
}

const SPAN = 32

/**
 * Takes scores in descending order. The maximum of each span is cached, so that taking one does not compare all scores
 * again.
 */
class HighestFirst {
  readonly #scores: Float32Array
  readonly #maxima: Float32Array

  constructor(scores: Float32Array) {
    this.#scores = scores
    this.#maxima = new Float32Array(Math.ceil(scores.length / SPAN))
    for (let span = 0; span < this.#maxima.length; span++) this.#maxima[span] = this.#maximumOf(span)
  }

  /** Returns the index of the highest remaining score, the first of equals; -1 when none is left. */
  take(): number {
    const maxima = this.#maxima
    let highest = Number.NEGATIVE_INFINITY
    let span = -1
    for (let i = 0; i < maxima.length; i++) {
      if (maxima[i]! <= highest) continue
      highest = maxima[i]!
      span = i
    }
    if (span < 0) return -1
    let place = span * SPAN
    while (this.#scores[place] !== highest) place++
    this.#scores[place] = Number.NEGATIVE_INFINITY
    maxima[span] = this.#maximumOf(span)
    return place
  }

  #maximumOf(span: number): number {
    const end = Math.min(this.#scores.length, (span + 1) * SPAN)
    let highest = Number.NEGATIVE_INFINITY
    for (let at = span * SPAN; at < end; at++) if (this.#scores[at]! > highest) highest = this.#scores[at]!
    return highest
  }
}
