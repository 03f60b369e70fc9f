// Japanese requests that name two of a kind.
import type { NamedPair } from '../language.ts'
import { JAPANESE_LANGUAGE_NAMES } from './conversions.ts'

const toNames = (lines: readonly string[]): string[][] => lines.map(names => names.split(','))

const CURRENCIES = toNames([
  'usd,ドル,米ドル,dollar,dollars',
  'eur,ユーロ,euro,euros',
  'jpy,円,日本円,yen',
  'gbp,ポンド,英ポンド',
  'chf,フラン,スイスフラン',
  'cny,元,人民元',
  'inr,ルピー',
  'krw,ウォン',
  'cad,カナダドル',
  'aud,豪ドル',
  'twd,台湾ドル',
  'thb,バーツ',
])

const COINS = toNames([
  'btc,ビットコイン,bitcoin',
  'eth,イーサ,イーサリアム,ether',
  'sol,ソラナ',
  'doge,ドージコイン',
  'xrp,リップル',
  'usdc',
  'usdt',
])

const UNITS = toNames([
  'kg,キログラム,キロ',
  'ポンド',
  'オンス',
  'グラム',
  'km,キロメートル',
  'マイル',
  'メートル',
  'フィート',
  'インチ',
  'cm,センチ,センチメートル',
  '摂氏',
  '華氏',
  'リットル',
  'ガロン',
])

const IDENTIFYING = '判定,判別,識別,見分ける,見分け,認識,検出'.split(',')

export const JAPANESE_PAIRS: readonly NamedPair[] = [
  {
    of: [IDENTIFYING, JAPANESE_LANGUAGE_NAMES],
    names: ['何語で書かれて', '言語を見分け', 'language identification'],
  },
  { of: CURRENCIES, names: ['為替レート', '為替', '通貨の換算', 'exchange rates', 'forex'] },
  {
    of: [...COINS, CURRENCIES.flat()],
    names: ['暗号資産の価格', '暗号資産の相場', 'crypto prices', 'coin prices'],
  },
  { of: UNITS, names: ['単位の換算', 'unit conversion', 'converts units'] },
  {
    of: [IDENTIFYING, '写真,画像'.split(',')],
    names: ['写っている物', '画像認識', 'image recognition', 'photo objects'],
  },
]
