// Entries and their feed: what an insertion, an update and a removal write, and what is read of them.
import { DirectoryError } from '../domain/errors.ts'
import { IDEMPOTENCY_KEY_RETENTION_MS } from '../domain/ids.ts'
import { type EditResult, hideEntry } from '../domain/listing/edit.ts'
import { sellerHash, sellerOf } from '../domain/listing/seller.ts'
import { type Entry, isObjectChanged, toService } from '../domain/listing/service.ts'
import { type Collected, findCollected } from '../domain/operating.ts'
import { type Message, say } from '../messages/message.ts'
import { listHidden } from './collections.ts'
import { appendEvents, type NewEvent } from './events.ts'
import { forgetPayments } from './payment-sums.ts'
import { dropJudgement, dropProbes, findStored, forgetProbes } from './probes.ts'
import { addExtraProbe, addToSchedule, dropSchedule, resetSchedule } from './schedule.ts'
import {
  findEach,
  fromJson,
  insertRows,
  type Query,
  type Session,
  type Transaction,
  toJson,
  type Value,
} from './session.ts'
import type {
  Change,
  IdempotentRequest,
  InsertResult,
  Removal,
  RemovalReason,
  RemovedBy,
  Seq,
  Store,
} from './store.ts'

type CurrentRow = { readonly objectSeq: Seq; readonly entry: Entry }
type WrittenRow = { readonly seq: Seq; readonly objectSeq: Seq; readonly entry: Entry }

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

/** Entries in the order of the ids; unknown and removed ones are left out. */
export async function findServices(query: Query, ids: readonly string[]): Promise<CurrentRow[]> {
  const sql = 'SELECT object_seq, entry FROM services WHERE id = $1 AND entry IS NOT NULL'
  const rows = await findEach<[Seq, string]>(query, sql, ids)
  return rows.map(([objectSeq, entry]) => ({ objectSeq, entry: toEntry(entry) }))
}

type Replacement = { readonly seq: Seq; readonly row: CurrentRow; readonly to: EditResult }

/** `Store.update` inside the caller's transaction. */
export async function updateNow(
  transaction: Transaction,
  ids: readonly string[],
  change: (entry: Entry) => EditResult | undefined,
): Promise<Seq> {
  const { query } = transaction
  const rows = await findServices(query, [...new Set(ids)])
  const changed = rows.flatMap(row => {
    const to = change(row.entry)
    return to ? [{ row, to }] : []
  })
  if (changed.length === 0) return transaction.lastSeq
  const rules = changed.some(isElsewhere) ? await listHidden(query) : []
  const seq = transaction.takeSeqs(changed.length)
  const first = seq - changed.length + 1
  await Promise.all([
    replaceNow(
      transaction,
      changed.map((each, index) => ({ seq: first + index, row: each.row, to: hideMoved(rules, each) })),
    ),
    ...changed.map(({ to }) => writeRelated(query, to)),
  ])
  return seq
}

type Changed = Omit<Replacement, 'seq'>

const isElsewhere = ({ row, to }: Changed): boolean =>
  row.entry.endpoint !== to.entry.endpoint ||
  row.entry.x402Config.paymentAddress !== to.entry.x402Config.paymentAddress

/** An entry must not escape the operator's list by a move, nor come to what is on it unseen. */
function hideMoved(rules: readonly Collected[], changed: Changed): EditResult {
  const { to } = changed
  const rule = isElsewhere(changed) && !to.entry.hidden ? findCollected(rules, to.entry) : undefined
  const hiding = rule && hideEntry(to.entry, rule.why, new Date(to.events.at(-1)?.at ?? rule.at))
  return hiding ? { ...to, ...hiding, events: [...to.events, ...hiding.events] } : to
}

async function writeRelated(
  query: Query,
  { entry, forget = [], dueAt, extraProbeAt }: EditResult,
): Promise<void> {
  await Promise.all([
    forget.includes('probes') && forgetProbes(query, entry.id),
    forget.includes('payments') && forgetPayments(query, entry.id),
    dueAt !== undefined
      ? resetSchedule(query, entry, dueAt)
      : extraProbeAt !== undefined && addExtraProbe(query, entry, extraProbeAt),
  ])
}

/** Writes changed entries and their events. */
export async function replaceNow(
  transaction: Transaction,
  replacements: readonly Replacement[],
): Promise<void> {
  const rows = replacements.map(({ seq, row, to: { entry } }) => {
    if (entry.id !== row.entry.id) throw new Error('An update must not change the id of an entry.')
    return { seq, objectSeq: isObjectChanged(row.entry, entry) ? seq : row.objectSeq, entry }
  })
  const newEvents = replacements.flatMap(({ seq, row, to }) =>
    to.events.map((event): NewEvent => ({ serviceId: row.entry.id, seq, event })),
  )
  await Promise.all([
    ...rows.map(row => transaction.query(REPLACE, toValues(row))),
    appendEvents(transaction, newEvents),
  ])
}

