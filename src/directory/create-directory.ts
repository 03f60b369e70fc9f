// The directory of this process, over its store and its catalog.
import type { Catalog } from '../catalog/catalog.ts'
import type { EventTail } from '../catalog/follow/event-tail.ts'
import type { Follower } from '../catalog/follow/follow.ts'
import { chainKey } from '../domain/chains/chains.ts'
import { DirectoryError } from '../domain/errors.ts'
import { createIdSource } from '../domain/ids.ts'
import { type DraftPolicy, readDraft } from '../domain/listing/draft.ts'
import type { Entry } from '../domain/listing/service.ts'
import type { ProbingState } from '../domain/standing/probes.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'
import type { Sender } from '../webhooks/send.ts'
import { createBazaar } from './bazaar.ts'
import type { LocalDirectory } from './directory.ts'
import { createFeed, toCursor } from './feed.ts'
import { createFinder } from './finder.ts'
import type { Keyring } from './keys.ts'
import { createLists } from './lists.ts'
import { noticesOn, ownNotices, typingNotices } from './notices.ts'
import type { OutcomeProofs } from './outcome-proof.ts'
import { createOutcomes } from './outcomes.ts'
import { createOwners } from './owners.ts'
import { createPurchaseReads } from './purchases.ts'
import { createReports } from './reports.ts'
import { createServiceRecords } from './service-records.ts'
import { type Checker, createServices } from './services.ts'
import { createSignIn } from './sign-in.ts'
import { createVisibilityWait } from './wait-until-visible.ts'
import { createWebhooks } from './webhooks.ts'
import { createWriteBudget } from './write-budget.ts'

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
  chainsRead = [],
}: {
  store: Pick<
    Store,
    | 'insert'
    | 'update'
    | 'remove'
    | 'find'
    | 'lookUp'
    | 'history'
    | 'trouble'
    | 'probes'
    | 'terms'
    | 'purchases'
    | 'outcomes'
    | 'payments'
    | 'challenges'
    | 'sessions'
    | 'webhooks'
    | 'budgets'
    | 'events'
    | 'paidTo'
    | 'sources'
    | 'reports'
    | 'schedule'
  >
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

  const chargeWrite = createWriteBudget({ store, clock })
  const services = createServices({
    store,
    keys,
    clock,
    policy,
    newId,
    ready,
    finder,
    check,
    waitUntilVisible,
    noticesOn: entry => [...ownNotices(catalog.ownNeighbour(entry.id)), ...toNotices(entry)],
    chargeWrite,
  })

  return {
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
      resolve: query => ready().resolve(query, clock.now()),
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
    ...createLists({ store, ready, clock }),
    ...createFeed({ ready, tail, clock, store }),
    ...createBazaar({ ready, terms: store.terms }),
    ...createOwners({
      store,
      keys,
      clock,
      policy,
      waitUntilVisible,
      noticesOn: toNotices,
      chargeWrite,
      ready,
    }),
    ...createSignIn({ store, keys, clock, publicUrl }),
    ...createWebhooks({ store, keys, clock, policy, send }),
    ...services,
    ...createServiceRecords({ store, ready, finder }),
    ...createPurchaseReads({ store, finder }),
    ...createReports({ store, keys, clock, newId, get: services.get }),
    ...createOutcomes({ store, clock, newId, publicUrl, proofs, finder }),
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
    async health() {
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
    },
  }

  /** Notices about an entry compared with others; none if it is not visible yet. */
  function toNotices(entry: Entry): string[] {
    const backing = catalog.backing(entry.id)
    if (!backing) return []
    const countCategory = (id: string) => catalog.categories().find(each => each.id === id)?.count ?? 0
    return [...typingNotices(entry, countCategory), ...noticesOn(entry.name, backing)]
  }
}
