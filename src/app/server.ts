// Assembly of the server: the only file that knows every part of it.
import { Catalog } from '../catalog/catalog.ts'
import { openEventTail } from '../catalog/event-tail.ts'
import { type Follower, openFollower } from '../catalog/follow.ts'
import { createSnapshotKeeper } from '../catalog/snapshot/keeper.ts'
import { openEmbeddingWriter } from '../catalog/store-embeddings.ts'
import { openIndexer } from '../chain/indexer.ts'
import { createDirectory } from '../directory/create-directory.ts'
import type { LocalDirectory } from '../directory/directory.ts'
import { type Keyring, openKeyring } from '../directory/keys.ts'
import { openHttpServer } from '../http/server.ts'
import { createMcpEndpoint } from '../mcp/endpoint.ts'
import { openRounds } from '../probe/rounds.ts'
import { createSafeFetch } from '../probe/safe-fetch.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { createLog, type Log } from '../runtime/log.ts'
import { type Embedder, openEmbedder } from '../search/embedding/model.ts'
import { createSemanticIndex } from '../search/embedding/semantic-index.ts'
import { createSearchIndex } from '../search/search-index.ts'
import { isInMemory, openStore, toFilePath } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { renderFailure } from '../web/failure-page.ts'
import { createPages } from '../web/pages.ts'
import { openDeliveries } from '../webhooks/deliveries.ts'
import { createSender, SEND_LIMITS } from '../webhooks/send.ts'
import { loadAssets } from './assets.ts'
import { type Config, ConfigError } from './config.ts'
import { loadFacilitators } from './facilitators.ts'
import { openOutcomeProofs } from './outcome-proofs.ts'
import { openPaidVerification } from './paid-verification.ts'
import { toProbingSettings } from './probing/messages.ts'
import { openPlacedRounds } from './probing/placement.ts'
import { openProbing, toUserAgent } from './probing/probing.ts'
import { openProbingThread } from './probing/thread.ts'
import { openRates } from './rates.ts'
import { readSample } from './sample.ts'
import { findBySentence } from './sentences.ts'

/** It may register, and change what it registered. */
export type FirstKey = { readonly key: string; readonly expiresAt: string }

export interface App extends AsyncDisposable {
  readonly directory: LocalDirectory
  /** Where it listens. */
  readonly urls: readonly string[]
  /** Resolves when the catalog has caught up; until then reads answer `not_ready`. */
  readonly ready: Promise<void>
  /** A first API key, made once when the sample catalog was loaded into a new database. */
  readonly firstKey: FirstKey | undefined
  /** Lets callers go over to another process that listens on the same port; to be called before it is disposed. */
  leave(): Promise<void>
}

export type AppOptions = {
  readonly sample?: boolean
  readonly clock?: Clock
  readonly log?: (lines: string) => void
  /** For who opens several in one process: they can share one. */
  readonly embedder?: Embedder
  /** Several processes listen on the port of the settings. */
  readonly sharesPort?: boolean
  /** Listens when the catalog has caught up, so that nobody is led to a process that cannot answer yet. */
  readonly listensWhenReady?: boolean
  /** Others serve the database already: where its file is gone, none is made. */
  readonly joins?: boolean
  /** Ends the wait for a database that is away. */
  readonly signal?: AbortSignal
}

/** Disposing it ends the requests in flight first and closes the store last. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  const {
    sample = false,
    clock = systemClock,
    sharesPort = false,
    listensWhenReady = false,
    joins = false,
    signal,
  } = options
  await using parts = new AsyncDisposableStack()
  const log = parts.use(
    createLog({ level: config.logLevel, clock, ...(options.log && { write: options.log }) }),
  )
  const { store, keys, catalog, follower, rounds, send, directory, firstKey } = await openLocal(config, {
    parts,
    clock,
    log,
    sample,
    serves: true,
    embedder: options.embedder,
    joins,
    signal,
  })
  parts.use(
    openIndexer({
      store,
      clock,
      rpcUrls: config.rpcUrls,
      settings: { confirmations: config.chainConfirmations, backfillBlocks: config.chainBackfillBlocks },
      facilitators: loadFacilitators(config.facilitatorsFile),
      report: (level, message, fields) => log[level](message, fields),
    }),
  )
  const onTrouble = (message: string, error: unknown) => log.warn(message, { error })
  const buying = await openPaidVerification(config, { store, catalog, clock, log })
  if (buying) parts.use(buying)
  const webhooks =
    send &&
    parts.use(
      openDeliveries({
        ...{ store, shown: catalog, send, isActive: keys.isActive, clock, onTrouble },
        search: sentence => findBySentence(catalog, sentence),
      }),
    )
  const mcp = parts.use(
    createMcpEndpoint(directory, {
      title: config.directoryName,
      onFault: (tool, error) => log.error('tool failed', { tool, error }),
    }),
  )
  if (listensWhenReady) await untilReady(follower, signal)
  const server = parts.use(
    openHttpServer({
      directory,
      keys,
      log,
      clock,
      settings: { ...config, sharesPort },
      pages: createPages(directory, config),
      renderFailure,
      mcp,
      probing: rounds,
      webhooks,
      buying,
    }),
  )
  const ready = follower.caughtUp.then(() => log.info('ready', { services: catalog.size, seq: catalog.seq }))

  const owned = parts.move()
  return {
    directory,
    urls: server.urls,
    ready,
    firstKey,
    leave: () => server.leave(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function untilReady({ caughtUp }: Follower, signal?: AbortSignal): Promise<void> {
  const ended = new Promise<void>(resolve => signal?.addEventListener('abort', () => resolve()))
  await Promise.race([caughtUp, ended])
  signal?.throwIfAborted()
}

type LocalOptions = {
  readonly parts: AsyncDisposableStack
  readonly clock: Clock
  readonly log: Log
  readonly sample: boolean
  /** Whether it takes part in what is done for all: rounds of probes, where the settings allow them, and a snapshot of the catalog. */
  readonly serves: boolean
  readonly embedder?: Embedder | undefined
  readonly joins?: boolean
  readonly signal?: AbortSignal | undefined
}

