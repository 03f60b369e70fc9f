// A catalog of any size for measuring: words drawn as in a language, few of them often and most of them seldom.
import type { SearchDocument } from '../src/search/index/postings.ts'

const SYLLABLES =
  `ba be bi bo da de di do fa fi ga go ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro
sa se si so ta te ti to va ve vi za ze zo`.split(/\s+/)
const ENGLISH =
  `the and for with api data of in to a real time price weather image text search token market news map translate
forecast currency crypto audio video speech analysis generate convert verify email address document contract wallet balance
exchange rate stock history travel hotel flight route language summary sentiment detect face object compress storage file
code security scan audit risk score fraud identity health recipe music game sport random oracle gas chain block event`.split(
    /\s+/,
  )
const JAPANESE =
  `天気 予報 翻訳 画像 生成 価格 為替 検索 地図 経路 音声 認識 要約 文書 変換 検証 住所 郵便 番号 株価 指数 履歴 取得 解析 監視
通知 地震 速報 鉄道 時刻 宿泊 予約 求人 不動産 統計 人口 法人 登記 契約 署名 暗号 資産 残高`.split(/\s+/)
const CATEGORIES = [
  'weather',
  'finance',
  'image',
  'text',
  'crypto',
  'search',
  'maps',
  'audio',
  'developer-tools',
  'news',
]
const VOCABULARY = 60_000

function createDice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type InventedCatalog = {
  readonly documents: readonly SearchDocument[]
  /** Two words of one entry, drawn anew at each call. */
  twoWords(): string
  /** So many words of one entry, drawn anew at each call. */
  wordsOfOne(count: number): string
  /** The words that most entries have, so many of them. */
  frequentWords(count: number): string
  /** A sentence that asks for what an entry offers. */
  sentence(): string
}

export function createInventedCatalog(entries: number, seed: number): InventedCatalog {
  const dice = createDice(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(dice() * list.length)]!
  const words = [...ENGLISH]
  const seen = new Set(words)
  while (words.length < VOCABULARY) {
    const word = Array.from({ length: 2 + Math.floor(dice() * 3) }, () => pick(SYLLABLES)).join('')
    if (!seen.has(word)) words.push(word)
    seen.add(word)
  }
  /** Zipf's law: the chance of a word falls with its rank. */
  const word = () => words[Math.floor(Math.exp(dice() * Math.log(VOCABULARY))) - 1]!
  const phrase = (count: number) => Array.from({ length: count }, word).join(' ')
  const japanese = (count: number) =>
    Array.from(
      { length: count },
      () => `${pick(JAPANESE)}${pick(JAPANESE)}${pick(['を', 'の', 'と', 'で'])}`,
    ).join('')

  const documents = Array.from({ length: entries }, (_, i) => {
    const inJapanese = i % 4 === 3
    const length = 6 + Math.floor(dice() * 24)
    return {
      name: inJapanese ? `${pick(JAPANESE)}${pick(JAPANESE)} ${word()}` : phrase(2 + Math.floor(dice() * 2)),
      description: inJapanese
        ? `${japanese(4 + Math.floor(dice() * 6))}提供します。${phrase(3)}`
        : `${phrase(length)}.`,
      category: pick(CATEGORIES),
      endpoint: `https://${word()}-${i % 977}.example/v1`,
    }
  })
  const wordOf = ({ description }: SearchDocument) => {
    const own = description.split(/[ .。]+/).filter(part => part.length > 2 && part.charCodeAt(0) < 0x80)
    return pick(own)
  }
  return {
    documents,
    twoWords() {
      const document = pick(documents)
      return `${wordOf(document)} ${wordOf(document)}`
    },
    wordsOfOne(count) {
      const document = pick(documents)
      return Array.from({ length: count }, () => wordOf(document)).join(' ')
    },
    frequentWords: count => words.slice(0, count).join(' '),
    sentence() {
      const document = pick(documents)
      return dice() < 0.5
        ? `I am looking for an API with ${wordOf(document)}, ${wordOf(document)} and ${wordOf(document)}`
        : `${pick(JAPANESE)}と${pick(JAPANESE)}の${wordOf(document)}を探しています`
    },
  }
}
