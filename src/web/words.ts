// What the pages say, in English and Japanese.

export type Language = 'en' | 'ja'

const english = {
  tagline: 'API services that take a payment per request',
  placeholder: 'What do you need? For example: weather forecast under 1 cent',
  search: 'Search',
  counts: (services: number, categories: number) => `${services} services in ${categories} categories`,
  newest: 'Newest services',
  results: (count: number) => `${count} found`,
  nearest: (relaxed: string) => `Nearest, without “${relaxed}”`,
  nothing: 'Nothing is listed yet.',
  loading: 'The catalog is still loading. Reload in a moment.',
  invalid: 'This question cannot be answered',
  price: 'per request',
  free: (quota: number) => `${quota} free`,
  trust: 'trust',
  previous: 'Previous',
  next: 'Next',
  reference: 'API reference',
  document: 'OpenAPI document',
  exported: 'Export of the whole catalog',
  statuses: { verified: 'verified', unverified: 'unverified', inactive: 'inactive' },
}

export type Words = typeof english

const japanese: Words = {
  tagline: 'リクエストごとに支払うAPIサービスの案内所',
  placeholder: '何をお探しですか？ 例：1円以下の天気予報',
  search: '検索',
  counts: (services, categories) => `${services}件のサービス、${categories}のカテゴリ`,
  newest: '新着サービス',
  results: count => `${count}件見つかりました`,
  nearest: relaxed => `「${relaxed}」の条件を外した近い結果`,
  nothing: 'まだ登録がありません。',
  loading: 'カタログを読み込み中です。少し待って再読み込みしてください。',
  invalid: 'この質問には答えられません',
  price: '/ 1リクエスト',
  free: quota => `無料枠 ${quota}`,
  trust: '信頼度',
  previous: '前へ',
  next: '次へ',
  reference: 'APIリファレンス',
  document: 'OpenAPI文書',
  exported: 'カタログ全体のエクスポート',
  statuses: { verified: '確認済み', unverified: '未確認', inactive: '停止中' },
}

export const WORDS: Readonly<Record<Language, Words>> = { en: english, ja: japanese }

/** Japanese where it is wanted more than English (RFC 9110, 12.5.4). */
export function chooseLanguage(acceptLanguage: string | null): Language {
  const qualities = { en: 0, ja: 0 }
  for (const item of (acceptLanguage ?? '').toLowerCase().split(',')) {
    const [tag = '', ...parameters] = item.split(';').map(part => part.trim())
    const language = tag.split('-')[0]
    if (language !== 'en' && language !== 'ja') continue
    const given = parameters.find(parameter => parameter.startsWith('q='))
    qualities[language] = Math.max(qualities[language], given ? Number(given.slice(2)) || 0 : 1)
  }
  if (qualities.ja !== qualities.en) return qualities.ja > qualities.en ? 'ja' : 'en'
  return /^\s*ja\b/i.test(acceptLanguage ?? '') && qualities.ja > 0 ? 'ja' : 'en'
}
