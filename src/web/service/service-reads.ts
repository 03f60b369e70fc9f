// Reads everything that a service page shows, from memory and, if it is available, from the store.

import type { LocalDirectory } from '../../directory/directory.ts'
import { findTerms } from '../../directory/service-records.ts'
import { sameAddress } from '../../domain/chains/addresses.ts'
import { chainKey, chainLabel } from '../../domain/chains/chains.ts'
import type { Backing, Marks, ProvenanceRecord } from '../../domain/listing/backing.ts'
import type { Service, StatusRecord } from '../../domain/listing/service.ts'
import { compareDecimals } from '../../domain/money/money.ts'
import { type DollarPrice, isInDollars } from '../../domain/money/rates.ts'
import { readMessageRecord } from '../../domain/problems.ts'
import { PURCHASE_SOURCES } from '../../domain/purchases/purchases.ts'
import type { PurchasesAnswer } from '../../domain/purchases/purchases-view.ts'
import { parseHistoryQuery } from '../../domain/queries/queries.ts'
import { type DeliveryCount, isFailing } from '../../domain/standing/delivery.ts'
import type { History, HistoryEntry } from '../../domain/standing/history.ts'
import { isFailed, medianLatency } from '../../domain/standing/standing.ts'
import type { Trust } from '../../domain/standing/trust.ts'
import { type TermsAnswer, toProtocolName } from '../../domain/terms/terms.ts'
import { payeesOf } from '../../domain/terms/terms-view.ts'
import type { Message } from '../../messages/message.ts'
import { unlessAway } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import { toCutName, toForeign } from '../provider-text.ts'
import { toLatencyText, type View } from '../view.ts'

export type EventItem = Extract<HistoryEntry, { kind: 'event' }>
export type ProbeItem = Extract<HistoryEntry, { kind: 'probe' }>

/** undefined if the store is unavailable: the rest of the page comes from memory. */
export type StandingReads =
  | {
      readonly history: History
      readonly events: readonly EventItem[]
      /** Of its present endpoint, address and network. */
      readonly probes: readonly ProbeItem[]
      /** undefined before the first answer. */
      readonly latency: number | undefined
      readonly trust: Trust
      readonly provenance: ProvenanceRecord
    }
  | undefined

export type Found = Figures & {
  readonly service: Service
  /** Whether payments on its network are read. */
  readonly readsPayments: boolean
  readonly status: StatusRecord
  readonly backing: Backing
  /** The other services in the backing, and those through which it was bought, by id. */
  readonly others: ReadonlyMap<string, Service | undefined>
  readonly standing: StandingReads
  /** undefined if the store is unavailable. */
  readonly bought: PurchasesAnswer | undefined
  /** undefined if there are none yet, or the store is unavailable. */
  readonly terms: TermsAnswer | undefined
}

/** Maximum number of days in the chart. */
const MAX_DAYS = 90
/** Purchases of each source that are shown. */
const MAX_PURCHASES = 10
/** Pages of the history that are read to find changes among many probes. */
const MAX_PAGES = 5

/** @throws DirectoryError `not_found`, `hidden`, `not_ready` */
export async function readFound(directory: LocalDirectory, id: string): Promise<Found> {
  const reads = directory.requireCatalog()
  const service = directory.requireFound(reads.service(id), id).decode()
  const [standing, terms, bought] = await Promise.all([
    unlessAway(() => readStanding(directory, id)),
    unlessAway(() => findTerms(directory, id)),
    unlessAway(() => readPurchases(directory, id)),
  ])
  const backing = directory.requireFound(reads.backing(id), id)
  const others = [
    ...[...backing.others, ...(backing.representative ? [backing.representative] : [])].map(
      other => other.id,
    ),
    ...(bought?.purchases ?? []).flatMap(({ through }) => through ?? []),
  ]
  return {
    ...readFigures(reads, service),
    service,
    readsPayments: directory.readsPayments(service.x402Config.network),
    status: directory.requireFound(reads.status(id), id).decode(),
    backing,
    others: new Map(others.map(other => [other, reads.service(other)?.decode()])),
    standing,
    terms,
    bought,
  }
}

