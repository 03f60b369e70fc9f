// Prices and currencies in a sentence: "under 0.01 USDC", "half a cent or less", "0.005ドル以下", "1円未満", "paid in EURC".
import { CURRENCY_FAMILIES, DECIMAL } from '../../../domain/money.ts'
import { hinted, japanese, type Reader, type Why } from './reading.ts'

type Money = {
  readonly echo: string
  readonly currencies: readonly string[]
  readonly cents: boolean
  readonly most: number
}

/** Above this a sum is hardly the price of one request, but of what the request is about: hotels under $100. */
const MOST = { USD: 10, EUR: 10, JPY: 1000 } as const

const family = (echo: 'USD' | 'EUR' | 'JPY', currencies: readonly string[], cents = false): Money => ({
  echo,
  currencies,
  cents,
  most: MOST[echo] * (cents ? 100 : 1),
})
const DOLLAR = family('USD', CURRENCY_FAMILIES.dollar)
const EURO = family('EUR', CURRENCY_FAMILIES.euro)
const YEN = family('JPY', CURRENCY_FAMILIES.yen)
const CENT = family('USD', CURRENCY_FAMILIES.dollar, true)

const MONEY_WORDS: Readonly<Record<string, Money>> = {
  $: DOLLAR,
  usd: DOLLAR,
  dollar: DOLLAR,
  dollars: DOLLAR,
  buck: DOLLAR,
  bucks: DOLLAR,
  ドル: DOLLAR,
  米ドル: DOLLAR,
  '¢': CENT,
  cent: CENT,
  cents: CENT,
  penny: CENT,
  pennies: CENT,
  セント: CENT,
  '€': EURO,
  eur: EURO,
  euro: EURO,
  euros: EURO,
  ユーロ: EURO,
  '¥': YEN,
  円: YEN,
  jpy: YEN,
  yen: YEN,
  日本円: YEN,
}
const COINS =
  'eth weth sol btc wbtc xrp pol matic avax bnb algo xlm ton trx near sui apt hbar celo dai'.split(' ')
const CODES = [...new Set([...Object.values(CURRENCY_FAMILIES).flat(), ...COINS])].filter(
  code => !(code in MONEY_WORDS),
)

function toMoney(word: string): Money {
  const known = MONEY_WORDS[word]
  if (known) return known
  return { echo: word.toUpperCase(), currencies: [word], cents: false, most: Number.POSITIVE_INFINITY }
}

const SIGN = '[$€¥]'
const UNIT = `(?:¢|usd|dollars?|bucks?|cents?|pennies|penny|eur|euros?|jpy|yen|米?ドル|セント|ユーロ|日本円|円|${CODES.join('|')})(?![a-z0-9])`
const NUMBER = '(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?|\\.\\d+'
const PART =
  '(?:half|a quarter|a tenth|a hundredth|a fifth|a third) (?:of )?(?:a |one )|an? |one |two |three |five |ten '
const SUM = `(?:(?<sign>${SIGN}) ?(?<signed>${NUMBER})(?: ?${UNIT})?|(?<code>usdc|usdt|usd|eurc|eur|jpyc|jpy) (?<coded>${NUMBER})|(?<number>${NUMBER}|(?:${PART}))[ -]?(?<unit>${UNIT})|(?<bare>\\d*\\.\\d+))`
const EACH =
  '(?:\\s*(?:(?:per|an?|each|every|\\/|for each|for every)\\s?(?:single )?(?:api )?(?:request|call|query|use|image|page|time|document|lookup|message|hit|go)s?|each|(?:1|一)?(?:回|リクエスト|件|コール|呼び出し)(?:あたり|につき|ごと)?))?'
const BELOW = 'for less than|for under|less than|under|below|cheaper than|lower than|beneath|<(?!=)'
const UP_TO =
  'for at most|at most|no more than|not more than|up to|max(?:imum)?(?: price)?(?: of)?|within|for|not (?:over|above|exceeding)|<=|≤'
const BEFORE = hinted(
  'than|under|below|beneath|<|most|up to|max|within|for|not |≤',
  new RegExp(
    `(?<![a-z0-9.])(?:(?<below>${BELOW})|(?<upto>${UP_TO}))\\s*(?:the price of )?${SUM}${EACH}(?<tail>\\s*(?:or less|or under|or below|or cheaper|max(?:imum)?|tops|at most))?`,
    'gu',
  ),
)
const AFTER = hinted(
  'or less|or under|or below|or cheaper|max|tops|at most',
  new RegExp(
    `(?<![a-z0-9.])(?:costs? |priced at )?${SUM}${EACH}\\s*(?:(?<upto>or less|or under|or below|or cheaper|max(?:imum)?|tops|at most)(?![a-z]))`,
    'gu',
  ),
)
const JAPANESE_EACH =
  '(?:(?:1|一)(?:回|リクエスト|件|コール)(?:の?(?:料金|価格|値段))?(?:あたり|につき)?(?:が|は|で)?)?'
const JAPANESE = japanese(
  '未満|より|下回る|以下|内|まで|超|以上',
  new RegExp(
    `${JAPANESE_EACH}(?<![a-z0-9.])${SUM}\\s*(?<bound>未満|より(?:安い|安く|下)|を下回る|以下|以内|まで|を?超えない|内|より(?:高い|上)|以上|超)(?:で|の|に)?`,
    'gu',
  ),
)
const OVER = hinted(
  'over|above|more than|at least|higher than',
  new RegExp(`(?<![a-z0-9.])(?:over|above|more than|at least|higher than)\\s*${SUM}${EACH}`, 'gu'),
)

