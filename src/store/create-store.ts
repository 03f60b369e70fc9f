// The store on any engine: entries and their feed. The other tables have files of their own.
import { type EditResult, hideEntry } from '../domain/listing/edit.ts'
import { type Entry, isObjectChanged, toService } from '../domain/listing/service.ts'
import { type Collected, findCollected } from '../domain/operating.ts'
import { ignoreOutdated } from '../domain/standing/judge.ts'
import { MAX_EVIDENCE, toEvidenceSource } from '../domain/standing/judge-delivery.ts'
import { TRUST_FORMULA } from '../domain/standing/trust.ts'
import type { Message } from '../messages/message.ts'
import { readAccuracy } from './accuracy.ts'
import { dumpTables, loadTables } from './copy.ts'
import { appendEvents, createEventLog, type NewEvent } from './events.ts'
import { findResult, saveResult } from './idempotency-keys.ts'
import { createChallengeTable, createKeyTable, createSessionTable } from './keys.ts'
import { createBudgetTable, createLeaseTable } from './leases.ts'
import { createActTable, createCollectionTable, listHidden } from './operating.ts'
import { createPaymentLog } from './payment-log.ts'
import { findPaymentFacts, forgetPayments } from './payment-sums.ts'
import {
  createProbeReads,
  createTermsTable,
  dropJudgement,
  dropProbes,
  findFinding,
  findStored,
  forgetProbes,
  insertProbe,
  judgePageAgain,
  readHistory,
  saveJudgement,
} from './probes.ts'
import { createPurchaseTable, findEvidence } from './purchases.ts'
import { createReportTable } from './reports.ts'
import {
  addExtraProbe,
  addToSchedule,
  createSchedule,
  dropSchedule,
  findSchedule,
  reschedule,
  resetSchedule,
} from './schedule.ts'
import {
  addRemovedSeller,
  addTombstone,
  type CurrentRow,
  changesAfter,
  countOfSource,
  findServices,
  insertServices,
  lookUpServices,
  putEmbeddings,
  removedSellers,
  removeTombstones,
  replaceServices,
  servicesById,
  servicesOfSource,
  servicesPaidTo,
} from './services.ts'
import type { Query, Session, Transaction, UpdateNow } from './session.ts'
import { createSourceTable } from './sources.ts'
import { createSpendingTable } from './spending.ts'
import type { InsertResult, Judge, ProbeToRecord, Removal, RemovalReason, Seq, Store } from './store.ts'
import { ForkGuard, type TimelineReader } from './timelines.ts'
import type { CommitWatch } from './watch.ts'
import { createWebhookTable } from './webhooks.ts'
import type { WriteState } from './write-state.ts'

/** The parts that engines have in their own way. */
export type EngineParts = {
  readonly session: Session
  readonly timelines: TimelineReader
  readonly writes: WriteState
  readonly watch: CommitWatch
  readonly backup: Store['backup']
  /** Called between the end of the watch and that of the session. */
  readonly closing?: () => Promise<void>
}

