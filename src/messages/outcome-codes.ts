// Messages about reported outcomes.
import type { Shape } from './kinds.ts'

export const OUTCOME_CODES = {
  outcome_reported: { outcome: 'purchase_outcome' },

  // Why a report is refused.
  outcomes_off: {},
  outcomes_spent: { most: 'number' },
  chain_away: {},
  time_expected: {},
  outcome_stale: { minutes: 'number' },
  outcome_network: { network: 'text' },
  outcome_signature: { message: 'text' },
  payer_is_seller: {},
  payer_related: {},
  chain_not_read: { network: 'text' },
  settlement_not_found: {},
  settlement_young: {},
  settlement_plain: {},
  settlement_old: { days: 'number' },
  settlement_dust: { amount: 'text' },
  settlement_of_others: {},
  reported_before: { id: 'text' },
} as const satisfies Readonly<Record<string, Shape>>
