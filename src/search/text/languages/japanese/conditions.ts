// Conditions in a Japanese sentence: prices (「0.005ドル以下」「1円未満」「0.01 USDC くらい」「USDCで払える」), chains, standing, exclusions.

import { type Chain, findChain } from '../../../../domain/chains/chains.ts'
import {
  asksCategory,
  asksChain,
  asksCurrency,
  asksFree,
  asksProtocol,
  asksStatus,
  concedes,
  type FoundConstraint,
  type Groups,
  isProvider,
  leavesOutChain,
  type MoneyWords,
  type Reader,
  type SharedRules,
  wishes,
} from '../language.ts'

/** Consumer goods and other things with a price of their own. */
const JAPANESE_GOODS =
  'ランチ|食事|料理|菓子|コーヒー|レストラン|店|ホテル|旅館|宿|部屋|物件|家賃|航空券|チケット|電車|バス|旅行|プレゼント|ゲーム|本(?!人|文|番|体)|服|商品|株|送金|取引'

export const JAPANESE_MONEY: MoneyWords = {
  units: {
    dollar: ['米ドル', 'ドル'],
    cent: ['セント'],
    euro: ['ユーロ'],
    yen: ['日本円', '円'],
  },
  number: '\\d+(?:\\.\\d+)?[千万]|半',
  toNumber(text) {
    if (text === '半') return 0.5
    const [, digits, power] = /^([\d.]+)([千万])$/.exec(text) ?? []
    return digits === undefined ? undefined : Number(digits) * (power === '万' ? 10_000 : 1000)
  },
  each: '(?:1|一)?(?:回|リクエスト|件|コール|呼び出し)(?:あたり|につき|ごと)?',
  saysEach: '回|リクエスト|あたり',
  goods: JAPANESE_GOODS,
}

/** What may precede a sum: 1回の料金が. */
const EACH =
  '(?:(?:1|一)(?:回|リクエスト|件|コール)(?:の?(?:料金|価格|値段))?(?:あたり|につき)?(?:が|は|で)?)?'

export function toJapanesePrice({ sum, number, unit, saysEach, toBound }: SharedRules): Reader {
  return [
    {
      pattern: new RegExp(
        `${EACH}約?(?<![a-z0-9.])${sum}\\s*(?<bound>未満|より(?:安い|安く|下)|を下回る|以下|以内|まで|を?超えない|内|くらい|ぐらい|程度|前後|より(?:高い|上)|以上|超)(?:で|の|に)?`,
        'gu',
      ),
      handle(match, sentence) {
        const groups = match.groups as Groups
        const bound = groups.bound!
        const isAbout = /くらい|ぐらい|程度|前後/.test(bound)
        if (groups.bare !== undefined && (isAbout || Number(groups.bare) >= 0.5)) return undefined
        if (/高|上|超$/.test(bound) && bound !== 'を超えない') return { unapplied: { code: 'lowest_price' } }
        return toBound(groups, {
          below: /未満|より|下回/.test(bound),
          each: saysEach(match[0]),
          sentence,
        })
      },
    },
    {
      // 予算1円 · 高くても0.01ドル
      pattern: new RegExp(
        `(?:予算|(?:料金|価格|値段|費用)の?上限|上限|(?:料金|価格|値段|費用)[がは]最大|高くても?|せいぜい|多くても?)(?:は|が|:|：)?\\s*${EACH}約?${sum}(?:\\s*(?:まで|以下|以内|くらい|程度))?(?:で|の|に)?`,
        'gu',
      ),
      handle(match, sentence) {
        const groups = match.groups as Groups
        if (groups.bare !== undefined && Number(groups.bare) >= 0.5) return undefined
        return toBound(groups, { each: saysEach(match[0]), sentence })
      },
    },
    {
      pattern: new RegExp(
        `${EACH}(?<low>${number}\\s*(?:${unit})?\\s*(?:から|〜|~|-))\\s*${sum}\\s*(?:まで|以下|以内|くらい|程度)?(?:で|の|に)?`,
        'gu',
      ),
      handle(match, sentence) {
        const groups = match.groups as Groups
        if (groups.bare !== undefined) return undefined
        const bound = toBound(groups, { each: saysEach(match[0]), sentence })
        return bound?.filter ? { ...bound, lowerEnd: groups.low! } : bound
      },
    },
  ]
}

