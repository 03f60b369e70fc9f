// The operations of the product, one function each. Every interface calls this interface; it also exists over HTTP.

import type { Catalog } from '../catalog/catalog.ts'
import type { EventBatch, EventTail } from '../catalog/event-tail.ts'
import type { Follower } from '../catalog/follow.ts'
import type { IntentAnswer, Page } from '../domain/answers.ts'
import { type Backing, type Marks, toBacking } from '../domain/backing.ts'
import type { Category } from '../domain/categories.ts'
import { type CheckReport, type CheckRequest, readCheckRequest } from '../domain/check.ts'
import { type DraftPolicy, readDraft } from '../domain/draft.ts'
import { Encoded } from '../domain/encoded.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Distributions, Facets } from '../domain/facets.ts'
import type { Filters } from '../domain/filters.ts'
import { hiddenError } from '../domain/hiding.ts'
import { type History, readCursor, toCursorText, toDay, toEventItem, toProbeItem } from '../domain/history.ts'
import { createIdSource, idTimeMs, isServiceId } from '../domain/ids.ts'
import type { IndexedOrder } from '../domain/orders.ts'
import type { Place } from '../domain/page-cursor.ts'
import type { ProbingState } from '../domain/probes.ts'
import { type ProvenanceRecord, toProvenance } from '../domain/provenance.ts'
import {
  type HistoryQuery,
  type IntentQuery,
  type KeywordQuery,
  type ListQuery,
  placeOfList,
  placeOfSearch,
} from '../domain/queries.ts'
import type { DollarPrice } from '../domain/rates.ts'
import { checkRequestKey } from '../domain/request-key.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import { createEntry, type Entry, type Service, type ServiceDraft } from '../domain/service.ts'
import { type Trust, toTrust } from '../domain/trust.ts'
import {
  type ExportEntry,
  type StatusRecord,
  toExportEntry,
  toService,
  toStatusRecord,
} from '../domain/views.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { HistoryItem, HistoryPlace, Kept, Seq, Store, StoredEvent } from '../store/store.ts'
import type { Sender } from '../webhooks/send.ts'
import { type Bazaar, createBazaar } from './bazaar.ts'
import { createFeed, type Feed, toCursor } from './feed.ts'
import { countedAs, type Keyring } from './keys.ts'
import { noticesOn } from './notices.ts'
import { createOwners, type Owners, type Written } from './owners.ts'
import { createPurchaseReads, type PurchaseReads } from './purchases.ts'
import { createReports, type Reports } from './reports.ts'
import { createSignIn, type SignIn } from './sign-in.ts'
import { createTerms, type TermsReads } from './terms.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export type Checked = {
  readonly report: Encoded<CheckReport>
  /** Paths of the fields that were sent and not used. */
  readonly ignored: readonly string[]
}

/** @param names what the caller is counted by */
type Checker = (request: CheckRequest, ...names: readonly string[]) => Promise<CheckReport>

export type Registered = Written & { readonly id: string }

export type Health = {
  /** starting: the catalog has not caught up yet; degraded: it serves, but the store is away or keeps no writes. */
  readonly state: 'starting' | 'ready' | 'degraded'
  /** What is wrong with the store, in a sentence; null: nothing. */
  readonly reason: string | null
  readonly seq: number
  readonly services: number
  /** How long the catalog has been behind the store. */
  readonly lagMs: number
  readonly storeErrors: number
  /** null: this process takes no part in the rounds of probes. */
  readonly probing: ProbingState | null
}

