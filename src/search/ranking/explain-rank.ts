// Says where an entry stands for a sentence: the entries before it, which part of the score puts each of them there, and what would help.
// A part decides if the score would gain most by it, were it that of the entry before.

import type { LanguageCode } from '../../domain/languages/languages.ts'
import { toSaid } from '../../domain/problems.ts'
import { type Deciding, MAX_LIMIT, type Rank, type RankQuery } from '../../domain/queries/queries.ts'
import type { SlotTest } from '../../memory/sorted-slots.ts'
import { type Message, say, unique } from '../../messages/message.ts'
import { type Intent, inOneMeasure, relaxations } from '../sentence/intent.ts'
import { type RankingSource, rankUnderConditions, toIncluded } from './answer.ts'
import { SCORE_STEPS } from './final-order.ts'
import { toStandingPrior, UNPROVED } from './prior.ts'
import { toConditionTexts } from './reasons.ts'
import { finalScore, fittingOf, type IntentHit, NO_SIMILAR_WORDS, type ScoreParts } from './rerank.ts'

const MAX_BEFORE = 5
const MAX_NAMED = 6

export function explainRank(
  source: RankingSource,
  { q }: RankQuery,
  { id, slot }: { readonly id: string; readonly slot: number },
  { language, allowed }: { readonly language: LanguageCode; readonly allowed?: SlotTest | undefined },
): Rank {
  const intent = source.index.readIntent(q, language)
  const { hits, total } = rankUnderConditions(source, intent, MAX_LIMIT, { allowed })
  const fitting = hits.filter(({ isWeak }) => !isWeak)
  const at = fitting.findIndex(hit => hit.slot === slot)
  const unmet = findUnmet(source, intent, slot)
  const own = fitting[at] ?? (unmet.length > 0 ? undefined : scoreAlone(source, intent, slot))
  const first = fittingOf(fitting.map(({ parts }) => parts))
  const before = own ? fitting.slice(0, at === -1 ? MAX_BEFORE : Math.min(at, MAX_BEFORE)) : []
  const decisions = before.map(hit => ({ hit, decides: decide(source, own!, hit, first) }))
  const help = unique([
    ...unmet.map(({ text }) => say('rank_condition', { condition: text })),
    ...decisions.flatMap(({ hit, decides }) => helpOf(source, intent, decides, own!, hit)),
  ])
  return {
    id,
    query: q,
    position: at === -1 ? null : at + 1,
    total: fitting.length > 0 ? total : 0,
    score: at === -1 ? null : rounded(own!.score),
    parts: own ? toParts(source, own) : null,
    unmet: unmet.map(({ name }) => name),
    before: decisions.map(({ hit, decides }, i) => {
      const { id, name } = source.service(hit.slot).decode()
      return { id, name, position: i + 1, score: rounded(hit.score), parts: toParts(source, hit), decides }
    }),
    help: help.map(toSaid),
  }
}

/** The score of an entry that is not among the first. Its parts are 0 if it has nothing of the sentence. */
function scoreAlone(source: RankingSource, intent: Intent, slot: number): IntentHit {
  const [hit] = rankUnderConditions(source, intent, 1, { allowed: each => each === slot }).hits
  const prior = toStandingPrior(source.standingOf(slot))
  const parts = { bm25: 0, cosine: 0, maxSim: 0, relevance: 0, words: 0, prior }
  return hit ?? { slot, score: 0, matchedTokens: [], similarWords: NO_SIMILAR_WORDS, parts }
}

const rounded = (value: number): number => Math.round(value * SCORE_STEPS) / SCORE_STEPS

/** Returns the conditions of the sentence that an entry does not meet, with their words. */
function findUnmet(
  source: RankingSource,
  intent: Intent,
  slot: number,
): { readonly name: Rank['unmet'][number]; readonly text: string }[] {
  const texts = toConditionTexts(intent)
  const isUnmet = (wider: Intent): boolean => {
    const alone = Object.entries(intent.filter).filter(([name]) => !(name in wider.filter))
    const accept = source.acceptor(inOneMeasure(Object.fromEntries(alone), source.rates))
    return !accept?.(slot)
  }
  const unmet = relaxations(intent)
    .filter(({ intent: wider }) => isUnmet(wider))
    .map(({ relaxed }) => ({ name: relaxed, text: texts[relaxed] ?? relaxed }))
  const isIncluded = toIncluded(source, intent)?.(slot) ?? true
  return isIncluded ? unmet : [...unmet, { name: 'excluded', text: texts.excluded ?? 'excluded' }]
}