/** What is quoted in a currency, other than services that are paid in it: 円建ての株価. */
const QUOTED =
  '(?!(?:の)?(?:株価|価格|相場|レート|為替|債券|資産|チャート|残高|預金|口座|保険|金利|時価|売上|取引))'

export const toJapaneseCurrency = (shared: SharedRules): Reader =>
  asksCurrency(
    shared,
    new RegExp(
      `(?<unit>${shared.unit})(?:(?:だけ|のみ)?(?:で|による)(?:お?支?払|決済|課金|購入|買)(?:いたい|い|え|う|って|できる|可能|される|した)*る?(?:が?(?:できる|可能)な?)?|払い|決済|建て${QUOTED})(?:の|に対応(?:した|する)?|できる|可能な)?`,
      'gu',
    ),
  )

// Chains in a Japanese sentence: 「Solanaで使える」「BaseかSolanaで払える」「Base以外」. In 「Baseのガス代」 the chain is the subject: the context
// must be about where to pay.

const USE = '(?:使|つか|払|支払|お支払|動|利用|決済|課金|買|提供|稼働|対応|運用|受け取)'
const ENDING =
  '(?:える|う|って|われ|いたい|い|く|いている|いて|けて|けられる|ける|できる|可能な?|している|した|する|れる|の)*'
const NET = 'チェーン|ネットワーク|メインネット|テストネット'
/** Begun where a run of katakana begins, and in lists of a few, so that a long sentence is read in linear time. */
const NAME =
  '(?:[a-z][a-z0-9:_-]*(?: (?:sepolia|chain|network|devnet|testnet|mainnet))?|(?<![ァ-ヶー])[ァ-ヶー]{2,})'
const AND = '\\s?(?:か|または|もしくは|あるいは|や|と|、|,|・|/|(?<= )or|(?<= )and)\\s?'
const NAMES = `(?<names>${NAME}(?:${AND}${NAME}){0,7})\\s?(?<net>${NET})?`
/** The context of a chain for payment. After で the sentence continues with an action or with another condition. */
const WHERE = `(?<where>上?(?<on>で|にて)|上の|に?対応(?:の|した|している)?|(?<=${NET})(?:上)?(?:の|で)|(?:限定|のみ|だけ)(?:の|で|に)?(?:対応の?)?|払い(?:の|で)?|決済(?:の|で)?(?!サービス|api))`
const ON = new RegExp(`${NAMES}${WHERE}(?<use>(?<=で|にて)${USE}${ENDING})?`, 'gu')
const EXCEPT = new RegExp(
  `${NAMES}(?:以外|を除(?:く|いた|いて|き)|(?:では|じゃ)(?:ない|なく(?:て)?))(?:の(?:${NET}))?(?:上)?(?:の|で|に)?(?<use>(?<=で)${USE}${ENDING})?`,
  'gu',
)
/** After another condition, 「、Baseの」 continues the list. */
const LISTED_CHAINS = new RegExp(`(?<=[、,・]\\s*)(?<name>${NAME})の`, 'gu')
/** What exists on a chain. Next to it, a chain is the subject, unless the sentence is about paying. */
const MATTERS =
  /ガス代|ガス料金|手数料|nft|トークン|ウォレット|残高|トランザクション|取引|ブロック|バリデータ|ステーキング|スワップ|dex|defi|流動性|プール|コントラクト|エアドロップ|コイン|クジラ|ホルダー|保有者|ブリッジ|ミント|オンチェーン|エクスプローラ|ノード|rpc|tvl|送金|アドレス|監視|混雑|フロア価格|ハッシュレート/