export interface Directory
  extends Feed,
    Bazaar,
    Owners,
    SignIn,
    Webhooks,
    Reports,
    TermsReads,
    PurchaseReads {
  list(query: ListQuery): Promise<Page>
  /** @throws DirectoryError `not_found`, `hidden` */
  get(id: string): Promise<Encoded<Service>>
  /** @throws DirectoryError `not_found`, `hidden` */
  status(id: string): Promise<Encoded<StatusRecord>>
  /** Probes and changes with their reasons, newest first. @throws DirectoryError `not_found`, `hidden` */
  history(id: string, query: HistoryQuery): Promise<Encoded<History>>
  /** Where the trust score comes from. @throws DirectoryError `not_found`, `hidden` */
  trust(id: string): Promise<Encoded<Trust>>
  /** Where it came from. @throws DirectoryError `not_found`, `hidden` */
  provenance(id: string): Promise<Encoded<ProvenanceRecord>>
  /** Who stands behind it, and which entries of others it can be taken for. @throws DirectoryError `not_found`, `hidden` */
  backing(id: string): Promise<Encoded<Backing>>
  /** Whether a URL is safe to pay, by what is listed here and what its endpoint was seen to ask for. */
  resolve(query: ResolveQuery): Promise<Encoded<Resolution>>
  /**
   * Asks any URL what a probe would ask it, and lists nothing. `from` is where the request comes from, where the interface knows:
   * a wallet costs nothing, so its keys are counted by that as well.
   * @throws DirectoryError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`
   */
  check(body: unknown, by: { readonly key: string; readonly from?: string }): Promise<Checked>
  /**
   * Registers what a provider sent. When it resolves the entry is on disk and found by every read of this process.
   * @throws DirectoryError `unauthorized`, `forbidden`, `invalid_request`, `idempotency_conflict`
   */
  register(body: unknown, by: { readonly key: string; readonly once?: string }): Promise<Registered>
  search(query: KeywordQuery): Promise<Page>
  searchByIntent(query: IntentQuery): Promise<Encoded<IntentAnswer>>
  /** Every service, at one moment, newest last. */
  export(): AsyncIterable<ExportEntry>
  categories(): Promise<Category[]>
  health(): Promise<Health>
}

/**
 * The reads that come from memory, answered at once. A promise costs more than such an answer (4 µs of 12 on an
 * ordinary core), so the busiest interface asks this way.
 */
export interface Reads {
  /** Every answer stays the same as long as this does. */
  readonly generation: number
  /**
   * @throws DirectoryError `history_changed`, also where another process may know the cursor already: `Directory.list` asks the store
   * then, and so does `Directory.search`
   */
  list(query: ListQuery): Page
  /** undefined: not here; another process may know it already, so `Directory.get` asks the store where that can be. */
  find(id: string): Encoded<Service> | undefined
  findStatus(id: string): Encoded<StatusRecord> | undefined
  get(id: string): Encoded<Service>
  status(id: string): Encoded<StatusRecord>
  search(query: KeywordQuery): Page
  /** @param options isBrief: reasons leave out what a reader of the service sees */
  searchByIntent(query: IntentQuery, options?: { readonly isBrief?: boolean }): Encoded<IntentAnswer>
  /** Services that are paid at an address, the most trusted first. */
  soldBy(payee: string): Encoded<Service>[]
  /** How many services each value of a filter leaves beside the other filters. */
  facets(filters: Filters): Facets
  /** Services by an order in its usual direction; of equals the one that comes first stays first. */
  sorted(ids: readonly string[], order: IndexedOrder): string[]
  /** What a request costs as far as anybody knows: the listed price, or a higher one that was seen. */
  cost(id: string): string | undefined
  /** The same in US dollars; undefined where no rate tells it. */
  dollarPrice(id: string): DollarPrice | undefined
  /** Milliseconds within which half of its newest answers came, to two digits; undefined before the first. */
  latency(id: string): number | undefined
  backing(id: string): Backing
  marks(id: string): Marks
  resolve(query: ResolveQuery): Encoded<Resolution>
  distributions(): Distributions
  /** Verified services by age, oldest first, and how many there are. */
  verified(from: number, count: number): { readonly ids: readonly string[]; readonly total: number }
}

export type RecentEvent = StoredEvent

/** A directory in this process. */
export interface LocalDirectory extends Directory {
  readonly reads: Reads
  /** Memory that the catalog holds. */
  readonly bytes: number
  /** Events in batches that all listeners share: an interface with thousands of them encodes each once. */
  listen(after: string | number | undefined, signal: AbortSignal): AsyncGenerator<EventBatch, void>
  /** What happened last, newest first: as many as lie among the last numbers of the log. */
  recent(numbers: number): Promise<RecentEvent[]>
}

/** A registration is answered at the latest after twice this time, even if the catalog has not caught up with it. */
const VISIBLE_WITHIN_MS = 1_000
/** After this time every node that reaches the store knows of an entry; it also covers clocks that differ. */
const EVERYWHERE_WITHIN_MS = 10_000

