// Assembly: the only file that knows every concrete part.
import { Catalog } from './catalog/catalog.ts'
import { openEventTail } from './catalog/event-tail.ts'
import { openFollower } from './catalog/follow.ts'
import { openIndexer } from './chain/indexer.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { createDirectory, type LocalDirectory } from './directory.ts'
import { isNeverProbed } from './domain/endpoint.ts'
import { DirectoryError } from './domain/errors.ts'
import type { ProbeRecord } from './domain/probes.ts'
import type { Entry } from './domain/service.ts'
import { type ExportEntry, toExportEntry, toService } from './domain/views.ts'
import { openDeliveries } from './hooks/deliveries.ts'
import { createSender, SEND_LIMITS } from './hooks/send.ts'
import { openHttpServer } from './http/server.ts'
import { VERSION } from './http/version.ts'
import { type Keyring, openKeyring } from './keys.ts'
import { createLog, type Log } from './log.ts'
import { createMcpDoor } from './mcp/door.ts'
import { createChecker } from './probe/checker.ts'
import { createHostGate } from './probe/host-gate.ts'
import { createServiceProber } from './probe/probe-service.ts'
import { createProber } from './probe/prober.ts'
import { openRounds } from './probe/rounds.ts'
import { createSafeFetch } from './probe/safe-fetch.ts'
import { readSample } from './sample.ts'
import { openEmbedder } from './search/embedder.ts'
import { createMeaning } from './search/meaning.ts'
import { createSearchIndex } from './search/search-index.ts'
import { readBackupLines, toBackupLines } from './store/backup-lines.ts'
import { openStore } from './store/open.ts'
import type { SourceState } from './store/sources.ts'
import type { Store } from './store/store.ts'
import { createSync, SOURCE_LIMITS, type Sync } from './sync/sync.ts'
import { createPages } from './web/pages.ts'

export interface App extends AsyncDisposable {
  readonly directory: LocalDirectory
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
  /** Several processes listen on the port of the settings. */
  readonly sharesPort?: boolean
  /** Ends the wait for a database that is away. */
  readonly signal?: AbortSignal
}

/** Disposing it ends the requests in flight first and closes the store last. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { sample = false, clock = systemClock, sharesPort = false, signal } = options
  await using parts = new AsyncDisposableStack()
  const log = parts.use(
    createLog({ level: config.logLevel, clock, ...(options.log && { write: options.log }) }),
  )
  const { store, keys, catalog, follower, probing, send, directory, firstKey } = await openLocal(config, {
    parts,
    clock,
    log,
    sample,
    signal,
  })
  parts.use(
    openIndexer({
      store,
      clock,
      rpcUrls: config.rpcUrls,
      settings: { confirmations: config.chainConfirmations, backfillBlocks: config.chainBackfillBlocks },
      report: (level, message, fields) => log[level](message, fields),
    }),
  )
  const rounds =
    probing &&
    parts.use(
      openRounds({
        ...probing,
        store,
        clock,
        onTrouble: (message, error) => log.warn(message, { error }),
      }),
    )
  if (send) {
    const onTrouble = (message: string, error: unknown) => log.warn(message, { error })
    parts.use(openDeliveries({ store, shown: catalog, send, isActive: keys.isActive, clock, onTrouble }))
  }
  const mcp = parts.use(
    createMcpDoor(directory, {
      title: config.directoryName,
      onFault: (tool, error) => log.error('tool failed', { tool, error }),
    }),
  )
  const server = parts.use(
    openHttpServer({
      directory,
      keys,
      log,
      clock,
      settings: { ...config, sharesPort },
      pages: createPages(directory),
      mcp,
      probing: rounds,
    }),
  )
  const ready = follower.caughtUp.then(() => log.info('ready', { services: catalog.size, seq: catalog.seq }))

  const owned = parts.move()
  return { directory, urls: server.urls, ready, firstKey, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

type LocalOptions = {
  readonly parts: AsyncDisposableStack
  readonly clock: Clock
  readonly log: Log
  readonly sample: boolean
  readonly signal?: AbortSignal | undefined
}

/** The directory of this process with what stands behind it; whatever must be closed goes to `parts`. */
async function openLocal(config: Config, { parts, clock, log, sample, signal }: LocalOptions) {
  const store = parts.use(
    await openStore(config.databaseUrl, {
      clock,
      replicaUrl: config.databaseReplicaUrl,
      onWaiting: reason => log.warn('waiting for the database', { reason }),
      signal,
    }),
  )
  const keys = openKeyring({ keys: store.keys, clock, extraKeys: config.apiKeys })
  const firstKey = sample ? await loadSample(store, keys, clock) : undefined

  const catalog = new Catalog(createSearchIndex({ meaning: createMeaning(openEmbedder()) }))
  const follower = parts.use(
    openFollower({
      store,
      catalog,
      clock,
      onProgress: progress => log.info('loading the catalog', progress),
    }),
  )
  const tail = parts.use(openEventTail({ store, catalog, clock }))
  const probing = config.probe ? createProbing(config, store, clock) : undefined
  const send = config.webhooks
    ? createSender({
        ask: createSafeFetch({ allowPrivate: config.allowPrivateEndpoints, limits: SEND_LIMITS }),
        clock,
        userAgent: toUserAgent('Webhooks', config.publicUrl),
      })
    : undefined
  const directory = createDirectory({
    store,
    catalog,
    follower,
    tail,
    keys,
    clock,
    policy: { allowPrivateEndpoints: config.allowPrivateEndpoints, strictAddresses: config.strictAddresses },
    publicUrl: config.publicUrl,
    check: probing?.check,
    send,
  })
  return { store, keys, catalog, follower, probing, send, directory, firstKey }
}

