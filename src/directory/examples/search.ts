// A search result with the example service.
import { serviceExample } from './service.ts'

export const intentExample = {
  query: '東京の天気を知りたい',
  tokens: ['東京', '天気'],
  matchedTokens: ['天気'],
  total: 1,
  reason: '「天気」に一致するサービスが1件あります。',
  constraints: { unapplied: [] },
  wishes: [],
  results: [
    {
      service: serviceExample,
      score: 0.91,
      matchedTokens: ['天気'],
      reason: '「天気」に一致します。',
      usdPrice: '0.001',
      usdPriceAt: null,
      backing: { claimed: true, domain: false, stranger: false, namesake: false, sample: false },
    },
  ],
}
