// The operations of the product, one function each. Every interface calls this interface; it also exists over HTTP.

import type { Catalog } from '../catalog/catalog.ts'
import type { EventBatch, EventTail } from '../catalog/event-tail.ts'
import type { Follower } from '../catalog/follow.ts'
import { chainKey } from '../domain/chains/chains.ts'
import { type CheckReport, readCheckRequest } from '../domain/check.ts'
import { DirectoryError, type Problem } from '../domain/errors.ts'
import { blockOf } from '../domain/hosts/ip-address.ts'
import { createIdSource } from '../domain/ids.ts'
import type { Encoded } from '../domain/json.ts'
import { type DraftPolicy, type Entry, readDraft, type Service } from '../domain/listing/service.ts'
import type { Policy } from '../domain/policy.ts'
import type { ProbingState } from '../domain/standing/standing.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { SourceState } from '../store/sources.ts'
import type { Seq, Store, StoredEvent } from '../store/store.ts'
import type { Sender } from '../webhooks/send.ts'
import { BAZAAR_OPERATIONS, type Bazaar, createBazaar } from './bazaar.ts'
import { createFeed, FEED_OPERATIONS, type Feed, toCursor } from './feed.ts'
import { createFinder } from './finder.ts'
import type { Keyring } from './keys.ts'
import { createLists, LIST_OPERATIONS, type Lists } from './lists.ts'
import { noticesOn, ownNotices, typingNotices } from './notices.ts'
import type { Operation } from './operation.ts'
import {
  createActLog,
  createOperating,
  OPERATING_OPERATIONS,
  type Operating,
  type OperatorDesk,
} from './operator.ts'
import { createOwners, OWNER_OPERATIONS, type Owners } from './owners.ts'
import { createPurchases, type OutcomeProofs, PURCHASE_OPERATIONS, type Purchases } from './purchases.ts'
import { createReports, REPORT_OPERATIONS, type Reports } from './reports.ts'
import { createServiceRecords, RECORD_OPERATIONS, type ServiceRecords } from './service-records.ts'
import { type Checker, createServices, SERVICE_OPERATIONS, type Services } from './services.ts'
import { createSignIn, type Sessions, SIGN_IN_OPERATIONS, type SignIn } from './sign-in.ts'
import { createWebhooks, WEBHOOK_OPERATIONS, type Webhooks } from './webhooks.ts'
import { type OperationName, WIRE, type WireForm } from './wire.ts'
import { createWriteBudget } from './write-budget.ts'

export type Health = {
  /** starting: the catalog has not caught up yet; degraded: it serves, but the store is unavailable or cannot write. */
  readonly state: 'starting' | 'ready' | 'degraded'
  /** The problem of the store, as a sentence; null: none. */
  readonly reason: string | null
  readonly seq: number
  readonly services: number
  /** The share of the store that a start has read so far, 0 to 1. */
  readonly loaded: number
  /** How long the catalog has lagged behind the store. */
  readonly lagMs: number
  readonly storeErrors: number
  /** null: this process does not probe. */
  readonly probing: ProbingState | null
}

/** A followed source and its state. */
export type FollowedSource = Pick<SourceState, 'url' | 'kind' | 'checkedAt' | 'succeededAt' | 'failures'>

export interface Directory
  extends Lists,
    Feed,
    Bazaar,
    Owners,
    SignIn,
    Webhooks,
    Reports,
    Operating,
    Services,
    ServiceRecords,
    Purchases {
  health(): Promise<Health>
}

export type RecentEvent = StoredEvent

