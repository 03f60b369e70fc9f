// Keeps a snapshot of the whole catalog, in a file or in a store that has room for it, so that a start reads it instead of
// working everything out anew. It is only ever a shortcut: whatever makes it doubtful makes it unused, and it may be
// deleted at any time.
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
import { DamagedSnapshot, downloadSnapshot, uploadSnapshot } from './transfer.ts'

/** The write up to which it holds everything, and when it was read or written. */
export type KeptSnapshot = { readonly seq: Seq; readonly at: string }

/** Disposing it waits until what it does in the background is done, but not for long. */
export interface SnapshotKeeper extends AsyncDisposable {
  /** The last one that this process read or wrote. */
  readonly last: KeptSnapshot | undefined
  /** Fills the empty catalog. Resolves to the number of the write that it then stands at; 0 where there is no snapshot to trust. */
  restore(): Promise<Seq>
  /** Tells of entries that were applied. */
  count(changes: number): void
  /**
   * Writes a snapshot where the last one has fallen far enough behind; at the end of the process one of a small catalog too.
   * Nothing may be applied meanwhile; afterwards it is put into the store, while all goes on.
   */
  keep(options?: { readonly isEnd?: boolean }): Promise<void>
}

/** Catching up with fewer costs less than writing a snapshot. */
const WORTH_KEEPING = { changes: 2_000, share: 0.02 }
/**
 * A catalog that never has so many changes is ready in half the time from a file of its own. Nobody waits for that when the
 * process ends, unlike at its start.
 */
const WORTH_KEEPING_AT_THE_END_SHARE = 0.5
/** Catching up with so many writes takes as long as fetching a snapshot that has them. */
const WORTH_FETCHING_SHARE = 0.2
/** Somebody waits for a process that ends. */
const END_MS = 5_000

const NOT_WRITTEN = 'a snapshot of the catalog could not be kept'
const NOT_FOUND = 'the database could not be asked for a snapshot of the catalog'
const NOT_UPLOADED = 'a snapshot of the catalog could not be put into the database'