/** Returns the chains of a list if all of its items are chains. */
function toChains(names: string, net = ''): readonly [Chain, ...Chain[]] | undefined {
  const written = names.split(new RegExp(AND))
  const last = written.length - 1
  const chains = written.map(
    (name, i) => (i === last ? findChain(`${name}${net}`) : undefined) ?? findChain(name),
  )
  return chains.every(chain => chain !== undefined) ? (chains as unknown as [Chain, ...Chain[]]) : undefined
}

/** Returns the chains of the longest suffix of a list: in 「翻訳、Base、Solana対応」 the first item is none. */
function readChains({
  index,
  groups,
}: RegExpExecArray): { chains: [Chain, ...Chain[]]; start: number } | undefined {
  const { names, net } = groups as Record<string, string>
  for (let start = 0; start >= 0; ) {
    const chains = toChains(names!.slice(start), net)
    if (chains) return { chains: chains as [Chain, ...Chain[]], start: index + start }
    const next = new RegExp(AND).exec(names!.slice(start))
    start = next ? start + next.index + next[0].length : -1
  }
  return undefined
}

export const JAPANESE_CHAIN: Reader = [
  {
    pattern: EXCEPT,
    handle(match): FoundConstraint | undefined {
      const found = readChains(match)
      return found && { ...leavesOutChain(...found.chains), start: found.start }
    },
  },
  {
    pattern: ON,
    handle(match, { lower }, earlier): FoundConstraint | undefined {
      const found = readChains(match)
      if (!found) return undefined
      const { on, use, where } = match.groups as Record<string, string>
      const end = match.index + match[0].length
      const rest = lower.slice(end)
      const goesOn =
        use !== undefined || /^(?:[、。,]|$|\s)/.test(rest) || earlier.some(({ start }) => start === end)
      if (on !== undefined && !goesOn) return undefined
      const isPaid = use !== undefined || on !== undefined || /払|決済/.test(where!)
      if (!isPaid && MATTERS.test(rest))
        return { unapplied: { code: 'chain_as_subject' }, start: found.start }
      return { ...asksChain(...found.chains), start: found.start }
    },
  },
  {
    pattern: LISTED_CHAINS,
    handle({ index, groups }, { lower }, earlier) {
      const stop = lower.slice(0, index).trimEnd().length - 1
      const chain = findChain(groups!.name!)
      const goesOn = earlier.some(({ end, filter }) => filter !== undefined && end >= stop && end <= index)
      return chain && goesOn ? asksChain(chain) : undefined
    },
  },
]

// Status, free quota, category and wishes in a Japanese sentence.

/** Other things that can be verified. */
const VERIFIED_THINGS = 'メール|アドレス|電話|アカウント|ユーザー|ソース|番号|コントラクト(?!の?監査)'
/** Other things that are free of charge. */
const PLACES = '公園|施設|駐車場|場所|スポット|アプリ'

export const JAPANESE_STATUS: Reader = [
  ...asksStatus(
    'verified',
    new RegExp(
      `(?:検証|認証|確認)(?:済み|済(?!み)|ずみ)(?!(?:の)?(?:${VERIFIED_THINGS}))(?:の(?:もの|サービス|api)?)?(?:だけ|のみ|に限る|限定)?`,
      'gu',
    ),
    /(?<![がはも])(?:(?:今|いま|現在|ちゃんと|実際に|きちんと)?(?:動い|稼働し|動作し|生き)て(?:い)?る|(?:稼働|動作)中の?)(?=[^、。]*(?:api|サービス|エンドポイント|だけ|のみ)|(?:もの|やつ)(?![」とは])|[、。]|$)(?:もの|サービス|api)?(?:だけ|のみ)?/gu,
    // Only of services: オンライン alone is also an attribute of a meeting.
    /(?:今|いま|現在)、?オンラインの|オンラインの(?=(?:もの|やつ|サービス|api)(?:だけ|のみ|限定))|(?:落ち|止まっ|停止し)て(?:い)?ない(?=もの|やつ|サービス|api|の?サービス|[^、。]{0,8}サービス)/gu,
  ),
]

