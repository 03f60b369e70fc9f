// Which hits have the name or the text of another seller's, and what they lose by that.
import { isSameName, isSameSeller, isSameText } from './fingerprint.ts'
import { type FinalOrderSource, type Hits, IS_BEHIND, IS_COPY, MAX_ALIKE } from './held-back.ts'
import { UNPROVED_TRUST } from './prior.ts'
import { SCORE_STEPS } from './score.ts'

/** A copy keeps at least this much of its score: who takes somebody's name or text and stands better cannot bury it. */
const MIN_KEPT = 0.5

/** Lowers entries with the name or the text of another seller's that has the better right to it. Returns whether there are any. */
export function lowerCopies(
  source: FinalOrderSource,
  { slots, scores, entries, candidates: { names, texts }, reversed }: Hits,
  held: Uint8Array,
): boolean {
  const { rows } = source.fingerprints
  const inOrder: number[] = []
  for (let i = 0; i < slots.length; i++) if (names.sizeOf(i) > 1 || texts[i] === 1) inOrder.push(i)
  if (inOrder.length === 0) return false
  inOrder.sort((a, b) => compareRights(source, slots[a]!, slots[b]!))
  let isSome = false
  for (let k = 1; k < inOrder.length; k++) {
    const i = inOrder[k]!
    let limit: number | undefined
    let betterTexts = 0
    for (let o = 0; o < k && betterTexts < MAX_ALIKE; o++) {
      const original = inOrder[o]!
      const own = entries[i]!
      const other = entries[original]!
      const hasText = isSameText(rows, own, other)
      if (!hasText && !isSameName(rows, own, other)) continue
      if (reversed?.[i] !== reversed?.[original] || isSameSeller(rows, own, other)) continue
      limit ??= scores[original]! - 1 / SCORE_STEPS
      if (hasText && source.isVerified(slots[original]!)) betterTexts++
    }
    if (limit === undefined) continue
    isSome = true
    const isLast = betterTexts === MAX_ALIKE && !source.isProved(slots[i]!)
    held[i]! |= IS_COPY | (isLast ? IS_BEHIND : 0)
    scores[i] = Math.max(Math.min(scores[i]!, limit), MIN_KEPT * scores[i]!)
  }
  return isSome
}

/**
 * Who has the better right to a name or a text comes first: the verified one, of two such the more trusted, then the older. A claim
 * decides last: it costs a signature of any wallet, and as little costs trust up to what is proved.
 */
export function compareRights(source: FinalOrderSource, a: number, b: number): number {
  const [isVerified, isOtherVerified] = [source.isVerified(a), source.isVerified(b)]
  return (
    Number(isOtherVerified) - Number(isVerified) ||
    (isVerified ? provedTrust(source, b) - provedTrust(source, a) : 0) ||
    source.sinceOf(a) - source.sinceOf(b) ||
    Number(source.isClaimed(b)) - Number(source.isClaimed(a)) ||
    source.order(a, b)
  )
}

const provedTrust = (source: FinalOrderSource, slot: number): number =>
  Math.max(source.trustOf(slot), UNPROVED_TRUST)