/** The prior without what wishes take from it, and what they leave. */
function splitPrior(source: RankingSource, { slot, parts }: IntentHit) {
  const prior = toStandingPrior(source.standingOf(slot))
  return { ...prior, wish: Math.min(1, parts.prior.factor / prior.factor) }
}

function toParts(source: RankingSource, hit: IntentHit): NonNullable<Rank['parts']> {
  const { words, relevance } = hit.parts
  const { factor, limit, wish } = splitPrior(source, hit)
  return {
    words: rounded(words),
    meaning: rounded(relevance - words),
    standing: rounded(factor),
    limit: rounded(limit),
    wish: rounded(wish),
  }
}

/** Whether it is placed after all others, whatever its score. */
const setBack = (source: RankingSource, { slot }: IntentHit): 'danger' | 'sample' | undefined =>
  source.dangerOf(slot) !== undefined ? 'danger' : source.ranksBehindReal(slot) ? 'sample' : undefined

/** Returns what puts `other` before `own`. @param first the relevance that fits as well as that of the first */
function decide(source: RankingSource, own: IntentHit, other: IntentHit, first: number): Deciding {
  const back = setBack(source, own)
  if (back && back !== setBack(source, other)) return back
  const { words, relevance, prior } = own.parts
  const isDemoted = own.demotion !== undefined && other.demotion === undefined
  if (isDemoted && finalScore(own.parts, first) >= other.score)
    return own.demotion === 'copy' ? 'copy' : 'seller'
  const [mine, theirs] = [splitPrior(source, own), splitPrior(source, other)]
  const changed: Readonly<Partial<Record<Deciding, Pick<ScoreParts, 'relevance' | 'prior'>>>> = {
    words: { relevance: relevance - words + other.parts.words, prior },
    meaning: { relevance: words + other.parts.relevance - other.parts.words, prior },
    standing: { relevance, prior: { ...theirs, factor: theirs.factor * mine.wish } },
    wish: { relevance, prior: { ...mine, factor: mine.factor * theirs.wish } },
  }
  const present = finalScore(own.parts, first)
  const gains = Object.entries(changed).map(
    ([part, parts]) => [part as Deciding, finalScore(parts, first) - present] as const,
  )
  const [part, gain] = gains.reduce((best, each) => (each[1] > best[1] ? each : best))
  return gain > 0 ? part : 'tie'
}

/** What would help against an entry that is before. */
function helpOf(
  source: RankingSource,
  intent: Intent,
  decides: Deciding,
  own: IntentHit,
  other: IntentHit,
): Message[] {
  switch (decides) {
    case 'words': {
      const missing = other.matchedTokens.filter(
        token =>
          intent.contentTokens.includes(token) &&
          (!own.matchedTokens.includes(token) || own.similarWords.has(token)),
      )
      return [
        missing.length > 0
          ? say('rank_words', { words: missing.slice(0, MAX_NAMED) })
          : say('rank_words_placed'),
      ]
    }
    case 'meaning':
      return [say('rank_meaning')]
    case 'standing':
      return [toStandingHelp(source, own.slot)]
    case 'wish':
      return intent.wishes.map(wish =>
        say('rank_wish', { wish: intent.language.reasons.conditions.wishes[wish] }),
      )
    case 'seller':
      return [say('rank_seller')]
    case 'copy':
      return [say('rank_copy')]
    case 'danger':
      return [say('rank_danger')]
    case 'sample':
      return [say('rank_sample')]
    case 'tie':
      return [say('rank_tie')]
  }
}

function toStandingHelp({ standingOf, isVerified, marksOf }: RankingSource, slot: number): Message {
  const { status, proof } = standingOf(slot)
  if (status !== 'verified') return isVerified(slot) ? say('rank_deliver') : say('rank_verify')
  const { claimed, domain } = marksOf(slot)
  return proof > UNPROVED || claimed || domain ? say('rank_proof') : say('rank_claim')
}
