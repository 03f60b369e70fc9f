// Messages about purchases, in Japanese.
import { type Denial, findDenial } from '../denials.ts'
import { isEmptyAnswer } from '../empty-answer.ts'
import type { PartWords } from '../kinds.ts'
import type { PURCHASE_CODES } from '../purchase-codes.ts'
import type { Words } from '../words.ts'
import { quoted } from './phrases.ts'

const CAP: PartWords<'cap'> = {
  call: '1回の呼び出し',
  service: '1サービスの24時間',
  host: '1ドメインの24時間',
  payee: '1支払い先の24時間',
  day: '24時間',
}
const OUTCOME: PartWords<'purchase_outcome'> = {
  delivered: '提供されました',
  delivered_not_as_declared: '宣言と異なるものが提供されました',
  refused_after_payment: '支払いを受け取った後にエラーを返しました',
  charged_other: '支払いを受け取った後に別の支払いを求めました',
  settled_silent: '支払いを受け取った後に応答がありませんでした',
  not_settled: '支払いは受け取られませんでした',
}
/** In place of the outcome, where nothing came. */
const EMPTY = '支払いを受け取った後に空の応答を返しました'

const DENIAL: Readonly<Record<Denial, string>> = {
  funds: '支払う側のウォレットの残高が足りませんでした',
  signature: '署名が受け付けられませんでした',
  expired: '支払いの期限が過ぎていました',
  reused: 'すでに使われた支払いでした',
  amount: '金額が受け付けられませんでした',
  payee: '支払い先が受け付けられませんでした',
  failed: 'チェーン上のトランザクションが失敗しました',
}

/** @param price null if the decimals of the asset are not known */
const money = (amount: string, price: string | null) => price ?? `不明なトークンの最小単位で ${amount}`

const joined = (messages: readonly string[]) => messages.join('')

