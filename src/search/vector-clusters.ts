// Sorts vectors by the fixed direction they lie nearest to. The directions come with the model and never move, so
// where a vector belongs, and with it every answer, depends on nothing but the vector: not on the order of arrival.
import {
  fromLevels,
  type QuantisedVector,
  RUN_LIMIT,
  type VectorRun,
  type VectorScan,
} from './vector-scan.ts'

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

/** Gives items from the highest score down, equal ones by number: a heap, because few of them are asked for. */
function createDescending(most: number) {
  const items = new Uint16Array(most)
  const scores = new Float32Array(most)
  let count = 0

  /** Puts an item where it belongs, from `at` down. */
  function sink(at: number, item: number, score: number): void {
    for (let child = 2 * at + 1; child < count; child = 2 * at + 1) {
      const right = child + 1
      if (
        right < count &&
        (scores[right]! > scores[child]! ||
          (scores[right] === scores[child] && items[right]! < items[child]!))
      )
        child = right
      if (score > scores[child]! || (score === scores[child] && item < items[child]!)) break
      items[at] = items[child]!
      scores[at] = scores[child]!
      at = child
    }
    items[at] = item
    scores[at] = score
  }

  return {
    clear(): void {
      count = 0
    },
    add(item: number, score: number): void {
      items[count] = item
      scores[count++] = score
    },
    /** To be called between the last `add` and the first `next`. */
    order(): void {
      for (let at = (count >> 1) - 1; at >= 0; at--) sink(at, items[at]!, scores[at]!)
    },
    /** The next item, or -1 after the last. */
    next(): number {
      if (count === 0) return -1
      const first = items[0]!
      count--
      if (count > 0) sink(0, items[count]!, scores[count]!)
      return first
    },
  }
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
  const nearGroups = createDescending(groups.length)
  const ranking = createDescending(count)

  function rankGroups(): void {
    scan.scan(pivots, groups.length, Number.NEGATIVE_INFINITY)
    nearGroups.clear()
    for (let g = 0; g < groups.length; g++) nearGroups.add(g, scan.scoreAt(g))
    nearGroups.order()
  }

  /** Ranks the clusters of the next so many groups among each other; false where no group is left. */
  function rankClusters(wanted: number): boolean {
    ranking.clear()
    let taken = 0
    for (let g = nearGroups.next(); g >= 0; g = nearGroups.next()) {
      const { members } = groups[g]!
      scan.scan(runs[g]!, members.length, Number.NEGATIVE_INFINITY)
      for (let i = 0; i < members.length; i++) ranking.add(members[i]!, scan.scoreAt(i))
      if (++taken === wanted) break
    }
    ranking.order()
    return taken > 0
  }

  return {
    directions,
    place(vector) {
      scan.ask(vector)
      rankGroups()
      let best = 0
      let bestScore = Number.NEGATIVE_INFINITY
      for (let tried = 0; tried < Math.min(GROUPS_TRIED, groups.length); tried++) {
        const g = nearGroups.next()
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
      rankGroups()
      rankClusters(GROUPS_RANKED)
    },
    next() {
      let cluster = ranking.next()
      while (cluster < 0 && rankClusters(GROUPS_RANKED)) cluster = ranking.next()
      return cluster
    },
  }
}
