// Says in one sentence, in the language of the query, why a service is in the answer.
import { findChain } from '../domain/chains.ts'
import type { Service } from '../domain/service.ts'
import type { Status } from '../domain/standing.ts'
import type { Intent } from './intent.ts'
import type { IntentHit } from './search-index.ts'

const MAX_NAMED = 6
const STATUS_WORDS: Readonly<Record<Status, { en: string; ja: string }>> = {
  verified: { en: 'verified', ja: '検証済み' },
  unverified: { en: 'not verified', ja: '未検証' },
  inactive: { en: 'not answering now', ja: '現在停止中' },
}

const chainLabel = (network: string): string => findChain(network)?.label ?? network
const quote = (tokens: readonly string[]): string =>
  tokens
    .slice(0, MAX_NAMED)
    .map(token => `「${token}」`)
    .join('')
const list = (tokens: readonly string[]): string => tokens.slice(0, MAX_NAMED).join(', ')

export function explainHit(intent: Intent, hit: IntentHit, service: Service): string {
  const { pricePerRequest, currency } = service.pricing
  const chain = chainLabel(service.x402Config.network)
  const status = STATUS_WORDS[service.status]
  const matched = hit.matchedTokens
  if (intent.language === 'ja') {
    const why = matched.length > 0 ? `${quote(matched)}に一致` : '条件に一致'
    return `${why}。1回 ${pricePerRequest} ${currency}（${chain}）、${status.ja}。`
  }
  const why = matched.length > 0 ? `Matches ${list(matched)}` : 'Fits what was asked for'
  return `${why}; ${pricePerRequest} ${currency} on ${chain}; ${status.en}.`
}

/** One sentence about the whole answer. */
export function explainAnswer(intent: Intent, hits: readonly IntentHit[]): string {
  const japanese = intent.language === 'ja'
  if (intent.tokens.length === 0) {
    return japanese
      ? '探したいものを表す言葉が見つかりませんでした。'
      : 'No word in the query says what to look for.'
  }
  if (hits.length === 0) {
    return japanese
      ? `${quote(intent.tokens)}に合うサービスは見つかりませんでした。`
      : `Nothing here fits ${list(intent.tokens)}.`
  }
  const matched = new Set(hits.flatMap(hit => hit.matchedTokens))
  const named = intent.tokens.filter(token => matched.has(token))
  if (named.length === 0)
    return japanese ? `${hits.length}件が条件に合いました。` : `${hits.length} fit what was asked for.`
  return japanese
    ? `${quote(named)}に合うサービスが${hits.length}件あります。`
    : `${hits.length === 1 ? '1 service matches' : `${hits.length} services match`} ${list(named)}.`
}
