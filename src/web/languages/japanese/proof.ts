// 判定の根拠、時間をかけて確かめたこと、注意すること。

import type { ENGLISH_ALERTS, ENGLISH_PROOF } from '../english/proof.ts'
import { withCents } from '../wording.ts'

export const JAPANESE_PROOF: typeof ENGLISH_PROOF = {
  tiles: '判定',
  asksFor: '請求額',
  asksListed: listed => `1回 ${listed}（掲載どおり）`,
  asksOther: (price, listed) => `1回 ${price}（掲載は ${listed}）`,
  unseenPrice: listed => `1回 ${listed}（掲載価格。エンドポイントでは未確認）`,
  payable: {
    title: '支払えるクライアント',
    anyone: '公式のx402クライアントでそのまま支払えます',
    configured: (what = 'その資産') => `公式のx402クライアント（${what}の支払いを許可する設定が必要です）`,
    mpp: 'MPPのクライアントのみ',
    nobody: 'なし（エンドポイントの求める形式に、公式のx402クライアントは署名できません）',
  },
  bought: '購入の実績',
  boughtHere: (purchases, delivered) => `このディレクトリのテスト購入${purchases}回（提供${delivered}回）`,
  notBought: 'このディレクトリによるテスト購入はまだなし',
  noPayments: 'チェーン上の支払いなし',
  asks: price => `請求は ${price}`,
  asksToPay: '実際に求める支払い先',
  dollarsAt: (amount, date) => `約${withCents(amount)}ドル（${date}のレート）`,
  noDollars: 'ドル換算不可',
  answeredOf: (up, all, days) => `${days}日間の確認${all}回中${up}回応答`,
  termsVerified: '支払い条件を検証済み',
  percent: number => `${number}%`,
  ms: number => `${number} ms`,
  seconds: number => `${number}秒`,
  paidBy: (payments, payers, sum) =>
    `チェーン上の支払い${payments}件${payers === undefined ? '' : `（${payers}個のウォレットから）`}、合計 ${sum}`,
  unknown: '不明',
  chainUnread: '他の利用者による支払いは調べていません',
  nobody: '未確認（ウォレットの署名もドメインの証明もありません）',
  title: '確かめたこと',
  deliveredOf: (delivered, purchases) => `テスト購入${purchases}回のうち提供は${delivered}回`,
  trustOf: score => `信頼度 ${score}/100`,
  legend: { fine: '応答', care: '応答したが掲載と違う', stop: '応答なし', none: '確認なし' },
  prices: '価格の推移',
  priceSame: (price, since) => `掲載価格は${since}から ${price} のまま変わっていません。`,
  priceChanges: (changes, day) => `${changes}回変更、最後は${day}`,
  priceHeads: { when: '日時', before: '変更前', after: '変更後', by: '根拠' },
  priceFirst: '最初の掲載',
  priceListed: '掲載の変更',
  priceSeen: '実際の請求',
}

// サービスに問題があるとき、その上の帯に出す言葉。

const SOON = '直すと、次の確認（1時間以内）でこの警告は消えます。'

