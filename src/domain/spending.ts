// What agents spend: a reservation before each payment, which is settled or released after it. Sums are kept for each key with a policy,
// by day (UTC) and seller. Pure.
import { z } from 'zod'
import { type Message, say } from '../messages/message.ts'
import { addressKey } from './chains/addresses.ts'
import { findAsset } from './chains/assets.ts'
import { chainKey } from './chains/chains.ts'
import { invalid, toProblem } from './errors.ts'
import { toAtomic, toMicroDollars } from './money/money.ts'
import { assetToDollars, type Rates } from './money/rates.ts'
import { bodySchema, dateTime, expecting, wholeNumberBetween } from './problems.ts'
import { oneOf } from './queries/filters.ts'
import { resolveQuerySchema } from './resolve/resolution.ts'
import { visible } from './text/text.ts'

const usd = z.string().describe('In dollars')

/** reserved: it counts until it expires. settled: paid, and it counts. released: nothing was paid. expired: it came back unused. */
export const SPENDING_STATES = ['reserved', 'settled', 'released', 'expired'] as const

export type Spending = {
  /** The key that spends. */
  readonly agent: string
  /** Chosen by the agent: one payment for each. */
  readonly id: string
  readonly at: string
  readonly expiresAt: string
  readonly state: Exclude<(typeof SPENDING_STATES)[number], 'expired'>
  /** What was reserved, and what counts, in millionths of a dollar. */
  readonly reserved: number
  readonly microUsd: number
  /** The registrable domain that is paid. */
  readonly seller: string
  readonly serviceId: string | null
  readonly url: string
  /** CAIP-2; asset and payee are in normalised spelling, like those of settlements. */
  readonly chain: string
  readonly asset: string
  readonly payTo: string
  readonly scheme: string
  /** Reserved, then taken, in the smallest units. */
  readonly amount: string
  readonly transaction: string | null
  /** Of the settlement on chain; null: it is only reported. */
  readonly logIndex: number | null
}

/** The longest that a payment may stay valid; see `guard`. */
const MAX_VALID_SECONDS = 3_600
/** After the payment can no longer be taken: time to report it. */
const GRACE_MS = 10 * 60_000
const MAX_ID = 128

const { url, payTo, amount, asset, network, scheme, method } = resolveQuerySchema.shape
export const reservationSchema = bodySchema({
  id: visible(MAX_ID, 'id').describe('Chosen by you, once for each payment: sent again, it is reserved once'),
  url,
  payTo: payTo.unwrap(),
  amount: amount.unwrap(),
  asset: asset.unwrap(),
  network: network.unwrap(),
  scheme,
  method,
  validSeconds: wholeNumberBetween(1, MAX_VALID_SECONDS)
    .nullish()
    .describe(
      `How long the payment can be taken; the reservation ends ten minutes later. Default: ${MAX_VALID_SECONDS}`,
    ),
}).meta({ id: 'NewReservation', title: 'A payment to reserve' })
export type ReservationDraft = Readonly<z.output<typeof reservationSchema>>

export const paymentReportSchema = bodySchema({
  state: oneOf(['settled', 'released']).describe(
    'settled: it was paid, or may have been; released: it was not, and cannot be',
  ),
  transaction: visible(128, 'transaction')
    .nullish()
    .describe('The transaction that settled it, if it is known'),
  amount: amount
    .nullish()
    .describe("What was taken, in the asset's smallest units, if it is less; for schemes other than exact"),
}).meta({ id: 'PaymentReport', title: 'What became of a reservation' })
export type PaymentReport = Readonly<z.output<typeof paymentReportSchema>>

export const spendingSchema = z
  .object({
    id: z.string().describe('As chosen'),
    state: z
      .enum(SPENDING_STATES)
      .describe(
        'reserved: pay it now; settled: it is paid; released or expired: it came back. Only a reserved one may be paid',
      ),
    usd: usd.describe('What counts, in dollars'),
    left: usd.nullable().describe('What is left of the budget today, in dollars; null: there is no budget'),
    expiresAt: dateTime.describe('When it comes back if it is not settled'),
    transaction: z.string().nullable().describe('As reported'),
    confirmed: z
      .boolean()
      .describe('Whether this directory has seen it on chain; otherwise it is only reported'),
  })
  .meta({ id: 'Reservation', title: 'A payment of an agent' })
export type SpendingView = Readonly<z.output<typeof spendingSchema>>

