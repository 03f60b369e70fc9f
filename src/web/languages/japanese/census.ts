// カタログの内訳とその移り変わり。
import { withCents } from '../dollars.ts'
import type { ENGLISH_CENSUS } from '../english/census.ts'

export const JAPANESE_CENSUS: typeof ENGLISH_CENSUS = {
  title: '統計',
  intro:
    'この案内所に何が載っているかを毎日数えたものです。リクエストごとに支払うサービスの今を知るための公開データです。「応答あり」は、確認に応答したことがあり、停止中でないものです。',
  samples: samples => `${samples}は数えていません`,
  services: 'サービス',
  alive: '応答あり',
  largest: (shown, all) => `全${all}項目のうち、多い順に${shown}項目です。`,
  verified: '検証済み',
  counts: '日ごとのサービス数',
  countsLabel: '日ごとのサービス数、応答のあるもの、検証済みのもの',
  countsOf: (day, services, alive, verified) =>
    `${day}：${services}件（応答${alive}件、検証済み${verified}件）`,
  notCounted: day => `${day}：数えていません`,
  firstDay: '今日から数え始めました。明日からの記録がここに続きます。',
  prices: '日ごとの1リクエストの価格（対数目盛り）',
  pricesLabel: '日ごとの1リクエストの価格（米ドル、対数目盛り）',
  pricesNote: (known, free) =>
    `米ドルに換算できる${known}件のサービスの価格です。${free === '0' ? '無料のものはありません。' : `うち${free}件は無料です。`}`,
  pricesOf: (day, middle, low, high) =>
    `${day}：中央値${withCents(middle)}ドル${low === high ? '' : `（${withCents(low)}〜${withCents(high)}ドル）`}`,
  noPrices: '米ドルに換算できる価格はまだありません。',
  p25: '第1四分位数',
  p50: '価格の中央値',
  p75: '第3四分位数',
  languages: '言語別の件数',
  languagesNote: '説明文の文字とよく使われる語から判断したものです。',
  undetermined: 'その他・不明',
  unmet: '探されたが見つからなかったもの',
  unmetNote: callers =>
    `直近30日のいずれかの日に、${callers}人以上が探した一般的な語と、その人数です。検索した文や人は記録しません。`,
  callers: number => `${number}人`,
  noUnmet: 'まだありません。',
  data: '同じ内容のデータ：',
}
