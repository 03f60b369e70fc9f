// A lower bound for the k-th best entry, from the impacts of one list.
import { MAX_IMPACT } from '../index/document-terms.ts'
import type { PostingsCursor } from './cursor.ts'

/** The k-th highest impact of a list, or 0 where it is too short for counting to pay. */
export function kthImpact(
  { impacts, start, count }: PostingsCursor,
  k: number,
  histogram: Int32Array,
): number {
  if (count <= 2 * k) return 0
  histogram.fill(0)
  for (let at = start; at < start + count; at++) histogram[impacts[at]!]!++
  let impact = MAX_IMPACT
  for (let reached = histogram[impact]!; reached < k; reached += histogram[impact]!) impact--
  return impact
}
