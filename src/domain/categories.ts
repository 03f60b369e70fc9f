// Category ids and their labels. Any well-formed id is accepted; the known ones have labels in English and Japanese.
import { hiddenInName, isBlank } from './invisible.ts'

export type Labels = { readonly en: string; readonly ja: string }
export type Category = { readonly id: string; readonly labels: Labels; readonly count: number }

export const KNOWN_CATEGORIES: Readonly<Record<string, Labels>> = {
  ai: { en: 'AI', ja: 'AI' },
  data: { en: 'Data', ja: 'データ' },
  weather: { en: 'Weather', ja: '天気' },
  finance: { en: 'Finance', ja: '金融' },
  crypto: { en: 'Crypto', ja: '暗号資産' },
  search: { en: 'Search', ja: '検索' },
  translation: { en: 'Translation', ja: '翻訳' },
  image: { en: 'Image', ja: '画像' },
  audio: { en: 'Audio', ja: '音声' },
  video: { en: 'Video', ja: '動画' },
  text: { en: 'Text', ja: 'テキスト' },
  ocr: { en: 'OCR', ja: '文字認識' },
  maps: { en: 'Maps', ja: '地図' },
  travel: { en: 'Travel', ja: '旅行' },
  news: { en: 'News', ja: 'ニュース' },
  social: { en: 'Social', ja: 'ソーシャル' },
  commerce: { en: 'Commerce', ja: '商取引' },
  storage: { en: 'Storage', ja: 'ストレージ' },
  compute: { en: 'Compute', ja: '計算' },
  security: { en: 'Security', ja: 'セキュリティ' },
  identity: { en: 'Identity', ja: '本人確認' },
  communication: { en: 'Communication', ja: '通信' },
  health: { en: 'Health', ja: '健康' },
  education: { en: 'Education', ja: '教育' },
  government: { en: 'Government', ja: '行政' },
  entertainment: { en: 'Entertainment', ja: 'エンタメ' },
  sports: { en: 'Sports', ja: 'スポーツ' },
  'developer-tools': { en: 'Developer Tools', ja: '開発ツール' },
  utilities: { en: 'Utilities', ja: 'ユーティリティ' },
  other: { en: 'Other', ja: 'その他' },
}

/** Letters and digits of any script first, then also marks, space and `. _ : / & -`; 64 code points at most. */
export const CATEGORY_ID = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._:/&-]{0,63}$/u

/** Asks whether a service may be listed under it: there are letters and marks that nobody sees. */
export const isCategoryId = (id: string): boolean =>
  CATEGORY_ID.test(id) && !isBlank(id) && hiddenInName(id) === undefined

/** What two spellings of one category have in common. */
export const categoryKey = (id: string): string => id.toLowerCase()

/** The labels of a known id; for an unknown one a readable label made from it: `image-generation` → `Image Generation`. */
export function categoryLabels(id: string): Labels {
  const key = categoryKey(id)
  const known = Object.hasOwn(KNOWN_CATEGORIES, key) ? KNOWN_CATEGORIES[key] : undefined
  if (known) return known
  const label = id
    .split(/[-_.:/ ]+/)
    .filter(word => word !== '')
    .map(word => word.replace(/^\p{L}/u, letter => letter.toUpperCase()))
    .join(' ')
  return { en: label, ja: label }
}

const IDS_BY_LABEL = new Map(
  Object.entries(KNOWN_CATEGORIES).flatMap(([id, { en, ja }]) => [
    [ja.toLowerCase(), id],
    [en.toLowerCase(), id],
  ]),
)

/** Maps a readable label back to an id, as an export document needs it. */
export function categoryFromLabel(label: string): string {
  const folded = label.trim().toLowerCase()
  return IDS_BY_LABEL.get(folded) ?? folded.replace(/\s+/g, '-')
}
