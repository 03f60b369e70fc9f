// Chooses the candidates that are worth comparing word by word.

import { type SlotOrder, TopK } from '../topk/top-k.ts'
import type { Question } from './query.ts'
import type { Candidates } from './retrieve.ts'
import { type Lean, MEANING_WEIGHT, meaningFloor, WORD_MEANING_WEIGHT } from './score.ts'

/** What is known of an entry before its words are compared one by one. */
export type Candidate = {
  readonly slot: number
  readonly found: number
  readonly near: number
  readonly lean: number
}

/** The best candidates by what costs little to know, best first. */
export function shorten(
  { tokens }: Question,
  { slots, found, near }: Candidates,
  room: number,
  order: SlotOrder,
  lean: Lean,
): Candidate[] {
  const floor = meaningFloor(tokens.length)
  const leans = new Float64Array(slots.length)
  // Known by their places in the list, which lead to all the rest.
  const top = new TopK(room, (a, b) => order(slots[a]!, slots[b]!))
  for (let i = 0; i < slots.length; i++) {
    if (found[i] === 0 && near[i]! < floor) continue
    leans[i] = lean(slots[i]!)
    top.collect((found[i]! + (MEANING_WEIGHT + WORD_MEANING_WEIGHT) * near[i]!) * leans[i]!, i)
  }
  return top
    .sorted()
    .map(({ slot: i }) => ({ slot: slots[i]!, found: found[i]!, near: near[i]!, lean: leans[i]! }))
}
