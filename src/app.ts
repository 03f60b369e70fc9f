// Assembly: the only file that knows every concrete part.
import { Catalog } from './catalog/catalog.ts'
import { openFollower } from './catalog/follow.ts'
import { openIndexer } from './chain/indexer.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { createDirectory, type Directory } from './directory.ts'
import type { Entry } from './domain/service.ts'
import { type ExportEntry, toExportEntry, toService } from './domain/views.ts'
import { openHttpServer } from './http/server.ts'
import { type Keyring, openKeyring } from './keys.ts'
import { createLog } from './log.ts'
import { readSample } from './sample.ts'
import { openStore } from './store/open.ts'
import type { Store } from './store/store.ts'
import { createPages } from './web/pages.ts'

export interface App extends AsyncDisposable {
  readonly directory: Directory
  /** Where it listens. */
  readonly urls: readonly string[]
  /** Resolves when the catalog has caught up; until then reads answer `not_ready`. */
  readonly ready: Promise<void>
  /** A first API key, made once when the sample catalog was loaded into a new database. */
  readonly firstKey: string | undefined
}

export type AppOptions = {
  readonly sample?: boolean
  readonly clock?: Clock
  readonly log?: (lines: string) => void
}

/** Disposing it ends the requests in flight first and closes the store last. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { sample = false, clock = systemClock } = options
  await using parts = new AsyncDisposableStack()
  const log = parts.use(
    createLog({ level: config.logLevel, clock, ...(options.log && { write: options.log }) }),
  )
  const store = parts.use(await openStore(config.databaseUrl, { clock }))
  const keys = openKeyring({ keys: store.keys, clock, extraKeys: config.apiKeys })
  const firstKey = sample ? await loadSample(store, keys, clock) : undefined

  const catalog = new Catalog()
  const follower = parts.use(
    openFollower({
      store,
      catalog,
      clock,
      onProgress: progress => log.info('loading the catalog', progress),
    }),
  )
  parts.use(
    openIndexer({
      store,
      clock,
      rpcUrls: config.rpcUrls,
      settings: { confirmations: config.chainConfirmations, backfillBlocks: config.chainBackfillBlocks },
      report: (level, message, fields) => log[level](message, fields),
    }),
  )
  const directory = createDirectory({
    store,
    catalog,
    follower,
    keys,
    clock,
    policy: { allowPrivateEndpoints: config.allowPrivateEndpoints, strictAddresses: config.strictAddresses },
  })
  const server = parts.use(
    openHttpServer({ directory, keys, log, clock, settings: config, pages: createPages(directory) }),
  )
  const ready = follower.caughtUp.then(() => log.info('ready', { services: catalog.size, seq: catalog.seq }))

  const owned = parts.move()
  return { directory, urls: server.urls, ready, firstKey, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** What an operator does with the store itself, also while a server runs on it. */
export interface Operator extends AsyncDisposable {
  readonly keys: Keyring
  insert(entries: readonly Entry[]): Promise<void>
  exportEntries(): AsyncIterable<ExportEntry>
}

export async function openOperator(
  config: Config,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<Operator> {
  const store = await openStore(config.databaseUrl, { clock })
  return {
    keys: openKeyring({ keys: store.keys, clock, extraKeys: [] }),
    insert: async entries => void (await store.insert(entries)),
    exportEntries: () => exportEntries(store),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const EXPORT_PAGE = 1_000

async function* exportEntries(store: Store): AsyncGenerator<ExportEntry> {
  // An entry that changes during the walk moves to the end of the feed and is met again.
  const seen = new Set<string>()
  for (let since = 0; ; ) {
    const page = await store.changes(since, EXPORT_PAGE)
    for (const { id, entry } of page) {
      if (entry && !seen.has(id)) yield toExportEntry(toService(entry))
      seen.add(id)
    }
    const last = page.at(-1)
    if (!last) return
    since = last.seq
  }
}

/** Fills a new database; one that was ever written to is left alone. */
async function loadSample(store: Store, keys: Keyring, clock: Clock): Promise<string | undefined> {
  if ((await store.lastSeq()) > 0) return undefined
  await store.insert(await readSample(clock.now()))
  const { key } = await keys.create({ name: 'first key', scopes: ['register', 'admin'], expiresAt: null })
  return key
}