/** A directory in this process. */
export interface LocalDirectory extends Directory, Sessions {
  /** The catalog in memory. @throws DirectoryError `not_ready` */
  readonly reads: Catalog
  /**
   * The directory as the holder of a key sees it: under a policy, reads leave out what it does not allow. Without a key, this one.
   * A key that is not valid is refused: what a revoked one may not use must not appear.
   * @throws DirectoryError `unauthorized`
   */
  forKey(key: string | undefined): Promise<LocalDirectory>
  /** The same for a policy. */
  under(policy: Policy): LocalDirectory
  /** Tells views apart: the policy as JSON; empty: everything. */
  readonly view: string
  /** Returns what was read of an id. @throws DirectoryError `not_found`, `hidden` */
  require<T>(value: T | undefined, id: string): T
  /** Whether payments on a network are read; otherwise a count of 0 says nothing. */
  readsPayments(network: string): boolean
  /**
   * Operations that memory may answer without a promise, which would cost more than the read. It returns undefined where memory does
   * not know, and throws `history_changed` where perhaps another process knows the cursor: the operation itself asks the store.
   */
  readonly fromMemory: { readonly [N in OperationName]?: (...args: Parameters<Directory[N]>) => unknown }
  /** Checks an endpoint for whoever has no key, within the limits of a network. @throws as `check` does */
  checkFor(from: string, body: unknown): Promise<CheckReport>
  /** The problems of a registration body, for any caller. */
  problemsOf(body: unknown): readonly Problem[]
  /** All services with all fields, at one point in time, oldest first. */
  exportServices(): Iterable<Encoded<Service>>
  /** Memory of the catalog. */
  readonly bytes: number
  /** Events in batches that all listeners share, so that an interface with thousands of listeners encodes each once. */
  listen(after: string | number | undefined, signal: AbortSignal): AsyncGenerator<EventBatch, void>
  /** Without the reasons of failures, which are for the operator only: they may name internal hosts. */
  sources(): Promise<FollowedSource[]>
  /** The latest events, newest first: those with one of the last `numbers` numbers of the log. */
  recent(numbers: number): Promise<RecentEvent[]>
  /** The latest events of one service, newest first. */
  eventsOf(id: string, limit: number): Promise<RecentEvent[]>
}

// Every operation of the directory, by its name.

export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  ...LIST_OPERATIONS,
  ...SERVICE_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...PURCHASE_OPERATIONS,
  ...OWNER_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...OPERATING_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...FEED_OPERATIONS,
  ...BAZAAR_OPERATIONS,
}

/** Policies whose sizes of lists are kept. */
const MAX_VIEWS = 256

/** Public reads of one service. */
const READS_OF_SERVICE = (Object.entries(WIRE) as [OperationName, WireForm][])
  .filter(([, { method, path, scope }]) => method === 'GET' && scope === undefined && path.includes(':id'))
  .map(([name]) => name)

// A write is answered when the catalog of this process shows it.

/** A write is answered after at most twice this time, even if the catalog has not caught up. */
const VISIBLE_WITHIN_MS = 1_000

/** Returns a function that waits for a write; it never fails. */
function createVisibilityWait(
  catalog: Pick<Catalog, 'seq' | 'reached'>,
  clock: Clock,
): (seq: Seq) => Promise<void> {
  let waiting: Promise<void> | undefined

  /** Ends within VISIBLE_WITHIN_MS. All writes share one timer: there are thousands of registrations a second. */
  function timeout(): Promise<void> {
    waiting ??= clock.sleep(VISIBLE_WITHIN_MS).then(() => {
      waiting = undefined
    })
    return waiting
  }

  return async seq => {
    const reached = catalog.reached(seq)
    // Twice, because the shared timer may be about to end.
    for (let tries = 0; tries < 2 && catalog.seq < seq; tries++) await Promise.race([reached, timeout()])
  }
}

