// The table of entries, which is also the feed.
import { sellerHash, sellerOf } from '../../domain/listing/seller.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { WITHDRAWAL_CODES } from '../rows.ts'
import type { Change, EntryOrTombstone, RemovedBy, Seq } from '../store.ts'
import type { Query } from './link.ts'
import { forgetPayments } from './payment-sums.ts'
import { toTexts } from './texts.ts'

export type ServiceRow = { readonly objectSeq: Seq; readonly entry: Entry }

const ROWS = `json_to_recordset($1::text::json)
  AS row (id text, seq bigint, "objectSeq" bigint, followed text, payee text, entry text)`

/** The address of the source that an entry follows. */
export const followedBy = ({ provenance: { sourceUrl, origin } }: Entry): string | null =>
  origin ? sourceUrl : null

export const payeeOf = ({ x402Config }: Entry): string => x402Config.paymentAddress.toLowerCase()

/** Entries are sent as text inside the JSON: a name may contain characters that only a json column can store. */
const toJson = (rows: readonly { seq: Seq; objectSeq?: Seq; entry: Entry }[]): string =>
  JSON.stringify(
    rows.map(({ seq, objectSeq = seq, entry }) => ({
      id: entry.id,
      seq,
      objectSeq,
      followed: followedBy(entry),
      payee: payeeOf(entry),
      entry: JSON.stringify(entry),
    })),
  )

export async function insertServices(
  query: Query,
  rows: readonly { seq: Seq; entry: Entry }[],
): Promise<void> {
  await query(
    `INSERT INTO services (id, seq, object_seq, followed, payee, entry)
       SELECT id, seq, "objectSeq", followed, payee, entry::json FROM ${ROWS}`,
    [toJson(rows)],
  )
}

/** Entries in the order of the ids; unknown and removed ones are left out. */
export async function findServices(query: Query, ids: readonly string[]): Promise<ServiceRow[]> {
  const rows = await query(
    `SELECT object_seq, entry FROM json_array_elements_text($1::text::json) WITH ORDINALITY AS requested (id, place)
       JOIN services USING (id) WHERE entry IS NOT NULL ORDER BY place`,
    [toTexts(ids)],
  )
  return rows.map(([objectSeq, entry]) => ({ objectSeq: objectSeq as number, entry: entry as Entry }))
}

export async function writeServices(
  query: Query,
  rows: readonly { seq: Seq; objectSeq: Seq; entry: Entry }[],
): Promise<void> {
  await query(
    `UPDATE services SET seq = row.seq, object_seq = row."objectSeq", followed = row.followed, payee = row.payee,
       entry = row.entry::json FROM ${ROWS} WHERE services.id = row.id`,
    [toJson(rows)],
  )
}

export async function addTombstone(query: Query, seq: Seq, id: string, by: RemovedBy | null): Promise<void> {
  await query(
    `UPDATE services SET seq = $1, object_seq = $1, followed = NULL, payee = NULL, entry = NULL,
       removed_by = $3::text::json WHERE id = $2`,
    [seq, id, by && JSON.stringify(by)],
  )
}

/** Deletes tombstones that sources left, with the probes and payments of their entries. */
export async function removeTombstones(query: Query, ids: readonly string[]): Promise<void> {
  const rows = await query(
    `DELETE FROM services WHERE entry IS NULL AND removed_by IS NOT NULL
       AND id IN (SELECT * FROM json_array_elements_text($1::text::json)) RETURNING id`,
    [toTexts(ids)],
  )
  const removed = rows.map(([id]) => id as string)
  const among = 'service_id IN (SELECT * FROM json_array_elements_text($1::text::json))'
  await Promise.all([
    ...removed.map(id => forgetPayments(query, id)),
    ...(removed.length > 0 ? ['probes', 'probe_days'] : []).map(table =>
      query(`DELETE FROM ${table} WHERE ${among}`, [JSON.stringify(removed)]),
    ),
  ])
}

export async function addRemovedSeller(query: Query, entry: Entry): Promise<void> {
  await query('INSERT INTO removed_outlets (outlet) VALUES ($1) ON CONFLICT DO NOTHING', [
    sellerHash(sellerOf(entry)),
  ])
}

