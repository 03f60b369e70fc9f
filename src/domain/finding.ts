// What a probe found, as far as the next one and its judgement need to know it.
import { arrivedAt, type FurtherPayee, payeesElsewhere } from './further-payees.ts'
import { isCounted, type ProbeRecord } from './probes.ts'
import type { Relapses } from './relapses.ts'
import type { Entry } from './service.ts'
import { digestOf, type Price, type Seen, type SeenTerms, toSeenResources } from './terms.ts'
import { type Form, formOf } from './terms-events.ts'

/** What a readable 402 answer asked for. */
export type Terms = {
  /** The addresses to pay on the registered network. */
  readonly payTo: readonly string[]
  /** null where the asset is not known. */
  readonly price: Price | null
  /** Chains besides the registered one. */
  readonly furtherChains: readonly string[]
  /** Who is paid there. */
  readonly furtherPayees?: readonly FurtherPayee[]
  /** All of it. */
  readonly seen: Omit<SeenTerms, 'seenAt'> & Pick<Seen, 'asks' | 'price'>
}

/** Where a service answers with its terms, if not at its endpoint by GET. */
export type Resource = {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  /** What has to be sent, where an empty object is not enough. */
  readonly body?: string
  readonly contentType?: string
  /** Those that its schema requires, by their names in small letters. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of an MCP server; the body then holds its arguments. */
  readonly tool?: string
  /** The URL without what was filled in, and the path with its placeholders. */
  readonly place?: { readonly url: string; readonly routeTemplate?: string }
  /** Seen otherwise by a customer: only who asks as one can find it mended. */
  readonly asCustomer?: true
  /** Which client that customer used: another one may be answered otherwise. */
  readonly client?: string
  /** Of a name with several: the one that was answered badly from, which is asked until it is mended. */
  readonly address?: string
  /** A method that documents declare for it, and that is never sent. */
  readonly unasked?: string
  /** Another request that a customer may make, and that was answered badly: it is made until it is mended. */
  readonly besides?: Pick<Resource, 'url' | 'body' | 'contentType' | 'headers' | 'tool' | 'place'> & {
    readonly method: 'GET' | 'POST'
    /** It was not answered to the end, once. */
    readonly isOpen?: true
  }
  /** What a customer and the prober were answered differed, and could not be asked again. */
  readonly differed?: true
}

/** What the next probe should know of those before it. */
export type Finding = {
  readonly resource: Resource | null
  /** The last terms that could be read; null where there were none yet. */
  readonly payTo: readonly string[] | null
  readonly price: Price | null
  /** Who was ever paid on other chains; absent where that was not looked at yet. */
  readonly furtherPayees?: readonly FurtherPayee[]
  /** How many probes in a row were refused; absent where the last one was not. */
  readonly refusals?: number
  /** How often it has answered otherwise while it was verified; absent where it never has. */
  readonly relapses?: Relapses
  /** Schemes, input and output; absent where they were not looked at yet. */
  readonly form?: Form
  /** Of the terms as they are kept. */
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
    const { refusals: _, relapses: __, ...kept } = before ?? NO_FINDING
    return { ...kept, resource }
  }
  return {
    resource,
    payTo: terms.payTo,
    price: terms.price ?? before?.price ?? null,
    form: formOf(terms.seen.resources, entry.x402Config.network),
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

/** undefined where no terms were seen yet. */
export const furtherPayeesOf = (entry: Entry, finding: Finding | null): readonly FurtherPayee[] | undefined =>
  finding?.furtherPayees ??
  (finding?.payTo == null ? undefined : payeesElsewhere(entry.seen, entry.x402Config.network))

export function toKept({ seen: { x402Version, resources } }: Terms, seenAt: string, before: Finding | null) {
  const isChanged = before?.digest !== digestOf(resources)
  return { terms: { seenAt, x402Version, resources }, isChanged }
}

export const countRefusals = (probe: ProbeRecord, isNewest: boolean, finding: Finding | null): number => {
  const before = finding?.refusals ?? 0
  if (!isNewest) return before
  return isCounted(probe) ? 0 : before + 1
}

/** What a customer of the listing would call, where terms were read. */
export const urlToCall = (terms: Terms | undefined): string | undefined =>
  terms && toSeenResources(terms.seen.resources)[0]?.url
