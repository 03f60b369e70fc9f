// A lock that the system takes back when its holder ends, however it ends. The runtime offers none of its own; the
// database engine locks its files so, also between containers that share a disk.
import { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync } from 'node:fs'

/** Disposing it lets go. undefined: another holds it, in this process or another. The file stays, empty. */
export function tryLock(path: string): Disposable | undefined {
  // Only where there is none: a file that is closed takes with it every lock that this process has on it.
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
