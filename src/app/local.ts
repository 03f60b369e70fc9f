// Assembly of the directory of this process: store, catalog, probing, sending.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Catalog } from '../catalog/catalog.ts'
import { openEventTail } from '../catalog/event-tail.ts'
import { openEmbeddingWriter, openFollower } from '../catalog/follow.ts'
import { createDirectory, type LocalDirectory } from '../directory/directory.ts'
import { type Keyring, openKeyring } from '../directory/keys.ts'
import { DirectoryError } from '../domain/errors.ts'
import { createIdSource } from '../domain/ids.ts'
import { createEntry, type Entry, readDraft } from '../domain/listing/service.ts'
import { verbatim } from '../messages/message.ts'
import { packageFile } from '../package/files.ts'
import { createSafeFetch } from '../probe/requests/safe-fetch.ts'
import { openRounds } from '../probe/rounds.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { createLog, type Log } from '../runtime/log.ts'
import { type Embedder, openEmbedder } from '../search/embedding/model.ts'
import { createSemanticIndex } from '../search/embedding/semantic-index.ts'
import { createSearchIndex } from '../search/search-index.ts'
import { isInMemory, openStore, toFilePath } from '../store/open.ts'
import type { Store, StoredEmbedding } from '../store/store.ts'
import { createSender, SEND_LIMITS } from '../webhooks/send.ts'
import { type Config, ConfigError } from './config.ts'
import { openDesk } from './on-demand.ts'
import { openOutcomeProofs } from './outcome-proofs.ts'
import { createProbing, toUserAgent } from './probing/probing.ts'
import { openProbingThread, openRoundsBySize, toProbingSettings } from './probing/thread.ts'
import { openRates } from './rates.ts'
import { openSampleMerchants } from './sample-merchants.ts'

/** The first API key, with the scope `register`. */
export type FirstKey = { readonly key: string; readonly expiresAt: string }

