// Sums of payments by service and by payer, stored and updated incrementally, so that no query sums over all payments; and facts about
// the payers of a credited service.

import { addressKey } from '../domain/chains/addresses.ts'
import { chainKey } from '../domain/chains/chains.ts'
import { creditGround } from '../domain/listing/backing.ts'
import type { Entry } from '../domain/listing/service.ts'
import { addDecimals, subtractDecimals } from '../domain/money/money.ts'
import type { CreditGround } from '../domain/standing/standing.ts'
import {
  ESTABLISHED,
  ESTABLISHED_DAYS,
  minSpent,
  PAID_DAYS,
  type PaymentFacts,
  RING_HOPS,
} from '../domain/standing/trust.ts'
import { DAY_MS } from '../domain/time.ts'
import { NO_TOTALS, type PaymentTotals, type SettlementRecord } from './payments.ts'
import { findEach, type Query } from './session.ts'

type PayerSum = {
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

const payerKey = ({ serviceId, payer }: Pick<PayerSum, 'serviceId' | 'payer'>): string =>
  `${serviceId} ${payer}`

export const affectedServices = ({ added, removed }: Difference): string[] => [
  ...new Set([...added, ...removed].map(({ serviceId }) => serviceId)),
]

/** The pairs of service and payer that a difference affects, each once. */
const affectedPayers = ({ added, removed }: Difference): Pick<PayerSum, 'serviceId' | 'payer'>[] => [
  ...new Map(
    [...added, ...removed].map(({ serviceId, payer }) => [
      payerKey({ serviceId, payer }),
      { serviceId, payer },
    ]),
  ).values(),
]

type Sums = {
  /** One for every affected service. */
  readonly totals: ReadonlyMap<string, PaymentTotals>
  /** By `payerKey`; payers without a payment are left out. */
  readonly payers: ReadonlyMap<string, PayerSum>
}

/**
 * The sums after a difference; a payer without payments has a `txCount` of 0.
 * @param lastLeft for each service that lost a payment, the time of its newest remaining one
 */
function applyDifference(
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

/** Totals for every given id, also for services without payments. */
export async function findTotals(
  query: Query,
  serviceIds: readonly string[],
): Promise<Map<string, PaymentTotals>> {
  const rows = await findEach<[string, number, string, number, string | null]>(
    query,
    'SELECT service_id, tx_count, total_revenue, payers, last_payment_at FROM payment_totals WHERE service_id = $1',
    serviceIds,
  )
  const totals = new Map(serviceIds.map(id => [id, NO_TOTALS]))
  for (const [id, txCount, totalRevenue, payers, lastPaymentAt] of rows)
    totals.set(id, { txCount, totalRevenue, payers, lastPaymentAt })
  return totals
}

/** Inside the caller's transaction: detaches all earlier payments from the service. */
export async function forgetPayments(query: Query, serviceId: string): Promise<void> {
  await Promise.all([
    query('UPDATE payments SET service_id = NULL WHERE service_id = $1', [serviceId]),
    query('DELETE FROM payment_totals WHERE service_id = $1', [serviceId]),
    query('DELETE FROM payment_payers WHERE service_id = $1', [serviceId]),
  ])
}

/** To be called after the payments themselves are written. */
export async function applyToSums(query: Query, difference: Difference): Promise<void> {
  const services = affectedServices(difference)
  if (services.length === 0) return
  const losers = [...new Set(difference.removed.map(({ serviceId }) => serviceId))]
  const [totals, payers, last] = await Promise.all([
    findTotals(query, services),
    Promise.all(affectedPayers(difference).map(each => findPayer(query, each))),
    findEach<[string, string]>(
      query,
      'SELECT service_id, max(at) FROM payments WHERE service_id = $1 GROUP BY service_id',
      losers,
    ),
  ])
  const found = payers.filter(sum => sum !== undefined).map(sum => [payerKey(sum), sum] as const)
  const next = applyDifference({ totals, payers: new Map(found) }, difference, new Map(last))
  await Promise.all([
    ...[...next.totals].map(([id, total]) => saveTotals(query, id, total)),
    ...[...next.payers.values()].map(sum => savePayer(query, sum)),
  ])
}

async function findPayer(
  query: Query,
  { serviceId, payer }: Pick<PayerSum, 'serviceId' | 'payer'>,
): Promise<PayerSum | undefined> {
  const sql = 'SELECT tx_count, amount FROM payment_payers WHERE service_id = $1 AND payer = $2'
  const [row] = await query<[number, string]>(sql, [serviceId, payer])
  return row && { serviceId, payer, txCount: row[0], amount: row[1] }
}

async function saveTotals(query: Query, serviceId: string, totals: PaymentTotals): Promise<void> {
  const { txCount, totalRevenue, payers, lastPaymentAt } = totals
  await query(
    `INSERT INTO payment_totals (service_id, tx_count, total_revenue, payers, last_payment_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (service_id) DO UPDATE SET tx_count = excluded.tx_count, total_revenue = excluded.total_revenue,
       payers = excluded.payers, last_payment_at = excluded.last_payment_at`,
    [serviceId, txCount, totalRevenue, payers, lastPaymentAt],
  )
}

async function savePayer(query: Query, { serviceId, payer, txCount, amount }: PayerSum): Promise<void> {
  if (txCount === 0)
    await query('DELETE FROM payment_payers WHERE service_id = $1 AND payer = $2', [serviceId, payer])
  else
    await query(
      `INSERT INTO payment_payers (service_id, payer, tx_count, amount) VALUES ($1, $2, $3, $4)
       ON CONFLICT (service_id, payer) DO UPDATE SET tx_count = excluded.tx_count, amount = excluded.amount`,
      [serviceId, payer, txCount, amount],
    )
}

const MIN_VOLUME = 'CAST($4 AS double precision)'

/**
 * Follows the money from the payee: first over transfers of any kind, then over settlements alone, to wallets that have claimed a
 * service, are credited with the settlements and received from that payer at least what a payer must spend to count. Claimed services
 * alone, because an attacker could list the wallets of honest customers and pay them to make them look like a ring.
 */
const REACHED = `
  WITH RECURSIVE reached (wallet, hops) AS (
    SELECT receiver, 1 FROM payee_transfers WHERE chain = $1 AND payee = $2
    UNION
    SELECT payee, 1 FROM payments WHERE chain = $1 AND payer = $2
    UNION
    SELECT payments.payee, hops + 1 FROM reached
      JOIN payments ON payments.chain = $1 AND payments.payer = reached.wallet
      JOIN payment_payers ON payment_payers.service_id = payments.service_id
        AND payment_payers.payer = payments.payer AND CAST(payment_payers.amount AS double precision) >= ${MIN_VOLUME}
      JOIN services ON services.id = payments.service_id
        AND substr(services.owner, length(services.owner) - length(payments.payee)) = ':' || payments.payee
      WHERE hops < ${RING_HOPS}
  )`

/** Parameters: chain, payee, service, minimum volume, since when a payment is recent, until when an established payer must have paid first. */
const FACTS = `
  ${REACHED}, sums AS (
    SELECT payer, CAST(amount AS double precision) AS volume, payer IN (SELECT wallet FROM reached) AS in_ring
    FROM payment_payers WHERE service_id = $3 AND payer <> $2
  ), records AS (
    SELECT payer, count(DISTINCT payee) AS sellers, count(DISTINCT substr(at, 1, 10)) AS days,
      min(at) FILTER (WHERE service_id = $3) AS since
    FROM payments
    WHERE chain = $1 AND payer IN (SELECT payer FROM sums WHERE NOT in_ring AND volume >= ${MIN_VOLUME})
      AND (payee = $2 OR payee NOT IN (SELECT wallet FROM reached))
    GROUP BY payer
  ), established AS (
    SELECT since FROM records WHERE sellers >= ${ESTABLISHED} AND days >= ${ESTABLISHED} AND since <= $6
  )
  SELECT count(*) FILTER (WHERE in_ring),
    count(*) FILTER (WHERE NOT in_ring AND volume < ${MIN_VOLUME}),
    count(*) FILTER (WHERE NOT in_ring AND volume >= ${MIN_VOLUME}),
    max(volume) FILTER (WHERE NOT in_ring AND volume >= ${MIN_VOLUME}),
    sum(volume) FILTER (WHERE NOT in_ring AND volume >= ${MIN_VOLUME}),
    (SELECT count(*) FROM established),
    (SELECT min(since) FROM established),
    (SELECT count(DISTINCT payer) FROM payments WHERE service_id = $3 AND at >= $5 AND payer IN (SELECT payer FROM records))
  FROM sums`

/** Whether money of the payee has reached the payer. Parameters: chain, payee, payer, minimum volume. */
export const RING = `${REACHED} SELECT count(*) FROM reached WHERE wallet = $3`

/** Inside the caller's transaction; null if the chain of the service is not read. */
export async function findPaymentFacts(query: Query, entry: Entry, now: Date): Promise<PaymentFacts | null> {
  const { id, x402Config, pricing } = entry
  const chain = chainKey(x402Config.network)
  const [read, totals] = await Promise.all([
    query('SELECT 1 FROM chain_cursors WHERE chain = $1', [chain]),
    findTotals(query, [id]),
  ])
  if (read.length === 0) return null
  const payee = addressKey(x402Config.paymentAddress, x402Config.network)
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  const parameters = [
    chain,
    payee,
    id,
    minSpent(pricing.currency),
    daysAgo(PAID_DAYS),
    daysAgo(ESTABLISHED_DAYS),
  ]
  const credited = creditGround(entry)
  const [row] = credited ? await query(FACTS, parameters) : []
  return toPaymentFacts(totals.get(id)!, credited, row)
}

type Facts = [number, number, number, number | null, number | null, number, string | null, number]
const NO_FACTS: Facts = [0, 0, 0, null, null, 0, null, 0]

/** @param row undefined if payments do not count for the entry */
function toPaymentFacts(
  totals: PaymentTotals,
  credited: CreditGround | null,
  row: readonly unknown[] | undefined,
): PaymentFacts {
  const [inRing, tooSmall, unrelated, largest, all, established, since, recent] = (row ?? NO_FACTS) as Facts
  return {
    settlements: totals.txCount,
    payers: totals.payers,
    credited,
    inRing,
    tooSmall,
    unrelated,
    established,
    since,
    recent,
    largestShare: largest && all ? largest / all : 0,
  }
}
