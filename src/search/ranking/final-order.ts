// The final order of hits, the same for lists, keyword search, intents and x402's own search: no seller has more than two
// of the first places, and no copy is before its original. Only the first hits are reordered; which entries match, and
// their scores, are given.

import { lowerCopies } from './copies.ts'
import { type DemotionCause, type FinalOrderSource, IS_BEHIND, IS_COPY, IS_SURPLUS } from './demotion.ts'
import { rowOf } from './fingerprint.ts'
import { markSurplus } from './surplus.ts'

/** The number of hits that are reordered. */
export const WINDOW = 100

export type Placed<H> = {
  readonly hit: H
  /** The score that it is ordered by. */
  readonly score: number
  readonly demotion: DemotionCause | undefined
}

export const isBehind = (flags: number): boolean => (flags & IS_BEHIND) !== 0

const causeOf = (flags: number): DemotionCause | undefined =>
  (flags & IS_SURPLUS) !== 0 ? 'seller' : (flags & IS_COPY) !== 0 ? 'copy' : undefined

/**
 * Finds the hits that are demoted, as bits for each, and lowers the scores of copies. Returns undefined when there are
 * none.
 * @param slots best first, at most the window and a few
 * @param reversed 1 for entries that do the opposite of the query: one of these is not a copy of another entry
 */
export function markDemoted(
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
  const flags = new Uint8Array(count)
  const isSome = markSurplus(source, hits, flags)
  if (!lowerCopies(source, hits, flags) && !isSome) return undefined
  putLastBehind(source, slots, flags)
  return flags
}

/** Demoted hits stay before samples and before what must not be paid: these have the lowest scores and so are last of those behind. */
function putLastBehind(source: FinalOrderSource, slots: ArrayLike<number>, flags: Uint8Array): void {
  if (!flags.some(isBehind)) return
  for (let i = 0; i < flags.length; i++) {
    const slot = slots[i]!
    if (source.isSample(slot) || source.dangerOf(slot) !== undefined) flags[i]! |= IS_BEHIND
  }
}

/** `demotion` is why the score was lowered before. */
type Scored = { readonly slot: number; readonly score: number; readonly demotion?: DemotionCause | undefined }

/** Puts scored hits into their final order. @param hits best first, at most the window and a few */
export function toFinalOrder<H extends Scored>(
  source: FinalOrderSource,
  hits: readonly H[],
): readonly Placed<H>[] {
  const scores = Float64Array.from(hits, ({ score }) => score)
  const slots = hits.map(({ slot }) => slot)
  const reversed = Uint8Array.from(hits, ({ demotion }) => (demotion === 'reversed' ? 1 : 0))
  const flags = markDemoted(source, slots, scores, reversed)
  const toPlaced = (hit: H, i: number): Placed<H> => ({
    hit,
    score: scores[i]!,
    demotion: flags && causeOf(flags[i]!),
  })
  return flags
    ? Array.from(inFinalOrder(source, slots, scores, flags), i => toPlaced(hits[i]!, i))
    : hits.map(toPlaced)
}

/** Returns the indexes of the hits, best first. They are in order except for copies, whose scores were lowered. */
export function inFinalOrder(
  source: FinalOrderSource,
  slots: ArrayLike<number>,
  scores: Float64Array,
  flags: Uint8Array,
): Int32Array {
  const count = flags.length
  const places = new Int32Array(count)
  const isAfter = (a: number, b: number): boolean =>
    (scores[b]! - scores[a]! || source.order(slots[a]!, slots[b]!)) > 0
  let end = 0
  for (const part of [0, IS_BEHIND]) {
    const from = end
    let hasCopies = false
    for (let i = 0; i < count; i++) {
      if ((flags[i]! & IS_BEHIND) !== part) continue
      let at = end++
      if (hasCopies) for (; at > from && isAfter(places[at - 1]!, i); at--) places[at] = places[at - 1]!
      places[at] = i
      hasCopies ||= (flags[i]! & IS_COPY) !== 0
    }
  }
  return places
}
