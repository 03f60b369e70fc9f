// A file to write a snapshot to, which takes no other's place before it is whole.
import { closeSync, fdatasync, openSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { tryLock } from '../../runtime/file-lock.ts'

/** A database may need room on the same disk: a snapshot is written only where so many times its size is left. */
const SPACE_FACTOR = 3

const toDisk = promisify(fdatasync)

/** Disposing it closes it, and leaves nothing behind unless it was kept. */
export interface SnapshotFile extends Disposable {
  readonly fd: number
  /** Puts it in its place, when it is on the disk; it stays open. */
  keep(): Promise<void>
}

/** undefined: another process is just writing one. */
export function openSnapshotFile(path: string): SnapshotFile | undefined {
  const lock = tryLock(`${path}.lock`)
  if (!lock) return undefined
  using parts = new DisposableStack()
  parts.use(lock)
  const unfinished = `${path}.new`
  // What lies there is nobody's: whoever began it has ended in the middle.
  rmSync(unfinished, { force: true })
  // Readable for nobody else, like the database.
  const fd = openSync(unfinished, 'wx+', 0o600)
  const held = parts.move()
  let isKept = false
  return {
    fd,
    async keep() {
      // What is left to the system it writes half a minute later, all at once, and every commit of the store waits behind it.
      await toDisk(fd)
      renameSync(unfinished, path)
      isKept = true
      // What follows is done with the file that is open; the next one may be written meanwhile.
      held.dispose()
    },
    [Symbol.dispose]() {
      closeSync(fd)
      if (!isKept) rmSync(unfinished, { force: true })
      held.dispose()
    },
  }
}

/** A file without a name: however the process ends, it is gone with it. */
export function openUnnamedFile(): SnapshotFile {
  const path = join(tmpdir(), `shirube-${crypto.randomUUID()}`)
  const fd = openSync(path, 'wx+', 0o600)
  rmSync(path)
  return { fd, keep: async () => {}, [Symbol.dispose]: () => closeSync(fd) }
}

/** @param path of the file; undefined: one without a name */
export function hasSpace(path: string | undefined, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(path === undefined ? tmpdir() : dirname(path))
  return bavail * bsize >= SPACE_FACTOR * bytes
}
