// Purchases as public responses have them: who paid, what came back and the proof, without what was sent or received.
import { z } from 'zod'
import { tellInEnglish } from '../../messages/message.ts'
import type { Entry } from '../listing/service.ts'
import { count, createQueryReader, dateTime, expecting, messageSchema, toMessageRecord } from '../problems.ts'
import { oneOf } from '../queries/filters.ts'
import { limit } from '../queries/queries.ts'
import { hasCountedOutcome, isFailing } from '../standing/delivery.ts'
import { isAgainst } from '../standing/judge-delivery.ts'
import { visible } from '../text/text.ts'
import {
  type AnswerEvidence,
  CONFORMANCES,
  type OutcomeSums,
  PURCHASE_OUTCOMES,
  PURCHASE_SOURCES,
  type Purchase,
} from './purchases.ts'

const source = oneOf(PURCHASE_SOURCES)

export const purchaseSchema = z
  .object({
    id: z.string().describe('Id of the purchase'),
    at: dateTime.describe('When it was bought, or reported by the payer'),
    source: source.describe(
      'operator: bought by this directory itself; payer: reported by the wallet that paid, and not checked beyond its payment; peer: bought by another directory, which says so',
    ),
    from: z
      .string()
      .nullable()
      .describe('Address of the directory that bought it; null: this one, or a payer reports it'),
    outcome: z
      .enum(PURCHASE_OUTCOMES)
      .describe(
        'delivered: as declared; delivered_not_as_declared: empty, of another type, or not as its schema declares; refused_after_payment; charged_other: another payment was requested; settled_silent: paid without a response; not_settled: nothing was taken',
      ),
    counts: z
      .boolean()
      .describe(
        'Whether its outcome counts in `delivery`, for as long as it is among the newest 20 of the last 180 days; false: a payer or another directory reports it, nothing was taken, values that were made up were refused, or the payment of a delivery was not seen on chain',
      ),
    through: z
      .string()
      .nullable()
      .describe(
        'Id of the other listing of the same URL and payee through which it was bought, and which may be gone; null: this one',
      ),
    request: z
      .object({
        method: z.string().describe('HTTP method'),
        url: z.string().describe('The requested URL, with sample values from its schema'),
        tool: z.string().nullable().describe('The tool that was called, on an MCP server'),
        madeUp: z
          .boolean()
          .describe(
            'Whether values of the sample were made up, and are not examples of the service. A refusal of them does not count',
          ),
      })
      .nullable()
      .describe('What was requested; null: it is only reported'),
    payment: z
      .object({
        payer: z.string().describe('The wallet that paid'),
        payTo: z.string().describe('The address that is paid'),
        amount: z.string().describe("In the asset's smallest units"),
        price: z.string().describe('In whole units'),
        currency: z.string().describe('Currency of the price'),
      })
      .describe('As requested by its 402, or as the payer made it'),
    charged: z
      .string()
      .nullable()
      .describe(
        'Amount taken as seen on chain by this directory, in the smallest units; null: nothing, or it is only reported',
      ),
    chain: z.string().describe('CAIP-2'),
    asset: z.string().describe('Contract address or mint of the asset'),
    transaction: z.string().nullable().describe('The settlement on chain, if known'),
    answer: z
      .object({
        status: z.int().nullable().describe('null if there was no response'),
        isError: z.boolean().describe('Whether the result of the tool is marked as an error'),
        latencyMs: z.number().describe('Milliseconds until the response'),
        bytes: count.describe('Size of the body'),
        contentType: z.string().nullable().describe('Content-Type of the response; null: none'),
        sha256: z
          .string()
          .nullable()
          .describe('Of the received body, or of the result of the tool, in hexadecimal'),
        conformance: z.enum(CONFORMANCES).describe('Whether it conforms to what the service declares'),
      })
      .nullable()
      .describe('What came back; null: nothing is known of it'),
    reasons: z.array(z.string()).describe('Why, in English'),
    reasonCodes: z.array(messageSchema).describe('The reasons for programs, in the same order'),
  })
  .meta({ id: 'Purchase', title: 'A purchase and its outcome' })

