// The last word on the order of hits, the same for lists, keyword search, intents and x402's own search: no seller takes more
// than two places, and no copy stands before what it copies. Only the first hits are looked at; which of them meet the query,
// and how well, is settled before.
import type { SlotOrder } from '../topk/top-k.ts'
import { isSameName, isSameSeller, isSameText, type LikenessRows, rowOf } from './alike.ts'
import { markMeetings } from './meeting-table.ts'
import { UNPROVED_TRUST } from './prior.ts'

/** So many hits are looked at. */
export const WINDOW = 100
/** So many entries of one seller keep their places; so many verified ones with its text put an unproved entry behind. */
const MAX_ALIKE = 2
/** A copy keeps at least this much of its score: who takes somebody's name or text and stands better cannot bury it. */
const MIN_KEPT = 0.5
const STEP = 1e-6

/** Why a hit stands further back than its score says. */
export type HeldBack = 'seller' | 'copy' | 'reversed'

export type Placed<H> = {
  readonly hit: H
  /** What it is ordered by. */
  readonly score: number
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
  /** Whether a wallet listed it that it does not pay, and its domain says nothing of it. */
  isByStranger(slot: number): boolean
  isSameEndpoint(a: number, b: number): boolean
  trustOf(slot: number): number
  /** When it came to where it is. */
  sinceOf(slot: number): number
}

/** Bits that say what becomes of a hit. */
const IS_SURPLUS = 1
const IS_COPY = 2
const IS_BEHIND = 4

export const isBehind = (held: number): boolean => (held & IS_BEHIND) !== 0

const causeOf = (held: number): HeldBack | undefined =>
  (held & IS_SURPLUS) !== 0 ? 'seller' : (held & IS_COPY) !== 0 ? 'copy' : undefined

/**
 * Tells which hits give way, as bits for each, and lowers the scores of copies. Returns undefined where none does, which is nearly
 * always so.
 * @param slots best first, no more than the window and a few
 * @param reversed 1 for those that do the opposite of what the others do: none of one kind is a copy of one of the other
 */
export function holdBack(
  source: FinalOrderSource,
  slots: ArrayLike<number>,
  scores: Float64Array,
  reversed?: Uint8Array,
): Uint8Array | undefined {
  const { rows } = source.likeness
  const count = slots.length
  const entries = new Int32Array(count)
  for (let i = 0; i < count; i++) entries[i] = rowOf(slots[i]!)
  const marks = new Uint8Array(count)
  if (markMeetings(rows, entries, marks) === 0) return undefined
  const meeting: number[] = []
  for (let i = 0; i < count; i++) if (marks[i] === 1) meeting.push(i)
  const hits: Hits = { slots, scores, entries, meeting, reversed }
  const held = new Uint8Array(count)
  const isSome = markSurplus(source, hits, held)
  return lowerCopies(source, hits, held) || isSome ? held : undefined
}

/** `heldBack` tells why it has lost some of its score before. */
type Scored = { readonly slot: number; readonly score: number; readonly heldBack?: HeldBack | undefined }

/** Puts scored hits into their final order. @param hits best first, no more than the window and a few */
export function toFinalOrder<H extends Scored>(
  source: FinalOrderSource,
  hits: readonly H[],
): readonly Placed<H>[] {
  const scores = Float64Array.from(hits, ({ score }) => score)
  const slots = hits.map(({ slot }) => slot)
  const reversed = Uint8Array.from(hits, ({ heldBack }) => (heldBack === 'reversed' ? 1 : 0))
  const held = holdBack(source, slots, scores, reversed)
  const toPlaced = (hit: H, i: number): Placed<H> => ({
    hit,
    score: scores[i]!,
    heldBack: held && causeOf(held[i]!),
  })
  return held
    ? Array.from(inFinalOrder(source, slots, scores, held), i => toPlaced(hits[i]!, i))
    : hits.map(toPlaced)
}

