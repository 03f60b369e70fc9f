// The table of entries, which is also the feed; their embeddings, and the sellers whose entries were removed for good.
import { sellerHash, sellerOf } from '../domain/listing/seller.ts'
import type { Entry } from '../domain/listing/service.ts'
import { findEach, fromJson, insertRows, type Query, toJson, type Value } from './session.ts'
import type { Change, EntryOrTombstone, RemovedBy, Seq, StoredEmbedding } from './store.ts'

export type CurrentRow = { readonly objectSeq: Seq; readonly entry: Entry }
export type WrittenRow = { readonly seq: Seq; readonly objectSeq: Seq; readonly entry: Entry }

const toEntry = (json: unknown): Entry => JSON.parse(json as string) as Entry

const toValues = ({ seq, objectSeq, entry }: WrittenRow): Value[] => {
  const { provenance, x402Config, owner } = entry
  const followed = provenance.origin ? provenance.sourceUrl : null
  const payee = x402Config.paymentAddress.toLowerCase()
  return [seq, objectSeq, entry.id, JSON.stringify(entry), followed, payee, owner]
}

const INSERT = 'INSERT INTO services (seq, object_seq, id, entry, followed, payee, owner)'
const REPLACE =
  'UPDATE services SET seq = $1, object_seq = $2, entry = $4, followed = $5, payee = $6, owner = $7 WHERE id = $3'

/** Inside the caller's transaction. */
export async function insertServices(query: Query, rows: readonly WrittenRow[]): Promise<void> {
  await insertRows(query, INSERT, rows.map(toValues))
}

/** Inside the caller's transaction. */
export async function replaceServices(query: Query, rows: readonly WrittenRow[]): Promise<void> {
  await Promise.all(rows.map(row => query(REPLACE, toValues(row))))
}

/** Entries in the order of the ids; unknown and removed ones are left out. */
export async function findServices(query: Query, ids: readonly string[]): Promise<CurrentRow[]> {
  const sql = 'SELECT object_seq, entry FROM services WHERE id = $1 AND entry IS NOT NULL'
  const rows = await findEach<[Seq, string]>(query, sql, ids)
  return rows.map(([objectSeq, entry]) => ({ objectSeq, entry: toEntry(entry) }))
}

/**
 * Inside the caller's transaction. The row of a removed entry is blank, so that nothing of what the owner removed stays stored.
 * @param endpoint the one that clients are warned of
 */
export async function addTombstone(
  query: Query,
  { seq, id, by, endpoint }: { seq: Seq; id: string; by: RemovedBy | null; endpoint: string | null },
): Promise<void> {
  await query(
    `UPDATE services SET seq = $1, object_seq = $1, entry = NULL, followed = NULL, payee = NULL, owner = NULL,
       removed_by = $3, endpoint = $4 WHERE id = $2`,
    [seq, id, toJson(by), endpoint],
  )
  await query('DELETE FROM embeddings WHERE service_id = $1', [id])
}

/** Inside the caller's transaction: deletes tombstones that sources left; returns their ids. */
export async function removeTombstones(query: Query, ids: readonly string[]): Promise<string[]> {
  const sql = 'DELETE FROM services WHERE id = $1 AND entry IS NULL AND removed_by IS NOT NULL RETURNING id'
  return (await findEach<[string]>(query, sql, ids)).map(([id]) => id)
}

export async function addRemovedSeller(query: Query, entry: Entry): Promise<void> {
  await query('INSERT INTO removed_sellers (hash) VALUES ($1) ON CONFLICT DO NOTHING', [
    sellerHash(sellerOf(entry)),
  ])
}

export async function removedSellers(query: Query, hashes: readonly string[]): Promise<Set<string>> {
  const sql = 'SELECT hash FROM removed_sellers WHERE hash = $1'
  return new Set((await findEach<[string]>(query, sql, hashes)).map(([hash]) => hash))
}

/** A subquery instead of a join: after a large import, a planner without statistics would scan all embeddings for every page. */
const CHANGES = `
  SELECT seq, object_seq, id, entry, (SELECT embedding FROM embeddings WHERE service_id = id), endpoint
  FROM services WHERE seq > $1 ORDER BY seq LIMIT $2`

type FeedRow = readonly [
  seq: Seq,
  objectSeq: Seq,
  id: string,
  entry: string | null,
  embedding: Uint8Array | null,
  endpoint: string | null,
]

export async function changesAfter(query: Query, since: Seq, limit: number): Promise<Change[]> {
  const rows = await query<FeedRow>(CHANGES, [since, limit])
  return rows.map(([seq, objectSeq, id, entry, embedding, endpoint]) => ({
    seq,
    objectSeq,
    id,
    entry: entry === null ? null : toEntry(entry),
    embedding: embedding ?? undefined,
    endpoint: endpoint ?? undefined,
  }))
}

/** Ids that never existed are left out. */
export async function lookUpServices(
  query: Query,
  ids: readonly string[],
): Promise<Map<string, EntryOrTombstone>> {
  const sql = 'SELECT id, entry, removed_by FROM services WHERE id = $1'
  const rows = await findEach<[string, string | null, string | null]>(query, sql, ids)
  return new Map(
    rows.map(([id, entry, by]) => [
      id,
      entry === null ? { entry: null, removedBy: fromJson<RemovedBy>(by) } : { entry: toEntry(entry) },
    ]),
  )
}

export async function servicesById(query: Query, after: string, limit: number): Promise<Entry[]> {
  const sql = 'SELECT entry FROM services WHERE entry IS NOT NULL AND id > $1 ORDER BY id LIMIT $2'
  return (await query(sql, [after, limit])).map(([entry]) => toEntry(entry))
}

export async function servicesOfSource(
  query: Query,
  sourceUrl: string,
  after: string,
  limit: number,
): Promise<Entry[]> {
  const sql = 'SELECT entry FROM services WHERE followed = $1 AND id > $2 ORDER BY id LIMIT $3'
  return (await query(sql, [sourceUrl, after, limit])).map(([entry]) => toEntry(entry))
}

export async function countOfSource(query: Query, sourceUrl: string): Promise<number> {
  const [row] = await query<[number]>('SELECT count(*) FROM services WHERE followed = $1', [sourceUrl])
  return row![0]
}

export async function servicesPaidTo(query: Query, addresses: readonly string[]): Promise<Entry[]> {
  const payees = addresses.map(address => address.toLowerCase())
  const rows = await findEach(query, 'SELECT entry FROM services WHERE payee = $1', payees)
  return rows.map(([entry]) => toEntry(entry))
}

export async function putEmbeddings(query: Query, embeddings: readonly StoredEmbedding[]): Promise<void> {
  const sql = `
    INSERT INTO embeddings (service_id, embedding) SELECT id, $2 FROM services WHERE id = $1 AND entry IS NOT NULL
    ON CONFLICT (service_id) DO UPDATE SET embedding = excluded.embedding WHERE embeddings.embedding <> excluded.embedding`
  await Promise.all(embeddings.map(({ id, embedding }) => query(sql, [id, embedding])))
}
