// Judgements: an entry is judged, and what follows is written, with each probe, and again when the formula of the score is another one.
import type { EditResult } from '../domain/listing/edit.ts'
import type { Entry } from '../domain/listing/service.ts'
import { type Judgement, judgeAgain } from '../domain/standing/judge.ts'
import { MAX_EVIDENCE, toEvidenceSource } from '../domain/standing/judge-delivery.ts'
import { TRUST_FORMULA } from '../domain/standing/trust.ts'
import type { StoredTerms } from '../domain/terms/terms.ts'
import { dayOf } from '../domain/time.ts'
import { findServices, replaceNow, servicesById, updateNow } from './entries.ts'
import { findPaymentFacts } from './payment-sums.ts'
import { findFinding, insertProbe, readHistory, readSums } from './probes.ts'
import { findEvidence } from './purchases.ts'
import { findSchedule, reschedule } from './schedule.ts'
import { fromJson, type Query, type Session, type Transaction } from './session.ts'
import type { MeasuredProbe, ProbeLog, Seq } from './store.ts'

export const createRecorder =
  (session: Session): ProbeLog['record'] =>
  (serviceId, measure, holder) =>
    session.write([serviceId], transaction => record(session, transaction, serviceId, measure, holder))

async function record(
  session: Session,
  transaction: Transaction,
  serviceId: string,
  measure: (entry: Entry) => MeasuredProbe | undefined,
  holder: string | undefined,
): Promise<Seq | undefined> {
  const { query } = transaction
  const now = session.clock.now()
  const [[row], schedule, finding] = await Promise.all([
    findServices(query, [serviceId]),
    findSchedule(query, serviceId),
    findFinding(query, serviceId),
  ])
  if (!row || (holder !== undefined && schedule?.lease !== holder)) return undefined
  const { entry } = row
  const measured = measure(entry)
  if (!measured || !(await insertProbe(query, measured.probe))) return undefined
  const source = toEvidenceSource(entry)
  const [history, payments, purchases] = await Promise.all([
    readHistory(query, measured.probe, now),
    findPaymentFacts(query, entry, now),
    findEvidence(query, { ...source, of: 'operator', limit: MAX_EVIDENCE }),
  ])
  const judged = measured.judge({ ...history, payments, purchases, finding })
  const seq = transaction.takeSeqs(1)
  await Promise.all([
    replaceNow(transaction, [{ seq, row, to: judged }]),
    saveJudgement(query, serviceId, judged),
    reschedule(query, entry, schedule, { dueAt: judged.dueAt, now, holder }),
  ])
  return seq
}

/** Inside the caller's transaction. */
async function saveJudgement(
  query: Query,
  serviceId: string,
  { facts, finding, terms }: Judgement,
): Promise<void> {
  await Promise.all([
    query(
      `INSERT INTO judgements (service_id, facts, finding) VALUES ($1, $2, $3)
       ON CONFLICT (service_id) DO UPDATE SET facts = excluded.facts, finding = excluded.finding`,
      [serviceId, JSON.stringify(facts), JSON.stringify(finding)],
    ),
    terms && saveTerms(query, serviceId, terms.stored, terms.isChanged),
  ])
}

/** One row per service, rewritten only if the terms changed. */
async function saveTerms(
  query: Query,
  serviceId: string,
  { seenAt, ...terms }: StoredTerms,
  isChanged: boolean,
): Promise<void> {
  if (!isChanged) {
    const { count } = await query('UPDATE terms SET seen_at = $2 WHERE service_id = $1', [serviceId, seenAt])
    if (count > 0) return
  }
  await query(
    `INSERT INTO terms (service_id, seen_at, terms) VALUES ($1, $2, $3)
     ON CONFLICT (service_id) DO UPDATE SET seen_at = excluded.seen_at, terms = excluded.terms`,
    [serviceId, seenAt, JSON.stringify(terms)],
  )
}

/** Entries per transaction, so that other writes run in between. */
const JUDGED_AT_ONCE = 100

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

/** Inside the caller's transaction: every entry of the page by the present formula. Samples have no facts. */
async function judgePageAgain(
  query: Query,
  entries: readonly Entry[],
  now: Date,
): Promise<ReadonlyMap<string, EditResult>> {
  const judged = entries
    .filter(({ sample }) => !sample)
    .map(async (entry): Promise<[string, EditResult]> => {
      const [stored, sums, payments] = await Promise.all([
        query('SELECT facts FROM judgements WHERE service_id = $1', [entry.id]),
        readSums(query, entry.id, dayOf(now.toISOString())),
        findPaymentFacts(query, entry, now),
      ])
      const again = judgeAgain(entry, fromJson<object>(stored[0]?.[0]), { ...sums, payments }, now)
      await query('UPDATE judgements SET facts = $2 WHERE service_id = $1', [
        entry.id,
        JSON.stringify(again.facts),
      ])
      return [entry.id, { entry: again.entry, events: [] }]
    })
  return new Map(await Promise.all(judged))
}
