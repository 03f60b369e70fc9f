// What is said of a purchase: why it was not made, how it ended, and what follows from it.
import type { Shape } from './kinds.ts'

export const PURCHASE_CODES = {
  // Why nothing was signed.
  not_quoted: { problems: 'messages' },
  answered_unpaid: { status: 'number' },
  way_not_payable: {},
  authorization_too_long: { seconds: 'number', most: 'number' },
  price_not_in_dollars: { currency: 'text' },
  guard_stopped: { verdict: 'text', reasons: 'messages' },
  not_approved: {},
  cap_passed: { cap: 'cap', asked: 'text', spent: 'text', most: 'text' },
  purpose_taken: { id: 'text' },
  reservation_lost: {},
  signing_failed: {},
  not_bought_here: { what: 'text' },

  // How it ended.
  bought: { outcome: 'purchase_outcome', price: 'text', reasons: 'messages' },
  settled_on_chain: { transaction: 'text' },
  settled_unseen: { transaction: 'text' },
  settlement_missing: { transaction: 'text' },
  settlement_denied: { why: 'text' },
  settlement_silent: {},
  authorization_expired: {},
  answer_status: { status: 'number' },
  answer_missing: { problem: 'message' },
  answer_empty: {},
  answer_other_type: { declared: 'text', got: 'text' },
  answer_not_json: {},
  answer_other_schema: { problems: 'texts' },
  answer_too_large: { kib: 'number' },
  answer_redirects: { status: 'number' },
  asked_again: { amount: 'text', isSame: 'flag' },
  asked_for_another: { payTo: 'text' },
  charged_amount: { quoted: 'text', charged: 'text' },

  // What is signed by the seller: an offer, or a receipt.
  signed_offers: { count: 'number', signed: 'message' },
  signed_offers_invalid: { count: 'number', problem: 'message' },
  receipt_valid: { signed: 'message' },
  receipt_invalid: { problem: 'message' },
  signed_by: { by: 'signer_role', signer: 'text' },
  signed_unreadable: { field: 'text' },
  signed_bad_signature: {},
  signed_key_missing: { key: 'text' },
  signed_by_others: { signer: 'text' },
  signed_other_resource: { url: 'text' },
  signed_other_terms: {},
  signed_other_network: { network: 'text' },
  signed_other_payer: { payer: 'text' },
  signed_other_payment: { transaction: 'text' },
  signed_other_time: {},
  signed_expired: {},

  // What follows from it.
  not_delivering: { count: 'number', seen: 'messages' },
  never_bought: {},
  delivery: { delivered: 'number', purchases: 'number', failedInARow: 'number' },
} as const satisfies Readonly<Record<string, Shape>>
