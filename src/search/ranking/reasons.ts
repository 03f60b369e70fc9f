// Explains in one sentence, in the language of the query, why a service is a result.

import { chainKey, chainLabel } from '../../domain/chains/chains.ts'
import type { Service } from '../../domain/listing/service.ts'
import { CONSTRAINT_NAMES, type ConstraintName } from '../../domain/queries/filters.ts'
import type { Constraints } from '../../domain/queries/queries.ts'
import { toProtocolName } from '../../domain/terms/terms.ts'
import { isOneEdit } from '../index/postings.ts'
import type { Intent } from '../sentence/intent.ts'
import { foldWidth } from '../text/analyzer.ts'
import type { Languages } from '../text/languages/languages.ts'
import type { IntentHit } from './rerank.ts'

/** What an explanation says about a service. */
export type ExplainedService = Pick<
  Service,
  'pricing' | 'status' | 'name' | 'description' | 'category' | 'endpoint' | 'supportedChains'
> & {
  readonly x402Config: Pick<Service['x402Config'], 'network'>
}

const MAX_NAMED = 6
/** Between a word of the query and the similar word of the service. */
const SIMILAR = ' → '

/**
 * Returns what a word of the lexicon was found for: all words of the query that it is an equivalent of, where they stand
 * together (仮想通貨, of which 通貨 is the token), or the token.
 */
function findEquivalent({ equivalents, subject }: Intent, token: string, word: string): string | undefined {
  const found = equivalents.get(token)?.find(({ others }) => others.includes(word))
  return found && (subject.toLowerCase().includes(found.written) ? found.written : token)
}

/** What the words of a service are found in, lower-case. */
const textOf = ({ name, description, category, endpoint }: ExplainedService): string =>
  foldWidth([name, description, category, endpoint].join(' ')).toLowerCase()

/** Returns a matched word as the text has it: the same, another form of it, or without a typo. */
function findWritten(text: string, word: string, languages: Languages): string | undefined {
  const { toStem, findForm } = languages.ofWord(word).text
  return (
    findForm(text, word) ??
    findForm(text, toStem(word)) ??
    (text.includes(word) ? word : text.match(/[\p{L}\p{N}]+/gu)?.find(other => isOneEdit(other, word)))
  )
}

/**
 * Returns the matched content tokens as the service has them, or each with the words that it was matched by: `天気 → weather`.
 * Similarity to part of a word explains nothing: receipt is not とり in よみとり.
 */
function namedMatches(
  intent: Intent,
  hit: IntentHit,
  service: ExplainedService,
  languages: Languages,
): string[] {
  const named = new Set<string>()
  const text = textOf(service)
  const labels = languages.all.map(each => each.categoryLabel(service.category).toLowerCase()).join(' ')
  for (const token of hit.matchedTokens) {
    if (named.size === MAX_NAMED) break
    if (!intent.contentTokens.includes(token)) continue
    const words = hit.similarWords.get(token)
    const equivalent = words === undefined ? undefined : findEquivalent(intent, token, words)
    const found =
      words === undefined
        ? (findWritten(text, token, languages) ??
          (findWritten(labels, token, languages) && service.category.toLowerCase()))
        : equivalent === undefined
          ? languages.ofWord(words).text.findForm(text, words)
          : findWritten(text, words, languages)
    if (found !== undefined) named.add(found === token ? token : (equivalent ?? token) + SIMILAR + found)
  }
  return [...named]
}

/** Returns the requested chain that the service is paid on. */
function toPaidOn(wanted: Intent['filter']['chain'], service: ExplainedService): string {
  if (typeof wanted === 'string') return wanted
  const supported = service.supportedChains.map(chainKey)
  return wanted?.find(chain => supported.includes(chainKey(chain))) ?? service.x402Config.network
}

