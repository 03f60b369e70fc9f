// The store on PostgreSQL: entries and their feed. What lies beside them has files of its own.

import { unlessOutdated } from '../../domain/judge.ts'
import type { Entry } from '../../domain/service.ts'
import { isObjectChanged, toService } from '../../domain/views.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Changed, Inserted, Kept, ProbeLog, Seq, Store } from '../store.ts'
import { WriteState, writeTrial } from '../write-state.ts'
import type { PostgresAddress } from './address.ts'
import { createBackup } from './backup.ts'
import { createBudgetTable } from './budgets.ts'
import type { Capabilities } from './capabilities.ts'
import { createCensusTable } from './census.ts'
import { createChallengeTable } from './challenges.ts'
import { putEmbeddings } from './embeddings.ts'
import { appendEvents, createEventLog, type Happened } from './events.ts'
import { ForkGuard } from './forks.ts'
import type { Transaction } from './group-commit.ts'
import { createHostTable } from './hosts.ts'
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
  keepProbe,
  readMeasured,
  saveJudgement,
  toJudgement,
} from './probes.ts'
import { createPurchaseTable } from './purchases.ts'
import { createReportTable } from './reports.ts'
import { findAnswer, keepAnswer } from './request-keys.ts'
import { createSchedule } from './schedule.ts'
import { addExtraProbe, addToSchedule, beginAnew } from './schedule-writes.ts'
import {
  addTombstone,
  changesAfter,
  countOfSource,
  findServices,
  insertServices,
  keepRemovedSeller,
  knownServices,
  removedSellers,
  removeTombstones,
  type ServiceRow,
  servicesById,
  servicesOfSource,
  servicesPaidTo,
  writeServices,
} from './services.ts'
import { PostgresSession } from './session.ts'
import { createSnapshotStore } from './snapshots.ts'
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

  const insertNow = async (transaction: Transaction, entries: readonly Entry[]): Promise<Inserted> => {
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
    insert: (entries, once) =>
      session.write(once ? [`${once.caller} ${once.key}`] : [], async transaction => {
        const first = once && (await findAnswer(transaction, once))
        if (first) return first
        const inserted = await insertNow(transaction, entries)
        if (once) await keepAnswer(transaction, once, inserted.seq, entries)
        return inserted
      }),

    update: (ids, change) => session.write(ids, transaction => updateNow(transaction, ids, change)),

    remove: (id, at, reason, check) =>
      session.write([id], async transaction => {
        const { query } = transaction
        const [kept] = await findServices(query, [id])
        if (!kept) return undefined
        const removal = check?.(kept.entry)
        const seq = transaction.draw(1)
        // The row is blank from now on: what was there is told by the event.
        const before = toService(kept.entry)
        const why = typeof reason === 'function' ? reason(kept.entry) : reason
        const event = { type: 'removed', at: at.toISOString(), reason: why, before, after: null } as const
        await Promise.all([
          addTombstone(query, seq, id, typeof removal === 'object' ? removal : null),
          ...(removal === 'for_good' ? [keepRemovedSeller(query, kept.entry)] : []),
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
        return row && ({ entry: row[0] as Entry, ...toJudgement(row[1], row[2]) } satisfies Kept)
      }),
    known: ids => session.run(query => knownServices(query, ids)),
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
    census: createCensusTable(session),
    purchases: createPurchaseTable(session),
    outcomes: createOutcomeTable(session, updateNow),
    snapshots: createSnapshotStore(session, leases),

    async [Symbol.asyncDispose]() {
      await Promise.all([watch[Symbol.asyncDispose](), session[Symbol.asyncDispose]()])
    },
  }
}

const createProbeLog = (session: PostgresSession, clock: Clock): ProbeLog => ({
  ...createProbeReads(session),
  record: (given, judge, holder) => {
    const recordNow = async (transaction: Transaction): Promise<Seq | undefined> => {
      const { query } = transaction
      const now = clock.now()
      const resourceUrl = 'against' in given ? given.resourceUrl : undefined
      const [present] = 'against' in given ? await findServices(query, [given.serviceId]) : []
      const probe = 'against' in given ? present && given.against(present.entry) : given
      if (!probe) return undefined
      const [isKept, measured] = await Promise.all([
        keepProbe(query, probe, holder),
        readMeasured(query, probe, { now, resourceUrl }),
      ])
      if (!isKept || !measured) return undefined
      const { row, history } = measured
      const judged = judge(row.entry, history)
      const seq = transaction.draw(1)
      await Promise.all([
        replaceNow(transaction, [{ seq, row, to: judged }]),
        saveJudgement(query, row.entry.id, judged, { now, holder }),
      ])
      return seq
    }
    return session.write([given.serviceId], recordNow).catch(unlessOutdated)
  },
})

type Replacement = { readonly seq: Seq; readonly row: ServiceRow; readonly to: Changed }

async function updateNow(
  transaction: Transaction,
  ids: readonly string[],
  change: (entry: Entry) => Changed | undefined,
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
    ...changed.map(({ to }) => writeBeside(transaction.query, to)),
  ])
  return seq
}

async function writeBeside(
  query: Query,
  { entry: { id }, forget = [], dueAt, extraProbeAt }: Changed,
): Promise<void> {
  await Promise.all([
    forget.includes('probes') && forgetProbes(query, id),
    forget.includes('payments') && forgetPayments(query, id),
    dueAt !== undefined
      ? beginAnew(query, id, dueAt)
      : extraProbeAt !== undefined && addExtraProbe(query, id, extraProbeAt),
  ])
}

async function replaceNow(transaction: Transaction, replacements: readonly Replacement[]): Promise<void> {
  const rows = replacements.map(({ seq, row, to: { entry } }) => {
    if (entry.id !== row.entry.id) throw new Error('An update must not change the id of an entry.')
    return { seq, objectSeq: isObjectChanged(row.entry, entry) ? seq : row.objectSeq, entry }
  })
  const happened = replacements.flatMap(({ seq, row, to }) =>
    to.events.map((event): Happened => ({ serviceId: row.entry.id, seq, event })),
  )
  await Promise.all([writeServices(transaction.query, rows), appendEvents(transaction, happened)])
}

const toRegistered = ({ seq, entry }: { seq: Seq; entry: Entry }): Happened => ({
  serviceId: entry.id,
  seq,
  event: { type: 'registered', at: entry.createdAt, reason: null, before: null, after: null },
})
