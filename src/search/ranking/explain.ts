// Says in one sentence, in the language of the query, why a service is in the answer.
import { findChain } from '../../domain/chains.ts'
import type { Service } from '../../domain/service.ts'
import type { Intent } from '../sentence/read-intent.ts'
import { foldWidth } from '../text/analyzer.ts'
import type { Say } from '../text/languages/language.ts'
import type { Languages } from '../text/languages/languages.ts'
import type { IntentHit } from './score.ts'

/** What a reason tells of a service. */
export type Offered = Pick<Service, 'pricing' | 'status' | 'name' | 'description' | 'category'> & {
  readonly x402Config: Pick<Service['x402Config'], 'network'>
}

const MAX_NAMED = 6
const MAX_REMEMBERED = 1_024
const labels = new Map<string, string>()

function chainLabel(network: string): string {
  let label = labels.get(network)
  if (label === undefined) {
    label = findChain(network)?.label ?? network
    if (labels.size >= MAX_REMEMBERED) labels.clear()
    labels.set(network, label)
  }
  return label
}

/** The matched content tokens, each with the word that it met in meaning: `天気 → weather`. */
function namedMatches(intent: Intent, hit: IntentHit, service: Offered, languages: Languages): string[] {
  const named: string[] = []
  let text: string | undefined
  for (const token of hit.matchedTokens) {
    if (named.length === MAX_NAMED) break
    if (!intent.contentTokens.includes(token)) continue
    const stem = hit.byMeaning.get(token)
    if (stem === undefined) {
      named.push(token)
      continue
    }
    text ??= foldWidth(`${service.name} ${service.description} ${service.category}`).toLowerCase()
    const met = languages.ofWord(stem).text.findForm(text, stem)
    named.push(met === undefined || met === token ? token : `${token} → ${met}`)
  }
  return named
}

/** What the service offers in the places where something was asked for, and its standing in any case. */
function sayOffer(say: Say, { filter, wishes, language }: Intent, service: Offered): void {
  const { pricePerRequest, currency, freeQuota } = service.pricing
  const { sayPrice, between, freeRequests, inCategory, statuses, end } = language.reasons
  sayPrice(say, pricePerRequest, currency, chainLabel(filter.chain ?? service.x402Config.network))
  if (freeQuota > 0 && (filter.free !== undefined || wishes.includes('free')))
    say(between + freeRequests(freeQuota))
  if (filter.category !== undefined) say(between + inCategory(language.categoryLabel(service.category)))
  say(between)
  say(statuses[service.status])
  say(end)
}

/** What the hit matched, up to where its offer follows. */
function explainMatch(intent: Intent, hit: IntentHit, service: Offered, languages: Languages): string {
  const { matches, meetsConditions, closeInMeaning } = intent.language.reasons
  const named = namedMatches(intent, hit, service, languages)
  if (named.length > 0) return matches(named)
  return intent.contentTokens.length === 0 ? meetsConditions : closeInMeaning
}

/** Explains the hits of one answer. What matched is put into words once for all hits that share the list of it. */
export function createExplainer(
  intent: Intent,
  languages: Languages,
): (say: Say, hit: IntentHit, service: Offered) => void {
  const matches = new Map<readonly string[], string>()
  return (say, hit, service) => {
    const isShared = hit.byMeaning.size === 0
    let match = isShared ? matches.get(hit.matchedTokens) : undefined
    if (match === undefined) {
      match = explainMatch(intent, hit, service, languages)
      if (isShared) matches.set(hit.matchedTokens, match)
    }
    say(match)
    sayOffer(say, intent, service)
  }
}

/** The constraints that were applied, as one would say them. */
function toConditions({ constraints, filter, language }: Intent): string {
  const { maxPricePerRequest, currency, chain, status, category, freeQuota } = constraints
  const { statuses, conditions } = language.reasons
  const said: string[] = []
  if (maxPricePerRequest !== undefined) {
    const sum = currency === undefined ? maxPricePerRequest : `${maxPricePerRequest} ${currency}`
    said.push(filter.maxPrice?.below ? conditions.below(sum) : conditions.atMost(sum))
  } else if (currency !== undefined) said.push(conditions.paidIn(currency))
  if (chain !== undefined) said.push(conditions.on(chainLabel(chain)))
  if (status !== undefined) said.push(statuses[status])
  if (category !== undefined) said.push(conditions.inCategory(language.categoryLabel(category)))
  if (freeQuota !== undefined) said.push(conditions.free)
  return conditions.join(said)
}

/** One sentence about the whole answer. @param matchedTokens those of the query that any hit matched */
export function explainAnswer(
  intent: Intent,
  { hits, matchedTokens }: { readonly hits: readonly IntentHit[]; readonly matchedTokens: readonly string[] },
): string {
  const { noWord, nothing, found } = intent.language.reasons
  if (intent.tokens.length === 0) return noWord
  const conditions = toConditions(intent)
  const subject = intent.contentTokens.slice(0, MAX_NAMED)
  if (hits.length === 0) return nothing(subject, conditions)
  const matched = intent.contentTokens.filter(token => matchedTokens.includes(token)).slice(0, MAX_NAMED)
  return found(hits.length, subject, matched, conditions)
}
