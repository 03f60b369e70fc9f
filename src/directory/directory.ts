// The operations of the product, one function each. Every interface calls this interface; it also exists over HTTP.
import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { EventBatch } from '../catalog/event-tail.ts'
import type { Follower } from '../catalog/follow.ts'
import { chainKey } from '../domain/chains/chains.ts'
import { type CheckReport, checkRequestSchema } from '../domain/check.ts'
import { DirectoryError, invalid, type Problem, toProblem } from '../domain/errors.ts'
import { blockOf } from '../domain/hosts/endpoint.ts'
import { createIdSource } from '../domain/ids.ts'
import { readDraft } from '../domain/listing/service.ts'
import { APPROVED } from '../domain/operating.ts'
import { collectionsOf, type Policy } from '../domain/policy.ts'
import { count, readBody } from '../domain/problems.ts'
import { type ProbingState, probingStateSchema } from '../domain/standing/standing.ts'
import { say } from '../messages/message.ts'
import type { SourceState } from '../store/sources.ts'
import type { Store, StoredEvent } from '../store/store.ts'
import { BAZAAR_OPERATIONS, type Bazaar, createBazaar } from './bazaar.ts'
import { COLLECTION_OPERATIONS, type Collections, createActLog, createCollections } from './collections.ts'
import { authorizeCalls, createFinder, type Given, type OperationDeps } from './deps.ts'
import { createFeed, FEED_OPERATIONS, type Feed, toCursor } from './feed.ts'
import { hashKey, TRUSTED_MS } from './keys.ts'
import { createListReads, createLists, LIST_OPERATIONS, type Lists } from './lists.ts'
import type { Operation } from './operation.ts'
import {
  type CountAllowed,
  createOperating,
  type Entrance,
  OPERATING_OPERATIONS,
  type Operating,
} from './operator.ts'
import { createOwners, OWNER_OPERATIONS, type Owners } from './owners.ts'
import { createPurchases, PURCHASE_OPERATIONS, type Purchases } from './purchases.ts'
import { createReports, REPORT_OPERATIONS, type Reports } from './reports.ts'
import { createServiceRecords, RECORD_OPERATIONS, type ServiceRecords } from './service-records.ts'
import { createServices, SERVICE_OPERATIONS, type Services } from './services.ts'
import { createSignIn, type Sessions, SIGN_IN_OPERATIONS, type SignIn } from './sign-in.ts'
import { createSpending, SPENDING_OPERATIONS, type SpendingOperations } from './spending.ts'
import { createWebhooks, WEBHOOK_OPERATIONS, type Webhooks } from './webhooks.ts'
import { type OperationName, WIRE, type WireForm } from './wire.ts'
import { createNotices, createVisibilityWait, createWriteBudget } from './writes.ts'

/** As interfaces give it to whoever watches the process. */
const healthSchema = z
  .object({
    state: z
      .enum(['starting', 'ready', 'degraded'])
      .describe('degraded: reads work from memory, writes do not'),
    reason: z
      .string()
      .nullable()
      .describe('Why the store is unavailable or does not accept writes; null if it does'),
    seq: count.describe('Number of the last write in the catalog'),
    services: count.describe('Number of services'),
    loaded: z.number().min(0).max(1).describe('The share of the store that a start has read so far'),
    lagMs: z.number().min(0).describe('How long the catalog has lagged behind the store'),
    storeErrors: count.describe('How often the store did not respond'),
    probing: probingStateSchema.nullable().describe('null if this process takes no part in probing'),
  })
  .meta({ id: 'Readiness', title: 'How far the process is' })
export type Health = Readonly<z.output<typeof healthSchema>>

/** What everybody may know of a source. */
export type PublicSource = Pick<SourceState, 'url' | 'kind' | 'checkedAt' | 'succeededAt' | 'failures'>

export interface Directory
  extends Lists,
    Feed,
    Bazaar,
    Owners,
    SignIn,
    Webhooks,
    Reports,
    Operating,
    Collections,
    Services,
    ServiceRecords,
    Purchases,
    SpendingOperations {
  health(): Promise<Health>
}

export type RecentEvent = StoredEvent

