// Status, free quota, category and wishes in a sentence.
import { KNOWN_CATEGORIES } from '../../../domain/categories.ts'
import type { Status } from '../../../domain/standing.ts'
import { DIGITS, hinted, japanese, type Pattern, type Reader, type Wish } from './reading.ts'

/** What else can be verified: "verified contract source" is a subject. */
const VERIFIED_THINGS =
  '(?! (?:contracts?|source|e-?mails?|address(?:es)?|phones?|numbers?|identit|credentials?|accounts?|users?|badges?|reviews?|customers?|humans?|buyers?|carbon|list|checkmark|purchases?|leads|facts|signatures?|claims?))'
const WHO = '(?: (?:services?|providers?|apis?|ones|sellers?|endpoints?|vendors?))?'

const STATUS_WORDS: readonly (readonly [Status, Pattern])[] = [
  [
    'unverified',
    hinted(
      'unverified',
      new RegExp(
        `(?<![a-z])(?:only )?unverified(?:${WHO} only|(?: (?:services?|providers?|apis?|ones)))`,
        'gu',
      ),
    ),
  ],
  ['unverified', japanese('未検証', /未検証(?:の(?:もの|サービス|API|まま)?|のみ|だけ)/giu)],
  [
    'inactive',
    hinted(
      'inactive|dead',
      /(?<![a-z])(?:only )?(?:inactive|dead)(?: (?:services?|providers?|apis?|ones)| only)/gu,
    ),
  ],
  [
    'inactive',
    japanese('停止|止まって', /(?:停止中|停止している|止まっている)の?(?:もの|サービス|api|だけ|のみ)/gu),
  ],
  [
    'verified',
    hinted(
      'verified',
      new RegExp(
        `(?<![a-z])(?:only |from |already |must be |has to be )*verified(?![a-z])${VERIFIED_THINGS}${WHO}(?: only)?`,
        'gu',
      ),
    ),
  ],
  [
    'verified',
    hinted(
      'work|active|running|online|live',
      /(?<![a-z])(?:(?:only|currently|actually) (?:working|active|running|online|live|alive)(?: (?:ones|services?|apis?))?|(?:working|active|running|online|alive) only|up and running|that (?:actually|really) works?)(?![a-z])/gu,
    ),
  ],
  [
    'verified',
    japanese(
      '検証|認証|確認',
      /(?:検証|認証|確認)(?:済み?|ずみ)(?!(?:の)?(?:メール|アドレス|電話|アカウント|ユーザー|本人|契約|コントラクト))(?:の(?:もの|サービス|api)?)?(?:だけ|のみ|に限る|限定)?/gu,
    ),
  ],
  [
    'verified',
    japanese(
      '動い|稼働|動作|生き',
      /(?:(?:今|いま|現在|ちゃんと|実際に|きちんと)?(?:動い|稼働し|動作し|生き)て(?:い)?る(?!(?:物体|もの体|人|車|動物|被写体|対象|映像|画像|オブジェクト))|(?:稼働|動作)中)(?:の)?(?:もの|サービス|api)?(?:だけ|のみ)?/gu,
    ),
  ],
]

const STATUS_RULES: Reader = STATUS_WORDS.map(([status, pattern]) => ({
  pattern,
  handle: () => ({ filter: { status }, echo: { status } }),
}))

const QUOTA = [
  hinted(
    'free',
    /(?<![a-z-])(?:(?:with|has|have|having|offers?|offering|includes?|including) )?(?:(?:a|an|some) )?free[ -](?:tiers?|quotas?|plans?|trials?|requests?|calls?|allowance|credits?|usage|quota)(?:のある|がある|あり|付き|つき)?(?![a-z])/gu,
  ),
  japanese(
    '無料|ただ',
    /無料(?:利用)?(?:枠|プラン|トライアル|体験|回数|お試し|クレジット)(?:が|の|も)?(?:あり|ある|あれば|付き?|つき|有り?|ついた|付いた|つく)?(?:の)?|(?:無料|ただ)で(?:試せ|試し|お試し)(?:る|たい|できる)?/gu,
  ),
]
const FREE = [
  hinted(
    'free|at no c|without paying',
    /(?<![a-z-])(?:for free|free of charge|at no cost|without paying|at no charge)(?![a-z])/gu,
  ),
  japanese(
    '無料|タダ|無償',
    /(?:無料|タダ|無償)で(?:使|利用|でき|呼)(?:える|う|って|いたい|できる|用できる|る)?/gu,
  ),
]

const toFreeRules = (patterns: readonly Pattern[], free: 'quota' | 'any'): Reader =>
  patterns.map(pattern => ({
    pattern,
    handle: () => ({ filter: { free }, echo: { freeQuota: true as const } }),
  }))
const FREE_RULES: Reader = [...toFreeRules(QUOTA, 'quota'), ...toFreeRules(FREE, 'any')]

