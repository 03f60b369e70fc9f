// The store on SQLite: entries and their feed. What lies beside them has files of its own.
import type { Database } from 'bun:sqlite'
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { unlessOutdated } from '../../domain/judge.ts'
import { sellerHash, sellerOf } from '../../domain/seller.ts'
import type { Entry } from '../../domain/service.ts'
import { isObjectChanged, toService } from '../../domain/views.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createRequestKeys } from '../request-keys.ts'
import { ENTRY_COLUMNS, type Row, toEntry, toRow, toTombstoneRow, type Value } from '../rows.ts'
import type {
  Change,
  Changed,
  Inserted,
  Judge,
  Known,
  ProbeLog,
  ProbeToSettle,
  RemovedBy,
  Seq,
  Store,
} from '../store.ts'
import { WriteState, writeTrial } from '../write-state.ts'
import { createBackup, isInMemory } from './backup.ts'
import { createBudgetTable } from './budgets.ts'
import { createChallengeTable } from './challenges.ts'
import { createEmbeddingTable } from './embeddings.ts'
import { createEventLog } from './events.ts'
import { createHostTable } from './hosts.ts'
import { createKeyTable } from './keys.ts'
import { createLeaseTable } from './leases.ts'
import { createOutcomeTable } from './outcomes.ts'
import { createPaymentTables, type UpdateNow } from './payments.ts'
import { FilePlace } from './place.ts'
import { createProbeTables } from './probes.ts'
import { createPurchaseTable } from './purchases.ts'
import { createReportTable } from './reports.ts'
import { createScheduleTable } from './schedule.ts'
import { rowsOf, SqliteSession } from './session.ts'
import { createSourceTable } from './sources.ts'
import { createTimelineTable } from './timelines.ts'
import { CommitWatch } from './watch.ts'
import { createWebhookTable } from './webhooks.ts'

/** With less room a commit may fail at any moment. */
const TIGHT_BYTES = 16 * 1024 * 1024

