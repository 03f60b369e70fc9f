// Conversions in Japanese text, found by particles: PDFをMarkdownに, 日本語から英語へ, 住所から緯度経度を.
import { type Conversion, type NamedConversion, NEVER_MATCHES } from '../language.ts'

const WORD = '[\\p{Script=Han}\\p{Script=Katakana}ーA-Za-z0-9+#]{1,20}'
/** Two words may name what is converted: Excelの表, Word 文書, ワードやHTML. */
const NAME = `(${WORD}(?:(?:の|や|・|\\s)${WORD})?)`
const CONVERSION = new RegExp(`${NAME}(?:を\\s?${NAME}(?:に|へ)|から\\s?${NAME}(?:に|へ|を|の|\\s|$))`, 'gu')
const BETWEEN_WORDS = /の|や|・|\s|(?<=[A-Za-z0-9+#])(?=[^A-Za-z0-9+#])|(?<=[^A-Za-z0-9+#])(?=[A-Za-z0-9+#])/u

const toWords = (name: string): string[] =>
  name
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter(word => word !== '')

/** Matches every text with a conversion. */
const HINT = /を.*[にへ]|から/su

export const toJapaneseConversions = (text: string): Conversion[] =>
  HINT.test(text)
    ? [...text.matchAll(CONVERSION)].map(([, from = '', made, made2]) => ({
        from: toWords(from),
        to: toWords(made ?? made2 ?? ''),
      }))
    : []

const SOUND =
  '音声,録音,声,会話,通話,ポッドキャスト,ボイスメモ,ボイス,講演,インタビュー,会議,電話,ナレーション,朗読'.split(
    ',',
  )
const TEXT = '文字,文章,テキスト,文,言葉,原稿,説明文,記事,プロンプト,文書,議事録'.split(',')
const PICTURE = '画像,写真,絵,イラスト,スキャン,スクリーンショット,手書き,メモ'.split(',')
const FILM = '動画,映像,ビデオ,アニメ'.split(',')

export const JAPANESE_LANGUAGE_NAMES =
  '英語,フランス語,仏語,ドイツ語,スペイン語,イタリア語,ポルトガル語,オランダ語,ロシア語,ウクライナ語,トルコ語,アラビア語,ヒンディー語,中国語,日本語,韓国語,ベトナム語,タイ語,インドネシア語'.split(
    ',',
  )

/** Conversions of sound, text, pictures and languages, and the names of services for them. */
export const JAPANESE_NAMED_CONVERSIONS: readonly NamedConversion[] = [
  // Translation services translate both ways.
  {
    from: JAPANESE_LANGUAGE_NAMES,
    to: JAPANESE_LANGUAGE_NAMES,
    names: ['翻訳', 'translation', 'translate'],
    pattern: NEVER_MATCHES,
  },
  {
    from: FILM,
    to: TEXT,
    names: ['動画の文字起こし', 'video transcript', 'video transcribe'],
    pattern: /動画の(?:文字起こし|書き起こし)/u,
  },
  {
    from: SOUND,
    to: TEXT,
    names: ['文字起こし', '書き起こし', 'transcription', 'transcribe', 'speech to text'],
    pattern: /文字起こし|書き起こ|音声認識|文字に起こ/u,
  },
  {
    from: TEXT,
    to: SOUND,
    names: ['読み上げ', '音声合成', 'text to speech', 'read aloud', 'narration'],
    pattern: /読み上げ|音声合成|朗読|ナレーション/u,
  },
  {
    from: TEXT,
    to: PICTURE,
    names: ['画像生成', 'text to image', 'image prompt', 'picture prompt', 'image diffusion'],
    pattern: /画像生成|(?:絵|画像|イラスト)を(?:生成|描|作)/u,
  },
  {
    from: PICTURE,
    to: TEXT,
    names: ['文字認識', 'ocr', 'handwriting'],
    pattern: /文字認識|文字を読み取|(?:画像|写真)の説明文|写真に写っている物を言葉/u,
  },
  {
    from: [...TEXT, ...PICTURE],
    to: FILM,
    names: ['動画生成', 'text to video', 'video prompt'],
    pattern: /動画生成|(?:動画|映像)を(?:生成|作)/u,
  },
]
