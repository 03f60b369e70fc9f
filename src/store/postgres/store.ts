// The store on PostgreSQL: entries and their feed. Each of the other tables has its own file.

import type { EditResult } from '../../domain/listing/edit.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { isObjectChanged, toService } from '../../domain/listing/views.ts'
import { ignoreOutdated } from '../../domain/standing/judge.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { InsertResult, ProbeLog, Seq, Store, StoredEntry } from '../store.ts'
import { WriteState, writeTrial } from '../write-state.ts'
import type { PostgresAddress } from './address.ts'
import { createBackup } from './backup.ts'
import { createBudgetTable } from './budgets.ts'
import type { Capabilities } from './capabilities.ts'
import { createChallengeTable } from './challenges.ts'
import { putEmbeddings } from './embeddings.ts'
import { appendEvents, createEventLog, type NewEvent } from './events.ts'
import { ForkGuard } from './forks.ts'
import type { Transaction } from './group-commit.ts'
import { createHostTable } from './hosts.ts'
import { findResult, saveResult } from './idempotency-keys.ts'
import { createKeyTable } from './keys.ts'
import { createLeaseTable, takeWithWrites } from './leases.ts'
import type { Query } from './link.ts'
import { createOutcomeTable } from './outcomes.ts'
import { forgetPayments } from './payment-sums.ts'
import { createPaymentLog } from './payments.ts'
import {
  createProbeReads,
  dropJudgement,
  forgetProbes,
  insertProbe,
  readHistory,
  saveJudgement,
  toJudgement,
} from './probes.ts'
import { createPurchaseTable } from './purchases.ts'
import { createReportTable } from './reports.ts'
import { createSchedule } from './schedule.ts'
import { addExtraProbe, addToSchedule, resetSchedule } from './schedule-writes.ts'
import {
  addRemovedSeller,
  addTombstone,
  changesAfter,
  countOfSource,
  findServices,
  insertServices,
  lookUpServices,
  removedSellers,
  removeTombstones,
  type ServiceRow,
  servicesById,
  servicesOfSource,
  servicesPaidTo,
  writeServices,
} from './services.ts'
import { PostgresSession } from './session.ts'
import { createSourceTable } from './sources.ts'
import { createTermsTable } from './terms.ts'
import { TimelineReader } from './timelines.ts'
import { PostgresWatch } from './watch.ts'
import { createWebhookTable } from './webhooks.ts'

/** The tables must be up to date. */
export function createPostgresStore(
  address: PostgresAddress,
  {
    capabilities,
    clock,
    replica,
    readers,
    onLacking,
    onTrouble,
  }: {
    readonly capabilities: Capabilities
    readonly clock: Clock
    readonly replica?: PostgresAddress | undefined
    readonly readers?: number | undefined
    readonly onLacking: (sentence: string) => void
    readonly onTrouble?: ((sentence: string | undefined) => void) | undefined
  },
): Store {
  const writes = new WriteState({
    clock,
    tryWrite: () => takeWithWrites(session, ...writeTrial(clock)),
    onChange: onTrouble,
  })
  const session = new PostgresSession({
    address,
    capabilities,
    clock,
    replica,
    readers,
    writes,
    onCommit: seq => watch.reached(seq),
  })
  const lastSeq = () => session.run(async query => (await query('SELECT seq FROM counter'))[0]![0] as number)
  const forks = new ForkGuard()
  const timelines = new TimelineReader()
  const leases = createLeaseTable(session)
  const watch = new PostgresWatch({ address, capabilities, clock, lastSeq, onLacking })

  const insertNow = async (transaction: Transaction, entries: readonly Entry[]): Promise<InsertResult> => {
    const seq = transaction.draw(entries.length)
    const rows = entries.map((entry, index) => ({ seq: seq - entries.length + 1 + index, entry }))
    const due = entries.filter(({ sample }) => !sample).map(({ id }) => id)
    const followed = entries.filter(({ provenance }) => provenance.origin).map(({ id }) => id)
    if (followed.length > 0) await removeTombstones(transaction.query, followed)
    await Promise.all([
      insertServices(transaction.query, rows),
      addToSchedule(transaction.query, due, clock.now()),
      appendEvents(transaction, rows.map(toRegistered)),
    ])
    return { seq, entries, repeated: false }
  }

  return {
    insert: (entries, idempotencyKey) =>
      session.write(
        idempotencyKey ? [`${idempotencyKey.caller} ${idempotencyKey.key}`] : [],
        async transaction => {
          const first = idempotencyKey && (await findResult(transaction, idempotencyKey))
          if (first) return first
          const inserted = await insertNow(transaction, entries)
          if (idempotencyKey) await saveResult(transaction, idempotencyKey, inserted.seq, entries)
          return inserted
        },
      ),

    update: (ids, change) => session.write(ids, transaction => updateNow(transaction, ids, change)),

    remove: (id, at, reason, check) =>
      session.write([id], async transaction => {
        const { query } = transaction
        const [row] = await findServices(query, [id])
        if (!row) return undefined
        const removal = check?.(row.entry)
        const seq = transaction.draw(1)
        // The tombstone row is blank, so the event holds the removed entry.
        const before = toService(row.entry)
        const why = typeof reason === 'function' ? reason(row.entry) : reason
        const event = { type: 'removed', at: at.toISOString(), reason: why, before, after: null } as const
        await Promise.all([
          addTombstone(query, seq, id, typeof removal === 'object' ? removal : null),
          ...(removal === 'for_good' ? [addRemovedSeller(query, row.entry)] : []),
          query('DELETE FROM probe_schedule WHERE service_id = $1', [id]),
          dropJudgement(query, id),
          query('DELETE FROM gists WHERE service_id = $1', [id]),
          appendEvents(transaction, [{ serviceId: id, seq, event }]),
        ])
        return seq
      }),

    find: id =>
      session.run(async query => {
        const [row] = await query(
          `SELECT entry, facts, finding FROM services LEFT JOIN judgements ON service_id = id
           WHERE id = $1 AND entry IS NOT NULL`,
          [id],
        )
        return row && ({ entry: row[0] as Entry, ...toJudgement(row[1], row[2]) } satisfies StoredEntry)
      }),
    lookUp: ids => session.run(query => lookUpServices(query, ids)),
    byId: (after, limit) => session.run(query => servicesById(query, after, limit)),
    ofSource: (sourceUrl, after, limit) =>
      session.run(query => servicesOfSource(query, sourceUrl, after, limit)),
    countOfSource: sourceUrl => session.run(query => countOfSource(query, sourceUrl)),
    paidTo: addresses => session.run(query => servicesPaidTo(query, addresses)),
    removedSellers: hashes => session.run(query => removedSellers(query, hashes)),
    async changes(since, limit) {
      const page = await session.readFeed(limit, async query => {
        const [changes] = await Promise.all([changesAfter(query, since, limit), timelines.refresh(query)])
        return changes
      })
      return forks.heal((text, values) => session.run(query => query(text, values)), since, limit, page)
    },
    get timelines() {
      return timelines.known
    },
    history: () => session.run(query => timelines.history(query)),
    putEmbeddings: embeddings => session.run(query => putEmbeddings(query, embeddings)),
    lastSeq,
    watch: onCommit => watch.watch(onCommit),
    trouble: () => writes.trouble(),
    ...createBackup(address, capabilities, clock),
    schedule: createSchedule(session),
    leases,
    budgets: createBudgetTable(session),
    hosts: createHostTable(session),
    events: createEventLog(session),
    probes: createProbeLog(session, clock),
    terms: createTermsTable(session),
    payments: createPaymentLog(session, updateNow),
    keys: createKeyTable(session),
    challenges: createChallengeTable(session),
    sources: createSourceTable(session),
    webhooks: createWebhookTable(session),
    reports: createReportTable(session),
    purchases: createPurchaseTable(session),
    outcomes: createOutcomeTable(session, updateNow),

    async [Symbol.asyncDispose]() {
      await Promise.all([watch[Symbol.asyncDispose](), session[Symbol.asyncDispose]()])
    },
  }
}