/** The newest of each source: reports cost payers little, and must not displace what this directory bought. */
async function readPurchases(directory: LocalDirectory, id: string): Promise<PurchasesAnswer> {
  const pages = await Promise.all(
    PURCHASE_SOURCES.map(async source =>
      (await directory.purchases(id, { limit: MAX_PURCHASES, source })).decode(),
    ),
  )
  return {
    ...pages[0]!,
    purchases: pages.flatMap(({ purchases }) => purchases).sort((a, b) => (a.id < b.id ? 1 : -1)),
    next: pages.find(({ next }) => next !== null)?.next ?? null,
  }
}

async function readStanding(directory: LocalDirectory, id: string): Promise<NonNullable<StandingReads>> {
  const [history, trusted, provenance] = await Promise.all([
    readHistory(directory, id),
    directory.trust(id),
    directory.provenance(id),
  ])
  const trust = trusted.decode()
  const events = history.items.filter(item => item.kind === 'event')
  const movedAt = events.find(isMove)?.at ?? ''
  const probes = history.items.filter(item => item.kind === 'probe' && item.at >= movedAt) as ProbeItem[]
  return {
    history,
    events,
    probes,
    latency: medianLatency(probes.map(probe => (isFailed(probe) ? null : probe.latencyMs))),
    trust,
    provenance: provenance.decode(),
  }
}

/** What was found before another endpoint, address or network was listed says nothing of the present one. */
function isMove({ type, code, before, after }: EventItem): boolean {
  if (code !== 'edited') return false
  if (type === 'pay_to') return true
  const [from, to] = [before, after] as readonly (Partial<Pick<Service, 'endpoint' | 'x402Config'>> | null)[]
  const chainOf = (part: typeof from) => part?.x402Config?.network && chainKey(part.x402Config.network)
  return to?.endpoint !== undefined || chainOf(from) !== chainOf(to)
}

async function readHistory(directory: LocalDirectory, id: string): Promise<History> {
  let history = (await directory.history(id, parseHistoryQuery({ limit: 100, days: MAX_DAYS }))).decode()
  for (let page = 1; page < MAX_PAGES && history.next !== null; page++) {
    const query = parseHistoryQuery({ limit: 100, before: history.next, days: 0 })
    const { items, next } = (await directory.history(id, query)).decode()
    history = { ...history, items: [...history.items, ...items], next }
  }
  return history
}

// Whom and where an endpoint was seen asking to be paid.

const MAX_NAMED = 5
const named = (texts: readonly string[]): string[] => [...new Set(texts)].slice(0, MAX_NAMED)

const waysOf = ({ resources }: TermsAnswer) => resources[0]?.accepts ?? []

/** Payees on the listed network other than the listed one. */
export const findPayees = (
  { paymentAddress, network }: Pick<Service['x402Config'], 'paymentAddress' | 'network'>,
  terms: TermsAnswer,
): string[] =>
  named(
    waysOf(terms)
      .filter(({ chain }) => chain === chainKey(network))
      .flatMap(payeesOf)
      .filter(payTo => !sameAddress(payTo, paymentAddress, network)),
  )

/** The protocols by which it takes payments, as people write them. */
export const protocolNamesOf = (terms: TermsAnswer): string[] =>
  named(waysOf(terms).map(({ protocol }) => toProtocolName(protocol)))

/** Labels of the networks on which it takes payments. */
export const networksOf = (terms: TermsAnswer): string[] =>
  named(waysOf(terms).map(({ chain }) => chainLabel(chain)))

// Who has confirmed a service, by one rule wherever it is shown.

/** Whose confirmation counts beside the warnings: of the listing of a stranger nobody's, and of a wallet that is not asked for none. */
export const findBackers = (
  { claimed, domain, stranger }: Pick<Marks, 'claimed' | 'domain' | 'stranger'>,
  { elsewhere, isSample }: Pick<Figures, 'elsewhere' | 'isSample'>,
): { readonly wallet: boolean; readonly domain: boolean } => {
  const isWarned = stranger || isSample
  return { wallet: claimed && !isWarned && elsewhere === undefined, domain: domain && !isWarned }
}

