// What the settlements of a service say about who pays it.
import { CURRENCY_FAMILIES, currencyKey } from './money.ts'

export type PaymentFacts = {
  /** Settlements that count for it. */
  readonly settlements: number
  /** Different wallets that paid it. */
  readonly payers: number
  /** Whether its wallet has claimed it by a signature: nobody is asked about the payers of a stranger's wallet. */
  readonly isClaimed: boolean
  /** Payers to whom money came back from the payee, directly or along settlements: a ring of wallets that pay each other. */
  readonly inRing: number
  /** Other payers who have paid too little in all to stand for a customer. */
  readonly tooSmall: number
  /** The payers who are left. */
  readonly unrelated: number
  /** The part that one of those has paid of what all of those have paid, from 0 to 1. */
  readonly largestShare: number
}

/** One payer with more than this part of the volume does not count. */
export const MAX_SHARE = 0.5

/** Hops along which money is followed from the payee back to a payer. */
export const RING_HOPS = 3

export const isConcentrated = ({ unrelated, largestShare }: PaymentFacts): boolean =>
  unrelated > 0 && largestShare > MAX_SHARE

/** The payers that give points. */
export function countedPayers(facts: PaymentFacts): number {
  if (!facts.isClaimed) return 0
  return facts.unrelated - (isConcentrated(facts) ? 1 : 0)
}

const MIN_SPENT = 0.01
const MIN_SPENT_YEN = 1

/** What a wallet must have paid in all to be counted as a payer: an asking price can be as low as one likes, so it is no bound. */
export const minSpent = (currency: string): number =>
  (CURRENCY_FAMILIES.yen as readonly string[]).includes(currencyKey(currency)) ? MIN_SPENT_YEN : MIN_SPENT
