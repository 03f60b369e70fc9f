// Backup and restore, on a separate connection, so that the store keeps serving reads and writes.

import type { Entry } from '../../domain/listing/service.ts'
import { isCounted, readProbe } from '../../domain/standing/probes.ts'
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
  toField,
  toPageQuery,
  toRecord,
  toValues,
} from '../backup-tables.ts'
import { LegacyRecords } from '../legacy-records.ts'
import type { Seq, StoredEvent } from '../store.ts'
import type { PostgresAddress } from './address.ts'
import { type Capabilities, CHANNEL } from './capabilities.ts'
import { PostgresConnector } from './connector.ts'
import { toStoreError } from './errors.ts'
import { EVENT_COLUMNS, toStoredEvent } from './events.ts'
import { toSumsReset } from './later-steps.ts'
import type { PostgresLink, Values } from './link.ts'
import { followedBy, payeeOf } from './services.ts'

const PAGE = 1_000
const RESET_SUMS = toSumsReset('SELECT * FROM json_array_elements_text($1::text::json)')
/** Lifts the time limits: the reader or writer of the file may be slow. */
const NO_TIMEOUTS = 'SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0'

export const createBackup = (address: PostgresAddress, { canNotify }: Capabilities, clock: Clock) => ({
  async *backup(onCount?: (rows: number) => void): AsyncGenerator<BackupRecord, void> {
    await using connector = new PostgresConnector({ address, clock, role: 'primary', connections: 1 })
    try {
      const link = await connector.link()
      // A consistent view of all tables during writes.
      await link.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      await link.script(NO_TIMEOUTS)
      const [counter] = await link.query('SELECT seq + gap, event FROM counter')
      onCount?.(Number((await link.query(COUNT_ROWS))[0]![0]))
      yield { kind: 'counter', seq: counter![0], event: counter![1] }
      yield* readAll(link, SERVICES)
      yield* readAll(link, EVENTS)
      yield* readAll(link, PROBES)
      for (const table of BACKUP_TABLES) yield* readAll(link, toSource(table))
      await link.query('COMMIT')
    } catch (error) {
      throw toStoreError(error)
    }
  },

  async restore(records: AsyncIterable<BackupRecord>): Promise<void> {
    await using connector = new PostgresConnector({ address, clock, role: 'primary', connections: 1 })
    try {
      const link = await connector.link()
      await link.query('BEGIN')
      try {
        const seq = await fill(link, records)
        if (canNotify) await link.query(`SELECT pg_notify('${CHANNEL}', $1)`, [String(seq)])
        await link.query('COMMIT')
      } catch (error) {
        if (!link.dead) await link.query('ROLLBACK').catch(() => link.destroy())
        throw error
      }
    } catch (error) {
      throw toRestoreError(toStoreError(error))
    }
  },
})

type Source = {
  readonly first: string
  readonly next: string
  /** The first `keys` columns are the key that the next page continues from. */
  readonly keys: number
  readonly toRecord: (row: readonly unknown[]) => BackupRecord
}

const toSource = (table: BackupTable): Source => ({
  ...toPageQuery(table, n => `$${n}`),
  keys: table.keys,
  toRecord: row => toRecord(table, row, value => value),
})

const SERVICES: Source = {
  first: 'SELECT seq, object_seq, id, entry, removed_by FROM services ORDER BY seq LIMIT $1',
  next: 'SELECT seq, object_seq, id, entry, removed_by FROM services WHERE seq > $1 ORDER BY seq LIMIT $2',
  keys: 1,
  toRecord: ([seq, objectSeq, id, entry, removedBy]) => ({
    kind: 'service',
    seq,
    objectSeq,
    id,
    entry,
    ...(removedBy !== null && { removedBy }),
  }),
}

const EVENTS: Source = {
  first: `SELECT ${EVENT_COLUMNS} FROM events ORDER BY number LIMIT $1`,
  next: `SELECT ${EVENT_COLUMNS} FROM events WHERE number > $1 ORDER BY number LIMIT $2`,
  keys: 1,
  toRecord: row => ({ kind: 'event', ...toStoredEvent(row) }),
}

const PROBES: Source = {
  first: 'SELECT service_id, at, probe, former FROM probes ORDER BY service_id, at LIMIT $1',
  next: 'SELECT service_id, at, probe, former FROM probes WHERE (service_id, at) > ($1, $2) ORDER BY service_id, at LIMIT $3',
  keys: 2,
  toRecord: ([, , probe, former]) => toProbeBackup(readProbe(probe), former === true),
}

async function* readAll(link: PostgresLink, source: Source): AsyncGenerator<BackupRecord, void> {
  for (let last: readonly unknown[] | undefined; ; ) {
    const page = last
      ? await link.query(source.next, [...(last.slice(0, source.keys) as unknown as Values), PAGE])
      : await link.query(source.first, [PAGE])
    for (const row of page) yield source.toRecord(row)
    last = page.at(-1)
    if (page.length < PAGE) return
  }
}