export const JAPANESE_ALERTS: typeof ENGLISH_ALERTS = {
  label: '最初にお読みください',
  mend: 'このサービスの提供者の方へ',
  seen: time => `${time} に確認。`,
  since: time => `${time} から。`,
  sample: {
    title: '架空の見本',
    text: '見本の登録です。提供者も、つながるエンドポイントもありません。支払わないでください。',
  },
  retired: {
    title: '提供終了',
    said: message => `登録者からのメッセージ：「${message}」`,
    text: '登録者が提供を終了しました。',
    advice: '応答があっても、支払わないでください。',
    mend: '再開できます。次に確認されるまでは「未検証」です。',
  },
  asksMore: {
    title: (price, listed) => `掲載は ${listed}、請求は ${price}`,
    advice:
      '上限を設定していないクライアントは、この額をそのまま支払うことがあります。上限を掲載価格に設定するか、利用を控えてください。',
    mend: `エンドポイントが求める価格を掲載するか、掲載どおりの価格を求めてください。${SOON}`,
  },
  asksLess:
    '掲載より安くても誤りではありませんが、絞り込みや比較には掲載の価格が使われます。実際に求める価格を掲載してください。',
  rechecking: {
    title: '価格の変更後の確認はこれからです',
    text: '数秒のうちに確認します。',
  },
  otherWallet: {
    title: '別のウォレットへの支払いを求めています',
    text: (asked, listed) => `エンドポイントは ${asked} への支払いを求めています（掲載は ${listed}）。`,
    advice: '誰のウォレットかわかるまで支払わないでください。',
    mend: `エンドポイントが示すウォレットを掲載してください。心当たりがなければ、エンドポイントが書き換えられたおそれがあります。${SOON}`,
  },
  otherNetwork: {
    title: network => `${network} では支払えません`,
    text: asked => `エンドポイントが受け付けるのは ${asked} だけです。`,
    mend: `受け取りに使うネットワークを掲載するか、掲載したネットワークで受け取ってください。${SOON}`,
  },
  silent: {
    title: since => `${since} から確認に失敗し続けています`,
    never: '一度も確認に成功していません',
    mend: '2回続けて正しく応答すれば戻ります。「自分のサービス」の「今すぐ確認」で、すぐに確認できます。',
  },
  failing: {
    title: '直近の確認に失敗しました',
    mend: '3回続けて失敗すると「応答なし」になります。一度正しく応答すれば消えます。',
  },
  unverified: {
    title: '未検証',
    mend: 'エンドポイントが402で、掲載どおりのウォレット・ネットワーク・価格を示すようにしてください。「エンドポイントを確認する」で、足りないものがわかります。',
  },
  undelivered: {
    never: '仕様どおりに提供されませんでした',
    often: '提供されないことが多い',
    sometimes: '提供されないことがある',
    advice: '提供されなかった購入でも、代金は返されていません。',
    elsewhere: '応答し、支払いを受け取るのは同じ提供者なので、ここでも同じ結果が見込まれます。',
    mend: '公開ページの「確かめたこと」で応答の内容を確かめ、直してください。このディレクトリが次にテスト購入を行うと、結果に反映されます。',
  },
  refused: {
    title: '確認が拒否されています',
    advice:
      'お使いのクライアントも同じように拒否されるおそれがあります。つながる場合も、支払いは掲載価格までに制限してください。',
    mend: whatToDo => `${whatToDo}その後、「今すぐ確認」を押してください。`,
  },
  waiting: {
    title: 'まだ確認していません',
    text: '最初の確認はこれからです。この掲載の内容は、まだ何も確かめられていません。',
  },
  declined: {
    title: '提供者が確認を望んでいません',
    mend: 'ファイルから "probe": false を外し、「今すぐ確認」をお使いください。',
  },
  reserved: {
    title: '確認の対象になりません',
    mend: 'エンドポイントを実在のホストに直してください。',
  },
  address: {
    title: 'この宛先には支払えません',
    mend: 'この登録の支払い先アドレスかネットワークを直してください。',
  },
  stranger: {
    title: '第三者による登録',
    text: 'このエンドポイントのウォレットまたはドメインが示しているのは、別の登録です：',
    advice: 'そちらをお使いください。',
  },
  namesake: {
    title: '同じ、またはよく似た名前のサービスがあります',
    text: '別に登録されたもので、このサービスと関係があるとは限りません：',
    advice: 'よく見比べてから支払ってください。',
    mend: '紛らわしくない名前に変えるか、ウォレットまたはドメインで、あなたの登録であることを示してください。',
  },
  payees: (own, other) => `このサービスの支払い先は ${own}、もう一方は ${other} です。`,
  neighbour: { title: '重複した登録', text: '同じエンドポイントが、別にも登録されています：' },
  secretInUrl: {
    title: 'URLに秘密のキーが含まれているようです',
    text: name => `URLはそのまま公開されるため、「${name}」の値は誰でも読めます。`,
    mend: 'キーを除いたURLを掲載してください。使用中のキーだった場合は、新しいものに替えてください。',
  },
  claim:
    '支払いを受け取るウォレットでサインインするか、ドメイン側にこの登録を記載すると、提供者の登録だと証明できます。',
  mppOnly: { word: 'MPP専用', title: 'x402のクライアントでは支払えません' },
  refusedByDefault: '公式クライアントの標準設定では支払えません',
  terms: '支払いについての注意',
}
