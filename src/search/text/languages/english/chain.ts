// Chains in an English sentence: "on Base". A chain that is the subject ("Solana price feed", "news on Bitcoin") is not a
// constraint, so a name alone never filters: the words around it must say that it is where to pay.
import { type Chain, findChain } from '../../../../domain/chains.ts'
import { asksChain, hinted, type Reader } from '../constraint-rules.ts'

const NAME =
  '[a-z][a-z0-9:_=+/.-]*(?: (?:chain|smart chain|open chain|sepolia|devnet|testnet|mainnet|amoy|fuji|one|nova|zkevm|era|minato|ledger|network))?'

/** Names that are also everyday words need a capital or the word "network" beside them. Base is what most people mean. */
const EVERYDAY = new Set(
  `story flow mode ink stable sonic blast flare lens scroll arc tempo plasma abstract near world aurora katana plume op sol
ada ton algo stacks lightning noble cosmos arb amoy fuji sei gnosis injective filecoin ripple`.split(/\s+/),
)

/** What follows "on Base" when Base is the chain: an end, a stop, or another condition, but no noun. */
const THEN =
  '(?=$|[\\s]*(?:$|[.,;:!?、。()]|(?:with|without|under|below|for|and|or|but|that|which|at|from|less|cheaper|costing|in|please|up to|no more|only|verified|having|has|paid|using|by|to)(?![a-z])|[^\\x00-\\x7f]))'
const SUBJECT =
  /(?:news|articles?|information|info|reports?|statistics|stats|updates?|facts|tutorials?|books?|docs|documentation|opinions?|insights?|courses?|lessons?|details|focus|focused|based|eye|spy|questions?)\s*$/

const ON = hinted(
  'on |via |through |pay|support|accept',
  new RegExp(
    `(?<lead>(?<not>not |except |excluding |other than )?(?:(?:that |which )?(?:runs?|running|works?|working|available|settled?|settles|settling|payable|pay|paid|live|deployed)? ?(?:on|via|through)|pay(?:able|ing|ment|ments)? (?:with|in|using)|supporting|(?:that )?supports?|accepting|(?:that )?accepts?) (?<the>the )?)(?<name>${NAME})(?<net>(?:'s)? (?:network|chain|blockchain|mainnet|testnet))?${THEN}`,
    'gu',
  ),
)
const EXCEPT = hinted(
  'not on|except|excluding|other than|anything but',
  new RegExp(`(?:not on|except(?: on)?|excluding|other than|anything but) (?<name>${NAME})${THEN}`, 'gu'),
)

/** The chain that the longest beginning of the words names. */
function longest(name: string): Chain | undefined {
  for (let length = name.length; length > 0; length = name.lastIndexOf(' ', length - 1)) {
    const chain = findChain(name.slice(0, length))
    if (chain) return chain
  }
  return undefined
}

export const ENGLISH_CHAIN: Reader = [
  {
    pattern: EXCEPT,
    handle: ({ groups }) => (longest(groups!.name!) ? { unapplied: { code: 'chain_left_out' } } : undefined),
  },
  {
    pattern: ON,
    handle(match, sentence) {
      const { lead, name, net, the, not } = match.groups as Record<string, string>
      const chain = longest(name!)
      if (!chain || not !== undefined) return undefined
      const at = match.index + lead!.length
      const isCapital = /[A-Z]/.test(sentence.text[at]!)
      const saysNetwork = net !== undefined || /(?:chain|network|sepolia|testnet|mainnet)$/.test(name!)
      if (the !== undefined && !saysNetwork) return undefined
      if (EVERYDAY.has(name!) && !isCapital && !saysNetwork) return undefined
      if (/(?:on|via|through) $/.test(lead!) && SUBJECT.test(sentence.lower.slice(0, match.index))) {
        return { unapplied: { code: 'chain_as_subject' } }
      }
      return asksChain(chain)
    },
  },
]