/** The directory of this process with what stands behind it; whatever must be closed goes to `parts`. */
async function openLocal(config: Config, options: LocalOptions) {
  const { parts, clock, log, sample, serves, embedder = openEmbedder(), joins, signal } = options
  loadAssets(config.assetsFile)
  const store = parts.use(
    await openStore(config.databaseUrl, {
      clock,
      replicaUrl: config.databaseReplicaUrl,
      onWaiting: reason => log.warn('waiting for the database', { reason }),
      onLacking: reason => log.warn('the database lacks something', { reason }),
      onTrouble: reason =>
        reason === undefined
          ? log.info('the store keeps writes again')
          : log.error('the store keeps no writes', { reason }),
      mustExist: joins,
      signal,
    }),
  )
  const keys = openKeyring({ keys: store.keys, clock, extraKeys: config.apiKeys })
  const firstKey = sample ? await loadSample(store, keys, clock) : undefined

  const catalog = new Catalog(createSearchIndex({ semantic: createSemanticIndex(embedder) }))
  const onTrouble = (message: string, error: unknown) => log.warn(message, { error })
  if (config.rates !== undefined) parts.use(await openRatesOf(config.rates, { catalog, clock, onTrouble }))
  const path = toSnapshotPath(config)
  const snapshot =
    config.catalogFile !== 'off' && (path !== undefined || store.snapshots)
      ? parts.use(createSnapshotKeeper({ path, store, catalog, clock, isWriter: serves, onTrouble }))
      : undefined
  const follower = parts.use(
    openFollower({
      store,
      catalog,
      clock,
      snapshot,
      onProgress: progress => log.info('loading the catalog', progress),
    }),
  )
  parts.use(openEmbeddingWriter({ store, catalog, clock }))
  const tail = parts.use(openEventTail({ store, catalog, clock }))
  const probing = config.probe ? parts.use(openProbing(config, store, clock, () => catalog.rates)) : undefined
  const rounds =
    probing && serves
      ? parts.use(
          isForOneThread(config, clock)
            ? openRounds({ ...probing, store, clock, onTrouble })
            : openPlacedRounds({
                size: () => catalog.size,
                after: follower.caughtUp,
                openHere: () => openRounds({ ...probing, store, clock, onTrouble }),
                openThread: () =>
                  openProbingThread({ settings: toProbingSettings(config), clock, onTrouble }),
                clock,
              }),
        )
      : undefined
  const send = config.webhooks
    ? createSender({
        ask: createSafeFetch({ allowPrivate: config.allowPrivateEndpoints, limits: SEND_LIMITS }),
        budgets: store.budgets,
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
    probing: rounds?.state,
    snapshot: snapshot && (() => snapshot.last),
    send,
    proofs: serves ? parts.use(openOutcomeProofs(config, store, clock)) : undefined,
  })
  return { store, keys, catalog, follower, rounds, send, directory, firstKey }
}

type RatesParts = Omit<Parameters<typeof openRates>[0], 'source' | 'request'>

/** @throws ConfigError where the file of the setting cannot be used */
async function openRatesOf(source: string, parts: RatesParts): Promise<AsyncDisposable> {
  try {
    return await openRates({ ...parts, source, request: createSafeFetch({ allowPrivate: true }) })
  } catch (error) {
    throw new ConfigError([`RATES: ${(error as Error).message}`])
  }
}

function toSnapshotPath({ catalogFile, databaseUrl }: Config): string | undefined {
  if (catalogFile !== undefined) return catalogFile === 'off' ? undefined : catalogFile
  const file = toFilePath(databaseUrl)
  return file && `${file}.catalog`
}

/** A database in memory and a clock of a test are there for one thread alone. */
const isForOneThread = ({ databaseUrl }: Config, clock: Clock): boolean =>
  clock !== systemClock || isInMemory(databaseUrl)

/** A directory that reads the store with a catalog of its own and serves nobody; it resolves when it has caught up. */
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
    serves: false,
    signal,
  })
  await follower.caughtUp
  const owned = parts.move()
  return { directory, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const FIRST_KEY_MS = 30 * 24 * 60 * 60 * 1_000

/** Fills a new database; one that was ever written to is left alone. */
async function loadSample(store: Store, keys: Keyring, clock: Clock): Promise<FirstKey | undefined> {
  const { seq, gap } = await store.history()
  if (seq + gap > 0) return undefined
  await store.insert(await readSample(clock.now()))
  // It is printed, and so it is seen in scrollbacks, on screens and in the logs of whoever gathers output: little, and not for long.
  const expiresAt = new Date(clock.now().getTime() + FIRST_KEY_MS)
  const { key } = await keys.create({ name: 'first key', scopes: ['register'], expiresAt })
  return { key, expiresAt: expiresAt.toISOString() }
}
