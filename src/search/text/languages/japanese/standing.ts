// Status, free quota, category and wishes in a Japanese sentence.
import {
  asksCategory,
  asksFree,
  asksStatus,
  beyondAscii,
  isNotApplied,
  type Reader,
  type SharedRules,
  wishes,
} from '../constraint-rules.ts'

export const JAPANESE_MEASURE: Reader = isNotApplied(
  'measure',
  beyondAscii(
    '稼働率|信頼|応答|レイテンシ|遅延',
    /(?<![a-z])(?:稼働率|信頼スコア|信頼度|応答時間|レイテンシー?|遅延)が?\d+(?:\.\d+)? ?(?:%|パーセント|ミリ秒|秒|ms)?(?:以上|以下|未満|を超える)/gu,
  ),
)

export const JAPANESE_STATUS: Reader = [
  ...asksStatus('unverified', beyondAscii('未検証', /未検証(?:の(?:もの|サービス|API|まま)?|のみ|だけ)/giu)),
  ...asksStatus(
    'inactive',
    beyondAscii('停止|止まって', /(?:停止中|停止している|止まっている)の?(?:もの|サービス|api|だけ|のみ)/gu),
  ),
  ...asksStatus(
    'verified',
    beyondAscii(
      '検証|認証|確認',
      /(?:検証|認証|確認)(?:済み?|ずみ)(?!(?:の)?(?:メール|アドレス|電話|アカウント|ユーザー|本人|契約|コントラクト))(?:の(?:もの|サービス|api)?)?(?:だけ|のみ|に限る|限定)?/gu,
    ),
    beyondAscii(
      '動い|稼働|動作|生き',
      /(?:(?:今|いま|現在|ちゃんと|実際に|きちんと)?(?:動い|稼働し|動作し|生き)て(?:い)?る(?!(?:物体|もの体|人|車|動物|被写体|対象|映像|画像|オブジェクト))|(?:稼働|動作)中)(?:の)?(?:もの|サービス|api)?(?:だけ|のみ)?/gu,
    ),
  ),
]

export const JAPANESE_FREE: Reader = [
  ...asksFree(
    'quota',
    beyondAscii(
      '無料|ただ',
      /無料(?:利用)?(?:枠|プラン|トライアル|体験|回数|お試し|クレジット)(?:が|の|も)?(?:あり|ある|あれば|付き?|つき|有り?|ついた|付いた|つく)?(?:の)?|(?:無料|ただ)で(?:試せ|試し|お試し)(?:る|たい|できる)?/gu,
    ),
    // The words are borrowed: 「free tierのある」.
    beyondAscii(
      'free',
      /(?<![a-z-])(?:(?:with|has|have|having|offers?|offering|includes?|including) )?(?:(?:a|an|some) )?free[ -](?:tiers?|quotas?|plans?|trials?|requests?|calls?|allowance|credits?|usage|quota)(?:のある|がある|あり|付き|つき)(?![a-z])/gu,
    ),
  ),
  ...asksFree(
    'any',
    beyondAscii(
      '無料|タダ|無償',
      /(?:無料|タダ|無償)で(?:使|利用|でき|呼)(?:える|う|って|いたい|できる|用できる|る)?/gu,
    ),
  ),
]

export const toJapaneseCategory = (shared: SharedRules): Reader =>
  asksCategory(
    shared,
    beyondAscii(
      'カテゴリ|分野|ジャンル',
      new RegExp(
        `(?<name>${shared.categoryName})(?:の)?(?:カテゴリー?|分野|ジャンル)(?:の中)?(?:で|の|から|に)?`,
        'gu',
      ),
    ),
    beyondAscii(
      'カテゴリ',
      new RegExp(`カテゴリー?(?:が|は|:|：)\\s?「?(?<name>${shared.categoryName})」?(?:の|で)?`, 'gu'),
    ),
  )

export const JAPANESE_WISHES: Reader = [
  ...wishes(
    'cheap',
    beyondAscii(
      '安|低|リーズナブル|お手頃',
      /(?:なるべく|できるだけ|一番|最も|とにかく)?(?:安い|安く(?:て)?|安価(?:な|で)?|格安(?:の|で|な)?|低価格(?:の|で|な)?|低コスト(?:の|で|な)?|リーズナブルな?|お手頃な?)/gu,
    ),
  ),
  ...wishes(
    'reliable',
    beyondAscii(
      '信頼|評判|評価|安定',
      /信頼(?:性(?:の|が)高い|できる|の(?:おける|置ける)|度(?:の|が)高い)|(?:評判|評価)の(?:よい|良い|いい|高い)|安定(?:した|して(?:いる)?)/gu,
    ),
  ),
  ...wishes('free', beyondAscii('無料の', /無料の/gu)),
]
