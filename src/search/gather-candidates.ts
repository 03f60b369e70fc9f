// Gathers the entries that may answer an intent: those that its words lead to, and those that its meaning leads to.
import { TOP_IMPACT } from './document-terms.ts'
import type { Question } from './intent-question.ts'
import type { Meaning } from './meaning.ts'
import type { SlotOrder } from './top-hits.ts'
import { type Accept, findPosting, type WalkTerm } from './walk-term.ts'

/** Meaning is looked for with little effort where an entry has this much of the words, else with much. */
const WELL_FOUND = 0.3
const SMALL_EFFORT = 0.25
const GREAT_EFFORT = 1
/**
 * The words that say most lead to the candidates: so many, and of those that many entries have so many. A query must stay
 * cheap, and a further frequent word finds no other entries.
 */
const MOST_WALKED = 24
const MOST_FREQUENT = 6

/** What is known of an entry before its words are compared one by one. */
export type Candidate = { readonly slot: number; readonly found: number; readonly near: number; lean: number }

/** What leads to candidates. */
export type Leads = {
  readonly meaning: Meaning | undefined
  /** The entries with the highest sums of weight · impact for the terms, best first. */
  best(
    terms: readonly WalkTerm[],
    count: number,
    order: SlotOrder,
    accept: Accept | undefined,
  ): readonly { readonly slot: number; readonly key: number }[]
}

/** The entries that words lead to, and those that meaning leads to. */
export function gather(
  { meaning, best }: Leads,
  { terms, weight, sense }: Question,
  depth: number,
  order: SlotOrder,
  accept: Accept | undefined,
): Candidate[] {
  const most = TOP_IMPACT * weight
  const slots: number[] = []
  const found: number[] = []
  const telling = terms.length > MOST_FREQUENT ? mostTelling(terms) : terms
  for (const { slot, key } of best(telling, depth, order, accept)) {
    slots.push(slot)
    found.push((telling === terms ? key : wordScore(terms, slot)) / most)
  }
  if (!meaning || !sense) return slots.map((slot, i) => ({ slot, found: found[i]!, near: 0, lean: 1 }))
  // Where no entry has much of the words, they are in another language or in no entry: all depends on meaning then.
  const effort = (found[0] ?? 0) < WELL_FOUND ? GREAT_EFFORT : SMALL_EFFORT
  const byWords = new Set(slots)
  for (const slot of meaning.nearest(sense, depth, order, accept, effort)) {
    if (byWords.has(slot)) continue
    slots.push(slot)
    found.push(wordScore(terms, slot) / most)
  }
  const near = meaning.nearness(sense, slots)
  return slots.map((slot, i) => ({ slot, found: found[i]!, near: near[i]!, lean: 1 }))
}

function mostTelling(terms: readonly WalkTerm[]): WalkTerm[] {
  let frequent = 0
  return terms
    .toSorted((a, b) => b.weight - a.weight)
    .filter(term => term.frequent === undefined || ++frequent <= MOST_FREQUENT)
    .slice(0, MOST_WALKED)
}

/** Where few can be meant, each of them is a candidate. */
export function judgeAll(
  { meaning }: Pick<Leads, 'meaning'>,
  question: Question,
  slots: readonly number[],
): Candidate[] {
  const { terms, weight, sense } = question
  const near = meaning && sense ? meaning.nearness(sense, slots) : undefined
  return slots.map((slot, i) => ({
    slot,
    found: wordScore(terms, slot) / (TOP_IMPACT * weight),
    near: near?.[i] ?? 0,
    lean: 1,
  }))
}

function wordScore(terms: readonly WalkTerm[], slot: number): number {
  let score = 0
  for (const term of terms) {
    const at = findPosting(term, slot)
    if (at >= 0) score += term.weight * term.impacts[at]!
  }
  return score
}
