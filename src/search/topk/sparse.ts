// Entries with sparse terms. Most have only one of them, so their key follows from one posting; only those with several use
// accumulators (term-at-a-time). What dense terms add is looked up only for entries that can still reach the threshold.
import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import { MAX_IMPACT } from '../index/document-terms.ts'
import {
  BATCH,
  bitsOf,
  type DenseTermPostings,
  denseKeyOf,
  type Evaluation,
  type Scratch,
  type TermPostings,
} from './evaluation.ts'

/**
 * Collects the entries with any of the sparse terms. Returns how many of them have no dense term, when entries are counted.
 * @param sparse in ascending order of their counts
 */
export function collectSparse(
  evaluation: Evaluation,
  sparse: readonly TermPostings[],
  dense: readonly DenseTermPostings[],
  counts: boolean,
): number {
  const { base, scratch, top } = evaluation
  if (sparse.length === 1 && dense.length === 0) {
    const [list] = sparse
    expectOfEach(evaluation, sparse)
    collectAlone(evaluation, list!, [])
    return list!.count
  }
  if (base === 0) expectOfEach(evaluation, sparse)
  const repeated = markSeveral(sparse, scratch)
  const several = repeated > 0 ? collectSeveral(evaluation, sparse, dense) : 0
  const bits = bitsOf(dense)
  let withoutDense = 0
  if (dense.length > 0) {
    // Entries with dense terms first: they may raise the threshold above the others.
    if (counts) withoutDense = countWithout(bits, scratch, several)
    for (const term of sparse) withoutDense += collectWithDense(evaluation, term, bits, dense, counts)
  } else {
    for (const { count } of sparse) withoutDense += count
    withoutDense -= repeated
  }
  if (top.threshold < base) expectOfEach(evaluation, sparse)
  for (const term of sparse) collectAlone(evaluation, term, bits)
  for (let i = 0; i < several; i++) scratch.several[scratch.touched[i]! >> WORD_SHIFT] = 0
  return withoutDense
}

/** Returns how many of the first slots in `scratch.touched` have none of the bits. */
function countWithout(bits: readonly Int32Array[], { touched }: Scratch, size: number): number {
  let count = 0
  for (let i = 0; i < size; i++) {
    const slot = touched[i]!
    let any = 0
    for (let t = 0; t < bits.length; t++) any |= bits[t]![slot >> WORD_SHIFT]!
    if ((any & bitOf(slot)) === 0) count++
  }
  return count
}

/** Raises the threshold to the k-th best key of each list alone. */
function expectOfEach({ base, top, scratch, accept }: Evaluation, sparse: readonly TermPostings[]): void {
  if (accept !== undefined) return
  for (const term of sparse)
    if (base + term.weight * MAX_IMPACT > top.threshold)
      top.expect(base + term.weight * kthImpact(term, top.k, scratch.histogram))
}

/** Returns the k-th highest impact of a list, or 0 when the list is too short for a histogram to pay off. */
function kthImpact({ impacts, start, count }: TermPostings, k: number, histogram: Int32Array): number {
  if (count <= 2 * k) return 0
  histogram.fill(0)
  for (let at = start; at < start + count; at++) histogram[impacts[at]!]!++
  let impact = MAX_IMPACT
  for (let reached = histogram[impact]!; reached < k; reached += histogram[impact]!) impact--
  return impact
}

/** Marks the slots of the lists as seen. */
export function markSeen(lists: readonly TermPostings[], { seen }: Scratch): void {
  for (const { slots, start, count } of lists)
    for (let at = start; at < start + count; at++) seen[slots[at]! >> WORD_SHIFT]! |= bitOf(slots[at]!)
}

export function unmarkSeen(lists: readonly TermPostings[], { seen }: Scratch): void {
  for (const { slots, start, count } of lists)
    for (let at = start; at < start + count; at++) seen[slots[at]! >> WORD_SHIFT] = 0
}

/**
 * Marks the slots of several lists in `several`. Returns how many postings are of a slot that a list before has. The last
 * list, which is the longest, is only compared with the others.
 */
function markSeveral(sparse: readonly TermPostings[], scratch: Scratch): number {
  if (sparse.length < 2) return 0
  const { seen, several } = scratch
  let repeated = 0
  const last = sparse.length - 1
  for (let i = 0; i <= last; i++) {
    const { slots, start, count } = sparse[i]!
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      const word = slot >> WORD_SHIFT
      if ((seen[word]! & bitOf(slot)) !== 0) {
        several[word]! |= bitOf(slot)
        repeated++
      } else if (i < last) seen[word]! |= bitOf(slot)
    }
  }
  unmarkSeen(sparse.slice(0, last), scratch)
  return repeated
}

