// Facts about the payers of a service.
import { isClaimed } from '../../domain/listing/backing.ts'
import type { Entry } from '../../domain/listing/service.ts'
import type { PaymentFacts } from '../../domain/standing/payment-facts.ts'
import { toParameters, toPayerFactsSql, toPaymentFacts, toRingSql } from '../payer-facts.ts'
import type { Query } from './link.ts'
import { findTotals } from './payment-sums.ts'

const TYPES = ['', 'text', 'text', 'text', 'float8']
const DIALECT = {
  place: (n: number) => `$${n}::${TYPES[n]}`,
  real: (column: string) => `${column}::float8`,
  owner: "(services.entry ->> 'owner')",
}
const FACTS = toPayerFactsSql(DIALECT)
export const RING = toRingSql(DIALECT)

/** Runs inside the caller's transaction; the chain of the service must be one that is read. */
export async function findPaymentFacts(query: Query, entry: Entry): Promise<PaymentFacts> {
  const totals = await findTotals(query, [entry.id])
  const [row] = isClaimed(entry) ? await query(FACTS, toParameters(entry)) : []
  return toPaymentFacts(totals.get(entry.id)!, row)
}
