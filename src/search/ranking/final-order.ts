// The last word on the order of hits, the same for lists, keyword search, intents and x402's own search: no seller takes more
// than two places, and no copy stands before what it copies. Only the first hits are looked at; which of them meet the query,
// and how well, is settled before.
import type { SlotOrder } from '../topk/top-k.ts'
import { isSameName, isSameSeller, isSameText, type LikenessRows, rowOf } from './alike.ts'
import { markMeetings } from './meeting-table.ts'

/** So many hits are looked at. */
export const WINDOW = 100
/** So many entries of one seller keep their places; so many verified ones with its text put an unproved entry behind. */
const MAX_ALIKE = 2
/** A copy keeps at least this much of its score: who takes somebody's name or text and stands better cannot bury it. */
const MIN_KEPT = 0.5
const STEP = 1e-6

/** Why a hit stands further back than its score says. */
export type HeldBack = 'seller' | 'copy'

export type Placed<H> = {
  readonly hit: H
  /** What it is ordered by. */
  readonly score: number
  /** Behind all others that are looked at. */
  readonly isBehind: boolean
  readonly heldBack: HeldBack | undefined
}

/** What the catalog knows of entries, by slot. */
export type FinalOrderSource = {
  readonly likeness: LikenessRows
  /** Decides between equal scores. */
  readonly order: SlotOrder
  isVerified(slot: number): boolean
  /** Whether it is verified, or has more trust than costs nothing. */
  isProved(slot: number): boolean
  isInactive(slot: number): boolean
  isClaimed(slot: number): boolean
  trustOf(slot: number): number
  /** When it came to where it is. */
  sinceOf(slot: number): number
}

/** Puts scored hits into their final order. @param hits best first, no more than the window and a few */
export function toFinalOrder<H extends { readonly slot: number; readonly score: number }>(
  source: FinalOrderSource,
  hits: readonly H[],
): readonly Placed<H>[] {
  const { rows } = source.likeness
  const entries = Int32Array.from(hits, ({ slot }) => rowOf(slot))
  const marks = new Uint8Array(hits.length)
  if (markMeetings(rows, entries, marks) === 0) return hits.map(hit => toPlaced(hit))
  const meeting = hits.flatMap((_, i) => (marks[i] === 1 ? [i] : []))
  const surplus = findSurplus(source, hits, entries, meeting)
  const copies = weighCopies(source, hits, entries, meeting)
  const placed = hits.map((hit, i): Placed<H> => {
    const copy = copies.get(i)
    const isBehind = surplus.has(i) || copy?.isBehind === true
    const heldBack = surplus.has(i) ? 'seller' : copy ? 'copy' : undefined
    return { hit, score: copy?.score ?? hit.score, isBehind, heldBack }
  })
  return placed.sort(
    (a, b) =>
      Number(a.isBehind) - Number(b.isBehind) || b.score - a.score || source.order(a.hit.slot, b.hit.slot),
  )
}

const toPlaced = <H extends { readonly score: number }>(hit: H): Placed<H> => ({
  hit,
  score: hit.score,
  isBehind: false,
  heldBack: undefined,
})

/**
 * Those of a seller beyond the second. Anybody can list somebody's wallet or domain, so what is proved counts first: an entry
 * gives way only to those that stand as well.
 */
function findSurplus(
  source: FinalOrderSource,
  hits: readonly { readonly slot: number }[],
  entries: Int32Array,
  meeting: readonly number[],
): ReadonlySet<number> {
  const { rows } = source.likeness
  const tiers = new Map(meeting.map(i => [i, tierOf(source, hits[i]!.slot)]))
  const inOrder = meeting.toSorted((a, b) => tiers.get(b)! - tiers.get(a)! || a - b)
  const kept: number[] = []
  const surplus = new Set<number>()
  for (const i of inOrder) {
    let before = 0
    for (let k = 0; k < kept.length && before < MAX_ALIKE; k++)
      if (isSameSeller(rows, entries[i]!, entries[kept[k]!]!)) before++
    if (before === MAX_ALIKE) surplus.add(i)
    else kept.push(i)
  }
  return surplus
}

/** What is proved of whom it pays and where: by its wallet and its endpoint, by its endpoint, not at all, no longer. */
function tierOf(source: FinalOrderSource, slot: number): number {
  if (source.isVerified(slot)) return source.isClaimed(slot) ? 3 : 2
  return source.isInactive(slot) ? 0 : 1
}

type Copy = { readonly score: number; readonly isBehind: boolean }

/** Entries with the name or the text of another seller's that has the better right to it, and the score that is left to each. */
function weighCopies(
  source: FinalOrderSource,
  hits: readonly { readonly slot: number; readonly score: number }[],
  entries: Int32Array,
  meeting: readonly number[],
): ReadonlyMap<number, Copy> {
  const { rows } = source.likeness
  const inOrder = meeting.toSorted((a, b) => compareRights(source, hits[a]!.slot, hits[b]!.slot))
  const copies = new Map<number, Copy>()
  for (let k = 1; k < inOrder.length; k++) {
    const i = inOrder[k]!
    const { slot, score } = hits[i]!
    let limit: number | undefined
    let betterTexts = 0
    for (let o = 0; o < k && betterTexts < MAX_ALIKE; o++) {
      const original = inOrder[o]!
      const [own, other] = [entries[i]!, entries[original]!]
      if (isSameSeller(rows, own, other)) continue
      const hasText = isSameText(rows, own, other)
      if (!hasText && !isSameName(rows, own, other)) continue
      limit ??= (copies.get(original)?.score ?? hits[original]!.score) - STEP
      if (hasText && source.isVerified(hits[original]!.slot)) betterTexts++
    }
    if (limit === undefined) continue
    copies.set(i, {
      score: Math.max(Math.min(score, limit), MIN_KEPT * score),
      isBehind: betterTexts === MAX_ALIKE && !source.isProved(slot),
    })
  }
  return copies
}

/** Who has the better right to a name or a text comes first: the verified one, of two such the more trusted, then the one that its wallet has claimed, then the older. */
function compareRights(source: FinalOrderSource, a: number, b: number): number {
  const [isVerified, isOtherVerified] = [source.isVerified(a), source.isVerified(b)]
  return (
    Number(isOtherVerified) - Number(isVerified) ||
    (isVerified ? source.trustOf(b) - source.trustOf(a) : 0) ||
    Number(source.isClaimed(b)) - Number(source.isClaimed(a)) ||
    source.sinceOf(a) - source.sinceOf(b) ||
    source.order(a, b)
  )
}
