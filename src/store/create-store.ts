// The store on any engine, put together from its tables.
import { readAccuracy } from './accuracy.ts'
import { createCollectionTable } from './collections.ts'
import { dumpTables, loadTables } from './copy.ts'
import { changesAfter, createEntryTable, updateNow } from './entries.ts'
import { createEventLog } from './events.ts'
import { createRecorder, useFormula } from './judgements.ts'
import { createChallengeTable, createKeyTable, createSessionTable } from './keys.ts'
import { createBudgetTable, createLeaseTable } from './leases.ts'
import { createPaymentLog } from './payment-log.ts'
import { createProbeReads, createTermsTable } from './probes.ts'
import { createPurchaseTable } from './purchases.ts'
import { createActTable, createReportTable } from './reports.ts'
import { createSchedule } from './schedule.ts'
import type { Query, Session } from './session.ts'
import { createSourceTable } from './sources.ts'
import { createSpendingTable } from './spending.ts'
import type { Seq, Store } from './store.ts'
import type { TimelineReader } from './timelines.ts'
import type { CommitWatch, WriteState } from './watch.ts'
import { createWebhookTable } from './webhooks.ts'

/** What engines do in their own way. */
type EngineDeps = {
  readonly session: Session
  readonly timelines: TimelineReader
  readonly writes: WriteState
  readonly watch: CommitWatch
  readonly backup: Store['backup']
  /** Called between the end of the watch and that of the session. */
  readonly closing?: () => Promise<void>
}

/** The tables must be up to date. */
export function createStore({ session, timelines, writes, watch, backup, closing }: EngineDeps): Store {
  return {
    useFormula: () => useFormula(session),
    ...createEntryTable(session),
    changes: (since, limit) =>
      session.read(async query => {
        const changes = await changesAfter(query, since, limit)
        await timelines.refresh(query)
        return changes
      }),
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
