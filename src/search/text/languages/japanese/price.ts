// Prices in a Japanese sentence: 「0.005ドル以下」「1円未満」「USDCで払える」.
import { asksCurrency, beyondAscii, type Groups, type Reader, type SharedRules } from '../constraint-rules.ts'
import type { MoneyWords } from '../language.ts'

export const JAPANESE_MONEY: MoneyWords = {
  units: {
    dollar: ['米ドル', 'ドル'],
    cent: ['セント'],
    euro: ['ユーロ'],
    yen: ['日本円', '円'],
  },
  each: '(?:1|一)?(?:回|リクエスト|件|コール|呼び出し)(?:あたり|につき|ごと)?',
  saysEach: '回|リクエスト|あたり',
}

/** What may stand before a sum: 1回の料金が. */
const EACH =
  '(?:(?:1|一)(?:回|リクエスト|件|コール)(?:の?(?:料金|価格|値段))?(?:あたり|につき)?(?:が|は|で)?)?'

export function toJapanesePrice({ sum, saysEach, toBound }: SharedRules): Reader {
  return [
    {
      pattern: beyondAscii(
        '未満|より|下回る|以下|内|まで|超|以上',
        new RegExp(
          `${EACH}(?<![a-z0-9.])${sum}\\s*(?<bound>未満|より(?:安い|安く|下)|を下回る|以下|以内|まで|を?超えない|内|より(?:高い|上)|以上|超)(?:で|の|に)?`,
          'gu',
        ),
      ),
      handle(match) {
        const groups = match.groups as Groups
        const bound = groups.bound!
        if (groups.bare !== undefined && Number(groups.bare) >= 1) return undefined
        if (/高|上|超$/.test(bound) && bound !== 'を超えない') return { unapplied: { code: 'lowest_price' } }
        return toBound(groups, /未満|より|下回/.test(bound), saysEach(match[0]))
      },
    },
  ]
}

export const toJapaneseCurrency = (shared: SharedRules): Reader =>
  asksCurrency(
    shared,
    beyondAscii(
      '払|決済|課金|購入|買|建て',
      new RegExp(
        `(?<unit>${shared.unit})(?:(?:で|による)(?:お?支?払|決済|課金|購入|買)(?:い|え|う|って|できる|可能|される|した)*る?(?:が?(?:できる|可能)な?)?|払い|決済|建て)(?:の|に対応(?:した|する)?|できる|可能な)?`,
        'gu',
      ),
    ),
  )
