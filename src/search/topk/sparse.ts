// Entries that have a term few entries have. The lists are added up term at a time, each entry in an accumulator of its own; what
// the dense terms add is then looked up for the entries that can still enter.
import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import { MAX_IMPACT } from '../index/document-terms.ts'
import {
  BATCH,
  type DenseCursor,
  type Evaluation,
  keyOf,
  type PostingsCursor,
  type Scratch,
} from './cursor.ts'
import { kthImpact } from './kth-impact.ts'

/**
 * Collects the entries with any of the sparse terms, and marks them as seen. Returns how many there are; they stand in
 * `scratch.touched`.
 */
export function collectSparse(
  evaluation: Evaluation,
  sparse: readonly PostingsCursor[],
  dense: readonly DenseCursor[],
): number {
  const { base, scratch, top, accept } = evaluation
  if (accept === undefined)
    for (const cursor of sparse)
      top.expect(base + cursor.weight * kthImpact(cursor, top.k, scratch.histogram))
  let rest = 0
  for (const { weight, bitmap } of dense) rest += base + weight * bitmap.maxImpact
  if (sparse.length === 1) return collectList(evaluation, sparse[0]!, dense, rest)
  const touched = accumulate(sparse, scratch)
  if (base > 0 && accept === undefined) top.expect(base * levelOfMany(scratch, sparse.length, top.k))
  collectAccumulated(evaluation, dense, rest, touched)
  return touched
}

/** One list alone needs no accumulators. */
function collectList(
  evaluation: Evaluation,
  { slots, impacts, start, count, weight }: PostingsCursor,
  dense: readonly DenseCursor[],
  rest: number,
): number {
  const { base, scratch, top } = evaluation
  const { batch, seen, touched } = scratch
  for (let from = start; from < start + count; from += BATCH) {
    const end = Math.min(start + count, from + BATCH)
    const least = Math.ceil((top.threshold - base - rest) / weight)
    if (least > MAX_IMPACT) break
    let size = 0
    for (let at = from; at < end; at++) {
      batch.slots[size] = slots[at]!
      batch.keys[size] = base + weight * impacts[at]!
      // Without a branch: which entries are above cannot be foretold.
      size += (least - 1 - impacts[at]!) >>> 31
    }
    collectBatch(evaluation, dense, size)
  }
  for (let i = 0; i < count; i++) {
    const slot = slots[start + i]!
    touched[i] = slot
    seen[slot >> WORD_SHIFT]! |= bitOf(slot)
  }
  return count
}

function accumulate(cursors: readonly PostingsCursor[], scratch: Scratch): number {
  const { levels, scores, touched, seen, atLevel } = scratch
  atLevel.fill(0)
  let size = 0
  for (const { slots, impacts, start, count, weight } of cursors) {
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      const level = levels[slot]! + 1
      levels[slot] = level
      atLevel[level]!++
      scores[slot]! += weight * impacts[at]!
      if (level > 1) continue
      touched[size++] = slot
      seen[slot >> WORD_SHIFT]! |= bitOf(slot)
    }
  }
  return size
}

/** The highest coordination level that at least `many` entries reach by the accumulated terms alone. */
function levelOfMany({ atLevel }: Scratch, highest: number, many: number): number {
  let level = highest
  while (level > 0 && atLevel[level]! < many) level--
  return level
}

function collectAccumulated(
  evaluation: Evaluation,
  dense: readonly DenseCursor[],
  rest: number,
  touched: number,
): void {
  const { base, scratch, top } = evaluation
  const { batch, levels, scores } = scratch
  let size = 0
  for (let i = 0; i < touched; i++) {
    const slot = scratch.touched[i]!
    const key = base * levels[slot]! + scores[slot]!
    if (key + rest < top.threshold) continue
    batch.slots[size] = slot
    batch.keys[size++] = key
    if (size < BATCH) continue
    collectBatch(evaluation, dense, size)
    size = 0
  }
  collectBatch(evaluation, dense, size)
}

/** Adds what the dense terms give to the keys of a batch, and collects what can enter. */
function collectBatch(
  { base, scratch, top, accept }: Evaluation,
  dense: readonly DenseCursor[],
  size: number,
): void {
  const { slots, keys, bounds } = scratch.batch
  let kept = size
  if (dense.length > 0) {
    bounds.set(keys)
    for (const { weight, bitmap } of dense) {
      const { bits } = bitmap
      const most = base + weight * bitmap.maxImpact
      for (let i = 0; i < size; i++) {
        const slot = slots[i]!
        bounds[i]! += most * ((bits[slot >> WORD_SHIFT]! >>> (slot & 31)) & 1)
      }
    }
    const { threshold } = top
    kept = 0
    for (let i = 0; i < size; i++) {
      if (bounds[i]! < threshold) continue
      slots[kept] = slots[i]!
      keys[kept++] = keys[i]!
    }
    // All are added up before any is collected: a lookup does not wait for the place of the hit before it.
    for (let i = 0; i < kept; i++) keys[i]! += keyOf(dense, base, slots[i]!)
  }
  for (let i = 0; i < kept; i++)
    if (keys[i]! >= top.threshold && (accept === undefined || accept(slots[i]!)))
      top.collect(keys[i]!, slots[i]!)
}

/** Leaves the scratch all zero again. */
export function clearSparse(scratch: Scratch, touched: number, words: number): void {
  const { levels, scores, seen } = scratch
  // Many are cleared in one go: that costs less than a visit to each.
  if (touched > words) {
    const end = words << WORD_SHIFT
    levels.fill(0, 0, end)
    scores.fill(0, 0, end)
    seen.fill(0, 0, words)
    return
  }
  for (let i = 0; i < touched; i++) {
    const slot = scratch.touched[i]!
    levels[slot] = 0
    scores[slot] = 0
    seen[slot >> WORD_SHIFT] = 0
  }
}
