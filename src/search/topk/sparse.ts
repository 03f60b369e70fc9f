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

export type SparseEntries = {
  /** The number of entries with a sparse term. Their slots are in `scratch.touched` if there are dense terms. */
  readonly touched: number
  /** The number of those without a dense term, when entries are counted. */
  readonly withoutDense: number
}

/** Collects the entries with any of the sparse terms. */
export function collectSparse(
  evaluation: Evaluation,
  sparse: readonly TermPostings[],
  dense: readonly DenseTermPostings[],
  counts: boolean,
): SparseEntries {
  const { base, scratch, top } = evaluation
  if (sparse.length === 1 && dense.length === 0) {
    const [list] = sparse
    expectOfEach(evaluation, sparse)
    collectAlone(evaluation, list!, [])
    return { touched: list!.count, withoutDense: list!.count }
  }
  if (base === 0) expectOfEach(evaluation, sparse)
  let postings = 0
  for (const { count } of sparse) postings += count
  const touched = touch(sparse, scratch)
  const end = touched < postings ? collectSeveral(evaluation, sparse, dense, touched) : touched
  const bits = bitsOf(dense)
  let withoutDense = touched
  if (dense.length > 0) {
    // Entries with dense terms first: they may raise the threshold above the others.
    withoutDense = counts ? countWithout(bits, scratch, touched, end) : 0
    for (const term of sparse) withoutDense += collectWithDense(evaluation, term, bits, dense, counts)
  }
  if (top.threshold < base) expectOfEach(evaluation, sparse)
  for (const term of sparse) collectAlone(evaluation, term, bits)
  for (let i = touched; i < end; i++) scratch.several[scratch.touched[i]! >> WORD_SHIFT] = 0
  return { touched, withoutDense }
}

/** Returns how many of the slots in `scratch.touched` have none of the bits. */
function countWithout(bits: readonly Int32Array[], { touched }: Scratch, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i++) {
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

/**
 * Writes the slots of all lists to `touched` without duplicates, and marks those of several lists in `several`. Returns
 * their number.
 */
function touch(sparse: readonly TermPostings[], { touched, seen, several }: Scratch): number {
  const [first, second] = sparse
  if (second === undefined) {
    const { slots, start, count } = first!
    for (let i = 0; i < count; i++) touched[i] = slots[start + i]!
    return count
  }
  let size = 0
  for (const { slots, start, count } of sparse) {
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      const word = slot >> WORD_SHIFT
      const marked = seen[word]!
      several[word]! |= marked & bitOf(slot)
      seen[word] = marked | bitOf(slot)
      touched[size] = slot
      size += 1 - ((marked >>> (slot & 31)) & 1)
    }
  }
  for (let i = 0; i < size; i++) seen[touched[i]! >> WORD_SHIFT] = 0
  return size
}

/** Collects the entries with several sparse terms. Their slots are written after the `touched` ones; returns where they end. */
function collectSeveral(
  evaluation: Evaluation,
  sparse: readonly TermPostings[],
  dense: readonly DenseTermPostings[],
  touched: number,
): number {
  const { base, scratch, top, accept } = evaluation
  const { sums, several } = scratch
  const slotsOfSeveral = scratch.touched
  let end = touched
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
  if (base > 0 && accept === undefined) top.expect(base * levelOfMany(scratch, touched, end, base, top.k))
  let rest = 0
  for (const { weight, bitmap } of dense) rest += base + weight * bitmap.maxImpact
  const { batch } = scratch
  let size = 0
  for (let i = touched; i < end; i++) {
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
function levelOfMany(
  { sums, touched, atLevel }: Scratch,
  from: number,
  to: number,
  base: number,
  many: number,
): number {
  if (to - from < many) return 0
  atLevel.fill(0)
  for (let i = from; i < to; i++) atLevel[Math.floor(sums[touched[i]!]! / base)]!++
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
