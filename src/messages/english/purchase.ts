// What is said of a purchase, in English.
import type { PartWords } from '../kinds.ts'
import type { PURCHASE_CODES } from '../purchase-codes.ts'
import type { Words } from '../words.ts'
import { quoted } from './phrases.ts'

const CAP: PartWords<'cap'> = {
  call: 'for one call',
  service: 'for one service in 24 hours',
  host: 'for one domain in 24 hours',
  payee: 'for one payee in 24 hours',
  day: 'for 24 hours',
}
const OUTCOME: PartWords<'purchase_outcome'> = {
  delivered: 'It delivered',
  delivered_not_as_declared: 'It delivered something else than it declares',
  refused_after_payment: 'It took the payment and refused',
  charged_other: 'It took the payment and asked for another one',
  settled_silent: 'It took the payment and gave no answer',
  not_settled: 'The payment was not taken',
}

const ROLE: PartWords<'signer_role'> = {
  payee: 'the wallet that is paid',
  origin: 'a key that its domain publishes',
}

const joined = (messages: readonly string[]) => messages.join(' ')

export const PURCHASE: Words<typeof PURCHASE_CODES> = {
  not_quoted: ({ problems }, tell) =>
    joined(['It did not ask for a payment that can be read.', ...problems.map(tell)]),
  answered_unpaid: ({ status }) => `It answers ${status} without asking for a payment.`,
  way_not_payable:
    'None of its ways to pay can be paid here: only the scheme exact in a known token, by an authorization (EIP-3009) on an EVM network or by a transaction on Solana, to the listed wallet.',
  key_missing: ({ chain }) => `It is paid on ${chain}, and there is no key of a wallet for it here.`,
  node_missing: ({ chain }) =>
    `A payment on ${chain} is made of what a node tells, and RPC_URL_… names none for it.`,
  node_away: ({ chain }) =>
    `The node of ${chain} does not tell what a payment is made of; nothing was signed.`,
  authorization_too_long: ({ seconds, most }) =>
    `It asks for an authorization that is good for ${seconds} seconds; at most ${most} are signed.`,
  price_not_in_dollars: ({ currency }) =>
    `What it asks for in ${currency} cannot be told in dollars, so that no cap can be kept; RATES gives rates.`,
  guard_stopped: ({ verdict, reasons }, tell) =>
    joined([`The directory says ${quoted(verdict)}.`, ...reasons.map(tell)]),
  not_approved: 'The payment was not approved.',
  cap_passed: ({ cap, asked, spent, most }) =>
    `It would cost $${asked}; of the $${most} ${CAP[cap]}, $${spent} are spent or reserved.${
      cap === 'day' && most === '0' ? ' Nothing is bought until BUDGET_PER_DAY is set.' : ''
    }`,
  purpose_taken: ({ id }) => `It was bought for this purpose already, by the purchase ${id}.`,
  reservation_lost: 'The reservation was released before anything was signed.',
  signing_failed: 'The payment could not be signed as it was quoted; nothing was sent.',
  not_bought_here: ({ what }) => `It cannot be bought by this buyer: ${what}.`,
  input_not_as_declared: ({ problems }) =>
    `The input is not as the service declares it: ${problems.join('; ')}.`,
  tool_gone: ({ tool }) => `The server no longer lists the tool ${quoted(tool)}.`,
  approval_impossible: ({ asks }) =>
    joined(['It needs the approval of the user, who cannot be asked here.', ...asks]),
  offer_changed: 'It asks for something else than was approved; nothing was signed.',
  nothing_found: 'No service fits.',
  asks_for_price: ({ usd, most }) => `It costs $${usd}; up to $${most} are paid without asking.`,
  asks_for_verdict: ({ verdict }) => `The directory says ${quoted(verdict)}.`,
  asks_for_payee: ({ before }) => `It was last paid to another wallet, ${before}.`,
  directory_answer_odd: 'What the directory answered cannot be read; nothing was signed.',

  bought: ({ outcome, price, reasons }, tell) =>
    joined([`Bought for ${price}: ${OUTCOME[outcome]}.`, ...reasons.map(tell)]),
  settled_on_chain: ({ transaction }) => `The payment is on chain, in transaction ${transaction}.`,
  settled_unseen: ({ transaction }) =>
    `It says that the payment was settled in the transaction ${quoted(transaction)}; no node was asked.`,
  settlement_missing: ({ transaction }) =>
    `It says that the payment was settled in the transaction ${quoted(transaction)}; the chain does not show it.`,
  settlement_denied: ({ why }) => `It says that the payment was not settled: ${quoted(why)}.`,
  settlement_silent: 'It does not say whether the payment was settled.',
  authorization_expired: 'The authorization expired unused.',
  answer_status: ({ status }) => `It answered ${status} to the paid request.`,
  sample_made_up: 'The request held values made up here, so that this does not count.',
  answer_missing: ({ problem }, tell) => tell(problem),
  answer_no_result: 'The answer is not a result of the tool.',
  tool_failed: ({ why }) => `The tool answered with an error: ${why}.`,
  answer_empty: 'The answer is empty.',
  answer_other_type: ({ declared, got }) =>
    `It declares ${quoted(declared)} and answered with ${quoted(got)}.`,
  answer_not_json: 'The answer is not the JSON that it declares.',
  answer_other_schema: ({ problems }) =>
    `The answer does not fit its declared schema: ${problems.join('; ')}.`,
  answer_too_large: ({ kib }) => `The answer is longer than ${kib} KiB and was not checked.`,
  answer_redirects: ({ status }) =>
    `It redirects the paid request (${status}); a payment is not carried elsewhere.`,
  asked_again: ({ amount, isSame }) =>
    isSame
      ? `It asked for the same payment again (${amount} base units).`
      : `It asked for another payment of ${amount} base units.`,
  asked_for_another: ({ payTo }) => `The second payment is for another wallet, ${quoted(payTo)}.`,
  charged_amount: ({ quoted: asked, charged }) =>
    `It quoted ${asked} base units and says that it charged ${charged}.`,

  signed_offers: ({ count, signed }, tell) =>
    `${count === 1 ? 'One of its ways to pay is' : `${count} of its ways to pay are`} signed. ${tell(signed)}`,
  signed_offers_invalid: ({ count, problem }, tell) =>
    `${count === 1 ? 'One of its signed offers does' : `${count} of its signed offers do`} not hold. ${tell(problem)}`,
  receipt_valid: ({ signed }, tell) => `It gave a signed receipt. ${tell(signed)}`,
  receipt_invalid: ({ problem }, tell) => `Its signed receipt does not hold. ${tell(problem)}`,
  signed_by: ({ by, signer }) => `The signature is by ${ROLE[by]}, ${quoted(signer)}.`,
  signed_unreadable: ({ field }) => `What is signed cannot be read: ${quoted(field)}.`,
  signed_bad_signature: 'The signature is not one of the key that it names.',
  signed_key_missing: ({ key }) => `The key ${quoted(key)} of the signature cannot be found.`,
  signed_by_others: ({ signer }) =>
    `The signature is by ${quoted(signer)}, who stands neither for the wallet that is paid nor for the domain.`,
  signed_other_resource: ({ url }) => `It is signed for another place, ${quoted(url)}.`,
  signed_other_terms: 'It is signed for terms that the answer does not have.',
  signed_other_network: ({ network }) => `It is signed for another network, ${quoted(network)}.`,
  signed_other_payer: ({ payer }) => `It is signed for another payer, ${quoted(payer)}.`,
  signed_other_payment: ({ transaction }) => `It is signed for another payment, ${quoted(transaction)}.`,
  signed_other_time: 'It was signed at another time than the payment.',
  signed_expired: 'It has expired.',

  not_delivering: ({ count, seen }, tell) =>
    joined([`It was paid ${count} times in a row and did not deliver.`, ...seen.map(tell)]),
  never_bought: 'This directory has never bought from it, so delivery is unconfirmed.',
  payments_unseen: 'It delivered, but no node of this directory has seen the payment: that gives no points.',
  delivery: ({ delivered, purchases, failedInARow }) =>
    `It delivered in ${delivered} of ${purchases} ${purchases === 1 ? 'purchase' : 'purchases'}.${
      failedInARow > 0 ? ` The last ${failedInARow === 1 ? 'one' : failedInARow} failed.` : ''
    }`,
}