async function insertNow(
  transaction: Transaction,
  given: readonly Entry[],
  now: Date,
): Promise<InsertResult> {
  const { query } = transaction
  const rules = await listHidden(query)
  const entries = given.map(entry => {
    const rule = findCollected(rules, entry)
    return rule ? { ...entry, hidden: { at: now.toISOString(), why: rule.why } } : entry
  })
  const seq = transaction.takeSeqs(entries.length)
  const rows = entries.map((entry, index) => {
    const own = seq - entries.length + 1 + index
    return { seq: own, objectSeq: own, entry }
  })
  const shown = rows.filter(({ entry }) => !entry.hidden)
  const followed = entries.filter(({ provenance }) => provenance.origin).map(({ id }) => id)
  const replaced = await removeTombstones(query, followed)
  await Promise.all(replaced.flatMap(id => [dropProbes(query, id), forgetPayments(query, id)]))
  await Promise.all([
    insertRows(query, INSERT, rows.map(toValues)),
    addToSchedule(
      query,
      shown.map(({ entry }) => entry),
      now,
    ),
    appendEvents(transaction, shown.map(toRegistered)),
  ])
  return { seq, entries, repeated: false }
}

const toRegistered = ({ seq, entry }: { seq: Seq; entry: Entry }): NewEvent => ({
  serviceId: entry.id,
  seq,
  event: { type: 'registered', at: entry.createdAt, reason: null, before: null, after: null },
})

/** Removals that withdraw a listing and say nothing about the endpoint itself. */
const WITHDRAWALS: ReadonlySet<string> = new Set([
  'removed_by_stranger',
  'removed_unasked',
  'removed_by_source',
] satisfies Message['code'][])

const warnsOf = ({ standing }: Entry, reason: Message | null): boolean =>
  standing.status !== 'unverified' && !WITHDRAWALS.has(reason?.code ?? '')

/** The row of a removed entry is blank, so that nothing of what the owner removed stays stored. */
const ADD_TOMBSTONE = `
  UPDATE services SET seq = $1, object_seq = $1, entry = NULL, followed = NULL, payee = NULL, owner = NULL,
    removed_by = $3, endpoint = $4 WHERE id = $2`
const ADD_REMOVED_SELLER = 'INSERT INTO removed_sellers (hash) VALUES ($1) ON CONFLICT DO NOTHING'

async function removeNow(
  transaction: Transaction,
  id: string,
  at: Date,
  reason: RemovalReason,
  check?: (entry: Entry) => Removal,
): Promise<Seq | undefined> {
  const { query } = transaction
  const [row] = await findServices(query, [id])
  if (!row) return undefined
  const { entry } = row
  const removal = check?.(entry)
  const seq = transaction.takeSeqs(1)
  const why = typeof reason === 'function' ? reason(entry) : reason
  // The tombstone is blank, so the event holds the removed entry.
  const before = toService(entry)
  const event = { type: 'removed', at: at.toISOString(), reason: why, before, after: null } as const
  const by = typeof removal === 'object' ? removal : null
  await Promise.all([
    query(ADD_TOMBSTONE, [seq, id, toJson(by), warnsOf(entry, why) ? entry.endpoint : null]),
    query('DELETE FROM embeddings WHERE service_id = $1', [id]),
    removal === 'for_good' && query(ADD_REMOVED_SELLER, [sellerHash(sellerOf(entry))]),
    dropSchedule(query, id),
    dropJudgement(query, id),
    appendEvents(transaction, [{ serviceId: id, seq, event }]),
  ])
  return seq
}