type LocalOptions = {
  readonly disposables: AsyncDisposableStack
  readonly clock: Clock
  readonly log: Log
  readonly sample: boolean
  /** Whether merchants of the sample answer on loopback. */
  readonly merchants?: boolean
  readonly asksPublicNodes?: boolean
  /** Whether it probes in rounds, if the settings allow that. */
  readonly serves: boolean
  readonly embedder?: Embedder | undefined
  /** A missing file is not created. */
  readonly mustExist?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Opens the directory of this process; everything that must be closed is added to `disposables`. */
export async function openLocal(config: Config, options: LocalOptions) {
  const {
    disposables,
    clock,
    log,
    sample,
    merchants = false,
    serves,
    embedder = openEmbedder(),
    mustExist,
    signal,
  } = options
  const store = disposables.use(
    await openStore(config.databaseUrl, {
      clock,
      onUpgraded: versions => log.warn('the database was upgraded', versions),
      onWaiting: reason => log.warn('waiting for the database', { reason }),
      onTrouble: reason =>
        reason === undefined
          ? log.info('writes to the store succeed again')
          : log.error('writes to the store fail', { reason }),
      mustExist,
      signal,
    }),
  )
  const keys = openKeyring({ keys: store.keys, clock, extraKeys: config.apiKeys })
  const firstKey = sample ? await loadSample(store, keys, clock) : undefined
  const live = merchants ? disposables.use(await openSampleMerchants({ store, clock, log })) : undefined

  const index = createSearchIndex({ semantic: createSemanticIndex(embedder) })
  const catalog = new Catalog(index)
  catalog.onUnknownCursor = found => log.info('a cursor is not of this history', found)
  const onTrouble = (message: string, error: unknown) => log.warn(message, { error })
  if (config.rates !== undefined)
    disposables.use(await openRatesOf(config.rates, { catalog, clock, onTrouble }))
  const follower = disposables.use(
    openFollower({
      store,
      catalog,
      clock,
      onProgress: progress => log.info('loading the catalog', progress),
    }),
  )
  disposables.use(openEmbeddingWriter({ store, catalog, clock }))
  const { caughtUp: after } = follower
  const tail = disposables.use(openEventTail({ store, catalog, clock }))
  const probing = config.probe
    ? createProbing({ ...config, ...(live && { exempt: [live.host] }) }, store, clock, () => catalog.rates)
    : undefined
  const rounds =
    probing && serves
      ? disposables.use(
          isSingleThreaded(config, clock)
            ? openRounds({ ...probing, store, clock, onTrouble })
            : openRoundsBySize({
                size: () => catalog.size,
                after,
                openHere: () => openRounds({ ...probing, store, clock, onTrouble }),
                openThread: () =>
                  openProbingThread({ settings: toProbingSettings(config), clock, onTrouble }),
                clock,
              }),
        )
      : undefined
  const send = config.webhooks
    ? createSender({
        request: createSafeFetch({ allowPrivate: config.allowPrivateEndpoints, limits: SEND_LIMITS }),
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
    draftPolicy: {
      allowPrivateEndpoints: config.allowPrivateEndpoints,
      strictAddresses: config.strictAddresses,
    },
    isOpen: config.catalog === 'all',
    publicUrl: config.publicUrl,
    check: probing?.check,
    probing: rounds?.state,
    send,
    chainsRead: [...Object.keys(config.rpcUrls), ...(options.asksPublicNodes ? config.publicChains : [])],
    desk: serves ? openDesk(config, store, clock) : undefined,
    proofs: serves ? disposables.use(openOutcomeProofs(config, store, clock)) : undefined,
  })
  return { store, keys, catalog, follower, rounds, send, directory, firstKey }
}

type RatesDeps = Omit<Parameters<typeof openRates>[0], 'source' | 'request'>

/** @throws ConfigError if the file of the setting cannot be used */
async function openRatesOf(source: string, deps: RatesDeps): Promise<AsyncDisposable> {
  try {
    return await openRates({ ...deps, source, request: createSafeFetch({ allowPrivate: true }) })
  } catch (error) {
    throw new ConfigError([`RATES: ${(error as Error).message}`])
  }
}

/** An in-memory database and the clock of a test cannot be shared with another thread. */
const isSingleThreaded = ({ databaseUrl }: Config, clock: Clock): boolean =>
  clock !== systemClock || isInMemory(databaseUrl)

/** A read-only directory with its own catalog, without background work; resolves when it has caught up. */
export async function openReader(
  config: Config,
  { signal }: { signal?: AbortSignal } = {},
): Promise<AsyncDisposable & { readonly directory: LocalDirectory }> {
  const path = toFilePath(config.databaseUrl)
  // A new store would be empty, and every search in it would look like an honest answer.
  if (path !== undefined && !existsSync(path))
    throw new DirectoryError(
      'store_unavailable',
      verbatim(
        `There is no catalog at ${resolve(path)}, which DATABASE_URL names. --url asks a running directory instead.`,
      ),
    )
  await using disposables = new AsyncDisposableStack()
  const log = disposables.use(createLog({ level: config.logLevel, clock: systemClock }))
  const { directory, follower } = await openLocal(config, {
    disposables,
    clock: systemClock,
    log,
    sample: false,
    serves: false,
    signal,
  })
  await follower.caughtUp
  const owned = disposables.move()
  return { directory, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const FIRST_KEY_MS = 30 * 24 * 60 * 60 * 1_000

/** Fills a new database; does nothing if it was ever written to. */
async function loadSample(store: Store, keys: Keyring, clock: Clock): Promise<FirstKey | undefined> {
  const { seq, gap } = await store.history()
  if (seq + gap > 0) return undefined
  const entries = await readSample(clock.now())
  await store.insert(entries)
  await store.putEmbeddings(await readSampleEmbeddings(entries))
  // The key is printed, so it ends up in scrollbacks and collected logs: it has few rights and expires soon.
  const expiresAt = new Date(clock.now().getTime() + FIRST_KEY_MS)
  const { key } = await keys.create({ name: 'first key', scopes: ['register'], expiresAt })
  return { key, expiresAt: expiresAt.toISOString() }
}

/** A sample has a database of its own, next to that of `serve`. */
export function toSampleConfig(config: Config): Config {
  if (isInMemory(config.databaseUrl)) return { ...config, isSample: true }
  const path = toFilePath(config.databaseUrl) ?? './data/shirube.db'
  const databaseUrl = `sqlite:${join(dirname(path), 'sample.db')}`
  return { ...config, databaseUrl, isSample: true }
}

// The sample catalog: believable services on `.example` hosts, so that a new directory has something to show. They are registrations
// like any other, and without a standing: nothing is invented that could pass for a measurement.

/** One per line, in the order of the sample. The reader recomputes embeddings of another model or text. */
export const SAMPLE_EMBEDDINGS = packageFile('data/sample-embeddings.txt')
const FILE = packageFile('data/sample.ndjson')

export async function readSample(now: Date): Promise<Entry[]> {
  const newId = createIdSource()
  const lines = (await Bun.file(FILE).text()).trim().split('\n')
  return lines.map(line => {
    const { draft } = readDraft(JSON.parse(line), { allowPrivateEndpoints: false, strictAddresses: true })
    return createEntry(draft, { id: newId(now), now, source: 'sample' })
  })
}

/** @param entries of `readSample` */
export async function readSampleEmbeddings(entries: readonly Entry[]): Promise<StoredEmbedding[]> {
  const lines = (await Bun.file(SAMPLE_EMBEDDINGS).text()).trim().split('\n')
  return entries.map(({ id }, i) => ({ id, embedding: Uint8Array.fromBase64(lines[i] ?? '') }))
}
