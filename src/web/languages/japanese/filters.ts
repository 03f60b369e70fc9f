// 絞り込みと並び順の日本語。

import { chainLabel } from '../../../domain/chains/chains.ts'
import { categoryLabels } from '../../../domain/listing/categories.ts'
import type { Status } from '../../../domain/standing/standing.ts'
import { withCents } from '../dollars.ts'
import type { FilterWords, MoneyWords, SortWords } from '../filter-words.ts'

export const JAPANESE_STATUSES: Readonly<Record<Status, string>> = {
  verified: '検証済み',
  unverified: '未検証',
  inactive: '停止中',
}

export const JAPANESE_FILTERS: FilterWords = {
  category: { label: 'カテゴリ', name: 'カテゴリ', value: id => categoryLabels(id).ja },
  chain: { label: 'ネットワーク', name: 'ネットワーク', value: chainLabel },
  status: {
    label: '状態',
    name: '状態',
    value: status => (status === 'inactive' ? '停止中・提供終了' : JAPANESE_STATUSES[status as Status]),
  },
  maxPricePerRequest: {
    label: '上限価格（換算なし）',
    name: '価格',
    value: price => `${price}以下`,
    below: price => `${price}未満`,
  },
  maxUsdPrice: {
    label: '上限（米ドル換算）',
    name: 'ドル換算の価格',
    value: price => `${withCents(price)}ドル以下`,
  },
  currency: { label: '通貨', name: '通貨', value: code => code.toUpperCase(), any: 'すべての通貨' },
  freeQuota: { label: '無料枠あり', name: '無料枠', value: () => '無料枠あり' },
}

export const JAPANESE_MONEY: MoneyWords = {
  USD: amount => `${withCents(amount)}ドル`,
  EUR: amount => `${withCents(amount)}ユーロ`,
  JPY: amount => `${amount}円`,
}

export const JAPANESE_SORTS: SortWords = {
  best: { desc: '関連度の高い順', asc: '関連度の低い順' },
  trustScore: { desc: '信頼度の高い順', asc: '信頼度の低い順' },
  price: { asc: '価格の安い順（換算なし）', desc: '価格の高い順（換算なし）' },
  usdPrice: { asc: '価格の安い順', desc: '価格の高い順' },
  latency: { asc: '応答の速い順', desc: '応答の遅い順' },
  name: { asc: '名前順', desc: '名前の逆順' },
  newest: { desc: '新しい順', asc: '古い順' },
}
