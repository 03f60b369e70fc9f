// Saves a snapshot of the whole catalog, in a file or in a store that supports it, so that a start reads it instead of computing
// everything again. It only speeds up a start: a doubtful snapshot is ignored, and it may be deleted at any time.
import { rmSync } from 'node:fs'
import { DirectoryError } from '../../domain/errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewSnapshot, StoredSnapshot } from '../../store/snapshots.ts'
import type { Seq, Store } from '../../store/store.ts'
import type { Catalog } from '../catalog.ts'
import {
  HalfReadSnapshot,
  readSnapshot,
  readSnapshotFrom,
  type SnapshotOrigin,
  writeSnapshot,
} from './file.ts'
import { hasSpace, openSnapshotFile, openUnnamedFile, type SnapshotFile } from './new-file.ts'
import { createSnapshotOrigins, seqOf, sizeOf } from './origin.ts'
import { DamagedSnapshot, downloadSnapshot, PART_BYTES, uploadSnapshot } from './transfer.ts'

/** The seq up to which it is complete, and when it was read or written. */
export type SnapshotInfo = { readonly seq: Seq; readonly at: string }

/** Disposing waits for background work, at most END_MS. */
export interface SnapshotKeeper extends AsyncDisposable {
  /** The last snapshot that this process read or wrote. */
  readonly last: SnapshotInfo | undefined
  /** Fills the empty catalog. Resolves to its seq; 0 if there is no usable snapshot. */
  restore(): Promise<Seq>
  /** To be called with the number of applied changes. */
  count(changes: number): void
  /**
   * Writes a snapshot if the last one is far enough behind; at the end of the process also for a small catalog.
   * Nothing may be applied meanwhile; the upload to the store then runs in the background.
   */
  save(options?: { readonly isEnd?: boolean }): Promise<void>
}

/** Catching up with fewer changes costs less than writing a snapshot. */
const WORTH_SAVING = { changes: 2_000, share: 0.02 }
/**
 * A catalog too small for WORTH_SAVING starts in half the time from its own file. Writing it delays only the end of the process, not
 * its start.
 */
const WORTH_SAVING_AT_END_SHARE = 0.5
/** Catching up with this share of the catalog takes as long as downloading a snapshot. */
const WORTH_FETCHING_SHARE = 0.2
/** Maximum time that background work delays the end of the process. */
const END_MS = 5_000

const NOT_WRITTEN = 'a snapshot of the catalog could not be saved'
const NOT_FOUND = 'the database could not be queried for a snapshot of the catalog'
const NOT_UPLOADED = 'a snapshot of the catalog could not be uploaded to the database'

