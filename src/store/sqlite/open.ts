// Creates and opens a database file. Writes nothing before it has checked that the file is ours, undamaged and not newer than this
// program. The version of its tables is in its header.
import { constants, Database } from 'bun:sqlite'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DirectoryError } from '../../domain/errors.ts'
import { lazily } from '../../memory/memoize.ts'
import { verbatim } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import { checkVersion, isEarlier, type OnUpgraded, SCHEMA_VERSION, stepsFrom } from '../schema.ts'
import { BUSY_TIMEOUT_MS, isBusy, isDamage, isFull, PRIVATE, whenFree, writeCopy } from './store.ts'

/** Marks a file as ours in its header ("SHRB"), so that a start never writes into a foreign database. */
const APPLICATION_ID = 0x53_48_52_42

/** Bytes, more than any machine has. By default the engine limits a deserialized database to 1 GB. */
const MAX_MEMORY_BYTES = 2n ** 46n

/** Runs the pending steps, each in its own transaction; safe to call from several processes at once. */
function migrate(db: Database): void {
  for (const { to, sql } of stepsFrom(schemaVersion(db))) {
    const takeStep = db.transaction(() => {
      // Read again under the write lock: another process may have been faster.
      if (schemaVersion(db) >= to) return
      db.run(sql)
      db.run(`PRAGMA user_version = ${to}`)
    })
    takeStep.immediate()
  }
}

/** The bytes of an empty database file. */
const emptyFile = lazily((): Uint8Array => {
  using db = new Database(':memory:')
  db.run(`PRAGMA application_id = ${APPLICATION_ID}`)
  migrate(db)
  return db.serialize()
})

export function openSqliteMemory(): Database {
  const db = Database.deserialize(emptyFile())
  db.fileControl(constants.SQLITE_FCNTL_SIZE_LIMIT, BigInt64Array.of(MAX_MEMORY_BYTES))
  return db
}

const schemaVersion = (db: Database): number => readNumber(db, 'PRAGMA user_version')

/** Runs a statement that returns one number. */
function readNumber(db: Database, sql: string): number {
  using statement = db.prepare(sql)
  return statement.values()[0]?.[0] as number
}

const PRIVATE_FOLDER = 0o700
const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
const USER_VERSION_AT = 60
const APPLICATION_ID_AT = 68
/** Bytes up to which a start checks the whole file; the check reads about 1 GB a second. */
const MAX_CHECKED_BYTES = 32 * 1024 * 1024

/** @param mustExist whether a missing file is an error, because it is open elsewhere */
export async function openSqliteFile(
  givenPath: string,
  {
    clock,
    mustExist = false,
    onUpgraded,
  }: { clock: Clock; mustExist?: boolean | undefined; onUpgraded?: OnUpgraded | undefined },
): Promise<Database> {
  const path = resolve(givenPath)
  try {
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER })
    const stats = mustExist ? await judgeFile(path) : await judgeHeader(path)
    if (stats) await whenFree(clock, () => judgeContent(path, stats.size))
    else if (mustExist) throw refuse(path, 'is not there any more; put it back')
    else {
      assertNoLog(path)
      createSqliteFile(path)
    }
    return await whenFree(clock, () => openJudged(path, onUpgraded))
  } catch (error) {
    if (error instanceof DirectoryError) throw error
    if (isBusy(error))
      throw refuse(path, 'is held by another program; stop that program and start again', error)
    if (isFull(error))
      throw refuse(path, 'cannot be opened, because its disk is full; free some space', error)
    if (isDamage(error)) throw refuseDamaged(path, error)
    throw refuse(path, 'cannot be opened; check the permissions of the file and its folder', error)
  }
}

const refuse = (path: string, what: string, cause?: unknown): DirectoryError =>
  new DirectoryError('store_unavailable', verbatim(`The database ${path} ${what}.`), [], { cause })

const refuseForeign = (path: string): DirectoryError =>
  refuse(path, 'was not made by this program; name another file')

const refuseDamaged = (path: string, cause?: unknown): DirectoryError =>
  refuse(path, 'is damaged; restore it from a backup', cause)

/** For a new file, the engine would discard an existing log and the commits in it. */
function assertNoLog(path: string): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  throw refuse(
    path,
    `is not there, but its log is (${path}-wal), and may hold what was written last; put the file back, or remove the log to begin with a new one`,
  )
}

