// Reports of payers about services; part of the Store interface.
import type { ServiceEvent } from '../domain/feed.ts'
import { OUTCOME_PROOFS, type OutcomeReport, type OutcomeSums } from '../domain/purchases/outcomes.ts'
import { places, type Row, type Session, type UpdateNow } from './session.ts'

export type OutcomesQuery = {
  readonly serviceId: string
  readonly limit: number
  /** Id of the last report of the previous page. */
  readonly before?: string | undefined
  /** Leaves out earlier reports, from before the service moved. */
  readonly since?: string | undefined
}

export interface OutcomeTable {
  /**
   * Stores a report together with its event, or resolves to the report already stored for the same payment. Of the reports with the
   * same service and proof it deletes those older than `forgetBefore`, except the newest `MAX_REPORTS`.
   */
  add(report: OutcomeReport, event: ServiceEvent, forgetBefore: Date): Promise<OutcomeReport>
  /** Newest first. */
  list(query: OutcomesQuery): Promise<OutcomeReport[]>
  sums(serviceId: string, since?: string): Promise<OutcomeSums>
}

/** Reports retained per service and per proof, so that proofs that cost a seller nothing never displace paid ones. */
const MAX_REPORTS = 500

const COLUMNS = 'id, service_id, at, outcome, proof, payment, payer, chain, tx_hash, detail'

const toValues = (report: OutcomeReport) => [
  report.id,
  report.serviceId,
  report.at,
  report.outcome,
  report.proof,
  report.payment,
  report.payer,
  report.chain,
  report.transaction,
  JSON.stringify(report.detail),
]

function toReport(row: Row): OutcomeReport {
  const [id, serviceId, at, outcome, proof, payment, payer, chain, transaction, detail] =
    row as readonly never[]
  return {
    id: id!,
    serviceId: serviceId!,
    at: at!,
    outcome: outcome!,
    proof: proof!,
    payment: payment!,
    payer: payer!,
    chain: chain!,
    transaction: transaction!,
    detail: JSON.parse(detail!) as OutcomeReport['detail'],
  }
}

const FORGET = `
  DELETE FROM outcomes WHERE service_id = $1 AND proof = $2 AND at < $3 AND id NOT IN (
    SELECT id FROM outcomes WHERE service_id = $1 AND proof = $2 ORDER BY id DESC LIMIT ${MAX_REPORTS})`

/** Counts the newest report of each payer. */
const SUMS = `
  SELECT proof, outcome, count(*) FROM (
    SELECT proof, outcome, row_number() OVER (PARTITION BY proof, payer ORDER BY id DESC) AS place
    FROM outcomes WHERE service_id = $1 AND at >= $2
  ) AS newest WHERE place = 1 GROUP BY proof, outcome`

export const createOutcomeTable = (session: Session, updateNow: UpdateNow): OutcomeTable => ({
  // Under the write lock: two concurrent calls must not both find none.
  add: (report, event, forgetBefore) =>
    session.write([report.serviceId, `outcome of ${report.payment}`], async transaction => {
      const { query } = transaction
      const [existing] = await query(`SELECT ${COLUMNS} FROM outcomes WHERE payment = $1`, [report.payment])
      if (existing) return toReport(existing)
      await query(`INSERT INTO outcomes (${COLUMNS}) VALUES (${places(10)})`, toValues(report))
      await query(FORGET, [report.serviceId, report.proof, forgetBefore.toISOString()])
      await updateNow(transaction, [report.serviceId], entry => ({ entry, events: [event] }))
      return report
    }),
  list: ({ serviceId, limit, before = '~', since = '' }) =>
    session.read(async query => {
      const sql = `
        SELECT ${COLUMNS} FROM outcomes WHERE service_id = $1 AND id < $2 AND at >= $3 ORDER BY id DESC LIMIT $4`
      return (await query(sql, [serviceId, before, since, limit])).map(toReport)
    }),
  sums: (serviceId, since = '') =>
    session.read(async query => {
      const rows = await query<[string, string, number]>(SUMS, [serviceId, since])
      const ofProof = (proof: string) =>
        rows.filter(row => row[0] === proof).map(([, outcome, count]) => [outcome, count])
      return Object.fromEntries(
        OUTCOME_PROOFS.map(proof => [proof, Object.fromEntries(ofProof(proof))]),
      ) as OutcomeSums
    }),
})
