import { describe, expect, test } from 'bun:test'
import { toRoman } from '../../../src/search/text/languages/japanese/lexicon.ts'
import { toKatakanaLetters } from '../../../src/search/text/languages/japanese/sound.ts'
import { SEARCH_LANGUAGES } from '../../../src/search/text/languages/languages.ts'
import { letterDistance, toSound } from '../../../src/search/text/sounds.ts'

describe('a name sounds the same in both scripts', () => {
  test.each([
    ['コインゲッコー', 'coingecko'],
    ['ノーション', 'notion'],
    ['インスタグラム', 'instagram'],
    ['テレグラム', 'telegram'],
    ['ディスコード', 'discord'],
    ['ドロップボックス', 'dropbox'],
    ['メタマスク', 'metamask'],
    ['ショッピファイ', 'shopify'],
    ['バイナンス', 'binance'],
    ['フィグマ', 'figma'],
  ])('%s and %s', (katakana, latin) => {
    const letters = toKatakanaLetters(katakana)!
    expect(toSound(letters)).toBe(toSound(latin))
    expect(letterDistance(letters, latin)).toBeLessThanOrEqual(0.6)
  })

  test.each([
    ['モーション', 'notion'],
    ['インスタンス', 'instagram'],
    ['コインベース', 'coingecko'],
    ['テレビ', 'telegram'],
    ['ディスコ', 'discord'],
  ])('%s does not sound like %s', (katakana, latin) => {
    expect(toSound(toKatakanaLetters(katakana) ?? '')).not.toBe(toSound(latin))
  })
})

test.each([
  ['てんき', 'tenki'],
  ['きょう', 'kyou'],
  ['しゃしん', 'shashin'],
  ['けっさい', 'kessai'],
  ['ちず', 'chizu'],
])('%s is written %s in Latin letters', (kana, roman) => {
  expect(toRoman(kana)).toBe(roman)
})

describe('a word of the lexicon is found as a whole word only', () => {
  const found = (text: string) => SEARCH_LANGUAGES.equivalentsIn(text).map(({ written }) => written)
  test.each([
    ['ねこの写真', ['ねこ', '写真']],
    ['かねこさん', []],
    ['日本人の本', ['本']],
    ['text to speech api', ['text to speech']],
    ['context to speechless', []],
    ['電車と車', ['電車', '車']],
  ])('%s', (text, words) => {
    expect(found(text)).toEqual(words)
  })
})
