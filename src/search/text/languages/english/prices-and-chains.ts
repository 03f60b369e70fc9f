// Prices and chains in an English sentence: "under 0.01 USDC", "between 0.001 and 0.01 USDC", "half a cent or less", "paid in EURC".

import { type Chain, findChain } from '../../../../domain/chains/chains.ts'
import {
  asksChain,
  asksCurrency,
  type FoundConstraint,
  type Groups,
  leavesOutChain,
  type MoneyWords,
  type Reader,
  type Sentence,
  type SharedRules,
} from '../language.ts'

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

/** Consumer goods and other things with a price of their own. */
const ENGLISH_GOODS =
  '(?<![a-z])(?:coffee|lunch|dinner|meal|drink|food|restaurant|hotel|room|flat|apartment|rent|house|home|flight|ticket|train|taxi|ride|car|bike|tour|trip|gift|toy|game|book|shoe|cloth|shirt|phone|laptop|product|item|deal|stock|share|nft|donation|transaction|transfer|purchase|order|salar|wage|budget)(?:s|es|ies)?(?![a-z])'

export const ENGLISH_MONEY: MoneyWords = {
  units: {
    dollar: ['dollar', 'dollars', 'buck', 'bucks'],
    cent: ['cent', 'cents', 'penny', 'pennies', 'c'],
    euro: ['euro', 'euros'],
    yen: ['yen'],
  },
  number:
    '(?:half|a quarter|a tenth|a hundredth|a fifth|a third) (?:of )?(?:a |one )|an? |one |two |three |five |ten ',
  toNumber: text => NUMBERS[text.replace(/ (?:of )?(?:an?|one)$/, '')] ?? NUMBERS[text],
  each: '(?:per|an?|each|every|\\/|for each|for every)\\s?(?:single )?(?:api )?(?:request|req|call|query|use|image|page|time|document|lookup|message|hit|go)s?(?![a-z])|each',
  saysEach: 'per|each|every|\\/',
  goods: ENGLISH_GOODS,
}

/** In the manner of code: price<=0.01, max_price=0.01. */
const PRICE = '(?:(?:price|cost)s? ?)?'
const BELOW = `for less than|for under|less than|under|below|cheaper than|lower than|beneath|${PRICE}<(?!=)`
/** What a buyer allows: budget 0.02 USDC, price cap $0.01. */
const ALLOWED =
  '(?:my |our |with a |on a )?budget(?: is| of|:|=)?|(?:price|cost|spending) (?:cap|limit|ceiling)(?: is| of| at|:|=)?|(?:capped|limited) (?:at|to)'
const UP_TO = `for at most|at most|up to|max(?:imum)?(?:[ _]?(?:price|cost))?(?: of| is|:|=)?|within|for|at|${PRICE}<=|${PRICE}≤|${ALLOWED}|(?:(?:that|which|it) )?(?:(?:must|should|shall|may|can|ca|wo|do|does|is|are|to|costs?|costing|for)?(?: ?not|n['’]?t| ?no| ?never) )(?:be |cost |costing |go |charge |want to |wanna |like to |pay |paying |spend |spending )*(?:(?:more|higher|pricier)(?: expensive)? than|over|above|beyond|exceed(?:ing)?)`
const ABOUT = '(?:for |at |costing )?(?:about|around|roughly|approximately|approx\\.?|~)'
const TAIL = 'or less|or under|or below|or cheaper|max(?:imum)?|tops|at most'

/** Metrics of a subject: P/E under 0.5. */
const FIGURE =
  /(?:p\/?e|ratio|score|confidence|probability|threshold|rate|risk|error|value|similarity|magnitude|weight|size|length|distance|speed|temperature|level|index|accuracy|volume|factor|odds|percentage)s?\s*(?:of |is )?$/
/** What may follow a number without a unit. A noun would be its unit: max 0.5 megapixels. */
const GOES_ON =
  /^\s*(?:$|[^a-z\s]|(?:or|and|on|with|without|for|in|at|please|per|each|an?|max|that|which|but|only|verified|from|by|using|via|paid|api|if)(?![a-z]))/
const DEGREES = /degree|temperature|celsius|outside|freez|cold|warm|hot|heat/
/** A higher number without a unit is hardly a price. */
const MAX_BARE = 0.5

