// Messages about an entry, in Japanese.
import type { PartWords } from '../kinds.ts'
import type { STANDING_CODES } from '../standing-codes.ts'
import type { Words } from '../words.ts'
import { quoted } from './phrases.ts'

const PARTY: PartWords<'party'> = { owner: '登録者', operator: '運営者', source: '取り込み元' }
const CHANGE: PartWords<'change'> = {
  place: 'エンドポイントまたは支払い先アドレス',
  payment_address: '支払い先アドレス',
  price: '価格',
  listing: '掲載内容',
}
const PROOF_PLACE: PartWords<'proof_place'> = {
  well_known: '所定の場所のファイル',
  dns: 'DNS',
}
const PROOF_NAME: PartWords<'proof_name'> = {
  wallet: '支払い先のウォレット',
  id: 'この登録のID',
}
const CLIENT_REFUSAL: PartWords<'client_refusal'> = {
  asset: '求められる資産が既定の対象に含まれない',
  price: '1回の額が1ドルを超える',
  flow: '対応していない支払い手順である',
  domain:
    '402にトークンのEIP-712ドメイン（extra.nameとextra.version）がなく署名できない。BaseのUSDCなら「USD Coin」と「2」を加えてください',
  deposit: 'CircleのGatewayへの預け入れから払うため、別のコントラクトに署名してしまう',
  transfer:
    'extra.assetTransferMethodが公式クライアントの署名できない方式である。eip3009かpermit2も用意してください',
  several: 'どの支払い方法も、それぞれの理由で、設定なしには署名できない',
}
const SHAPE: PartWords<'address_shape'> = {
  evm: '0xと16進数40桁',
  not_evm: 'EVMチェーンの形（0xと16進数40桁）とは別の形',
  solana: 'base58の32バイト（32〜44文字）',
  algorand: 'base32の58文字（A–Z、2–7）',
  hex_account: '0xと16進数64桁まで',
  hedera: '0.0.1234のような口座番号か、0xと16進数40桁',
  near: '英小文字と数字2〜64文字（区切りは . - _ を1つずつ）',
  stellar: 'G・C・Mで始まり検査記号の正しいbase32（56文字、Mは69文字）',
  ton: 'base64の48文字か、ワークチェーンとコロンと16進数64桁',
  tron: 'Tとbase58の33文字',
  xrpl: 'rと台帳のbase58の24〜34文字か、47文字のXアドレス',
}

const payees = (addresses: readonly string[]) => addresses.join('、') || 'なし'

