// Japanese, written in its own characters and without spaces: segmentation, stop words, stems, the steps of a request, reasons.

import { categoryLabels } from '../../../../domain/listing/categories.ts'
import { memoize } from '../../../../memory/memoize.ts'
import type { EmbeddedRuns, Language, ReasonWords } from '../language.ts'
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
import { JAPANESE_LEXICON } from './lexicon.ts'

/** The end of one action before another. くて, ていて and でいて join descriptions of one thing. */
const BORDER =
  /(?<=(?:し|っ|べ|め|げ|け|え|せ|み|り|(?<![てで])い)て|んで)(?:から)?(?:、|,|\s+)|(?<=[\p{Script=Han}ァ-ヶー]し|しし)(?:、|,)|(?<=[\p{Script=Han}ァ-ヶー]して|しして)(?=[\p{Script=Han}ァ-ヶーA-Za-z])(?![欲下頂貰見行来置])|(?<=[\p{Script=Han}ァ-ヶーA-Za-z]にして)(?=[\p{Script=Han}ァ-ヶーA-Za-z])(?![欲下頂貰見行来置])|(?<=[てで]から)(?=[\p{Script=Han}ァ-ヶーA-Za-z])|[。、]?(?:それから|そのあと|その後|次に|続いて|さらに|加えて|併せて|あわせて|ついでに|そして|最後に)、?|。\s*また、?/u

/** Says only that a step is the first. */
const FIRST = /^(?:まず(?:は)?|はじめに|初めに|最初に)、?/u

/** Returns the steps of a request in order; fewer than two for a request of one step. */
const toJapaneseSteps = (text: string): string[] =>
  text
    .split(BORDER)
    .map(part => part.trim().replace(FIRST, ''))
    .filter(part => part !== '')

/** It finds the words, but it knows no grammar and splits endings in odd places (あり|ま|すか), which is corrected here. */
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/**
 * Particles, auxiliaries, forms of する・ある・いる・なる・できる, polite endings, pronouns, and the pieces that the segmenter makes of
 * them.
 */
const GRAMMAR = new Set(
  `から まで より ので のに には では とは への での との にて として とか たり など なら ならば ながら ため ために だけ しか ばかり ほど くらい ぐらい
こそ さえ すら でも ても って という といった とって つい ついて おい おいて よる より よって よう ように ような みたい みたいな そう そうな
です でした でしょ でしょう ですか ですが ですね ですよ だった だろう である であり であれば ます ました ません ませ ましょ ましょう ますか まし
すか せん てい てる ている ていた ていて てます ておき てく てくれ てくれる てください ていただ ていただき ても たい たく たい です たかっ した して しま します しました
しない しよ しよう する すれ すれば される され させ させる させて せる れる られ られる できる でき できます できた できて できない できれば 出来る 出来
ある あり ありま あります あれ あれば あっ あった ない なく なくて なけれ なかっ なかった いる いた いて いない おり おります おける
なる なり なった なって なれ くる くれ くれる くれます くだ ください くださ くださる さい いただ いただき いただく いただける いただけ もらい もらう もらえ もらえる
ほしい ほしく いい よい よく よろし よろしく どう どうか どこ どの どれ どんな なに なん なんか なんで いつ だれ この その あの これ それ あれ ここ そこ
こと もの とき ところ わけ はず まま うち かた ほう ほか もっと とても すごく すこし ちょっと また まだ もう あと なお および または あるいは もしくは かつ
じゃ じゃあ えて える えば えない えます したら しても すると とり とる とれ とって とれる やって やる やり みて みたら
なので ところが っぽい っぽく っぽ やつ けど けれど けれども だって しかし ただし そして それで だから たとえば いろいろ いろんな さまざま すべて ぜひ なるべく できるだけ おすすめ お願い おねがい ありがとう
にし にして について における において にとって による により によって にわたって とともに つつ んで んだ なぜ いくつか それぞれ これらの そのもの つまり すなわち だけど だが かも
しょう われ われる わか しく すく こちら そちら あなた いま いつも さっき めっちゃ どういう いかが おおよそ こんにちは さん ねえ
たち がた ごと ずつ おき つき ばあい ご お を は が の に へ と で も や か な ね よ わ`.split(/\s+/),
)