/** Takes over the connection, whose tables are up to date; it is closed with the store. */
export function createSqliteStore(
  db: Database,
  { clock, onTrouble }: { clock: Clock; onTrouble?: ((sentence: string | undefined) => void) | undefined },
): Store {
  const writes = new WriteState({
    clock,
    tryWrite: () => leases.take(...writeTrial(clock)),
    ...(!isInMemory(db) && watchFile(db)),
    onChange: onTrouble,
  })
  const session = new SqliteSession(db, { clock, writes, onCommit: () => watch.committed() })
  const leases = createLeaseTable(session)
  const services = createServicesTable(session)
  const timelines = createTimelineTable(session)
  const requestKeys = createRequestKeys(session)
  const events = createEventLog(session)
  const probeTables = createProbeTables(session)
  const scheduleTable = createScheduleTable(session, probeTables)
  const embeddings = createEmbeddingTable(session)
  const watch = new CommitWatch({ clock, lastSeq: timelines.lastSeq, onRound: () => writes.see() })

  const insertNow = (entries: readonly Entry[]): Inserted => {
    const seq = timelines.draw(entries.length)
    const dueAt = clock.now()
    for (const [index, entry] of entries.entries()) {
      const own = seq - entries.length + 1 + index
      if (entry.provenance.origin && services.unbury(entry.id)) {
        probeTables.dropProbes(entry.id)
        payments.forget(entry.id)
      }
      services.insert(own, entry)
      scheduleTable.add(entry, dueAt)
      const { createdAt: at } = entry
      events.append(entry.id, own, { type: 'registered', at, reason: null, before: null, after: null })
    }
    return { seq, entries, repeated: false }
  }

  const replaceNow = (own: Seq, row: CurrentRow, { entry, events: happened }: Changed): void => {
    if (entry.id !== row.entry.id) throw new Error('An update must not change the id of an entry.')
    services.replace(own, isObjectChanged(row.entry, entry) ? own : row.objectSeq, entry)
    for (const event of happened) events.append(entry.id, own, event)
  }

  const updateNow: UpdateNow = (ids, change) => {
    const changed: { row: CurrentRow; to: Changed }[] = []
    for (const id of new Set(ids)) {
      const row = services.find(id)
      const to = row && change(row.entry)
      if (to) changed.push({ row, to })
    }
    if (changed.length === 0) return timelines.lastSeq()
    const seq = timelines.draw(changed.length)
    for (const [index, { row, to }] of changed.entries()) {
      replaceNow(seq - changed.length + 1 + index, row, to)
      if (to.forget?.includes('probes')) probeTables.forget(row.entry.id)
      if (to.forget?.includes('payments')) payments.forget(row.entry.id)
      if (to.dueAt !== undefined) scheduleTable.beginAnew(row.entry.id, to.dueAt)
      else if (to.besidesAt) scheduleTable.probeBesides(row.entry.id, to.besidesAt)
    }
    return seq
  }
  const payments = createPaymentTables(session, { updateNow, findNow: id => services.find(id)?.entry })

  const settleNow = (given: ProbeToSettle, judge: Judge, holder: string | undefined): Seq | undefined => {
    if (holder !== undefined && !scheduleTable.isHeldBy(given.serviceId, holder)) return undefined
    const row = services.find(given.serviceId)
    if (!row) return undefined
    const probe = 'against' in given ? given.against(row.entry) : given
    if (!probeTables.keep(probe)) return undefined
    const { finding } = probeTables.findJudgement(row.entry.id)
    const facts = payments.paymentFactsOf(row.entry)
    const judged = judge(row.entry, {
      ...probeTables.historyOf(probe, clock.now()),
      payments: facts,
      finding,
    })
    const seq = timelines.draw(1)
    replaceNow(seq, row, judged)
    probeTables.saveJudgement(row.entry.id, judged)
    scheduleTable.settle(row.entry.id, judged.dueAt, holder)
    return seq
  }
  const probes: ProbeLog = {
    settle: (probe, judge, holder) =>
      session.write(() => settleNow(probe, judge, holder)).catch(unlessOutdated),
    ...probeTables.reads,
  }

  return {
    insert: (entries, once) =>
      session.write(() => {
        const first = once && requestKeys.find(once)
        if (first) return first
        const inserted = insertNow(entries)
        if (once) requestKeys.keep(once, inserted.seq, entries)
        return inserted
      }),

    update: (ids, change) => session.write(() => updateNow(ids, change)),

    remove: (id, at, reason, check) =>
      session.write(() => {
        const kept = services.find(id)
        if (!kept) return undefined
        const removal = check?.(kept.entry)
        const seq = timelines.draw(1)
        services.bury(seq, id, typeof removal === 'object' ? removal : null)
        if (removal === 'for_good') services.keepRemovedSeller(kept.entry)
        scheduleTable.drop(id)
        probeTables.dropJudgement(id)
        embeddings.drop(id)
        // The row is blank from now on: what was there is told by the event.
        const before = toService(kept.entry)
        const why = typeof reason === 'function' ? reason(kept.entry) : reason
        events.append(id, seq, { type: 'removed', at: at.toISOString(), reason: why, before, after: null })
        return seq
      }),

    find: id =>
      session.read(() => {
        const row = services.find(id)
        return row && { entry: row.entry, ...probeTables.findJudgement(id) }
      }),
    known: ids => session.read(() => services.known(ids)),
    byId: (after, limit) => session.read(() => services.byId(after, limit)),
    ofSource: (sourceUrl, after, limit) => session.read(() => services.ofSource(sourceUrl, after, limit)),
    countOfSource: sourceUrl => session.read(() => services.countOfSource(sourceUrl)),
    paidTo: addresses => session.read(() => services.paidTo(addresses)),
    removedSellers: hashes => session.read(() => services.removedSellers(hashes)),
    changes: (since, limit) =>
      session.read(() => {
        const page = services.changes(since, limit)
        timelines.refresh()
        return page
      }),
    get timelines() {
      return timelines.known
    },
    history: () => session.read(timelines.history),
    putEmbeddings: embeddings.put,
    lastSeq: () => session.read(timelines.lastSeq),
    watch: onCommit => watch.watch(onCommit),
    trouble: () => writes.trouble(),
    ...createBackup(db, session, clock),
    schedule: scheduleTable.schedule,
    leases,
    budgets: createBudgetTable(session),
    hosts: createHostTable(session),
    events: events.log,
    probes,
    terms: probeTables.terms,
    payments: payments.log,
    keys: createKeyTable(session),
    challenges: createChallengeTable(session),
    sources: createSourceTable(session),
    webhooks: createWebhookTable(session),
    reports: createReportTable(session),
    purchases: createPurchaseTable(session),
    outcomes: createOutcomeTable(session, updateNow),

    async [Symbol.asyncDispose]() {
      watch.close()
      await session[Symbol.asyncDispose]()
    },
  }
}

