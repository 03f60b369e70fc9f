// Why facilitators do not settle a payment. Their codes name one reason in many spellings, by scheme and network; these are the reasons
// that a reader can do something with.

const CODES = {
  funds: /insufficient_(?:funds|balance)/,
  signature: /signature/,
  expired: /expired|valid_before|too_late/,
  reused: /nonce|already_used|duplicate/,
  amount: /amount|_value/,
  payee: /recipient|pay_to|payto/,
  failed: /simulation|transaction_failed|transaction_state|reverted/,
} as const

export type Denial = keyof typeof CODES

/** undefined if the code is unknown. */
export const findDenial = (code: string): Denial | undefined =>
  (Object.keys(CODES) as Denial[]).find(denial => /^[a-z0-9_]+$/.test(code) && CODES[denial].test(code))
