// Backup and restore, on a separate connection, so that the store keeps serving reads and writes.
import { constants, Database, type Statement } from 'bun:sqlite'
import type { Entry } from '../../domain/listing/service.ts'
import type { Clock } from '../../runtime/clock.ts'
import {
  type BackupRecord,
  fromProbeBackup,
  notEmpty,
  Recount,
  toProbeBackup,
  toRestoreError,
  unknownKind,
} from '../backup.ts'
import {
  BACKUP_TABLES,
  type BackupTable,
  CONTENT_TABLES,
  COUNT_ROWS,
  toPageQuery,
  toRecord,
  toValues,
} from '../backup-tables.ts'
import { LegacyRecords } from '../legacy-records.ts'
import { ENTRY_COLUMNS, type Row, toEntry, toRow, toTombstoneRow, type Value } from '../rows.ts'
import type { Seq, StoredEvent } from '../store.ts'
import { toStoreError } from './errors.ts'
import { EVENT_COLUMNS, toJson, toStoredEvent } from './events.ts'
import { PROBE_COLUMNS, toProbeRecord, toProbeRow } from './probes.ts'
import { readNumber } from './schema.ts'
import { BUSY_TIMEOUT_MS, rowsOf, type SqliteSession, whenFree } from './session.ts'

const PAGE = 1_000
const SERVICE_COLUMNS = ['seq', 'object_seq', 'removed', ...ENTRY_COLUMNS, 'removed_by']

export const isInMemory = ({ filename }: Database): boolean => filename === '' || filename === ':memory:'

export const createBackup = (db: Database, session: SqliteSession, clock: Clock) => ({
  async *backup(onCount?: (rows: number) => void): AsyncGenerator<BackupRecord, void> {
    try {
      using snapshot = await whenFree(clock, () => openSnapshot(db))
      onCount?.(readNumber(snapshot, COUNT_ROWS))
      yield {
        kind: 'counter',
        seq: readNumber(snapshot, "SELECT sum(value) FROM counter WHERE name IN ('seq', 'gap')"),
        event: readNumber(snapshot, "SELECT value FROM counter WHERE name = 'event'"),
      }
      yield* readAll(snapshot, servicesFrom)
      yield* readAll(snapshot, eventsFrom)
      yield* readAll(snapshot, probesFrom)
      for (const table of BACKUP_TABLES) yield* readAll(snapshot, source => rowsFrom(source, table))
    } catch (error) {
      throw toStoreError(error)
    }
  },

  async restore(records: AsyncIterable<BackupRecord>): Promise<void> {
    try {
      await (isInMemory(db) ? fillMemory(db, session, records) : fillFile(db.filename, records, clock))
    } catch (error) {
      throw toRestoreError(toStoreError(error))
    }
  },
})

/** A read transaction gives a consistent view of a file during writes; an in-memory database is copied. */
function openSnapshot(db: Database): Database {
  if (isInMemory(db)) return Database.deserialize(db.serialize())
  const snapshot = new Database(db.filename, { readonly: true })
  try {
    snapshot.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    snapshot.run('BEGIN')
    // The view is fixed by the first read, not by BEGIN.
    readNumber(snapshot, 'SELECT count(*) FROM counter')
    return snapshot
  } catch (error) {
    snapshot.close()
    throw error
  }
}

type Source = {
  /** The next rows after the given one, or the first rows. */
  readonly pageAfter: (row: Row | undefined) => Row[]
  readonly toRecord: (row: Row) => BackupRecord
  readonly close: () => void
}

async function* readAll(db: Database, open: (db: Database) => Source): AsyncGenerator<BackupRecord, void> {
  const source = open(db)
  try {
    for (let last: Row | undefined; ; ) {
      const page = source.pageAfter(last)
      for (const row of page) yield source.toRecord(row)
      last = page.at(-1)
      if (page.length < PAGE) return
      // Lets the event loop serve requests between two pages.
      await new Promise<void>(resolve => setImmediate(resolve))
    }
  } finally {
    source.close()
  }
}

function sourceOf(
  db: Database,
  sql: string,
  after: (row: Row | undefined) => Value[],
  convert: (row: Row) => BackupRecord,
): Source {
  const statement = db.prepare(sql)
  return {
    pageAfter: row => rowsOf(statement, ...after(row), PAGE),
    toRecord: convert,
    close: () => statement.finalize(),
  }
}

const servicesFrom = (db: Database): Source =>
  sourceOf(
    db,
    `SELECT ${SERVICE_COLUMNS.join(', ')} FROM services WHERE seq > ? ORDER BY seq LIMIT ?`,
    row => [row?.[0] ?? 0],
    row => ({
      kind: 'service',
      seq: row[0],
      objectSeq: row[1],
      id: row[3],
      entry: row[2] === 1 ? null : toEntry(row, 3),
      ...(row.at(-1) !== null && { removedBy: JSON.parse(row.at(-1) as string) }),
    }),
  )

