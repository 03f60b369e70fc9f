// Entries that have a term few entries have. Most have one such term alone: what it adds is known from its posting. Only those that
// have several are added up, each in an accumulator of its own. What the dense terms add is looked up for those that can still enter.
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

/** Collects the entries with any of the sparse terms. Returns how many there are; they stand in `scratch.touched`. */
export function collectSparse(
  evaluation: Evaluation,
  sparse: readonly TermPostings[],
  dense: readonly DenseTermPostings[],
): number {
  const { base, scratch, top } = evaluation
  if (sparse.length === 1 && dense.length === 0) return collectList(evaluation, sparse[0]!)
  if (base === 0) expectOfEach(evaluation, sparse)
  const touched = touch(sparse, scratch)
  if (sparse.length > 1) collectSeveral(evaluation, sparse, dense, touched)
  // Those with dense terms first: they may leave no place for others.
  const bits = bitsOf(dense)
  if (dense.length > 0) for (const term of sparse) collectSingle(evaluation, term, bits, dense)
  if (top.threshold < base) expectOfEach(evaluation, sparse)
  for (const term of sparse) collectSingle(evaluation, term, bits, NONE)
  if (sparse.length > 1)
    for (let i = 0; i < touched; i++) scratch.several[scratch.touched[i]! >> WORD_SHIFT] = 0
  return touched
}

/** Collects the entries of a list that is all there is. */
function collectList(evaluation: Evaluation, list: TermPostings): number {
  const { base, top, accept } = evaluation
  const { slots, impacts, start, count, weight } = list
  expectOfEach(evaluation, [list])
  let least = Math.ceil((top.threshold - base) / weight)
  for (let at = start; at < start + count; at++) {
    const impact = impacts[at]!
    if (impact < least || (accept !== undefined && !accept(slots[at]!))) continue
    top.collect(base + weight * impact, slots[at]!)
    least = Math.ceil((top.threshold - base) / weight)
  }
  return count
}

/** Expects that the best of each list by itself are among the hits. */
function expectOfEach({ base, top, scratch, accept }: Evaluation, sparse: readonly TermPostings[]): void {
  if (accept !== undefined) return
  for (const term of sparse)
    if (base + term.weight * MAX_IMPACT > top.threshold)
      top.expect(base + term.weight * kthImpact(term, top.k, scratch.histogram))
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

/** Leaves the slots of all lists in `touched`, each once, and marks those of more than one list in `several`. Returns how many there are. */
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

/** Collects the entries with more than one of the sparse terms, added up behind the `touched` ones. */
function collectSeveral(
  evaluation: Evaluation,
  sparse: readonly TermPostings[],
  dense: readonly DenseTermPostings[],
  touched: number,
): void {
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
}

/** The highest coordination level that at least `many` entries reach by the accumulated terms alone. */
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

const NONE: readonly DenseTermPostings[] = []

/**
 * Collects the entries that have this sparse term and no other.
 * @param bits of all dense terms
 * @param dense all of them for the entries that have any, none for those that have none
 */
function collectSingle(
  evaluation: Evaluation,
  { slots, impacts, start, count, weight }: TermPostings,
  bits: readonly Int32Array[],
  dense: readonly DenseTermPostings[],
): void {
  const { base, scratch, top } = evaluation
  const { batch, several } = scratch
  const unwanted = dense.length > 0 ? 0 : 1
  let rest = 0
  for (const term of dense) rest += base + term.weight * term.bitmap.maxImpact
  for (let from = start; from < start + count; from += BATCH) {
    const end = Math.min(start + count, from + BATCH)
    const least = Math.ceil((top.threshold - base - rest) / weight)
    if (least > MAX_IMPACT) return
    let size = 0
    // Without a branch: which impacts are high enough, and who has a dense term, cannot be foretold.
    for (let at = from; at < end; at++) {
      const slot = slots[at]!
      const word = slot >> WORD_SHIFT
      let inDense = 0
      for (let t = 0; t < bits.length; t++) inDense |= bits[t]![word]!
      batch.slots[size] = slot
      batch.keys[size] = base + weight * impacts[at]!
      const isOpen = ((inDense >>> (slot & 31)) ^ unwanted) & ~(several[word]! >>> (slot & 31)) & 1
      size += isOpen & ((least - 1 - impacts[at]!) >>> 31)
    }
    collectBatch(evaluation, dense, size)
  }
}

/** Adds what the dense terms give to the keys of a batch, and collects what can enter. */
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
    // All are added up before any is collected: a lookup does not wait for the place of the hit before it.
    for (let i = 0; i < kept; i++) keys[i]! += denseKeyOf(dense, base, slots[i]!)
  }
  for (let i = 0; i < kept; i++)
    if (keys[i]! >= top.threshold && (accept === undefined || accept(slots[i]!)))
      top.collect(keys[i]!, slots[i]!)
}