/** Returns whether a sum without a unit, or with an ambiguous one, is money. */
function isMoney({ bare, unit }: Groups, start: number, end: number, { lower }: Sentence): boolean {
  if (unit === 'c') return !DEGREES.test(lower)
  if (bare === undefined) return true
  return Number(bare) < MAX_BARE && !FIGURE.test(lower.slice(0, start)) && GOES_ON.test(lower.slice(end))
}

/** A donut may cost $1 each, but not $1 per call. */
const PER_REQUEST = /(?:request|req|call|query|image|page|document|lookup|message|hit)s?$/

/** Nothing but a request costs so little, in units of the currency: OCR for $0.005. */
const MAX_TINY = 0.1
/** Before a sum, these make it the price of something else: swap it for 0.05 USDC. */
const OF_ASSETS =
  /(?<![a-z])(?:swap|exchang|trad|sell|buy|bid|send|transfer|worth|convert|mint|donat|alert|coin|token|stock|share|when|if)/

/** In cents, ten of them. */
const CENTS = /^(?:cents?|¢)$/

function isTiny({ sign, signed, number, unit = '' }: Groups, start: number, { lower }: Sentence): boolean {
  if (OF_ASSETS.test(lower.slice(0, start))) return false
  if (sign !== undefined) return Number(signed) <= MAX_TINY
  return CENTS.test(unit)
    ? !(Number(number) > MAX_TINY * 100)
    : /^(?:usdc?|eurc?)$/.test(unit) && Number(number) <= MAX_TINY
}

export function toEnglishPrice({ sum, number, unit, each, saysEach, toBound }: SharedRules): Reader {
  return [
    {
      // Most sentences have one of the words before a sum, such as "for", but few have a sum.
      pattern: new RegExp(
        `(?<![a-z0-9.])(?:(?<below>${BELOW})|(?<about>${ABOUT})|(?<upto>${UP_TO}))\\s*(?:the price of )?${sum}${each}(?<tail>\\s*(?:${TAIL}))?`,
        'gu',
      ),
      handle(match, sentence) {
        const groups = match.groups as Groups
        const says = saysEach(match[0].replace(groups.unit ?? '', ''))
        // "for $5" is a price only together with "or less" or "per call".
        const isBare = groups.tail === undefined && !PER_REQUEST.test(match[0])
        if (
          isBare &&
          (groups.upto === 'at' || (groups.upto === 'for' && !isTiny(groups, match.index, sentence)))
        )
          return undefined
        if (!says && !isMoney(groups, match.index, match.index + match[0].length, sentence)) return undefined
        if (groups.about !== undefined && groups.bare !== undefined) return undefined
        const below = groups.below !== undefined && groups.tail === undefined
        return toBound(groups, { below, each: says, sentence })
      },
    },
    {
      pattern: new RegExp(
        `(?<![a-z])(?<low>(?:between|from)\\s+(?:[$€¥] ?)?${number})(?:[ -]?${unit})?\\s*(?:and|to|-)\\s*${sum}${each}`,
        'gu',
      ),
      handle(match, sentence) {
        const groups = match.groups as Groups
        if (groups.bare !== undefined) return undefined
        const bound = toBound(groups, { each: saysEach(match[0].replace(groups.unit ?? '', '')), sentence })
        return bound?.filter ? { ...bound, lowerEnd: groups.low! } : bound
      },
    },
    {
      pattern: new RegExp(
        `(?<![a-z0-9.])(?:for |costs? |priced at )?${sum}${each}\\s*(?:(?<upto>${TAIL})(?![a-z]))`,
        'gu',
      ),
      handle: (match, sentence) => toBound(match.groups as Groups, { each: saysEach(match[0]), sentence }),
    },
    {
      pattern: new RegExp(
        `(?<![a-z0-9.])(?:over|above|more than|at least|higher than)\\s*${sum}${each}`,
        'gu',
      ),
      handle: ({ groups }) =>
        groups!.bare === undefined ? { unapplied: { code: 'lowest_price' } } : undefined,
    },
  ]
}

