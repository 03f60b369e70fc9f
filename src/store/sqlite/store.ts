// The store on SQLite: entries and their feed. Each of the other tables has its own file.

import type { Database } from 'bun:sqlite'
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { EditResult } from '../../domain/listing/edit.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { isObjectChanged, toService } from '../../domain/listing/views.ts'
import { MAX_EVIDENCE, toEvidenceSource } from '../../domain/standing/delivery-evidence.ts'
import { ignoreOutdated } from '../../domain/standing/judge.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { InsertResult, Judge, ProbeLog, ProbeToRecord, Seq, Store } from '../store.ts'
import { WriteState, writeTrial } from '../write-state.ts'
import { createBackup, isInMemory } from './backup.ts'
import { createBudgetTable } from './budgets.ts'
import { createChallengeTable } from './challenges.ts'
import { createEmbeddingTable } from './embeddings.ts'
import { createEventLog } from './events.ts'
import { FileIdentity, logOf } from './file-identity.ts'
import { createHostTable } from './hosts.ts'
import { createIdempotencyKeys } from './idempotency-keys.ts'
import { createKeyTable } from './keys.ts'
import { createLeaseTable } from './leases.ts'
import { createOutcomeTable } from './outcomes.ts'
import { createPaymentTables, type UpdateNow } from './payments.ts'
import { createProbeTables } from './probes.ts'
import { createPurchaseTable } from './purchases.ts'
import { createReportTable } from './reports.ts'
import { createScheduleTable } from './schedule.ts'
import { type CurrentRow, createServicesTable } from './services.ts'
import { SqliteSession } from './session.ts'
import { createSourceTable } from './sources.ts'
import { createTimelineTable } from './timelines.ts'
import { CommitWatch } from './watch.ts'
import { createWebhookTable } from './webhooks.ts'

/** With less free disk space, a commit may fail at any moment. */
const TIGHT_BYTES = 16 * 1024 * 1024

/** Takes ownership of the connection, whose schema must be up to date. */
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
  const idempotencyKeys = createIdempotencyKeys(session)
  const events = createEventLog(session)
  const probeTables = createProbeTables(session)
  const scheduleTable = createScheduleTable(session, probeTables)
  const embeddings = createEmbeddingTable(session)
  const purchases = createPurchaseTable(session)
  const watch = new CommitWatch({
    clock,
    lastSeq: timelines.lastSeq,
    onRound: () => writes.check(),
    log: isInMemory(db) ? undefined : logOf(db),
  })

  const insertNow = (entries: readonly Entry[]): InsertResult => {
    const seq = timelines.draw(entries.length)
    const dueAt = clock.now()
    for (const [index, entry] of entries.entries()) {
      const own = seq - entries.length + 1 + index
      if (entry.provenance.origin && services.removeTombstone(entry.id)) {
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

  const replaceNow = (own: Seq, row: CurrentRow, { entry, events: newEvents }: EditResult): void => {
    if (entry.id !== row.entry.id) throw new Error('An update must not change the id of an entry.')
    services.replace(own, isObjectChanged(row.entry, entry) ? own : row.objectSeq, entry)
    for (const event of newEvents) events.append(entry.id, own, event)
  }

  const updateNow: UpdateNow = (ids, change) => {
    const changed: { row: CurrentRow; to: EditResult }[] = []
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
      if (to.dueAt !== undefined) scheduleTable.resetSchedule(row.entry.id, to.dueAt)
      else if (to.extraProbeAt) scheduleTable.addExtraProbe(row.entry.id, to.extraProbeAt)
    }
    return seq
  }
  const payments = createPaymentTables(session, { updateNow, findNow: id => services.find(id)?.entry })

  const recordNow = (toRecord: ProbeToRecord, judge: Judge, holder: string | undefined): Seq | undefined => {
    if (holder !== undefined && !scheduleTable.isHeldBy(toRecord.serviceId, holder)) return undefined
    const row = services.find(toRecord.serviceId)
    if (!row) return undefined
    const probe = 'against' in toRecord ? toRecord.against(row.entry) : toRecord
    if (!probeTables.insert(probe)) return undefined
    const { finding } = probeTables.findJudgement(row.entry.id)
    const facts = payments.paymentFactsOf(row.entry)
    const source = toEvidenceSource(row.entry, 'against' in toRecord ? toRecord.resourceUrl : undefined)
    const judged = judge(row.entry, {
      ...probeTables.historyOf(probe, clock.now()),
      payments: facts,
      purchases: purchases.evidenceNow({ ...source, limit: MAX_EVIDENCE }),
      finding,
    })
    const seq = timelines.draw(1)
    replaceNow(seq, row, judged)
    probeTables.saveJudgement(row.entry.id, judged)
    scheduleTable.reschedule(row.entry.id, judged.dueAt, holder)
    return seq
  }
  const probes: ProbeLog = {
    record: (probe, judge, holder) =>
      session.write(() => recordNow(probe, judge, holder)).catch(ignoreOutdated),
    ...probeTables.reads,
  }

  return {
    insert: (entries, idempotencyKey) =>
      session.write(() => {
        const first = idempotencyKey && idempotencyKeys.find(idempotencyKey)
        if (first) return first
        const inserted = insertNow(entries)
        if (idempotencyKey) idempotencyKeys.save(idempotencyKey, inserted.seq, entries)
        return inserted
      }),

    update: (ids, change) => session.write(() => updateNow(ids, change)),

    remove: (id, at, reason, check) =>
      session.write(() => {
        const row = services.find(id)
        if (!row) return undefined
        const removal = check?.(row.entry)
        const seq = timelines.draw(1)
        services.addTombstone(seq, id, typeof removal === 'object' ? removal : null)
        if (removal === 'for_good') services.addRemovedSeller(row.entry)
        scheduleTable.drop(id)
        probeTables.dropJudgement(id)
        embeddings.drop(id)
        // The tombstone row is blank, so the event holds the removed entry.
        const before = toService(row.entry)
        const why = typeof reason === 'function' ? reason(row.entry) : reason
        events.append(id, seq, { type: 'removed', at: at.toISOString(), reason: why, before, after: null })
        return seq
      }),

    find: id =>
      session.read(() => {
        const row = services.find(id)
        return row && { entry: row.entry, ...probeTables.findJudgement(id) }
      }),
    lookUp: ids => session.read(() => services.lookUp(ids)),
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
    purchases: purchases.table,
    outcomes: createOutcomeTable(session, updateNow),

    async [Symbol.asyncDispose]() {
      watch.close()
      await session[Symbol.asyncDispose]()
    },
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