/** Collects the entries with several sparse terms. Their slots are written to `scratch.touched`; returns their number. */
function collectSeveral(
  evaluation: Evaluation,
  sparse: readonly TermPostings[],
  dense: readonly DenseTermPostings[],
): number {
  const { base, scratch, top, accept } = evaluation
  const { sums, several } = scratch
  const slotsOfSeveral = scratch.touched
  let end = 0
  for (const { slots, impacts, start, count, weight } of sparse) {
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      if ((several[slot >> WORD_SHIFT]! & bitOf(slot)) === 0) continue
      const before = sums[slot]!
      sums[slot] = before + base + weight * impacts[at]!
      slotsOfSeveral[end] = slot
      if (before === 0) end++
    }
  }
  if (base > 0 && accept === undefined) top.expect(base * levelOfMany(scratch, end, base, top.k))
  let rest = 0
  for (const { weight, bitmap } of dense) rest += base + weight * bitmap.maxImpact
  const { batch } = scratch
  let size = 0
  for (let i = 0; i < end; i++) {
    const slot = slotsOfSeveral[i]!
    const key = sums[slot]!
    sums[slot] = 0
    if (key + rest < top.threshold) continue
    batch.slots[size] = slot
    batch.keys[size++] = key
    if (size < BATCH) continue
    collectBatch(evaluation, dense, size)
    size = 0
  }
  collectBatch(evaluation, dense, size)
  return end
}

/** Returns the highest coordination level that at least `many` entries reach by the sparse terms alone. */
function levelOfMany({ sums, touched, atLevel }: Scratch, size: number, base: number, many: number): number {
  if (size < many) return 0
  atLevel.fill(0)
  for (let i = 0; i < size; i++) atLevel[Math.floor(sums[touched[i]!]! / base)]!++
  let level = atLevel.length - 1
  for (let reached = atLevel[level]!; level > 0 && reached < many; reached += atLevel[level]!) level--
  return level
}

/** Returns the lowest impact that reaches the threshold when other terms add `rest`. */
const leastImpact = ({ base, top }: Evaluation, weight: number, rest: number): number =>
  Math.max(0, Math.ceil((top.threshold - base - rest) / weight))

/** Collects the entries that have this term and no other. @param bits the bitmaps of all dense terms */
function collectAlone(
  evaluation: Evaluation,
  { slots, impacts, start, count, weight }: TermPostings,
  bits: readonly Int32Array[],
): void {
  const { base, scratch, top, accept } = evaluation
  const { several } = scratch
  let { threshold } = top
  let least = leastImpact(evaluation, weight, 0)
  if (least > MAX_IMPACT) return
  for (let at = start; at < start + count; at++) {
    const impact = impacts[at]!
    if (impact < least) continue
    const slot = slots[at]!
    const word = slot >> WORD_SHIFT
    let others = several[word]!
    for (let t = 0; t < bits.length; t++) others |= bits[t]![word]!
    if ((others & bitOf(slot)) !== 0 || (accept !== undefined && !accept(slot))) continue
    top.collect(base + weight * impact, slot)
    if (top.threshold === threshold) continue
    threshold = top.threshold
    least = leastImpact(evaluation, weight, 0)
  }
}

/**
 * Collects the entries that have dense terms and only this sparse term. Returns how many have this term and no other, when
 * entries are counted.
 * @param bits the bitmaps of all dense terms
 */
function collectWithDense(
  evaluation: Evaluation,
  { slots, impacts, start, count, weight }: TermPostings,
  bits: readonly Int32Array[],
  dense: readonly DenseTermPostings[],
  counts: boolean,
): number {
  const { base, scratch } = evaluation
  const { batch, several } = scratch
  let alone = 0
  let rest = 0
  for (const term of dense) rest += base + term.weight * term.bitmap.maxImpact
  for (let from = start; from < start + count; from += BATCH) {
    const end = Math.min(start + count, from + BATCH)
    const least = leastImpact(evaluation, weight, rest)
    if (least > MAX_IMPACT && !counts) break
    let size = 0
    const first = bits[0]!
    // Branch-free: whether an impact is high enough and a bit is set is unpredictable.
    for (let at = from; at < end; at++) {
      const slot = slots[at]!
      const word = slot >> WORD_SHIFT
      let inDense = first[word]!
      for (let t = 1; t < bits.length; t++) inDense |= bits[t]![word]!
      batch.slots[size] = slot
      batch.keys[size] = base + weight * impacts[at]!
      const only = ~several[word]! >>> (slot & 31)
      const isInDense = inDense >>> (slot & 31)
      alone += only & ~isInDense & 1
      size += only & isInDense & ((least - 1 - impacts[at]!) >>> 31) & 1
    }
    collectBatch(evaluation, dense, size)
  }
  return alone
}

/** Adds the dense terms' parts to the keys of a batch, and collects what reaches the threshold. */
function collectBatch(
  { base, scratch, top, accept }: Evaluation,
  dense: readonly DenseTermPostings[],
  size: number,
): void {
  const { slots, keys, bounds } = scratch.batch
  let kept = size
  if (dense.length > 1) {
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
  }
  if (dense.length > 0) {
    // All keys are computed before any is collected, so that lookups do not wait for insertions.
    for (let i = 0; i < kept; i++) keys[i]! += denseKeyOf(dense, base, slots[i]!)
  }
  for (let i = 0; i < kept; i++)
    if (keys[i]! >= top.threshold && (accept === undefined || accept(slots[i]!)))
      top.collect(keys[i]!, slots[i]!)
}
