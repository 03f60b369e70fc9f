// Finds the hits of one seller that are too many.

import { type CandidateGroups, MAX_ENTRIES } from './candidate-pairs.ts'
import { type FinalOrderSource, type Hits, IS_BEHIND, IS_SURPLUS, MAX_ALIKE } from './demotion.ts'

/** How well payee and endpoint are proved: by both, by the endpoint (listed by a stranger last), not at all, disproved or no longer. */
function tierOf(source: FinalOrderSource, slot: number): number {
  if (!source.isVerified(slot)) return source.isInactive(slot) || source.dangerOf(slot) !== undefined ? 0 : 1
  return source.isClaimed(slot) ? MAX_TIER : source.isByStranger(slot) ? 2 : 3
}
const MAX_TIER = 4

/**
 * The order in which hits keep their places, as one number each: by tier, a further listing of the same endpoint last, then
 * by rank.
 */
const IS_FURTHER = MAX_ENTRIES
const TIER_STEP = 2 * MAX_ENTRIES
const PLACE_MASK = MAX_ENTRIES - 1

/**
 * Marks the entries of a seller beyond the second. Anyone can list another's wallet or domain, so proof counts first, and
 * for one endpoint age: an entry is demoted only behind entries of at least the same standing. Returns whether there are
 * any.
 */
export function markSurplus(source: FinalOrderSource, hits: Hits, flags: Uint8Array): boolean {
  const { candidates } = hits
  if (!hasCrowd(candidates, flags.length)) return false
  const { first: payees } = candidates.payees
  const { first: domains } = candidates.domains
  // The last hit of each payee and of each domain that keeps its place, and how many do.
  const keptOfPayee = new Uint8Array(flags.length)
  const keptOfDomain = new Uint8Array(flags.length)
  const payeeCounts = new Uint8Array(flags.length)
  const domainCounts = new Uint8Array(flags.length)
  let isSome = false
  for (const key of inOrderOfProof(source, hits)) {
    const i = key & PLACE_MASK
    const [payee, domain] = [payees[i]!, domains[i]!]
    let before = payeeCounts[payee]! + domainCounts[domain]!
    // The same hit is not counted twice. If either has two, the count stays two.
    if (before === 2 && payeeCounts[payee] === 1 && keptOfPayee[payee] === keptOfDomain[domain]) before = 1
    if (before >= MAX_ALIKE) {
      flags[i] = IS_SURPLUS | IS_BEHIND
      isSome = true
      continue
    }
    keptOfPayee[payee] = i
    keptOfDomain[domain] = i
    payeeCounts[payee]!++
    domainCounts[domain]!++
  }
  return isSome
}

/** Returns whether any hit has enough others of its seller to be demoted. */
function hasCrowd({ payees, domains }: CandidateGroups, count: number): boolean {
  for (let i = 0; i < count; i++) if (payees.sizeOf(i) + domains.sizeOf(i) - 2 >= MAX_ALIKE) return true
  return false
}

function inOrderOfProof(source: FinalOrderSource, { slots, candidates }: Hits): Uint16Array {
  const { payees, domains } = candidates
  const keys = new Uint16Array(slots.length)
  let count = 0
  for (let i = 0; i < slots.length; i++)
    if (payees.sizeOf(i) > 1 || domains.sizeOf(i) > 1)
      keys[count++] = (MAX_TIER - tierOf(source, slots[i]!)) * TIER_STEP + i
  // A further listing of an endpoint is demoted behind the earlier one. An endpoint is on one domain.
  for (let a = 0; a < count; a++) {
    const i = keys[a]! & PLACE_MASK
    if (domains.sizeOf(i) === 1) continue
    const tier = Math.floor(keys[a]! / TIER_STEP)
    for (let b = 0; b < count; b++) {
      const k = keys[b]! & PLACE_MASK
      if (
        domains.first[k] === domains.first[i] &&
        Math.floor(keys[b]! / TIER_STEP) === tier &&
        source.sinceOf(slots[k]!) < source.sinceOf(slots[i]!) &&
        source.isSameEndpoint(slots[i]!, slots[k]!)
      ) {
        keys[a]! |= IS_FURTHER
        break
      }
    }
  }
  return keys.subarray(0, count).sort()
}