const PARTS: Readonly<Record<string, number>> = {
  half: 0.5,
  'a quarter': 0.25,
  'a tenth': 0.1,
  'a hundredth': 0.01,
  'a fifth': 0.2,
  'a third': 1 / 3,
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  five: 5,
  ten: 10,
}

function toNumber(text: string): number {
  const plain = text.replaceAll(',', '').trim()
  if (/^[\d.]+$/.test(plain)) return Number(plain)
  return PARTS[plain.replace(/ (?:of )?(?:an?|one)$/, '')] ?? PARTS[plain] ?? Number.NaN
}

/** The digits as written where they are a decimal already; otherwise what was computed, to six places. */
function toDecimal(text: string, { cents }: Money): string | undefined {
  const written = text.replaceAll(',', '').replace(/^\./, '0.')
  if (!cents && DECIMAL.test(written)) return written
  const amount = toNumber(text) / (cents ? 100 : 1)
  if (!Number.isFinite(amount)) return undefined
  return amount.toFixed(8).replace(/\.?0+$/, '')
}

const NOT_A_REQUEST: Why = {
  en: 'so much is hardly the price of one request, so it is read as part of the subject',
  ja: '1回の料金としては高すぎるため、探しものの一部として読みました',
}
const NO_LEAST: Why = {
  en: 'a lowest price cannot be asked for, only a highest',
  ja: '価格の下限は指定できません（上限のみ指定できます）',
}

type Groups = Readonly<Record<string, string | undefined>>

function toBound({ sign, signed, code, coded, number, unit, bare }: Groups, below: boolean, each: boolean) {
  const digits = signed ?? coded ?? number ?? bare ?? ''
  const word = sign ?? code ?? unit
  const money = word === undefined ? undefined : toMoney(word)
  const amount = toDecimal(digits, money ?? { ...DOLLAR, cents: false })
  if (amount === undefined || !DECIMAL.test(amount)) return undefined
  if (!each && money && toNumber(digits) > money.most) return { unapplied: NOT_A_REQUEST }
  return {
    filter: { maxPrice: { amount, below }, ...(money ? { currencies: money.currencies } : {}) },
    echo: { maxPricePerRequest: amount, ...(money ? { currency: money.echo } : {}) },
  }
}

const SAYS_EACH = /per|each|every|\/|回|リクエスト|あたり/

const ENGLISH_RULES: Reader = [
  {
    pattern: BEFORE,
    handle(match) {
      const groups = match.groups as Groups
      // "for $5" names a price only together with "or less" or "per call".
      if (groups.upto === 'for' && groups.tail === undefined) return undefined
      const says = SAYS_EACH.test(match[0].replace(groups.unit ?? '', ''))
      if (groups.bare !== undefined && !says && Number(groups.bare) >= 1) return undefined
      return toBound(groups, groups.below !== undefined && groups.tail === undefined, says)
    },
  },
  {
    pattern: AFTER,
    handle: match => toBound(match.groups as Groups, false, SAYS_EACH.test(match[0])),
  },
  {
    pattern: OVER,
    handle: match => ((match.groups as Groups).bare === undefined ? { unapplied: NO_LEAST } : undefined),
  },
]

const JAPANESE_RULES: Reader = [
  {
    pattern: JAPANESE,
    handle(match) {
      const groups = match.groups as Groups
      const bound = groups.bound!
      if (groups.bare !== undefined && Number(groups.bare) >= 1) return undefined
      if (/高|上|超$/.test(bound) && bound !== 'を超えない') return { unapplied: NO_LEAST }
      return toBound(groups, /未満|より|下回/.test(bound), SAYS_EACH.test(match[0]))
    },
  },
]

const PAID = hinted(
  'pay|paid|priced|billed|charged|settled',
  new RegExp(
    `(?:that (?:i can |can be )?)?(?:i can )?(?:pay|paid|payable|priced|billed|charged|settled|payment|payments)(?: for)? (?:in|with|using|by) (?<unit>${UNIT})`,
    'gu',
  ),
)
const ACCEPTS = hinted(
  'accept|take|taking',
  new RegExp(`(?:that )?(?:accepts?|accepting|takes?|taking) (?<unit>${UNIT})`, 'gu'),
)
const PAID_JAPANESE = japanese(
  '払|決済|課金|購入|買|建て',
  new RegExp(
    `(?<unit>${UNIT})(?:(?:で|による)(?:お?支?払|決済|課金|購入|買)(?:い|え|う|って|できる|可能|される|した)*る?(?:が?(?:できる|可能)な?)?|払い|決済|建て)(?:の|に対応(?:した|する)?|できる|可能な)?`,
    'gu',
  ),
)

const CURRENCY_RULES: Reader = [PAID, ACCEPTS, PAID_JAPANESE].map(pattern => ({
  pattern,
  handle(match) {
    const { echo, currencies } = toMoney(match.groups!.unit!)
    return { filter: { currencies }, echo: { currency: echo } }
  },
}))

export const PRICE_READERS: readonly Reader[] = [JAPANESE_RULES, ENGLISH_RULES, CURRENCY_RULES]
