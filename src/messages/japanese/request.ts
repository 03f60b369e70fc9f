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
  payment_scheme: '支払い方式',
  resource_kind: 'リソースの種類',
  extensions: '拡張のキー',
  transaction: 'トランザクション',
  signature: '署名',
  id: 'ID',
}

const WEBHOOK_FILTER: PartWords<'webhook_filter'> = {
  category: 'カテゴリのID',
  chain: 'チェーンの名前',
  service: 'サービスのID',
}

const ALLOWANCE: PartWords<'allowance'> = {
  check: '確認',
  test_delivery: 'テスト配信',
  probe: '確認を依頼',
}

export const REQUEST: Words<typeof REQUEST_CODES> = {
  required: ({ problem }, tell) => `入力してください（${tell(problem)}）`,

  not_text: '文字列にしてください',
  not_url_text: 'URLを文字列で書いてください',
  not_boolean: 'true か false にしてください',
  not_json_object: 'JSONオブジェクトにしてください',
  not_payment_object: 'paymentAddress と network を書いてください',
  not_pricing_object: 'currency と pricePerRequest を書いてください',
  not_one_of: ({ values }) =>
    `${values.join('、')}${/[a-z0-9]$/i.test(values.at(-1) ?? '') ? ' ' : ''}のどれかにしてください`,
  empty: '空にはできません',
  text_expected: ({ max }) => `1〜${max}文字の文章にしてください`,
  text_blank: ({ max }) => `1〜${max}文字の文章にしてください。空白だけにはできません`,
  text_too_long: ({ max }) => `${max}文字以内にしてください`,
  text_malformed: '正しいUnicodeにしてください',
  text_with_control: ({ lines }) => (lines ? '改行とタブ以外の制御文字は使えません' : '制御文字は使えません'),
  text_with_bidi: '文字の向きを変える制御文字は使えません',
  text_with_marks: '1文字に13個以上の結合文字を付けることはできません',
  text_with_invisible: ({ character }) => `見えない文字（${character}）は使えません`,
  visible_text_expected: ({ what, max }) => `${VISIBLE_TEXT[what]}を1〜${max}文字で書いてください`,
  url_expected: 'http または https の完全なURLにしてください',
  url_not_absolute: 'https://api.example.com/v1 のような完全なURLにしてください',
  url_with_space: '空白や制御文字は使えません',
  url_not_valid: 'https://api.example.com/v1 のような正しいURLにしてください',
  url_with_user: 'ユーザー名やパスワードは書けません',
  category_expected: 'カテゴリのIDにしてください',
  category_unlike: 'weather のようなカテゴリのIDにしてください',
  category_malformed: 'カテゴリのIDは1〜64文字の文字と数字です（2文字目からは空白と . _ : / & - も使えます）',
  price_not_text: '"0.001" のような小数にしてください',
  price_malformed: '"0.001" のような小数にしてください。小数点の前後はそれぞれ18桁までです',
  decimal_expected: '0.01 のような小数にしてください',
  count_expected: '0以上の整数にしてください',
  whole_number_between: ({ min, max }) => `${min}から${max}までの整数にしてください`,
  whole_number_expected: ({ min }) => `${min}以上の整数にしてください`,
  one_value_expected: ({ values }) => `${values.join(', ')} のうち少なくとも1つを書いてください`,
  object_expected: ({ fields }) => `${fields.join(' と ')} を持つオブジェクトにしてください`,
  number_between: ({ min, max }) => `${min}〜${max}の整数にしてください`,
  true_expected: 'true にしてください。すべてを求めるなら省いてください',
  visible_name_expected: ({ max }) => `1〜${max}文字の可視文字にしてください`,
  cursor_expected: 'カーソルにしてください',
  cursor_of_others:
    'この案内所のカーソルではありません。空のカーソル（cursor=）から始め、次のページへのリンクをたどってください',
  cursor_of_other_query: 'ほかの検索のカーソルです。空のカーソルから始めてください',
  next_expected: '前のページの next の値にしてください',
  next_or_zero_expected: '前の応答の next の値か 0 にしてください',
  page_before_expected: '前のページに書かれた値にしてください',
  feed_cursor_expected: 'この案内所のカーソルか 0 にしてください',
  event_id_expected: 'イベントのIDにしてください',
  event_id_or_zero_expected: 'イベントのIDか 0 にしてください',
  purchase_id_expected: '購入のIDにしてください',
  report_id_expected: '通報のIDにしてください',
  service_id_expected: 'サービスのIDにしてください',
  id_or_sentence_expected: 'id か q のどちらか一方を指定してください',
  declared_input_expected: 'サービスが示すとおりのオブジェクトにしてください',
  dollars_expected: '0.01 のようなドルの額にしてください',
  smallest_units_expected: '資産の最小単位での整数にしてください',
  http_method_expected: 'HTTPメソッドにしてください',
  some_of_expected: ({ values }) => `${values.join(', ')} の中から選んでください`,
  field_names_expected: '項目の名前の一覧にしてください',
  search_too_deep: ({ max }) => `offset + limit は${max}までにしてください`,
  offset_with_cursor: 'cursor と一緒には使えません。どちらかを省いてください',
  parameter_unknown: ({ nearest }) => `ここにない引数です。${nearest} のことですか`,
  filter_unknown: ({ filter, value, nearest }) =>
    `${filter} の ${JSON.stringify(value)} はここにありません。${nearest === '' ? '' : `${nearest} のことですか。`}`,
  parameter_not_among: ({ nearest, known }) =>
    known.length === 0
      ? 'ここに引数はありません'
      : `ここにない引数です。最も近いのは ${nearest} で、使えるのは ${known.join(', ')} です`,
  argument_unknown: ({ nearest }) => `ここにない引数です。${nearest} のことですか`,
  argument_not_among: ({ known }) =>
    known.length === 0 ? 'ここに引数はありません' : `ここにない引数です。使えるのは ${known.join(', ')} です`,
  parameter_for_body: 'ここでは引数になりません。本文で送ってください',
  parameter_twice: '2回以上書かれています',
  not_percent_encoded: 'UTF-8のパーセント符号化として読めません',
  body_cut_off: '途中で終わっています',
  not_utf8: '正しいUTF-8にしてください',
  not_json: '正しいJSONにしてください',
  nested_too_deep: ({ max }) => `入れ子は${max}段までにしてください`,
  signing_network_expected: 'EVMのネットワークか Solana にしてください',
  given_message_expected: '渡された文にしてください',
  public_address_expected: ({ problem }, tell) => `公開されたアドレスにしてください。${tell(problem)}`,
  one_or_several_expected: ({ what, max }) =>
    `${WEBHOOK_FILTER[what]}か、その1〜${max}個の配列にしてください`,
  filter_fields_unknown: ({ known, names }) =>
    `使えるのは ${known.join(', ')} だけです（${names.join(', ')} は使えません）`,
  filter_expected: ({ known }) => `${known.join(', ')} のどれかを持つオブジェクトにしてください`,
  event_types_expected: 'service.price_changed のようなイベントの種類の配列にしてください',
  event_types_empty: 'イベントの種類を少なくとも1つ書くか、すべてなら省いてください',
  no_price_told: ({ reasons }, tell) =>
    `価格のわかる支払い方がありません（${reasons.map(tell).join('、') || '支払い方がない'}）`,
  way_without_asset: 'ネットワークか資産が書かれていない',
  way_without_amount: '最小単位の整数の金額がない',
  way_in_unknown_asset: ({ asset, network }) => `${network} の知られていない資産 ${asset} を使う`,

  key_needed: 'APIキーが必要です。',
  key_malformed: 'APIキーの形式が正しくありません。キーは空白を含まない8〜128文字です。',
  key_unknown:
    'このAPIキーは登録されていません。全体が正しく写されているか、送り先が正しいか確かめてください。',
  key_revoked: 'このAPIキーは失効しています。運営者に新しいキーを求めてください。',
  key_expired: 'このAPIキーは期限切れです。運営者に新しいキーを求めてください。',
  key_of_operator:
    'このAPIキーは運営者が作ったもので、終わらせるのも運営者です。この方法で終わるのはウォレットのキーだけです。',
  key_of_nobody: 'このAPIキーは、誰も鍵を持たないアドレスのために作られたものです。',
  scope_lacking: ({ scope }) =>
    `このAPIキーには権限「${scope}」がありません。権限のあるキーを運営者に求めてください。`,
  allowance_spent: ({ what, perMinute }) =>
    `${ALLOWANCE[what]}できるのは、あなたのすべてのキーを合わせて1分に${perMinute}回までです。1分ほどおいてもう一度お試しください。`,
  checks_busy: 'ただいま混み合っています。1分ほどおいてもう一度お試しください。',
  checks_off: 'この案内所はエンドポイントに問い合わせないため、確認もできません。',
  requests_spent: ({ seconds }) => `リクエストが多すぎます。${seconds}秒後にもう一度お試しください。`,
  answer_too_long: '応答が長すぎます。limitで件数を減らすか、fieldsで項目を絞ってください。',
  requests_open: ({ most }) =>
    `同時のリクエストが多すぎます（${most}件を処理中）。どれかの応答を待ってから、もう一度お試しください。`,
  payee_unknown: ({ payee }) => `${JSON.stringify(payee)} に支払うサービスは掲載されていません。`,
  service_unknown: ({ id }) => `ID ${JSON.stringify(id)} のサービスはありません。`,
  method_not_possible: ({ method, path, possible }) =>
    `${path} では ${method} は使えません。使えるのは ${possible} です。`,
  action_unknown: 'このフォームでできることではありません。',
  confirmation_expected: '確認の欄にチェックを入れてください。',
  form_of_others:
    'このフォームはブラウザに渡したページから送られたものではないため、何も行いませんでした。もう一度お試しください。Cookieを受け入れる設定が必要です。',
  operator_key_refused:
    'これは運営者のキーで、ブラウザに置くには権限が大きすぎます。権限が「register」だけのキーを使ってください。',
  form_type_expected: ({ type }) => `フォームは ${type} として送ってください。`,
  path_unknown: 'この場所には何もありません。/docs をご覧ください。',
  request_not_json: '本文はUTF-8のJSONにし、Content-Type: application/json を付けて送ってください。',
  request_compressed: '本文は圧縮せずに送ってください。',
  request_too_large: ({ max }) => `本文は${max}バイトまでです。`,
  streams_open: ({ most }) =>
    `イベントの受信と待機中のリクエストは1人${most}本までで、もう開いています。どれかを閉じるか、1本を分け合ってください。`,
  origin_foreign:
    'ほかのオリジンのページはここで MCP を使えません。運営者は自分のものを PUBLIC_URL に書きます。',
  metrics_off: '計測値はここでは公開していません。',
  metrics_local: '計測値は同じサーバーからだけ読めます。',
  catalog_loading: '案内所はカタログを読み込んでいます。少しおいてもう一度お試しください。',
  history_other: ({ cursor, advice }, tell) =>
    `${cursor}：この案内所の履歴にない場所です。履歴が前の状態に戻されたか、ほかの案内所のものです。${tell(advice)}`,
  begin_with_empty_cursor: '空のカーソルから始めてください。',
  read_changes_anew: 'since=0 から読み直し、そこにないものは捨ててください。',
  listen_anew: '/api/changes?since=0 で今の状態を読み、Last-Event-ID と after なしで受信してください。',
  changed_since: 'サービスはその後変わっています。読み直して、新しい ETag を If-Match で送ってください。',
  without_tag: '何もしていません。これには ETag がないので、If-Match は * だけです。',
  tag_is_there:
    '何もしていません。If-None-Match の示すものがあります。何であれ変えるなら、このヘッダーを省いてください。',
  request_key_reused:
    'この Idempotency-Key は24時間以内に別の本文で使われています。新しい本文には新しいキーを送ってください。',
  service_of_others:
    'このサービスはほかの人のものです。支払い先のウォレットでサインインするか、運営者に頼んでください。',
  claim_by_others: '登録を引き継げるのは、その支払い先のウォレットだけです。',
  sign_in_off:
    'ここではウォレットでサインインできません。案内所が自分の公開アドレスを知りません（運営者が PUBLIC_URL に書きます）。',
  challenge_unknown:
    'この文はここで渡されたものでないか、期限切れか、使用済みです。新しい文を求めてください。',
  signature_of_others: ({ address }) => `この署名は、この文への ${address} の署名ではありません。`,
  wallet_keys_reached: ({ most }) =>
    `このウォレットにはもう上限の${most}個のキーがあります。どれかを使うか、DELETE /api/auth/keys/{id} で1つ失効させるか、"revokeOthers": true でサインインし直してください（すべて失効します）。`,
  own_key_unknown: 'このIDの失効できるキーはありません。',
  keys_spent: ({ most }) =>
    `1つのアドレスからのサインインは1日${most}回までです。明日試すか、別の場所からサインインしてください。`,
  bytes_spent: ({ most }) =>
    `1つのネットワークのウォレットが書き込めるのは、1日${most} MBまでです。明日もう一度お試しいただくか、運営者にキーを依頼してください。`,
  writes_spent: ({ most }) =>
    `ウォレットによる登録と変更は1日${most}回までです。明日試すか、運営者にキーを求めてください。`,
  reports_spent: ({ most }) => `通報は1日${most}件までです。明日もう一度お試しください。`,
  reports_waiting:
    'このサービスへのこの種の通報がすでに多く運営者を待っています。それらが片付いてから試してください。',
  report_unknown: ({ id }) => `ID ${JSON.stringify(id)} の未解決の通報はありません。`,
  webhooks_off: 'この案内所は Webhook を送りません。/api/events を使ってください。',
  webhook_unknown: ({ id }) => `ID ${JSON.stringify(id)} の Webhook はありません。`,
  webhooks_spent: ({ most }) =>
    `同じ場所からウォレットが作れる Webhook は1時間に${most}個までです。後でもう一度お試しください。`,
  webhooks_spent_at: ({ most, host }) =>
    `${host} が確認を返すまで、同じ場所からウォレットがそこに作れる Webhook は1時間に${most}個までです。後でもう一度お試しください。`,
  challenges_spent_at: ({ most, host }) =>
    `同じ場所からウォレットが ${host} に送れる確認は1時間に${most}回までです。後でもう一度お試しください。`,
  webhooks_reached: ({ most }) => `Webhook はもう上限の${most}個あります。先に1つ消してください。`,
  webhooks_unconfirmed: ({ most }) =>
    `受け手の返事を待つ Webhook が上限の${most}個あります。先にどれかの確認を済ませるか、消してください。`,
  delivery_postponed: ({ why }, tell) => `${tell(why)}後でもう一度お試しください。`,
  buyer_key_missing: '支払いに使う鍵がありません（BUYER_KEY_EVM、BUYER_KEY_SOLANA か BUYER_KEY_FILE）。',
  never_probed: '見本の登録と予約された名前には問い合わせません。',
  host_busy: ({ host }) =>
    `${host} にはほかからの問い合わせが続いています。1分ほどおいてもう一度お試しください。`,
  fault_there: '案内所の側で問題が起きました。',
  fault:
    '案内所の側で問題が起きました。もう一度お試しいただき、続くようなら X-Request-Id を添えて知らせてください。',
}
