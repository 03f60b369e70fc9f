// Outcomes that payers report: one report per payment, signed by the wallet that paid. They are shown apart from the purchases of the
// directory itself, and have no automatic effect.
import { z } from 'zod'
import { invalid } from '../errors.ts'
import { ignoredFields } from '../json.ts'
import { createQueryReader, expecting, toProblems } from '../problems.ts'
import { limit } from '../queries/queries.ts'
import { visible } from '../text/text.ts'
import { PURCHASE_OUTCOMES } from './purchases.ts'

/** A payer that was not charged has nothing to report. */
export const REPORTED_OUTCOMES = PURCHASE_OUTCOMES.filter(outcome => outcome !== 'not_settled')
export type ReportedOutcome = Exclude<(typeof PURCHASE_OUTCOMES)[number], 'not_settled'>

/** settlement: the payment was seen on chain. */
export const OUTCOME_PROOFS = ['settlement'] as const
export type OutcomeProof = (typeof OUTCOME_PROOFS)[number]

const TIME = expecting('time_expected')

export const outcomeDraftSchema = z
  .object(
    {
      outcome: z
        .enum(REPORTED_OUTCOMES as [ReportedOutcome, ...ReportedOutcome[]], {
          error: expecting('not_one_of', { values: REPORTED_OUTCOMES }),
        })
        .describe('Outcome of the payment, with the same values as purchases'),
      network: visible(64, 'network_name', { spaced: true }).describe('Network of the payment'),
      payer: visible(128, 'wallet_address').describe('The wallet that paid, and that signs'),
      transaction: visible(128, 'transaction').describe('The settlement on chain'),
      at: z
        .string({ error: TIME })
        .refine(
          text => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text)),
          {
            error: TIME,
          },
        )
        .meta({ format: 'date-time' })
        .describe('Time of the report: UTC with milliseconds, at most 10 minutes ago'),
      signature: visible(1_000, 'signature').describe(
        'By the payer, over the message that docs/paying.md specifies: personal_sign (EIP-191), or ed25519 on Solana',
      ),
    },
    { error: expecting('not_json_object') },
  )
  .meta({ id: 'OutcomeDraft', title: 'Outcome of a payment, reported by the payer' })
export type OutcomeDraft = z.output<typeof outcomeDraftSchema>

const KNOWN_FIELDS = { '': Object.keys(outcomeDraftSchema.shape) }

/** @throws DirectoryError `invalid_request` with every problem */
export function readOutcomeDraft(body: unknown): {
  readonly draft: OutcomeDraft
  readonly ignored: readonly string[]
} {
  const parsed = outcomeDraftSchema.safeParse(body)
  if (!parsed.success) throw invalid(toProblems(parsed.error, body))
  return { draft: parsed.data, ignored: ignoredFields(body as object, KNOWN_FIELDS) }
}

/** The message that the payer signs, bound to one directory, service, payment and time. @param directory its public address */
export const toOutcomeMessage = (
  directory: string,
  serviceId: string,
  chain: string,
  { outcome, payer, transaction, at }: Omit<OutcomeDraft, 'signature' | 'network'>,
): string =>
  [
    `Report to the directory ${directory} what came of a payment.`,
    '',
    `Service: ${serviceId}`,
    `Outcome: ${outcome}`,
    `Network: ${chain}`,
    `Payer: ${payer}`,
    `Payment: ${transaction}`,
    `Time: ${at}`,
    '',
    'Signing this sends no transaction and costs nothing.',
  ].join('\n')

/** A stored report. */
export type OutcomeReport = {
  readonly id: string
  readonly serviceId: string
  /** When it was reported: ISO 8601 UTC. */
  readonly at: string
  readonly outcome: ReportedOutcome
  readonly proof: OutcomeProof
  /** Identifies the payment: there is one report for each. */
  readonly payment: string
  /** In canonical spelling. */
  readonly payer: string
  readonly chain: string
  readonly transaction: string
  readonly detail: {
    /** When it was paid. */
    readonly paidAt: string
    /** In whole units. */
    readonly amount: string
    readonly currency: string
  }
}

/** By proof, the number of payers with each outcome; the newest report of each payer counts. */
export type OutcomeSums = Readonly<Record<OutcomeProof, Readonly<Partial<Record<ReportedOutcome, number>>>>>

/** Ids that sort by age, like those of services. @param serviceId a new id of a service */
export const toOutcomeId = (serviceId: string): string => `out_${serviceId.slice('svc_'.length)}`

// Payers' reports as public responses have them.

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
