// Japanese requests with too many wordings for a list, found by patterns.
import type { Phrasing } from '../language.ts'
import { JAPANESE_LANGUAGE_NAMES } from './conversions.ts'

const NUMBER = '[\\d一二三四五六七八九十百千万数何]+'
const LANGUAGE_NAMES = `(?:${JAPANESE_LANGUAGE_NAMES.join('|')})`
const SPAN = '(?:年|か月|ヶ月|カ月|月|週間|日|時間|時|分|秒)'

export const JAPANESE_PHRASINGS: readonly Phrasing[] = (
  [
    // 三行にまとめる · 二文で
    [`${NUMBER}(?:行|文|段落|言)(?:で|に|くらい|以内)`, '要約,summary,summarize'],
    // 英語に · 中国語へ
    [`${LANGUAGE_NAMES}[にへ]`, '翻訳,translation,translate'],
    // 十年前 · 数か月前
    [`${NUMBER}(?:年|か月|ヶ月|カ月)前`, '過去,historical,past'],
    // 自社がどう言われているか · 世間にどう思われて
    ['どう(?:言|い|思|おも)われ|評判', 'SNSの投稿,口コミ,mentions brand'],
    // 日曜も開いている · 何時までやっている
    ['開いて(?:い|る|ま)|何時(?:まで|から)(?:開|やって|営業)|営業してい', '営業時間,opening hours'],
    // 犬の種類を写真で
    ['(?:種類|品種|名前)を(?:写真|画像)(?:で|から)', '写っている物,image recognition,objects photo'],
    // 何が写っているか
    ['何が(?:写|映)って', '説明文,objects photo,picture shows'],
    // リビングの電気をつけて · 暖房を弱める
    [
      '(?:電気|明かり|照明|ライト|ランプ|暖房|冷房|カーテン)を[^。、]{0,6}?(?:つけ|点け|消し|消す|暗く|明るく|弱め|強め|閉め|開け)',
      '家の機器,smart home,devices at home',
    ],
    // 中国語か英語か
    [
      `${LANGUAGE_NAMES}か${LANGUAGE_NAMES}(?:か|どちら|どっち)`,
      '何語で書かれて,言語を見分け,language identification',
    ],
    // キャプチャを突破: the word alone is also a screen capture
    [
      'キャプチャ(?:認証|画面)?(?:を|の)?(?:自動で|自動的に)?(?:突破|回避|解[いくけ]|解除|クリア)',
      'captcha,anticaptcha,captcha solver',
    ],
    // 電話番号が有効か · メアドが実在するか
    ['番号(?:が|は|の)(?:有効|実在|正し[いく]|本物|存在)', 'validate numbers,number validation'],
    [
      '(?:メールアドレス|メアド|メール)(?:が|は|の)(?:有効|実在|正し[いく]|本物|存在|使い捨て)',
      'メールアドレスが実在,validate email,email verification',
    ],
    // 履歴書をJSONに
    ['を(?:json|csv|構造化データ|構造化)(?:形式)?(?:に|へ|で)', '項目に分け,項目を表,parses fields'],
    // ウェブページをマークダウンに変換
    [
      '(?:ページ|サイト|url|html|記事)を[^。、]{0,8}?(?:マークダウン|markdown|テキスト|本文)(?:に|へ|で|だけ)',
      'ページの本文,clean html,page text',
    ],
    // 車で何分 · 歩いてどれくらいかかる
    [
      '(?:車|徒歩|自転車|歩いて)(?:で|だと)?(?:何分|何時間|どれくらい|どのくらい)',
      '経路,所要時間,travel time',
    ],
  ] as const
).map(([source, names]) => ({ pattern: new RegExp(source, 'gu'), names: names.split(',') }))

/** Most requests have none of these, and the patterns are much slower. */
export const JAPANESE_PHRASING_HINT =
  /[行文落言][でにく以]|まとめ|[がで][書作]|動[かく]|を[消取写画]|メール|ベクトル|の[本中]|語[にへか]|年前|月前|どう|評判|開い|何時|営業|何が|つけ|点け|消|暗く|明るく|[弱強]め|[閉開]け|何分|どれ|どの|キャプチャ|有効|実在|正し|本物|存在|json|csv|構造化|マークダウン|markdown|テキスト|本文/u

const QUANTITY = new RegExp(`^(?:${NUMBER}(?:${SPAN}(?:間|前|後)?|人|名|件|枚|個|回|行|本|冊|歳)?)$`, 'u')

export const isJapaneseQuantity = (word: string): boolean => QUANTITY.test(word)