/** A directory that reads the store with a catalog of its own and opens no door; it resolves when it has caught up. */
export async function openReader(
  config: Config,
  { signal }: { signal?: AbortSignal } = {},
): Promise<AsyncDisposable & { readonly directory: LocalDirectory }> {
  await using parts = new AsyncDisposableStack()
  const log = parts.use(createLog({ level: config.logLevel, clock: systemClock }))
  const { directory, follower } = await openLocal(config, {
    parts,
    clock: systemClock,
    log,
    sample: false,
    signal,
  })
  await follower.caughtUp
  const owned = parts.move()
  return { directory, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const toUserAgent = (part: string, publicUrl: string | undefined): string =>
  `Shirube-${part}/${VERSION}${publicUrl ? ` (+${publicUrl})` : ''}`

/** Everything that asks strangers goes through one gate. */
function createProbing(
  { allowPrivateEndpoints, publicUrl }: Config,
  store: Pick<Store, 'probes'>,
  clock: Clock,
) {
  const userAgent = toUserAgent('Prober', publicUrl)
  const probe = createProber({ fetch: createSafeFetch({ allowPrivate: allowPrivateEndpoints }), userAgent })
  const gate = createHostGate(clock)
  return {
    gate,
    prober: createServiceProber({ store, probe, gate, clock }),
    check: createChecker({ probe, gate, clock, allowPrivate: allowPrivateEndpoints }),
  }
}

/** What an operator does with the store itself, also while a server runs on it. */
export interface Operator extends AsyncDisposable {
  readonly keys: Keyring
  insert(entries: readonly Entry[]): Promise<void>
  /** Probes a service now, whenever it is due. @throws DirectoryError `not_found` */
  probe(id: string): Promise<{ readonly probe: ProbeRecord; readonly entry: Entry }>
  exportEntries(): AsyncIterable<ExportEntry>
  /** Reads what is new at a source and follows it. @throws SourceFailure */
  readonly sync: Sync
  sources(): Promise<SourceState[]>
  /** Everything but secrets at one moment, line by line. */
  backup(): AsyncIterable<string>
  /** Fills an empty store with the lines of a backup, or leaves it as it is. @throws DirectoryError `invalid_request` */
  restore(lines: AsyncIterable<string>): Promise<void>
}

export async function openOperator(
  config: Config,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<Operator> {
  const store = await openStore(config.databaseUrl, { clock })
  return {
    keys: openKeyring({ keys: store.keys, clock, extraKeys: [] }),
    insert: async entries => void (await store.insert(entries)),
    probe: id => probeNow(config, store, clock, id),
    exportEntries: () => exportEntries(store),
    sync: createSourceSync(config, store, clock),
    sources: () => store.sources.list(),
    backup: () => toBackupLines(store.backup(), clock.now()),
    restore: lines => store.restore(readBackupLines(lines)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const createSourceSync = (config: Config, store: Store, clock: Clock): Sync =>
  createSync({
    store,
    clock,
    fetch: createSafeFetch({ allowPrivate: config.allowPrivateEndpoints, limits: SOURCE_LIMITS }),
    policy: { allowPrivateEndpoints: config.allowPrivateEndpoints, strictAddresses: false },
    userAgent: `Shirube-Sync/${VERSION}${config.publicUrl ? ` (+${config.publicUrl})` : ''}`,
  })

async function probeNow(config: Config, store: Store, clock: Clock, id: string) {
  const missing = () =>
    new DirectoryError('not_found', `There is no service with the id ${JSON.stringify(id)}.`)
  const kept = await store.find(id)
  if (!kept) throw missing()
  if (kept.entry.sample || isNeverProbed(kept.entry.endpoint))
    throw new DirectoryError('invalid_request', 'Sample entries and reserved names are never probed.')
  const { prober } = createProbing(config, store, clock)
  const measured = await prober.measure(kept)
  await prober.settle(measured)
  const judged = await store.find(id)
  if (!judged) throw missing()
  return { probe: measured.probe, entry: judged.entry }
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
