/** Probes one merchant again and again, as the rounds do: each probe knows what the one before found. */
import type { Conclusion, Target } from '../../src/probe/conclude.ts'
import type { Probe } from '../../src/probe/probe.ts'

export type Watched = {
  /** How many probes it took, the first included; undefined where all were payable. */
  readonly count: number | undefined
  readonly codes: readonly string[]
  readonly last: Conclusion
}

/** Seeded, so that each run is the same. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** @param target its first request is what an earlier probe found; without one the first probe is of a new listing */
export async function probeUntilBad(
  probe: Probe,
  target: Target,
  { most = 60, onFirst }: { readonly most?: number; readonly onFirst?: () => void } = {},
): Promise<Watched> {
  let known: Pick<Target, 'firstRequest'> | undefined = target.firstRequest && {
    firstRequest: target.firstRequest,
  }
  let resources = target.storedTerms
  for (let count = 1; ; count++) {
    const last = await probe({
      ...target,
      ...(known ?? { hasNoTerms: true }),
      ...(resources && { storedTerms: resources }),
    })
    if (last.requests.length > 6) throw new Error('A probe made more than six requests.')
    if (last.requests.some(({ method }) => method !== 'GET' && method !== 'POST'))
      throw new Error('A probe asked by another method than GET or POST.')
    if (count === 1) onFirst?.()
    known = { firstRequest: last.firstRequest }
    if (last.hasReadDocuments || resources === undefined) resources = last.resources
    if (last.outcome !== 'payable') return { count, codes: last.reasons.map(({ code }) => code), last }
    if (count === most) return { count: undefined, codes: [], last }
  }
}
