// A lock that the operating system releases when its holder ends, however it ends. Bun has no file lock, so an SQLite database serves as
// one: its locks also work between containers that share a disk.
import { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync } from 'node:fs'

/** Disposing releases the lock. undefined: it is held, in this process or another. The file is left behind, empty. */
export function tryLock(path: string): Disposable | undefined {
  // Only if the file does not exist: closing a file releases every lock that this process has on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const db = new Database(path, { readwrite: true })
  try {
    db.run('PRAGMA busy_timeout = 0')
    db.run('BEGIN EXCLUSIVE')
    return { [Symbol.dispose]: () => db.close() }
  } catch (error) {
    db.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
    throw error
  }
}
