// Assembly for the operator: operations on the store itself, also while a server runs on it.

import { createActLog } from '../directory/collections.ts'
import { type Keyring, openKeyring } from '../directory/keys.ts'
import { createIdSource } from '../domain/ids.ts'
import { type Service, toService } from '../domain/listing/service.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { openStore } from '../store/open.ts'
import type { FollowedSource } from '../store/sources.ts'
import type { Store } from '../store/store.ts'
import type { RecordImport } from '../sync/import-records.ts'
import type { SyncBounds } from '../sync/source-reader.ts'
import type { Sync } from '../sync/sync.ts'
import type { Config } from './config.ts'

export interface Operator extends AsyncDisposable {
  readonly keys: Keyring
  /** Imports the records of a file and stores their embeddings, so that the next start does not compute them. */
  openImport(): Promise<RecordImport>
  /** Every service ordered by id, without hidden ones. */
  exportServices(): AsyncIterable<Service>
  /** Imports what is new at a source and follows it. @throws SourceFailure */
  readonly sync: Sync
  sources(): Promise<FollowedSource[]>
  /** Writes a copy of the database file. @throws DirectoryError `invalid_request` */
  backup(file: string): Promise<void>
  /**
   * Copies everything into an empty database; on an error that stays empty. Resolves to the number of rows.
   * @throws DirectoryError `invalid_request`, `store_unavailable`
   */
  copy(databaseUrl: string, onProgress: (rows: number, total: number) => void): Promise<number>
}

export async function openOperator(
  config: Config,
  { clock = systemClock, bounds }: { clock?: Clock; bounds?: SyncBounds } = {},
): Promise<Operator> {
  const store = await openStore(config.databaseUrl, { clock })
  let sync: Sync | undefined
  const onDemand = () => import('./on-demand.ts')
  const note = createActLog({ store, clock, newId: createIdSource() })
  async function log<T>(done: T, act: Parameters<typeof note>[1], about: string): Promise<T> {
    await note('command', act, about)
    return done
  }
  const keys = openKeyring({ keys: store.keys, clock, extraKeys: [] })

  return {
    keys: {
      ...keys,
      async create(key) {
        const made = await keys.create(key)
        return log(made, 'key_created', made.record.id)
      },
      revoke: async id => (await keys.revoke(id)) && log(true, 'key_revoked', id),
    },
    openImport: async () => (await onDemand()).openImport(store, clock),
    exportServices: () => exportServices(store),
    async sync(address, ...rest) {
      sync ??= (await onDemand()).openSync(config, store, clock, bounds)
      const url = address.replace(/\/+$/, '')
      if (await store.sources.add(url)) await log(url, 'source_added', url)
      return sync(url, ...rest)
    },
    sources: () => store.sources.list(),
    async backup(file) {
      await log(await store.backup(file), 'backed_up', file)
    },
    async copy(databaseUrl, onProgress) {
      await using target = await openStore(databaseUrl, { clock })
      let count = 0
      let total = 0
      async function* read() {
        const tables = store.dump(rows => {
          total = rows
        })
        for await (const each of tables) {
          yield each
          count += each.rows.length
          onProgress(count, total)
        }
      }
      await target.load(read())
      return count
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const EXPORT_PAGE = 1_000

async function* exportServices(store: Store): AsyncGenerator<Service> {
  for (let after = ''; ; ) {
    const page = await store.byId(after, EXPORT_PAGE)
    for (const entry of page) if (!entry.hidden) yield toService(entry)
    const last = page.at(-1)
    if (!last || page.length < EXPORT_PAGE) return
    after = last.id
  }
}
