// Facts about the payers of a service.

import { chainKey } from '../../domain/chains/chains.ts'
import { isClaimed } from '../../domain/listing/backing.ts'
import type { Entry } from '../../domain/listing/service.ts'
import type { PaymentFacts } from '../../domain/standing/payment-facts.ts'
import { toParameters, toPayerFactsSql, toPaymentFacts, toRingSql } from '../payer-facts.ts'
import type { ChainCursor, PaymentTotals } from '../payments.ts'
import { rowsOf, type SqliteSession } from './session.ts'

const DIALECT = {
  place: (n: number) => `?${n}`,
  real: (column: string) => `CAST(${column} AS REAL)`,
  owner: 'services.owner',
}

export const RING = toRingSql(DIALECT)

/** Runs inside the caller's transaction; null if the chain of the service is not read. */
export function createPayerFacts(
  session: SqliteSession,
  cursorOf: (chain: string) => ChainCursor | undefined,
  totalsOf: (serviceId: string) => PaymentTotals,
): (entry: Entry) => PaymentFacts | null {
  const select = session.prepare(toPayerFactsSql(DIALECT))
  return entry => {
    if (!cursorOf(chainKey(entry.x402Config.network))) return null
    const row = isClaimed(entry) ? rowsOf(select, ...toParameters(entry))[0] : undefined
    return toPaymentFacts(totalsOf(entry.id), row)
  }
}
