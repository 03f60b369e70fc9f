// A new snapshot file, which replaces the old one only when it is complete.
import { closeSync, fdatasync, openSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { tryLock } from '../../runtime/file-lock.ts'

/** A snapshot is written only if the disk has this many times its size free, as a database may need the space. */
const SPACE_FACTOR = 3

const sync = promisify(fdatasync)

/** Disposing closes the file, and deletes it unless it was committed. */
export interface SnapshotFile extends Disposable {
  readonly fd: number
  /** Syncs the file and moves it into place; it stays open. */
  commit(): Promise<void>
}

/** undefined: another process is writing one. */
export function openSnapshotFile(path: string): SnapshotFile | undefined {
  const lock = tryLock(`${path}.lock`)
  if (!lock) return undefined
  using parts = new DisposableStack()
  parts.use(lock)
  const unfinished = `${path}.new`
  // With the lock held, an existing file was left by a process that ended midway.
  rmSync(unfinished, { force: true })
  // Readable only by its owner, like the database.
  const fd = openSync(unfinished, 'wx+', 0o600)
  const held = parts.move()
  let isCommitted = false
  return {
    fd,
    async commit() {
      // Without a sync the system writes it all at once half a minute later, and every commit of the store waits for that.
      await sync(fd)
      renameSync(unfinished, path)
      isCommitted = true
      // The upload reads from the open file; another process may write the next one meanwhile.
      held.dispose()
    },
    [Symbol.dispose]() {
      closeSync(fd)
      if (!isCommitted) rmSync(unfinished, { force: true })
      held.dispose()
    },
  }
}

/** An unlinked temporary file, which disappears with the process. */
export function openUnnamedFile(): SnapshotFile {
  const path = join(tmpdir(), `shirube-${crypto.randomUUID()}`)
  const fd = openSync(path, 'wx+', 0o600)
  rmSync(path)
  return { fd, commit: async () => {}, [Symbol.dispose]: () => closeSync(fd) }
}

/** @param path of the file; undefined for an unnamed one */
export function hasSpace(path: string | undefined, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(path === undefined ? tmpdir() : dirname(path))
  return bavail * bsize >= SPACE_FACTOR * bytes
}