/** The price and the status of the service, and between them what else was requested. */
function describe(
  { filter, wishes, language }: Intent,
  service: ExplainedService,
  { demotion: cause, above }: Pick<IntentHit, 'demotion' | 'above'>,
): string {
  const { pricePerRequest, currency, freeQuota } = service.pricing
  const { price, between, freeRequests, inCategory, statuses, demotion, end } = language.reasons
  const parts = [price(pricePerRequest, currency, chainLabel(toPaidOn(filter.chain, service)))]
  if (freeQuota > 0 && (filter.freeQuota !== undefined || wishes.includes('free')))
    parts.push(freeRequests(freeQuota))
  if (filter.category !== undefined) parts.push(inCategory(language.categoryLabel(service.category)))
  parts.push(statuses[service.status])
  if (cause !== undefined) parts.push(demotion[cause](above))
  return parts.join(between) + end
}

export type Explain = (
  intent: Intent,
  hit: IntentHit,
  service: ExplainedService,
  languages: Languages,
) => string

/** What the hit matched; its description follows. */
const explainMatch: Explain = (intent, hit, service, languages) => {
  const { matches, meetsConditions, closeInMeaning, weak } = intent.language.reasons
  if (hit.isWeak) return weak
  const named = namedMatches(intent, hit, service, languages)
  if (named.length > 0) return matches(named)
  return intent.contentTokens.length === 0 ? meetsConditions : closeInMeaning
}

/** Explains why a service is a result. */
export const explainHit: Explain = (intent, hit, service, languages) =>
  explainMatch(intent, hit, service, languages) + describe(intent, service, hit)

/**
 * Explains only what cannot be seen in the service itself: words matched by others, similarity, and demotion. Empty when
 * the text of the service has all the words.
 */
export const explainBriefly: Explain = (intent, hit, service, languages) => {
  const { matches, closeInMeaning, demotion, end, gap } = intent.language.reasons
  const demoted = hit.demotion === undefined ? [] : [capitalised(demotion[hit.demotion](hit.above)) + end]
  if (hit.isWeak) return demoted.join('')
  const named = namedMatches(intent, hit, service, languages)
  const similar = named.filter(name => {
    const [asked, found] = name.split(SIMILAR)
    // Another form of a word is seen as the word.
    return found !== undefined && !found.startsWith(asked!) && !asked!.startsWith(found)
  })
  const isUnnamed = named.length === 0 && intent.contentTokens.length > 0
  const match = similar.length > 0 ? matches(similar) : isUnnamed ? closeInMeaning : undefined
  return [...(match === undefined ? [] : [toSentence(match, end)]), ...demoted].join(gap)
}

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Replaces the separator at the end by the end of a sentence. */
const toSentence = (beginning: string, end: string): string => beginning.trim().replace(/[;。]$/, '') + end

/** Returns a constraint in words; undefined when it is part of another. */
const CONDITIONS: {
  readonly [N in ConstraintName]: (value: NonNullable<Constraints[N]>, intent: Intent) => string | undefined
} = {
  maxPricePerRequest(amount, { constraints: { currency }, filter, language }) {
    const { below, atMost } = language.reasons.conditions
    const sum = currency === undefined ? amount : `${amount} ${currency}`
    return filter.maxPricePerRequest?.below ? below(sum) : atMost(sum)
  },
  currency: (currency, { constraints, language }) =>
    constraints.maxPricePerRequest === undefined ? language.reasons.conditions.paidIn(currency) : undefined,
  chain: (chain, { language }) => language.reasons.conditions.on([chain].flat().map(chainLabel).join(' / ')),
  status: (status, { language }) => language.reasons.statuses[status],
  category: (category, { language }) =>
    language.reasons.conditions.inCategory(language.categoryLabel(category)),
  freeQuota: (_, { language }) => language.reasons.conditions.free,
  protocol: (protocol, { language }) => language.reasons.conditions.by(toProtocolName(protocol)),
}

