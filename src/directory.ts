// The operations of the product, one function each. Every door calls this interface; it also exists over HTTP.
import type { Catalog } from './catalog/catalog.ts'
import type { Follower } from './catalog/follow.ts'
import type { Clock } from './clock.ts'
import type { IntentAnswer, Page } from './domain/answers.ts'
import type { Category } from './domain/categories.ts'
import { type DraftPolicy, readDraft } from './domain/draft.ts'
import { Encoded } from './domain/encoded.ts'
import { DirectoryError } from './domain/errors.ts'
import { createIdSource } from './domain/ids.ts'
import type { IntentQuery, KeywordQuery, ListQuery } from './domain/queries.ts'
import { checkRequestKey } from './domain/request-key.ts'
import { createEntry, type Service, type ServiceDraft } from './domain/service.ts'
import { type ExportEntry, type StatusRecord, toExportEntry, toService } from './domain/views.ts'
import type { Keyring } from './keys.ts'
import type { Seq, Store } from './store/store.ts'

export type Registered = {
  readonly service: Encoded<Service>
  /** Sentences about what was accepted but looks wrong. */
  readonly notices: readonly string[]
  /** Paths of the fields that were sent and not used. */
  readonly ignored: readonly string[]
}

export type Health = {
  /** starting: the catalog has not caught up yet; degraded: it serves, but the store is away. */
  readonly state: 'starting' | 'ready' | 'degraded'
  readonly seq: number
  readonly services: number
  /** How long the catalog has been behind the store. */
  readonly lagMs: number
  readonly storeErrors: number
}

export interface Directory {
  list(query: ListQuery): Promise<Page>
  /** @throws DirectoryError `not_found` */
  get(id: string): Promise<Encoded<Service>>
  /** @throws DirectoryError `not_found` */
  status(id: string): Promise<Encoded<StatusRecord>>
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

/** A registration is answered at the latest after this time, even if the catalog has not caught up with it. */
const VISIBLE_WITHIN_MS = 2_000

export function createDirectory({
  store,
  catalog,
  follower,
  keys,
  clock,
  policy,
}: {
  store: Pick<Store, 'insert'>
  catalog: Catalog
  follower: Follower
  keys: Keyring
  clock: Clock
  policy: DraftPolicy
}): Directory {
  const newId = createIdSource()

  function ready(): Catalog {
    if (!follower.ready)
      throw new DirectoryError(
        'not_ready',
        'The directory is still loading its catalog; ask again in a moment.',
      )
    return catalog
  }

  function found<T>(value: T | undefined, id: string): T {
    if (value === undefined)
      throw new DirectoryError(
        'not_found',
        `There is no service with the id ${JSON.stringify(id.slice(0, 64))}.`,
      )
    return value
  }

  return {
    list: async query => ready().list(query),
    get: async id => found(ready().service(id), id),
    status: async id => found(ready().status(id), id),
    search: async query => ready().search(query),
    searchByIntent: async query => ready().searchByIntent(query),
    categories: async () => ready().categories(),

    async register(body, { key, once }) {
      const caller = await keys.authorize(key, 'register')
      if (once !== undefined) checkRequestKey(once)
      const { draft, ignored, notices } = readDraft(body, policy)
      const now = clock.now()
      const entry = createEntry(draft, { id: newId(now), now, owner: caller.id })
      const requestKey =
        once === undefined
          ? undefined
          : { caller: caller.id, key: once, fingerprint: fingerprint(draft), at: now }
      const { seq, entries } = await store.insert([entry], requestKey)
      await visible(seq)
      return { service: Encoded.of(toService(entries[0]!)), ignored, notices }
    },

    async *export() {
      for (const service of ready().snapshot()) yield toExportEntry(service.decode())
    },

    async health() {
      return {
        state: follower.ready ? (follower.away ? 'degraded' : 'ready') : 'starting',
        seq: catalog.seq,
        services: catalog.size,
        lagMs: follower.lagMs(),
        storeErrors: follower.storeErrors,
      }
    },
  }

  async function visible(seq: Seq): Promise<void> {
    if (catalog.seq >= seq) return
    const enough = new AbortController()
    await Promise.race([catalog.reached(seq), clock.sleep(VISIBLE_WITHIN_MS, enough.signal)])
    enough.abort()
  }
}

/** What a retry must send again: the fields that count, whatever their order or the white space between them. */
const fingerprint = (draft: ServiceDraft): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(draft)).digest('hex')
