// What standing does to the order of hits: the prior of each one, and the final order of sellers and copies.
import { CURRENCY_FAMILIES, currencyKey } from '../../domain/money/money.ts'
import type { Wish } from '../../domain/queries/queries.ts'
import { STATUSES, type Status } from '../../domain/standing/standing.ts'
import { type Danger, PAYERS_PROOF } from '../../domain/standing/trust.ts'
import type { SlotOrder } from '../../memory/sorted-slots.ts'

// The prior of an entry: how far its relevance counts given its standing, and what it loses for each wish that it does not
// meet. Text is free and standing is not, so the relevance of an entry without proof counts only up to a limit.

export type PriorSignals = {
  readonly status: Status
  /** Evidence that costs something, from 0 to 100: payers and purchases. */
  readonly proof: number
  /** The week of its first established payer, see `toWeek`; 0 if it has none. */
  readonly since: number
  /** Approximate, because it weighs and does not filter. */
  readonly price: number
  readonly currency: string
  readonly hasFreeQuota: boolean
  /** The median response time in milliseconds; undefined before the first response. */
  readonly latencyMs: number | undefined
}

export type StandingSignals = Pick<PriorSignals, 'status' | 'proof' | 'since'>

/** How standing changes the relevance. */
export type PriorWeight = {
  /** At most 1: it never raises the relevance. */
  readonly factor: number
  /** The relevance up to which it counts in full. */
  readonly limit: number
  /** The less, the later its first established payer paid, from 1 to 0; absent if it has none. */
  readonly seniority?: number
}
type Range = { readonly unproved: PriorWeight; readonly proved: PriorWeight }

/** A few new wallets of one's own give as much for a fraction of a cent (docs/trust.md), so it proves nothing; above it, standing counts. */
export const UNPROVED = 10
/** Three established payers suffice: however many wallets an attacker adds, it stands no better. */
const PROVED = PAYERS_PROOF
/** From here on relevance counts in full. Only purchases lift an entry above PROVED. */
const UNLIMITED = 85

const FIRST_WEEK_MS = Date.UTC(2025, 0, 1)
const WEEK_MS = 7 * 86_400_000
/** Thirty years. */
const WEEKS = 1_560

/** The number of a week, up to WEEKS; 0 for none. */
export const toWeek = (at: string | undefined): number =>
  at === undefined ? 0 : Math.min(WEEKS, Math.max(1, Math.ceil((Date.parse(at) - FIRST_WEEK_MS) / WEEK_MS)))

/**
 * Measured with `npm run eval` and `npm run eval -- --attack`. Lower numbers for unproved entries keep more hostile
 * listings behind verified ones that match less, and hide more newcomers behind verified ones that do something else.
 */
const BY_STATUS: Readonly<Record<Status, Range>> = {
  verified: { unproved: { factor: 0.75, limit: 0.36 }, proved: { factor: 0.97, limit: 1 } },
  unverified: { unproved: { factor: 0.48, limit: 0.45 }, proved: { factor: 0.95, limit: 1 } },
  inactive: { unproved: { factor: 0.4, limit: 0.45 }, proved: { factor: 0.6, limit: 1 } },
}
/** What full proof adds above that. */
const PROOF_WEIGHT = 0.03
const MAX_PROOF = 100
/** What the entry that meets the wishes least loses, however many there are. */
const MAX_WISH_LOSS = 0.5
/**
 * What an unproved entry loses where there is a wish, about as much as the average of the others: a low price and a free quota
 * cost nothing to list, so they are no way past those who were paid. Among unproved entries the wish decides as among others.
 */
const UNPROVED_WISH_LOSS = 0.25

/** The value of a currency unit in dollars, to one digit: precise enough for "cheap". */
const DOLLARS_PER_UNIT = new Map([
  ...CURRENCY_FAMILIES.dollar.map(code => [code, 1] as const),
  ...CURRENCY_FAMILIES.euro.map(code => [code, 1] as const),
  ...CURRENCY_FAMILIES.yen.map(code => [code, 0.007] as const),
])
const CHEAPEST = 0.0001
/** From a hundredth of a cent to one dollar. */
const DECADES = 4

