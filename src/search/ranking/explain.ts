// Says in one sentence, in the language of the query, why a service is in the answer.
import { categoryLabels } from '../../domain/categories.ts'
import { findChain } from '../../domain/chains.ts'
import type { Service } from '../../domain/service.ts'
import type { Status } from '../../domain/standing.ts'
import type { Intent } from '../sentence/read-intent.ts'
import { foldWidth } from '../text/analyzer.ts'
import { LANGUAGES } from '../text/languages/languages.ts'
import type { IntentHit } from './score.ts'

/** What a reason tells of a service. Its texts may be costly to read. */
export type Offered = Pick<Service, 'pricing' | 'status' | 'name' | 'description' | 'category'> & {
  readonly x402Config: Pick<Service['x402Config'], 'network'>
}

const MAX_NAMED = 6
const STATUS_WORDS: Readonly<Record<Status, { en: string; ja: string }>> = {
  verified: { en: 'verified', ja: '検証済み' },
  unverified: { en: 'not verified', ja: '未検証' },
  inactive: { en: 'not answering now', ja: '現在停止中' },
}

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

const IS_LETTER = /[\p{L}\p{N}]/u
/** A word goes at most this far beyond its stem: forecast|ing. */
const LONGEST_ENDING = 5

/** The word of a text that has the stem, as it is written there in lower case. */
function findWord(text: string, stem: string): string | undefined {
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    if (LANGUAGES.ofWord(stem).code === 'ja') return stem
    if (at > 0 && IS_LETTER.test(text[at - 1]!)) continue
    let end = at + stem.length
    while (end < text.length && /[a-z]/.test(text[end]!)) end++
    if (end - at - stem.length <= LONGEST_ENDING) return text.slice(at, end)
  }
  return undefined
}

/** The matched content tokens, each with the word that it met in meaning: `天気 → weather`. */
function namedMatches(intent: Intent, hit: IntentHit, service: Offered): string[] {
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
    // The y of a plural in -ies is not in the text: currenc|ies.
    const met = findWord(text, stem) ?? (stem.endsWith('y') ? findWord(text, stem.slice(0, -1)) : undefined)
    named.push(met === undefined || met === token ? token : `${token} → ${met}`)
  }
  return named
}

/** Takes a reason piece by piece. */
export type Say = (text: string) => void

/** What the service offers in the places where something was asked for, and its standing in any case. */
function tellOffer(say: Say, { filter, wishes, language }: Intent, service: Offered): void {
  const { pricePerRequest, currency, freeQuota } = service.pricing
  const japanese = language === 'ja'
  const between = japanese ? '、' : '; '
  if (japanese) say('1回 ')
  say(pricePerRequest)
  say(' ')
  say(currency)
  say(japanese ? '（' : ' on ')
  say(chainLabel(filter.chain ?? service.x402Config.network))
  if (japanese) say('）')
  if (freeQuota > 0 && (filter.free !== undefined || wishes.includes('free')))
    say(between + (japanese ? `無料枠 ${freeQuota} 回` : `${freeQuota} free requests`))
  if (filter.category !== undefined) {
    const labels = categoryLabels(service.category)
    say(between + (japanese ? `カテゴリ「${labels.ja}」` : `category ${labels.en}`))
  }
  say(between)
  say(STATUS_WORDS[service.status][language])
  say(japanese ? '。' : '.')
}

/** What the hit matched, up to where its offer follows. */
function explainMatch(intent: Intent, hit: IntentHit, service: Offered): string {
  const matches = namedMatches(intent, hit, service)
  if (intent.language === 'ja') {
    const nearSubject = intent.contentTokens.length === 0 ? '条件に一致' : '内容が近い'
    return `${matches.length > 0 ? `${quote(matches)}に一致` : nearSubject}。`
  }
  const nearSubject = intent.contentTokens.length === 0 ? 'Meets the conditions' : 'Close in meaning'
  return `${matches.length > 0 ? `Matches ${matches.join(', ')}` : nearSubject}; `
}

/** Explains the hits of one answer. What matched is put into words once for all hits that share the list of it. */
export function createExplainer(intent: Intent): (say: Say, hit: IntentHit, service: Offered) => void {
  const matches = new Map<readonly string[], string>()
  return (say, hit, service) => {
    const isShared = hit.byMeaning.size === 0
    let match = isShared ? matches.get(hit.matchedTokens) : undefined
    if (match === undefined) {
      match = explainMatch(intent, hit, service)
      if (isShared) matches.set(hit.matchedTokens, match)
    }
    say(match)
    tellOffer(say, intent, service)
  }
}

function quote(tokens: readonly string[]): string {
  let quoted = ''
  for (let i = 0; i < tokens.length && i < MAX_NAMED; i++) quoted += `「${tokens[i]}」`
  return quoted
}

/** The constraints that were applied, as one would say them. */
function conditions({ constraints, filter, language }: Intent): string {
  const { maxPricePerRequest, currency, chain, status, category, freeQuota } = constraints
  const japanese = language === 'ja'
  const said: string[] = []
  if (maxPricePerRequest !== undefined) {
    const sum = currency === undefined ? maxPricePerRequest : `${maxPricePerRequest} ${currency}`
    if (filter.maxPrice?.below) said.push(japanese ? `1回 ${sum} 未満` : `under ${sum} a request`)
    else said.push(japanese ? `1回 ${sum} 以下` : `at most ${sum} a request`)
  } else if (currency !== undefined) said.push(japanese ? `${currency} 払い` : `paid in ${currency}`)
  if (chain !== undefined) said.push(japanese ? `${chainLabel(chain)} 上` : `on ${chainLabel(chain)}`)
  if (status !== undefined) said.push(STATUS_WORDS[status][language])
  if (category !== undefined)
    said.push(japanese ? `カテゴリ「${categoryLabels(category).ja}」` : `in ${categoryLabels(category).en}`)
  if (freeQuota !== undefined) said.push(japanese ? '無料枠あり' : 'with free requests')
  return said.join(japanese ? '、' : ', ')
}

/** One sentence about the whole answer. @param matchedTokens those of the query that any hit matched */
export function explainAnswer(
  intent: Intent,
  { hits, matchedTokens }: { readonly hits: readonly IntentHit[]; readonly matchedTokens: readonly string[] },
): string {
  const japanese = intent.language === 'ja'
  if (intent.tokens.length === 0) {
    return japanese
      ? '探したいものを表す言葉が見つかりませんでした。'
      : 'No word in the query says what to look for.'
  }
  const limits = conditions(intent)
  const within = limits === '' ? '' : japanese ? `（条件：${limits}）` : ` (${limits})`
  const subject =
    intent.contentTokens.length === 0
      ? ''
      : japanese
        ? quote(intent.contentTokens)
        : intent.contentTokens.slice(0, MAX_NAMED).join(', ')
  if (hits.length === 0) {
    if (japanese) return `${subject === '' ? '条件' : subject}に合うサービスは見つかりませんでした${within}。`
    return `Nothing here fits ${subject === '' ? 'the conditions' : subject}${within}.`
  }
  const named = intent.contentTokens.filter(token => matchedTokens.includes(token))
  const count = hits.length === 1 ? '1 service' : `${hits.length} services`
  if (japanese) {
    return `${named.length > 0 ? quote(named) : subject === '' ? '条件' : '内容'}に合うサービスが${hits.length}件あります${within}。`
  }
  if (named.length > 0) return `${count} for ${named.slice(0, MAX_NAMED).join(', ')}${within}.`
  return subject === ''
    ? `${count} meet${hits.length === 1 ? 's' : ''} the conditions${within}.`
    : `${count} close in meaning${within}.`
}
