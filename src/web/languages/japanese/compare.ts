// 比較の表と、ひとつの支払い先のすべて。
import type { ENGLISH_COMPARE, ENGLISH_SELLER } from '../english/compare.ts'

export const JAPANESE_COMPARE: typeof ENGLISH_COMPARE = {
  title: '比較',
  intro: 'サービスを並べて比べられます。',
  introMarked:
    'サービスを並べて比べられます。「最良」\u2060は、その行で最も良い値です。見本や、応答のないもの、掲載より高く請求するもの、支払うべきでないものには付きません。',
  empty: 'まだ何も選ばれていません',
  emptyHint: '検索結果で4件まで選び、「選んだものを比較する」を押してください。',
  most: (number, left) => `一度に比べられるのは${number}件までです。含まれていないもの：${left}`,
  unknown: ids => `見つかりません：${ids}`,
  remove: name => `${name} を外す`,
  best: '最良',
  row: '項目',
  rows: {
    status: '状態',
    backing: '提供者の証明',
    price: '1リクエストの価格',
    dollars: '価格のドル換算',
    free: '無料枠',
    uptime: '稼働率',
    latency: '応答時間（中央値）',
    payments: '支払い',
    delivery: '支払い後の提供',
    trust: '信頼度',
    chains: 'ネットワーク',
    category: 'カテゴリ',
    checked: '最終確認',
    host: 'エンドポイント',
  },
  nobody: 'なし',
  notBought: '購入なし',
  delivered: (delivered, purchases) => `テスト購入${purchases}回中${delivered}回`,
  reported: (delivered, payers) => `支払者の報告${payers}件中${delivered}件`,
  claimed: 'ウォレット',
  domain: 'ドメイン',
}

export const JAPANESE_SELLER: typeof ENGLISH_SELLER = {
  title: address => `支払い先 ${address}`,
  intro:
    'このウォレットを支払い先とする登録です。支払い先は誰でも書けるので、そのウォレットが署名した登録には印が付きます。',
  services: 'サービス',
  verified: '検証済み',
  claimed: 'ウォレット署名済み',
  payments: '支払い',
  found: 'サービス',
  missing: 'このアドレスで支払いを受けるサービスはありません',
  feed: '変更をフィードで追う（Atom）',
  missingHint: 'このアドレスを支払い先とする登録はありません。アドレスに誤りがないか確かめてください。',
  more: 'このウォレットで支払いを受けるサービス一覧',
}
