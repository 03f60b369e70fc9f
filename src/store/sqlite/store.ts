// The store on SQLite.
import { Database, SQLiteError, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { closeSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
import { DirectoryError } from '../../domain/errors.ts'
import { type Message, say } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import { SKIP_NUMBERS } from '../copy.ts'
import { createStore, readLastSeq } from '../create-store.ts'
import { GroupCommit } from '../group-commit.ts'
import { takeLease } from '../leases.ts'
import type { Query, Rows, Session, Transaction, Value } from '../session.ts'
import type { Seq, Store } from '../store.ts'
import { TimelineReader } from '../timelines.ts'
import { CommitWatch, WriteState, writeTrial } from '../watch.ts'

// One connection to a database file. Statements run in the process, so a call is over when it returns; the promises are for the tables,
// which know no engine. Waits for locks of other processes happen without blocking the event loop.

/** The engine waits this long inside a call, where it blocks the event loop; longer waits happen between calls. */
export const BUSY_TIMEOUT_MS = 2
const BUSY_PAUSE_MS = 5
/** About five seconds in all. */
const BUSY_ATTEMPTS = 700

export const isInMemory = ({ filename }: Database): boolean => filename === '' || filename === ':memory:'

/** Retries while another process holds a lock. */
export async function whenFree<T>(clock: Clock, work: () => T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || attempt >= BUSY_ATTEMPTS) throw error
      await clock.sleep(BUSY_PAUSE_MS)
    }
  }
}

/** The statements of a connection, compiled by their first use and kept. */
class Statements {
  readonly #db: Database
  readonly #compiled = new Map<string, { readonly statement: Statement; readonly returns: boolean }>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Rows as arrays: several times as fast as objects. */
  execute(sql: string, values: readonly Value[] = []): Rows {
    const bindings = values as SQLQueryBindings[]
    const { statement, returns } = this.#compiled.get(sql) ?? this.#compile(sql)
    if (!returns) return Object.assign([], { count: statement.run(...bindings).changes })
    const rows = statement.values(...bindings)
    return Object.assign(rows, { count: rows.length }) as unknown as Rows
  }

  #compile(sql: string) {
    const statement = this.#db.prepare(sql.replaceAll(/\$(?=\d)/g, '?'))
    const compiled = { statement, returns: statement.columnNames.length > 0 }
    this.#compiled.set(sql, compiled)
    return compiled
  }

  /** Runs each statement at once. */
  query = (async (sql: string, values?: readonly Value[]) => this.execute(sql, values)) as Query

  /** A connection with an unfinalized statement would stay open and hold its locks and its log. */
  close(): void {
    for (const { statement } of this.#compiled.values()) statement.finalize()
    this.#db.close(true)
  }
}

class SqliteSession implements Session {
  readonly clock: Clock
  readonly #db: Database
  readonly #statements: Statements
  readonly #group: GroupCommit
  readonly #writes: WriteState
  /** Ends with the transaction that is open. */
  #transaction: PromiseWithResolvers<void> | undefined
  #closed = false

