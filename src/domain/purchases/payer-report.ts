// What a payer reports about a purchase: one report per payment, signed by the wallet that paid. It has no effect on trust or status.
import { z } from 'zod'
import { createDraftReader, expecting } from '../problems.ts'
import { visible } from '../text/text.ts'
import { PURCHASE_OUTCOMES } from './purchases.ts'

/** A payer that was not charged has nothing to report. */
export const REPORTED_OUTCOMES = PURCHASE_OUTCOMES.filter(outcome => outcome !== 'not_settled')
export type ReportedOutcome = Exclude<(typeof PURCHASE_OUTCOMES)[number], 'not_settled'>

const TIME = expecting('time_expected')

export const outcomeDraftSchema = z
  .object(
    {
      outcome: z
        .enum(REPORTED_OUTCOMES as [ReportedOutcome, ...ReportedOutcome[]], {
          error: expecting('not_one_of', { values: REPORTED_OUTCOMES }),
        })
        .describe('What came of the payment, as in the list of purchases'),
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

export const readOutcomeDraft = createDraftReader(outcomeDraftSchema)

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
