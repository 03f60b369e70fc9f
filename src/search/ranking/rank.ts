// Ranks entries for an intent: what its words say (BM25), what it means as a whole (vectors), and what each of its words
// means beside the words of an entry, fused into one score.

import type { Intent } from '../sentence/read-intent.ts'
import type { Accept } from '../topk/cursor.ts'
import { type SlotOrder, TopK } from '../topk/top-k.ts'
import { shorten } from './prune.ts'
import { type QuestionParts, toQuestion } from './query.ts'
import { type Comparing, compare } from './rerank.ts'
import { gather, judgeAll, type Leads } from './retrieve.ts'
import { type IntentHit, type Lean, MET_NOTHING } from './score.ts'

/** How many entries each side hands over, and how many of these are compared word by word. */
const MIN_CANDIDATES = 20
const MIN_COMPARED = 16
/** At least so many more than are asked for. */
const SPARE = 6

export type IntentRanking = QuestionParts & Leads & Comparing

export function rankIntent(
  ranking: IntentRanking,
  intent: Intent,
  count: number,
  order: SlotOrder,
  accept: Accept | undefined,
  lean: Lean = () => 1,
  among?: readonly number[],
): readonly IntentHit[] {
  if (intent.contentTokens.length === 0)
    return rankByFilter(ranking, intent, count, order, accept, lean, among)
  const question = toQuestion(ranking, intent)
  const depth = Math.max(MIN_CANDIDATES, count + SPARE)
  const candidates = among
    ? judgeAll(ranking, question, among)
    : gather(ranking, question, depth, order, accept)
  const room = Math.max(MIN_COMPARED, count + SPARE)
  const shortlist = shorten(question, candidates, room, order, lean)
  return compare(ranking, intent, question, shortlist, count, order)
}

/** Without a content word the constraints alone decide, wishes and ties the order. */
function rankByFilter(
  { present }: IntentRanking,
  intent: Intent,
  count: number,
  order: SlotOrder,
  accept: Accept | undefined,
  lean: Lean,
  among: readonly number[] | undefined,
): readonly IntentHit[] {
  if (Object.keys(intent.filter).length === 0 && intent.wishes.length === 0) return []
  const top = new TopK(count, order)
  const wished = intent.wishes.length > 0
  const offer = (slot: number) => top.collect(wished ? lean(slot) : 1, slot)
  if (among) among.forEach(offer)
  else
    present.each(slot => {
      if (accept === undefined || accept(slot)) offer(slot)
    })
  const matched = new Set(intent.constraintTokens)
  const matchedTokens = intent.tokens.filter(token => matched.has(token))
  return top.sorted().map(({ slot, key }) => ({
    slot,
    score: 1,
    matchedTokens,
    byMeaning: MET_NOTHING,
    parts: { words: 1, meaning: 0, wordMeaning: 0, lean: key },
  }))
}