/** Inside the caller's transaction: deletes tombstones that sources left; returns their ids. */
async function removeTombstones(query: Query, ids: readonly string[]): Promise<string[]> {
  const sql = 'DELETE FROM services WHERE id = $1 AND entry IS NULL AND removed_by IS NOT NULL RETURNING id'
  return (await findEach<[string]>(query, sql, ids)).map(([id]) => id)
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

export async function servicesById(query: Query, after: string, limit: number): Promise<Entry[]> {
  const sql = 'SELECT entry FROM services WHERE entry IS NOT NULL AND id > $1 ORDER BY id LIMIT $2'
  return (await query(sql, [after, limit])).map(([entry]) => toEntry(entry))
}

const PUT_EMBEDDING = `
  INSERT INTO embeddings (service_id, embedding) SELECT id, $2 FROM services WHERE id = $1 AND entry IS NOT NULL
  ON CONFLICT (service_id) DO UPDATE SET embedding = excluded.embedding WHERE embeddings.embedding <> excluded.embedding`

export const createEntryTable = (session: Session) =>
  ({
    insert: (entries, idempotencyKey) =>
      session.write(
        idempotencyKey ? [`${idempotencyKey.caller} ${idempotencyKey.key}`] : [],
        async transaction => {
          const { query } = transaction
          const first = idempotencyKey && (await findResult(query, idempotencyKey))
          if (first) return first
          const inserted = await insertNow(transaction, entries, session.clock.now())
          if (idempotencyKey) await saveResult(query, idempotencyKey, inserted)
          return inserted
        },
      ),
    update: (ids, change) => session.write(ids, transaction => updateNow(transaction, ids, change)),
    remove: (id, at, reason, check) =>
      session.write([id], transaction => removeNow(transaction, id, at, reason, check)),
    find: id => session.read(query => findStored(query, id)),
    lookUp: ids =>
      session.read(async query => {
        const sql = 'SELECT id, entry, removed_by FROM services WHERE id = $1'
        const rows = await findEach<[string, string | null, string | null]>(query, sql, ids)
        return new Map(
          rows.map(([id, entry, by]) => [
            id,
            entry === null ? { entry: null, removedBy: fromJson<RemovedBy>(by) } : { entry: toEntry(entry) },
          ]),
        )
      }),
    byId: (after, limit) => session.read(query => servicesById(query, after, limit)),
    ofSource: (sourceUrl, after, limit) =>
      session.read(async query => {
        const sql = 'SELECT entry FROM services WHERE followed = $1 AND id > $2 ORDER BY id LIMIT $3'
        return (await query(sql, [sourceUrl, after, limit])).map(([entry]) => toEntry(entry))
      }),
    countOfSource: sourceUrl =>
      session.read(async query => {
        const [row] = await query<[number]>('SELECT count(*) FROM services WHERE followed = $1', [sourceUrl])
        return row![0]
      }),
    paidTo: addresses =>
      session.read(async query => {
        const payees = addresses.map(address => address.toLowerCase())
        const rows = await findEach(query, 'SELECT entry FROM services WHERE payee = $1', payees)
        return rows.map(([entry]) => toEntry(entry))
      }),
    removedSellers: hashes =>
      session.read(async query => {
        const sql = 'SELECT hash FROM removed_sellers WHERE hash = $1'
        return new Set((await findEach<[string]>(query, sql, hashes)).map(([hash]) => hash))
      }),
    putEmbeddings: embeddings =>
      session.write([], async ({ query }) => {
        await Promise.all(embeddings.map(({ id, embedding }) => query(PUT_EMBEDDING, [id, embedding])))
      }),
  }) satisfies Partial<Store>

// Results of insertions, so that a registration that is retried at any node is registered once.

/**
 * Results are kept longer than a key binds its caller: a clock that jumps a day ahead must not make a retry register twice, neither
 * while it is ahead nor after it was set back.
 */
const STORED_MS = 7 * IDEMPOTENCY_KEY_RETENTION_MS

/** Rows deleted with every new key: the table stays small, and no single call deletes those of a whole day. */
const PRUNED_AT_ONCE = 20

/**
 * The first result, if there is one. To be called inside the transaction of the insert.
 * @throws DirectoryError `idempotency_conflict`
 */
async function findResult(
  query: Query,
  { caller, key, fingerprint, at }: IdempotentRequest,
): Promise<InsertResult | undefined> {
  const [row] = await query<[string, number, Seq, string]>(
    'SELECT fingerprint, at, seq, entries FROM idempotency_keys WHERE caller = $1 AND key = $2',
    [caller, key],
  )
  if (!row) return undefined
  const [first, firstAt, seq, entries] = row
  if (first === fingerprint) return { seq, entries: JSON.parse(entries) as Entry[], repeated: true }
  if (firstAt <= at.getTime() - IDEMPOTENCY_KEY_RETENTION_MS) return undefined
  throw new DirectoryError('idempotency_conflict', say('request_key_reused'))
}

const PRUNE = `
  DELETE FROM idempotency_keys WHERE (caller, key) IN
    (SELECT caller, key FROM idempotency_keys WHERE at <= $1 ORDER BY at LIMIT ${PRUNED_AT_ONCE})`

async function saveResult(
  query: Query,
  { caller, key, fingerprint, at }: IdempotentRequest,
  { seq, entries }: InsertResult,
): Promise<void> {
  const atMs = at.getTime()
  await Promise.all([
    query(PRUNE, [atMs - STORED_MS]),
    query(
      `INSERT INTO idempotency_keys (caller, key, fingerprint, at, seq, entries) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (caller, key) DO UPDATE SET
         fingerprint = excluded.fingerprint, at = excluded.at, seq = excluded.seq, entries = excluded.entries`,
      [caller, key, fingerprint, atMs, seq, JSON.stringify(entries)],
    ),
  ])
}