/** Returns the places of the hits, the best first. They were in order but for what gives way, so that few have to be moved. */
export function inFinalOrder(
  source: FinalOrderSource,
  slots: ArrayLike<number>,
  scores: Float64Array,
  held: Uint8Array,
): Int32Array {
  const places = new Int32Array(held.length)
  const isAfter = (a: number, b: number): boolean =>
    (held[a]! & IS_BEHIND) - (held[b]! & IS_BEHIND) > 0 ||
    ((held[a]! & IS_BEHIND) === (held[b]! & IS_BEHIND) &&
      (scores[b]! - scores[a]! || source.order(slots[a]!, slots[b]!)) > 0)
  for (let i = 0; i < places.length; i++) {
    let at = i
    for (; at > 0 && isAfter(places[at - 1]!, i); at--) places[at] = places[at - 1]!
    places[at] = i
  }
  return places
}

type Hits = {
  readonly slots: ArrayLike<number>
  readonly scores: Float64Array
  /** Where the likeness of each begins. */
  readonly entries: Int32Array
  /** The places of those that may have something in common with another. */
  readonly meeting: readonly number[]
  readonly reversed: Uint8Array | undefined
}

/**
 * Those of a seller beyond the second. Anybody can list somebody's wallet or domain, so what is proved counts first, and at one
 * endpoint the oldest: an entry gives way only to those that stand as well.
 */
function markSurplus(source: FinalOrderSource, { slots, entries, meeting }: Hits, held: Uint8Array): boolean {
  const { rows } = source.likeness
  const tiers = new Uint8Array(entries.length)
  for (const i of meeting) tiers[i] = tierOf(source, slots[i]!)
  // A further listing of an endpoint gives way to the one that was there before it.
  const further = new Uint8Array(entries.length)
  for (const i of meeting)
    if (
      meeting.some(
        k =>
          tiers[k] === tiers[i] &&
          isSameSeller(rows, entries[i]!, entries[k]!) &&
          source.sinceOf(slots[k]!) < source.sinceOf(slots[i]!) &&
          source.isSameEndpoint(slots[i]!, slots[k]!),
      )
    )
      further[i] = 1
  const inOrder = meeting.toSorted((a, b) => tiers[b]! - tiers[a]! || further[a]! - further[b]! || a - b)
  const kept: number[] = []
  for (const i of inOrder) {
    let before = 0
    for (let k = 0; k < kept.length && before < MAX_ALIKE; k++)
      if (isSameSeller(rows, entries[i]!, entries[kept[k]!]!)) before++
    if (before === MAX_ALIKE) held[i] = IS_SURPLUS | IS_BEHIND
    else kept.push(i)
  }
  return kept.length < meeting.length
}

/** What is proved of whom it pays and where: by its wallet and its endpoint, by its endpoint (a stranger's last), not at all, no longer. */
function tierOf(source: FinalOrderSource, slot: number): number {
  if (!source.isVerified(slot)) return source.isInactive(slot) ? 0 : 1
  return source.isClaimed(slot) ? 4 : source.isByStranger(slot) ? 2 : 3
}

/** Lowers entries with the name or the text of another seller's that has the better right to it. Returns whether there are any. */
function lowerCopies(
  source: FinalOrderSource,
  { slots, scores, entries, meeting, reversed }: Hits,
  held: Uint8Array,
): boolean {
  const { rows } = source.likeness
  const inOrder = meeting.toSorted((a, b) => compareRights(source, slots[a]!, slots[b]!))
  let isSome = false
  for (let k = 1; k < inOrder.length; k++) {
    const i = inOrder[k]!
    let limit: number | undefined
    let betterTexts = 0
    for (let o = 0; o < k && betterTexts < MAX_ALIKE; o++) {
      const original = inOrder[o]!
      const [own, other] = [entries[i]!, entries[original]!]
      if (reversed?.[i] !== reversed?.[original] || isSameSeller(rows, own, other)) continue
      const hasText = isSameText(rows, own, other)
      if (!hasText && !isSameName(rows, own, other)) continue
      limit ??= scores[original]! - STEP
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