/** @throws DirectoryError `invalid_request` if the amount cannot be told in dollars */
export function toReserved(
  draft: ReservationDraft,
  by: Pick<Spending, 'agent' | 'seller' | 'serviceId'>,
  rates: Rates,
  now: Date,
): Spending {
  const chain = chainKey(draft.network)
  const validMs = (draft.validSeconds ?? MAX_VALID_SECONDS) * 1_000
  const dollars = assetToDollars(draft, rates)
  // Rounded up, so that many small payments are not free.
  const microUsd = dollars && toMicroDollars(dollars.amount)
  if (microUsd === undefined)
    throw invalid([toProblem('asset', say('price_not_in_dollars', { currency: draft.asset }))])
  return {
    ...by,
    id: draft.id,
    at: now.toISOString(),
    expiresAt: new Date(now.getTime() + validMs + GRACE_MS).toISOString(),
    state: 'reserved',
    reserved: microUsd,
    microUsd,
    url: draft.url,
    chain,
    asset: addressKey(draft.asset, chain),
    payTo: addressKey(draft.payTo, chain),
    scheme: draft.scheme ?? 'exact',
    amount: draft.amount,
    transaction: null,
    logIndex: null,
  }
}

/** What makes two spendings the same payment. */
const PAYMENT_FIELDS = ['url', 'chain', 'asset', 'payTo', 'amount'] as const
export const isSamePayment = (a: Spending, b: Spending): boolean =>
  PAYMENT_FIELDS.every(name => a[name] === b[name])

/** @returns why it cannot become this, if so */
export function conclude(spending: Spending, { state, ...report }: PaymentReport): Spending | Message {
  const transaction = report.transaction == null ? null : addressKey(report.transaction, spending.chain)
  const amount = report.amount ?? spending.amount
  if (spending.state === 'settled') {
    // Sent again, or a transaction that was not known before. What was paid stays paid.
    const isSame = state === 'settled' && [spending.transaction, null].includes(transaction)
    if (isSame) return spending
    if (state === 'released' || spending.transaction !== null)
      return say('spending_concluded', { state: spending.state })
    return { ...spending, transaction }
  }
  // What was released or has expired may turn out to be paid.
  if (state === 'released') return { ...spending, state, microUsd: 0 }
  const isWithin = BigInt(amount) <= BigInt(spending.amount)
  const isExact = spending.scheme === 'exact' && amount !== spending.amount
  if (!isWithin || isExact) return say('spending_not_reserved', { amount: spending.amount })
  return { ...spending, state, transaction, amount, microUsd: shareOf(spending, BigInt(amount)) }
}

/** Whether it is the settlement of this payment. @param taken in whole units of the asset */
export function isSettledBy({ chain, asset, amount }: Spending, taken: string): boolean {
  const { decimals } = findAsset(chain, asset) ?? {}
  return decimals !== undefined && toAtomic(taken, decimals) === amount
}

/** Rounded up. */
function shareOf({ reserved, amount }: Spending, taken: bigint): number {
  const whole = BigInt(amount)
  return whole === 0n ? reserved : Number((BigInt(reserved) * taken + whole - 1n) / whole)
}

// What an operator sees: sums by day, agent and seller.

const day = z
  .string({ error: expecting('day_expected') })
  .regex(/^\d{4}-\d{2}-\d{2}$/, expecting('day_expected'))
export const spendingQuerySchema = z.object({
  from: day.optional().describe('First day, in UTC. Default: 30 days ago'),
  to: day.optional().describe('Last day, in UTC. Default: today'),
  agent: visible(64, 'id').optional().describe('Id of a key'),
})
export type SpendingQuery = Readonly<z.output<typeof spendingQuerySchema>>

export const spendingSumSchema = z
  .object({
    day: z.string().describe('In UTC'),
    agent: z.string().describe('Id of the key'),
    name: z.string().nullable().describe('Name of the key; null: it is no longer known'),
    seller: z.string().describe('The domain that was paid'),
    payments: z.int().describe('Settled ones'),
    usd: usd.describe('Settled, in dollars'),
    confirmedUsd: usd.describe('Of it, what this directory has seen on chain'),
    reservedUsd: usd.describe('Reserved and not yet settled'),
  })
  .meta({ id: 'SpendingSum', title: 'What an agent spent on a seller in a day' })
export type SpendingSum = Readonly<z.output<typeof spendingSumSchema>>

const CSV_COLUMNS = Object.keys(spendingSumSchema.shape) as (keyof SpendingSum)[]

/** RFC 4180. A cell that begins like a formula gets an apostrophe: names are typed by people. */
export function toSpendingCsv(sums: readonly SpendingSum[]): string {
  const cell = (value: string | number | null) => {
    const text = String(value ?? '').replace(/^(?=[=+\-@\t\r])/, "'")
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const rows = sums.map(sum => CSV_COLUMNS.map(column => cell(sum[column])))
  return [CSV_COLUMNS, ...rows].map(row => `${row.join(',')}\r\n`).join('')
}