// The directory of this process, over its store and its catalog.

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
  proofs,
  desk,
  chainsRead = [],
}: {
  store: Store
  catalog: Catalog
  follower: Follower
  tail: EventTail
  keys: Keyring
  clock: Clock
  policy: DraftPolicy
  /** undefined: wallets cannot sign in. */
  publicUrl?: string | undefined
  /** undefined: this directory sends no requests. */
  check?: Checker | undefined
  /** undefined: this process does not probe. */
  probing?: (() => ProbingState) | undefined
  /** undefined: this directory sends no webhooks. */
  send?: Sender | undefined
  /** undefined: payers cannot report outcomes. */
  proofs?: OutcomeProofs | undefined
  /** undefined: this process serves no operators. */
  desk?: OperatorDesk | undefined
  /** Chains on which payments are read, in CAIP-2. */
  chainsRead?: readonly string[]
}): LocalDirectory {
  const newId = createIdSource()
  const waitUntilVisible = createVisibilityWait(catalog, clock)

  function ready(): Catalog {
    if (!follower.ready) throw new DirectoryError('not_ready', say('catalog_loading'))
    return catalog
  }

  const finder = createFinder({ store, catalog, clock })
  /** Each group of operations takes what it needs. */
  const parts = {
    ...{
      store,
      keys,
      clock,
      policy,
      publicUrl,
      check,
      send,
      proofs,
      tail,
      newId,
      ready,
      waitUntilVisible,
      finder,
    },
    chargeWrite: createWriteBudget({ store, clock }),
    noticesOn: toNotices,
    note: createActLog({ store, clock, newId }),
  }
  const services = createServices({
    ...parts,
    noticesOn: entry => [...ownNotices(catalog.ownNeighbour(entry.id)), ...toNotices(entry)],
  })

  async function health(): Promise<Health> {
    const reason = (await store.trouble()) ?? follower.storeTrouble ?? null
    return {
      state: follower.ready ? (reason === null ? 'ready' : 'degraded') : 'starting',
      reason,
      seq: catalog.seq,
      services: catalog.size,
      loaded: follower.loaded,
      lagMs: follower.lagMs(),
      storeErrors: follower.storeErrors,
      probing: probing?.() ?? null,
    }
  }

  const views = new Map<string, LocalDirectory>()
  const directory: LocalDirectory = {
    view: '',
    async forKey(key) {
      if (key === undefined) return directory
      const { policy } = await keys.authorize(key)
      return policy ? directory.under(policy) : directory
    },
    under(policy) {
      const view = JSON.stringify(policy)
      const known = views.get(view) ?? createView(view, policy)
      views.delete(view)
      views.set(view, known)
      if (views.size > MAX_VIEWS) views.delete(views.keys().next().value!)
      return known
    },
    get reads() {
      return ready()
    },
    require: finder.requireFound,
    readsPayments: network => chainsRead.includes(chainKey(network)),
    fromMemory: {
      get: id => ready().service(id),
      status: id => ready().status(id),
      list: query => ready().list(query),
      search: query => ready().search(query),
      searchByIntent: query => ready().searchByIntent(query),
    },
    async checkFor(from, body) {
      if (!check) throw new DirectoryError('forbidden', say('checks_off'))
      return check(readCheckRequest(body).request, blockOf(from))
    },
    problemsOf(body) {
      try {
        readDraft(body, policy)
        return []
      } catch (error) {
        if (error instanceof DirectoryError) return error.problems
        throw error
      }
    },
    get bytes() {
      return catalog.bytes
    },
    ...createLists(parts),
    ...createFeed(parts),
    ...createBazaar({ ready, terms: store.terms }),
    ...createOwners(parts),
    ...createSignIn(parts),
    ...createWebhooks(parts),
    ...services,
    ...createServiceRecords(parts),
    ...createReports({ ...parts, get: services.get }),
    ...createPurchases(parts),
    ...createOperating({ ...parts, health, desk }),
    listen: (after, signal) => {
      ready()
      return tail.listen(after === undefined ? undefined : toCursor('after', after), signal)
    },
    async sources() {
      ready()
      return (await store.sources.list()).map(({ url, kind, checkedAt, succeededAt, failures }) => ({
        url,
        kind,
        checkedAt,
        succeededAt,
        failures,
      }))
    },
    async recent(numbers) {
      ready()
      const last = await store.events.last()
      return (await store.events.after(Math.max(0, last - numbers), numbers)).toReversed()
    },
    async eventsOf(id, limit) {
      ready()
      return store.events.of(id, limit)
    },
    exportServices: () => ready().freeze(),
    health,
  }
  return directory

  /** Everything but reads of the catalog is as without a policy. */
  function createView(view: string, policy: Policy): LocalDirectory {
    const allowed = catalog.under(policy)
    const readyAllowed = () => ready() && allowed
    const ofService =
      (name: OperationName) =>
      async (id: string, ...rest: readonly unknown[]) => {
        readyAllowed().requireApproved(id)
        return (directory[name] as (...args: readonly unknown[]) => Promise<unknown>)(id, ...rest)
      }
    const reads: Partial<LocalDirectory> = {
      view,
      get reads() {
        return readyAllowed()
      },
      fromMemory: {
        list: query => readyAllowed().list(query),
        search: query => readyAllowed().search(query),
        searchByIntent: query => readyAllowed().searchByIntent(query),
      },
      ...createLists({ ...parts, ready: readyAllowed }),
      ...createBazaar({ ready: readyAllowed, terms: store.terms }),
      categories: async () => readyAllowed().categories(),
      ...Object.fromEntries(READS_OF_SERVICE.map(name => [name, ofService(name)])),
    }
    return Object.create(directory, Object.getOwnPropertyDescriptors(reads)) as LocalDirectory
  }

  /** Notices about an entry compared with others; none if it is not visible yet. */
  function toNotices(entry: Entry): string[] {
    const backing = catalog.backing(entry.id)
    if (!backing) return []
    const countCategory = (id: string) => catalog.categories().find(each => each.id === id)?.count ?? 0
    return [...typingNotices(entry, countCategory), ...noticesOn(entry.name, backing)]
  }
}
