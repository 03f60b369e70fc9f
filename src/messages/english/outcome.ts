// Messages about reported outcomes, in English.
import type { PartWords } from '../kinds.ts'
import type { OUTCOME_CODES } from '../outcome-codes.ts'
import type { Words } from '../words.ts'

const OUTCOME: PartWords<'purchase_outcome'> = {
  delivered: 'it delivered',
  delivered_not_as_declared: 'it delivered nothing, or something other than it declares',
  refused_after_payment: 'it took the payment and returned an error',
  charged_other: 'it took the payment and asked for another',
  settled_silent: 'it took the payment and gave no response',
  not_settled: 'the payment was not taken',
}

export const OUTCOME_WORDS: Words<typeof OUTCOME_CODES> = {
  outcome_reported: ({ outcome }) => `A payer says: ${OUTCOME[outcome]}. The payment was seen on chain.`,
  outcomes_off:
    'Outcomes cannot be reported here: the directory does not know its public address; its operator sets PUBLIC_URL.',
  outcomes_spent: ({ most }) => `At most ${most} outcomes are accepted in 24 hours; try again tomorrow.`,
  chain_away: 'The chain cannot be read right now. Try again in a minute.',
  time_expected: 'must be a time in UTC with milliseconds, like 2026-11-17T09:30:00.000Z',
  outcome_stale: ({ minutes }) =>
    `must be the time of signing, at most ${minutes} minutes ago by the clock of the directory`,
  outcome_network: ({ network }) => `must be the network that the service is listed with, ${network}`,
  outcome_signature: ({ message }) => `must be that of the payer over this text: ${JSON.stringify(message)}`,
  payer_is_seller: 'must not be the wallet that is paid, or that owns the service',
  payer_related: 'must not be a wallet that received money from the provider',
  chain_not_read: ({ network }) => `cannot be looked up, because this directory has no node for ${network}`,
  settlement_not_found:
    'must be a transaction on this network in which the payer pays the wallet of the service',
  settlement_young: 'is in a block that is not final yet. Try again in half an hour',
  settlement_plain: 'must be an x402 settlement, not a plain transfer',
  settlement_old: ({ days }) => `must be from the last ${days} days, and since the service was last moved`,
  settlement_dust: ({ amount }) => `pays ${amount}, less than a tenth of what the service asks for`,
  settlement_of_others: 'has the amount of another service of the same wallet',
  reported_before: ({ id }) => `was already reported as ${id}; each payment can be reported once`,
}
