// The finding of a probe: what the next probe and its judgement need to know.

import type { Entry } from '../listing/service.ts'
import {
  digestOf,
  lowerBefore,
  type Price,
  type Seen,
  type SeenTerms,
  toSeenResources,
} from '../terms/terms.ts'
import { type Form, formOf } from '../terms/terms-events.ts'
import { arrivedAt, type FurtherPayee, payeesElsewhere } from '../terms/terms-view.ts'
import { isCounted, type ProbeRecord } from './probes.ts'

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
  /** Of a host with several addresses: the one with the bad response, which is requested until it is fixed. */
  readonly address?: string
  /** A method that documents declare for it, and that probes never send. */
  readonly unasked?: string
  /** Another request that a customer may make and that got a bad response: it is repeated until it is fixed. */
  readonly besides?: Pick<Resource, 'url' | 'body' | 'contentType' | 'headers' | 'tool' | 'place'> & {
    readonly method: 'GET' | 'POST'
    /** Its response was incomplete, once. */
    readonly isOpen?: true
  }
}

/** What the next probe needs to know of the previous ones. */
export type Finding = {
  readonly resource: Resource | null
  /** The last terms that could be read; null if there were none. */
  readonly payTo: readonly string[] | null
  readonly price: Price | null
  /** All payees ever seen on other chains; absent if they were not read yet. */
  readonly furtherPayees?: readonly FurtherPayee[]
  /** Number of refused probes in a row; absent if the last one was not refused. */
  readonly refusals?: number
  /** When it last lost `verified` by another response, the newest last, at most two; absent if it never did. */
  readonly losses?: readonly string[]
  /** Schemes, input and output; absent if they were not read yet. */
  readonly form?: Form
  /** Digest of the stored terms. */
  readonly digest?: string
}

export const NO_FINDING: Finding = { resource: null, payTo: null, price: null }

export function toFinding(
  entry: Entry,
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
    form: formOf(terms.seen.resources, entry.x402Config.network),
    digest: digestOf(terms.seen.resources),
  }
}

export function toSeen(
  { seen: { resources, asks, price } }: Terms,
  { at, payees, before }: { at: string; payees: readonly FurtherPayee[]; before: Seen | undefined },
): Seen {
  const lower = lowerBefore(before, asks, at)
  return {
    at,
    price,
    asks,
    ...(lower && { lower }),
    resources: toSeenResources(resources, requirements => arrivedAt(payees, requirements)),
  }
}

/** Returns undefined if no terms were seen yet. */
export const furtherPayeesOf = (entry: Entry, finding: Finding | null): readonly FurtherPayee[] | undefined =>
  finding?.furtherPayees ??
  (finding?.payTo == null ? undefined : payeesElsewhere(entry.seen, entry.x402Config.network))

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

/** The URL that a customer of the listing would call, where terms were read. */
export const urlToCall = (terms: Terms | undefined): string | undefined =>
  terms && toSeenResources(terms.seen.resources)[0]?.url
