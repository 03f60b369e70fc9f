// Measured figures of a service, read from memory, for cards and comparisons.
import type { LocalDirectory } from '../../directory/directory.ts'
import type { Service } from '../../domain/listing/service.ts'
import { compareDecimals } from '../../domain/money/money.ts'
import { type DollarPrice, isInDollars } from '../../domain/money/rates.ts'
import type { DeliveryCount } from '../../domain/standing/delivery.ts'
import type { Standing } from '../../domain/standing/standing.ts'
import type { TermsAnswer } from '../../domain/terms/terms.ts'
import { toLatencyText } from '../charts/latency-scale.ts'
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'

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
}

type SeenPrice = {
  /** The amount with its currency. */
  readonly price: string
  readonly isMore: boolean
}

export function readFigures(
  reads: Pick<
    LocalDirectory['reads'],
    'status' | 'latency' | 'cost' | 'payeeSeen' | 'dollarPrice' | 'isSample' | 'isRetired' | 'poorDelivery'
  >,
  service: Service,
): Figures {
  const { id, pricing, status: listedStatus } = service
  const status = reads.status(id)?.decode()
  const isProbed = status && wasProbed(service, status, reads.isRetired(id))
  const cost = reads.cost(id) ?? pricing.pricePerRequest
  return {
    asks: compareDecimals(cost, pricing.pricePerRequest) > 0 ? cost : undefined,
    elsewhere: readElsewhere(reads, service),
    uptime: isProbed ? status.uptimeScore : undefined,
    latencyMs: reads.latency(id),
    dollars: reads.dollarPrice(id),
    isSample: reads.isSample(id),
    isRetired: reads.isRetired(id),
    // The purchases of an inactive service are outdated, as are its terms.
    poorDelivery: listedStatus === 'inactive' ? undefined : reads.poorDelivery(id),
  }
}

/** The terms of an inactive service are outdated. */
export function readElsewhere(
  reads: Pick<LocalDirectory['reads'], 'payeeSeen'>,
  service: Service,
): Figures['elsewhere'] {
  const seen = service.status === 'inactive' ? undefined : reads.payeeSeen(service)
  return seen && !seen.network ? 'network' : seen && !seen.address ? 'wallet' : undefined
}

/**
 * A registration counts as a check, and so does a move to another endpoint, address or network: the times differ after the first probe.
 * A probe that ends the status of a service dates its last change too.
 */
export const wasProbed = (
  { createdAt, updatedAt, status }: Pick<Service, 'createdAt' | 'updatedAt' | 'status'>,
  { lastChecked, uptimeScore }: Pick<Standing, 'lastChecked' | 'uptimeScore'>,
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
export const toShortPercent = (percent: number): number =>
  percent === 100 ? 100 : Math.min(Math.round(10 * percent) / 10, 99.9)

/** Uptime and latency, as far as they were measured. */
export function toMeasured(view: View, { uptime, latencyMs, isSample }: Figures): Html | undefined {
  if (isSample) return undefined
  const { words, number } = view
  const parts = [
    ...(uptime === undefined ? [] : [words.search.up(words.proof.percent(number(toShortPercent(uptime))))]),
    ...(latencyMs === undefined ? [] : [toLatencyText(view, latencyMs)]),
  ]
  return parts.length === 0
    ? undefined
    : html`<p class="measured">${parts.map((part, i) => html`${i > 0 ? ' · ' : ''}<span>${part}</span>`)}</p>`
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
