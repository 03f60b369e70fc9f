// The final order of hits, the same for lists, keyword search, intents and x402's own search: no seller has more than two of the first
// places, and no copy is before its original. Which entries match, and their scores, are given.
import type { Danger } from '../../domain/standing/trust.ts'
import type { SlotOrder } from '../../memory/sorted-slots.ts'

/** What two entries may share: of these, payee and domain show that they have one seller. */
export const FINGERPRINT_PARTS = ['payee', 'domain', 'name', 'text'] as const
export type FingerprintPart = (typeof FINGERPRINT_PARTS)[number]

/** What the catalog knows of an entry, by slot. */
export type FinalOrderSource = {
  /** Breaks ties between equal scores. */
  readonly order: SlotOrder
  /** Returns a number that two entries have in common if the part is equal after normalisation. */
  keyOf(slot: number, part: FingerprintPart): number
  /** When it got its name, or its description. */
  wordedSince(slot: number, part: 'name' | 'text'): number
  isVerified(slot: number): boolean
  isClaimed(slot: number): boolean
  /** Whether the wallet that listed it is not the one it pays, and its domain does not confirm it. */
  isByStranger(slot: number): boolean
  /** Whether an entry lists the endpoint of another again, later. */
  isRelisting(slot: number, other: number): boolean
  /** Whether it is invented, in a catalog that has real entries: nothing invented comes before what is real. */
  ranksBehindReal(slot: number): boolean
  /** Why it must not be paid as it is listed: such an entry comes after all others. */
  dangerOf(slot: number): Danger | undefined
}

/** Why a hit is demoted. */
export type DemotionCause = 'seller' | 'copy' | Danger

/** Scores are rounded to this many steps, so that rounding errors of a sum do not affect the order. */
export const SCORE_STEPS = 1_000_000
/** The number of hits that are reordered. */
export const WINDOW = 100
/** This many entries of one seller keep their places. */
export const MAX_ALIKE = 2
/** A copy keeps at least this share of its score, so that an entry with better standing cannot bury the one it copies. */
const MIN_KEPT = 0.5

/** Best first. `demotions` has the cause for each hit that is demoted, or is undefined if none is. */
type FinalOrder = {
  /** The indexes of the hits in their final order. */
  readonly places: readonly number[]
  readonly demotions: readonly (DemotionCause | undefined)[]
  /** Whether a hit comes after all that are not demoted. */
  readonly isBehind: (i: number) => boolean
}

/**
 * Finds the hits that are demoted, and lowers the scores of copies. Returns undefined when there are none.
 * @param slots best first, at most the window and a few
 */
export function toFinalOrder(
  source: FinalOrderSource,
  slots: readonly number[],
  scores: Float64Array,
): FinalOrder | undefined {
  const demotions = new Array<DemotionCause | undefined>(slots.length)
  const surplus = findSurplus(source, slots)
  const isLowered = lowerCopies(source, slots, scores, demotions)
  if (surplus.size === 0 && !isLowered) return undefined
  for (const i of surplus) demotions[i] = 'seller'
  // Demoted hits stay before samples and before what must not be paid, which have the lowest scores.
  const isLast = slots.map(slot => source.ranksBehindReal(slot) || source.dangerOf(slot) !== undefined)
  const isBehind = (i: number): boolean => surplus.size > 0 && (surplus.has(i) || isLast[i]!)
  const places = [...slots.keys()].sort(
    (a, b) =>
      Number(isBehind(a)) - Number(isBehind(b)) ||
      scores[b]! - scores[a]! ||
      source.order(slots[a]!, slots[b]!) ||
      a - b,
  )
  return { places, demotions, isBehind }
}

/** Returns the hits that share a part with another, by the part. */
function groupsOf(source: FinalOrderSource, slots: readonly number[], part: FingerprintPart): number[][] {
  const keys = new Float64Array(slots.length)
  for (let i = 0; i < keys.length; i++) keys[i] = source.keyOf(slots[i]!, part)
  // Mostly all are different, which sorting shows at the least cost.
  const sorted = keys.toSorted()
  let last = keys.length - 1
  while (last > 0 && sorted[last] !== sorted[last - 1]) last--
  if (last <= 0) return []
  const groups = Map.groupBy(keys.keys(), i => keys[i]!)
  return [...groups.values()].filter(group => group.length > 1)
}

/** How well payee and endpoint are proved: by both, by the endpoint (listed by a stranger last), not at all, disproved. */
function tierOf(source: FinalOrderSource, slot: number): number {
  if (!source.isVerified(slot)) return source.dangerOf(slot) === undefined ? 1 : 0
  return source.isClaimed(slot) ? 4 : source.isByStranger(slot) ? 2 : 3
}

/**
 * Returns the entries of a seller beyond the second. Anyone can list another's wallet or domain, so those with more proof keep their
 * places.
 */
function findSurplus(source: FinalOrderSource, slots: readonly number[]): ReadonlySet<number> {
  const surplus = new Set<number>()
  for (const part of ['payee', 'domain'] as const)
    for (const group of groupsOf(source, slots, part)) {
      if (group.length <= MAX_ALIKE) continue
      const tiers = new Map(group.map(i => [i, tierOf(source, slots[i]!)]))
      // A further listing of an endpoint comes after the first.
      const isFurther = (i: number): boolean =>
        group.some(o => tiers.get(o) === tiers.get(i) && source.isRelisting(slots[i]!, slots[o]!))
      const further = new Set(group.filter(isFurther))
      const byProof = group.toSorted(
        (a, b) => tiers.get(b)! - tiers.get(a)! || Number(further.has(a)) - Number(further.has(b)) || a - b,
      )
      for (const i of byProof.slice(MAX_ALIKE)) surplus.add(i)
    }
  return surplus
}

export const isOfOneSeller = ({ keyOf }: FinalOrderSource, a: number, b: number): boolean =>
  keyOf(a, 'payee') === keyOf(b, 'payee') || keyOf(a, 'domain') === keyOf(b, 'domain')

/** Lowers entries with the name or the text of another seller's entry that has the stronger claim. Returns whether there are any. */
function lowerCopies(
  source: FinalOrderSource,
  slots: readonly number[],
  scores: Float64Array,
  demotions: (DemotionCause | undefined)[],
): boolean {
  let isLowered = false
  for (const part of ['name', 'text'] as const)
    for (const group of groupsOf(source, slots, part)) {
      group.sort((a, b) => compareClaims(source, slots[a]!, slots[b]!, part))
      for (let k = 1; k < group.length; k++) {
        const i = group[k]!
        const original = group.find((o, at) => at < k && !isOfOneSeller(source, slots[o]!, slots[i]!))
        if (original === undefined) continue
        const limit = scores[original]! - 1 / SCORE_STEPS
        scores[i] = Math.max(Math.min(scores[i]!, limit), MIN_KEPT * scores[i]!)
        demotions[i] = 'copy'
        isLowered = true
      }
    }
  return isLowered
}

/**
 * Orders by the claim to a name or a text: samples last, verified first, what must not be paid behind other unverified ones, then by age.
 * That somebody claimed the entry counts for nothing, as it costs only the signature of any wallet.
 */
const compareClaims = (source: FinalOrderSource, a: number, b: number, part: 'name' | 'text'): number =>
  Number(source.ranksBehindReal(a)) - Number(source.ranksBehindReal(b)) ||
  Number(source.isVerified(b)) - Number(source.isVerified(a)) ||
  Number(source.dangerOf(a) !== undefined) - Number(source.dangerOf(b) !== undefined) ||
  source.wordedSince(a, part) - source.wordedSince(b, part) ||
  source.order(a, b)
