// Messages about purchases, in English.
import { type Denial, findDenial } from '../denials.ts'
import { isEmptyAnswer } from '../empty-answer.ts'
import type { PartWords } from '../kinds.ts'
import type { PURCHASE_CODES } from '../purchase-codes.ts'
import type { Words } from '../words.ts'
import { quoted } from './phrases.ts'

const CAP: PartWords<'cap'> = {
  call: 'for one call',
  service: 'for one service in 24 hours',
  host: 'for one domain in 24 hours',
  payee: 'for one payment address in 24 hours',
  day: 'for 24 hours',
}
const OUTCOME: PartWords<'purchase_outcome'> = {
  delivered: 'It delivered',
  delivered_not_as_declared: 'It delivered something other than it declares',
  refused_after_payment: 'It took the payment and returned an error',
  charged_other: 'It took the payment and asked for another',
  settled_silent: 'It took the payment and gave no response',
  not_settled: 'The payment was not taken',
}
/** In place of the outcome, where nothing came. */
const EMPTY = 'It took the payment and returned an empty response'

const DENIAL: Readonly<Record<Denial, string>> = {
  funds: 'the paying wallet did not hold enough',
  signature: 'the signature was not accepted',
  expired: 'the payment came too late',
  reused: 'the payment had been used before',
  amount: 'the amount was not accepted',
  payee: 'the payment address was not accepted',
  failed: 'the transaction failed on chain',
}

/** @param price null if the decimals of the asset are not known */
const money = (amount: string, price: string | null) =>
  price ?? `${amount} of the smallest units of an unknown token`

const joined = (messages: readonly string[]) => messages.join(' ')

export const PURCHASE: Words<typeof PURCHASE_CODES> = {
  not_quoted: ({ problems }, tell) =>
    joined(['It did not ask for a payment that can be read.', ...problems.map(tell)]),
  answered_unpaid: ({ status }) => `It answers ${status} without asking for a payment.`,
  way_not_payable:
    'None of its payment options is supported here. Supported: the scheme exact in a known token, to the listed wallet, by an authorization (EIP-3009) on an EVM network or by a transaction on Solana.',
  key_missing: ({ chain }) => `It is paid on ${chain}, for which no wallet key is set.`,
  node_missing: ({ chain }) =>
    `A payment on ${chain} needs data from a node, and no RPC_URL_… is set for it.`,
  node_away: ({ chain }) =>
    `The node of ${chain} does not return the data that a payment needs; nothing was signed.`,
  authorization_too_long: ({ seconds, most }) =>
    `It asks for an authorization that is valid for ${seconds} seconds; the maximum is ${most}.`,
  price_not_in_dollars: ({ currency }) =>
    `Its price in ${currency} cannot be converted to dollars, so no cap can be applied; set a rate with RATES.`,
  guard_stopped: ({ verdict, reasons }, tell) =>
    joined([`The directory says ${quoted(verdict)}.`, ...reasons.map(tell)]),
  not_approved: 'The payment was not approved.',
  cap_passed: ({ cap, asked, spent, most }) =>
    `It would cost $${asked}; of the $${most} ${CAP[cap]}, $${spent} are spent or reserved.${
      cap === 'day' && most === '0' ? ' Nothing is bought until BUDGET_PER_DAY is set.' : ''
    }`,
  purpose_taken: ({ id }) => `It was already bought for this purpose, by the purchase ${id}.`,
  reservation_lost: 'The reservation was released before anything was signed.',
  signing_failed: 'The payment could not be signed as quoted; nothing was sent.',
  not_bought_here: ({ what }) => `It cannot be bought by this buyer: ${what}.`,
  input_not_as_declared: ({ problems }) =>
    `The input does not match what the service declares: ${problems.join('; ')}.`,
  tool_gone: ({ tool }) => `The server no longer lists the tool ${quoted(tool)}.`,
  approval_impossible: ({ asks }) =>
    joined(['It needs the approval of the user, which cannot be requested here.', ...asks]),
  offer_changed: 'It asks for something other than what was approved; nothing was signed.',
  nothing_found: 'No service fits.',
  asks_for_price: ({ usd, most }) => `It costs $${usd}; up to $${most} are paid without asking.`,
  asks_for_verdict: ({ verdict }) => `The directory says ${quoted(verdict)}.`,
  asks_for_payee: ({ before }) => `It was last paid to another wallet, ${before}.`,
  directory_answer_odd: 'The response of the directory cannot be read; nothing was signed.',

  bought: ({ outcome, price, reasons }, tell) =>
    isEmptyAnswer(outcome, reasons)
      ? joined([
          `Test purchase for ${price}: ${EMPTY}.`,
          ...reasons.filter(({ code }) => code !== 'answer_empty').map(tell),
        ])
      : joined([`Test purchase for ${price}: ${OUTCOME[outcome]}.`, ...reasons.map(tell)]),
  settled_on_chain: ({ transaction }) => `The payment is on chain, in transaction ${transaction}.`,
  settled_unseen: ({ transaction }) =>
    `It said that the payment was settled in the transaction ${quoted(transaction)}; this was not checked on chain.`,
  settlement_missing: ({ transaction }) =>
    `It said that the payment was settled in the transaction ${quoted(transaction)}; the chain does not show it.`,
  settlement_denied: ({ why }) => {
    const denial = findDenial(why)
    return `It said that the payment was not settled: ${denial ? DENIAL[denial] : quoted(why)}.`
  },
  settlement_silent: 'It did not say whether the payment was settled.',
  authorization_expired: 'The authorization expired unused.',
  answer_status: ({ status }) => `It answered ${status} to the paid request.`,
  sample_made_up: 'The request contained invented values, so this does not count.',
  answer_missing: ({ problem }, tell) => tell(problem),
  answer_no_result: 'The response was not a result of the tool.',
  tool_failed: ({ why }) => `The tool answered with an error: ${why}.`,
  answer_empty: 'The response was empty.',
  answer_other_type: ({ declared, got }) =>
    `It declares ${quoted(declared)} and answered with ${quoted(got)}.`,
  answer_not_json: 'The response was not JSON, which it declares.',
  answer_other_schema: ({ problems }) =>
    `The response did not match its declared schema: ${problems.join('; ')}.`,
  answer_too_large: ({ kib }) => `The response was longer than ${kib} KiB and was not checked.`,
  answer_redirects: ({ status }) =>
    `It redirected the paid request (${status}); the payment was not forwarded.`,
  asked_again: ({ amount, price, isSame }) =>
    isSame
      ? `It asked for the same payment again: ${money(amount, price)}.`
      : `It asked for another payment of ${money(amount, price)}.`,
  asked_for_another: ({ payTo }) => `The second payment was for another wallet, ${quoted(payTo)}.`,
  charged_amount: ({ quoted: asked, charged, quotedPrice, chargedPrice }) =>
    `It quoted ${money(asked, quotedPrice)} and said that it charged ${money(charged, chargedPrice)}.`,

  not_delivering: ({ count, seen }, tell) =>
    joined([`It was paid ${count} times in a row and did not deliver.`, ...seen.map(tell)]),
  never_bought: 'This directory has made no test purchase yet, so delivery is unconfirmed.',
  payments_unseen:
    'It delivered, but this directory did not see the payment on chain, so it gives no points.',
  delivery: ({ delivered, purchases, failedInARow }) =>
    `${delivered} of ${purchases} counted test purchases delivered.${
      failedInARow > 0 ? ` The last ${failedInARow === 1 ? 'one' : failedInARow} failed.` : ''
    }`,
}
