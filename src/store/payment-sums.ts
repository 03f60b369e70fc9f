// Sums of payments by service and by payer, stored and updated incrementally, so that no query sums over all payments.
import { addDecimals, subtractDecimals } from '../domain/money/decimal-sum.ts'
import type { PaymentTotals, SettlementRecord } from './payments.ts'

export type PayerSum = {
  readonly serviceId: string
  readonly payer: string
  readonly txCount: number
  /** Exact decimal. */
  readonly amount: string
}

/** A payment that counts for a service. */
type CreditedPayment = SettlementRecord & { readonly serviceId: string }

export const isCredited = (payment: SettlementRecord): payment is CreditedPayment =>
  payment.serviceId !== null

export type Difference = {
  readonly added: readonly CreditedPayment[]
  readonly removed: readonly CreditedPayment[]
}

export const payerKey = ({ serviceId, payer }: Pick<PayerSum, 'serviceId' | 'payer'>): string =>
  `${serviceId} ${payer}`

export const affectedServices = ({ added, removed }: Difference): string[] => [
  ...new Set([...added, ...removed].map(({ serviceId }) => serviceId)),
]

/** The pairs of service and payer that a difference affects, each once. */
export const affectedPayers = ({ added, removed }: Difference): Pick<PayerSum, 'serviceId' | 'payer'>[] => [
  ...new Map(
    [...added, ...removed].map(({ serviceId, payer }) => [
      payerKey({ serviceId, payer }),
      { serviceId, payer },
    ]),
  ).values(),
]

export type Sums = {
  /** One for every affected service. */
  readonly totals: ReadonlyMap<string, PaymentTotals>
  /** By `payerKey`; payers without a payment are left out. */
  readonly payers: ReadonlyMap<string, PayerSum>
}

/**
 * The sums after a difference; a payer without payments has a `txCount` of 0.
 * @param lastLeft for each service that lost a payment, the time of its newest remaining one
 */
export function applyDifference(
  { totals, payers }: Sums,
  difference: Difference,
  lastLeft: ReadonlyMap<string, string>,
): Sums {
  const nextPayers = new Map(affectedPayers(difference).map(each => [payerKey(each), sumOf(payers, each)]))
  const nextTotals = new Map(totals)
  const change = (payment: CreditedPayment, count: 1 | -1) => {
    const combine = count > 0 ? addDecimals : subtractDecimals
    const sum = nextPayers.get(payerKey(payment))!
    nextPayers.set(payerKey(payment), {
      ...sum,
      txCount: sum.txCount + count,
      amount: combine(sum.amount, payment.amount),
    })
    const total = nextTotals.get(payment.serviceId)!
    nextTotals.set(payment.serviceId, {
      ...total,
      txCount: total.txCount + count,
      totalRevenue: combine(total.totalRevenue, payment.amount),
      lastPaymentAt: later(total.lastPaymentAt, payment.at),
    })
  }
  for (const payment of difference.added) change(payment, 1)
  for (const payment of difference.removed) change(payment, -1)
  for (const [key, { serviceId, txCount }] of nextPayers) {
    const total = nextTotals.get(serviceId)!
    const moreOrLess = Number(txCount > 0) - Number((payers.get(key)?.txCount ?? 0) > 0)
    nextTotals.set(serviceId, { ...total, payers: total.payers + moreOrLess })
  }
  for (const { serviceId } of difference.removed)
    nextTotals.set(serviceId, {
      ...nextTotals.get(serviceId)!,
      lastPaymentAt: lastLeft.get(serviceId) ?? null,
    })
  return { totals: nextTotals, payers: nextPayers }
}

const sumOf = (payers: Sums['payers'], { serviceId, payer }: Pick<PayerSum, 'serviceId' | 'payer'>) =>
  payers.get(payerKey({ serviceId, payer })) ?? { serviceId, payer, txCount: 0, amount: '0' }

const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b)