/** In short; undefined if nobody has. */
export function toBackerText(
  { words: { service } }: View,
  marks: Pick<Marks, 'claimed' | 'domain' | 'stranger'>,
  figures: Pick<Figures, 'elsewhere' | 'isSample'>,
): string | undefined {
  const { wallet, domain } = findBackers(marks, figures)
  const { both, byWallet, byDomain } = service.confirmed
  return wallet && domain ? both : wallet ? byWallet : domain ? byDomain : undefined
}

/** In detail. */
export function toBackingText(
  { words: { service, alerts } }: View,
  backing: Backing,
  { elsewhere }: Pick<Figures, 'elsewhere'>,
): Html {
  const { claimed, domain, representative } = backing
  const alone = html`${service.claimedByListed}<br><small>${service.claimedAlone}</small>`
  if (representative)
    return html`${alerts.stranger.title}${claimed ? html`<br>${alone}` : domain ? undefined : html`<br><small>${service.notBacked}</small>`}`
  const confirmed = html`${service.confirmed.byWallet}<br><small>${service.claimedNote}</small>`
  const signed = claimed ? (elsewhere === undefined ? confirmed : alone) : undefined
  const proved = domain
    ? html`${service.provedBy(domain.host)}<br><small>${service.provedNote[domain.names]}</small>`
    : undefined
  if (!signed && !proved) return html`${service.notBacked}`
  return html`${signed}${signed && proved ? html`<br>` : undefined}${proved}`
}

/** That it was bought through another listing, with a link unless that is gone or hidden. */
export function toBoughtListing(view: View, { others }: Found, through: string): Html {
  const name = others.get(through)?.name
  return html`<p>${view.words.service.bought.through}${name && html`${view.words.colon}<a href="${view.href(`/services/${through}`)}"${toForeign(view, name)}>${toCutName(name)}</a>`}</p>`
}

// Measured figures of a service, read from memory, for cards and comparisons.

export type Figures = {
  /** Percent; undefined before the first probe. */
  readonly uptime: number | undefined
  /** Milliseconds; undefined before the first answer. */
  readonly latencyMs: number | undefined
  /** The price that its endpoint was seen asking, if that is higher than the listed price. */
  readonly asks: string | undefined
  /** Set if its endpoint does not ask to pay the listed payee: it names another wallet, or another network. */
  readonly elsewhere: 'wallet' | 'network' | undefined
  /** undefined without an exchange rate. */
  readonly dollars: DollarPrice | undefined
  /** Whether it is an invented sample. */
  readonly isSample: boolean
  readonly isRetired: boolean
  /** Set if it was paid and did not deliver at last, or seldom. */
  readonly poorDelivery: DeliveryCount | undefined
  /** Whether no client of x402 can pay it. */
  readonly isMppOnly: boolean
  /** Whether no official client pays it as it is. */
  readonly isRefused: boolean
}

type SeenPrice = {
  /** The amount with its currency. */
  readonly price: string
  readonly isMore: boolean
}

export function readFigures(reads: ReturnType<LocalDirectory['requireCatalog']>, service: Service): Figures {
  const { id, pricing, status: listedStatus } = service
  const status = reads.status(id)?.decode()
  const isProbed = status && wasProbed(service, status, reads.isRetired(id))
  const cost = reads.cost(id) ?? pricing.pricePerRequest
  // The terms and the purchases of an inactive service are outdated.
  const isCurrent = listedStatus !== 'inactive'
  const seen = isCurrent ? reads.payeeSeen(service) : undefined
  const ways = isCurrent ? (reads.waysSeen(id) ?? []) : []
  const byX402 = ways.filter(({ protocol }) => protocol !== 'mpp')
  return {
    asks: compareDecimals(cost, pricing.pricePerRequest) > 0 ? cost : undefined,
    elsewhere: seen && !seen.network ? 'network' : seen && !seen.address ? 'wallet' : undefined,
    uptime: isProbed ? status.uptimeScore : undefined,
    latencyMs: reads.latency(id),
    dollars: reads.dollarPrice(id),
    isSample: reads.isSample(id),
    isRetired: reads.isRetired(id),
    poorDelivery: isCurrent ? reads.poorDelivery(id) : undefined,
    isMppOnly: ways.length > 0 && byX402.length === 0,
    isRefused: byX402.length > 0 && byX402.every(way => way.payableByDefaultClient === false),
  }
}

