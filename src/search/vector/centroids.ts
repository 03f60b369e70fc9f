// Sorts vectors by the fixed direction they lie nearest to. The directions come with the model and never move, so
// where a vector belongs, and with it every answer, depends on nothing but the vector: not on the order of arrival.

import { fromLevels, type QuantisedVector, RUN_LIMIT, type VectorScan } from './scan.ts'
import type { VectorRun } from './vector-memory.ts'

export type VectorClusters = {
  readonly directions: readonly QuantisedVector[]
  /** The cluster of a vector. */
  place(vector: QuantisedVector): number
  /** Begins to rank the clusters by nearness to the query last given to scan.ask. */
  rank(): void
  /** The next cluster of that ranking, or -1 after the last. */
  next(): number
}

/** A vector is placed among the clusters of its nearest few groups only: a seventh of the comparisons. */
const GROUPS = 32
const GROUPS_TRIED = 4
/** A query ranks the clusters of this many groups at a time. */
const GROUPS_RANKED = 12

type Group = { readonly members: readonly number[]; readonly levels: Int8Array }

/** Picks directions far from each other, one after the other, and gives every centroid to the nearest. */
function toGroups(centroids: readonly QuantisedVector[]): Group[] {
  const cosine = (a: QuantisedVector, b: QuantisedVector) => {
    let dot = 0
    for (let d = 0; d < a.levels.length; d++) dot += a.levels[d]! * b.levels[d]!
    return dot * a.factor * b.factor
  }
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
  return Array.from({ length: count }, (_, group) => {
    const members = [...groupOf.keys()].filter(i => groupOf[i] === group)
    const sum = new Float32Array(centroids[0]!.levels.length)
    for (const i of members)
      for (let d = 0; d < sum.length; d++) sum[d]! += centroids[i]!.levels[d]! * centroids[i]!.factor
    const peak = Math.max(...sum.map(Math.abs)) || 1
    return { members, levels: Int8Array.from(sum, x => Math.round((x / peak) * 127)) }
  }).filter(({ members }) => members.length > 0)
}

/** `centroids` holds the directions one after the other. */
export function createVectorClusters(scan: VectorScan, centroids: Int8Array): VectorClusters {
  const { dimensions } = scan
  const count = centroids.length / dimensions
  if (!Number.isInteger(count) || count < 1 || count > RUN_LIMIT) {
    throw new Error(`Give from 1 to ${RUN_LIMIT} centroids of ${dimensions} dimensions.`)
  }
  const directions = Array.from({ length: count }, (_, i) => {
    const levels = centroids.slice(i * dimensions, (i + 1) * dimensions)
    return fromLevels(levels) ?? { levels, factor: 0 }
  })
  const groups = toGroups(directions)
  const [pivots] = scan.allocate(groups.length, 1) as [VectorRun]
  const runs = groups.map(({ members, levels }, g) => {
    scan.write(pivots, g, fromLevels(levels) ?? { levels, factor: 0 })
    const [run] = scan.allocate(members.length, 1) as [VectorRun]
    for (const [i, member] of members.entries()) scan.write(run, i, directions[member]!)
    return run
  })
  const nearGroups = new Uint16Array(groups.length)
  /** Groups that the ranking has come to, and the clusters of the last of them that are still to be given. */
  let reached = 0
  const ranked = new Uint16Array(count)
  let ranking = 0

  /** Finds the nearest so many groups. */
  function rankGroups(wanted: number): void {
    scan.rank(pivots, groups.length, 0)
    for (let g = 0; g < wanted; g++) nearGroups[g] = scan.takeHighest(groups.length)
  }

  /** Ranks the clusters of the next so many groups among each other; false where no group is left. */
  function rankClusters(wanted: number): boolean {
    ranking = 0
    const first = reached
    reached = Math.min(groups.length, first + wanted)
    rankGroups(reached)
    for (let g = first; g < reached; g++) {
      const { members } = groups[nearGroups[g]!]!
      scan.rank(runs[nearGroups[g]!]!, members.length, ranking)
      for (let i = 0; i < members.length; i++) ranked[ranking++] = members[i]!
    }
    return reached > first
  }

  return {
    directions,
    place(vector) {
      scan.ask(vector)
      const tries = Math.min(GROUPS_TRIED, groups.length)
      rankGroups(tries)
      let best = 0
      let bestScore = Number.NEGATIVE_INFINITY
      for (let tried = 0; tried < tries; tried++) {
        const g = nearGroups[tried]!
        const { members } = groups[g]!
        const found = scan.scan(runs[g]!, members.length, bestScore)
        for (let i = 0; i < found; i++) {
          const cluster = members[scan.positionAt(i)]!
          const score = scan.scoreAt(i)
          if (score < bestScore || (score === bestScore && cluster > best)) continue
          best = cluster
          bestScore = score
        }
      }
      return best
    },
    rank() {
      reached = 0
      rankClusters(GROUPS_RANKED)
    },
    next() {
      let place = ranking === 0 ? -1 : scan.takeHighest(ranking)
      while (place < 0 && rankClusters(GROUPS_RANKED)) place = scan.takeHighest(ranking)
      return place < 0 ? -1 : ranked[place]!
    },
  }
}
