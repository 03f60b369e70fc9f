// Entries that have a term few entries have. The lists are added up term at a time, each entry in an accumulator of its own; what
// the dense terms add is then looked up for the entries that can still enter.
import { WORD_SHIFT } from '../../memory/bits.ts'
import { MAX_IMPACT } from '../index/document-terms.ts'
import {
  BATCH,
  type DenseTermPostings,
  denseKeyOf,
  type Evaluation,
  type Scratch,
  type TermPostings,
} from './evaluation.ts'

/** Collects the entries with any of the sparse terms. Returns how many there are; they stand in `scratch.touched`. */
export function collectSparse(
  evaluation: Evaluation,
  sparse: readonly TermPostings[],
  dense: readonly DenseTermPostings[],
): number {
  const { base, scratch, top, accept } = evaluation
  if (accept === undefined)
    for (const term of sparse) top.expect(base + term.weight * kthImpact(term, top.k, scratch.histogram))
  let rest = 0
  for (const { weight, bitmap } of dense) rest += base + weight * bitmap.maxImpact
  if (sparse.length === 1) return collectList(evaluation, sparse[0]!, dense, rest)
  const touched = accumulate(sparse, base, scratch)
  if (base > 0 && accept === undefined) top.expect(base * levelOfMany(scratch, touched, base, top.k))
  collectAccumulated(evaluation, dense, rest, touched)
  for (let i = 0; i < touched; i++) scratch.sums[scratch.touched[i]!] = 0
  return touched
}

/** A lower bound for the k-th best entry: the k-th highest impact of a list, or 0 where it is too short for counting to pay. */
function kthImpact({ impacts, start, count }: TermPostings, k: number, histogram: Int32Array): number {
  if (count <= 2 * k) return 0
  histogram.fill(0)
  for (let at = start; at < start + count; at++) histogram[impacts[at]!]!++
  let impact = MAX_IMPACT
  for (let reached = histogram[impact]!; reached < k; reached += histogram[impact]!) impact--
  return impact
}

/** One list alone needs no accumulators. */
function collectList(
  evaluation: Evaluation,
  { slots, impacts, start, count, weight }: TermPostings,
  dense: readonly DenseTermPostings[],
  rest: number,
): number {
  const { base, scratch, top } = evaluation
  const { batch, touched } = scratch
  for (let from = start; from < start + count; from += BATCH) {
    const end = Math.min(start + count, from + BATCH)
    const least = Math.ceil((top.threshold - base - rest) / weight)
    if (least > MAX_IMPACT) break
    let size = 0
    // Without a branch: which impacts are high enough cannot be foretold.
    for (let at = from; at < end; at++) {
      batch.slots[size] = at
      size += (least - 1 - impacts[at]!) >>> 31
    }
    for (let i = 0; i < size; i++) {
      const at = batch.slots[i]!
      batch.slots[i] = slots[at]!
      batch.keys[i] = base + weight * impacts[at]!
    }
    collectBatch(evaluation, dense, size)
  }
  if (dense.length > 0) touched.set(slots.subarray(start, start + count))
  return count
}

function accumulate(terms: readonly TermPostings[], base: number, scratch: Scratch): number {
  const { sums, touched } = scratch
  let size = 0
  for (const { slots, impacts, start, count, weight } of terms) {
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      const before = sums[slot]!
      sums[slot] = before + base + weight * impacts[at]!
      touched[size] = slot
      if (before === 0) size++
    }
  }
  return size
}

/** The highest coordination level that at least `many` entries reach by the accumulated terms alone. */
function levelOfMany({ sums, touched, atLevel }: Scratch, size: number, base: number, many: number): number {
  atLevel.fill(0)
  for (let i = 0; i < size; i++) atLevel[Math.floor(sums[touched[i]!]! / base)]!++
  let level = atLevel.length - 1
  for (let reached = atLevel[level]!; level > 0 && reached < many; reached += atLevel[level]!) level--
  return level
}

function collectAccumulated(
  evaluation: Evaluation,
  dense: readonly DenseTermPostings[],
  rest: number,
  touched: number,
): void {
  const { scratch, top } = evaluation
  const { batch, sums } = scratch
  let size = 0
  for (let i = 0; i < touched; i++) {
    const slot = scratch.touched[i]!
    const key = sums[slot]!
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
  dense: readonly DenseTermPostings[],
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
    for (let i = 0; i < kept; i++) keys[i]! += denseKeyOf(dense, base, slots[i]!)
  }
  for (let i = 0; i < kept; i++)
    if (keys[i]! >= top.threshold && (accept === undefined || accept(slots[i]!)))
      top.collect(keys[i]!, slots[i]!)
}
