// The store on SQLite.
import { Database } from 'bun:sqlite'
import { closeSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
import { DirectoryError } from '../../domain/errors.ts'
import { type Message, say } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import { SKIP_NUMBERS } from '../copy.ts'
import { createStore, readLastSeq } from '../create-store.ts'
import { takeLease } from '../leases.ts'
import type { Store } from '../store.ts'
import { TimelineReader } from '../timelines.ts'
import { CommitWatch } from '../watch.ts'
import { WriteState, writeTrial } from '../write-state.ts'
import { PRIVATE } from './open.ts'
import { isInMemory, SqliteSession, toStoreError, whenFree } from './session.ts'

/** Reading the last seq costs a few microseconds, and ignores commits that are irrelevant to readers: leases, probes, keys. */
const POLL_MS = 25
/** No other process has a database in memory. */
const IN_MEMORY_POLL_MS = 1_000

/** Takes ownership of the connection, whose schema must be up to date. */
export function createSqliteStore(
  db: Database,
  { clock, onTrouble }: { clock: Clock; onTrouble?: ((sentence: string | undefined) => void) | undefined },
): Store {
  const writes = new WriteState({
    clock,
    tryWrite: () => session.write([], ({ query }) => takeLease(query, ...writeTrial(clock))),
    ...(!isInMemory(db) && { detect: toDetector(db) }),
    onChange: onTrouble,
  })
  const session = new SqliteSession(db, { clock, writes, onCommit: seq => watch.reached(seq) })
  const watch = new CommitWatch({
    clock,
    pollMs: isInMemory(db) ? IN_MEMORY_POLL_MS : POLL_MS,
    lastSeq: () => session.read(readLastSeq),
    onPoll: () => writes.check(),
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

// Detects whether the files that a connection has open are still those at their paths. The engine keeps a deleted, moved or replaced
// file open and goes on writing to it, so those writes would be lost.

/** Files are identified by device and inode, as the engine does for its locks. */
const identify = (path: string): string | undefined => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}

/** The connection must be open, so that its log exists. The detector returns undefined if both files are in place. */
function toDetector({ filename }: Database): () => Message | undefined {
  // The log is next to the file itself, not next to a symbolic link to it.
  const logName = `${realpathSync(filename)}-wal`
  const [file, log] = [identify(filename), identify(logName)]
  return () => {
    try {
      const present = identify(filename)
      if (present === undefined) return say('store_file_gone')
      if (present !== file) return say('store_file_replaced')
      return identify(logName) === log ? undefined : say('store_log_gone')
    } catch {
      return say('store_file_unseen')
    }
  }
}