/** After "accepts USDC" the sentence ends or continues. A noun would be what is paid in it: USDC deposits. */
const THEN =
  '(?=\\s*(?:$|[.,;:!?()]|payments?(?![a-z])|(?:on|for|with|without|under|below|and|or|but|via|as|per|please|only|verified|over|through|from)(?![a-z])(?! (?:month|year|week|day|hour)))|[^\\x00-\\x7f])'

export const toEnglishCurrency = (shared: SharedRules): Reader =>
  asksCurrency(
    shared,
    new RegExp(
      `(?:that (?:i can |can be )?)?(?:i can )?(?:pay|paid|payable|priced|billed|charged|settled|payment|payments)(?: for)? (?:in|with|using|by) (?<unit>${shared.unit})${THEN}`,
      'gu',
    ),
    new RegExp(
      `(?:that )?(?:accepts?|accepting|takes?|taking) (?<unit>${shared.unit})(?: payments?)?${THEN}`,
      'gu',
    ),
  )

// Chains in an English sentence: "on Base", "on Base or Solana", "not on Solana". A chain that is the subject ("Solana
// price feed", "gas fees on Ethereum") is not a constraint. So a name alone never filters: its context must be about where
// to pay.

const NAME =
  /(?:the )?(?<name>[a-z](?:[a-z0-9:_=+-]*[a-z0-9])?(?:\.[a-z0-9]+)*(?: (?:chain|smart chain|open chain|sepolia|devnet|testnet|mainnet|amoy|fuji|one|nova|zkevm|era|minato|ledger|network))?)/y
const NETWORK = /(?:'s)? (?:network|chain|blockchain|mainnet|testnet)(?![a-z])/y
const AND = /(?:\s?[,/]\s?(?:and |or )?|,? (?:or|and|nor) )(?:on )?/y

/** Names that are also everyday words need a capital or the word "network". Base does not, as it usually means the chain. */
const EVERYDAY = new Set(
  `story stable flare tempo abstract near world op sol ada ton algo stacks lightning noble cosmos arb amoy fuji sei
ripple`.split(/\s+/),
)

/** What follows "on Base" when Base is the chain: the end, punctuation, or another condition, but no noun. */
const THEN_CHAIN =
  /\s*(?:$|[.,;:!?、。()]|(?:with|without|under|below|for|and|or|but|that|which|at|from|less|cheaper|costing|in|please|up to|no more|only|verified|having|has|paid|using|by|to|between|around|about|max)(?![a-z])|[^\x00-\x7f])/y
const SUBJECT =
  /(?:news|articles?|info(?:rmation)?|reports?|stat(?:istic)?s|updates?|facts|tutorials?|docs|documentation|opinions?|courses?|details|based|built|launched|updated|questions?|accounts?|applications?|ecosystems?|projects?|protocols?|activity)\s*$/
/** What exists on a chain. Next to it, a chain is the subject, unless the sentence is about paying. */
const MATTERS =
  /(?<![a-z])(?:gas|fee|nft|token|wallet|balance|transaction|tx|block|validator|stak|swap|dex|defi|liquid|pool|contract|mempool|airdrop|(?:meme|stable|alt)? ?coin|whale|hold(?:er|ing)|bridg|mint|on-?chain|yield|lending|node|rpc|tvl|trad|perp|funding rate|open interest|order ?book|vault|floor price|transfer|addresses)/

/** Before "available on Base": a service is, rather than what it is about. */
const OF_SERVICE = /(?<![a-z])(?:services?|apis?|endpoints?|providers?|ones|tools?|bots?|agents?),?\s*$/

const PAYING = '(?:payable|pays?|paid|paying|settled?|settles|settling|payments?|billed|charged)'
const ON = new RegExp(
  `(?<![a-z])(?<lead>(?:(?:that |which )?(?:(?<paying>${PAYING}) |(?<service>runs?|running|works?|working|available|live|deployed|usable|callable) )?(?:on|via|through)|(?<way>${PAYING} (?:with|in|using)|supporting|(?:that )?supports?|accepting|(?:that )?accepts?)) )(?=[a-z])`,
  'gu',
)
const EXCEPT =
  /(?<![a-z])(?:,? ?but )?(?:(?:that |which )?(?:(?:is|are|do|does)(?: not|n['’]?t) )?(?:run |work |settle |running |available |paid |payable )?(?:not (?:on|via)|(?<=(?:n['’]t|not) (?:(?:be |get )?(?:run|runs|work|settle|settled|running|available|paid|payable|pay|live|listed|hosted|charged|billed|accepted|offered|built|based) )?)(?:on|via))|(?:on )?(?:any(?:thing| chain| network)?|every(?:thing)? ?(?:chain|network)?)?,? ?(?:except(?: for| on)?|excluding|other than|apart from|but)) (?=[a-z])/gu