/** The tables must be up to date. */
export function createStore({ session, timelines, writes, watch, backup, closing }: EngineParts): Store {
  const forks = new ForkGuard()
  const { clock } = session

  const insertNow = async (transaction: Transaction, given: readonly Entry[]): Promise<InsertResult> => {
    const { query } = transaction
    const rules = await listHidden(query)
    const entries = given.map(entry => {
      const rule = findCollected(rules, entry)
      return rule ? { ...entry, hidden: { at: clock.now().toISOString(), why: rule.why } } : entry
    })
    const seq = transaction.draw(entries.length)
    const rows = entries.map((entry, index) => {
      const own = seq - entries.length + 1 + index
      return { seq: own, objectSeq: own, entry }
    })
    const shown = rows.filter(({ entry }) => !entry.hidden)
    const followed = entries.filter(({ provenance }) => provenance.origin).map(({ id }) => id)
    const replaced = await removeTombstones(query, followed)
    await Promise.all(replaced.flatMap(id => [dropProbes(query, id), forgetPayments(query, id)]))
    await Promise.all([
      insertServices(query, rows),
      addToSchedule(
        query,
        shown.map(({ entry }) => entry),
        clock.now(),
      ),
      appendEvents(transaction, shown.map(toRegistered)),
    ])
    return { seq, entries, repeated: false }
  }

  const removeNow = async (
    transaction: Transaction,
    id: string,
    at: Date,
    reason: RemovalReason,
    check?: (entry: Entry) => Removal,
  ): Promise<Seq | undefined> => {
    const { query } = transaction
    const [row] = await findServices(query, [id])
    if (!row) return undefined
    const { entry } = row
    const removal = check?.(entry)
    const seq = transaction.draw(1)
    const why = typeof reason === 'function' ? reason(entry) : reason
    // The tombstone is blank, so the event holds the removed entry.
    const before = toService(entry)
    const event = { type: 'removed', at: at.toISOString(), reason: why, before, after: null } as const
    const by = typeof removal === 'object' ? removal : null
    await Promise.all([
      addTombstone(query, { seq, id, by, endpoint: warnsOf(entry, why) ? entry.endpoint : null }),
      removal === 'for_good' && addRemovedSeller(query, entry),
      dropSchedule(query, id),
      dropJudgement(query, id),
      appendEvents(transaction, [{ serviceId: id, seq, event }]),
    ])
    return seq
  }

  const recordNow = async (
    transaction: Transaction,
    toRecord: ProbeToRecord,
    judge: Judge,
    holder: string | undefined,
  ): Promise<Seq | undefined> => {
    const { query } = transaction
    const { serviceId } = toRecord
    const now = clock.now()
    const [[row], schedule, finding] = await Promise.all([
      findServices(query, [serviceId]),
      findSchedule(query, serviceId),
      findFinding(query, serviceId),
    ])
    if (!row || (holder !== undefined && schedule?.lease !== holder)) return undefined
    const { entry } = row
    const probe = 'against' in toRecord ? toRecord.against(entry) : toRecord
    if (!(await insertProbe(query, probe))) return undefined
    const source = toEvidenceSource(entry)
    const [history, payments, purchases] = await Promise.all([
      readHistory(query, probe, now),
      findPaymentFacts(query, entry, now),
      findEvidence(query, { ...source, of: 'operator', limit: MAX_EVIDENCE }),
    ])
    const judged = judge(entry, { ...history, payments, purchases, finding })
    const seq = transaction.draw(1)
    await Promise.all([
      replaceNow(transaction, [{ seq, row, to: judged }]),
      saveJudgement(query, serviceId, judged),
      reschedule(query, entry, schedule, { dueAt: judged.dueAt, now, holder }),
    ])
    return seq
  }

  const judgePage = (after: string): Promise<string | undefined> =>
    session.write(undefined, async transaction => {
      const entries = await servicesById(transaction.query, after, JUDGED_AT_ONCE)
      const judged = await judgePageAgain(transaction.query, entries, clock.now())
      await updateNow(transaction, [...judged.keys()], ({ id }) => judged.get(id))
      return entries.at(-1)?.id
    })

  const useFormula = async (): Promise<void> => {
    const [row] = await session.read(query => query<[number]>('SELECT formula FROM counter'))
    if (row![0] === TRUST_FORMULA) return
    for (let after: string | undefined = ''; after !== undefined; ) after = await judgePage(after)
    await session.run(query => query(`UPDATE counter SET formula = ${TRUST_FORMULA}`))
  }

  return {
    useFormula,
    insert: (entries, idempotencyKey) =>
      session.write(
        idempotencyKey ? [`${idempotencyKey.caller} ${idempotencyKey.key}`] : [],
        async transaction => {
          const { query } = transaction
          const first = idempotencyKey && (await findResult(query, idempotencyKey))
          if (first) return first
          const inserted = await insertNow(transaction, entries)
          if (idempotencyKey) await saveResult(query, idempotencyKey, inserted.seq, entries)
          return inserted
        },
      ),
    update: (ids, change) => session.write(ids, transaction => updateNow(transaction, ids, change)),
    remove: (id, at, reason, check) =>
      session.write([id], transaction => removeNow(transaction, id, at, reason, check)),
    find: id => session.read(query => findStored(query, id)),
    lookUp: ids => session.read(query => lookUpServices(query, ids)),
    byId: (after, limit) => session.read(query => servicesById(query, after, limit)),
    ofSource: (sourceUrl, after, limit) =>
      session.read(query => servicesOfSource(query, sourceUrl, after, limit)),
    countOfSource: sourceUrl => session.read(query => countOfSource(query, sourceUrl)),
    paidTo: addresses => session.read(query => servicesPaidTo(query, addresses)),
    removedSellers: hashes => session.read(query => removedSellers(query, hashes)),
    async changes(since, limit) {
      const page = await session.read(async query => {
        const changes = await changesAfter(query, since, limit)
        await timelines.refresh(query)
        return changes
      })
      // Asked only after a fork: the primary may be away while a replica serves pages.
      return forks.heal((sql, values) => session.read(query => query(sql, values)), since, limit, page)
    },
    putEmbeddings: embeddings => session.write([], ({ query }) => putEmbeddings(query, embeddings)),
    get timelines() {
      return timelines.known
    },
    history: () => session.read(query => timelines.history(query)),
    lastSeq: () => session.read(readLastSeq),
    accuracy: period => session.read(query => readAccuracy(query, period)),
    watch: onCommit => watch.watch(onCommit),
    trouble: () => writes.trouble(),
    backup,
    dump: onCount => session.snapshot(query => dumpTables(query, onCount)),
    load: tables => session.fill(query => loadTables(query, tables)),
    schedule: createSchedule(session),
    leases: createLeaseTable(session),
    budgets: createBudgetTable(session),
    events: createEventLog(session),
    probes: {
      ...createProbeReads(session),
      record: (probe, judge, holder) =>
        session
          .write([probe.serviceId], transaction => recordNow(transaction, probe, judge, holder))
          .catch(ignoreOutdated),
    },
    terms: createTermsTable(session),
    payments: createPaymentLog(session, updateNow),
    keys: createKeyTable(session),
    challenges: createChallengeTable(session),
    sessions: createSessionTable(session),
    sources: createSourceTable(session),
    webhooks: createWebhookTable(session),
    reports: createReportTable(session),
    collections: createCollectionTable(session),
    spending: createSpendingTable(session),
    acts: createActTable(session),
    purchases: createPurchaseTable(session, updateNow),

    async [Symbol.asyncDispose]() {
      await watch[Symbol.asyncDispose]()
      await closing?.()
      await session[Symbol.asyncDispose]()
    },
  }
}

