// What a command of the operator loads only when it needs it, since most commands only read the store: imports of records and sync with a
// source; and what a server does for its operators.
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DirectoryError } from '../domain/errors.ts'
import { createIdSource } from '../domain/ids.ts'
import type { Backup, OperatorDesk } from '../domain/operating.ts'
import { verbatim } from '../messages/message.ts'
import { createSafeFetch } from '../probe/requests/safe-fetch.ts'
import type { Clock } from '../runtime/clock.ts'
import { openEmbedder } from '../search/embedding/model.ts'
import { createSemanticIndex, type SemanticIndex } from '../search/embedding/semantic-index.ts'
import { toFilePath } from '../store/open.ts'
import { backupFolderOf } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { removeFollowedEntries } from '../sync/followed-entries.ts'
import { createRecordImport, type RecordImport } from '../sync/import-records.ts'
import { SourceFailure, type SyncBounds } from '../sync/source-reader.ts'
import { createSync, previewSource, SOURCE_LIMITS, type Sync, type SyncDeps } from '../sync/sync.ts'
import { readFollowers } from '../sync/write-listings.ts'
import { type Config, readSettings } from './config.ts'
import { toUserAgent } from './probing/probing.ts'

export function openImport(store: Store, clock: Clock): RecordImport {
  const records = createRecordImport({ store, newId: createIdSource(), now: () => clock.now() })
  let semantic: SemanticIndex | undefined
  return {
    get report() {
      return records.report
    },
    async write(batch, onSkipped) {
      const written = await records.write(batch, onSkipped)
      semantic ??= createSemanticIndex(openEmbedder())
      const { embedDocument } = semantic
      await store.putEmbeddings(written.map(entry => ({ id: entry.id, embedding: embedDocument(entry) })))
      return written
    },
  }
}

/** Bytes read from a source per sync, and entries stored per source. */
const SYNC_BOUNDS: SyncBounds = { bytes: 256 * 1024 * 1024, entries: 200_000 }

export const toSyncDeps = (config: Config, store: Store, clock: Clock, bounds = SYNC_BOUNDS): SyncDeps => ({
  store,
  clock,
  fetch: createSafeFetch({ allowPrivate: config.allowPrivateEndpoints, limits: SOURCE_LIMITS }),
  bounds,
  policy: { allowPrivateEndpoints: config.allowPrivateEndpoints, strictAddresses: false },
  userAgent: toUserAgent('Sync', config.publicUrl),
})

export const openSync = (config: Config, store: Store, clock: Clock, bounds?: SyncBounds): Sync =>
  createSync(toSyncDeps(config, store, clock, bounds))

/** What a server does for its operators. */
export function openDesk(config: Config, store: Store, clock: Clock): OperatorDesk {
  const path = toFilePath(config.databaseUrl)
  const folder = backupFolderOf(path ?? '.')
  const isFile = !/^postgres/i.test(config.databaseUrl)
  return {
    isFile,
    settings: () => readSettings(config.databaseUrl),
    budgetPerDay: config.budget.perDay,
    async backUp(at) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${at.toISOString().replaceAll(':', '-')}.db`)
      await store.backup(file)
      return { file, bytes: (await stat(file)).size, at: at.toISOString() }
    },
    async backups() {
      const folders = [folder, config.backupFolder].filter(each => each !== undefined)
      const files = await Promise.all([...new Set(folders)].map(listBackups))
      const newestFirst = files.flat().sort((a, b) => b.at.localeCompare(a.at))
      const nightly = config.isSample ? undefined : config.backupFolder
      const database = path === undefined ? null : resolve(path)
      return { isFile, database, files: newestFirst, nightly: nightly ?? null }
    },
    async preview(url) {
      try {
        return await previewSource(toSyncDeps(config, store, clock), url)
      } catch (error) {
        if (!(error instanceof SourceFailure)) throw error
        throw new DirectoryError('invalid_request', error.why ?? verbatim(error.message))
      }
    },
    async dropEntries(url) {
      const followers = await readFollowers(store, url)
      return removeFollowedEntries(store, [...followers.values()], url, clock.now())
    },
  }
}

async function listBackups(folder: string): Promise<Backup[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter(name => name.endsWith('.db')).map(name => resolve(folder, name))
  const backups = files.map(async file => {
    // The nightly job may remove an old one meanwhile.
    const stats = await stat(file).catch(() => undefined)
    return stats ? [{ file, bytes: stats.size, at: stats.mtime.toISOString() }] : []
  })
  return (await Promise.all(backups)).flat()
}