/** chain: base · network=solana · only Base · Base only, as a part of its own */
const NAMED =
  /(?:(?<![a-z])(?:chain|network|blockchain) ?[:=] ?|(?<=^|[,;:(] ?)only (?:on )?)(?=[a-z])|(?<=[,;(] ?)(?=[a-z][a-z0-9 -]{1,24} only\s*(?:$|[.,;)]))/gu
const NAMED_END = /(?: only)?\s*(?=$|[.,;)])/y

type Names = { readonly chains: readonly Chain[]; readonly end: number; readonly saysNetwork: boolean }

/** Returns the chain that the longest prefix of the words names, and its length. */
function longest(name: string): { chain: Chain; length: number } | undefined {
  for (let length = name.length; length > 0; length = name.lastIndexOf(' ', length - 1)) {
    const chain = findChain(name.slice(0, length))
    if (chain) return { chain, length }
  }
  return undefined
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** One chain, and where its name ends. */
function readName({ text, lower }: Sentence, at: number): Names | undefined {
  const match = matchAt(NAME, lower, at)
  const written = match?.groups?.name
  const found = written === undefined ? undefined : longest(written)
  if (!match || !found) return undefined
  const start = at + match[0].length - written!.length
  const name = written!.slice(0, found.length)
  const network = matchAt(NETWORK, lower, start + name.length)?.[0] ?? ''
  const saysNetwork = network !== '' || /(?:chain|network|sepolia|testnet|mainnet)$/.test(name)
  if (!saysNetwork && (start > at || (EVERYDAY.has(name) && !/[A-Z]/.test(text[start]!)))) return undefined
  return { chains: [found.chain], end: start + name.length + network.length, saysNetwork }
}

/** Returns the chains that are listed from here on. */
function readNames(sentence: Sentence, at: number): Names | undefined {
  let names = readName(sentence, at)
  while (names) {
    const and = matchAt(AND, sentence.lower, names.end)
    const next = and ? readName(sentence, names.end + and[0].length) : undefined
    if (!next) break
    names = { chains: [...names.chains, ...next.chains], end: next.end, saysNetwork: names.saysNetwork }
  }
  return names && matchAt(THEN_CHAIN, sentence.lower, names.end) ? names : undefined
}

export const ENGLISH_CHAIN: Reader = [
  {
    pattern: EXCEPT,
    handle({ index, 0: lead }, sentence): FoundConstraint | undefined {
      const names = readNames(sentence, index + lead.length)
      return names && { ...leavesOutChain(...names.chains), end: names.end }
    },
  },
  {
    pattern: NAMED,
    handle({ index, 0: lead }, sentence): FoundConstraint | undefined {
      const names = readNames(sentence, index + lead.length)
      const after = names && matchAt(NAMED_END, sentence.lower, names.end)
      if (!after) return undefined
      const found = asksChain(...(names.chains as [Chain, ...Chain[]]))
      return { ...found, end: names.end + after[0].length }
    },
  },
  {
    pattern: ON,
    handle({ index, groups }, sentence): FoundConstraint | undefined {
      const { lead, paying, way, service } = groups as Record<string, string>
      const names = readNames(sentence, index + lead!.length)
      if (!names) return undefined
      const { end, chains } = names
      const rest = `${sentence.lower.slice(0, index)} ${sentence.lower.slice(end)}`
      const before = sentence.lower.slice(0, index)
      if (paying === undefined && way === undefined) {
        if (MATTERS.test(rest) && (service === undefined || !OF_SERVICE.test(before))) return undefined
        if (service === undefined && SUBJECT.test(before))
          return { unapplied: { code: 'chain_as_subject' }, end }
      }
      return { ...asksChain(...(chains as [Chain, ...Chain[]])), end }
    },
  },
]
