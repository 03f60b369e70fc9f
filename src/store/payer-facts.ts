// Facts about the payers of a claimed service, as one SQL query for both engines.
import { chainKey } from '../domain/chains/chains.ts'
import { addressKey } from '../domain/chains/same-address.ts'
import type { Entry } from '../domain/listing/service.ts'
import { minSpent, type PaymentFacts, RING_HOPS } from '../domain/standing/payment-facts.ts'
import type { PaymentTotals } from './payments.ts'

type Dialect = {
  /** Writes the nth parameter. */
  place(n: number): string
  /** Turns a decimal text into a float. */
  real(column: string): string
  /** The owner of a row of services. */
  readonly owner: string
}

/**
 * Follows the money from the payee: first over transfers of any kind, then over settlements alone, to wallets that have claimed a
 * service, are credited with the settlements and received from that payer at least what a payer must spend to count. Claimed services
 * alone, because an attacker could list the wallets of honest customers and pay them to make them look like a ring.
 */
const toReachedSql = ({ place, real, owner }: Dialect): string => `
  WITH RECURSIVE reached (wallet, hops) AS (
    SELECT receiver, 1 FROM payee_transfers WHERE chain = ${place(1)} AND payee = ${place(2)}
    UNION
    SELECT payee, 1 FROM payments WHERE chain = ${place(1)} AND payer = ${place(2)}
    UNION
    SELECT payments.payee, hops + 1 FROM reached
      JOIN payments ON payments.chain = ${place(1)} AND payments.payer = reached.wallet
      JOIN payment_payers ON payment_payers.service_id = payments.service_id
        AND payment_payers.payer = payments.payer AND ${real('payment_payers.amount')} >= ${place(4)}
      JOIN services ON services.id = payments.service_id
        AND substr(${owner}, length(${owner}) - length(payments.payee)) = ':' || payments.payee
      WHERE hops < ${RING_HOPS}
  )`

/** Parameters: chain, payee, service, minimum volume. */
export const toPayerFactsSql = (dialect: Dialect): string => {
  const { place, real } = dialect
  return `
  ${toReachedSql(dialect)}, sums AS (
    SELECT ${real('amount')} AS volume, payer IN (SELECT wallet FROM reached) AS in_ring
    FROM payment_payers WHERE service_id = ${place(3)} AND payer <> ${place(2)}
  )
  SELECT count(*) FILTER (WHERE in_ring),
    count(*) FILTER (WHERE NOT in_ring AND volume < ${place(4)}),
    count(*) FILTER (WHERE NOT in_ring AND volume >= ${place(4)}),
    max(volume) FILTER (WHERE NOT in_ring AND volume >= ${place(4)}),
    sum(volume) FILTER (WHERE NOT in_ring AND volume >= ${place(4)})
  FROM sums`
}

/** Whether money of the payee has reached the payer. Parameters: chain, payee, payer, minimum volume. */
export const toRingSql = (dialect: Dialect): string => `
  ${toReachedSql(dialect)} SELECT count(*) FROM reached WHERE wallet = ${dialect.place(3)}`

export const toParameters = ({ id, x402Config, pricing }: Entry): [string, string, string, number] => [
  chainKey(x402Config.network),
  addressKey(x402Config.paymentAddress, x402Config.network),
  id,
  minSpent(pricing.currency),
]

/** @param row undefined if the wallet has not claimed the entry */
export function toPaymentFacts(totals: PaymentTotals, row: readonly unknown[] | undefined): PaymentFacts {
  const [inRing, tooSmall, unrelated, largest, all] = (row ?? [0, 0, 0, null, null]) as [
    number,
    number,
    number,
    number | null,
    number | null,
  ]
  return {
    settlements: totals.txCount,
    payers: totals.payers,
    isClaimed: row !== undefined,
    inRing,
    tooSmall,
    unrelated,
    largestShare: largest && all ? largest / all : 0,
  }
}
