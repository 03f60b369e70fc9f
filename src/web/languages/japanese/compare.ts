// 比較の表と、ひとつの支払い先のすべて。
import type { ENGLISH_COMPARE, ENGLISH_SELLER } from '../english/compare.ts'

export const JAPANESE_COMPARE: typeof ENGLISH_COMPARE = {
  title: '比較',
  intro: '確かめたことを並べています。',
  introMarked: '確かめたことを並べています。明らかに優れた値に印を付けています。',
  empty: 'まだ何も選ばれていません',
  emptyHint: '検索結果で4件まで選び、「選んだものを比較する」を押してください。',
  most: number => `比較できるのは先頭の${number}件までです。`,
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
    payments: '確認された支払い',
    trust: '信頼度',
    chains: 'チェーン',
    category: 'カテゴリ',
    checked: '最終確認',
    host: 'エンドポイント',
  },
  nobody: 'なし',
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
  payments: '確認された支払い',
  found: 'サービス',
  missing: 'このアドレスで支払いを受けるサービスはありません',
  feed: '変更をフィードで追う（Atom）',
  missingHint: 'このアドレスを示す登録がないか、アドレスが間違っています。',
  more: 'このウォレットで支払いを受けるサービス一覧',
}
