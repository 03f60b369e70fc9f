// Messages about payments: whether one is safe, why a purchase or a payer's report of it was refused, how it ended, and what follows.
import { type Messages, quoted, word, worded } from './kinds.ts'

export const PURCHASE = {
  // Before a payment. No page shows these.
  as_listed_and_seen: worded({ compared: 'texts' }, ({ compared }) =>
    compared.length === 0
      ? 'The listing is verified. No values were given to compare with it.'
      : `The listing is verified, and these values match it: ${compared.join(', ')}.`,
  ),
  not_listed: 'It is not listed here, and no verified listing of it was removed.',
  not_approved:
    'The policy of this API key, or of callers without one, does not allow it; ask the operator of the directory.',
  removed: 'Its listing was removed here.',
  payee_elsewhere: 'It asks to pay {asked:quoted}; the listing names {listed:quoted}.',
  payee_new:
    'It asks to pay {asked:quoted}, which it has named on that network for only {days:number} days, and which is not in the listing.',
  network_elsewhere:
    'It asks to be paid on {asked:quoted}; the listing names {listed:quoted}, and no other was seen.',
  more_than_seen: 'It asks for {asked} base units; at the last probe it asked for {seen}.',
  payee_replaced:
    'Until {days:number} {days?day|days} ago, the listing {name:quoted} ({id}) was verified here for another payment address. The endpoint may have been taken over.',
  listing_moved:
    'The endpoint or the payment address of the listing was changed {days:number} {days?day|days} ago.',
  more_than_listed: 'It asks for {asked}; the listed price is {listed}.',
  listing_unverified: '{why:unverified_cause}',
  listing_not_delivering:
    'This directory paid this wallet more than once in a row and got nothing delivered.',
  listing_inactive: 'The listing is inactive: its endpoint has not answered for a while.',
  terms_never_seen: {
    en: 'Its endpoint was never seen asking for a payment.',
    ja: 'エンドポイントが支払いを求めるところは一度も確認されていません。',
  },
  terms_seen_long_ago: 'Its terms were last seen {days:number} days ago.',
  asset_unseen: 'Its endpoint was not seen asking for the asset {asked:quoted}.',
  asset_not_comparable: 'The asset {asset:quoted} cannot be compared with the listed price.',
  amount_without_asset: 'The amount cannot be compared without its asset.',
  scheme_holds_money: worded({ scheme: 'text', risks: 'texts' }, ({ scheme, risks }) =>
    [
      `With the scheme ${quoted(scheme)}, more than the price of a request may be taken, or paid to somebody else.`,
      ...(risks.length > 0 ? [`Its terms set ${risks.join(', ')}.`] : []),
    ].join(' '),
  ),
  scheme_unseen: 'It asks for the scheme {asked:quoted}; it was seen asking for {seen:texts}.',
  method_unseen: 'It is called with {asked}; it was seen asking for payment with {seen:texts}.',
  origin_elsewhere: 'The scheme or the port differs from the listed endpoint, {listed}.',
  query_elsewhere:
    'The listed endpoint, {listed}, has a different query string, and the payment address may depend on it.',

  // Why nothing was signed.
  not_quoted: 'It did not ask for a payment that can be read. {problems:messages}',
  way_not_payable:
    'None of its payment options is supported here. Supported: the scheme exact in a known token, to the listed wallet, by an authorization (EIP-3009) on an EVM network or by a transaction on Solana.',
  key_missing: 'It is paid on {chain}, for which no wallet key is set.',
  node_missing: 'A payment on {chain} needs data from a node, and no RPC_URL_… is set for it.',
  node_away: 'The node of {chain} does not return the data that a payment needs; nothing was signed.',
  authorization_too_long:
    'It asks for an authorization that is valid for {seconds:number} seconds; the maximum is {most:number}.',
  price_not_in_dollars:
    'Its price in {currency} cannot be converted to dollars, so no cap can be applied; set a rate with RATES.',
  guard_stopped: 'The directory says {verdict:quoted}. {reasons:messages}',
  payment_not_approved: 'The payment was not approved.',
  cap_passed: worded(
    { cap: 'cap', asked: 'text', spent: 'text', most: 'text' },
    ({ cap, asked, spent, most }) =>
      `It would cost $${asked}; of the $${most} ${word('cap', cap, 'en')}, $${spent} are spent or reserved.${
        cap === 'day' && most === '0' ? ' Nothing is bought until BUDGET_PER_DAY is set.' : ''
      }`,
  ),
  purpose_taken: 'It was already bought for this purpose, by the purchase {id}.',
  reservation_lost: 'The reservation was released before anything was signed.',
  signing_failed: 'The payment could not be signed as quoted; nothing was sent.',
  not_bought_here: 'It cannot be bought by this buyer: {what}.',
  input_not_as_declared: 'The input does not match what the service declares: {problems:texts}.',
  tool_gone: 'The server no longer lists the tool {tool:quoted}.',
  approval_impossible: worded({ asks: 'texts' }, ({ asks }) =>
    ['It needs the approval of the user, which cannot be requested here.', ...asks].join(' '),
  ),
  offer_changed: 'It asks for something other than what was approved; nothing was signed.',
  nothing_found: 'No service fits.',
  asks_for_price: 'It costs {usd} USD; up to {most} USD are paid without asking.',
  asks_for_verdict: 'The directory says {verdict:quoted}.',
  asks_for_payee: 'It was last paid to another wallet, {before}.',
  directory_answer_odd: 'The response of the directory cannot be read; nothing was signed.',

  // How it ended.
  bought: {
    en: 'Test purchase for {price}: {outcome:purchase_outcome}. {reasons:messages}',
    ja: '{price} でのテスト購入：{outcome}。{reasons}',
  },
  settled_on_chain: {
    en: 'The payment is on chain, in transaction {transaction}.',
    ja: '支払いはチェーン上のトランザクション {transaction} で確認されています。',
  },
  settled_unseen: {
    en: 'It said that the payment was settled in the transaction {transaction:quoted}; this was not checked on chain.',
    ja: 'トランザクション{transaction:quoted}で決済したと応答しました。チェーン上では確認していません。',
  },
  settlement_missing: {
    en: 'It said that the payment was settled in the transaction {transaction:quoted}; the chain does not show it.',
    ja: 'トランザクション{transaction:quoted}で決済したと応答しましたが、チェーン上にありません。',
  },
  // The reason is a code of the facilitator, such as insufficient_funds.
  settlement_denied: {
    en: 'It said that the payment was not settled: {why:quoted}.',
    ja: '提供者の応答：未決済（{why:quoted}）。',
  },
  settlement_silent: {
    en: 'It did not say whether the payment was settled.',
    ja: '決済したかどうかの応答はありませんでした。',
  },
  authorization_expired: {
    en: 'The authorization expired unused.',
    ja: '承認は使われないまま期限が切れました。',
  },
  answer_status: {
    en: 'It answered {status:number} to the paid request.',
    ja: '支払済みのリクエストに {status} を返しました。',
  },
  sample_made_up: {
    en: 'The request contained invented values, so this does not count.',
    ja: 'リクエストの値はこのディレクトリが用意した試験用のものなので、集計の対象外です。',
  },
  answer_missing: { en: '{problem:message}', ja: '{problem}' },
  answer_no_result: {
    en: 'The response was not a result of the tool.',
    ja: '応答はツールの結果ではありませんでした。',
  },
  tool_failed: { en: 'The tool answered with an error: {why}.', ja: 'ツールがエラーを返しました：{why}。' },
  answer_empty: { en: 'The response was empty.', ja: '応答は空でした。' },
  answer_other_type: {
    en: 'It declares {declared:quoted} and answered with {got:quoted}.',
    ja: '仕様は{declared:quoted}ですが、応答は{got:quoted}でした。',
  },
  answer_not_json: {
    en: 'The response was not JSON, which it declares.',
    ja: '応答は、仕様にあるJSONではありませんでした。',
  },
  answer_other_schema: {
    en: 'The response did not match its declared schema: {problems:texts}.',
    ja: '応答が仕様のスキーマに合いませんでした：{problems}。',
  },
  answer_too_large: {
    en: 'The response was longer than {kib:number} KiB and was not checked.',
    ja: '応答が {kib} KiBを超えたため、検査していません。',
  },
  answer_redirects: {
    en: 'It redirected the paid request ({status:number}); the payment was not forwarded.',
    ja: '支払済みのリクエストを転送しました（{status}）。支払いは転送先に送っていません。',
  },
  asked_again: {
    en: 'It asked for {isSame:flag?the same payment again:|another payment of} {price}.',
    ja: '{isSame?同じ支払いをもう一度|別の支払いを}求めました：{price}。',
  },
  asked_for_another: {
    en: 'The second payment was for another wallet, {payTo:quoted}.',
    ja: '2回目の支払い先は別のウォレット{payTo:quoted}でした。',
  },
  charged_amount: {
    en: 'It quoted {quoted} and said that it charged {charged}.',
    ja: '見積もりは {quoted}、請求したと応答した額は {charged} でした。',
  },

  // What follows from it.
  not_delivering: {
    en: 'It was paid {count:number} times in a row and did not deliver. {seen:messages}',
    ja: '{count}回続けて、支払っても提供されませんでした。{seen}',
  },
  never_bought: {
    en: 'This directory has made no test purchase yet, so delivery is unconfirmed.',
    ja: 'このディレクトリはまだテスト購入をしていないため、提供の実績はありません。',
  },
  payments_unseen: {
    en: 'It delivered, but this directory did not see the payment on chain, so it gives no points.',
    ja: '提供されましたが、このディレクトリのノードが支払いを確認していないため、点数には含めません。',
  },
  delivery: worded(
    { delivered: 'number', purchases: 'number', failedInARow: 'number' },
    ({ delivered, purchases, failedInARow }) =>
      `${delivered} of ${purchases} counted test ${purchases === 1 ? 'purchase' : 'purchases'} delivered.${
        failedInARow > 0 ? ` The last ${failedInARow === 1 ? 'one' : failedInARow} failed.` : ''
      }`,
    ({ delivered, purchases, failedInARow }) =>
      `集計対象のテスト購入${purchases}回のうち、提供されたのは${delivered}回です。${
        failedInARow > 0 ? `直近の${failedInARow}回は提供されませんでした。` : ''
      }`,
  ),

  outcome_reported: {
    en: 'A payer reports: {outcome:purchase_outcome}. The payment was seen on chain.',
    ja: '支払った人の報告：{outcome}。支払いはチェーン上で確認されています。',
  },

  // Why a report is refused.
  outcomes_off:
    'Outcomes cannot be reported here: the directory does not know its public address; its operator sets PUBLIC_URL.',
  outcomes_spent: 'At most {most:number} outcomes are accepted in 24 hours; try again tomorrow.',
  chain_away: 'The chain cannot be read right now. Try again in a minute.',
  time_expected: 'must be a time in UTC with milliseconds, like 2026-11-17T09:30:00.000Z',
  outcome_stale:
    'must be the time of signing, at most {minutes:number} minutes ago by the clock of the directory',
  outcome_network: 'must be the network that the service is listed with, {network}',
  outcome_signature: 'must be that of the payer over this text: {message:quoted}',
  payer_is_seller: 'must not be the wallet that is paid, or that owns the service',
  payer_related: 'must not be a wallet that received money from the provider',
  chain_not_read: 'cannot be looked up, because this directory has no node for {network}',
  settlement_not_found:
    'must be a transaction on this network in which the payer pays the wallet of the service',
  settlement_young: 'is in a block that is not final yet. Try again in half an hour',
  settlement_plain: 'must be an x402 settlement, not a plain transfer',
  settlement_old: 'must be from the last {days:number} days, and since the service was last moved',
  settlement_dust: 'pays {amount}, less than a tenth of what the service asks for',
  settlement_of_others: 'has the amount of another service of the same wallet',
  reported_before: 'was already reported as {id}; each payment can be reported once',
} as const satisfies Messages