  constructor(
    db: Database,
    { clock, writes, onCommit }: { clock: Clock; writes: WriteState; onCommit: (seq: Seq) => void },
  ) {
    this.clock = clock
    this.#db = db
    this.#writes = writes
    this.#statements = new Statements(db)
    const query = (async (sql: string, values?: readonly Value[]) => {
      // A full disk or an I/O error ends the transaction: what follows must not be written on its own.
      if (!db.inTransaction) throw new Error('The transaction was rolled back.')
      return this.#statements.execute(sql, values)
    }) as Query
    this.#group = new GroupCommit({
      isRemote: false,
      lock: '',
      timeline: 'timeline',
      isUnavailable: () => false,
      onCommit: seq => {
        if (seq !== undefined) onCommit(seq)
      },
      begin: async () => {
        await whenFree(clock, () => {
          writes.assertWritable()
          if (db.inTransaction) this.#statements.execute('ROLLBACK')
          this.#statements.execute('BEGIN IMMEDIATE')
        })
        this.#transaction = Promise.withResolvers()
        return query
      },
      commit: async () => {
        this.#statements.execute('COMMIT')
        this.#endTransaction()
        // Checked again after the commit: a write to a deleted file must not be reported as successful.
        writes.assertWritable()
      },
      rollback: async () => {
        try {
          if (db.inTransaction) this.#statements.execute('ROLLBACK')
        } catch {
          // The next `begin` rolls back a transaction that is still open.
        }
        this.#endTransaction()
      },
    })
  }

  async read<T>(work: (query: Query) => Promise<T>): Promise<T> {
    this.#assertOpen()
    try {
      return await work(this.#read)
    } catch (error) {
      throw toStoreError(error)
    }
  }

  run<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.write([], ({ query }) => work(query))
  }

  async write<T>(
    touches: readonly string[] | undefined,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    this.#assertOpen()
    try {
      const result = await this.#group.write(touches, work)
      this.#writes.wrote()
      return result
    } catch (error) {
      const storeError = toStoreError(error)
      if (isTrouble(error) && storeError instanceof DirectoryError) this.#writes.wrote(storeError)
      throw storeError
    }
  }

  async *snapshot<T>(work: (query: Query) => AsyncIterable<T>): AsyncGenerator<T> {
    const statements = new Statements(await whenFree(this.clock, () => openSnapshot(this.#db)))
    try {
      yield* work(statements.query)
    } catch (error) {
      throw toStoreError(error)
    } finally {
      statements.close()
    }
  }

  async fill(work: (query: Query) => Promise<void>): Promise<void> {
    let hasRun = false
    await this.write(undefined, async ({ query }) => {
      // What it read is gone, so it cannot run again.
      if (hasRun) throw new Error('Another call of the same transaction failed.')
      hasRun = true
      await work(query)
    })
  }

  /** Earlier calls finish first. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#group.idle()
    this.#statements.close()
  }

  /** The connection is also that of the write transactions, so a read waits for the end of one that is open. */
  readonly #read = (async (sql: string, values?: readonly Value[]) => {
    while (this.#transaction) await this.#transaction.promise
    return whenFree(this.clock, () => this.#statements.execute(sql, values))
  }) as Query

  #endTransaction(): void {
    this.#transaction?.resolve()
    this.#transaction = undefined
  }

  #assertOpen(): void {
    if (this.#closed) throw new DirectoryError('store_unavailable', say('store_closed'))
  }
}

/** A read transaction gives a consistent view of a file during writes; an in-memory database is copied. */
function openSnapshot(db: Database): Database {
  if (isInMemory(db)) return Database.deserialize(db.serialize())
  const snapshot = new Database(db.filename, { readonly: true })
  try {
    snapshot.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    snapshot.run('BEGIN')
    // The view is fixed by the first read, not by BEGIN.
    using counter = snapshot.prepare('SELECT seq FROM counter')
    counter.values()
    return snapshot
  } catch (error) {
    snapshot.close()
    throw error
  }
}

// Maps errors of the engine to messages that are safe to publish: no SQL, no path. The cause stays attached for the log.

const MESSAGES: Readonly<Record<string, Message>> = {
  BUSY: say('store_busy'),
  LOCKED: say('store_busy'),
  FULL: say('store_full'),
  READONLY: say('store_file_read_only'),
  IOERR: say('store_file_failed'),
  CORRUPT: say('store_damaged'),
  NOTADB: say('store_damaged'),
}
const AWAY = say('store_away')

/** The primary result code: `BUSY` for SQLITE_BUSY_RECOVERY. A file that is mapped to memory and cannot grow is on a full disk. */
const kindOf = ({ code = '' }: SQLiteError): string =>
  code === 'SQLITE_IOERR_SHMSIZE' ? 'FULL' : (code.split('_')[1] ?? '')

export const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && ['BUSY', 'LOCKED', 'PROTOCOL'].includes(kindOf(error))

export const isFull = (error: unknown): boolean =>
  (error instanceof SQLiteError && kindOf(error) === 'FULL') ||
  (error as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC'

export const isDamage = (error: unknown): boolean =>
  error instanceof SQLiteError && ['CORRUPT', 'NOTADB'].includes(kindOf(error))

/** Trouble that lasts until the operator acts or disk space is freed. */
const isTrouble = (error: unknown): boolean =>
  error instanceof SQLiteError && !isBusy(error) && kindOf(error) !== 'CONSTRAINT'

/** Errors of the engine become `store_unavailable`; errors that the caller threw pass unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error
  const kind = kindOf(error)
  // A violated constraint is a bug of this program, not temporary trouble.
  if (kind === 'CONSTRAINT')
    return new Error('The store refused a row that breaks its rules.', { cause: error })
  return new DirectoryError('store_unavailable', MESSAGES[kind] ?? AWAY, [], { cause: error })
}

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
  const session = new SqliteSession(db, { clock, writes, onCommit: seq => watch.noteSeq(seq) })
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

/** The file holds hashes of API keys and webhook secrets in plain text: no other user of the machine may read them. */
export const PRIVATE = 0o600

/** Writes a copy that opens as it is, to a new file. Other processes can write meanwhile. */
export function writeCopy(db: Database, path: string): void {
  // The engine writes to an empty file; creating it first keeps it private, and never replaces another.
  closeSync(openSync(path, 'wx', PRIVATE))
  try {
    db.run('VACUUM INTO ?', [path])
    using copy = new Database(path)
    // Also writes the whole file to the disk.
    copy.run('PRAGMA synchronous = FULL')
    copy.run(SKIP_NUMBERS)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

async function backUp(db: Database, path: string, clock: Clock): Promise<void> {
  try {
    await whenFree(clock, () => writeCopy(db, path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toStoreError(error)
    throw new DirectoryError('invalid_request', say('backup_exists'))
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
