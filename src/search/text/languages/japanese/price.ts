// Prices in a Japanese sentence: 「0.005ドル以下」「1円未満」「0.01 USDC くらい」「USDCで払える」.
import { asksCurrency, beyondAscii, type Groups, type Reader, type SharedRules } from '../constraint-rules.ts'
import type { MoneyWords } from '../language.ts'

/** Consumer goods and other things with a price of their own. */
export const JAPANESE_GOODS =
  'ランチ|昼食|夕食|ディナー|弁当|お?菓子|スイーツ|ケーキ|食事|料理|食品|コーヒー|飲み物|ビール|ワイン|居酒屋|レストラン|店|ホテル|旅館|宿|部屋|物件|家賃|マンション|アパート|航空券|飛行機|チケット|切符|電車|列車|新幹線|バス|タクシー|ツアー|旅行|プレゼント|ギフト|お?土産|おもちゃ|ゲーム|本(?!人|文|番|体)|服|靴|スマホ|パソコン|商品|家電|株|債券|送金|取引|予算'

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
      pattern: beyondAscii(
        '未満|より|下回る|以下|内|まで|超|以上|くらい|ぐらい|程度|前後',
        new RegExp(
          `${EACH}約?(?<![a-z0-9.])${sum}\\s*(?<bound>未満|より(?:安い|安く|下)|を下回る|以下|以内|まで|を?超えない|内|くらい|ぐらい|程度|前後|より(?:高い|上)|以上|超)(?:で|の|に)?`,
          'gu',
        ),
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
      pattern: beyondAscii(
        '予算|上限|高くて|せいぜい|多くて|最大',
        new RegExp(
          `(?:予算|(?:料金|価格|値段|費用)の?上限|上限|(?:料金|価格|値段|費用)[がは]最大|高くても?|せいぜい|多くても?)(?:は|が|:|：)?\\s*${EACH}約?${sum}(?:\\s*(?:まで|以下|以内|くらい|程度))?(?:で|の|に)?`,
          'gu',
        ),
      ),
      handle(match, sentence) {
        const groups = match.groups as Groups
        if (groups.bare !== undefined && Number(groups.bare) >= 0.5) return undefined
        return toBound(groups, { each: saysEach(match[0]), sentence })
      },
    },
    {
      pattern: beyondAscii(
        'から|〜|~|-',
        new RegExp(
          `${EACH}(?<low>${number}\\s*(?:${unit})?\\s*(?:から|〜|~|-))\\s*${sum}\\s*(?:まで|以下|以内|くらい|程度)?(?:で|の|に)?`,
          'gu',
        ),
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
    beyondAscii(
      '払|決済|課金|購入|買|建て',
      new RegExp(
        `(?<unit>${shared.unit})(?:(?:だけ|のみ)?(?:で|による)(?:お?支?払|決済|課金|購入|買)(?:いたい|い|え|う|って|できる|可能|される|した)*る?(?:が?(?:できる|可能)な?)?|払い|決済|建て${QUOTED})(?:の|に対応(?:した|する)?|できる|可能な)?`,
        'gu',
      ),
    ),
  )