/** The phrasing of a request: 「…を探しています」「…を教えてください」「…が欲しいです」. */
const REQUEST = new Set(
  `探 探し 探す 探して 捜 捜し 教 教え 教えて 知 知り 知る 知って 欲 欲し 欲しい 必要 お願い 願い 願 使 使い 使う 使って 使える 使え 使いたい 利用できる
見つけ 見つける 見つけて 見つけたい 見たい 見せて 私 僕 俺 我々 弊社 当社 自分 何 何か 何処 誰 下さい 頂 頂き 頂く 頂け 頂ける 貰 貰い 貰える 致 致し 致します 有 無い
取 取り 取る 取れる 取って 調 調べ 調べる 調べて 調べられる 見 見る 見て 見られる 見れる 分か 分かる 分かり わかる わかり 得る 得られる 確かめ 確かめる 扱う 扱い 扱える
様 事 物 為 時 際 等 的 上 上の 方 中 ところ 良 良い 場合 可能 可能な 出来 出来る お勧め 助けて 助け 一つ いるか あるか ないか つけ つけて つける のみ きた きて たら いたい 払える 払えて 支払える 支払えて`.split(
    /\s+/,
  ),
)

const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u
const KATAKANA = /^[\p{Script=Katakana}ー]+$/u
const KANJI_THEN_ENDING = /^(.*\p{Script=Han})\p{Script=Hiragana}+$/u
const KANJI_ONLY = /^\p{Script=Han}+$/u

const isJapaneseGrammar = (word: string): boolean =>
  HIRAGANA.test(word) && (word.length === 1 || GRAMMAR.has(word))

/** Returns whether a word is a function word or phrases a request. */
const isJapaneseFiller = (word: string): boolean =>
  isJapaneseGrammar(word) || GRAMMAR.has(word) || REQUEST.has(word)

/** Endings of verbs and adjectives that the segmenter splits off a single character: 読|み, 安|く. None of them is a particle. */
const ENDINGS = 'くみりいえしきけべめれらせちぎびじ'
/** Characters that end a word of two others: 領収|書, 東京|都. */
const SUFFIXES = '書者語化性率機器店費税料券品額量線点法学会員所局省庁県市区町村都府国人数式型版'
const ONE_KANJI = /^\p{Script=Han}$/u
const TWO_KANJI = /^\p{Script=Han}{2}$/u

function belongsTo(previous: string, segment: string): boolean {
  // The segmenter splits an unknown katakana word into fragments: コントラ|ク|ト, ウォ|レット.
  if (KATAKANA.test(segment)) return (segment.length <= 2 || previous.length <= 2) && KATAKANA.test(previous)
  if (segment.length > 1) return false
  return (
    (ENDINGS.includes(segment) && ONE_KANJI.test(previous)) ||
    (SUFFIXES.includes(segment) && TWO_KANJI.test(previous))
  )
}

function segment(run: string): string[] {
  const words: string[] = []
  let previous = ''
  for (const { segment } of segmenter.segment(run)) {
    if (previous !== '' && belongsTo(previous, segment)) {
      previous += segment
      words[words.length - 1] = previous
      continue
    }
    previous = isJapaneseGrammar(segment) ? '' : segment
    if (previous !== '') words.push(segment)
  }
  return words
}

/** No word spans a particle between characters other than hiragana: 東京の|天気を|調べる. */
const AFTER_PARTICLE = /(?<=\P{Script=Hiragana}[をのにでとがはへもや])(?=\P{Script=Hiragana})/u
const MAX_REMEMBERED = 20_000

/** A cache, because phrases recur (天気予報を) and segmentation is the slowest step of indexing. */
const toWords = memoize(MAX_REMEMBERED, segment)