/** MPPで払える · MPP対応 */
export const JAPANESE_PROTOCOL: Reader = asksProtocol(
  'mpp',
  /(?<![a-z])mpp(?:で(?:の)?(?:支?払(?:える|う|い)|決済(?:できる)?)|(?:に)?対応(?:した|の)?|決済|払い)(?:の|もの|サービス|api)?/gu,
)

export const JAPANESE_FREE: Reader = [
  ...asksFree(
    'quota',
    /無料(?:利用)?(?:枠|プラン|トライアル|体験|回数|お試し|クレジット)(?:が|の|も)?(?:あり|ある|あれば|付き?|つき|有り?|ついた|付いた|つく)?(?:の)?|(?:無料|ただ)で(?:試せ|試し|お試し)(?:る|たい|できる)?/gu,
  ),
  ...asksFree(
    'any',
    new RegExp(
      `(?:無料|タダ|無償)で(?!(?:使|利用|でき|呼)[ぁ-ん]*(?:${PLACES}))(?:使|利用|でき|呼)(?:える|う|って|いたい|できる|用できる|る)?`,
      'gu',
    ),
  ),
]

export const toJapaneseCategory = (shared: SharedRules): Reader =>
  asksCategory(
    shared,
    new RegExp(
      `(?<name>${shared.categoryName})(?:の)?(?:カテゴリー?|ジャンル|分野(?=の?(?:api|サービス)))(?:の中)?(?:で|の|から|に)?`,
      'gu',
    ),
    new RegExp(`カテゴリー?(?:が|は|:|：)\\s?「?(?<name>${shared.categoryName})」?(?:の|で)?`, 'gu'),
  )

export const JAPANESE_WISHES: Reader = [
  ...wishes(
    'cheap',
    /(?:なるべく|できるだけ|一番|最も)?(?:安い|(?<!目)安く(?:て)?|安価(?:な|で)?|格安(?:の|で|な)?|低コスト(?:の|で|な)?|リーズナブルな?|お手頃な?|コスパの?(?:良い|よい|いい)|(?:(?:値段|料金|価格)[がの]|(?<![ぁ-ん]))高くない)/gu,
  ),
  ...wishes(
    'fast',
    /(?:なるべく|できるだけ|一番|最も)?(?:速い|速くて|早い|(?<![ぁ-ん])はやい|高速(?:な|の)|高速で(?=安|信頼|、)|最速(?:の|で)?)|低(?:遅延|レイテンシー?)(?:の|な|で)?|(?:遅延|レイテンシー?)[がの](?:低い|少ない)|応答(?:時間)?[がの](?:速い|早い|短い)/gu,
  ),
  ...wishes(
    'reliable',
    /信頼(?:性(?:の|が)高い|できる|の(?:おける|置ける)|度(?:の|が)高い)|評判の(?:よい|良い|いい)|安定(?:した|して(?:いる)?)/gu,
  ),
  ...wishes(
    'free',
    new RegExp(
      `無料の|(?:無料|タダ)で(?!(?:提供|公開|配布|入|遊|見|読|聞|ダウンロード|あ|す|した|は|も)|[^、。]*(?:${PLACES}))`,
      'gu',
    ),
  ),
]

// Exclusions in a Japanese sentence: 「Google以外の」「DeepLではない」「ログイン不要」.

/** Negates the condition before it. */
export const JAPANESE_NEGATION = {
  after:
    /^(?:以外|(?:では|じゃ|で)(?:ない|なく|無い)(?!と)|[をは]?除(?:く|き|いて|いた|外)|[がのは]?(?:なし|無し|ない(?!と)|無い))(?:の(?:支払い|決済|チェーン)(?:で|に)?|の|で|に)?/u,
}

