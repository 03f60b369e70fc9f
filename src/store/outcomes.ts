// Reports of payers about services; part of the Store interface.
import type { ServiceEvent } from '../domain/events.ts'
import { OUTCOME_PROOFS, type OutcomeReport, type OutcomeSums } from '../domain/purchases/outcomes.ts'
import type { Value } from './rows.ts'

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
export const MAX_REPORTS = 500

export const OUTCOME_COLUMNS = [
  'id',
  'service_id',
  'at',
  'outcome',
  'proof',
  'payment',
  'payer',
  'chain',
  'tx_hash',
  'detail',
] as const

export const toOutcomeRow = (report: OutcomeReport): Value[] => [
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

/** @param parse parses a JSON column as the engine returns it */
export function toOutcomeReport(row: readonly unknown[], parse: (value: unknown) => unknown): OutcomeReport {
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
    detail: parse(detail) as OutcomeReport['detail'],
  }
}

/** Counts the newest report of each payer. @param place writes the nth parameter: service, since */
export const toSumsSql = (place: (n: number) => string): string => `
  SELECT proof, outcome, count(*) FROM (
    SELECT proof, outcome, row_number() OVER (PARTITION BY proof, payer ORDER BY id DESC) AS place
    FROM outcomes WHERE service_id = ${place(1)} AND at >= ${place(2)}
  ) AS newest WHERE place = 1 GROUP BY proof, outcome`

/** @param place writes the nth parameter: service, proof, time, number retained */
export const toForgetSql = (place: (n: number) => string): string => `
  DELETE FROM outcomes WHERE service_id = ${place(1)} AND proof = ${place(2)} AND at < ${place(3)} AND id NOT IN (
    SELECT id FROM outcomes WHERE service_id = ${place(1)} AND proof = ${place(2)} ORDER BY id DESC LIMIT ${place(4)})`

export const toSums = (rows: readonly (readonly unknown[])[]): OutcomeSums =>
  Object.fromEntries(
    OUTCOME_PROOFS.map(proof => [
      proof,
      Object.fromEntries(
        rows.filter(row => row[0] === proof).map(([, outcome, count]) => [outcome, Number(count)]),
      ),
    ]),
  ) as OutcomeSums