export const STANDING: Words<typeof STANDING_CODES> = {
  edited: ({ by, what }) => `${PARTY[by]}が${CHANGE[what]}を変更しました。`,
  retired_by: ({ by, message }) => `${PARTY[by]}が提供終了としました：${message}`,
  removed_by_stranger: '支払い先ではない、登録したウォレットが掲載を取り下げました。',
  removed_unasked:
    '支払い先のウォレットが掲載を取り下げました。この URL 自体がそのウォレットへの支払いを求めたことは確認されていません。',
  unlisted_by_source: ({ url }) => `${PARTY.source}が提供終了としました：${url} の一覧から外れました。`,
  restored_by: ({ by }) => `${PARTY[by]}が提供を再開しました。`,
  claimed: '支払い先のウォレットが登録を引き継ぎました。',
  removed_by_source: ({ url }) => `取り込み元 ${url} が削除しました。`,
  proof_gained: ({ host, by, names }) =>
    `${host} が${PROOF_PLACE[by]}で${PROOF_NAME[names]}を示していることを確認しました。`,
  proof_missing: ({ host, count }) =>
    `${host} による証明が失われました：${count}回続けて見つかりませんでした。`,
  proof_of_others: ({ host }) => `${host} による証明が失われました：ほかのものだけを示していました。`,
  hidden_by_operator: ({ why }) => `運営者が非表示にしました：${why}`,
  unhidden_by_operator: '運営者が再び表示しました。',
  retired: ({ message }) =>
    message ? `登録者が提供終了としています：${message}` : '登録者が提供終了としています。',
  failed_in_a_row: ({ count, seen }, tell) =>
    `${count}回続けて確認に失敗しました。${seen.map(tell).join('')}`,
  refused_in_a_row: ({ count, seen }, tell) =>
    `${count}回続けて確認を拒まれたため、検証済みではなくなりました。${seen.map(tell).join('')}`,
  verified_at_risk: ({ left, seen }, tell) =>
    `確認に失敗しました。あと${left}回続けて失敗すると検証済みでなくなる状態でした。${seen.map(tell).join('')}`,
  answered_again: ({ count, seen }, tell) =>
    `失敗の後、${count}回続けて応答しました。${seen.map(tell).join('')}`,
  pay_to_changed: ({ before, after }) => {
    if (after.length === 0)
      return `掲載のネットワークでの支払いを求めなくなりました。以前の支払い先は ${payees(before)} です。`
    if (before.length === 0)
      return `掲載のネットワークで ${payees(after)} への支払いを求めるようになりました。`
    return `求める支払い先が ${payees(before)} から ${payees(after)} に変わりました。`
  },
  further_payee: ({ before, after }) =>
    `掲載とは別のネットワークで求める支払い先が ${payees(before)} から ${payees(after)} に変わりました。`,
  price_changed: ({ before, after }) => `求める価格が1回 ${before} から ${after} に変わりました。`,
  scheme_changed: ({ before, after }) =>
    `支払い方式が ${before.join('、') || 'なし'} から ${after.join('、') || 'なし'} に変わりました。`,
  paid_upfront: ({ all }) =>
    `${all ? '何かが届く前に支払いを取ります' : '支払い方のひとつは、何かが届く前に支払いを取ります'}。届かなければ戻りません。`,
  paid_by_deposit: ({ scheme }) =>
    `${scheme} では、まだ使われていない額を先に渡します。何が取られ、残りがいつ戻るかを確かめてください。`,
  not_by_default_client: ({ why }) =>
    `x402の公式クライアントは、初期設定ではこのサービスへの支払いを拒否します。${CLIENT_REFUSAL[why]}ためです。`,
  way_unsignable: ({ why }) =>
    `支払い方のひとつは、x402の公式クライアントのどれにも署名できません。${CLIENT_REFUSAL[why]}ためです。`,
  needs_deposit: ({ all }) =>
    `${all ? '支払いには' : '支払い方のひとつには'}、先にCircleのGatewayへの預け入れが必要です。${all ? '提供者は通常のexactの支払い方も加えられます。' : ''}`,
  mpp_only: 'MPPだけで払えます。x402のクライアントでは払えず、この案内所もMPPでは購入しません。',
  mpp_offers: ({ offers }) => `MPPでは ${offers.join('、')} も用意していますが、掲載とは比べていません。`,
  terms_never_seen: 'エンドポイントはまだ、読める条件を返していません。',
  asks_other_wallet: ({ payTo, listed }) =>
    `エンドポイントは、掲載のウォレット ${listed} とは別の ${payees(payTo)} への支払いを求めています。支払わないでください。`,
  asks_other_network: ({ networks, listed }) =>
    `エンドポイントは、掲載のネットワーク ${listed} ではなく ${networks.join('、') || 'なし'} での支払いを求めています。`,
  seen_asking: ({ price, listed, isMore }) =>
    `エンドポイントが求める価格は1回 ${price} で、掲載の ${listed} より${isMore ? '高い' : '安い'}です。`,
  schema_changed: ({ method }) => `${method} の入力または出力の形式が変わりました。`,

  sample: '架空の見本です。提供者はおらず、確認も行いません。',
  not_measured: 'まだ計測していません。',
  not_probed: 'まだ確認していません。',
  host_reserved: '例と試験のためのホスト名なので、確認は行いません。',
  speed: ({ probes, fast, fastMs, fair, fairSeconds }) =>
    `${probes}回の確認のうち${fast}回は${fastMs} ms以内の応答でした。${fair > 0 ? `さらに${fair}回は${fairSeconds}秒以内で、半分として数えます。` : ''}`,
  age_since_registration: ({ days, fullDays }) =>
    days === 0
      ? `掲載どおりの応答は、まだ1日未満です。${fullDays}日で満点です。`
      : `最後に掲載どおりに応答したのは、登録から${days}日後です。${fullDays}日で満点です。`,
  age_since_move: ({ days, fullDays }) =>
    days === 0
      ? `最後の移転からの掲載どおりの応答は、まだ1日未満です。${fullDays}日で満点です。`
      : `最後に掲載どおりに応答したのは、最後の移転から${days}日後です。${fullDays}日で満点です。`,
  payers_unknown:
    'このサービスのネットワークの支払いは集計していないため、支払ったウォレットの数はわかりません。',
  payers_unclaimed: ({ settlements, payers }) =>
    `チェーン上で${payers}個のウォレットによる${settlements}件の決済がありました。支払い先のウォレットが署名で所有を示すと点になります。`,
  payers: ({ counted, payers, fullPayers, inRing, tooSmall, largestPercent }) => {
    const left = [
      ...(inRing > 0 ? [`${inRing}個は支払い先から直接または間接に資金が戻っています`] : []),
      ...(tooSmall > 0 ? [`${tooSmall}個は合計額が少なすぎます`] : []),
      ...(largestPercent > 0 ? [`1個が残りの${largestPercent}%を支払っています`] : []),
    ]
    const tail = left.length > 0 ? `数えないもの：${left.join('、')}。` : ''
    return `チェーン上で${payers}個のウォレットが支払い、うち${counted}個を数えています。${fullPayers}個で満点です。${tail}`
  },
  counts_in_part: ({ percent, provingPayers }) =>
    `稼働率・安定性・応答時間・実績期間は、今は本来の点の${percent}%です。互いに無関係な${provingPayers}個のウォレットが支払うと、本来の点になります。`,
  counts_in_part_unread: ({ percent }) =>
    `稼働率・安定性・応答時間・実績期間は、本来の点の${percent}%です。この案内所がこのサービスのネットワークの支払いを集計していないためです。`,
  earlier_formula: '以前の計算式による点です。次の確認で現在の計算式になります。',
  never_verifiable: ({ problem }, tell) => `このアドレスでは検証済みになりません。${tell(problem)}`,
  verified:
    'エンドポイント自身が、掲載どおりのアドレスとネットワークでの支払いを求め、掲載より高い額を求めていません。',
  failing: '最近の確認に失敗しています。2回続けて応答すると元に戻ります。',
  verified_from: ({ at }) =>
    `再び掲載どおりに応答しています。1週間に2回、掲載と違う応答に変わったため、検証済みになるのは${at}以降です。`,
  not_as_registered:
    'エンドポイントの応答が、掲載どおり（アドレス、ネットワーク、価格）ではありません。応答の内容は履歴にあります。',
  uptime: ({ answered, probes }) =>
    `${probes}回の確認のうち${answered}回応答しました。点はこの割合と確認の回数とともに増えます。`,
  stability: ({ probes, asListed, otherPrice, mismatched, mismatchWeight }) => {
    const drifted = otherPrice > 0 ? `${otherPrice}回は掲載より低い価格` : ''
    const others =
      mismatched > 0
        ? `${mismatched}回は別のアドレスかネットワーク、または掲載より高い価格でした（1回を失敗${mismatchWeight}回分として数えます）`
        : ''
    const tail =
      drifted && others ? `${drifted}、${others}。` : drifted ? `${drifted}でした。` : others && `${others}。`
    return `${probes}回の確認のうち${asListed}回、掲載と同じアドレスに掲載と同じ額を求めました。${tail}`
  },

  address_malformed: ({ address, network, shape }) =>
    `${quoted(address)} は ${network} のアドレスではありません。${network} のアドレスは${SHAPE[shape]}です。`,
  address_of_nobody: ({ address, network }) =>
    `${quoted(address)} は ${network} で誰も鍵を持たないアドレスです。そこへの支払いは失われます。`,
}
