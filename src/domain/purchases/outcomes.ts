// Outcomes that payers report: one report per payment, signed by the wallet that paid. They are shown apart from the purchases of the
// directory itself, and have no automatic effect.
import { z } from 'zod'
import { invalid } from '../errors.ts'
import { ignoredFields } from '../json/ignored-fields.ts'
import { expecting, toProblems } from '../problems.ts'
import type { SignerRole } from '../terms/terms.ts'
import { visible } from '../text/text.ts'
import { PURCHASE_OUTCOMES } from './purchases.ts'

/** A payer that was not charged has nothing to report. */
export const REPORTED_OUTCOMES = PURCHASE_OUTCOMES.filter(outcome => outcome !== 'not_settled')
export type ReportedOutcome = Exclude<(typeof PURCHASE_OUTCOMES)[number], 'not_settled'>

/** settlement: the payment was seen on chain. receipt: only the seller's own signature states that it was made. */
export const OUTCOME_PROOFS = ['settlement', 'receipt'] as const
export type OutcomeProof = (typeof OUTCOME_PROOFS)[number]

const signedReceiptSchema = z
  .object(
    {
      format: z
        .enum(['eip712', 'jws'], { error: expecting('not_one_of', { values: ['eip712', 'jws'] }) })
        .describe('How it is signed'),
      payload: z.record(z.string(), z.unknown()).optional().describe('What is signed; a JWS contains it'),
      signature: visible(12_288, 'signature').describe('The signature, or the whole JWS'),
    },
    { error: expecting('not_json_object') },
  )
  .meta({ id: 'SignedReceipt', title: 'A receipt as the seller signed it (x402 extension offer-receipt)' })

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
      transaction: visible(128, 'transaction')
        .nullish()
        .describe('The settlement on chain; optional if there is a receipt'),
      receipt: signedReceiptSchema.nullish().describe('The signed receipt of the seller, if there is one'),
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

const KNOWN_FIELDS = {
  '': Object.keys(outcomeDraftSchema.shape),
  receipt: Object.keys(signedReceiptSchema.shape),
}

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
  { outcome, payer, transaction, receipt, at }: Omit<OutcomeDraft, 'signature' | 'network'>,
): string =>
  [
    `Report to the directory ${directory} what came of a payment.`,
    '',
    `Service: ${serviceId}`,
    `Outcome: ${outcome}`,
    `Network: ${chain}`,
    `Payer: ${payer}`,
    `Payment: ${transaction ?? 'as the receipt says'}`,
    `Receipt: ${receipt ? hashOf(receipt.signature) : 'none'}`,
    `Time: ${at}`,
    '',
    'Signing this sends no transaction and costs nothing.',
  ].join('\n')

const hashOf = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex')

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
  readonly transaction: string | null
  readonly detail: {
    /** When it was paid, by the chain or by the receipt. */
    readonly paidAt: string
    /** In whole units, if it was seen on chain. */
    readonly amount: string | null
    readonly currency: string | null
    /** The signer of the receipt, if there is one. */
    readonly receiptBy: SignerRole | null
  }
}

/** By proof, the number of payers with each outcome; the newest report of each payer counts. */
export type OutcomeSums = Readonly<Record<OutcomeProof, Readonly<Partial<Record<ReportedOutcome, number>>>>>

/** Ids that sort by age, like those of services. @param serviceId a new id of a service */
export const toOutcomeId = (serviceId: string): string => `out_${serviceId.slice('svc_'.length)}`