export const PURCHASE: Words<typeof PURCHASE_CODES> = {
  not_quoted: ({ problems }, tell) =>
    joined(['読み取れる支払い条件がありませんでした。', ...problems.map(tell)]),
  answered_unpaid: ({ status }) => `支払いを求めずに ${status} を返しています。`,
  way_not_payable:
    'ここで支払える方法がありません。支払えるのは、既知のトークンによるexact方式（EVMネットワークでは承認（EIP-3009）、Solanaではトランザクション）で、掲載されたウォレット宛てのものだけです。',
  key_missing: ({ chain }) => `支払い先は ${chain} ですが、そのウォレットの鍵がここにありません。`,
  node_missing: ({ chain }) =>
    `${chain} の支払いにはノードの情報が必要ですが、RPC_URL_… に指定がありません。`,
  node_away: ({ chain }) => `${chain} のノードから支払いに必要な情報を得られません。署名していません。`,
  authorization_too_long: ({ seconds, most }) =>
    `${seconds}秒間有効な承認を求めています。署名するのは最長${most}秒です。`,
  price_not_in_dollars: ({ currency }) =>
    `${currency} の金額をドルに換算できないため、上限を守れません。RATESで換算率を指定できます。`,
  guard_stopped: ({ verdict, reasons }, tell) =>
    joined([`案内所の判定は${quoted(verdict)}です。`, ...reasons.map(tell)]),
  not_approved: '支払いは承認されませんでした。',
  cap_passed: ({ cap, asked, spent, most }) =>
    `費用は $${asked} です。${CAP[cap]}の上限 $${most} のうち $${spent} が支出または予約済みです。${
      cap === 'day' && most === '0' ? 'BUDGET_PER_DAYを設定するまで何も購入しません。' : ''
    }`,
  purpose_taken: ({ id }) => `この目的では購入 ${id} がすでにあります。`,
  reservation_lost: '署名の前に予約が解放されました。',
  signing_failed: '見積もりどおりに署名できませんでした。何も送っていません。',
  not_bought_here: ({ what }) => `この購入機能では買えません：${what}。`,
  input_not_as_declared: ({ problems }) => `入力がサービスの宣言と合いません：${problems.join('、')}。`,
  tool_gone: ({ tool }) => `サーバーの一覧にツール${quoted(tool)}がありません。`,
  approval_impossible: ({ asks }) => joined(['利用者の承認が必要ですが、ここでは確認できません。', ...asks]),
  offer_changed: '承認された内容と異なる支払いを求めています。署名していません。',
  nothing_found: '当てはまるサービスがありません。',
  asks_for_price: ({ usd, most }) => `費用は $${usd} です。確認なしに支払うのは $${most} までです。`,
  asks_for_verdict: ({ verdict }) => `案内所の判定は${quoted(verdict)}です。`,
  asks_for_payee: ({ before }) => `前回は別のウォレット ${before} に支払いました。`,
  directory_answer_odd: '案内所の応答を読み取れません。署名していません。',

  bought: ({ outcome, price, reasons }, tell) =>
    isEmptyAnswer(outcome, reasons)
      ? joined([
          `${price} でのテスト購入：${EMPTY}。`,
          ...reasons.filter(({ code }) => code !== 'answer_empty').map(tell),
        ])
      : joined([`${price} でのテスト購入：${OUTCOME[outcome]}。`, ...reasons.map(tell)]),
  settled_on_chain: ({ transaction }) =>
    `支払いはチェーン上のトランザクション ${transaction} で確認されています。`,
  settled_unseen: ({ transaction }) =>
    `トランザクション${quoted(transaction)}で決済したと述べました。チェーン上では確認していません。`,
  settlement_missing: ({ transaction }) =>
    `トランザクション${quoted(transaction)}で決済したと述べましたが、チェーン上にありません。`,
  settlement_denied: ({ why }) => {
    const denial = findDenial(why)
    return `提供者は決済していないと述べました：${denial ? DENIAL[denial] : quoted(why)}。`
  },
  settlement_silent: '決済したかどうかを述べませんでした。',
  authorization_expired: '承認は使われないまま期限が切れました。',
  answer_status: ({ status }) => `支払済みのリクエストに ${status} を返しました。`,
  sample_made_up: 'リクエストの値はこの案内所が用意した試験用のものなので、集計の対象外です。',
  answer_missing: ({ problem }, tell) => tell(problem),
  answer_no_result: '応答はツールの結果ではありませんでした。',
  tool_failed: ({ why }) => `ツールがエラーを返しました：${why}。`,
  answer_empty: '応答は空でした。',
  answer_other_type: ({ declared, got }) => `${quoted(declared)}と宣言し、${quoted(got)}を返しました。`,
  answer_not_json: '応答は宣言されたJSONではありませんでした。',
  answer_other_schema: ({ problems }) =>
    `応答が宣言されたスキーマに合いませんでした：${problems.join('、')}。`,
  answer_too_large: ({ kib }) => `応答が ${kib} KiBを超えたため、検査していません。`,
  answer_redirects: ({ status }) =>
    `支払済みのリクエストを転送しました（${status}）。支払いは転送先に送っていません。`,
  asked_again: ({ amount, price, isSame }) =>
    isSame
      ? `同じ支払いをもう一度求めました：${money(amount, price)}。`
      : `別の支払いを求めました：${money(amount, price)}。`,
  asked_for_another: ({ payTo }) => `2回目の支払い先は別のウォレット${quoted(payTo)}でした。`,
  charged_amount: ({ quoted: asked, charged, quotedPrice, chargedPrice }) =>
    `見積もりは ${money(asked, quotedPrice)}、請求したと述べた額は ${money(charged, chargedPrice)} でした。`,

  not_delivering: ({ count, seen }, tell) =>
    joined([`${count}回続けて、支払っても提供されませんでした。`, ...seen.map(tell)]),
  never_bought: 'この案内所はまだテスト購入をしていないため、提供の実績はありません。',
  payments_unseen: '提供されましたが、この案内所のノードが支払いを確認していないため、点数には含めません。',
  delivery: ({ delivered, purchases, failedInARow }) =>
    `集計対象のテスト購入${purchases}回のうち、提供されたのは${delivered}回です。${
      failedInARow > 0 ? `直近の${failedInARow}回は提供されませんでした。` : ''
    }`,
}