export const purchasesSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    payers: z
      .object({
        payers: count.describe('Payers that reported a purchase; the newest report of each counts'),
        delivered: count.describe('Those that report a delivery'),
      })
      .describe('What payers report. Affects neither trust nor status'),
    peers: z
      .object({
        purchases: count.describe('Purchases of directories that this one follows'),
        delivered: count.describe('Those that delivered'),
      })
      .describe(
        'What other directories bought, by their word; each transaction can be checked on chain. Affects neither trust nor status',
      ),
    delivery: z
      .object({
        purchases: count.describe(
          'Judged purchases of this directory that count: the newest 20, of the last 180 days',
        ),
        delivered: count.describe('Those that delivered'),
        failedInARow: count.describe('Number of newest purchases that failed; with two it is not verified'),
        failing: z.boolean().describe('Whether it is not verified because of them'),
      })
      .describe('The counts that trust depends on'),
    purchases: z
      .array(purchaseSchema)
      .describe(
        'Newest first. A failure that this directory saw at a URL and payee counts for every listing of them',
      ),
    next: z.string().nullable().describe('Send as `before` for the next page; null on the last'),
  })
  .meta({ id: 'Purchases', title: 'Whether a service delivers what it is paid for' })
export type PurchasesAnswer = Readonly<z.output<typeof purchasesSchema>>
export type PurchaseView = PurchasesAnswer['purchases'][number]

const listedPurchase = purchaseSchema
  .extend({ serviceId: z.string().describe('Id of the service') })
  .meta({ id: 'ListedPurchase', title: 'A purchase, with its service' })

export const purchaseFeedSchema = z
  .object({
    purchases: z.array(listedPurchase).describe('Oldest first'),
    next: z.string().nullable().describe('Send as `after` of the next request; null: none after it yet'),
  })
  .meta({ id: 'PurchaseFeed', title: 'What a directory bought' })
export type PurchaseFeed = Readonly<z.output<typeof purchaseFeedSchema>>

const purchaseId = z.string().max(64, expecting('purchase_id_expected'))

export const purchaseFeedQuerySchema = z.object({
  limit: limit(20, 100),
  after: purchaseId.describe('Id of the last purchase that is known').optional(),
})
export type PurchaseFeedQuery = z.output<typeof purchaseFeedQuerySchema>
export const parsePurchaseFeedQuery: (input: unknown) => PurchaseFeedQuery =
  createQueryReader(purchaseFeedQuerySchema)

export const purchasesQuerySchema = z.object({
  limit: limit(20, 100),
  source: source.describe('Only purchases of this source').optional(),
  before: purchaseId.describe('Id of the last purchase of the previous page').optional(),
})
export type PurchasesPageQuery = z.output<typeof purchasesQuerySchema>
export const parsePurchasesQuery: (input: unknown) => PurchasesPageQuery =
  createQueryReader(purchasesQuerySchema)

/**
 * @param page of purchases that may count, newest first, with one more than the limit if there are more
 * @param payers the number of payers whose newest report has each outcome
 * @param peers the number of purchases of peers with each outcome
 */