export const readLastSeq = async (query: Query): Promise<Seq> =>
  (await query<[Seq]>('SELECT seq FROM counter'))[0]![0]

/** Entries per transaction, so that other writes run in between. */
const JUDGED_AT_ONCE = 100

/** Removals that withdraw a listing and say nothing about the endpoint itself. */
const WITHDRAWALS: ReadonlySet<string> = new Set([
  'removed_by_stranger',
  'removed_unasked',
  'removed_by_source',
] satisfies Message['code'][])

const warnsOf = ({ standing }: Entry, reason: Message | null): boolean =>
  standing.status !== 'unverified' && !WITHDRAWALS.has(reason?.code ?? '')

type Replacement = { readonly seq: Seq; readonly row: CurrentRow; readonly to: EditResult }

const updateNow: UpdateNow = async (transaction, ids, change) => {
  const { query } = transaction
  const rows = await findServices(query, [...new Set(ids)])
  const changed = rows.flatMap(row => {
    const to = change(row.entry)
    return to ? [{ row, to }] : []
  })
  if (changed.length === 0) return transaction.lastSeq
  const rules = changed.some(isMoved) ? await listHidden(query) : []
  const seq = transaction.draw(changed.length)
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

const isMoved = ({ row, to }: Changed): boolean =>
  row.entry.endpoint !== to.entry.endpoint ||
  row.entry.x402Config.paymentAddress !== to.entry.x402Config.paymentAddress

/** An entry must not escape the operator's list by a move, nor come to what is on it unseen. */
function hideMoved(rules: readonly Collected[], changed: Changed): EditResult {
  const { to } = changed
  const rule = isMoved(changed) && !to.entry.hidden ? findCollected(rules, to.entry) : undefined
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

async function replaceNow(transaction: Transaction, replacements: readonly Replacement[]): Promise<void> {
  const rows = replacements.map(({ seq, row, to: { entry } }) => {
    if (entry.id !== row.entry.id) throw new Error('An update must not change the id of an entry.')
    return { seq, objectSeq: isObjectChanged(row.entry, entry) ? seq : row.objectSeq, entry }
  })
  const newEvents = replacements.flatMap(({ seq, row, to }) =>
    to.events.map((event): NewEvent => ({ serviceId: row.entry.id, seq, event })),
  )
  await Promise.all([replaceServices(transaction.query, rows), appendEvents(transaction, newEvents)])
}

const toRegistered = ({ seq, entry }: { seq: Seq; entry: Entry }): NewEvent => ({
  serviceId: entry.id,
  seq,
  event: { type: 'registered', at: entry.createdAt, reason: null, before: null, after: null },
})
