// The final order of hits, the same for lists, keyword search, intents and x402's own search: no seller has more than two
// of the first places, and no copy is before its original. Only the first hits are reordered; which entries match, and
// their scores, are given.

import { lowerCopies } from './copies.ts'
import { rowOf } from './fingerprint.ts'
import { type FinalOrderSource, type HeldBack, IS_BEHIND, IS_COPY, IS_SURPLUS } from './held-back.ts'
import { markSurplus } from './surplus.ts'

/** The number of hits that are reordered. */
export const WINDOW = 100

export type Placed<H> = {
  readonly hit: H
  /** The score that it is ordered by. */
  readonly score: number
  readonly heldBack: HeldBack | undefined
}

export const isBehind = (held: number): boolean => (held & IS_BEHIND) !== 0

const causeOf = (held: number): HeldBack | undefined =>
  (held & IS_SURPLUS) !== 0 ? 'seller' : (held & IS_COPY) !== 0 ? 'copy' : undefined

/**
 * Finds the hits that are demoted, as bits for each, and lowers the scores of copies. Returns undefined when there are
 * none.
 * @param slots best first, at most the window and a few
 * @param reversed 1 for entries that do the opposite of the query: one of these is not a copy of another entry
 */
export function holdBack(
  source: FinalOrderSource,
  slots: ArrayLike<number>,
  scores: Float64Array,
  reversed?: Uint8Array,
): Uint8Array | undefined {
  const count = slots.length
  const entries = new Int32Array(count)
  for (let i = 0; i < count; i++) entries[i] = rowOf(slots[i]!)
  const candidates = source.candidates.find(source.fingerprints.rows, entries)
  const hits = { slots, scores, entries, candidates, reversed }
  const held = new Uint8Array(count)
  const isSome = markSurplus(source, hits, held)
  return lowerCopies(source, hits, held) || isSome ? held : undefined
}

/** `heldBack` is why the score was lowered before. */
type Scored = { readonly slot: number; readonly score: number; readonly heldBack?: HeldBack | undefined }

/** Puts scored hits into their final order. @param hits best first, at most the window and a few */
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

/** Returns the indexes of the hits, best first. They are in order except for copies, whose scores were lowered. */
export function inFinalOrder(
  source: FinalOrderSource,
  slots: ArrayLike<number>,
  scores: Float64Array,
  held: Uint8Array,
): Int32Array {
  const count = held.length
  const places = new Int32Array(count)
  const isAfter = (a: number, b: number): boolean =>
    (scores[b]! - scores[a]! || source.order(slots[a]!, slots[b]!)) > 0
  let end = 0
  for (const part of [0, IS_BEHIND]) {
    const from = end
    let hasCopies = false
    for (let i = 0; i < count; i++) {
      if ((held[i]! & IS_BEHIND) !== part) continue
      let at = end++
      if (hasCopies) for (; at > from && isAfter(places[at - 1]!, i); at--) places[at] = places[at - 1]!
      places[at] = i
      hasCopies ||= (held[i]! & IS_COPY) !== 0
    }
  }
  return places
}
