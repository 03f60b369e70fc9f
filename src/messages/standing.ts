// Messages about an entry: what happened to it, and where its trust comes from.
import { type Messages, word, worded } from './kinds.ts'

const addressList = {
  en: (addresses: readonly string[]) => addresses.join(' and ') || 'no address on the listed network',
  ja: (addresses: readonly string[]) => addresses.join('、') || 'なし',
}

export const STANDING = {
  edited: { en: '{by:party} changed {what:change}.', ja: '{by}が{what}を変更しました。' },
  retired_by: {
    en: '{by:party} discontinued it: {message}',
    ja: '{by}が提供終了としました：{message}',
  },
  // No page shows what was removed.
  removed_by_stranger: 'Removed by the wallet that listed it, which is not the wallet that it pays.',
  removed_unasked:
    'Removed by the wallet that it pays. The URL itself was never seen asking to pay that wallet.',
  unlisted_by_source: {
    en: 'Discontinued, because its source no longer lists it at {url}.',
    ja: '取り込み元が提供終了としました：{url} の一覧から外れました。',
  },
  restored_by: { en: '{by:party} brought it back.', ja: '{by}が提供を再開しました。' },
  claimed: { en: 'The wallet that it pays claimed it.', ja: '支払い先のウォレットが登録を引き継ぎました。' },
  removed_by_source: 'Its source, {url}, removed it.',
  proof_gained: {
    en: '{host} was found to name {names:proof_name}.',
    ja: '{host} が{names}を示していることを確認しました。',
  },
  proof_missing: {
    en: '{host} stopped proving it: no proof was found there {count:number} times in a row.',
    ja: '{host} による証明が失われました：{count}回続けて見つかりませんでした。',
  },
  proof_of_others: {
    en: '{host} stopped proving it: its proof named only others.',
    ja: '{host} による証明が失われました：ほかのものだけを示していました。',
  },
  hidden_by_operator: {
    en: 'An operator hid this service. Reason: {why}',
    ja: '運営者が非表示にしました。理由：{why}',
  },
  unhidden_by_operator: { en: 'An operator made it visible again.', ja: '運営者が再び表示しました。' },
  retired: worded(
    { message: 'text?' },
    ({ message }) =>
      message ? `Its owner discontinued it: ${message}` : 'Whoever listed it discontinued it.',
    ({ message }) => (message ? `登録者が提供を終了しました：${message}` : '登録者が提供を終了しました。'),
  ),
  failed_in_a_row: {
    en: '{count:number} probes in a row failed. {seen:messages}',
    ja: '{count}回続けて確認に失敗しました。{seen}',
  },
  refused_in_a_row: {
    en: '{count:number} probes in a row were refused, so it could no longer be verified. {seen:messages}',
    ja: '{count}回続けて確認を拒まれたため、検証済みではなくなりました。{seen}',
  },
  verified_at_risk: {
    en: 'A probe failed. {left:number} more {left?failure|failures} in a row would end “Verified”. {seen:messages}',
    ja: '確認に失敗しました。あと{left}回続けて失敗すると検証済みでなくなる状態でした。{seen}',
  },
  answered_again: {
    en: 'It answered {count:number} probes in a row after a failure. {seen:messages}',
    ja: '失敗の後、{count}回続けて応答しました。{seen}',
  },
  pay_to_changed: worded(
    { before: 'texts', after: 'texts' },
    ({ before, after }) =>
      `The address that it asks to pay changed from ${addressList.en(before)} to ${addressList.en(after)}.`,
    ({ before, after }) =>
      `求める支払い先が ${addressList.ja(before)} から ${addressList.ja(after)} に変わりました。`,
  ),
  further_payee: worded(
    { before: 'texts', after: 'texts' },
    ({ before, after }) =>
      `The address that it asks to pay on a network other than the listed one changed from ${addressList.en(before)} to ${addressList.en(after)}.`,
    ({ before, after }) =>
      `掲載とは別のネットワークで求める支払い先が ${addressList.ja(before)} から ${addressList.ja(after)} に変わりました。`,
  ),
  price_changed: {
    en: 'The price that it asks for changed from {before} to {after} per request.',
    ja: '求める価格が1回 {before} から {after} に変わりました。',
  },
  paid_upfront: {
    en: '{all:flag?It|One of its payment options} takes the payment before it delivers: if nothing is delivered, the payment is lost.',
    ja: '{all?|支払い方のひとつは、}何かが届く前に支払いを取ります。届かなければ戻りません。',
  },
  paid_by_deposit: {
    en: 'The scheme {scheme} takes a deposit. Check how much is taken and when the rest is returned.',
    ja: '{scheme} では、まだ使われていない額を先に渡します。何が取られ、残りがいつ戻るかを確かめてください。',
  },
  not_by_default_client: {
    en: 'Official x402 clients refuse to pay it, because {why:client_refusal}.',
    ja: '公式のx402クライアントは支払いに応じません。{why}。',
  },
  way_unsignable: {
    en: 'One of its payment options cannot be signed by any official x402 client, because {why:client_refusal}.',
    ja: '支払い方のひとつは、x402のどの公式クライアントでも署名できません。{why}。',
  },
  needs_deposit: {
    en: "{all:flag?It|One of its payment options} is paid from a balance that must be deposited at Circle's Gateway first.{all? Its provider can offer a plain exact payment as well.|}",
    ja: '{all?支払いには|支払い方のひとつには}、先にCircleのGatewayへの預け入れが必要です。{all?提供者は通常のexactの支払い方も加えられます。|}',
  },
  mpp_only: {
    en: 'Only clients of MPP (Machine Payments Protocol), such as mppx, can pay it. This directory does not buy by MPP.',
    ja: 'mppxなど、MPP（Machine Payments Protocol）のクライアントだけが支払えます。このディレクトリはMPPでは購入しません。',
  },
  mpp_offers: {
    en: 'By MPP it also offers {offers:texts}, which is not compared with the listing.',
    ja: 'MPPでは {offers} も用意していますが、掲載とは比べていません。',
  },
  asks_other_wallet: worded(
    { payTo: 'texts', listed: 'text' },
    ({ payTo, listed }) =>
      `Its endpoint asks for payment to a wallet other than the listed ${listed}: ${addressList.en(payTo)}. Do not pay.`,
    ({ payTo, listed }) =>
      `エンドポイントは、掲載のウォレット ${listed} とは別の ${addressList.ja(payTo)} への支払いを求めています。支払わないでください。`,
  ),
  asks_other_network: worded(
    { networks: 'texts', listed: 'text' },
    ({ networks, listed }) =>
      `Its endpoint asks for no payment on the listed network ${listed}, but on ${networks.join(', ') || 'none'}.`,
    ({ networks, listed }) =>
      `エンドポイントは、掲載のネットワーク ${listed} ではなく ${networks.join('、') || 'なし'} での支払いを求めています。`,
  ),
  seen_asking: {
    en: 'Its endpoint asks for {price} per request, {isMore:flag?more|less} than the listed {listed}.',
    ja: 'エンドポイントが求める価格は1回 {price} で、掲載の {listed} より{isMore?高い|安い}です。',
  },

  sample: {
    en: 'This is an invented sample: nobody offers this service, and it is never probed.',
    ja: '架空の見本です。提供者はおらず、確認も行いません。',
  },
  not_probed: { en: 'It has not been probed yet.', ja: 'まだ確認していません。' },
  probing_declined: {
    en: 'The file /.well-known/shirube.json on {host} asks not to be probed, so it cannot be verified. The file is read again once a day.',
    ja: '{host} の /.well-known/shirube.json が確認を望まないと示しているため、検証済みになりません。このファイルは1日1回読み直します。',
  },
  host_reserved: {
    en: 'Its host is reserved for examples and tests, so it is never probed.',
    ja: '例と試験のためのホスト名なので、確認は行いません。',
  },
  speed: {
    en: '{fast:number} of {probes:number} {probes?probe was|probes were} answered within {fastMs:number} ms, and {fair:number} more within {fairSeconds:number} s, which count half.',
    ja: '{probes}回の確認のうち{fast}回は{fastMs} ms以内の応答でした。さらに{fair}回は{fairSeconds}秒以内で、半分として数えます。',
  },
  age: worded(
    { days: 'number', fullDays: 'number', since: 'age_start' },
    ({ days, fullDays, since }) =>
      `${days === 0 ? 'It has not answered as listed, or for less, for a day since' : `It last answered as listed, or for less, ${days} ${days === 1 ? 'day' : 'days'} after`} its ${word('age_start', since, 'en')}. ${fullDays} days give full points.`,
    ({ days, fullDays, since }) =>
      `${days === 0 ? `${word('age_start', since, 'ja')}から、掲載どおり、またはより安い価格での応答がまだ1日続いていません` : `掲載どおり、またはより安い価格での最後の応答は、${word('age_start', since, 'ja')}から${days}日後です`}。${fullDays}日で満点です。`,
  ),
  payers_unknown: {
    en: 'This directory does not count who pays on {network:text}: at most, it looks up its own purchases and the payments that are reported.',
    ja: '{network} では支払ったウォレットを数えていません（チェーンで確認することがあるのは、このディレクトリの購入と報告された支払いだけです）。',
  },
  payers_claimed: {
    en: '{source} names {payers:number} {payers?wallet|wallets} that paid within 30 days. No payment was seen here, so this gives 2 points at most.',
    ja: '{source} によると、30日間に{payers}個のウォレットが支払いました。ここでは確認していないため、最大2点です。',
  },
  payers_uncredited: {
    en: '{settlements:number} {settlements?payment|payments} by {payers:number} {payers?wallet|wallets} settled on chain. They give points while it is verified, and the wallet that is paid claims it with a signature, its domain names that wallet, or a facilitator lists it.',
    ja: 'チェーン上で{payers}個のウォレットによる{settlements}件の決済がありました。検証済みで、支払い先のウォレットが署名で所有を示すか、ドメインがそのウォレットを示すか、ファシリテーターの一覧にある間、点になります。',
  },
  payers: worded(
    {
      payers: 'number',
      credited: 'credit_ground',
      established: 'number',
      newcomers: 'number',
      fullPayers: 'number',
      inRing: 'number',
      tooSmall: 'number',
      largestPercent: 'number',
    },
    ({ payers, credited, established, newcomers, fullPayers, inRing, tooSmall, largestPercent }) => {
      const left = [
        ...(inRing > 0 ? [`${inRing} received money from it, directly or through others that it paid`] : []),
        ...(tooSmall > 0 ? [`${tooSmall} paid too little in total`] : []),
        ...(largestPercent > 0 ? [`one paid ${largestPercent}% of the rest`] : []),
      ]
      const tail = left.length > 0 ? ` Not counted: ${left.join(', ')}.` : ''
      return `${payers} ${payers === 1 ? 'wallet' : 'wallets'} paid it on chain, and count because ${word('credit_ground', credited, 'en')}. ${established} ${established === 1 ? 'has paid it for 30 days, and other sellers, and counts' : 'have paid it for 30 days, and other sellers, and count'} in full, ${newcomers} ${newcomers === 1 ? 'counts' : 'count'} as a tenth${newcomers > 10 ? ', beyond ten as less' : ''}. ${fullPayers} in full give all points.${tail}`
    },
    ({ payers, credited, established, newcomers, fullPayers, inRing, tooSmall, largestPercent }) => {
      const left = [
        ...(inRing > 0 ? [`${inRing}個は支払い先から直接または間接に資金が戻っています`] : []),
        ...(tooSmall > 0 ? [`${tooSmall}個は合計額が少なすぎます`] : []),
        ...(largestPercent > 0 ? [`1個が残りの${largestPercent}%を支払っています`] : []),
      ]
      const tail = left.length > 0 ? `数えないもの：${left.join('、')}。` : ''
      return `チェーン上で${payers}個のウォレットが支払いました（${word('credit_ground', credited, 'ja')}）。30日以上前から支払い、ほかの提供者にも支払った${established}個は1個として、新しい${newcomers}個は10分の1${newcomers > 10 ? '（10個を超える分はさらに少なく）' : ''}として数えます。${fullPayers}個分で満点です。${tail}`
    },
  ),
  never_verifiable: {
    en: 'It can never be verified with this address. {problem:message}',
    ja: 'このアドレスでは検証済みになりません。{problem}',
  },
  verified: {
    en: 'Its endpoint asks to pay the listed address on the listed network, and no more than the listed price.',
    ja: 'エンドポイント自身が、掲載どおりのアドレスとネットワークでの支払いを求め、掲載より高い額を求めていません。',
  },
  failing: {
    en: 'The last probes failed. Two answers in a row bring it back.',
    ja: '最近の確認に失敗しています。2回続けて応答すると元に戻ります。',
  },
  verified_from: {
    en: 'It answers as listed again. It stopped doing so twice within a week, so it can be verified again from {at}.',
    ja: '再び掲載どおりに応答しています。1週間に2回、掲載と違う応答に変わったため、検証済みになるのは{at}以降です。',
  },
  not_as_registered: {
    en: 'The endpoint does not ask for the listed address, network and price. The history shows what it answers.',
    ja: 'エンドポイントの応答が、掲載どおり（アドレス、ネットワーク、価格）ではありません。応答の内容は履歴にあります。',
  },
  uptime: {
    en: 'It answered {answered:number} of {probes:number} {probes?probe|probes}. Points grow with that share and with the number of probes.',
    ja: '{probes}回の確認のうち{answered}回応答しました。点はこの割合と確認の回数とともに増えます。',
  },
  stability: {
    en: 'Of {probes:number} {probes?probe|probes}, {asListed:number} found the listed address and exactly the listed price, {otherPrice:number} a lower price, and {mismatched:number} another address, another network or a higher price. Each probe that found another address, another network or a higher price counts as {mismatchWeight:number} failed ones.',
    ja: '{probes}回の確認のうち、掲載と同じアドレスに掲載と同じ額を求めたのは{asListed}回、掲載より低い価格は{otherPrice}回、別のアドレスかネットワーク、または掲載より高い価格は{mismatched}回でした。別のアドレス・ネットワーク、または掲載より高い価格は、1回を失敗{mismatchWeight}回分として数えます。',
  },

  address_malformed: {
    en: '{address:quoted} is not an address on {network}: an address there is {shape:address_shape}.',
    ja: '{address:quoted} は {network} のアドレスではありません。{network} のアドレスは{shape}です。',
  },
  address_of_nobody: {
    en: '{address:quoted} is an address on {network} that has no private key: payments to it are lost.',
    ja: '{address:quoted} は {network} で誰も鍵を持たないアドレスです。そこへの支払いは失われます。',
  },

  // What would help a service to stand further up for a sentence.
  rank_condition: {
    en: 'The sentence has a condition that this service does not meet: {condition}.',
    ja: 'この文の条件を満たしていません：{condition}。',
  },
  rank_words: {
    en: 'Those before it have these words; put the ones that are true of yours into its name or description: {words:texts}.',
    ja: '上位のサービスにある言葉のうち、当てはまるものを名前か説明に書いてください：{words:texts}。',
  },
  rank_words_placed: {
    en: 'It has the words of the sentence, and they are a smaller part of its text. Name what it does in its name and in the first sentence of its description.',
    ja: '文の言葉はありますが、文章全体に占める割合が小さめです。名前と説明の最初の一文で、できることを書いてください。',
  },
  rank_meaning: {
    en: 'Its description is further from the sentence in meaning. Say in one plain sentence what a request returns.',
    ja: '説明の意味が文から離れています。リクエストすると何が返るかを、簡潔な一文で書いてください。',
  },
  rank_verify: {
    en: 'It is not verified, and what is verified goes first. The page of the service says what is missing.',
    ja: '検証済みではないため、検証済みのサービスが先になります。不足しているものはサービスのページにあります。',
  },
  rank_deliver: {
    en: 'Most test purchases were paid and not delivered as declared. Deliver what is declared; further test purchases update this.',
    ja: 'テスト購入の多くで、支払い後に説明どおりの提供がありませんでした。説明どおりに提供すれば、次のテスト購入から反映されます。',
  },
  rank_claim: {
    en: 'It is verified, but payments to it are not counted yet. Claim it with its wallet, or prove it by its domain.',
    ja: '検証済みですが、支払いがまだ数えられていません。支払い先のウォレットで引き継ぐか、ドメインで証明してください。',
  },
  rank_proof: {
    en: 'Others have more evidence of payers and of purchases that delivered. It grows with use, and nothing else can replace it.',
    ja: '支払った人や、提供された購入の記録は、上位のサービスのほうが多くあります。利用とともに増えるもので、ほかに代わるものはありません。',
  },
  rank_wish: {
    en: 'Those before it meet a wish of the sentence better: {wish}.',
    ja: '上位のサービスのほうが、文の希望に合っています：{wish}。',
  },
  rank_seller: {
    en: 'Two services of one seller keep their places; further ones follow those of others.',
    ja: '同じ提供者のサービスは2件までが元の順位に残り、それ以外はほかの提供者の後になります。',
  },
  rank_copy: {
    en: 'Its name or description is also that of another seller, who has the stronger claim to it. Describe it in your own words.',
    ja: '名前か説明が、より確かな別の提供者のものと同じです。自分の言葉で書いてください。',
  },
  rank_danger: {
    en: 'It must not be paid as it is listed, so it comes after all others. The page of the service says why.',
    ja: '掲載どおりに支払うと危険なため、ほかのすべての後になります。理由はサービスのページにあります。',
  },
  rank_sample: {
    en: 'It is an invented sample, which comes after everything real.',
    ja: '架空の見本のため、実在するサービスの後になります。',
  },
  rank_tie: {
    en: 'Their scores are equal; the more trusted one is first, then the older one.',
    ja: 'スコアは同じです。信頼度の高い順、次に登録の古い順に並びます。',
  },
} as const satisfies Messages