export function createDirectory({
  store,
  catalog,
  follower,
  tail,
  keys,
  clock,
  policy,
  publicUrl,
  check,
  probing,
  send,
}: {
  store: Pick<
    Store,
    | 'insert'
    | 'update'
    | 'remove'
    | 'find'
    | 'history'
    | 'trouble'
    | 'probes'
    | 'terms'
    | 'purchases'
    | 'payments'
    | 'challenges'
    | 'webhooks'
    | 'budgets'
    | 'events'
    | 'paidTo'
    | 'reports'
    | 'terms'
  >
  catalog: Catalog
  follower: Follower
  tail: EventTail
  keys: Keyring
  clock: Clock
  policy: DraftPolicy
  /** undefined: no wallet can sign in. */
  publicUrl?: string | undefined
  /** undefined: this directory asks nobody. */
  check?: Checker | undefined
  /** undefined: this process takes no part in the rounds of probes. */
  probing?: (() => ProbingState) | undefined
  /** undefined: this directory tells nobody. */
  send?: Sender | undefined
}): LocalDirectory {
  const newId = createIdSource()

  function ready(): Catalog {
    if (!follower.ready) throw new DirectoryError('not_ready', say('catalog_loading'))
    return catalog
  }

  /** @throws DirectoryError `not_found`, `hidden` */
  function found<T>(value: T | undefined, id: string): T {
    const hidden = catalog.hidden(id)
    if (hidden) throw hiddenError(hidden)
    if (value === undefined)
      throw new DirectoryError('not_found', say('service_unknown', { id: id.slice(0, 64) }))
    return value
  }

  /** What the store has; another process may have hidden it a moment ago. @throws DirectoryError `not_found`, `hidden` */
  function shown(kept: Kept | undefined, id: string): Kept {
    const known = found(kept, id)
    if (known.entry.hidden) throw hiddenError(known.entry.hidden)
    return known
  }

  let waiting: Promise<void> | undefined

  const reads: Reads = {
    get generation() {
      return ready().generation
    },
    list: query => ready().list(query),
    find: id => ready().service(id),
    findStatus: id => ready().status(id),
    get: id => found(ready().service(id), id),
    status: id => found(ready().status(id), id),
    search: query => ready().search(query),
    searchByIntent: (query, options) => ready().searchByIntent(query, options),
    soldBy: payee => ready().soldBy(payee),
    facets: filters => ready().facets(filters),
    sorted: (ids, order) => ready().sorted(ids, order),
    backing: id => found(ready().backing(id), id),
    marks: id => found(ready().marks(id), id),
    cost: id => ready().cost(id),
    dollarPrice: id => ready().dollarPrice(id),
    latency: id => ready().latency(id),
    resolve: query => ready().resolve(query, clock.now()),
    distributions: () => ready().distributions(),
    verified: (from, count) => ready().verified(from, count),
  }

  const get = async (id: string): Promise<Encoded<Service>> =>
    reads.find(id) ?? Encoded.of(toService(found(await findYoung(id), id)))

  return {
    reads,
    get bytes() {
      return catalog.bytes
    },
    ...createFeed({ ready, tail, clock, store }),
    ...createBazaar({ ready, terms: store.terms }),
    ...createOwners({ store, keys, clock, policy, visible, noticesOn: toNotices }),
    ...createSignIn({ store, keys, clock, publicUrl }),
    ...createWebhooks({ store, keys, clock, policy, send }),
    ...createTerms({ store, catalog, shown }),
    ...createPurchaseReads({ store, shown }),
    ...createReports({ store, keys, clock, newId, get }),
    listen: (after, signal) => {
      ready()
      return tail.listen(after === undefined ? undefined : toCursor('after', after), signal)
    },
    async recent(numbers) {
      ready()
      const last = await store.events.last()
      return (await store.events.after(Math.max(0, last - numbers), numbers)).toReversed()
    },
    list: query => readPage(placeOfList(query), known => ready().list(query, known)),
    get,
    status: async id => reads.findStatus(id) ?? Encoded.of(toStatusRecord(found(await findYoung(id), id))),
    search: query => readPage(placeOfSearch(query), known => ready().search(query, known)),
    searchByIntent: async query => reads.searchByIntent(query),
    categories: async () => ready().categories(),

    async history(id, { limit, before, days }) {
      if (!isServiceId(id)) found(ready().status(id), id)
      const place = before === undefined ? undefined : readCursor(before)
      const [items, sums] = await Promise.all([
        store.probes.history(id, limit + 1, place),
        store.probes.days(id, days),
      ])
      // What was removed has a history still; what never was has none.
      if (items.length === 0) found(ready().status(id), id)
      const page = items.slice(0, limit)
      const last = items.length > limit ? page.at(-1) : undefined
      return Encoded.of<History>({
        id,
        items: page.map(item => (item.kind === 'probe' ? toProbeItem(item.probe) : toEventItem(item.event))),
        next: last ? toCursorText(placeOf(last)) : null,
        days: sums.map(toDay),
      })
    },

    async trust(id) {
      ready()
      const [kept, payments] = await Promise.all([store.find(id), store.payments.totals(id)])
      const { entry, facts } = shown(kept, id)
      return Encoded.of(toTrust(entry, facts, payments))
    },

    async provenance(id) {
      ready()
      return Encoded.of(toProvenance(shown(await store.find(id), id).entry))
    },

    resolve: async query => reads.resolve(query),
    backing: async id => Encoded.of(ready().backing(id) ?? toBacking(found(await findYoung(id), id))),

    async check(body, { key, from }) {
      const caller = await keys.authorize(key, 'register')
      const { request, ignored } = readCheckRequest(body)
      if (!check) throw new DirectoryError('forbidden', say('checks_off'))
      return { report: Encoded.of(await check(request, ...countedAs(caller, from))), ignored }
    },

    async register(body, { key, once }) {
      const caller = await keys.authorize(key, 'register')
      if (once !== undefined) checkRequestKey(once)
      const { draft, ignored, notices } = readDraft(body, policy)
      const now = clock.now()
      const entry = createEntry(draft, { id: newId(now), now, owner: caller.owner })
      const requestKey =
        once === undefined
          ? undefined
          : { caller: caller.id, key: once, fingerprint: fingerprint(draft), at: now }
      const { seq, entries } = await store.insert([entry], requestKey)
      await visible(seq)
      const first = entries[0]!
      const service = Encoded.of(toService(first))
      return { id: first.id, service, ignored, notices: [...notices, ...toNotices(first)] }
    },

    async *export() {
      for (const service of ready().freeze()) yield toExportEntry(service.decode())
    },

    async health() {
      const reason = (await store.trouble()) ?? follower.away ?? null
      return {
        state: follower.ready ? (reason === null ? 'ready' : 'degraded') : 'starting',
        reason,
        seq: catalog.seq,
        services: catalog.size,
        lagMs: follower.lagMs(),
        storeErrors: follower.storeErrors,
        probing: probing?.() ?? null,
      }
    },
  }

  /** What looks wrong about an entry beside the others; an entry that is not visible yet is beside none. */
  function toNotices({ id, name }: Entry): string[] {
    const backing = catalog.backing(id)
    return backing ? noticesOn(name, backing) : []
  }

  /** A page, by a cursor maybe of a process that is ahead of this one. */
  async function readPage(
    place: Place | undefined,
    read: (known: { readonly isKnown: boolean }) => Page,
  ): Promise<Page> {
    const catalog = ready()
    const isKnown = !place || (await catalog.includes('seq', place.since, catalog.seq, () => store.history()))
    return read({ isKnown })
  }

  /** An entry for which another node may have answered 201 a moment ago; older ids that are unknown here do not exist. */
  async function findYoung(id: string): Promise<Entry | undefined> {
    const isYoung = isServiceId(id) && Math.abs(clock.now().getTime() - idTimeMs(id)) < EVERYWHERE_WITHIN_MS
    const entry = isYoung ? (await store.find(id))?.entry : undefined
    if (entry?.hidden) throw hiddenError(entry.hidden)
    return entry
  }

  async function visible(seq: Seq): Promise<void> {
    const reached = catalog.reached(seq)
    // Twice, because the first may be about to end.
    for (let tries = 0; tries < 2 && catalog.seq < seq; tries++) await Promise.race([reached, patience()])
  }

  /** Ends within VISIBLE_WITHIN_MS. One timer serves all who wait: there are thousands of registrations a second. */
  function patience(): Promise<void> {
    waiting ??= clock.sleep(VISIBLE_WITHIN_MS).then(() => {
      waiting = undefined
    })
    return waiting
  }
}

const placeOf = (item: HistoryItem): HistoryPlace =>
  item.kind === 'probe' ? { at: item.probe.at, number: 0 } : item.event

/** What a retry must send again: the fields that count, whatever their order or the white space between them. */
const fingerprint = (draft: ServiceDraft): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(draft)).digest('hex')
