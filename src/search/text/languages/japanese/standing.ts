// Status, free quota, category and wishes in a Japanese sentence.
import {
  asksCategory,
  asksFree,
  asksProtocol,
  asksStatus,
  beyondAscii,
  type Reader,
  type SharedRules,
  wishes,
} from '../constraint-rules.ts'
import { JAPANESE_GOODS } from './price.ts'

/** Other things that can be verified. */
const VERIFIED_THINGS =
  'メール|アドレス|電話|アカウント|ユーザー|本人|契約|ソース|番号|署名|購入|レビュー|コントラクト(?!の?(?:監査|解析|検査|検証|生成|サービス|api))'
/** Other things that are free of charge. */
const PLACES = '公園|施設|駐車場|場所|部屋|トイレ|wi-?fi|スポット|素材|画像素材|アプリ|ソフト'

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
      new RegExp(
        `(?:検証|認証|確認)(?:済み|済(?!み)|ずみ)(?!(?:の)?(?:${VERIFIED_THINGS}))(?:の(?:もの|サービス|api)?)?(?:だけ|のみ|に限る|限定)?`,
        'gu',
      ),
    ),
    beyondAscii(
      '動い|稼働|動作|生き',
      /(?<![がはも])(?:(?:今|いま|現在|ちゃんと|実際に|きちんと)?(?:動い|稼働し|動作し|生き)て(?:い)?る|(?:稼働|動作)中の?)(?=[^、。]*(?:api|サービス|エンドポイント|だけ|のみ)|(?:もの|やつ)(?![」とは])|[、。]|$)(?:もの|サービス|api)?(?:だけ|のみ)?/gu,
    ),
    // 現在オンラインのOCR · オンラインのものだけ: オンライン alone is also an attribute of a meeting or a course
    beyondAscii(
      'オンライン|落ち|止まって|停止して',
      /(?:(?:今|いま|現在)、?オンライン(?:の|中の|になっている|である)|オンラインの(?=(?:もの|やつ|サービス|api)(?:だけ|のみ|限定))|(?:(?:今|いま|現在)?(?:落ち|止まっ|停止し)て(?:い)?ない)(?=もの|やつ|サービス|api|エンドポイント|[^、。]{0,12}(?:api|サービス|だけ|のみ)))(?:もの|やつ|サービス|api)?(?:だけ|のみ|限定)?/gu,
    ),
  ),
]

/** MPPで払える · MPP対応 */
export const JAPANESE_PROTOCOL: Reader = asksProtocol(
  'mpp',
  beyondAscii(
    'mpp',
    /(?<![a-z])mpp(?:で(?:の)?(?:支?払(?:える|う|い)|決済(?:できる)?)|(?:に)?対応(?:した|の)?|決済|払い)(?:の|もの|サービス|api)?/gu,
  ),
)

export const JAPANESE_FREE: Reader = [
  ...asksFree(
    'quota',
    beyondAscii(
      '無料|ただ',
      /無料(?:利用)?(?:枠|プラン|トライアル|体験|回数|お試し|クレジット)(?:が|の|も)?(?:あり|ある|あれば|付き?|つき|有り?|ついた|付いた|つく)?(?:の)?|(?:無料|ただ)で(?:試せ|試し|お試し)(?:る|たい|できる)?/gu,
    ),
    // Borrowed words: 「free tierのある」.
    beyondAscii(
      'free',
      /(?<![a-z-])(?:(?:with|has|have|having|offers?|offering|includes?|including) )?(?:(?:a|an|some) )?free[ -](?:tiers?|quotas?|plans?|trials?|requests?|calls?|allowance|credits?|usage|quota)(?:のある|がある|あり|付き|つき)(?![a-z])/gu,
    ),
  ),
  ...asksFree(
    'any',
    beyondAscii(
      '無料|タダ|無償',
      new RegExp(
        `(?:無料|タダ|無償)で(?!(?:使|利用|でき|呼)[ぁ-ん]*(?:${PLACES}))(?:使|利用|でき|呼)(?:える|う|って|いたい|できる|用できる|る)?`,
        'gu',
      ),
    ),
  ),
]

export const toJapaneseCategory = (shared: SharedRules): Reader =>
  asksCategory(
    shared,
    beyondAscii(
      'カテゴリ|分野|ジャンル',
      new RegExp(
        `(?<name>${shared.categoryName})(?:の)?(?:カテゴリー?|ジャンル|分野(?=の?(?:api|サービス)))(?:の中)?(?:で|の|から|に)?`,
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
      '安|低|リーズナブル|お手頃|高くない|コスパ',
      new RegExp(
        `(?:なるべく|できるだけ|一番|最も|とにかく)?(?:安い|安め(?:の|で|に)?|(?<!目)安く(?:て)?|安価(?:な|で)?|最安(?!値)(?:の|で)?|格安(?:の|で|な)?|(?<!最)低価格(?:の|で|な)?|低コスト(?:の|で|な)?|リーズナブルな?|お手頃な?|コスパ(?:の|が)?(?:良い|よい|いい|高い|良く|よく)|(?:(?:値段|料金|価格)[がの]|(?<![ぁ-ん]))高くない)(?!(?:の|な)?(?:${JAPANESE_GOODS}))`,
        'gu',
      ),
    ),
  ),
  ...wishes(
    'fast',
    beyondAscii(
      '速|早い|はやい|遅延|レイテンシ|応答|レスポンス',
      /(?:なるべく|できるだけ|一番|最も|とにかく)?(?:速い|早い(?!者|時間|段階)|(?<![ぁ-ん])はやい|高速(?:な|の)|高速で(?=安|信頼|、)|最速(?:の|で)?|素早い)(?!(?:の|な)?(?:電車|列車|車|ルート|経路|道|便|バス|行き方))|低(?:遅延|レイテンシー?)(?:の|な|で)?|(?:遅延|レイテンシー?)[がの](?:低い|少ない|小さい|短い)|(?:応答|レスポンス)(?:時間|速度)?[がの](?:速い|早い|短い)/gu,
    ),
  ),
  ...wishes(
    'reliable',
    beyondAscii(
      '信頼|評判|評価|安定',
      /信頼(?:性(?:の|が)高い|できる|の(?:おける|置ける)|度(?:の|が)高い)|(?:評判|評価)の(?:よい|良い|いい|高い)|安定(?:した|して(?:いる)?)/gu,
    ),
  ),
  ...wishes(
    'free',
    beyondAscii(
      '無料|タダ',
      new RegExp(
        `無料の|(?:無料|タダ)で(?!(?:提供|公開|配布|行|入|遊|見|観|読|聞|聴|泊|停|駐|もら|貰|配|ダウンロード|ある|あり|す|した|は|も)|[^、。]*(?:${PLACES}))`,
        'gu',
      ),
    ),
  ),
]
