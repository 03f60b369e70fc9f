// Messages before a payment, in Japanese.
import type { PartWords } from '../kinds.ts'
import type { RESOLVE_CODES } from '../resolve-codes.ts'
import type { Words } from '../words.ts'
import { quoted } from './phrases.ts'

const ago = (count: number, unit: '時間' | '日'): string =>
  count === 0 ? `1${unit}足らず前` : `${count}${unit}前`

const UNVERIFIED: PartWords<'unverified_cause'> = {
  unseen: '掲載はまだ検証されていません。',
  network: '掲載は未検証です。エンドポイントは掲載のネットワークでの支払いを求めていません。',
  payee: '掲載は未検証です。エンドポイントは掲載と別のウォレットへの支払いを求めています。',
  price: '掲載は未検証です。エンドポイントは掲載より高い金額を求めています。',
  delivery: '掲載は未検証です。この案内所が支払っても提供されませんでした。',
  probes: '掲載は未検証です。最近の確認で、掲載どおりの支払いを求めていないことがありました。',
}

export const RESOLVE: Words<typeof RESOLVE_CODES> = {
  as_listed_and_seen: ({ compared }) =>
    compared.length === 0
      ? '掲載内容は検証済みです。比べる値は渡されていません。'
      : `掲載内容は検証済みで、次の値は掲載どおり、かつ実際に提示されたとおりです：${compared.join('、')}。`,
  not_listed: 'ここには掲載されておらず、検証済みの掲載が削除されたこともありません。',
  removed: '掲載はここで削除されました。',
  payee_elsewhere: ({ asked, listed }) =>
    `${quoted(asked)} への支払いを求めていますが、掲載されているのは ${quoted(listed)} です。`,
  payee_of_other_listing: ({ id, name }) =>
    `それは同じURLの別の掲載 ${quoted(name)}（${id}）の支払い先で、このURLを代表するものではありません。`,
  payee_new: ({ asked, days }) =>
    `${quoted(asked)} への支払いを求めていますが、そのネットワークで示されてからまだ${days}日で、掲載にはありません。`,
  network_elsewhere: ({ asked, listed }) =>
    `${quoted(asked)} での支払いを求めていますが、掲載されているのは ${quoted(listed)} で、ほかは確認されていません。`,
  more_than_seen: ({ asked, seen }) =>
    `最小単位で ${asked} を求めていますが、前回の確認では ${seen} でした。`,
  price_risen: ({ asked, before, hours }) =>
    `${asked} を求めていますが、${ago(hours, '時間')}までは ${before} でした。`,
  price_raised: ({ asked, before, hours }) =>
    `${asked} を求めていますが、${ago(hours, '時間')}までは ${before} で掲載されていました。`,
  payee_replaced: ({ id, name, days }) =>
    `${ago(days, '日')}までは、掲載 ${quoted(name)}（${id}）が別の支払い先でここに検証されていました。エンドポイントが乗っ取られたおそれがあります。`,
  listing_moved: ({ days }) => `掲載のエンドポイントか支払い先が${ago(days, '日')}に変更されました。`,
  more_than_listed: ({ asked, listed }) => `${asked} を求めていますが、掲載価格は ${listed} です。`,
  listing_unverified: ({ why }) => UNVERIFIED[why],
  listing_not_delivering: 'この案内所が続けて支払いましたが、支払い先は提供しませんでした。',
  listing_inactive: '掲載は停止中です。エンドポイントがしばらく応答していません。',
  terms_never_seen: 'エンドポイントが支払いを求めるところは一度も確認されていません。',
  terms_seen_long_ago: ({ days }) => `条件が最後に確認されたのは${days}日前です。`,
  asset_unseen: ({ asked }) => `エンドポイントが資産 ${quoted(asked)} を求めるところは確認されていません。`,
  asset_not_comparable: ({ asset }) => `資産 ${quoted(asset)} は掲載価格と比べられません。`,
  amount_without_asset: '資産のわからない金額は比べられません。',
  scheme_holds_money: ({ scheme, risks }) =>
    `方式 ${quoted(scheme)} では、1回の価格より多くを渡すか、ほかの相手に渡すおそれがあります。${
      risks.length > 0 ? `条件には ${risks.join('、')} があります。` : ''
    }`,
  scheme_unseen: ({ asked, seen }) =>
    `方式 ${quoted(asked)} での支払いを求めていますが、確認されているのは ${seen.join('、')} です。`,
  method_unseen: ({ asked, seen }) =>
    `${asked} で呼び出していますが、支払いが確認されているのは ${seen.join('、')} です。`,
  origin_elsewhere: ({ listed }) => `スキームかポートが、掲載されたエンドポイント ${listed} と異なります。`,
  query_elsewhere: ({ listed }) =>
    `掲載されたエンドポイント ${listed} とはクエリが異なり、支払い先も異なるおそれがあります。`,
  path_with_escapes: 'パスにエスケープされたスラッシュがあり、サーバーが別のパスとして読むおそれがあります。',
}
