// What is said of an entry: what happened to it, and where its trust comes from.
import type { Shape } from './kinds.ts'

export const STANDING_CODES = {
  // What has no code of its own, as it was written: what was kept before there were codes, what another directory answered,
  // and what only its operator reads. It is the same in every language.
  text: { text: 'text' },
  several: { messages: 'messages' },

  edited: { by: 'party', what: 'change' },
  retired_by: { by: 'party', message: 'text' },
  unlisted_by_source: { url: 'text' },
  restored_by: { by: 'party' },
  claimed: {},
  removed_by_source: { url: 'text' },
  proof_gained: { host: 'text', by: 'proof_place', names: 'proof_name' },
  proof_missing: { host: 'text', count: 'number' },
  proof_of_others: { host: 'text' },
  hidden_by_operator: { why: 'text' },
  unhidden_by_operator: {},
  retired: {},
  failed_in_a_row: { count: 'number', seen: 'messages' },
  answered_again: { count: 'number', seen: 'messages' },
  pay_to_changed: { before: 'texts', after: 'texts' },
  price_changed: { before: 'text', after: 'text' },

  sample: {},
  not_measured: {},
  not_probed: {},
  speed: { probes: 'number', fast: 'number', fastMs: 'number', fair: 'number', fairSeconds: 'number' },
  age_since_registration: { days: 'number', fullDays: 'number' },
  age_since_move: { days: 'number', fullDays: 'number' },
  payers_unknown: {},
  payers: { payers: 'number', fullPayers: 'number' },
  never_verifiable: { problem: 'message' },
  verified: {},
  failing: {},
  not_as_registered: {},
  uptime: { answered: 'number', probes: 'number' },
  stability: {
    probes: 'number',
    asListed: 'number',
    otherPrice: 'number',
    mismatched: 'number',
    mismatchWeight: 'number',
  },

  address_malformed: { address: 'text', network: 'text', shape: 'address_shape' },
  address_of_nobody: { address: 'text', network: 'text' },
} as const satisfies Readonly<Record<string, Shape>>