/** Returns the words of a run of Japanese script in order, without function words. */
function toJapaneseWords(run: string): readonly string[] {
  const phrases = run.split(AFTER_PARTICLE)
  return phrases.length === 1 ? toWords(run) : phrases.flatMap(toWords)
}

const V_SOUNDS: Readonly<Record<string, string>> = {
  ヴァ: 'バ',
  ヴィ: 'ビ',
  ヴェ: 'ベ',
  ヴォ: 'ボ',
  ヴュ: 'ビュ',
  ヴ: 'ブ',
  ヂ: 'ジ',
  ヅ: 'ズ',
}

/** Folds spellings: りんご and リンゴ, サーバー and サーバ, ヴァイオリン and バイオリン. */
function foldKana(word: string): string {
  const katakana = word.replace(/[ぁ-ゖ]/g, kana => String.fromCharCode(kana.charCodeAt(0) + 0x60))
  const plain = katakana.replace(/ヴ[ァィェォュ]|[ヴヂヅ]/g, sound => V_SOUNDS[sound] ?? sound)
  // Short words (キー, バー) keep the mark, which distinguishes them.
  return plain.length >= 4 && plain.endsWith('ー') ? plain.slice(0, -1) : plain
}

/** Returns the stem: 調べる, 調べ → 調; kana folded. */
function toJapaneseStem(word: string): string {
  if (HIRAGANA.test(word) || KATAKANA.test(word)) return foldKana(word)
  return KANJI_THEN_ENDING.exec(word)?.[1] ?? word
}

const MIN_KATAKANA_COMPOUND = 6
/** 棒グラフ, カメラ店. */
const KANJI_AND_KATAKANA =
  /^(\p{Script=Han}+|[\p{Script=Katakana}ー]+)((?<=\p{Script=Han})[\p{Script=Katakana}ー]+|(?<=[\p{Script=Katakana}ー])\p{Script=Han}+)$/u

/** Returns the words inside a compound that the segmenter does not split: メール and アドレス of メールアドレス, 日本 of 日本語. */
function toJapaneseParts(stem: string): string[] {
  if (KANJI_ONLY.test(stem)) {
    if (stem.length === 3) return [stem.slice(0, 2)]
    if (stem.length === 4) return [stem.slice(0, 2), stem.slice(2)]
    return []
  }
  const mixed = KANJI_AND_KATAKANA.exec(stem)
  if (mixed) return [mixed[1]!, mixed[2]!].filter(part => part.length > 1)
  if (stem.length < MIN_KATAKANA_COMPOUND || !KATAKANA.test(stem)) return []
  const parts: string[] = []
  for (let head = 3; head <= 5 && head < stem.length; head++) parts.push(stem.slice(0, head))
  for (let tail = 4; tail <= 5 && tail < stem.length - 1; tail++) parts.push(stem.slice(-tail))
  // No word begins like this: ノーション has only ーション in common with many others.
  return parts.filter(part => !/^[ーンァィゥェォャュョッ]/.test(part))
}

const IS_HIRAGANA = /\p{Script=Hiragana}/u
const IS_KATAKANA = /[\p{Script=Katakana}ー]/u
const IS_KANJI = /\p{Script=Han}/u
/** These are separate words. */
const PARTICLES = 'のをがはにでともや'

/** A verb or an adjective, and any te-form. */
const INFLECTED = /\p{Script=Han}\p{Script=Hiragana}+$|^\p{Script=Hiragana}{2,}[てで]$/u

/** After the name of a country, these change its meaning: 日本人, 日本語. */
const WHOSE = '人語円'

/** Returns whether a character next to a word makes it part of a longer one: かねこ is not ねこ, 電車 is not 車. */
function continuesJapanese(word: string, edge: string, neighbour: string): boolean {
  // What follows a verb is its ending: 漏れて|いない, まとめて|ほしい.
  if (edge === word.at(-1) && IS_HIRAGANA.test(neighbour) && INFLECTED.test(word)) return false
  if (IS_HIRAGANA.test(edge)) return IS_HIRAGANA.test(neighbour) && !PARTICLES.includes(neighbour)
  if (IS_KATAKANA.test(edge)) return IS_KATAKANA.test(neighbour) || WHOSE.includes(neighbour)
  return IS_KANJI.test(neighbour) && (word.length === 1 || WHOSE.includes(neighbour))
}

