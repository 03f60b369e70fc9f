// Chains in a sentence: "on Base", "Solanaで使える". A chain that is the subject ("Solana price feed", "news on Bitcoin",
// "Baseのガス代") is not a constraint, so a name alone never filters: the words around it must say that it is where to pay.
import { type Chain, findChain } from '../../../domain/chains.ts'
import { hinted, japanese, type Reader, type Reading, type Why } from './reading.ts'

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

const USE = '(?:使|つか|払|支払|お支払|動|利用|決済|課金|買|提供|稼働|対応|運用|受け取)'
const ENDING =
  '(?:える|う|って|われ|いたい|い|く|いている|いて|けて|けられる|ける|できる|可能な?|している|した|する|れる|の)*'
const JAPANESE_NAME =
  '(?:[a-z][a-z0-9:_-]*(?: (?:sepolia|chain|network|devnet|testnet|mainnet))?|[ァ-ヶー]{2,})'
const JAPANESE = japanese(
  'で|にて|上|対応|チェーン|ネットワーク|払い|決済|以外',
  new RegExp(
    `(?<name>${JAPANESE_NAME})\\s?(?<net>チェーン|ネットワーク|メインネット|テストネット)?(?:(?<where>上?(?:で|にて)(?=${USE}|、|。|$|\\s)|上(?:の|で)|に?対応(?:の|した|している)?|(?<!の)(?<=チェーン|ネットワーク)(?:上)?(?:の|で)|払い(?:の|で)?|決済(?:の|で)?)(?:${USE}${ENDING})?|(?<without>以外(?:の|で)?))`,
    'gu',
  ),
)
/** After another condition, 「、Baseの」 goes on with the list. */
const LISTED = japanese('の', new RegExp(`(?<=[、,・]\\s*)(?<name>${JAPANESE_NAME})の`, 'gu'))

const NO_EXCEPTION: Why = {
  en: 'a chain can be asked for, not left out',
  ja: 'チェーンの除外は指定できません',
}
const SUBJECT_WHY: Why = {
  en: 'read as the subject, not as the chain to pay on',
  ja: '支払いのチェーンではなく、探しものの一部として読みました',
}

const found = (chain: Chain) => ({ filter: { chain: chain.name }, echo: { chain: chain.name } })

/** The longest beginning of the words that names a chain. */
function longest(name: string): { chain: Chain; length: number } | undefined {
  for (let length = name.length; length > 0; length = name.lastIndexOf(' ', length - 1)) {
    const chain = /[a-zァ-ヶ]/.test(name) ? findChain(name.slice(0, length)) : undefined
    if (chain) return { chain, length }
  }
  return undefined
}

const ENGLISH_RULES: Reader = [
  {
    pattern: ON,
    handle(match, sentence) {
      const { lead, name, net, the, not } = match.groups as Record<string, string>
      const named = longest(name!)
      if (!named || not !== undefined) return undefined
      const at = match.index + lead!.length
      const isCapital = /[A-Z]/.test(sentence.text[at]!)
      const saysNetwork = net !== undefined || /(?:chain|network|sepolia|testnet|mainnet)$/.test(name!)
      if (the !== undefined && !saysNetwork) return undefined
      if (EVERYDAY.has(name!) && !isCapital && !saysNetwork) return undefined
      if (/(?:on|via|through) $/.test(lead!) && SUBJECT.test(sentence.lower.slice(0, match.index))) {
        return { unapplied: SUBJECT_WHY }
      }
      return found(named.chain)
    },
  },
]

const EXCEPT_RULES: Reader = [
  {
    pattern: EXCEPT,
    handle: ({ groups }) => (longest(groups!.name!) ? { unapplied: NO_EXCEPTION } : undefined),
  },
]

const JAPANESE_RULES: Reader = [
  {
    pattern: JAPANESE,
    handle({ groups }) {
      const { name, net, without } = groups as Record<string, string>
      const chain = findChain(`${name}${net ?? ''}`) ?? findChain(name!)
      if (!chain) return undefined
      return without === undefined ? found(chain) : { unapplied: NO_EXCEPTION }
    },
  },
]

const LISTED_RULES: Reader = [
  {
    pattern: LISTED,
    handle(match, sentence, earlier) {
      const stop = sentence.lower.slice(0, match.index).trimEnd().length - 1
      const chain = findChain(match.groups!.name!)
      const goesOn = earlier.some(
        ({ end, filter }: Reading) => filter !== undefined && end >= stop && end <= match.index,
      )
      return chain && goesOn ? found(chain) : undefined
    },
  },
]

export const CHAIN_READERS: readonly Reader[] = [EXCEPT_RULES, ENGLISH_RULES, JAPANESE_RULES, LISTED_RULES]