export function toPurchasesAnswer(
  entry: Entry,
  page: readonly Purchase[],
  limit: number,
  payers: OutcomeSums,
  peers: OutcomeSums,
): PurchasesAnswer {
  const { id, delivery, movedAt = '' } = entry
  const shown = page.slice(0, limit)
  const { purchases = 0, delivered = 0, failedInARow = 0 } = delivery ?? {}
  const isPublic = (purchase: Purchase) =>
    purchase.source !== 'operator'
      ? purchase.at >= movedAt
      : purchase.outcome !== null && (purchase.serviceId === id || isAgainst(entry, purchase))
  return {
    id,
    payers: { payers: totalOf(payers), delivered: payers.delivered ?? 0 },
    peers: { purchases: totalOf(peers), delivered: peers.delivered ?? 0 },
    delivery: { purchases, delivered, failedInARow, failing: isFailing(delivery) },
    purchases: shown.filter(isPublic).map(purchase => toPurchaseView(purchase, id)),
    next: page.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

const totalOf = (sums: OutcomeSums): number => Object.values(sums).reduce((sum, count) => sum + count, 0)

/** Without what it says of the settlement, which is among the reasons. */
function toShown(answer: AnswerEvidence): NonNullable<PurchaseView['answer']> {
  const { settlement: _, claimed: __, second: ___, chargedOther: ____, reasons: _____, ...shown } = answer
  return { ...shown, isError: answer.isError ?? false }
}

/** @param made with a known outcome. @param listing the service that is asked about */
export function toPurchaseView(made: Purchase, listing: string): PurchaseView {
  const { detail, outcome, ...purchase } = made
  const { id, source, serviceId, at, amount, payer, payTo, charged, chain, asset, transaction } = purchase
  const { method, url, tool = null, price, currency, isMadeUp = false, answer, reasons } = detail
  return {
    id,
    at,
    source,
    from: detail.from ?? null,
    outcome: outcome!,
    counts: hasCountedOutcome(made),
    through: serviceId === listing ? null : serviceId,
    request: method === undefined ? null : { method, url, tool, madeUp: isMadeUp },
    payment: { payer, payTo, amount, price, currency },
    charged,
    chain,
    asset,
    // A transaction that only the seller names is among the reasons.
    transaction: charged === null && source !== 'peer' ? null : transaction,
    answer: answer ? toShown(answer) : null,
    reasons: reasons.map(tellInEnglish),
    reasonCodes: reasons.map(toMessageRecord),
  }
}

// What a payer reports about a purchase: one report per payment, signed by the wallet that paid. It has no effect on trust or status.

/** A payer that was not charged has nothing to report. */
export const REPORTED_OUTCOMES = PURCHASE_OUTCOMES.filter(outcome => outcome !== 'not_settled')
export type ReportedOutcome = Exclude<(typeof PURCHASE_OUTCOMES)[number], 'not_settled'>

const TIME = expecting('time_expected')

export const outcomeDraftSchema = z
  .object({
    outcome: oneOf(REPORTED_OUTCOMES as [ReportedOutcome, ...ReportedOutcome[]]).describe(
      'What came of the payment, as in the list of purchases',
    ),
    network: visible(64, 'network_name', { spaced: true }).describe('Network of the payment'),
    payer: visible(128, 'wallet_address').describe('The wallet that paid, and that signs'),
    transaction: visible(128, 'transaction').describe('The settlement on chain'),
    at: z
      .string({ error: TIME })
      .refine(
        text => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text)),
        { error: TIME },
      )
      .meta({ format: 'date-time' })
      .describe('Time of the report: UTC with milliseconds, at most 10 minutes ago'),
    signature: visible(1_000, 'signature').describe(
      'By the payer, over the message that docs/paying.md specifies: personal_sign (EIP-191), or ed25519 on Solana',
    ),
  })
  .meta({ id: 'OutcomeDraft', title: 'Outcome of a payment, reported by the payer' })
export type OutcomeDraft = z.output<typeof outcomeDraftSchema>

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

/** A settlement on chain, and whether it is a payment for the service. */
export type SeenSettlement = {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly asset: string
  /** In the asset's smallest units. */
  readonly amount: string
  /** In whole units. */
  readonly price: string
  readonly currency: string
  /** dust: less than a tenth of the price. others: by its amount it pays for another service of the wallet. */
  readonly fit: 'own' | 'dust' | 'others'
}

export type OutcomeProofs = {
  /** Whether a node reads the chain. */
  reads(chain: string): boolean
  /** @throws if the node is unavailable */
  settlement(
    entry: Entry,
    payment: {
      readonly chain: string
      readonly transaction: string
      readonly payer: string
      readonly payee: string
    },
  ): Promise<SeenSettlement | 'missing' | 'young' | 'plain'>
}