const HIRAGANA_BEFORE = /\p{Script=Hiragana}*$/u
const HIRAGANA_AFTER = /^\p{Script=Hiragana}*/u

/** Returns whether the text next to a word, which begins or ends with `hiragana`, goes on with it: よみ in よみとり. */
function isPart(word: string, edge: string, neighbour: string, hiragana: string): boolean {
  if (IS_HIRAGANA.test(edge)) return hiragana.length > 1 || (hiragana !== '' && !PARTICLES.includes(hiragana))
  if (IS_KATAKANA.test(edge)) return IS_KATAKANA.test(neighbour)
  // Between two kanji, a verb is part of a compound: 書き in 手書き.
  return IS_KANJI.test(neighbour) && (word.length === 1 || KANJI_THEN_ENDING.test(word))
}

/** Returns a word as a text has it, unless it is only part of longer ones there. A long vowel at its end may be left out. */
export function findJapaneseForm(text: string, word: string): string | undefined {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isLong = IS_KATAKANA.test(word.at(-1)!) && text[at + word.length] === 'ー'
    const form = isLong ? `${word}ー` : word
    const before = text.slice(0, at)
    const after = text.slice(at + form.length)
    if (isPart(form, form[0]!, before.at(-1) ?? '', HIRAGANA_BEFORE.exec(before)![0])) continue
    if (!isPart(form, form.at(-1)!, after[0] ?? '', HIRAGANA_AFTER.exec(after)![0])) return form
  }
  return undefined
}

// Reasons in Japanese.

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
    unmet_name: () => 'ほかの言葉に合うサービスに、この名前の記載がありません',
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
    seller: above =>
      `支払い先かドメインが同じサービス${above === undefined ? '' : `（${above}）`}が上にあるため、後ろに表示`,
    copy: () => 'ほかのサービスと名前か説明が同じなので、後ろに表示',
    terms: () => 'エンドポイントが掲載と異なる支払いを求めるので、最後に表示',
    delivery: () => '支払っても提供されないことが続いたので、最後に表示',
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
  found(count, subject, matched, conditions) {
    const what = matched.length > 0 ? quote(matched) : subject.length === 0 ? '条件' : '内容'
    return `${what}に合うサービスが${count}件あります${within(conditions)}。`
  },
}

// How the embedding tokenizes Japanese. Its rows are trained on exactly these tokens: a change here requires a new training run.

const CHARACTERS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆'
const STARTS_JAPANESE = new RegExp(`^[${CHARACTERS}]`, 'u')
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u
/** Known words from this length on are also split into their parts: 為替相場 is also 為替 and 相場. */
const COMPOUND_LENGTH = 4

export const isJapanese = (word: string): boolean => STARTS_JAPANESE.test(word)
export const isHiragana = (word: string): boolean => HIRAGANA_ONLY.test(word)

/** サーバー and サーバ are one word. Short words (キー, バー) keep the mark, which distinguishes them. */
const withoutLongVowel = (word: string): string =>
  word.length >= 4 && word.endsWith('ー') && KATAKANA.test(word) ? word.slice(0, -1) : word

const JAPANESE_EMBEDDING: EmbeddedRuns = {
  characters: CHARACTERS,
  owns: isJapanese,
  *words(run) {
    for (const { segment } of segmenter.segment(run)) yield withoutLongVowel(segment)
  },
  // Unknown hiragana of one or two characters are wrongly segmented particles.
  isCompound: (word, isKnown) =>
    isKnown ? word.length >= COMPOUND_LENGTH && !isHiragana(word) : !isHiragana(word) || word.length > 2,
  isWord: character => IS_KANJI.test(character),
}

const CHARACTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const STARTS_WITH_ONE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const CHARACTER_OR_MARK = new RegExp(`[${CHARACTERS}]`, 'u')

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
    isBeyondAscii: true,
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
