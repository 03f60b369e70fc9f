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

export type SparseEntries = {
  /** How many entries have a sparse term; they stand in `scratch.touched` where there are dense terms too. */
  readonly touched: number
  /** How many of them have no dense term, where they are to be counted. */
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
    // Those with dense terms first: they may leave no place for others.
    withoutDense = counts ? countWithout(bits, scratch, touched, end) : 0
    for (const term of sparse) withoutDense += collectWithDense(evaluation, term, bits, dense, counts)
  }
  if (top.threshold < base) expectOfEach(evaluation, sparse)
  for (const term of sparse) collectAlone(evaluation, term, bits)
  for (let i = touched; i < end; i++) scratch.several[scratch.touched[i]! >> WORD_SHIFT] = 0
  return { touched, withoutDense }
}

/** How many of the slots in `scratch.touched` have no bit. */
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

/** Collects the entries with more than one of the sparse terms, added up behind the `touched` ones. Returns where they end. */
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

/** The lowest impact whose key, with `rest` beside it, reaches the threshold. */
const leastImpact = ({ base, top }: Evaluation, weight: number, rest: number): number =>
  Math.max(0, Math.ceil((top.threshold - base - rest) / weight))

/** Collects the entries that have this term and no other of the query. @param bits of all dense terms */
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
 * Collects the entries that have dense terms, and this sparse term alone. Returns how many have this term and no other, where they
 * are to be counted.
 * @param bits of all dense terms
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
    // Without a branch: which impacts are high enough, and who has a dense term, cannot be foretold.
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
