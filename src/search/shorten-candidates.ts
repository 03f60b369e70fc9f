// Chooses the candidates that are worth comparing word by word.
import type { Candidate } from './gather-candidates.ts'
import type { Question } from './intent-question.ts'
import { type Lean, MEANING_WEIGHT, meaningFloor, WORD_MEANING_WEIGHT } from './intent-score.ts'
import { type SlotOrder, TopHits } from './top-hits.ts'

/** The best candidates by what costs little to know, best first. */
export function shorten(
  { tokens }: Question,
  candidates: readonly Candidate[],
  room: number,
  order: SlotOrder,
  lean: Lean,
): Candidate[] {
  const floor = meaningFloor(tokens.length)
  const top = new TopHits(room, order)
  const bySlot = new Map<number, Candidate>()
  for (const candidate of candidates) {
    const { slot, found, near } = candidate
    if (found === 0 && near < floor) continue
    candidate.lean = lean(slot)
    bySlot.set(slot, candidate)
    top.offer((found + (MEANING_WEIGHT + WORD_MEANING_WEIGHT) * near) * candidate.lean, slot)
  }
  return top.sorted().map(({ slot }) => bySlot.get(slot)!)
}