export function createSnapshotKeeper({
  path,
  store,
  catalog,
  clock,
  isWriter,
  onTrouble,
  minChanges = WORTH_SAVING.changes,
  partBytes = PART_BYTES,
}: {
  /** undefined: only in the store. */
  path: string | undefined
  store: Pick<Store, 'events' | 'history' | 'snapshots'>
  catalog: Catalog
  clock: Clock
  /** Whether it writes snapshots, or only reads those of other processes. */
  isWriter: boolean
  onTrouble: (message: string, error: unknown) => void
  /** Fewer changes than this are never worth a snapshot. */
  minChanges?: number
  /** Of a snapshot in the store. */
  partBytes?: number
}): SnapshotKeeper {
  let behind = 0
  let last: SnapshotInfo | undefined
  const { code, toOrigin, isWanted } = createSnapshotOrigins(store)
  const reported = new Set<string>()
  const ending = new AbortController()
  /** Pending move of a downloaded snapshot to the file of this node. */
  let settling: Promise<unknown> = Promise.resolve()
  /** Pending upload of a written snapshot to the store. */
  let uploading: Promise<unknown> = Promise.resolve()

  async function findStored(): Promise<StoredSnapshot | undefined> {
    const stored = await store.snapshots?.find(code)
    return stored && (await isWanted(stored.origin)) ? stored : undefined
  }

  /** Reports each message once: an unavailable store is tried again and again. */
  function report(message: string, error: unknown): void {
    if (!reported.has(message)) onTrouble(message, error)
    reported.add(message)
  }

  /** Reports an error and resolves to undefined. */
  async function orReport<T>(message: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      report(message, error)
      return undefined
    }
  }

  /** undefined: there is no usable file, or the snapshot in the store is worth downloading. */
  async function restoreOwn(path: string, stored?: StoredSnapshot): Promise<Seq | undefined> {
    const isOutdated = (origin: SnapshotOrigin): boolean =>
      stored !== undefined &&
      seqOf(stored.origin) - seqOf(origin) > WORTH_FETCHING_SHARE * sizeOf(stored.origin)
    try {
      const origin = await readSnapshot(
        path,
        async origin => (await isWanted(origin)) && !isOutdated(origin),
        snapshot => catalog.serialize(snapshot),
      )
      return origin && seqOf(origin)
    } catch (error) {
      // A half-filled catalog is unusable; deleting the file spares the next start the same failure. An unavailable store is retried.
      if (error instanceof HalfReadSnapshot) rmSync(path, { force: true })
      if (error instanceof HalfReadSnapshot || error instanceof DirectoryError) throw error
      report('the snapshot of the catalog could not be read', error)
      return undefined
    }
  }

  async function restoreStored(stored: StoredSnapshot, retries = true): Promise<Seq> {
    try {
      return await downloadStored(stored)
    } catch (error) {
      const isUseless = error instanceof HalfReadSnapshot || error instanceof DamagedSnapshot
      if (isUseless) await store.snapshots?.drop(stored.id).catch(() => {})
      if (error instanceof HalfReadSnapshot) throw error
      report('the snapshot of the catalog in the database could not be used', error)
      // A newer snapshot may have replaced it.
      const next = isUseless && retries ? await orReport(NOT_FOUND, findStored) : undefined
      return next ? restoreStored(next, false) : 0
    }
  }

  async function downloadStored(stored: StoredSnapshot): Promise<Seq> {
    // Only a process that writes snapshots owns the file.
    const own = isWriter ? path : undefined
    if (!hasSpace(own, stored.bytes)) return 0
    using parts = new DisposableStack()
    const file = parts.use((own === undefined ? undefined : openSnapshotFile(own)) ?? openUnnamedFile())
    await downloadSnapshot(store.snapshots!, stored, file.fd)
    const origin = await readSnapshotFrom(
      file.fd,
      origin => Bun.deepEquals(origin, stored.origin),
      snapshot => catalog.serialize(snapshot),
    )
    if (!origin) throw new DamagedSnapshot('The snapshot is not as it was written.')
    const moved = parts.move()
    settling = orReport(NOT_WRITTEN, async () => {
      using _ = moved
      await file.commit()
    })
    return seqOf(origin)
  }

  const isWorthSaving = (changes: number): boolean =>
    changes >= Math.max(minChanges, WORTH_SAVING.share * catalog.size)

  const isWorthSavingAtEnd = (): boolean =>
    path !== undefined && behind > 0 && behind >= WORTH_SAVING_AT_END_SHARE * catalog.size

  /** undefined: the store has no snapshots, already has a recent one, or another process is writing one. */
  async function beginUpload(): Promise<NewSnapshot | undefined> {
    const stored = await findStored()
    if (stored && !isWorthSaving(catalog.seq - seqOf(stored.origin))) return undefined
    return store.snapshots?.begin(code)
  }

  async function write(): Promise<void> {
    await settling
    await using parts = new AsyncDisposableStack()
    if (!hasSpace(path, catalog.bytes)) return
    const stored = parts.use(await orReport(NOT_UPLOADED, beginUpload))
    if (path === undefined && !stored) return
    const origin = await toOrigin(catalog)
    if (!origin) return
    const file = parts.use(path === undefined ? openUnnamedFile() : openSnapshotFile(path))
    if (!file) return
    await writeSnapshot(file.fd, origin, snapshot => catalog.serialize(snapshot))
    await file.commit()
    note(seqOf(origin))
    if (stored) uploading = upload(parts.move(), stored, file, origin)
  }

  const upload = (
    owned: AsyncDisposable,
    stored: NewSnapshot,
    { fd }: SnapshotFile,
    origin: SnapshotOrigin,
  ) =>
    orReport(NOT_UPLOADED, async () => {
      await using _ = owned
      const bytes = await uploadSnapshot(stored, fd, { partBytes, signal: ending.signal })
      if (bytes !== undefined) await stored.finish({ origin, seq: seqOf(origin), bytes })
    })

  async function restoreAny(): Promise<Seq> {
    const stored = await orReport(NOT_FOUND, findStored)
    const own = path && (await restoreOwn(path, stored))
    if (own) return own
    const downloaded = stored ? await restoreStored(stored) : 0
    // An outdated file is better than none.
    return downloaded || (path && stored && (await restoreOwn(path))) || 0
  }

  function note(seq: Seq): Seq {
    if (seq > 0) last = { seq, at: clock.now().toISOString() }
    return seq
  }

  return {
    get last() {
      return last
    },
    restore: async () => note(await restoreAny()),
    count(changes) {
      behind += changes
    },
    async save({ isEnd = false } = {}) {
      if (!isWriter || !(isWorthSaving(behind) || (isEnd && isWorthSavingAtEnd()))) return
      await orReport(NOT_WRITTEN, async () => {
        await write()
        behind = 0
      })
    },
    async [Symbol.asyncDispose]() {
      const deadline = new AbortController()
      void clock.sleep(END_MS, deadline.signal).then(() => ending.abort())
      await Promise.all([settling, uploading])
      deadline.abort()
    },
  }
}
