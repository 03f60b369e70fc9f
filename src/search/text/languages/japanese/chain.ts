// Chains in a Japanese sentence: 「Solanaで使える」「BaseかSolanaで払える」「Base以外」. In 「Baseのガス代」 the chain is the subject: the context
// must be about where to pay.
import { type Chain, findChain } from '../../../../domain/chains/chains.ts'
import {
  asksChain,
  beyondAscii,
  type FoundConstraint,
  leavesOutChain,
  type Reader,
} from '../constraint-rules.ts'

const USE = '(?:使|つか|払|支払|お支払|動|利用|決済|課金|買|提供|稼働|対応|運用|受け取)'
const ENDING =
  '(?:える|う|って|われ|いたい|い|く|いている|いて|けて|けられる|ける|できる|可能な?|している|した|する|れる|の)*'
const NET = 'チェーン|ネットワーク|メインネット|テストネット'
const NAME = '(?:[a-z][a-z0-9:_-]*(?: (?:sepolia|chain|network|devnet|testnet|mainnet))?|[ァ-ヶー]{2,})'
const AND = '\\s?(?:か|または|もしくは|あるいは|や|と|、|,|・|/|(?<= )or|(?<= )and)\\s?'
const NAMES = `(?<names>${NAME}(?:${AND}${NAME})*)\\s?(?<net>${NET})?`
/** The context of a chain for payment. After で the sentence continues with an action or with another condition. */
const WHERE = `(?<where>上?(?<on>で|にて)|上の|に?対応(?:の|した|している)?|(?<=${NET})(?:上)?(?:の|で)|(?:限定|のみ|だけ)(?:の|で|に)?(?:対応の?)?|払い(?:の|で)?|決済(?:の|で)?(?!サービス|api))`
const ON = beyondAscii(
  'で|にて|上|対応|チェーン|ネットワーク|払い|決済|限定|のみ|だけ',
  new RegExp(`${NAMES}${WHERE}(?<use>(?<=で|にて)${USE}${ENDING})?`, 'gu'),
)
const EXCEPT = beyondAscii(
  '以外|除|ない|なく',
  new RegExp(
    `${NAMES}(?:以外|を除(?:く|いた|いて|き)|(?:では|じゃ)(?:ない|なく(?:て)?))(?:の(?:${NET}))?(?:上)?(?:の|で|に)?(?<use>(?<=で)${USE}${ENDING})?`,
    'gu',
  ),
)
/** After another condition, 「、Baseの」 continues the list. */
const LISTED = beyondAscii('、|,|・', new RegExp(`(?<=[、,・]\\s*)(?<name>${NAME})の`, 'gu'))
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
]

export const JAPANESE_LISTED_CHAIN: Reader = [
  {
    pattern: LISTED,
    handle(match, sentence, earlier) {
      const stop = sentence.lower.slice(0, match.index).trimEnd().length - 1
      const chain = findChain(match.groups!.name!)
      const goesOn = earlier.some(
        ({ end, filter }) => filter !== undefined && end >= stop && end <= match.index,
      )
      return chain && goesOn ? asksChain(chain) : undefined
    },
  },
]
