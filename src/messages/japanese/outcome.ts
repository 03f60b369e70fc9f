// Messages about reported outcomes, in Japanese.
import type { PartWords } from '../kinds.ts'
import type { OUTCOME_CODES } from '../outcome-codes.ts'
import type { Words } from '../words.ts'

const OUTCOME: PartWords<'purchase_outcome'> = {
  delivered: '提供された',
  delivered_not_as_declared: '提供されたものが空か、宣言と異なっていた',
  refused_after_payment: '支払いを受け取った後にエラーを返した',
  charged_other: '支払いを受け取った後に別の支払いを求めた',
  settled_silent: '支払いを受け取った後に応答がなかった',
  not_settled: '支払いは受け取られなかった',
}

export const OUTCOME_WORDS: Words<typeof OUTCOME_CODES> = {
  outcome_reported: ({ outcome }) =>
    `${OUTCOME[outcome]}とのことです。支払いはチェーン上で確認されています。`,
  outcomes_off:
    'ここでは結果を報告できません。案内所が自分の公開アドレスを知りません。運営者がPUBLIC_URLで設定します。',
  outcomes_spent: ({ most }) => `24時間に受け付ける結果は${most}件までです。明日もう一度お試しください。`,
  chain_away: '今はチェーンに問い合わせできません。1分後にもう一度お試しください。',
  time_expected: 'ミリ秒までのUTCの時刻で書いてください（例：2026-11-17T09:30:00.000Z）',
  outcome_stale: ({ minutes }) => `署名した時刻を書いてください。案内所の時計で${minutes}分前までです`,
  outcome_network: ({ network }) => `サービスが掲載されているネットワーク ${network} を書いてください`,
  outcome_signature: ({ message }) =>
    `次の文に対する支払者の署名を書いてください：${JSON.stringify(message)}`,
  payer_is_seller: '支払い先のウォレットや、登録者のウォレットは使えません',
  payer_related: '提供者の資金が戻ってきたウォレットは使えません',
  chain_not_read: ({ network }) => `この案内所には ${network} のノードがないため確認できません`,
  settlement_not_found:
    'このネットワーク上で、支払者がサービスのウォレットに支払ったトランザクションを書いてください',
  settlement_young: 'ブロックがまだ確定していません。30分後にもう一度お試しください',
  settlement_plain: '通常の送金ではなく、x402の決済を書いてください',
  settlement_old: ({ days }) => `${days}日以内で、サービスが今の場所に移った後の支払いを書いてください`,
  settlement_dust: ({ amount }) => `支払い額 ${amount} は、サービスが求める額の10分の1に満たないものです`,
  settlement_of_others: '金額から、同じウォレットの別のサービスへの支払いです',
  reported_before: ({ id }) => `${id} としてすでに報告されています。報告は支払いごとに1件です`,
}