/** Returns each applied constraint and the exclusions in words. */
export function toConditionTexts(
  intent: Intent,
): Readonly<Partial<Record<ConstraintName | 'excluded', string>>> {
  const { conditions } = intent.language.reasons
  const { excluded = [] } = intent.constraints
  const texts: Partial<Record<ConstraintName | 'excluded', string>> = {}
  for (const name of CONSTRAINT_NAMES) {
    const value = intent.constraints[name]
    const toText = CONDITIONS[name] as (value: unknown, intent: Intent) => string | undefined
    const text = value === undefined ? undefined : toText(value, intent)
    if (text !== undefined) texts[name] = text
  }
  if (excluded.length > 0)
    texts.excluded = conditions.join(excluded.map(name => conditions.excluded(chainLabel(name))))
  return texts
}

/** Returns the applied constraints, the exclusions and the wishes in words. */
function toConditions(intent: Intent): string {
  const { conditions } = intent.language.reasons
  const wished = intent.wishes.map(wish => conditions.wishes[wish])
  return conditions.join([...Object.values(toConditionTexts(intent)), ...wished])
}

/**
 * Returns the words of the request that no service has and no hit matches. A single character is part of other words.
 * @param isAbsent whether no service has this word
 */
export const toAbsent = (
  intent: Intent,
  hits: readonly IntentHit[],
  isAbsent: (word: string) => boolean,
): string[] => {
  const matched = new Set(hits.flatMap(({ matchedTokens }) => matchedTokens))
  return intent.contentTokens
    .filter(token => token.length > 1 && !matched.has(token) && isAbsent(token))
    .slice(0, MAX_NAMED)
}

/**
 * Returns the names in the request that no hit matches together with another word: weather in Tokyo finds services that
 * may be of any place. None where names are all it says.
 */
export function toUnmet(
  { contentTokens, equivalents }: Intent,
  hits: readonly IntentHit[],
  absentTokens: readonly string[],
): string[] {
  const namesOf = (token: string) => equivalents.get(token)?.filter(({ nameOf }) => nameOf === 'thing') ?? []
  const others = new Set(contentTokens.filter(token => namesOf(token).length === 0))
  if (others.size === 0) return []
  const fitting = hits.filter(hit => !hit.isWeak && hit.matchedTokens.some(token => others.has(token)))
  const met = new Set([...absentTokens, ...fitting.flatMap(({ matchedTokens }) => matchedTokens)])
  const names = contentTokens.flatMap(token => (met.has(token) ? [] : namesOf(token)))
  return [...new Set(names.map(({ written }) => written))]
}

/** Summarises the whole answer in one sentence. @param matchedTokens the tokens of the query that any hit matched */
export function explainAnswer(
  intent: Intent,
  {
    hits,
    total,
    matchedTokens,
    absentTokens,
    isBrief = false,
  }: {
    readonly hits: readonly IntentHit[]
    /** The total number of matches. */
    readonly total: number
    readonly matchedTokens: readonly string[]
    readonly absentTokens: readonly string[]
    /** Whether the conditions, and that hits are weak, are shown next to the sentence. */
    readonly isBrief?: boolean
  },
): string {
  const { noWord, nothing, onlyWeak, found, mentionedByNone } = intent.language.reasons
  if (intent.tokens.length === 0) return noWord
  // Without a result, the conditions are part of what was not found.
  const conditions = isBrief && total > 0 ? '' : toConditions(intent)
  const subject = intent.contentTokens.slice(0, MAX_NAMED)
  if (total === 0) return nothing(subject, conditions) + (hits.length > 0 && !isBrief ? onlyWeak : '')
  const matched = intent.contentTokens.filter(
    token => matchedTokens.includes(token) && !absentTokens.includes(token),
  )
  const summary = found(total, subject, matched.slice(0, MAX_NAMED), conditions)
  const absent = absentTokens.length > 0 ? mentionedByNone(absentTokens) : ''
  return summary + absent
}