/** Inside a transaction, under the write lock; resolves to the last seq. @throws DirectoryError `invalid_request` */
async function fill(link: PostgresLink, records: AsyncIterable<BackupRecord>): Promise<Seq> {
  await link.script(NO_TIMEOUTS)
  await link.query('SELECT seq FROM counter FOR UPDATE')
  const hasRows = CONTENT_TABLES.map(table => `EXISTS (SELECT FROM ${table})`).join(' OR ')
  const [row] = await link.query(`SELECT ${hasRows}`)
  if (row?.[0] === true) throw notEmpty()

  let batch: BackupRecord[] = []
  const flush = async () => {
    if (batch.length > 0) await insert(link, batch)
    batch = []
  }
  const recount = new Recount()
  const legacy = new LegacyRecords()
  for await (const original of records) {
    const record = legacy.upgrade(original)
    if (!record) continue
    // Timelines of the backup replace the store's own.
    if (record.kind === 'timeline' && !recount.hasTimelines) await link.query('DELETE FROM timelines')
    recount.put(record)
    if (record.kind === 'counter') continue
    if (batch.length === PAGE || (batch[0] && batch[0].kind !== record.kind)) await flush()
    batch.push(record)
  }
  await flush()
  await link.query(RESET_SUMS, [JSON.stringify(legacy.paid)])
  const { seq, event, gap } = recount
  await link.query('UPDATE counter SET seq = $1, event = $2, gap = $3', [seq, event, gap])
  return seq
}

type Target = {
  readonly table: string
  /** Column types. JSON columns are sent as text inside the JSON parameter, which preserves every character. */
  readonly columns: Readonly<Record<string, 'text' | 'bigint' | 'boolean' | 'json'>>
  readonly toValues: (record: BackupRecord) => readonly unknown[]
}

const TARGETS: ReadonlyMap<string, Target> = new Map([
  [
    'service',
    {
      table: 'services',
      columns: {
        id: 'text',
        seq: 'bigint',
        object_seq: 'bigint',
        followed: 'text',
        payee: 'text',
        entry: 'json',
        removed_by: 'json',
      },
      toValues: ({ id, seq, objectSeq, entry, removedBy }: BackupRecord) => [
        id,
        seq,
        objectSeq,
        entry === null ? null : followedBy(entry as Entry),
        entry === null ? null : payeeOf(entry as Entry),
        entry === null ? null : JSON.stringify(entry),
        removedBy === undefined ? null : JSON.stringify(removedBy),
      ],
    },
  ],
  [
    'event',
    {
      table: 'events',
      columns: { number: 'bigint', seq: 'bigint', service_id: 'text', at: 'text', event: 'json' },
      toValues: (record: BackupRecord) => {
        const { number, seq, serviceId, at, type, reason, before, after } = record as unknown as StoredEvent
        return [number, seq, serviceId, at, JSON.stringify({ type, reason, before, after })]
      },
    },
  ],
  [
    'probe',
    {
      table: 'probes',
      columns: { service_id: 'text', at: 'text', counts: 'boolean', probe: 'json', former: 'boolean' },
      toValues: (record: BackupRecord) => {
        const { probe, former } = fromProbeBackup(record)
        return [probe.serviceId, probe.at, isCounted(probe), JSON.stringify(probe), former]
      },
    },
  ],
  ...BACKUP_TABLES.map((table): [string, Target] => [
    table.kind,
    {
      table: table.table,
      columns: Object.fromEntries(
        Object.entries(table.columns).map(([name, type]) => [name, type === 'number' ? 'bigint' : type]),
      ),
      toValues: record => toValues(table, record),
    },
  ]),
] as readonly (readonly [string, Target])[])

async function insert(link: PostgresLink, records: readonly BackupRecord[]): Promise<void> {
  const { kind } = records[0]!
  const target = TARGETS.get(kind)
  if (!target) throw unknownKind(kind)
  const names = Object.keys(target.columns)
  const rows = records.map(record => {
    const values = target.toValues(record)
    return Object.fromEntries(names.map((name, index) => [toField(name), values[index]]))
  })
  const typed = Object.entries(target.columns).map(
    ([name, type]) => `"${toField(name)}" ${type === 'json' ? 'text' : type}`,
  )
  const read = Object.entries(target.columns).map(
    ([name, type]) => `"${toField(name)}"${type === 'json' ? '::json' : ''}`,
  )
  await link.query(
    `INSERT INTO ${target.table} (${names.join(', ')})
       SELECT ${read.join(', ')} FROM json_to_recordset($1::text::json) AS row (${typed.join(', ')})`,
    [JSON.stringify(rows)],
  )
}
