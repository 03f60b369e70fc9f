// Assembly for the operator: what is done with the store itself, also while a server runs on it.

import { type Keyring, openKeyring } from '../directory/keys.ts'
import { noOpenReport } from '../directory/reports.ts'
import type { EditResult } from '../domain/edit.ts'
import { DirectoryError } from '../domain/errors.ts'
import { hideEntry, readHidingReason, unhideEntry } from '../domain/hiding.ts'
import type { ProbeRecord } from '../domain/probes.ts'
import type { Report, ReportsQuery } from '../domain/reports.ts'
import type { Entry, Service } from '../domain/service.ts'
import { toService } from '../domain/views.ts'
import { say } from '../messages/message.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { readBackupLines, toBackupLines } from '../store/backup-lines.ts'
import { openStore } from '../store/open.ts'
import type { SourceState } from '../store/sources.ts'
import type { Store } from '../store/store.ts'
import type { RecordImport } from '../sync/import-records.ts'
import type { Sync } from '../sync/sync.ts'
import type { Buying } from './buying.ts'
import type { Config } from './config.ts'

export interface Operator extends AsyncDisposable {
  readonly keys: Keyring
  /** Takes the records of a file in; what search needs of them is worked out at once, so that the next start is spared it. */
  openImport(): Promise<RecordImport>
  /** Probes a service now, whenever it is due. @throws DirectoryError `not_found` */
  probe(id: string): Promise<{ readonly probe: ProbeRecord; readonly entry: Entry }>
  /** The wallet that buys. @throws DirectoryError `invalid_request` where no key is set */
  openBuying(): Promise<Buying>
  /**
   * Takes a service out of sight, in every process that reads the store; or shows it again. Resolves to what it is now.
   * @throws DirectoryError `not_found`, `invalid_request`
   */
  hide(id: string, why: string): Promise<Entry>
  unhide(id: string): Promise<Entry>
  /** What callers told about services. `resolve` @throws DirectoryError `not_found` */
  readonly reports: {
    list(query: ReportsQuery): Promise<Report[]>
    resolve(id: string): Promise<void>
  }
  /** Every service by id, hidden ones left out. */
  exportServices(): AsyncIterable<Service>
  /** Reads what is new at a source and follows it. @throws SourceFailure */
  readonly sync: Sync
  sources(): Promise<SourceState[]>
  /** Everything but secrets at one moment, line by line. `onCount` is told first how many rows there are. */
  backup(onCount?: (rows: number) => void): AsyncIterable<string>
  /** Fills an empty store with the lines of a backup, or leaves it as it is. @throws DirectoryError `invalid_request` */
  restore(lines: AsyncIterable<string>): Promise<void>
}

export async function openOperator(
  config: Config,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<Operator> {
  const store = await openStore(config.databaseUrl, { clock })
  let sync: Promise<Sync> | undefined
  // Most commands only look into the store: what probes, reads sources and buys is loaded by who asks for it.
  return {
    keys: openKeyring({ keys: store.keys, clock, extraKeys: [] }),
    openBuying: async () => (await import('./buying.ts')).openBuying(config, store, clock),
    openImport: async () => (await import('./importing.ts')).openImport(store, clock),
    async probe(id) {
      const kept = await store.find(id)
      if (!kept) throw missing(id)
      const { probeNow } = await import('./probing/probe-now.ts')
      const probe = await probeNow(config, store, clock, kept)
      const judged = await store.find(id)
      if (!judged) throw missing(id)
      return { probe, entry: judged.entry }
    },
    async hide(id, text) {
      const why = readHidingReason({ why: text })
      return change(store, id, entry => hideEntry(entry, why, clock.now()))
    },
    unhide: id => change(store, id, entry => unhideEntry(entry, clock.now())),
    reports: {
      list: query => store.reports.list(query),
      async resolve(id) {
        if (!(await store.reports.resolve(id, clock.now()))) throw noOpenReport(id)
      },
    },
    exportServices: () => exportServices(store),
    async sync(...asked) {
      sync ??= import('./importing.ts').then(({ openSync }) => openSync(config, store, clock))
      return (await sync)(...asked)
    },
    // What ids are made of is told to nobody.
    sources: async () => (await store.sources.list()).map(({ aliasKey: _, ...source }) => source),
    backup: onCount => toBackupLines(store.backup(onCount), clock.now()),
    restore: lines => store.restore(readBackupLines(lines)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const missing = (id: string) => new DirectoryError('not_found', say('service_unknown', { id }))

async function change(
  store: Store,
  id: string,
  work: (entry: Entry) => EditResult | undefined,
): Promise<Entry> {
  let present: Entry | undefined
  await store.update([id], entry => {
    const edited = work(entry)
    present = edited?.entry ?? entry
    return edited
  })
  if (!present) throw missing(id)
  return present
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
