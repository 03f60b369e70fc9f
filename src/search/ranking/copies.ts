// Which hits have the name or the text of another seller's, and what they lose by that.
import { isSameName, isSameSeller, isSameText } from './fingerprint.ts'
import { type FinalOrderSource, type Hits, IS_BEHIND, IS_COPY, MAX_ALIKE } from './held-back.ts'
import { UNPROVED_TRUST } from './prior.ts'
import { SCORE_STEPS } from './score.ts'

/** A copy keeps at least this much of its score: who takes somebody's name or text and stands better cannot bury it. */
const MIN_KEPT = 0.5

/** What can be copied; each is as old as the entry has it. */
export const WORDS = ['name', 'text'] as const
type Part = (typeof WORDS)[number]
/** Whoever has lost by one part takes those behind them along by the other. */
const PASSES: readonly Part[] = ['name', 'text', 'name']

/** Lowers entries with the name or the text of another seller's that has the better right to it. Returns whether there are any. */
export function lowerCopies(source: FinalOrderSource, hits: Hits, held: Uint8Array): boolean {
  const { names, texts } = hits.candidates
  const meeting: Readonly<Record<Part, number[]>> = { name: [], text: [] }
  for (let i = 0; i < hits.slots.length; i++) {
    if (names.sizeOf(i) > 1) meeting.name.push(i)
    if (texts[i] === 1) meeting.text.push(i)
  }
  if (meeting.name.length === 0 && meeting.text.length === 0) return false
  for (const part of WORDS)
    meeting[part].sort((a, b) => compareRights(source, hits.slots[a]!, hits.slots[b]!, part))
  const before = Float64Array.from(hits.scores)
  let isSome = false
  for (const part of PASSES) if (lowerBy(part, source, hits, held, meeting[part], before)) isSome = true
  return isSome
}

/** @param inOrder places of those that may share the part, the one with the best right first */
function lowerBy(
  part: Part,
  source: FinalOrderSource,
  { slots, scores, entries, reversed }: Hits,
  held: Uint8Array,
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
      // Of those that share both, the text decides: a name alone is soon the same by chance.
      const hasText = isSameText(rows, own, other)
      if (part === 'text' ? !hasText : hasText || !isSameName(rows, own, other)) continue
      if (reversed?.[i] !== reversed?.[original] || isSameSeller(rows, own, other)) continue
      limit ??= scores[original]! - 1 / SCORE_STEPS
      if (hasText && source.isVerified(slots[original]!)) betterTexts++
    }
    if (limit === undefined) continue
    isSome = true
    const isLast = betterTexts === MAX_ALIKE && !source.isProved(slots[i]!)
    held[i]! |= IS_COPY | (isLast ? IS_BEHIND : 0)
    scores[i] = Math.max(Math.min(scores[i]!, limit), MIN_KEPT * before[i]!)
  }
  return isSome
}

/**
 * Who has the better right to a name or a text comes first: the verified one, of two such the more trusted, then the one that has had
 * it for longer. A claim decides last: it costs a signature of any wallet, and as little costs trust up to what is proved.
 */
export function compareRights(source: FinalOrderSource, a: number, b: number, part: Part): number {
  const [isVerified, isOtherVerified] = [source.isVerified(a), source.isVerified(b)]
  const had = (slot: number) => (part === 'name' ? source.nameSinceOf(slot) : source.textSinceOf(slot))
  return (
    Number(isOtherVerified) - Number(isVerified) ||
    (isVerified ? provedTrust(source, b) - provedTrust(source, a) : 0) ||
    had(a) - had(b) ||
    Number(source.isClaimed(b)) - Number(source.isClaimed(a)) ||
    source.order(a, b)
  )
}

const provedTrust = (source: FinalOrderSource, slot: number): number =>
  Math.max(source.trustOf(slot), UNPROVED_TRUST)