/** A directory in this process. */
export interface LocalDirectory extends Directory, Sessions, Entrance {
  /** The catalog in memory. @throws DirectoryError `not_ready` */
  requireCatalog(): Catalog
  /**
   * The directory as the holder of a key sees it: under a policy, reads leave out what it does not allow. Without a key, this one, or
   * only what is approved. A key that is not valid is refused: what a revoked one may not use must not appear.
   * @throws DirectoryError `unauthorized`
   */
  forKey(key: string | undefined): Promise<LocalDirectory>
  /** Whether callers without a key see everything. */
  readonly isOpen: boolean
  /** The same for a policy without collections, which the store reads into it. */
  under(policy: Policy): LocalDirectory
  readonly countAllowed: CountAllowed
  /** Tells views apart: a hash of the policy; empty: everything. */
  readonly viewId: string
  /** Returns what was read of an id. @throws DirectoryError `not_found`, `hidden` */
  requireFound<T>(value: T | undefined, id: string): T
  /** Whether payments on a network are read; otherwise a count of 0 says nothing. */
  readsPayments(network: string): boolean
  /**
   * Operations that memory may answer without a promise, which would cost more than the read. It returns undefined where memory does
   * not know: the operation itself asks the store.
   */
  readonly fromMemory: { readonly [N in OperationName]?: (...args: Parameters<Directory[N]>) => unknown }
  /** Checks an endpoint for whoever has no key, within the limits of a network. @throws as `check` does */
  checkFor(from: string, body: unknown): Promise<CheckReport>
  /** The problems of a registration body, for any caller. */
  problemsOf(body: unknown): readonly Problem[]
  /** Memory of the catalog. */
  catalogBytes(): number
  /** Events in batches that all listeners share, so that an interface with thousands of listeners encodes each once. */
  listen(after: string | number | undefined, signal: AbortSignal): AsyncGenerator<EventBatch, void>
  /** Without the reasons of failures, which are for the operator only: they may name internal hosts. */
  sources(): Promise<PublicSource[]>
  /** What is stored under ids, hidden services too: for operators. */
  lookUp(ids: readonly string[]): ReturnType<Store['lookUp']>
  /** The latest events, newest first: those with one of the last `numbers` numbers of the log. */
  recent(numbers: number): Promise<RecentEvent[]>
}

// Every operation of the directory, by its name.

export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  ...LIST_OPERATIONS,
  ...SERVICE_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...PURCHASE_OPERATIONS,
  ...SPENDING_OPERATIONS,
  ...OWNER_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...OPERATING_OPERATIONS,
  ...COLLECTION_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...FEED_OPERATIONS,
  ...BAZAAR_OPERATIONS,
}

/** The names of the views of policies: the text of a policy with collections is long, and its object is the same for a second. */
const VIEWS = new WeakMap<Policy, string>()

function viewIdOf(policy: Policy): string {
  const known = VIEWS.get(policy)
  if (known !== undefined) return known
  // A budget hides nothing.
  const { budgetPerDay: _, ...fields } = policy
  const view = Object.keys(fields).length === 0 ? '' : hashKey(JSON.stringify(fields))
  VIEWS.set(policy, view)
  return view
}

/** Policies whose lists are kept: each takes up to four bytes for every service and order. */
const MAX_VIEWS = 64

/** Public reads of one service. */
const READS_OF_SERVICE = (Object.entries(WIRE) as [OperationName, WireForm][])
  .filter(
    ([, { method, path, scope }]) => method === 'GET' && scope === undefined && path.includes('services/:id'),
  )
  .map(([name]) => name)

// The directory of this process, over its store and its catalog.

