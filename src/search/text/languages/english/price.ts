// Prices in an English sentence: "under 0.01 USDC", "half a cent or less", "paid in EURC".
import { asksCurrency, type Groups, hinted, type Reader, type SharedRules } from '../constraint-rules.ts'
import type { MoneyWords } from '../language.ts'

const NUMBERS: Readonly<Record<string, number>> = {
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

export const ENGLISH_MONEY: MoneyWords = {
  units: {
    dollar: ['dollar', 'dollars', 'buck', 'bucks'],
    cent: ['cent', 'cents', 'penny', 'pennies'],
    euro: ['euro', 'euros'],
    yen: ['yen'],
  },
  number:
    '(?:half|a quarter|a tenth|a hundredth|a fifth|a third) (?:of )?(?:a |one )|an? |one |two |three |five |ten ',
  toNumber: text => NUMBERS[text.replace(/ (?:of )?(?:an?|one)$/, '')] ?? NUMBERS[text],
  each: '(?:per|an?|each|every|\\/|for each|for every)\\s?(?:single )?(?:api )?(?:request|call|query|use|image|page|time|document|lookup|message|hit|go)s?|each',
  saysEach: 'per|each|every|\\/',
}

const BELOW = 'for less than|for under|less than|under|below|cheaper than|lower than|beneath|<(?!=)'
const UP_TO =
  'for at most|at most|no more than|not more than|up to|max(?:imum)?(?: price)?(?: of)?|within|for|not (?:over|above|exceeding)|<=|≤'
const TAIL = 'or less|or under|or below|or cheaper|max(?:imum)?|tops|at most'

export function toEnglishPrice({ sum, each, saysEach, toBound }: SharedRules): Reader {
  return [
    {
      pattern: hinted(
        'than|under|below|beneath|<|most|up to|max|within|for|not |≤',
        new RegExp(
          `(?<![a-z0-9.])(?:(?<below>${BELOW})|(?<upto>${UP_TO}))\\s*(?:the price of )?${sum}${each}(?<tail>\\s*(?:${TAIL}))?`,
          'gu',
        ),
      ),
      handle(match) {
        const groups = match.groups as Groups
        // "for $5" names a price only together with "or less" or "per call".
        if (groups.upto === 'for' && groups.tail === undefined) return undefined
        const says = saysEach(match[0].replace(groups.unit ?? '', ''))
        if (groups.bare !== undefined && !says && Number(groups.bare) >= 1) return undefined
        return toBound(groups, groups.below !== undefined && groups.tail === undefined, says)
      },
    },
    {
      pattern: hinted(
        'or less|or under|or below|or cheaper|max|tops|at most',
        new RegExp(
          `(?<![a-z0-9.])(?:costs? |priced at )?${sum}${each}\\s*(?:(?<upto>${TAIL})(?![a-z]))`,
          'gu',
        ),
      ),
      handle: match => toBound(match.groups as Groups, false, saysEach(match[0])),
    },
    {
      pattern: hinted(
        'over|above|more than|at least|higher than',
        new RegExp(`(?<![a-z0-9.])(?:over|above|more than|at least|higher than)\\s*${sum}${each}`, 'gu'),
      ),
      handle: ({ groups }) =>
        groups!.bare === undefined ? { unapplied: { code: 'lowest_price' } } : undefined,
    },
  ]
}

export const toEnglishCurrency = (shared: SharedRules): Reader =>
  asksCurrency(
    shared,
    hinted(
      'pay|paid|priced|billed|charged|settled',
      new RegExp(
        `(?:that (?:i can |can be )?)?(?:i can )?(?:pay|paid|payable|priced|billed|charged|settled|payment|payments)(?: for)? (?:in|with|using|by) (?<unit>${shared.unit})`,
        'gu',
      ),
    ),
    hinted(
      'accept|take|taking',
      new RegExp(`(?:that )?(?:accepts?|accepting|takes?|taking) (?<unit>${shared.unit})`, 'gu'),
    ),
  )
