// Assembly for the operator: what is done with the store itself, also while a server runs on it.
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { isNeverProbed } from './domain/endpoint.ts'
import { DirectoryError } from './domain/errors.ts'
import type { ProbeRecord } from './domain/probes.ts'
import type { Entry } from './domain/service.ts'
import { type ExportEntry, toExportEntry, toService } from './domain/views.ts'
import { type Keyring, openKeyring } from './keys.ts'
import { HostBusy } from './probe/host-gate.ts'
import { createSafeFetch } from './probe/safe-fetch.ts'
import { openProbing, toUserAgent } from './probing.ts'
import { openEmbedder } from './search/embedding/model.ts'
import { createMeaning, type Meaning } from './search/embedding/semantic-index.ts'
import { readBackupLines, toBackupLines } from './store/backup-lines.ts'
import { openStore } from './store/open.ts'
import type { SourceState } from './store/sources.ts'
import type { Store } from './store/store.ts'
import { createSync, SOURCE_LIMITS, type Sync } from './sync/sync.ts'

export interface Operator extends AsyncDisposable {
  readonly keys: Keyring
  /** What search needs of them is worked out at once, so that the next start is spared it. */
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
  let meaning: Meaning | undefined
  return {
    keys: openKeyring({ keys: store.keys, clock, extraKeys: [] }),
    async insert(entries) {
      await store.insert(entries)
      meaning ??= createMeaning(openEmbedder())
      const { gist } = meaning
      await store.keepGists(entries.map(entry => ({ id: entry.id, gist: gist(entry) })))
    },
    probe: id => probeNow(config, store, clock, id),
    exportEntries: () => exportEntries(store),
    sync: createSourceSync(config, store, clock),
    // What ids are made of is told to nobody.
    sources: async () => (await store.sources.list()).map(({ aliasKey: _, ...source }) => source),
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
    bounds: { bytes: config.syncMaxBytes, entries: config.syncMaxEntries },
    policy: { allowPrivateEndpoints: config.allowPrivateEndpoints, strictAddresses: false },
    userAgent: toUserAgent('Sync', config.publicUrl),
  })

/** Whoever probes by hand waits. */
const HOST_PATIENCE_MS = 60_000

async function probeNow(config: Config, store: Store, clock: Clock, id: string) {
  const missing = () =>
    new DirectoryError('not_found', `There is no service with the id ${JSON.stringify(id)}.`)
  const kept = await store.find(id)
  if (!kept) throw missing()
  if (kept.entry.sample || isNeverProbed(kept.entry.endpoint))
    throw new DirectoryError('invalid_request', 'Sample entries and reserved names are never probed.')
  await using probing = openProbing(config, store, clock)
  const { prober } = probing
  const measured = await prober.measure(kept, { patienceMs: HOST_PATIENCE_MS }).catch(error => {
    if (!(error instanceof HostBusy)) throw error
    throw new DirectoryError('rate_limited', `${error.message} Try again in a minute.`)
  })
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
