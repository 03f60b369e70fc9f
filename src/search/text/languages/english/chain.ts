// Chains in an English sentence: "on Base", "on Base or Solana", "not on Solana". A chain that is the subject ("Solana
// price feed", "gas fees on Ethereum") is not a constraint. So a name alone never filters: its context must be about where
// to pay.
import { type Chain, findChain } from '../../../../domain/chains/chains.ts'
import {
  asksChain,
  type FoundConstraint,
  hinted,
  leavesOutChain,
  type Reader,
  type Sentence,
} from '../constraint-rules.ts'

const NAME =
  /(?:the )?(?<name>[a-z](?:[a-z0-9:_=+-]*[a-z0-9])?(?:\.[a-z0-9]+)*(?: (?:chain|smart chain|open chain|sepolia|devnet|testnet|mainnet|amoy|fuji|one|nova|zkevm|era|minato|ledger|network))?)/y
const NETWORK = /(?:'s)? (?:network|chain|blockchain|mainnet|testnet)(?![a-z])/y
const AND = /(?:\s?[,/]\s?(?:and |or )?|,? (?:or|and|nor) )(?:on )?/y

/** Names that are also everyday words need a capital or the word "network". Base does not, as it usually means the chain. */
const EVERYDAY = new Set(
  `story flow mode ink stable sonic blast flare lens scroll arc tempo plasma abstract near world aurora katana plume op sol
ada ton algo stacks lightning noble cosmos arb amoy fuji sei gnosis injective filecoin ripple`.split(/\s+/),
)

/** What follows "on Base" when Base is the chain: the end, punctuation, or another condition, but no noun. */
const THEN =
  /\s*(?:$|[.,;:!?、。()]|(?:with|without|under|below|for|and|or|but|that|which|at|from|less|cheaper|costing|in|please|up to|no more|only|verified|having|has|paid|using|by|to|between|around|about|max)(?![a-z])|[^\x00-\x7f])/y
const SUBJECT =
  /(?:news|articles?|information|info|reports?|statistics|stats|updates?|facts|tutorials?|books?|docs|documentation|opinions?|insights?|courses?|lessons?|details|focus|focused|based|built|launched|updated|up to date|missing out|eye|spy|questions?|accounts?|applications?|ecosystems?|projects?|protocols?|activity|cryptocurrenc(?:y|ies)|bitcoin|ether)\s*$/
/** What exists on a chain. Next to it, a chain is the subject, unless the sentence is about paying. */
const MATTERS =
  /(?<![a-z])(?:gas|fees?|nfts?|tokens?|tokenomics|wallets?|balances?|transactions?|txs?|blocks?|validators?|staking|staked|swaps?|swapping|dex(?:es)?|defi|liquidity|pools?|(?:smart )?contracts?|mempool|airdrops?|(?:meme|stable|alt)? ?coins?|decentrali[sz]ed|whales?|holders?|holdings|bridg(?:e|es|ing)|mint(?:s|ed|ing)?|on-?chain|explorers?|yields?|lending|nodes?|rpc|tvl|d-?apps?|erc-?\d+|spl|rug ?pulls?|trad(?:e|es|ers?|ing)|liquidat(?:ions?|ed)|perp(?:s|etuals?)?|funding rates?|open interest|order ?books?|vaults?|floor prices?|transfers?|addresses|blockchain)(?![a-z])/

/** Before "available on Base": a service is, rather than what it is about. */
const OF_SERVICE = /(?<![a-z])(?:services?|apis?|endpoints?|providers?|ones|tools?|bots?|agents?),?\s*$/

const PAYING = '(?:payable|pays?|paid|paying|settled?|settles|settling|payments?|billed|charged)'
const ON = hinted(
  'on |via |through |pay|support|accept|take|settle',
  new RegExp(
    `(?<![a-z])(?<lead>(?:(?:that |which )?(?:(?<paying>${PAYING}) |(?<service>runs?|running|works?|working|available|live|deployed|usable|callable) )?(?:on|via|through)|(?<way>${PAYING} (?:with|in|using)|supporting|(?:that )?supports?|accepting|(?:that )?accepts?)) )(?=[a-z])`,
    'gu',
  ),
)
const EXCEPT = hinted(
  "not |n’t|n't|except|excluding|other than|but |apart from",
  /(?<![a-z])(?:,? ?but )?(?:(?:that |which )?(?:(?:is|are|do|does)(?: not|n['’]?t) )?(?:run |work |settle |running |available |paid |payable )?(?:not (?:on|via)|(?<=(?:n['’]t|not) (?:(?:be |get )?(?:run|runs|work|settle|settled|running|available|paid|payable|pay|live|listed|hosted|charged|billed|accepted|offered|built|based) )?)(?:on|via))|(?:on )?(?:any(?:thing| chain| network)?|every(?:thing)? ?(?:chain|network)?)?,? ?(?:except(?: for| on)?|excluding|other than|apart from|but)) (?=[a-z])/gu,
)

/** chain: base · network=solana · only Base · Base only, as a part of its own */
const NAMED = hinted(
  'chain|network|only',
  /(?:(?<![a-z])(?:chain|network|blockchain) ?[:=] ?|(?<=^|[,;:(] ?)only (?:on )?)(?=[a-z])|(?<=[,;(] ?)(?=[a-z][a-z0-9 -]{1,24} only\s*(?:$|[.,;)]))/gu,
)
const NAMED_END = /(?: only)?\s*(?=$|[.,;)])/y

/** "without Ethereum payments" */
const UNPAID = hinted('without |no ', /(?<![a-z])(?:without|with no|no) (?=[a-z])/gu)
const PAYMENTS = / payments?(?![a-z])/y

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
  return names && matchAt(THEN, sentence.lower, names.end) ? names : undefined
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
    pattern: UNPAID,
    handle({ index, 0: lead }, sentence): FoundConstraint | undefined {
      const name = readName(sentence, index + lead.length)
      const payments = name && matchAt(PAYMENTS, sentence.lower, name.end)
      return payments ? { ...leavesOutChain(...name.chains), end: name.end + payments[0].length } : undefined
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
