// Gathers the entries that may answer an intent: those that its words lead to, and those that its meaning leads to.

import type { SemanticIndex } from '../embedding/semantic-index.ts'
import { MAX_IMPACT } from '../index/document-terms.ts'
import { type Accept, findPosting, type PostingsCursor } from '../topk/cursor.ts'
import type { SlotOrder } from '../topk/top-k.ts'
import type { Question } from './query.ts'

/** Meaning is looked for with little effort where an entry has this much of the words, else with much. */
const WELL_FOUND = 0.3
const SMALL_EFFORT = 0.25
const GREAT_EFFORT = 1
const UNKNOWN = -1

/** What is known of entries before their words are compared one by one. */
export type Candidates = {
  readonly slots: readonly number[]
  /** How much of the words each has, 0 to 1. */
  readonly found: ArrayLike<number>
  /** How near each is in meaning, 0 to 1. */
  readonly near: Float64Array
}

/** What leads to candidates. */
export type Leads = {
  readonly semantic: SemanticIndex | undefined
  /** The entries with the highest sums of weight · impact for the terms, best first. */
  best(
    terms: readonly PostingsCursor[],
    count: number,
    order: SlotOrder,
    accept: Accept | undefined,
  ): readonly { readonly slot: number; readonly key: number }[]
}

/** The entries that words lead to, and those that meaning leads to. */
export function gather(
  { semantic, best }: Leads,
  { terms, telling, weight, embedding }: Question,
  depth: number,
  order: SlotOrder,
  accept: Accept | undefined,
): Candidates {
  const most = MAX_IMPACT * weight
  const byWords = best(telling, depth, order, accept)
  const wordsOf = ({ slot, key }: (typeof byWords)[number]) =>
    (telling === terms ? key : wordScore(terms, slot)) / most
  if (!semantic || !embedding) {
    const slots = byWords.map(({ slot }) => slot)
    return { slots, found: byWords.map(wordsOf), near: new Float64Array(slots.length) }
  }
  // Where no entry has much of the words, they are in another language or in no entry: all depends on meaning then.
  const [first] = byWords
  const probeFactor = first === undefined || wordsOf(first) < WELL_FOUND ? GREAT_EFFORT : SMALL_EFFORT
  const nearest = semantic.nearest(embedding, depth, order, { accept, probeFactor })
  const slots = [...nearest.slots]
  const found: number[] = new Array(slots.length).fill(UNKNOWN)
  for (const hit of byWords) {
    const place = nearest.slots.indexOf(hit.slot)
    if (place < 0) {
      slots.push(hit.slot)
      found.push(wordsOf(hit))
    } else found[place] = wordsOf(hit)
  }
  const led = nearest.slots.length
  for (let i = 0; i < led; i++) if (found[i] === UNKNOWN) found[i] = wordScore(terms, slots[i]!) / most
  const near = new Float64Array(slots.length)
  near.set(nearest.similarities)
  near.set(semantic.similarities(embedding, slots.slice(led)), led)
  return { slots, found, near }
}

/** Where few can be meant, each of them is a candidate. */
export function judgeAll(
  { semantic }: Pick<Leads, 'semantic'>,
  question: Question,
  slots: readonly number[],
): Candidates {
  const { terms, weight, embedding } = question
  const found = new Float64Array(slots.length)
  for (let i = 0; i < slots.length; i++) found[i] = wordScore(terms, slots[i]!) / (MAX_IMPACT * weight)
  const near =
    semantic && embedding ? semantic.similarities(embedding, slots) : new Float64Array(slots.length)
  return { slots, found, near }
}

function wordScore(terms: readonly PostingsCursor[], slot: number): number {
  let score = 0
  for (const term of terms) {
    const at = findPosting(term, slot)
    if (at >= 0) score += term.weight * term.impacts[at]!
  }
  return score
}
