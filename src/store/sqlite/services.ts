// The table of entries, which is also the feed.
import { sellerHash, sellerOf } from '../../domain/listing/seller.ts'
import type { Entry } from '../../domain/listing/service.ts'
import {
  ENTRY_COLUMNS,
  type Row,
  toEntry,
  toRow,
  toTombstoneRow,
  type Value,
  WITHDRAWAL_CODES,
} from '../rows.ts'
import type { Change, EntryOrTombstone, RemovedBy, Seq } from '../store.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export type CurrentRow = { readonly objectSeq: Seq; readonly entry: Entry }

export function createServicesTable(session: SqliteSession) {
  const columns = ['seq', 'object_seq', 'removed', ...ENTRY_COLUMNS]
  const insert = session.prepare(
    `INSERT INTO services (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const replace = session.prepare(
    `UPDATE services SET ${columns.map(column => `${column} = ?`).join(', ')} WHERE id = ?`,
  )
  const find = session.prepare(`SELECT ${columns.join(', ')} FROM services WHERE id = ? AND removed = 0`)
  const changes = session.prepare(
    `SELECT ${columns.join(', ')}, gist, CASE removed WHEN 1 THEN (
       SELECT CASE WHEN json_extract(before, '$.status') <> 'unverified' AND coalesce(json_extract(reason, '$.code'), '') NOT IN (${WITHDRAWAL_CODES})
         THEN json_extract(before, '$.endpoint') END FROM events
       WHERE events.service_id = services.id AND type = 'removed' ORDER BY number DESC LIMIT 1) END
     FROM services LEFT JOIN gists ON gists.service_id = services.id
     WHERE services.seq > ? ORDER BY services.seq LIMIT ?`,
  )
  const lookUp = session.prepare(`SELECT ${columns.join(', ')}, removed_by FROM services WHERE id = ?`)
  const scope = session.prepare('UPDATE services SET removed_by = ? WHERE id = ?')
  const removeTombstone = session.prepare(
    'DELETE FROM services WHERE id = ? AND removed = 1 AND removed_by IS NOT NULL',
  )
  const byId = session.prepare(
    `SELECT ${columns.join(', ')} FROM services WHERE removed = 0 AND id > ? ORDER BY id LIMIT ?`,
  )
  const ofSource = session.prepare(
    `SELECT ${columns.join(', ')} FROM services
     WHERE source_url = ? AND origin_key IS NOT NULL AND id > ? ORDER BY id LIMIT ?`,
  )
  const countOfSource = session.prepare(
    'SELECT count(*) FROM services WHERE source_url = ? AND origin_key IS NOT NULL',
  )
  const paidTo = session.prepare(
    `SELECT ${columns.join(', ')} FROM services WHERE removed = 0 AND lower(payment_address) = lower(?)`,
  )
  const insertRemovedSeller = session.prepare('INSERT OR IGNORE INTO removed_outlets (outlet) VALUES (?)')
  const findRemovedSeller = session.prepare('SELECT outlet FROM removed_outlets WHERE outlet = ?')

  return {
    find(id: string): CurrentRow | undefined {
      const [row] = rowsOf(find, id)
      return row && { objectSeq: row[1] as number, entry: toEntry(row, 3) }
    },
    insert: (seq: Seq, entry: Entry) => void insert.run(...withSeq(seq, seq, 0, toRow(entry))),
    replace: (seq: Seq, objectSeq: Seq, entry: Entry) =>
      void replace.run(...withSeq(seq, objectSeq, 0, toRow(entry)), entry.id),
    addTombstone(seq: Seq, id: string, by: RemovedBy | null): void {
      replace.run(...withSeq(seq, seq, 1, toTombstoneRow(id)), id)
      if (by) scope.run(JSON.stringify(by), id)
    },
    /** Returns whether there was a tombstone that a source left. */
    removeTombstone: (id: string): boolean => removeTombstone.run(id).changes > 0,
    addRemovedSeller: (entry: Entry) => void insertRemovedSeller.run(sellerHash(sellerOf(entry))),
    paidTo: (addresses: readonly string[]): Entry[] =>
      addresses.flatMap(address => rowsOf(paidTo, address).map(row => toEntry(row, 3))),
    removedSellers: (hashes: readonly string[]): Set<string> =>
      new Set(hashes.filter(hash => rowsOf(findRemovedSeller, hash).length > 0)),
    lookUp: (ids: readonly string[]): Map<string, EntryOrTombstone> =>
      new Map(ids.flatMap(id => rowsOf(lookUp, id).map(row => [id, toEntryOrTombstone(row)] as const))),
    byId: (after: string, limit: number): Entry[] => rowsOf(byId, after, limit).map(row => toEntry(row, 3)),
    ofSource: (sourceUrl: string, after: string, limit: number): Entry[] =>
      rowsOf(ofSource, sourceUrl, after, limit).map(row => toEntry(row, 3)),
    countOfSource: (sourceUrl: string): number => rowsOf(countOfSource, sourceUrl)[0]?.[0] as number,
    changes: (since: Seq, limit: number): Change[] =>
      (changes.values(since, limit) as unknown as (Value | Uint8Array)[][]).map(toChange),
  }
}

const withSeq = (seq: Seq, objectSeq: Seq, removed: 0 | 1, row: Value[]): Value[] => {
  row.unshift(seq, objectSeq, removed)
  return row
}

const AFTER_ENTRY = 3 + ENTRY_COLUMNS.length

/** The column after those of the entry is `removed_by`. */
const toEntryOrTombstone = (row: Row): EntryOrTombstone => {
  if (row[2] !== 1) return { entry: toEntry(row, 3) }
  const by = row[AFTER_ENTRY] as string | null
  return { entry: null, removedBy: by === null ? null : (JSON.parse(by) as RemovedBy) }
}

const toChange = (row: readonly (Value | Uint8Array)[]): Change => ({
  seq: row[0] as number,
  objectSeq: row[1] as number,
  id: row[3] as string,
  entry: row[2] === 1 ? null : toEntry(row as Row, 3),
  embedding: (row[AFTER_ENTRY] as Uint8Array | null) ?? undefined,
  endpoint: (row[AFTER_ENTRY + 1] as string | null) ?? undefined,
})
