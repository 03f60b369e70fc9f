// Why a request is refused, in Japanese.
import type { PartWords } from '../kinds.ts'
import type { REQUEST_CODES } from '../request-codes.ts'
import type { Words } from '../words.ts'

const VISIBLE_TEXT: PartWords<'visible_text'> = {
  currency_code: '通貨コード',
  wallet_address: 'ウォレットのアドレス',
  network_name: 'ネットワークの名前',
  network: 'ネットワーク',
  chain: 'チェーン',
  asset: '資産',
  payment_scheme: '支払いのスキーム',
  resource_kind: 'リソースの種類',
  extensions: '拡張のキー',
  signature: '署名',
  id: 'ID',
}

const ALLOWANCE: PartWords<'allowance'> = {
  check: '確認',
  test_delivery: 'テスト配信',
}

export const REQUEST: Words<typeof REQUEST_CODES> = {
  invalid_field: ({ path, problem, more }, tell) =>
    `${path}：${tell(problem)}${more > 0 ? `（ほか${more}件）` : ''}。`,
  required: ({ problem }, tell) => `入力してください（${tell(problem)}）`,

  not_text: '文字列にしてください',
  not_url_text: 'URLを文字列で書いてください',
  not_boolean: 'true か false にしてください',
  not_json_object: 'JSONオブジェクトにしてください',
  not_payment_object: 'paymentAddress と network を書いてください',
  not_pricing_object: 'currency と pricePerRequest を書いてください',
  not_one_of: ({ values }) => `${values.join(', ')} のどれかにしてください`,
  empty: '空にはできません',
  text_expected: ({ max }) => `1〜${max}文字の文章にしてください`,
  text_blank: ({ max }) => `1〜${max}文字の文章にしてください。空白だけにはできません`,
  text_too_long: ({ max }) => `${max}文字以内にしてください`,
  text_malformed: '正しいUnicodeにしてください',
  text_with_control: ({ lines }) => (lines ? '改行とタブ以外の制御文字は使えません' : '制御文字は使えません'),
  text_with_bidi: '文字の向きを変える制御文字は使えません',
  text_with_invisible: ({ character }) => `見えない文字（${character}）は使えません`,
  visible_text_expected: ({ what, max }) => `${VISIBLE_TEXT[what]}を1〜${max}文字で書いてください`,
  request_key_malformed: '1〜255文字の可視文字にしてください',
  url_expected: 'http または https の完全なURLにしてください',
  url_not_absolute: 'https://api.example.com/v1 のような完全なURLにしてください',
  url_with_space: '空白や制御文字は使えません',
  url_not_valid: 'https://api.example.com/v1 のような正しいURLにしてください',
  url_with_user: '利用者名やパスワードは書けません',
  category_expected: 'カテゴリのIDにしてください',
  category_unlike: 'weather のようなカテゴリのIDにしてください',
  category_malformed: 'カテゴリのIDは1〜64文字の文字と数字です（2文字目からは空白と . _ : / & - も使えます）',
  price_not_text: '"0.001" のような小数にしてください',
  price_malformed: '"0.001" のような小数にしてください。小数点の前後はそれぞれ18桁までです',
  decimal_expected: '0.01 のような小数にしてください',
  count_expected: '0以上の整数にしてください',
  whole_number_expected: ({ min }) => `${min}以上の整数にしてください`,

  key_needed: 'APIキーが必要です。',
  key_malformed: 'APIキーの形が正しくありません。キーは8〜128文字の可視文字です。',
  key_unknown:
    'このAPIキーは登録されていません。全体が正しく写されているか、送り先が正しいか確かめてください。',
  key_revoked: 'このAPIキーは失効しています。運営者に新しいキーを求めてください。',
  key_expired: 'このAPIキーは期限切れです。運営者に新しいキーを求めてください。',
  key_of_nobody: 'このAPIキーは、誰も鍵を持たないアドレスのために作られたものです。',
  scope_lacking: ({ scope }) =>
    `このAPIキーには権限「${scope}」がありません。権限のあるキーを運営者に求めてください。`,
  allowance_spent: ({ what, perMinute }) =>
    `${ALLOWANCE[what]}できるのは、すべてのキーを合わせて1分に${perMinute}回までです。1分ほどおいて試してください。`,
  checks_busy: 'ただいま混み合っています。1分ほどおいて試してください。',
  checks_off: 'この案内所はエンドポイントに問い合わせないため、確認もできません。',
  requests_spent: ({ seconds }) => `要求が多すぎます。${seconds}秒後にもう一度お試しください。`,
  service_unknown: ({ id }) => `ID ${JSON.stringify(id)} のサービスはありません。`,
  method_not_possible: ({ method, path, possible }) =>
    `${path} では ${method} は使えません。使えるのは ${possible} です。`,
  form_type_expected: ({ type }) => `フォームは ${type} として送ってください。`,
  fault:
    '案内所の側で問題が起きました。もう一度お試しいただき、続くようなら X-Request-Id を添えて知らせてください。',
}