export function createSnapshotKeeper({
  path,
  store,
  catalog,
  clock,
  isWriter,
  onTrouble,
}: {
  /** undefined: in the store alone. */
  path: string | undefined
  store: Pick<Store, 'events' | 'history' | 'snapshots'>
  catalog: Catalog
  clock: Clock
  /** Whether it writes snapshots, or reads those of others. */
  isWriter: boolean
  onTrouble: (message: string, error: unknown) => void
}): SnapshotKeeper {
  let behind = 0
  let last: KeptSnapshot | undefined
  const { code, toOrigin, isWanted } = createSnapshotOrigins(store)
  const told = new Set<string>()
  const ending = new AbortController()
  /** Until what was fetched is the file of this node. */
  let settling: Promise<unknown> = Promise.resolve()
  /** Until what was written lies in the store. */
  let uploading: Promise<unknown> = Promise.resolve()

  async function findStored(): Promise<StoredSnapshot | undefined> {
    const found = await store.snapshots?.find(code)
    return found && (await isWanted(found.origin)) ? found : undefined
  }

  /** Once: a store that is away is asked again and again. */
  function tell(message: string, error: unknown): void {
    if (!told.has(message)) onTrouble(message, error)
    told.add(message)
  }

  /** Tells of the trouble and goes on without. */
  async function tried<T>(message: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      tell(message, error)
      return undefined
    }
  }

  /** undefined: there is none to trust, or the one in the store is worth fetching. */
  async function restoreOwn(path: string, stored?: StoredSnapshot): Promise<Seq | undefined> {
    const isOutdone = (origin: SnapshotOrigin): boolean =>
      stored !== undefined &&
      seqOf(stored.origin) - seqOf(origin) > WORTH_FETCHING_SHARE * sizeOf(stored.origin)
    try {
      const origin = await readSnapshot(
        path,
        async origin => (await isWanted(origin)) && !isOutdone(origin),
        snapshot => catalog.serialize(snapshot),
      )
      return origin && seqOf(origin)
    } catch (error) {
      // Who has begun cannot go back, but the next start shall not fall into the same hole; a store that is away is asked again.
      if (error instanceof HalfReadSnapshot) rmSync(path, { force: true })
      if (error instanceof HalfReadSnapshot || error instanceof DirectoryError) throw error
      tell('the snapshot of the catalog could not be read', error)
      return undefined
    }
  }

  async function restoreStored(stored: StoredSnapshot, looksAgain = true): Promise<Seq> {
    try {
      return await downloadStored(stored)
    } catch (error) {
      const isUseless = error instanceof HalfReadSnapshot || error instanceof DamagedSnapshot
      if (isUseless) await store.snapshots?.drop(stored.id).catch(() => {})
      if (error instanceof HalfReadSnapshot) throw error
      tell('the snapshot of the catalog in the database could not be used', error)
      // A newer one may have taken its place in between.
      const next = isUseless && looksAgain ? await tried(NOT_FOUND, findStored) : undefined
      return next ? restoreStored(next, false) : 0
    }
  }

  async function downloadStored(stored: StoredSnapshot): Promise<Seq> {
    // Only who writes snapshots has the file to itself.
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
    const kept = parts.move()
    settling = tried(NOT_WRITTEN, async () => {
      using _ = kept
      await file.keep()
    })
    return seqOf(origin)
  }

  const isWorthKeeping = (changes: number): boolean =>
    changes >= Math.max(WORTH_KEEPING.changes, WORTH_KEEPING.share * catalog.size)

  const isWorthKeepingAtTheEnd = (): boolean =>
    path !== undefined && behind > 0 && behind >= WORTH_KEEPING_AT_THE_END_SHARE * catalog.size

  /** undefined: the store has none to offer, has a good one already, or another process is just writing one. */
  async function beginUpload(): Promise<NewSnapshot | undefined> {
    const stored = await findStored()
    if (stored && !isWorthKeeping(catalog.seq - seqOf(stored.origin))) return undefined
    return store.snapshots?.begin(code)
  }

  async function write(): Promise<void> {
    await settling
    await using parts = new AsyncDisposableStack()
    if (!hasSpace(path, catalog.bytes)) return
    const stored = parts.use(await tried(NOT_UPLOADED, beginUpload))
    if (path === undefined && !stored) return
    const origin = await toOrigin(catalog)
    if (!origin) return
    const file = parts.use(path === undefined ? openUnnamedFile() : openSnapshotFile(path))
    if (!file) return
    await writeSnapshot(file.fd, origin, snapshot => catalog.serialize(snapshot))
    await file.keep()
    note(seqOf(origin))
    if (stored) uploading = upload(parts.move(), stored, file, origin)
  }

  const upload = (
    owned: AsyncDisposable,
    stored: NewSnapshot,
    { fd }: SnapshotFile,
    origin: SnapshotOrigin,
  ) =>
    tried(NOT_UPLOADED, async () => {
      await using _ = owned
      const bytes = await uploadSnapshot(stored, fd, ending.signal)
      if (bytes !== undefined) await stored.finish({ origin, seq: seqOf(origin), bytes })
    })

  async function restoreAny(): Promise<Seq> {
    const stored = await tried(NOT_FOUND, findStored)
    const own = path && (await restoreOwn(path, stored))
    if (own) return own
    const fetched = stored ? await restoreStored(stored) : 0
    // Rather an old one than none.
    return fetched || (path && stored && (await restoreOwn(path))) || 0
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
    async keep({ isEnd = false } = {}) {
      if (!isWriter || !(isWorthKeeping(behind) || (isEnd && isWorthKeepingAtTheEnd()))) return
      await tried(NOT_WRITTEN, async () => {
        await write()
        behind = 0
      })
    },
    async [Symbol.asyncDispose]() {
      const inTime = new AbortController()
      void clock.sleep(END_MS, inTime.signal).then(() => ending.abort())
      await Promise.all([settling, uploading])
      inTime.abort()
    },
  }
}