const createProbeLog = (session: PostgresSession, clock: Clock): ProbeLog => ({
  ...createProbeReads(session),
  record: (toRecord, judge, holder) => {
    const recordNow = async (transaction: Transaction): Promise<Seq | undefined> => {
      const { query } = transaction
      const now = clock.now()
      const resourceUrl = 'against' in toRecord ? toRecord.resourceUrl : undefined
      const [current] = 'against' in toRecord ? await findServices(query, [toRecord.serviceId]) : []
      const probe = 'against' in toRecord ? current && toRecord.against(current.entry) : toRecord
      if (!probe) return undefined
      const [isInserted, found] = await Promise.all([
        insertProbe(query, probe, holder),
        readHistory(query, probe, { now, resourceUrl }),
      ])
      if (!isInserted || !found) return undefined
      const { row, history } = found
      const judged = judge(row.entry, history)
      const seq = transaction.draw(1)
      await Promise.all([
        replaceNow(transaction, [{ seq, row, to: judged }]),
        saveJudgement(query, row.entry.id, judged, { now, holder }),
      ])
      return seq
    }
    return session.write([toRecord.serviceId], recordNow).catch(ignoreOutdated)
  },
})

type Replacement = { readonly seq: Seq; readonly row: ServiceRow; readonly to: EditResult }

async function updateNow(
  transaction: Transaction,
  ids: readonly string[],
  change: (entry: Entry) => EditResult | undefined,
): Promise<Seq> {
  const rows = await findServices(transaction.query, [...new Set(ids)])
  const changed = rows.flatMap(row => {
    const to = change(row.entry)
    return to ? [{ row, to }] : []
  })
  if (changed.length === 0) return transaction.lastSeq
  const seq = transaction.draw(changed.length)
  const first = seq - changed.length + 1
  await Promise.all([
    replaceNow(
      transaction,
      changed.map((each, index) => ({ seq: first + index, ...each })),
    ),
    ...changed.map(({ to }) => writeRelated(transaction.query, to)),
  ])
  return seq
}

async function writeRelated(
  query: Query,
  { entry: { id }, forget = [], dueAt, extraProbeAt }: EditResult,
): Promise<void> {
  await Promise.all([
    forget.includes('probes') && forgetProbes(query, id),
    forget.includes('payments') && forgetPayments(query, id),
    dueAt !== undefined
      ? resetSchedule(query, id, dueAt)
      : extraProbeAt !== undefined && addExtraProbe(query, id, extraProbeAt),
  ])
}

async function replaceNow(transaction: Transaction, replacements: readonly Replacement[]): Promise<void> {
  const rows = replacements.map(({ seq, row, to: { entry } }) => {
    if (entry.id !== row.entry.id) throw new Error('An update must not change the id of an entry.')
    return { seq, objectSeq: isObjectChanged(row.entry, entry) ? seq : row.objectSeq, entry }
  })
  const newEvents = replacements.flatMap(({ seq, row, to }) =>
    to.events.map((event): NewEvent => ({ serviceId: row.entry.id, seq, event })),
  )
  await Promise.all([writeServices(transaction.query, rows), appendEvents(transaction, newEvents)])
}

const toRegistered = ({ seq, entry }: { seq: Seq; entry: Entry }): NewEvent => ({
  serviceId: entry.id,
  seq,
  event: { type: 'registered', at: entry.createdAt, reason: null, before: null, after: null },
})