function watchFile(db: Database) {
  const place = new FilePlace(db)
  return {
    look: () => place.trouble(),
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

type CurrentRow = { readonly objectSeq: Seq; readonly entry: Entry }

function createServicesTable(session: SqliteSession) {
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
       SELECT CASE WHEN json_extract(before, '$.status') <> 'unverified' AND coalesce(json_extract(reason, '$.code'), '') <> 'removed_by_stranger'
         THEN json_extract(before, '$.endpoint') END FROM events
       WHERE events.service_id = services.id AND type = 'removed' ORDER BY number DESC LIMIT 1) END
     FROM services LEFT JOIN gists ON gists.service_id = services.id
     WHERE services.seq > ? ORDER BY services.seq LIMIT ?`,
  )
  const known = session.prepare(`SELECT ${columns.join(', ')}, removed_by FROM services WHERE id = ?`)
  const scope = session.prepare('UPDATE services SET removed_by = ? WHERE id = ?')
  const unbury = session.prepare(
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
    bury(seq: Seq, id: string, by: RemovedBy | null): void {
      replace.run(...withSeq(seq, seq, 1, toTombstoneRow(id)), id)
      if (by) scope.run(JSON.stringify(by), id)
    },
    /** Whether there was a tombstone of a source. */
    unbury: (id: string): boolean => unbury.run(id).changes > 0,
    keepRemovedSeller: (entry: Entry) => void insertRemovedSeller.run(sellerHash(sellerOf(entry))),
    paidTo: (addresses: readonly string[]): Entry[] =>
      addresses.flatMap(address => rowsOf(paidTo, address).map(row => toEntry(row, 3))),
    removedSellers: (hashes: readonly string[]): Set<string> =>
      new Set(hashes.filter(hash => rowsOf(findRemovedSeller, hash).length > 0)),
    known: (ids: readonly string[]): Map<string, Known> =>
      new Map(ids.flatMap(id => rowsOf(known, id).map(row => [id, toKnown(row)] as const))),
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

const BEHIND_ENTRY = 3 + ENTRY_COLUMNS.length

/** The column behind those of the entry tells who removed it. */
const toKnown = (row: Row): Known => {
  if (row[2] !== 1) return { entry: toEntry(row, 3) }
  const by = row[BEHIND_ENTRY] as string | null
  return { entry: null, removedBy: by === null ? null : (JSON.parse(by) as RemovedBy) }
}

const toChange = (row: readonly (Value | Uint8Array)[]): Change => ({
  seq: row[0] as number,
  objectSeq: row[1] as number,
  id: row[3] as string,
  entry: row[2] === 1 ? null : toEntry(row as Row, 3),
  embedding: (row[BEHIND_ENTRY] as Uint8Array | null) ?? undefined,
  endpoint: (row[BEHIND_ENTRY + 1] as string | null) ?? undefined,
})
