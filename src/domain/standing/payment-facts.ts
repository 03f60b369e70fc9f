// Facts about the payers of a service, from its settlements.
import { CURRENCY_FAMILIES, currencyKey } from '../money/money.ts'

export type PaymentFacts = {
  /** Settlements that count for it. */
  readonly settlements: number
  /** Distinct wallets that paid it. */
  readonly payers: number
  /** Whether its wallet has claimed it by a signature; without a claim, payers do not count. */
  readonly isClaimed: boolean
  /** Payers that got money back from the payee, directly or along settlements: a ring of wallets that pay each other. */
  readonly inRing: number
  /** Other payers whose payments are too small in total to count as a customer. */
  readonly tooSmall: number
  /** The remaining payers. */
  readonly unrelated: number
  /** The largest share of one remaining payer in the volume of all of them, from 0 to 1. */
  readonly largestShare: number
}

/** A payer with more than this share of the volume does not count. */
export const MAX_SHARE = 0.5

/** Number of transfers over which money is followed from the payee back to a payer. */
export const RING_HOPS = 3

export const isConcentrated = ({ unrelated, largestShare }: PaymentFacts): boolean =>
  unrelated > 0 && largestShare > MAX_SHARE

/** The number of payers that earn points. */
export function countedPayers(facts: PaymentFacts): number {
  if (!facts.isClaimed) return 0
  return facts.unrelated - (isConcentrated(facts) ? 1 : 0)
}

/** In dollars, euros or any other currency, and in yen. */
const MIN_SPENT = 0.01
const MIN_SPENT_YEN = 1

/** The minimum total of a wallet to count as a payer. The listed price is no bound, because a provider can set it arbitrarily low. */
export const minSpent = (currency: string): number =>
  (CURRENCY_FAMILIES.yen as readonly string[]).includes(currencyKey(currency)) ? MIN_SPENT_YEN : MIN_SPENT