const CATEGORY_BY_NAME = new Map(
  Object.entries(KNOWN_CATEGORIES).flatMap(([id, { en, ja }]) =>
    [id, en, ja].map(name => [name.toLowerCase(), id] as const),
  ),
)
const CATEGORY_NAMES = [...CATEGORY_BY_NAME.keys()].sort((a, b) => b.length - a.length).join('|')
const CATEGORY = [
  hinted(
    'category',
    /(?<![a-z])(?:in|from|under|within|of) (?:the )?(?<name>[a-z][a-z-]*(?: tools)?) category/gu,
  ),
  hinted(
    'category',
    /(?<![a-z])(?:in |from |under |within |of )?(?:the )?category(?: of|:| is|=)? ?["']?(?<name>[a-z][a-z-]*)["']?/gu,
  ),
  japanese(
    'カテゴリ|分野|ジャンル',
    new RegExp(
      `(?<name>${CATEGORY_NAMES})(?:の)?(?:カテゴリー?|分野|ジャンル)(?:の中)?(?:で|の|から|に)?`,
      'gu',
    ),
  ),
  japanese(
    'カテゴリ',
    new RegExp(`カテゴリー?(?:が|は|:|：)\\s?「?(?<name>${CATEGORY_NAMES})」?(?:の|で)?`, 'gu'),
  ),
]

const CATEGORY_RULES: Reader = CATEGORY.map(pattern => ({
  pattern,
  handle(match) {
    const name = match.groups!.name!
    const category = CATEGORY_BY_NAME.get(name) ?? CATEGORY_BY_NAME.get(name.replace(/ /g, '-'))
    if (category) return { filter: { category }, echo: { category } }
    if (/^(?:of|the|is|page|product|item|which|that|this)$/.test(name) || !/\bcategory$/.test(match[0]))
      return undefined
    return {
      unapplied: { en: `${name} is not a known category`, ja: `「${name}」は既知のカテゴリではありません` },
    }
  },
}))

const WISHES: readonly (readonly [Wish, Pattern])[] = [
  [
    'cheap',
    hinted(
      'cheap|affordable|inexpensive|low|budget',
      /(?<![a-z])(?:cheap(?:est|er|ly)?|affordable|inexpensive|low[ -]cost|low[ -]priced?|budget[ -]friendly)(?![a-z])(?! than)/gu,
    ),
  ],
  [
    'cheap',
    japanese(
      '安|低|リーズナブル|お手頃',
      /(?:なるべく|できるだけ|一番|最も|とにかく)?(?:安い|安く(?:て)?|安価(?:な|で)?|格安(?:の|で|な)?|低価格(?:の|で|な)?|低コスト(?:の|で|な)?|リーズナブルな?|お手頃な?)/gu,
    ),
  ],
  [
    'reliable',
    hinted(
      'reliabl|trust|dependable|reputable',
      /(?<![a-z])(?:(?:most )?reliable|reliably|trusted|trustworthy|dependable|reputable)(?![a-z])/gu,
    ),
  ],
  [
    'reliable',
    japanese(
      '信頼|評判|評価|安定',
      /信頼(?:性(?:の|が)高い|できる|の(?:おける|置ける)|度(?:の|が)高い)|(?:評判|評価)の(?:よい|良い|いい|高い)|安定(?:した|して(?:いる)?)/gu,
    ),
  ],
  [
    'free',
    hinted(
      'free',
      /(?<=^|^(?:an?|any|some|find|get|is there an?|i need an?|i want an?|looking for an?) )free(?= [a-z]+)(?! (?:text|form|speech|range|fall|time|shipping|software|energy|throw|agent|delivery|space|disk|will|lance|style|hand|verse|trade|market|body|kick|flow|memory|slot|busy))/gu,
    ),
  ],
  ['free', japanese('無料の', /無料の/gu)],
]

const WISH_RULES: Reader = WISHES.map(([wish, pattern]) => ({ pattern, handle: () => ({ wish }) }))

const MEASURE = hinted(
  DIGITS,
  /(?<![a-z])(?:(?:with )?(?:an? )?(?:uptime|trust ?score|latency|response time|rating)s? (?:of |is )?(?:over|above|under|below|at least|at most|more than|less than|of|>|<|>=|<=) ?\d+(?:\.\d+)? ?(?:%|percent|ms|milliseconds?|seconds?|s)?|(?:稼働率|信頼スコア|信頼度|応答時間|レイテンシー?|遅延)が?\d+(?:\.\d+)? ?(?:%|パーセント|ミリ秒|秒|ms)?(?:以上|以下|未満|を超える))/gu,
)

const MEASURE_RULES: Reader = [
  {
    pattern: MEASURE,
    handle: () => ({
      unapplied: {
        en: 'services cannot be filtered by this measure; the status record of each shows it',
        ja: 'この指標では絞り込めません（各サービスのステータスで確認できます）',
      },
    }),
  },
]

export const WORD_READERS: readonly Reader[] = [
  MEASURE_RULES,
  STATUS_RULES,
  FREE_RULES,
  CATEGORY_RULES,
  WISH_RULES,
]
