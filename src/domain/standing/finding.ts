// What a probe found: what is remembered of it, and which events follow from it; pure.

import { say } from '../../messages/message.ts'
import { sameAddress } from '../chains/addresses.ts'
import type { ServiceEvent } from '../feed.ts'
import { compareDecimals } from '../money/money.ts'
import { digestOf, type Price, type Seen, type SeenTerms, toSeenResources } from '../terms/terms.ts'
import { arrivedAt, type FurtherPayee } from '../terms/terms-view.ts'
import { isCounted, type ProbeRecord } from './standing.ts'

// The finding of a probe: what the next probe and its judgement need to know.

/** The terms of a readable 402 response. */
export type Terms = {
  /** The addresses to pay on the registered network. */
  readonly payTo: readonly string[]
  /** null if the asset is not known. */
  readonly price: Price | null
  /** Chains other than the registered one. */
  readonly furtherChains: readonly string[]
  /** The payees on these chains. */
  readonly furtherPayees?: readonly FurtherPayee[]
  /** The complete terms. */
  readonly seen: Omit<SeenTerms, 'seenAt'> & Pick<Seen, 'asks' | 'price'>
}

/** The request to which a service responds with its terms, where that is not GET at its endpoint. */
export type Resource = {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  /** The body to send, if an empty object is not sufficient. */
  readonly body?: string
  readonly contentType?: string
  /** The headers that its schema requires, by lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** The tool of an MCP server; the body then contains its arguments. */
  readonly tool?: string
  /** The URL without sample values, and the path with its placeholders. */
  readonly place?: { readonly url: string; readonly routeTemplate?: string }
  /** A customer saw another response: only requests as a customer can tell whether it is fixed. */
  readonly asCustomer?: true
  /** Another request that a customer may make and that got a bad response: it is repeated until it is fixed. */
  readonly recheck?: Pick<Resource, 'url' | 'body' | 'contentType' | 'headers' | 'tool' | 'place'> & {
    readonly method: 'GET' | 'POST'
  }
}

/** What the next probe needs to know of the previous ones. */
export type Finding = {
  readonly resource: Resource | null
  /** The last terms that could be read; null if there were none. */
  readonly payTo: readonly string[] | null
  readonly price: Price | null
  /** All payees ever seen on other chains; absent before the first terms. */
  readonly furtherPayees?: readonly FurtherPayee[]
  /** Number of refused probes in a row; absent if the last one was not refused. */
  readonly refusals?: number
  /** When it last lost `verified` by another response, the newest last, at most two; absent if it never did. */
  readonly losses?: readonly string[]
  /** Digest of the stored terms. */
  readonly digest?: string
}

export const NO_FINDING: Finding = { resource: null, payTo: null, price: null }

export function toFinding(
  terms: Terms | undefined,
  resource: Resource | null,
  before: Finding | null,
): Finding {
  if (!terms) {
    const { refusals: _, losses: __, ...rest } = before ?? NO_FINDING
    return { ...rest, resource }
  }
  return {
    resource,
    payTo: terms.payTo,
    price: terms.price ?? before?.price ?? null,
    digest: digestOf(terms.seen.resources),
  }
}

export const toSeen = (
  { seen: { resources, asks, price } }: Terms,
  at: string,
  payees: readonly FurtherPayee[],
): Seen => ({
  at,
  price,
  asks,
  resources: toSeenResources(resources, requirements => arrivedAt(payees, requirements)),
})

export function toStoredTerms(
  { seen: { x402Version, resources } }: Terms,
  seenAt: string,
  before: Finding | null,
) {
  const isChanged = before?.digest !== digestOf(resources)
  return { terms: { seenAt, x402Version, resources }, isChanged }
}

export const countRefusals = (probe: ProbeRecord, isNewest: boolean, finding: Finding | null): number => {
  const before = finding?.refusals ?? 0
  if (!isNewest) return before
  return isCounted(probe) ? 0 : before + 1
}

// Events for changed terms: payee and price.

/** Compares the terms with the previous ones, not with the listing: events report changes, probes report differences to the listing. */
export function termsEvents(
  network: string,
  now: Pick<Terms, 'payTo' | 'price'>,
  before: Pick<Finding, 'payTo' | 'price'>,
  at: string,
): ServiceEvent[] {
  const events: ServiceEvent[] = []
  const { payTo, price } = before
  if (payTo !== null && !sameAddresses(payTo, now.payTo, network)) {
    const reason = say('pay_to_changed', { before: payTo, after: now.payTo })
    events.push({ type: 'pay_to', at, reason, before: payTo, after: now.payTo })
  }
  if (price && now.price && !samePrice(price, now.price)) {
    const reason = say('price_changed', { before: priceText(price), after: priceText(now.price) })
    events.push({ type: 'price', at, reason, before: price, after: now.price })
  }
  return events
}

function sameAddresses(a: readonly string[], b: readonly string[], network: string): boolean {
  const covers = (all: readonly string[], some: readonly string[]) =>
    some.every(address => all.some(other => sameAddress(address, other, network)))
  return covers(a, b) && covers(b, a)
}

const samePrice = (a: Price, b: Price) =>
  a.currency === b.currency && compareDecimals(a.amount, b.amount) === 0

const priceText = ({ amount, currency }: Price) => `${amount} ${currency}`
