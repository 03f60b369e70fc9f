// Chains in a Japanese sentence: 「Solanaで使える」「Base以外」. In 「Baseのガス代」 the chain is the subject: the words around it
// must say that it is where to pay.
import { findChain } from '../../../../domain/chains.ts'
import { asksChain, beyondAscii, type Reader } from '../constraint-rules.ts'

const USE = '(?:使|つか|払|支払|お支払|動|利用|決済|課金|買|提供|稼働|対応|運用|受け取)'
const ENDING =
  '(?:える|う|って|われ|いたい|い|く|いている|いて|けて|けられる|ける|できる|可能な?|している|した|する|れる|の)*'
const NAME = '(?:[a-z][a-z0-9:_-]*(?: (?:sepolia|chain|network|devnet|testnet|mainnet))?|[ァ-ヶー]{2,})'
const ON = beyondAscii(
  'で|にて|上|対応|チェーン|ネットワーク|払い|決済|以外',
  new RegExp(
    `(?<name>${NAME})\\s?(?<net>チェーン|ネットワーク|メインネット|テストネット)?(?:(?<where>上?(?:で|にて)(?=${USE}|、|。|$|\\s)|上(?:の|で)|に?対応(?:の|した|している)?|(?<!の)(?<=チェーン|ネットワーク)(?:上)?(?:の|で)|払い(?:の|で)?|決済(?:の|で)?)(?:${USE}${ENDING})?|(?<without>以外(?:の|で)?))`,
    'gu',
  ),
)
/** After another condition, 「、Baseの」 goes on with the list. */
const LISTED = beyondAscii('の', new RegExp(`(?<=[、,・]\\s*)(?<name>${NAME})の`, 'gu'))

export const JAPANESE_CHAIN: Reader = [
  {
    pattern: ON,
    handle({ groups }) {
      const { name, net, without } = groups as Record<string, string>
      const chain = findChain(`${name}${net ?? ''}`) ?? findChain(name!)
      if (!chain) return undefined
      return without === undefined ? asksChain(chain) : { unapplied: { code: 'chain_left_out' } }
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
