// Japanese: reasons, and the language itself.

import { categoryLabels } from '../../../../domain/listing/categories.ts'
import type { Language, ReasonWords } from '../language.ts'
import {
  JAPANESE_CHAIN,
  JAPANESE_CONCESSION,
  JAPANESE_EXCLUSION,
  JAPANESE_FREE,
  JAPANESE_MONEY,
  JAPANESE_NEGATION,
  JAPANESE_PROTOCOL,
  JAPANESE_STATUS,
  JAPANESE_WISHES,
  toJapaneseCategory,
  toJapaneseCurrency,
  toJapanesePrice,
} from './conditions.ts'
import { JAPANESE_EMBEDDING } from './embedding.ts'
import { JAPANESE_LEXICON } from './lexicon.ts'
import {
  continuesJapanese,
  findJapaneseForm,
  isJapaneseFiller,
  toJapaneseParts,
  toJapaneseStem,
  toJapaneseSteps,
  toJapaneseWords,
} from './words.ts'

const quote = (words: readonly string[]): string => words.map(word => `「${word}」`).join('')

const within = (conditions: string): string => (conditions === '' ? '' : `（条件：${conditions}）`)

const JAPANESE_REASONS: ReasonWords = {
  statuses: { verified: '検証済み', unverified: '未検証', inactive: '停止中' },
  unapplied: {
    chain_as_subject: () => '支払いのネットワークではなく、探しものの一部として読みました',
    lowest_price: () => '価格の下限は指定できません（上限のみ指定できます）',
    price_of_something_else: () => '1回の料金としては高すぎるため、探しものの一部として読みました',
    unknown_category: name => `「${name}」は既知のカテゴリではありません`,
    second_of_a_kind: () => '同じ種類の条件は一つだけ指定できます',
    negated: () => 'この条件は指定できますが、除外はできません',
    undecidable: () => '何が不要かは登録内容からはわからないため、結果には反映していません',
    no_rate: name => `${name} の為替レートが設定されていないため、${name} 建ての料金だけを比べています`,
    same_word: () => '探しものと同じ言葉なので、除外できません',
  },
  otherCurrencies: 'ほかの通貨',
  matches: words => `${quote(words)}に一致。`,
  meetsConditions: '条件に一致。',
  closeInMeaning: '内容が近い。',
  weak: '関連は薄い。',
  price: (price, currency, chain) => `1回 ${price} ${currency}（${chain}）`,
  between: '、',
  freeRequests: count => `無料枠 ${count}回`,
  inCategory: label => `カテゴリ「${label}」`,
  demotion: {
    seller: '支払い先かドメインが同じ登録が続くので、後ろに表示',
    copy: 'ほかのサービスと名前か説明が同じなので、後ろに表示',
    terms: '掲載と異なる支払い先やネットワーク、または掲載より高い価格を求めるので、最後に表示',
    delivery: '支払っても提供されないことが続いたので、最後に表示',
  },
  end: '。',
  gap: '',
  conditions: {
    below: sum => `1回 ${sum}未満`,
    atMost: sum => `1回 ${sum}以下`,
    paidIn: currency => `${currency}払い`,
    on: chain => chain,
    inCategory: label => `カテゴリ「${label}」`,
    free: '無料枠あり',
    by: protocol => `${protocol}で払える`,
    excluded: name => `${name}以外`,
    wishes: { cheap: '安さを優先', reliable: '信頼性を優先', fast: '速さを優先', free: '無料を優先' },
    join: conditions => conditions.join('、'),
  },
  noWord: '探したいものを表す言葉が見つかりませんでした。',
  nothing: (subject, conditions) =>
    `${subject.length === 0 ? '条件' : quote(subject)}に合うサービスは見つかりませんでした${within(conditions)}。`,
  onlyWeak: '関連の薄い結果を表示しています。',
  mentionedByNone: words => `${quote(words)}を含むサービスはありません。`,
  fewMatched: (matched, words) => `どの結果も、${words}語のうち${matched}語までしか一致しません。`,
  found(count, subject, matched, conditions) {
    const what = matched.length > 0 ? quote(matched) : subject.length === 0 ? '条件' : '内容'
    return `${what}に合うサービスが${count}件あります${within(conditions)}。`
  },
}

// Japanese: written in its own characters and without spaces.

const CHARACTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const STARTS_WITH_ONE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const CHARACTER_OR_MARK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]/u

export const JAPANESE: Language = {
  code: 'ja',
  recognises: text => CHARACTER.test(text),
  owns: word => STARTS_WITH_ONE.test(word),
  text: {
    unspaced: { isOwn: character => CHARACTER_OR_MARK.test(character), segment: toJapaneseWords },
    toStem: toJapaneseStem,
    toParts: toJapaneseParts,
    lexicon: JAPANESE_LEXICON,
    continues: continuesJapanese,
    // Two characters are a whole word.
    minFuzzyLength: 0,
    joint: '',
    findForm: findJapaneseForm,
  },
  sentence: {
    isFiller: isJapaneseFiller,
    generic: ['サービス', 'エージェント'],
    toSteps: toJapaneseSteps,
    money: JAPANESE_MONEY,
    negation: JAPANESE_NEGATION,
    constraints: shared => ({
      concession: JAPANESE_CONCESSION,
      price: toJapanesePrice(shared),
      currency: toJapaneseCurrency(shared),
      status: JAPANESE_STATUS,
      free: JAPANESE_FREE,
      protocol: JAPANESE_PROTOCOL,
      category: toJapaneseCategory(shared),
      wish: JAPANESE_WISHES,
      chain: JAPANESE_CHAIN,
      exclusion: JAPANESE_EXCLUSION,
    }),
  },
  reasons: JAPANESE_REASONS,
  embedding: { runs: JAPANESE_EMBEDDING },
  categoryLabel: id => categoryLabels(id).ja,
}