async function judgeFile(path: string): Promise<{ readonly size: number } | undefined> {
  const stats = await stat(path).catch(error => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  if (!stats) return undefined
  if (!stats.isFile()) throw refuse(path, 'is not a file; name a file')
  // Our files are never empty, not even new ones, so this one was truncated.
  if (stats.size === 0)
    throw refuse(path, 'is empty; restore a backup, or remove the file to begin with a new one')
  return stats
}

/**
 * Reads the first bytes without the engine, which would create files next to a foreign database. Must not be called for a file that
 * this process has open: closing a file descriptor drops every lock of the process on that file, those of other connections too,
 * and another program that then believes to be the last user deletes their log.
 */
async function judgeHeader(path: string): Promise<{ readonly size: number } | undefined> {
  const stats = await judgeFile(path)
  if (!stats) return undefined
  const header = Buffer.alloc(HEADER_BYTES)
  await using file = await open(path, 'r')
  await file.read(header, 0, HEADER_BYTES, 0)
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw refuse(
      path,
      'is not a database, or its beginning is damaged; restore a backup or name another file',
    )
  }
  // Our files have the id in their header from the first page on, so it is never only in the log.
  if (header.readInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) throw refuseForeign(path)
  checkVersion(header.readInt32BE(USER_VERSION_AT), `The database ${path}`)
  return stats
}

/** The header can be older than the log, so the engine reads the version too, on a read-only connection. */
function judgeContent(path: string, size: number): void {
  using db = new Database(path, { readonly: true })
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  try {
    checkVersion(schemaVersion(db), `The database ${path}`)
  } catch (error) {
    // Its creation was interrupted before the first page was complete: opening it for writing starts over.
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_READONLY_ROLLBACK') return
    throw error
  }
  if (size > MAX_CHECKED_BYTES) return
  using check = db.prepare('PRAGMA quick_check(1)')
  if (check.values()[0]?.[0] !== 'ok') throw refuseDamaged(path)
}

function openJudged(path: string, onUpgraded: OnUpgraded | undefined): Database {
  closeToOthers(...['', '-wal', '-shm'].map(end => realpathSync(path) + end))
  const db = new Database(path, constants.SQLITE_OPEN_READWRITE)
  try {
    db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    setApplicationId(db, path)
    db.run('PRAGMA journal_mode = WAL')
    // A committed write survives a power loss, not only a crash of the process.
    db.run('PRAGMA synchronous = FULL')
    db.run('PRAGMA cache_size = -16384')
    // Bytes to which the log shrinks again after a large import.
    db.run('PRAGMA journal_size_limit = 67108864')
    const version = schemaVersion(db)
    const copy = isEarlier(version) ? keepCopy(db, path, version) : undefined
    migrate(db)
    if (copy) onUpgraded?.({ from: version, to: SCHEMA_VERSION, copy })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Next to a database: copies that operators ask for, and that of an earlier version. */
export const backupFolderOf = (path: string): string => join(dirname(path), 'backups')

/** A copy of a database of an earlier version, among the backups next to it: an older program does not open the upgraded one. */
function keepCopy(db: Database, path: string, version: number): string | undefined {
  const folder = backupFolderOf(path)
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  const file = join(folder, `before-version-${SCHEMA_VERSION}.db`)
  const draft = `${file}.${crypto.randomUUID()}.new`
  try {
    writeCopy(db, draft)
    using copy = new Database(draft, { readonly: true })
    // Another process may have been faster, and has kept it then.
    if (schemaVersion(copy) !== version) return undefined
    renameSync(draft, file)
    return file
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A file whose creation was interrupted lacks the id; it is written before WAL mode, so that it is in the file itself. */
function setApplicationId(db: Database, path: string): void {
  const setIfNew = db.transaction(() => {
    if (readNumber(db, 'PRAGMA application_id') === APPLICATION_ID) return
    if (readNumber(db, 'SELECT count(*) FROM sqlite_schema') > 0) throw refuseForeign(path)
    db.run(`PRAGMA application_id = ${APPLICATION_ID}`)
  })
  if (readNumber(db, 'PRAGMA application_id') !== APPLICATION_ID) setIfNew.immediate()
}

const OTHERS = 0o007

/**
 * Creates a file that becomes visible when it is complete, so that an empty file at its path is never one that is being created.
 * Safe to call from several processes at once: the first one creates the file.
 */
function createSqliteFile(path: string): void {
  const draft = `${path}.${crypto.randomUUID()}.new`
  try {
    // The engine creates its -wal and -shm files with the mode of this file.
    writeFileSync(draft, emptyFile(), { flag: 'wx', mode: PRIVATE })
    syncFile(draft)
    putInPlace(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A hard link, unlike a rename, never replaces an existing file. */
function putInPlace(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // Some file systems have no hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(code ?? '')) throw error
    renameSync(draft, path)
  }
}

/**
 * A file that others may access has its mode from a permissive default, so access is restricted to its owner. If others have no
 * access, the rights of the group are the operator's choice and stay.
 */
function closeToOthers(...paths: readonly string[]): void {
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats && (stats.mode & OTHERS) !== 0 && stats.uid === process.getuid?.()) chmodSync(path, PRIVATE)
  }
}
