// Payers' reports as public responses have them.

import { z } from 'zod'
import { expecting } from '../problems.ts'
import { limit } from '../queries/queries.ts'
import { createQueryReader } from '../queries/read-query.ts'
import {
  OUTCOME_PROOFS,
  type OutcomeReport,
  type OutcomeSums,
  REPORTED_OUTCOMES,
  type ReportedOutcome,
} from './outcomes.ts'

const at = z.string().meta({ format: 'date-time' })
const count = z.int().min(0)

export const outcomeSchema = z
  .object({
    id: z.string().describe('Id of the report'),
    at: at.describe('When it was reported'),
    outcome: z
      .enum(REPORTED_OUTCOMES as [ReportedOutcome, ...ReportedOutcome[]])
      .describe('What came of the payment, as reported'),
    proof: z.enum(OUTCOME_PROOFS).describe('settlement: the payment was seen on chain'),
    payer: z.string().describe('The wallet that paid'),
    chain: z.string().describe('CAIP-2'),
    transaction: z.string().describe('The settlement on chain'),
    paidAt: at.describe('When it was paid'),
    amount: z.string().describe('In whole units'),
    currency: z.string().describe('Currency of the amount'),
  })
  .meta({ id: 'Outcome', title: 'Outcome of a payment, reported by the payer' })
export type OutcomeView = Readonly<z.output<typeof outcomeSchema>>

const sumSchema = z.object({
  payers: count.describe('Number of payers; the newest report of each counts'),
  delivered: count.describe('Those that report a delivery'),
})

export const outcomesSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    payers: z
      .object({
        settlement: sumSchema.describe('Reports whose payment was seen on chain'),
      })
      .describe('By proof. Does not affect trust or status'),
    outcomes: z.array(outcomeSchema).describe('Newest first'),
    next: z.string().nullable().describe('Send as `before` for the next page; null on the last'),
  })
  .meta({ id: 'Outcomes', title: "Payers' reports about a service" })
export type OutcomesAnswer = Readonly<z.output<typeof outcomesSchema>>

export const outcomesQuerySchema = z.object({
  limit: limit(20, 100),
  before: z
    .string()
    .max(64, expecting('outcome_id_expected'))
    .describe('Id of the last outcome of the previous page')
    .optional(),
})
export type OutcomesPageQuery = z.output<typeof outcomesQuerySchema>
export const parseOutcomesQuery: (input: unknown) => OutcomesPageQuery =
  createQueryReader(outcomesQuerySchema)

export const toOutcomeView = ({
  id,
  at,
  outcome,
  proof,
  payer,
  chain,
  transaction,
  detail,
}: OutcomeReport): OutcomeView => ({
  id,
  at,
  outcome,
  proof,
  payer,
  chain,
  transaction,
  paidAt: detail.paidAt,
  amount: detail.amount,
  currency: detail.currency,
})

/** @param page newest first, with one more than the limit if there are more */
export function toOutcomesAnswer(
  id: string,
  sums: OutcomeSums,
  page: readonly OutcomeReport[],
  limit: number,
): OutcomesAnswer {
  const shown = page.slice(0, limit)
  return {
    id,
    payers: { settlement: toSum(sums.settlement) },
    outcomes: shown.map(toOutcomeView),
    next: page.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

const toSum = (counts: OutcomeSums['settlement']) => ({
  payers: Object.values(counts).reduce((sum, count) => sum + count, 0),
  delivered: counts.delivered ?? 0,
})
