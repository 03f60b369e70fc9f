// Purchases as they are told to everybody: the evidence, without what was sent or received.

import { z } from 'zod'
import { tellInEnglish } from '../messages/tell-in-english.ts'
import { isFailing } from './delivery.ts'
import { isAgainst, toEvidenceSource } from './delivery-evidence.ts'
import { messageSchema, toMessageRecord } from './message-view.ts'
import { expecting } from './problems.ts'
import {
  CONFORMANCES,
  PURCHASE_OUTCOMES,
  type Purchase,
  RECEIPT_RESULTS,
  type ReceiptEvidence,
} from './purchases.ts'
import { limit } from './queries.ts'
import { createQueryReader } from './read-query.ts'
import type { Entry } from './service.ts'
import { SIGNER_ROLES } from './terms.ts'

const at = z.string().meta({ format: 'date-time' })
const count = z.int().min(0)

export const purchaseSchema = z
  .object({
    id: z.string(),
    at,
    outcome: z
      .enum(PURCHASE_OUTCOMES)
      .describe(
        'delivered: as declared; delivered_not_as_declared: empty, of another type, or not as its schema says; refused_after_payment; charged_other: another payment was asked for; settled_silent: paid and not answered; not_settled: nothing was taken',
      ),
    through: z
      .string()
      .nullable()
      .describe(
        'Id of the other listing of the same place and payee that it was bought through, which may be gone; null: this one',
      ),
    method: z.string(),
    url: z.string().describe('What was asked, with a sample made from its schema'),
    tool: z.string().nullable().describe('The tool that was called, where it is an MCP server'),
    madeUp: z
      .boolean()
      .describe(
        'Whether values of the sample are no examples of its own. That it refuses them does not count',
      ),
    quoted: z
      .object({ amount: z.string(), price: z.string(), currency: z.string(), payTo: z.string() })
      .describe('What its 402 asked for: in the smallest units, and in whole ones'),
    charged: z
      .string()
      .nullable()
      .describe(
        'What the chain shows as taken, in the smallest units; null: nothing, or only the seller says so',
      ),
    chain: z.string().describe('CAIP-2'),
    asset: z.string(),
    transaction: z.string().nullable().describe('The settlement on chain, where it is known'),
    answer: z
      .object({
        status: z.int().nullable().describe('null where no answer came'),
        isError: z.boolean().describe('Whether the result of the tool says that it is an error'),
        latencyMs: z.number(),
        bytes: count,
        contentType: z.string().nullable(),
        sha256: z
          .string()
          .nullable()
          .describe('Of the body as it came, or of what the tool gave, in hexadecimal'),
        conformance: z.enum(CONFORMANCES).describe('Whether it is as the service declares'),
      })
      .nullable(),
    receipt: z
      .object({
        result: z.enum(RECEIPT_RESULTS),
        signer: z.string().nullable().describe('An address or a DID'),
        speaksFor: z
          .enum(SIGNER_ROLES)
          .nullable()
          .describe('payee: signed by the wallet that is paid; origin: by a key that its domain publishes'),
        signed: z
          .object({
            format: z.enum(['eip712', 'jws']),
            payload: z.record(z.string(), z.unknown()).optional(),
            signature: z.string(),
          })
          .nullable()
          .describe('The receipt itself where it is valid, for whoever wants to verify it'),
      })
      .describe('The signed receipt of the answer (x402 extension offer-receipt)'),
    reasons: z.array(z.string()),
    reasonCodes: z.array(messageSchema).describe('The reasons for programs, in the same order'),
  })
  .meta({ id: 'Purchase', title: 'A purchase, and what came of it' })

export const purchasesSchema = z
  .object({
    id: z.string(),
    delivery: z
      .object({
        purchases: count.describe('Judged purchases that count: the newest 20, of the last 180 days'),
        delivered: count,
        failedInARow: count.describe('How many of the newest failed; from two on it is not verified'),
        failing: z.boolean(),
      })
      .describe('What trust is made of'),
    purchases: z
      .array(purchaseSchema)
      .describe(
        'By this directory itself, newest first; what failed at the same place and payee counts for every listing of them',
      ),
    next: z.string().nullable().describe('What to send as before for the next page; null on the last'),
  })
  .meta({ id: 'Purchases', title: 'Whether a service delivers what it is paid for' })
export type PurchasesAnswer = Readonly<z.output<typeof purchasesSchema>>
export type PurchaseView = PurchasesAnswer['purchases'][number]

export const purchasesQuerySchema = z.object({
  limit: limit(20, 100),
  before: z
    .string()
    .max(64, expecting('purchase_id_expected'))
    .describe('Id of the last purchase of the page before')
    .optional(),
})
export type PurchasesPageQuery = z.output<typeof purchasesQuerySchema>
export const parsePurchasesQuery: (input: unknown) => PurchasesPageQuery =
  createQueryReader(purchasesQuerySchema)

/** @param page of what may count, newest first, one more than is asked for where there are more */
export function toPurchasesAnswer(entry: Entry, page: readonly Purchase[], most: number): PurchasesAnswer {
  const { id, delivery } = entry
  const shown = page.slice(0, most)
  const { purchases = 0, delivered = 0, failedInARow = 0 } = delivery ?? {}
  const source = toEvidenceSource(entry)
  const isTold = (purchase: Purchase) =>
    purchase.outcome !== null && (purchase.serviceId === id || isAgainst(entry, purchase, source))
  return {
    id,
    delivery: { purchases, delivered, failedInARow, failing: isFailing(delivery) },
    purchases: shown.filter(isTold).map(purchase => toView(purchase, id)),
    next: page.length > most ? (shown.at(-1)?.id ?? null) : null,
  }
}

function toView({ detail, outcome, ...purchase }: Purchase, listing: string): PurchaseView {
  const { id, serviceId, at, amount, payTo, charged, chain, asset, transaction } = purchase
  const { method, url, tool = null, price, currency, isMadeUp = false, answer, receipt, reasons } = detail
  return {
    id,
    at,
    outcome: outcome!,
    through: serviceId === listing ? null : serviceId,
    method,
    url,
    tool,
    madeUp: isMadeUp,
    quoted: { amount, price, currency, payTo },
    charged,
    chain,
    asset,
    // What only the seller names is among the reasons.
    transaction: charged === null ? null : transaction,
    answer: answer
      ? {
          status: answer.status,
          isError: answer.isError ?? false,
          latencyMs: answer.latencyMs,
          bytes: answer.bytes,
          contentType: answer.contentType,
          sha256: answer.sha256,
          conformance: answer.conformance,
        }
      : null,
    receipt: toReceiptView(receipt),
    reasons: reasons.map(tellInEnglish),
    reasonCodes: reasons.map(toMessageRecord),
  }
}

function toReceiptView(receipt: ReceiptEvidence | undefined): PurchaseView['receipt'] {
  if (!receipt) return { result: 'absent', signer: null, speaksFor: null, signed: null }
  const { valid, signer, speaksFor, signed } = receipt
  return { result: valid ? 'valid' : 'invalid', signer, speaksFor, signed }
}
