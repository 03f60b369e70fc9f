// A paid answer that was empty is told as such, though it counts like any other that is not as declared.
import type { Part } from './kinds.ts'

/** @param reasons why the purchase has this outcome */
export const isEmptyAnswer = (
  outcome: Part<'purchase_outcome'>,
  reasons: readonly { readonly code: string }[],
): boolean => outcome === 'delivered_not_as_declared' && reasons.some(({ code }) => code === 'answer_empty')
