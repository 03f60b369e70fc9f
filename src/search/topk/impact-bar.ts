// How high the impacts of a list go.
import { TOP_IMPACT } from '../index/document-terms.ts'
import type { WalkTerm } from './walk-term.ts'

const withImpact = new Int32Array(TOP_IMPACT + 1)

/** The impact that so many of a list reach, and no lower one: to count is quicker than to offer what is soon pushed out. */
export function toBar({ impacts, start, count }: WalkTerm, many: number): number {
  if (count <= 2 * many) return 0
  withImpact.fill(0)
  for (let at = start; at < start + count; at++) withImpact[impacts[at]!]!++
  let bar = TOP_IMPACT
  for (let reached = withImpact[bar]!; reached < many; reached += withImpact[bar]!) bar--
  return bar
}
