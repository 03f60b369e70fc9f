// Assembly of the server: the directory of this process with its interfaces and background work.
import type { Follower } from '../catalog/follow.ts'
import { openIndexer } from '../chain/indexer.ts'
import type { LocalDirectory } from '../directory/directory.ts'
import { openHttpServer } from '../http/server.ts'
import { createMcpEndpoint } from '../mcp/endpoint.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { createLog } from '../runtime/log.ts'
import type { Embedder } from '../search/embedding/model.ts'
import { createSync, openSourceFollower } from '../sync/sync.ts'
import { createPages } from '../web/pages.ts'
import { openDeliveries } from '../webhooks/deliveries.ts'
import type { Config } from './config.ts'
import { type FirstKey, openLocal, toSampleConfig } from './local.ts'
import { openNightlyBackup } from './nightly-backup.ts'
import { toSyncDeps } from './on-demand.ts'
import { loadFacilitators } from './outcome-proofs.ts'

export interface App extends AsyncDisposable {
  readonly directory: LocalDirectory
  /** The URLs on which it listens. */
  readonly urls: readonly string[]
  /** Resolves when the catalog has caught up; until then reads fail with `not_ready`. */
  readonly caughtUp: Promise<void>
  /** A first API key, created when the sample catalog was loaded into a new database. */
  readonly firstKey: FirstKey | undefined
  /** Hands clients over to another process that listens on the same port; to be called before disposal. */
  leave(): Promise<void>
}

/** The number of blocks before a registration in which payments are searched. */
const BACKFILL_BLOCKS = 50_000

export type AppOptions = {
  readonly sample?: boolean
  /** Whether merchants of the sample answer on loopback, and are probed. */
  readonly merchants?: boolean
  /** Whether public nodes are asked for payments on chains without a node of the operator. */
  readonly asksPublicNodes?: boolean
  readonly clock?: Clock
  readonly log?: (lines: string) => void
  /** Lets several apps in one process share one. */
  readonly embedder?: Embedder
  /** Several processes listen on the configured port. */
  readonly sharesPort?: boolean
  /** Listens only when the catalog has caught up, so that no client reaches a process that is not ready. */
  readonly listensWhenReady?: boolean
  /** Other processes already serve the database: a missing file is not created. */
  readonly mustExist?: boolean
  /** Whether it follows the sources in the store. Default: true. */
  readonly followsSources?: boolean
  /** Ends the wait for an unreachable database. */
  readonly signal?: AbortSignal
  /** Open event streams per caller. */
  readonly maxListeners?: number
}

/** Disposing ends the requests in flight first and closes the store last. */
export async function openApp(given: Config, options: AppOptions = {}): Promise<App> {
  const {
    sample = false,
    merchants = false,
    asksPublicNodes = false,
    clock = systemClock,
    sharesPort = false,
    listensWhenReady = false,
    mustExist = false,
    signal,
  } = options
  const config = sample ? toSampleConfig(given) : given
  await using disposables = new AsyncDisposableStack()
  const log = disposables.use(
    createLog({ level: config.logLevel, clock, ...(options.log && { write: options.log }) }),
  )
  for (const sentence of config.unknown) log.warn(sentence)
  const { store, keys, catalog, follower, rounds, send, directory, firstKey } = await openLocal(config, {
    disposables,
    clock,
    log,
    sample,
    merchants,
    asksPublicNodes,
    serves: true,
    embedder: options.embedder,
    mustExist,
    signal,
  })
  disposables.use(
    openIndexer({
      store,
      clock,
      rpcUrls: config.rpcUrls,
      publicNodes: asksPublicNodes ? { chains: config.publicChains, find: findPublicNode } : undefined,
      settings: { backfillBlocks: BACKFILL_BLOCKS },
      facilitators: loadFacilitators(config.facilitatorsFile),
      report: (level, message, fields) => log[level](message, fields),
      after: follower.caughtUp,
    }),
  )
  if (config.backupFolder !== undefined && !config.isSample)
    disposables.use(
      openNightlyBackup({ folder: config.backupFolder, databaseUrl: config.databaseUrl, store, clock, log }),
    )
  const onTrouble = (message: string, error: unknown) => log.warn(message, { error })
  const webhooks =
    send &&
    disposables.use(
      openDeliveries({ store, visible: catalog, send, isActive: keys.isActive, clock, onTrouble }),
    )
  if (options.followsSources !== false)
    disposables.use(
      openSourceFollower({ store, sync: createSync(toSyncDeps(config, store, clock)), clock, onTrouble }),
    )
  const mcp = disposables.use(
    createMcpEndpoint(directory, {
      title: config.directoryName,
      onFault: (tool, error) => log.error('tool failed', { tool, error }),
    }),
  )
  if (listensWhenReady) await untilReady(follower, signal)
  const server = disposables.use(
    openHttpServer({
      directory,
      keys,
      log,
      clock,
      settings: { ...config, sharesPort, maxListeners: options.maxListeners },
      ...createPages(directory, config),
      mcp,
      probing: rounds,
      webhooks,
    }),
  )
  const caughtUp = follower.caughtUp.then(() =>
    log.info('ready', { services: catalog.size, seq: catalog.seq }),
  )

  const owned = disposables.move()
  return {
    directory,
    urls: server.urls,
    caughtUp,
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

/** viem takes a fifth of a second to load, and its table of chains a third. */
const findPublicNode = async (chain: string): Promise<string | undefined> =>
  (await import('../chain/evm-node.ts')).findPublicNode(chain)
