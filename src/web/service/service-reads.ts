// Reads everything that a service page shows, from memory and, if it is available, from the store.
import type { LocalDirectory } from '../../directory/directory.ts'
import { findTerms } from '../../directory/service-records.ts'
import { chainKey } from '../../domain/chains/chains.ts'
import { endpointHost } from '../../domain/hosts/endpoint.ts'
import type { Backing } from '../../domain/listing/backing.ts'
import type { ProvenanceRecord } from '../../domain/listing/provenance.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { StatusRecord } from '../../domain/listing/views.ts'
import type { DollarPrice } from '../../domain/money/rates.ts'
import type { OutcomesAnswer } from '../../domain/purchases/outcomes-view.ts'
import type { PurchasesAnswer } from '../../domain/purchases/purchases-view.ts'
import { parseHistoryQuery } from '../../domain/queries/queries.ts'
import type { History, HistoryEntry } from '../../domain/standing/history.ts'
import { type Latency, latencyOf } from '../../domain/standing/latency.ts'
import { isFailed } from '../../domain/standing/probes.ts'
import type { Trust } from '../../domain/standing/trust.ts'
import type { TermsAnswer } from '../../domain/terms/terms.ts'
import { toRefusal } from '../failure.ts'
import { type Figures, readElsewhere } from './service-figures.ts'
import { MAX_OUTCOMES } from './service-outcomes.ts'
import { MAX_PURCHASES } from './service-purchases.ts'

export type EventItem = Extract<HistoryEntry, { kind: 'event' }>
export type ProbeItem = Extract<HistoryEntry, { kind: 'probe' }>

/** undefined if the store is unavailable: the rest of the page comes from memory. */
export type Standing =
  | {
      readonly history: History
      readonly events: readonly EventItem[]
      /** Of its present endpoint, address and network. */
      readonly probes: readonly ProbeItem[]
      /** undefined before the first answer. */
      readonly latency: Latency | undefined
      readonly trust: Trust
      readonly provenance: ProvenanceRecord
    }
  | undefined

export type Found = {
  readonly service: Service
  /** Whether it is invented. */
  readonly isSample: boolean
  /** Whether its owner took it out of service. */
  readonly isRetired: boolean
  /** Whether payments on its network are read. */
  readonly readsPayments: boolean
  readonly status: StatusRecord
  readonly backing: Backing
  /** As in `Figures`. */
  readonly elsewhere: Figures['elsewhere']
  /** Hosts of the other services in the backing, by id. */
  readonly hosts: ReadonlyMap<string, string>
  /** Cost of a request in dollars; undefined without an exchange rate. */
  readonly dollars: DollarPrice | undefined
  readonly standing: Standing
  /** undefined if the store is unavailable. */
  readonly bought: PurchasesAnswer | undefined
  /** Names of the other listings through which purchases were made, by id; those that are gone are missing. */
  readonly listingNames: ReadonlyMap<string, string>
  /** undefined if the store is unavailable. */
  readonly payerReports: OutcomesAnswer | undefined
  /** undefined if there are none yet, or the store is unavailable. */
  readonly terms: TermsAnswer | undefined
}

/** Maximum number of days in the chart. */
export const MAX_DAYS = 90
/** Pages of the history that are read to find changes among many probes. */
const MAX_PAGES = 5

/** @throws DirectoryError `not_found`, `hidden`, `not_ready` */
export async function readFound(directory: LocalDirectory, id: string): Promise<Found> {
  const { reads } = directory
  const service = directory.require(reads.service(id), id).decode()
  const [standing, terms, bought, payerReports] = await Promise.all([
    unlessAway(() => readStanding(directory, id)),
    unlessAway(() => findTerms(directory, id)),
    unlessAway(() => directory.purchases(id, { limit: MAX_PURCHASES })),
    unlessAway(() => directory.outcomes(id, { limit: MAX_OUTCOMES })),
  ])
  const purchases = bought?.decode()
  const backing = directory.require(reads.backing(id), id)
  const others = [...backing.others, ...(backing.representative ? [backing.representative] : [])].map(
    other => other.id,
  )
  return {
    service,
    isSample: reads.isSample(id),
    isRetired: reads.isRetired(id),
    readsPayments: directory.readsPayments(service.x402Config.network),
    status: directory.require(reads.status(id), id).decode(),
    backing,
    elsewhere: readElsewhere(reads, service),
    hosts: new Map(others.map(other => [other, endpointHost(reads.service(other)?.decode().endpoint ?? '')])),
    dollars: reads.dollarPrice(id),
    standing,
    terms,
    bought: purchases,
    listingNames: toListingNames(directory, purchases),
    payerReports: payerReports?.decode(),
  }
}

function toListingNames(
  { reads }: LocalDirectory,
  bought: PurchasesAnswer | undefined,
): ReadonlyMap<string, string> {
  const ids = (bought?.purchases ?? []).flatMap(({ through }) => (through === null ? [] : [through]))
  return new Map(
    ids.flatMap(id => {
      const service = reads.service(id)?.decode()
      return service ? [[id, service.name] as const] : []
    }),
  )
}

/** Returns undefined if the store is unavailable. */
export async function unlessAway<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.code !== 'store_unavailable') throw refusal
    return undefined
  }
}

async function readStanding(directory: LocalDirectory, id: string): Promise<NonNullable<Standing>> {
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
    latency: latencyOf(probes.map(probe => (isFailed(probe) ? null : probe.latencyMs))),
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
