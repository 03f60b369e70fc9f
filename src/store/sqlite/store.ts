// The store on SQLite.
import { Database } from 'bun:sqlite'
import { type BigIntStats, closeSync, openSync, realpathSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DirectoryError } from '../../domain/errors.ts'
import { type Message, say } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import { SKIP_NUMBERS } from '../copy.ts'
import { createStore, readLastSeq } from '../create-store.ts'
import { takeLease } from '../leases.ts'
import type { Store } from '../store.ts'
import { TimelineReader } from '../timelines.ts'
import { WriteState, writeTrial } from '../write-state.ts'
import { PRIVATE, readNumber } from './open.ts'
import { isInMemory, SqliteSession, toStoreError, whenFree } from './session.ts'
import { SqliteWatch } from './watch.ts'

/** With less free disk space, a commit may fail at any moment. */
const TIGHT_BYTES = 16 * 1024 * 1024

/** Takes ownership of the connection, whose schema must be up to date. */
export function createSqliteStore(
  db: Database,
  { clock, onTrouble }: { clock: Clock; onTrouble?: ((sentence: string | undefined) => void) | undefined },
): Store {
  const writes = new WriteState({
    clock,
    tryWrite: () => session.write([], ({ query }) => takeLease(query, ...writeTrial(clock))),
    ...(!isInMemory(db) && watchFile(db)),
    onChange: onTrouble,
  })
  const session = new SqliteSession(db, { clock, writes, onCommit: seq => void watch.reached(seq) })
  const watch = new SqliteWatch({
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

// Detects whether the files that a connection has open are still those at their paths. The engine keeps a deleted, moved or replaced
// file open and goes on writing to it, so those writes would be lost.

type FileId = { readonly path: string; readonly dev: bigint; readonly ino: bigint }

/** Files are identified by device and inode, as the engine does for its locks. */
const statFile = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })

/** The log is next to the file itself, not next to a symbolic link to it. */
export const logOf = (db: Database): string => `${realpathSync(db.filename)}-wal`

export class FileIdentity {
  readonly #db: Database
  readonly #file: FileId
  readonly #log: FileId | undefined
  /** Size of the file when it was last complete. */
  #size: bigint
  #isCut = false

  /** The connection must be open, so that its log exists. */
  constructor(db: Database) {
    this.#db = db
    this.#file = toFileId(db.filename)
    this.#size = statSync(db.filename, { bigint: true }).size
    const log = logOf(db)
    this.#log = statFile(log) && toFileId(log)
  }

  /** undefined if all files are in place. */
  trouble(): Message | undefined {
    try {
      const file = statFile(this.#file.path)
      if (!file) return say('store_file_gone')
      if (!isSame(file, this.#file)) return say('store_file_replaced')
      const log = this.#log && statFile(this.#log.path)
      if (this.#log && !(log && isSame(log, this.#log))) return say('store_log_gone')
      if (file.size < this.#size) this.#judgeShrunk(file.size)
      else this.#size = file.size
      // Truncated data is lost, even when the engine makes the file grow again.
      return this.#isCut ? say('store_file_cut') : undefined
    } catch {
      return say('store_file_unseen')
    }
  }

  /** The engine itself shrinks the file on VACUUM; then the pages missing from the file are in the log. */
  #judgeShrunk(shrunkSize: bigint): void {
    if (shrunkSize === 0n) this.#isCut = true
    // Inside a transaction page_count includes pages that are not yet written.
    if (this.#isCut || this.#db.inTransaction) return
    const expected = readNumber(this.#db, 'PRAGMA page_count') * readNumber(this.#db, 'PRAGMA page_size')
    // Log before file: a checkpoint writes pages to the file before it removes them from the log.
    const logSize = (this.#log && statFile(this.#log.path)?.size) ?? 0n
    const size = statFile(this.#file.path)?.size ?? 0n
    if (size + logSize < expected) this.#isCut = true
    else this.#size = size
  }
}

function toFileId(path: string): FileId {
  const { dev, ino } = statSync(path, { bigint: true })
  return { path, dev, ino }
}

const isSame = (stats: BigIntStats, { dev, ino }: FileId): boolean => stats.dev === dev && stats.ino === ino