/**
 * A registration counts as a check, and so does a move to another endpoint, address or network: the times differ after the first probe.
 * A probe that ends the status of a service dates its last change too.
 */
export const wasProbed = (
  { createdAt, updatedAt, status }: Pick<Service, 'createdAt' | 'updatedAt' | 'status'>,
  { lastChecked, uptimeScore }: Pick<StatusRecord, 'lastChecked' | 'uptimeScore'>,
  isRetired: boolean,
): boolean =>
  uptimeScore > 0 ||
  (lastChecked !== createdAt && (lastChecked !== updatedAt || (status !== 'unverified' && !isRetired)))

/** The price that the endpoint was seen asking, if it differs from the listed price. */
export function findSeenPrice(terms: TermsAnswer | undefined): SeenPrice | undefined {
  const note = terms?.noteCodes.find(({ code }) => code === 'seen_asking')
  if (!note) return undefined
  return { price: String(note.values.price), isMore: note.values.isMore === true }
}

/** As text; a higher price is marked as a warning. */
export function toAsks({ words }: View, { price, isMore }: SeenPrice): Html {
  const text = words.proof.asks(price)
  return isMore ? html`<b class="wrong">${text}</b>` : html`${text}`
}

/** One decimal; 100 only if nothing is missing. */
const toShortPercent = (percent: number): number =>
  percent === 100 ? 100 : Math.min(Math.round(10 * percent) / 10, 99.9)

/** Uptime and latency, as far as they were measured, and the trust of what is verified: there it gives the order. */
export function toMeasured(
  view: View,
  { trustScore, status }: Service,
  { uptime, latencyMs, isSample }: Figures,
): Html | undefined {
  if (isSample) return undefined
  const { words, number } = view
  const parts = [
    // Of what refuses probes nothing is known; what never answers one is soon inactive.
    ...(uptime === undefined || (uptime === 0 && status === 'unverified')
      ? []
      : [words.search.up(words.proof.percent(number(toShortPercent(uptime))))]),
    ...(latencyMs === undefined ? [] : [toLatencyText(view, latencyMs)]),
  ]
  const measured = parts.map((part, i) => html`${i > 0 ? ' · ' : ''}<span class="figure">${part}</span>`)
  return html`${parts.length > 0 ? html`<p>${measured}</p>` : undefined}${status === 'verified' ? html`<p>${words.proof.trustOf(number(trustScore))}</p>` : undefined}`
}

/** The price in dollars; undefined for dollars and dollar stablecoins, and without an exchange rate. */
export function toOtherMeasure(
  view: View,
  { pricing: { currency } }: Service,
  { dollars }: Figures,
): string | undefined {
  return dollars && !isInDollars(currency)
    ? view.words.search.about(toShortAmount(dollars.amount))
    : undefined
}

/** Three significant digits, because exchange rates are not more precise. */
export const toShortAmount = (amount: string): string => {
  const number = Number(amount)
  return number === 0
    ? '0'
    : number >= 100
      ? number.toFixed(0)
      : Number(number.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 12, useGrouping: false })
}

/** undefined for an event without a reason. */
export const messageOf = (record: Pick<EventItem, 'reason' | 'code' | 'values'>): Message | undefined =>
  record.reason === null ? undefined : readMessageRecord(record, record.reason)

/** When the listing last changed; undefined for one that is still as it was registered. @param events newest first */
export const findListingChange = (events: readonly EventItem[]): string | undefined =>
  events.find(event => event.type === 'updated' || messageOf(event)?.code === 'edited')?.at

export type Payable = Pick<Found, 'service' | 'terms' | 'backing' | 'isRetired' | 'poorDelivery'>

/**
 * What a page warns against does not invite a payment: a service that is retired or does not answer, one that another entry
 * represents, one that did not deliver several times in a row, and one that asks for more than listed or for another payee.
 */
export function canBePaid({ isRetired, service, backing, terms, poorDelivery }: Payable): boolean {
  if (isRetired || service.status === 'inactive' || backing.representative) return false
  if (isFailing(poorDelivery)) return false
  return !terms || (terms.asListed.address && terms.asListed.network && terms.asListed.price !== 'higher')
}
