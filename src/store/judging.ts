// Judges an entry again and writes the verdict: with each probe, and when the formula of the score is another one.

import { ignoreOutdated } from '../domain/standing/judge.ts'
import { MAX_EVIDENCE, toEvidenceSource } from '../domain/standing/judge-delivery.ts'
import { TRUST_FORMULA } from '../domain/standing/trust.ts'
import { findServices, replaceNow, servicesById, updateNow } from './entries.ts'
import { findPaymentFacts } from './payment-sums.ts'
import { findFinding, insertProbe, judgePageAgain, readHistory, saveJudgement } from './probes.ts'
import { findEvidence } from './purchases.ts'
import { findSchedule, reschedule } from './schedule.ts'
import type { Session, Transaction } from './session.ts'
import type { Judge, ProbeLog, ProbeToRecord, Seq } from './store.ts'

/** Entries per transaction, so that other writes run in between. */
const JUDGED_AT_ONCE = 100

export const createRecorder =
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