export function createDirectory({
  catalog,
  follower,
  isOpen = true,
  probing,
  chainsRead = [],
  ...given
}: Given & {
  readonly catalog: Catalog
  readonly follower: Follower
  /** false: callers without a key see only the collection `approved`. */
  readonly isOpen?: boolean | undefined
  /** undefined: this process does not probe. */
  readonly probing?: (() => ProbingState) | undefined
  /** Chains on which payments are read, in CAIP-2. */
  readonly chainsRead?: readonly string[]
}): LocalDirectory {
  const { store, tail, keys, clock, draftPolicy, check } = given
  const newId = createIdSource()

  function requireCatalog(): Catalog {
    if (!follower.isReady) throw new DirectoryError('not_ready', say('catalog_loading'))
    return catalog
  }

  const finder = createFinder({ store, catalog, clock })
  const deps: OperationDeps = {
    ...given,
    newId,
    requireCatalog,
    finder,
    waitUntilVisible: createVisibilityWait(catalog, clock),
    chargeWrite: createWriteBudget({ store, clock }),
    noticesOn: createNotices(catalog),
    note: createActLog({ store, clock, newId }),
  }

  async function health(): Promise<Health> {
    const reason = (await store.trouble()) ?? follower.storeTrouble ?? null
    return {
      state: follower.isReady ? (reason === null ? 'ready' : 'degraded') : 'starting',
      reason,
      seq: catalog.seq,
      services: catalog.size,
      loaded: follower.loaded,
      lagMs: follower.lagMs(),
      storeErrors: follower.storeErrors,
      probing: probing?.() ?? null,
    }
  }

  async function countAllowed(policy: Policy | null | undefined): Promise<number | null> {
    if (!policy) return null
    const known = (await store.collections.names()).map(({ name }) => name)
    const unknown = collectionsOf(policy).filter(name => !known.includes(name))
    if (unknown.length > 0)
      throw invalid(unknown.map(name => toProblem('policy', say('collection_unknown', { name }))))
    const { total } = await under(await store.collections.readInto(policy)).list({ limit: 1, offset: 0 })
    return total!
  }

  const readApproved = async (): Promise<LocalDirectory> =>
    under(await store.collections.readInto({ allow: [`collection:${APPROVED}`] }))
  let approved: { readonly atMs: number; readonly view: Promise<LocalDirectory> } | undefined

  async function forKey(key: string | undefined): Promise<LocalDirectory> {
    if (key !== undefined) {
      const { policy } = await keys.authorize(key)
      return policy ? under(policy) : directory
    }
    if (isOpen) return directory
    const atMs = clock.now().getTime()
    if (!approved || Math.abs(atMs - approved.atMs) >= TRUSTED_MS) approved = { atMs, view: readApproved() }
    return approved.view
  }

  const views = new Map<string, LocalDirectory>()

  function under(policy: Policy): LocalDirectory {
    const viewId = viewIdOf(policy)
    if (viewId === '') return directory
    const known = views.get(viewId) ?? createView(viewId, policy)
    views.delete(viewId)
    views.set(viewId, known)
    if (views.size > MAX_VIEWS) views.delete(views.keys().next().value!)
    return known
  }

  /** The directory as a policy shows it: what it does not allow is left out of lists and searches, and refused where it is named. */
  function createView(viewId: string, policy: Policy): LocalDirectory {
    const allowed = catalog.under(policy)
    const requireAllowed = () => requireCatalog() && allowed
    const whole: LocalDirectory = {
      ...directory,
      ...createCatalogReads({ ...deps, requireCatalog: requireAllowed }),
      viewId,
      requireCatalog: requireAllowed,
      fromMemory: createListReads(requireAllowed),
    }
    const ofService =
      (name: OperationName) =>
      async (id: string, ...rest: readonly unknown[]) => {
        requireAllowed().requireApproved(id)
        return (whole[name] as (...args: readonly unknown[]) => unknown)(id, ...rest)
      }
    return { ...whole, ...Object.fromEntries(READS_OF_SERVICE.map(name => [name, ofService(name)])) }
  }

  const services = createServices(deps)
  const signIn = createSignIn(deps)
  const directory: LocalDirectory = {
    ...authorizeCalls<Omit<Directory, 'health'> & Sessions & Entrance>(keys, {
      ...createCatalogReads(deps),
      ...services,
      ...createFeed(deps),
      ...createOwners(deps),
      ...signIn,
      ...createWebhooks(deps),
      ...createServiceRecords(deps),
      ...createReports({ ...deps, get: services.get }),
      ...createPurchases(deps),
      ...createSpending({ ...deps, under }),
      ...createCollections(deps),
      ...createOperating({ ...deps, health, countAllowed, sessions: signIn }),
    }),
    health,
    viewId: '',
    isOpen,
    countAllowed,
    forKey,
    under,
    requireCatalog,
    requireFound: finder.requireFound,
    readsPayments: network => chainsRead.includes(chainKey(network)),
    fromMemory: {
      get: id => requireCatalog().service(id),
      status: id => requireCatalog().status(id),
      ...createListReads(requireCatalog),
    },
    async checkFor(from, body) {
      if (!check) throw new DirectoryError('forbidden', say('checks_off'))
      return check(readBody(checkRequestSchema, body), blockOf(from))
    },
    problemsOf(body) {
      try {
        readDraft(body, draftPolicy)
        return []
      } catch (error) {
        if (error instanceof DirectoryError) return error.problems
        throw error
      }
    },
    catalogBytes: () => catalog.bytes,
    listen: (after, signal) => {
      requireCatalog()
      return tail.listen(after === undefined ? undefined : toCursor('after', after), signal)
    },
    async sources() {
      requireCatalog()
      return (await store.sources.list()).map(source => {
        const { url, kind, checkedAt, succeededAt, failures } = source
        return { url, kind, checkedAt, succeededAt, failures }
      })
    },
    lookUp: ids => store.lookUp(ids),
    async recent(numbers) {
      requireCatalog()
      const last = await store.events.last()
      return (await store.events.after(Math.max(0, last - numbers), numbers)).toReversed()
    },
  }
  return directory
}

/** The operations whose result depends on what the catalog shows. */
const createCatalogReads = (deps: OperationDeps): Lists & Bazaar & Pick<Services, 'categories'> => ({
  ...createLists(deps),
  ...createBazaar(deps),
  categories: async () => deps.requireCatalog().categories(),
})
