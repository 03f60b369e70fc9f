// The store on any engine, put together from its tables.
import { ignoreOutdated } from '../domain/standing/judge.ts'
import { MAX_EVIDENCE, toEvidenceSource } from '../domain/standing/judge-delivery.ts'
import { TRUST_FORMULA } from '../domain/standing/trust.ts'
import { readAccuracy } from './accuracy.ts'
import { createCollectionTable } from './collections.ts'
import { dumpTables, loadTables } from './copy.ts'
import {
  changesAfter,
  createEntryTable,
  findServices,
  replaceNow,
  servicesById,
  updateNow,
} from './entries.ts'
import { createEventLog } from './events.ts'
import { createChallengeTable, createKeyTable, createSessionTable } from './keys.ts'
import { createBudgetTable, createLeaseTable } from './leases.ts'
import { createPaymentLog } from './payment-log.ts'
import { findPaymentFacts } from './payment-sums.ts'
import {
  createProbeReads,
  createTermsTable,
  findFinding,
  insertProbe,
  judgePageAgain,
  readHistory,
  saveJudgement,
} from './probes.ts'
import { createPurchaseTable, findEvidence } from './purchases.ts'
import { createActTable, createReportTable } from './reports.ts'
import { createSchedule, findSchedule, reschedule } from './schedule.ts'
import type { Query, Session, Transaction } from './session.ts'
import { createSourceTable } from './sources.ts'
import { createSpendingTable } from './spending.ts'
import type { Judge, ProbeLog, ProbeToRecord, Seq, Store } from './store.ts'
import { ForkGuard, type TimelineReader } from './timelines.ts'
import type { CommitWatch } from './watch.ts'
import { createWebhookTable } from './webhooks.ts'
import type { WriteState } from './write-state.ts'

/** The parts that engines have in their own way. */
type EngineParts = {
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

  return {
    useFormula: () => useFormula(session),
    ...createEntryTable(session),
    async changes(since, limit) {
      const page = await session.read(async query => {
        const changes = await changesAfter(query, since, limit)
        await timelines.refresh(query)
        return changes
      })
      // Asked only after a fork: the primary may be away while a replica serves pages.
      return forks.heal((sql, values) => session.read(query => query(sql, values)), since, limit, page)
    },
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
    probes: { ...createProbeReads(session), record: createRecorder(session) },
    terms: createTermsTable(session),
    payments: createPaymentLog(session),
    keys: createKeyTable(session),
    challenges: createChallengeTable(session),
    sessions: createSessionTable(session),
    sources: createSourceTable(session),
    webhooks: createWebhookTable(session),
    reports: createReportTable(session),
    collections: createCollectionTable(session),
    spending: createSpendingTable(session),
    acts: createActTable(session),
    purchases: createPurchaseTable(session, (transaction, id, event) =>
      updateNow(transaction, [id], entry => ({ entry, events: [event] })),
    ),

    async [Symbol.asyncDispose]() {
      await watch[Symbol.asyncDispose]()
      await closing?.()
      await session[Symbol.asyncDispose]()
    },
  }
}

export const readLastSeq = async (query: Query): Promise<Seq> =>
  (await query<[Seq]>('SELECT seq FROM counter'))[0]![0]

// Judges an entry again and writes the verdict: with each probe, and when the formula of the score is another one.

/** Entries per transaction, so that other writes run in between. */
const JUDGED_AT_ONCE = 100

const createRecorder =
  (session: Session): ProbeLog['record'] =>
  (probe, judge, holder) =>
    session
      .write([probe.serviceId], transaction => record(session, transaction, probe, judge, holder))
      .catch(ignoreOutdated)

async function record(
  session: Session,
  transaction: Transaction,
  toRecord: ProbeToRecord,
  judge: Judge,
  holder: string | undefined,
): Promise<Seq | undefined> {
  const { query } = transaction
  const { serviceId } = toRecord
  const now = session.clock.now()
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

/** Recomputes every score of another formula, in pages. */
export async function useFormula(session: Session): Promise<void> {
  const [row] = await session.read(query => query<[number]>('SELECT formula FROM counter'))
  if (row![0] === TRUST_FORMULA) return
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after
    after = await session.write(undefined, async transaction => {
      const entries = await servicesById(transaction.query, from, JUDGED_AT_ONCE)
      const judged = await judgePageAgain(transaction.query, entries, session.clock.now())
      await updateNow(transaction, [...judged.keys()], ({ id }) => judged.get(id))
      return entries.at(-1)?.id
    })
  }
  await session.run(query => query(`UPDATE counter SET formula = ${TRUST_FORMULA}`))
}
