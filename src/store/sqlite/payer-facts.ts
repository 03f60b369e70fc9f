// Who pays a service, as of now.
import { isClaimed } from '../../domain/backing.ts'
import { chainKey } from '../../domain/chains.ts'
import type { PaymentFacts } from '../../domain/payment-facts.ts'
import type { Entry } from '../../domain/service.ts'
import { toParameters, toPayerFactsSql, toPaymentFacts } from '../payer-facts.ts'
import type { ChainCursor, PaymentTotals } from '../payments.ts'
import { rowsOf, type SqliteSession } from './session.ts'

/** Runs inside the transaction of whoever calls it; null where the chain of the service is not read. */
export function createPayerFacts(
  session: SqliteSession,
  cursorOf: (chain: string) => ChainCursor | undefined,
  totalsOf: (serviceId: string) => PaymentTotals,
): (entry: Entry) => PaymentFacts | null {
  const select = session.prepare(
    toPayerFactsSql(
      n => `?${n}`,
      column => `CAST(${column} AS REAL)`,
    ),
  )
  return entry => {
    if (!cursorOf(chainKey(entry.x402Config.network))) return null
    const row = isClaimed(entry) ? rowsOf(select, ...toParameters(entry))[0] : undefined
    return toPaymentFacts(totalsOf(entry.id), row)
  }
}