/** Reads a whole page as two values: decoding thousands of rows costs more than decoding their content. */
export async function changesAfter(query: Query, since: Seq, limit: number): Promise<Change[]> {
  // A subquery instead of a join: after a large import the planner would scan all embeddings for every page.
  const [page] = await query(
    `SELECT json_agg(json_build_array(seq, object_seq, id, entry, length(gist), endpoint) ORDER BY seq), string_agg(gist, '' ORDER BY seq)
     FROM (SELECT seq, object_seq, id, entry, (SELECT gist FROM gists WHERE service_id = id) AS gist,
         CASE WHEN entry IS NULL THEN (SELECT CASE WHEN event->'before'->>'status' <> 'unverified' AND coalesce(event->'reason'->>'code', '') NOT IN (${WITHDRAWAL_CODES})
             THEN event->'before'->>'endpoint' END FROM events
           WHERE service_id = id AND event->>'type' = 'removed' ORDER BY number DESC LIMIT 1) END AS endpoint
       FROM services WHERE seq > $1 ORDER BY seq LIMIT $2) AS page`,
    [since, limit],
  )
  const [rows, embeddings] = page as [FeedRow[] | null, Uint8Array | null]
  let end = 0
  return (rows ?? []).map(([seq, objectSeq, id, entry, bytes, endpoint]) => {
    const start = end
    end += bytes ?? 0
    return {
      seq,
      objectSeq,
      id,
      entry,
      embedding: bytes === null ? undefined : embeddings?.subarray(start, end),
      endpoint: endpoint ?? undefined,
    }
  })
}

type FeedRow = [
  seq: Seq,
  objectSeq: Seq,
  id: string,
  entry: Entry | null,
  gistBytes: number | null,
  endpoint: string | null,
]

/** Ids that never existed are left out. */
export async function lookUpServices(
  query: Query,
  ids: readonly string[],
): Promise<Map<string, EntryOrTombstone>> {
  const rows = await query(
    'SELECT id, entry, removed_by FROM services WHERE id IN (SELECT * FROM json_array_elements_text($1::text::json))',
    [toTexts(ids)],
  )
  return new Map(
    rows.map(([id, entry, by]) => [
      id as string,
      entry === null ? { entry: null, removedBy: by as RemovedBy | null } : { entry: entry as Entry },
    ]),
  )
}

export async function servicesById(query: Query, after: string, limit: number): Promise<Entry[]> {
  const rows = await query(
    'SELECT entry FROM services WHERE entry IS NOT NULL AND id > $1 ORDER BY id LIMIT $2',
    [after, limit],
  )
  return rows.map(([entry]) => entry as Entry)
}

export async function servicesOfSource(
  query: Query,
  sourceUrl: string,
  after: string,
  limit: number,
): Promise<Entry[]> {
  const rows = await query(
    'SELECT entry FROM services WHERE followed = $1 AND id > $2 ORDER BY id LIMIT $3',
    [sourceUrl, after, limit],
  )
  return rows.map(([entry]) => entry as Entry)
}

export async function countOfSource(query: Query, sourceUrl: string): Promise<number> {
  const [row] = await query('SELECT count(*) FROM services WHERE followed = $1 AND entry IS NOT NULL', [
    sourceUrl,
  ])
  return Number(row![0])
}

export async function servicesPaidTo(query: Query, addresses: readonly string[]): Promise<Entry[]> {
  const rows = await query(
    'SELECT entry FROM services WHERE payee IN (SELECT * FROM json_array_elements_text($1::text::json))',
    [toTexts(addresses.map(address => address.toLowerCase()))],
  )
  return rows.map(([entry]) => entry as Entry)
}

export async function removedSellers(query: Query, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await query(
    'SELECT outlet FROM removed_outlets WHERE outlet IN (SELECT * FROM json_array_elements_text($1::text::json))',
    [JSON.stringify(hashes)],
  )
  return new Set(rows.map(([seller]) => seller as string))
}
