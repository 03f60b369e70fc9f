// Who pays a service, as of now.
import { isClaimed } from '../../domain/backing.ts'
import type { PaymentFacts } from '../../domain/payment-facts.ts'
import type { Entry } from '../../domain/service.ts'
import { toParameters, toPayerFactsSql, toPaymentFacts, toRingSql } from '../payer-facts.ts'
import type { Query } from './link.ts'
import { findTotals } from './payment-sums.ts'

const TYPES = ['', 'text', 'text', 'text', 'float8']
const place = (n: number) => `$${n}::${TYPES[n]}`
const real = (column: string) => `${column}::float8`
const FACTS = toPayerFactsSql(place, real)
export const RING = toRingSql(place, real)

/** Runs inside the transaction of whoever calls it, where the chain of the service is read. */
export async function findPaymentFacts(query: Query, entry: Entry): Promise<PaymentFacts> {
  const totals = await findTotals(query, [entry.id])
  const [row] = isClaimed(entry) ? await query(FACTS, toParameters(entry)) : []
  return toPaymentFacts(totals.get(entry.id)!, row)
}
