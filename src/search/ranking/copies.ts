// Finds hits with the name or the text of another seller's entry, and lowers their scores.

import { type FinalOrderSource, type Hits, IS_BEHIND, IS_COPY, MAX_ALIKE } from './demotion.ts'
import { isSameName, isSameSeller, isSameText } from './fingerprint.ts'
import { UNPROVED_TRUST } from './prior.ts'
import { SCORE_STEPS } from './score.ts'

/**
 * A copy keeps at least this share of its score, so that an entry that copies another's name or text cannot bury it by
 * better standing.
 */
const MIN_KEPT = 0.5

/** What can be copied, with its age. */
export const WORDS = ['name', 'text'] as const
type Part = (typeof WORDS)[number]
/** An entry that is lowered for one part also lowers those below it for the other. */
const PASSES: readonly Part[] = ['name', 'text', 'name']

/**
 * Lowers entries with the name or the text of another seller's entry that has the stronger claim. Returns whether there are
 * any.
 */
export function lowerCopies(source: FinalOrderSource, hits: Hits, flags: Uint8Array): boolean {
  const { names, texts } = hits.candidates
  const sharing: Readonly<Record<Part, number[]>> = { name: [], text: [] }
  for (let i = 0; i < hits.slots.length; i++) {
    if (names.sizeOf(i) > 1) sharing.name.push(i)
    if (texts[i] === 1) sharing.text.push(i)
  }
  if (sharing.name.length === 0 && sharing.text.length === 0) return false
  for (const part of WORDS)
    sharing[part].sort((a, b) => compareClaims(source, hits.slots[a]!, hits.slots[b]!, part))
  const before = Float64Array.from(hits.scores)
  let isSome = false
  for (const part of PASSES) if (lowerBy(part, source, hits, flags, sharing[part], before)) isSome = true
  return isSome
}

/** @param inOrder indexes of the hits that may share the part, the strongest claim first */
function lowerBy(
  part: Part,
  source: FinalOrderSource,
  { slots, scores, entries, reversed }: Hits,
  flags: Uint8Array,
  inOrder: readonly number[],
  before: Float64Array,
): boolean {
  const { rows } = source.fingerprints
  let isSome = false
  for (let k = 1; k < inOrder.length; k++) {
    const i = inOrder[k]!
    let limit: number | undefined
    let betterTexts = 0
    for (let o = 0; o < k && betterTexts < MAX_ALIKE; o++) {
      const original = inOrder[o]!
      const own = entries[i]!
      const other = entries[original]!
      // If both are shared, the text decides: equal names are often a coincidence.
      const hasText = isSameText(rows, own, other)
      if (part === 'text' ? !hasText : hasText || !isSameName(rows, own, other)) continue
      if (reversed?.[i] !== reversed?.[original] || isSameSeller(rows, own, other)) continue
      limit ??= scores[original]! - 1 / SCORE_STEPS
      if (hasText && source.isVerified(slots[original]!)) betterTexts++
    }
    if (limit === undefined) continue
    isSome = true
    const isLast = betterTexts === MAX_ALIKE && !source.hasStanding(slots[i]!)
    flags[i]! |= IS_COPY | (isLast ? IS_BEHIND : 0)
    scores[i] = Math.max(Math.min(scores[i]!, limit), MIN_KEPT * before[i]!)
  }
  return isSome
}

/**
 * Orders by the claim to a name or a text: samples last, verified first, what must not be paid behind other unverified ones, then by
 * trust, then by age. A claimed owner decides last, as a claim costs only the signature of any wallet; trust below the proved level
 * costs as little.
 */
export function compareClaims(source: FinalOrderSource, a: number, b: number, part: Part): number {
  const [isVerified, isOtherVerified] = [source.isVerified(a), source.isVerified(b)]
  const had = (slot: number) => (part === 'name' ? source.nameSinceOf(slot) : source.textSinceOf(slot))
  return (
    Number(source.isSample(a)) - Number(source.isSample(b)) ||
    Number(isOtherVerified) - Number(isVerified) ||
    Number(source.dangerOf(a) !== undefined) - Number(source.dangerOf(b) !== undefined) ||
    (isVerified ? provedTrust(source, b) - provedTrust(source, a) : 0) ||
    had(a) - had(b) ||
    Number(source.isClaimed(b)) - Number(source.isClaimed(a)) ||
    source.order(a, b)
  )
}

const provedTrust = (source: FinalOrderSource, slot: number): number =>
  Math.max(source.trustOf(slot), UNPROVED_TRUST)