const eventsFrom = (db: Database): Source =>
  sourceOf(
    db,
    `SELECT ${EVENT_COLUMNS.join(', ')} FROM events WHERE number > ? ORDER BY number LIMIT ?`,
    row => [row?.[0] ?? 0],
    row => ({ kind: 'event', ...toStoredEvent(row) }),
  )

const probesFrom = (db: Database): Source =>
  sourceOf(
    db,
    `SELECT ${PROBE_COLUMNS.join(', ')}, former FROM probes
     WHERE (service_id, at) > (?, ?) ORDER BY service_id, at LIMIT ?`,
    row => [row?.[0] ?? '', row?.[1] ?? ''],
    row => toProbeBackup(toProbeRecord(row, 0), row.at(-1) === 1),
  )

function rowsFrom(db: Database, table: BackupTable): Source {
  const { first, next } = toPageQuery(table, n => `?${n}`)
  const firstPage = db.prepare(first)
  const nextPage = db.prepare(next)
  return {
    pageAfter: row => (row ? rowsOf(nextPage, ...row.slice(0, table.keys), PAGE) : rowsOf(firstPage, PAGE)),
    toRecord: row => toRecord(table, row, value => JSON.parse(value as string)),
    close: () => {
      firstPage.finalize()
      nextPage.finalize()
    },
  }
}

async function fillMemory(
  db: Database,
  session: SqliteSession,
  records: AsyncIterable<BackupRecord>,
): Promise<void> {
  const all = await Array.fromAsync(records)
  await session.write(() => {
    const filling = startFilling(db)
    try {
      for (const record of all) filling.put(record)
      filling.end()
    } finally {
      filling.close()
    }
  })
}

/** One transaction: on failure the file is unchanged. */
async function fillFile(path: string, records: AsyncIterable<BackupRecord>, clock: Clock): Promise<void> {
  using db = new Database(path, constants.SQLITE_OPEN_READWRITE)
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  db.run('PRAGMA synchronous = FULL')
  await whenFree(clock, () => db.run('BEGIN IMMEDIATE'))
  try {
    const filling = startFilling(db)
    try {
      for await (const record of records) filling.put(record)
      filling.end()
    } finally {
      filling.close()
    }
    db.run('COMMIT')
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK')
    throw error
  }
}

/** Inside a transaction. @throws DirectoryError `invalid_request` if the store is not empty or the kind of a record is unknown */
function startFilling(db: Database) {
  for (const table of CONTENT_TABLES) {
    if (readNumber(db, `SELECT EXISTS (SELECT 1 FROM ${table})`) === 1) throw notEmpty()
  }
  const statements = new Map<string, Statement>()
  const insert = (table: string, columns: readonly string[], values: readonly Value[]) => {
    let statement = statements.get(table)
    if (!statement) {
      const places = columns.map(() => '?').join(', ')
      statement = db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
      statements.set(table, statement)
    }
    statement.run(...values)
  }
  const tables = new Map(BACKUP_TABLES.map(table => [table.kind, table]))
  const close = () => {
    for (const statement of statements.values()) statement.finalize()
  }
  const recount = new Recount()
  const legacy = new LegacyRecords()

  return {
    put(original: BackupRecord): void {
      const record = legacy.upgrade(original)
      if (!record) return
      // Timelines of the backup replace the store's own.
      if (record.kind === 'timeline' && !recount.hasTimelines) db.run('DELETE FROM timelines')
      recount.put(record)
      const { kind } = record
      const table = tables.get(kind)
      if (table) insert(table.table, Object.keys(table.columns), toValues(table, record))
      else if (kind === 'service') insert('services', SERVICE_COLUMNS, toServiceRow(record))
      else if (kind === 'event') insert('events', EVENT_COLUMNS, toEventRow(record))
      else if (kind === 'probe') insert('probes', [...PROBE_COLUMNS, 'former'], toFormerRow(record))
      else if (kind !== 'counter') throw unknownKind(kind)
    },
    end(): void {
      for (const id of legacy.paid)
        db.run("UPDATE services SET tx_count = 0, total_revenue = '0' WHERE id = ?", [id])
      const { seq, event, gap } = recount
      for (const [name, value] of Object.entries({ seq, event, gap }))
        db.run('UPDATE counter SET value = ? WHERE name = ?', [value, name])
    },
    close,
  }
}

function toServiceRow(record: BackupRecord): Value[] {
  const entry = record.entry as Entry | null
  const row = entry ? toRow(entry) : toTombstoneRow(record.id as string)
  const removedBy = record.removedBy === undefined ? null : JSON.stringify(record.removedBy)
  return [record.seq as Seq, record.objectSeq as Seq, entry ? 0 : 1, ...row, removedBy]
}

function toFormerRow(record: BackupRecord): Value[] {
  const { probe, former } = fromProbeBackup(record)
  return [...toProbeRow(probe), former ? 1 : 0]
}

function toEventRow(record: BackupRecord): Value[] {
  const { number, seq, serviceId, type, at, reason, before, after } = record as unknown as StoredEvent
  return [number, seq, serviceId, type, at, toJson(reason), toJson(before), toJson(after)]
}
