import { describe, expect, test } from 'bun:test'
import { languageOfText } from '../../src/domain/languages/text-language.ts'

describe('The language of a description', () => {
  test.each([
    ['en', 'Hourly forecast for every ward of Tokyo, ten days ahead.'],
    ['en', 'Translate こんにちは and other phrases for your app'],
    ['ja', 'OpenAI APIの翻訳サービス'],
    ['ja', '東京の天気を毎時お届けします。'],
    ['zh', '获取最新的天气预报'],
    ['ko', '날씨 예보를 제공합니다'],
    ['es', 'Pronóstico del tiempo para todas las ciudades'],
    ['fr', 'Prévisions météo pour toutes les villes de France'],
    ['de', 'Wettervorhersage für alle Städte'],
    ['pt', 'Previsão do tempo para todas as cidades'],
    ['und', 'Прогноз погоды'],
    ['und', 'OCR'],
    ['und', '1 2 3 🎉'],
    ['und', ''],
  ])('is %s of %s', (language, text) => {
    expect(languageOfText(text)).toBe(language as never)
  })
})
