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

/** A payment that counts for a service. */
type CreditedPayment = SettlementRecord & { readonly serviceId: string }

export const isCredited = (payment: SettlementRecord): payment is CreditedPayment =>
  payment.serviceId !== null

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

/** To be called after the payments themselves are written. Resolves to the services whose sums differ now. */
export async function applyToSums(
  query: Query,
  added: readonly CreditedPayment[],
  removed: readonly CreditedPayment[] = [],
): Promise<string[]> {
  const services = Map.groupBy([...added, ...removed], ({ serviceId }) => serviceId)
  const isAdded = new Set(added)
  await Promise.all(
    [...services].map(async ([id, payments]) => {
      const payers = Map.groupBy(payments, ({ payer }) => payer)
      await Promise.all(
        [...payers].map(async ([payer, own]) => {
          const [row] = await query<SumRow>(FIND_PAYER, [id, payer])
          const [count, amount] = applyTo(row, own, isAdded)
          await (count > 0 ? query(PUT_PAYER, [id, payer, count, amount]) : query(DROP_PAYER, [id, payer]))
        }),
      )
      const [row] = await query<SumRow>(FIND_TOTAL, [id])
      await query(PUT_TOTAL, [id, ...applyTo(row, payments, isAdded)])
    }),
  )
  return [...services.keys()]
}

/** The amount is an exact decimal, which no engine can add to. */
type SumRow = readonly [txCount: number, amount: string]

const applyTo = (
  [txCount, amount]: SumRow = [0, '0'],
  payments: readonly CreditedPayment[],
  isAdded: ReadonlySet<CreditedPayment>,
): SumRow => {
  // Added ones first: no sum is below zero meanwhile.
  const [more, less] = [true, false].map(added => payments.filter(each => isAdded.has(each) === added))
  const sum = more!.reduce((total, each) => addDecimals(total, each.amount), amount)
  return [
    txCount + more!.length - less!.length,
    less!.reduce((total, each) => subtractDecimals(total, each.amount), sum),
  ]
}

const FIND_PAYER = 'SELECT tx_count, amount FROM payment_payers WHERE service_id = $1 AND payer = $2'
const PUT_PAYER = `
  INSERT INTO payment_payers (service_id, payer, tx_count, amount) VALUES ($1, $2, $3, $4)
  ON CONFLICT (service_id, payer) DO UPDATE SET tx_count = excluded.tx_count, amount = excluded.amount`
const DROP_PAYER = 'DELETE FROM payment_payers WHERE service_id = $1 AND payer = $2'
const FIND_TOTAL = 'SELECT tx_count, total_revenue FROM payment_totals WHERE service_id = $1'
const PUT_TOTAL = `
  INSERT INTO payment_totals (service_id, tx_count, total_revenue, payers, last_payment_at) VALUES ($1, $2, $3,
    (SELECT count(*) FROM payment_payers WHERE service_id = $1), (SELECT max(at) FROM payments WHERE service_id = $1))
  ON CONFLICT (service_id) DO UPDATE SET tx_count = excluded.tx_count, total_revenue = excluded.total_revenue,
    payers = excluded.payers, last_payment_at = excluded.last_payment_at`

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