/** A name or a noun: any run without hiragana. */
const NOUN = '[\\p{Script=Han}ァ-ヶー々a-z0-9][\\p{Script=Han}ァ-ヶー々a-z0-9.&+_-]{0,23}'
/** Base以外でも · 安くなくても · Baseだけでなく */
export const JAPANESE_CONCESSION: Reader = concedes(
  new RegExp(
    `${NOUN}[ぁ-ん]{0,4}?(?:以外(?:のもの)?(?:で|に)?も|(?:では|じゃ|で)?なく(?:て)?(?:も|いい|よい|良い|結構)|(?:だけ|のみ)(?:では|じゃ|で)なく|に限ら(?:ず|ない))`,
    'gu',
  ),
)

const LEFT_OUT = new RegExp(
  `(?<what>${NOUN})(?:以外|(?:では|じゃ)(?:ない(?!か|です|でしょ|だろ|よ[ねな]|と|ん?の?\\?)|なく(?:て)?)|でなく(?:て)?|(?:を|は|も|だけ)?(?:除(?:く|いた|いて|外(?:した|して|する)?)|のぞ(?:く|いた|いて))|(?:は|も)(?:抜き|避けて|避けたい|外して)(?:ください)?|を(?:避け(?:て|たい)|外(?:して|した)|使わ(?:ない|ずに?))|(?<=[a-z0-9])(?:抜き(?=で|の)|(?:は|も)?不可|(?:は|も)ng(?![a-z])|は(?:だめ|ダメ|使いたくない|使わ(?:ない(?:で)?|ずに?))))(?:の|で|に)?`,
  'gu',
)
const WITHOUT = new RegExp(
  `(?<what>${NOUN})(?:(?:が|は|も)?(?:不要|いらず|(?:いら|要ら)ない|必要(?:が|の|は)?ない)|(?:なし|無し)(?!に)|(?<=登録|ログイン)せずに)(?:の|で|に|な)?`,
  'gu',
)
/** A capitalised name of several words: Google Maps以外. */
const NAME_BEFORE = /(?<![a-z0-9])(?:[A-Z][A-Za-z0-9.&+-]* )+$/u
/** A name before another one in a list: OpenAIとAnthropic以外. Of abbreviations, most are none: OCRとGoogle以外. */
const LISTED = /(?<![A-Za-z0-9])(?<name>[A-Za-z][A-Za-z0-9.&+-]*) ?(?:と|や|か|、|,|・|\/|および|or|and) ?$/u
const CAPITALISED = /^[A-Z][A-Za-z0-9.]*[a-z]/

/** Returns the names of a list before the last one, and where it begins. */
function readListed(text: string, end: number): { readonly names: string[]; readonly start: number } {
  const names: string[] = []
  let start = end
  for (let match = LISTED.exec(text.slice(0, start)); match; match = LISTED.exec(text.slice(0, start))) {
    const name = match.groups!.name!
    if (!CAPITALISED.test(name) && !isProvider(name.toLowerCase())) break
    names.unshift(name.toLowerCase())
    start = match.index
  }
  return { names, start }
}

export const JAPANESE_EXCLUSION: Reader = [
  {
    pattern: LEFT_OUT,
    handle({ index, groups }, { text }) {
      const what = groups!.what!
      if (!/^[a-z]/.test(what)) return { excluded: { words: what } }
      const before = NAME_BEFORE.exec(text.slice(0, index))?.[0] ?? ''
      const { names, start } = readListed(text, index - before.length)
      return { excluded: { words: [...names, `${before.toLowerCase()}${what}`].join('\n') }, start }
    },
  },
  {
    pattern: WITHOUT,
    handle({ index, groups }, { text }) {
      const what = groups!.what!
      if (!isProvider(what)) return { unapplied: { code: 'undecidable' } }
      const { names, start } = readListed(text, index)
      return { excluded: { words: [...names, what].join('\n') }, start }
    },
  },
]
