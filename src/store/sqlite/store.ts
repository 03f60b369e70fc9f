// The store on SQLite.
import { Database } from 'bun:sqlite'
import { closeSync, openSync, rmSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import { SKIP_NUMBERS } from '../copy.ts'
import { createStore, readLastSeq } from '../create-store.ts'
import { takeLease } from '../leases.ts'
import type { Store } from '../store.ts'
import { TimelineReader } from '../timelines.ts'
import { WriteState, writeTrial } from '../write-state.ts'
import { toStoreError } from './errors.ts'
import { FileIdentity, logOf } from './file-identity.ts'
import { PRIVATE } from './open.ts'
import { isInMemory, SqliteSession, whenFree } from './session.ts'
import { CommitWatch } from './watch.ts'

/** With less free disk space, a commit may fail at any moment. */
const TIGHT_BYTES = 16 * 1024 * 1024

/** Takes ownership of the connection, whose schema must be up to date. */
export function createSqliteStore(
  db: Database,
  { clock, onTrouble }: { clock: Clock; onTrouble?: ((sentence: string | undefined) => void) | undefined },
): Store {
  const writes = new WriteState({
    clock,
    tryWrite: () => session.write([], ({ query }) => takeLease(query, ...writeTrial(clock), clock)),
    ...(!isInMemory(db) && watchFile(db)),
    onChange: onTrouble,
  })
  const session = new SqliteSession(db, { clock, writes, onCommit: seq => watch.reached(seq) })
  const watch = new CommitWatch({
    clock,
    lastSeq: () => session.read(readLastSeq),
    onRound: () => writes.check(),
    log: isInMemory(db) ? undefined : logOf(db),
  })
  return createStore({
    session,
    timelines: new TimelineReader(),
    writes,
    watch,
    backup: path => backUp(db, path, clock),
  })
}

/** Writes a copy that opens as it is. Other processes can write meanwhile. */
async function backUp(db: Database, path: string, clock: Clock): Promise<void> {
  try {
    // The engine writes to an empty file; creating it first keeps it private, and never replaces another.
    closeSync(openSync(path, 'wx', PRIVATE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new DirectoryError('invalid_request', say('backup_exists'))
  }
  try {
    await whenFree(clock, () => db.run('VACUUM INTO ?', [path]))
    using copy = new Database(path)
    // Also writes the whole file to the disk.
    copy.run('PRAGMA synchronous = FULL')
    copy.run(SKIP_NUMBERS)
  } catch (error) {
    rmSync(path, { force: true })
    throw toStoreError(error)
  }
}

function watchFile(db: Database) {
  const identity = new FileIdentity(db)
  return {
    detect: () => identity.trouble(),
    isTight: () => hasLess(dirname(db.filename), TIGHT_BYTES),
  }
}

function hasLess(folder: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < bytes
  } catch {
    return true
  }
}