/** Returns 0 for the cheapest and 1 for a dollar per request or more. An unknown currency is in the middle. */
function dearness({ price, currency }: PriorSignals): number {
  if (price === 0) return 0
  const unit = DOLLARS_PER_UNIT.get(currencyKey(currency))
  if (unit === undefined) return 0.5
  return Math.min(1, Math.max(0, Math.log10((price * unit) / CHEAPEST) / DECADES))
}

const FASTEST_MS = 50
/** From 50 milliseconds to five seconds. */
const LATENCY_DECADES = 2

/** Returns 0 for the fastest, and 1 for five seconds or more or an unknown latency. */
const slowness = ({ latencyMs }: PriorSignals): number =>
  latencyMs === undefined ? 1 : Math.min(1, Math.max(0, Math.log10(latencyMs / FASTEST_MS) / LATENCY_DECADES))

const SHORTFALL: Readonly<Record<Wish, (signals: PriorSignals) => number>> = {
  cheap: dearness,
  reliable: ({ proof, status }) => (status === 'verified' ? 1 - proof / 100 : 1),
  free: ({ price, hasFreeQuota }) => (price === 0 || hasFreeQuota ? 0 : 1),
  fast: slowness,
}

const between = (from: number, to: number, share: number): number => from + (to - from) * share

/** How far proof is between two values, 0 to 1. */
const shareOf = (proof: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (proof - from) / (to - from)))

function weigh(status: Status, proof: number): PriorWeight {
  const { unproved, proved } = BY_STATUS[status]
  const factor = between(unproved.factor, proved.factor, shareOf(proof, UNPROVED, PROVED))
  return {
    factor: factor + (PROOF_WEIGHT * proof) / MAX_PROOF,
    limit: between(unproved.limit, proved.limit, shareOf(proof, PROVED, UNLIMITED)),
  }
}

const WEIGHTS = Object.fromEntries(
  STATUSES.map(status => [status, Array.from({ length: MAX_PROOF + 1 }, (_, proof) => weigh(status, proof))]),
) as Record<Status, PriorWeight[]>

/** The prior without wishes. */
export function toStandingPrior({ status, proof, since }: StandingSignals): PriorWeight {
  const weight = WEIGHTS[status][proof]!
  return since === 0 ? weight : { ...weight, seniority: 1 - since / WEEKS }
}

/** Keeps the best sample below the least real match. */
const SAMPLE_FACTOR = 0.001

/** The same for entries that must not be paid: whoever takes the first result can lose nothing to a sample. */
const DANGER_FACTOR = 0.00002

const toShare = (prior: PriorWeight, by: number): PriorWeight => ({ ...prior, factor: prior.factor * by })

/** Lowers the prior of what comes after all others, whatever its standing: the invented, then what must not be paid. */
export const toPlacedPrior = (
  source: Pick<FinalOrderSource, 'isSample' | 'dangerOf'>,
  slot: number,
  prior: PriorWeight,
): PriorWeight =>
  source.dangerOf(slot) !== undefined
    ? toShare(prior, DANGER_FACTOR)
    : source.isSample(slot)
      ? toShare(prior, SAMPLE_FACTOR)
      : prior

export function toPrior(wishes: readonly Wish[], signals: PriorSignals): PriorWeight {
  const prior = toStandingPrior(signals)
  if (wishes.length === 0) return prior
  const shortfall = wishes.reduce((sum, wish) => sum + SHORTFALL[wish](signals), 0) / wishes.length
  const unproved = 1 - shareOf(signals.proof, UNPROVED, PROVED)
  return toShare(prior, (1 - MAX_WISH_LOSS * shortfall) * (1 - UNPROVED_WISH_LOSS * unproved))
}

// The final order of hits, the same for lists, keyword search, intents and x402's own search: no seller has more than two of the first
// places, and no copy is before its original. Which entries match, and their scores, are given.

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
  isSample(slot: number): boolean
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
  const isLast = slots.map(slot => source.isSample(slot) || source.dangerOf(slot) !== undefined)
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

const isOfOneSeller = ({ keyOf }: FinalOrderSource, a: number, b: number): boolean =>
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
  Number(source.isSample(a)) - Number(source.isSample(b)) ||
  Number(source.isVerified(b)) - Number(source.isVerified(a)) ||
  Number(source.dangerOf(a) !== undefined) - Number(source.dangerOf(b) !== undefined) ||
  source.wordedSince(a, part) - source.wordedSince(b, part) ||
  source.order(a, b)
