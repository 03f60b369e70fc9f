// Why a request is refused, why the store does not work, and what came of a webhook delivery.
import { type Messages, worded } from './kinds.ts'

export const REQUEST = {
  required: { en: 'is required: {problem:message}', ja: '入力してください（{problem}）' },

  not_text: 'must be text',
  not_boolean: 'must be true or false',
  not_json_object: 'must be a JSON object',
  not_one_of: { en: 'must be one of {values:texts}', ja: '{values} のどれかにしてください' },
  empty: { en: 'must not be empty', ja: '空にはできません' },
  text_expected: {
    en: 'must be text of 1 to {max:number} characters, not only white space',
    ja: '空白以外の文字を含めて{max}文字以内で入力してください',
  },
  text_too_long: { en: 'must have at most {max:number} characters', ja: '{max}文字以内にしてください' },
  text_with_marks: {
    en: 'must not contain more than 12 combining marks on one character',
    ja: '1文字に13個以上の結合文字を付けることはできません',
  },
  text_with_invisible: {
    en: 'must not contain control or invisible characters ({character})',
    ja: '制御文字や見えない文字（{character}）は使えません',
  },
  visible_text_expected: {
    en: 'must be {what:visible_text}: 1 to {max:number} visible characters',
    ja: '{what}を1〜{max}文字で書いてください',
  },
  url_expected: {
    en: 'must be an absolute http or https URL, like https://api.example.com/v1',
    ja: 'https://api.example.com/v1 のような、http または https の完全なURLにしてください',
  },
  url_with_space: {
    en: 'must not contain white space or control characters',
    ja: '空白や制御文字は使えません',
  },
  url_with_user: { en: 'must not contain a user name or password', ja: 'ユーザー名やパスワードは書けません' },
  category_expected: {
    en: 'must be a category id, like weather: 1 to 64 letters and digits of any script, then also space . _ : / & -',
    ja: 'weather のようなカテゴリのIDにしてください。1〜64文字の文字と数字です（2文字目からは空白と . _ : / & - も使えます）',
  },
  price_malformed: {
    en: 'must be a decimal amount as text, like "0.001", with at most 18 digits before and after the point',
    ja: '"0.001" のような小数にしてください。小数点の前後はそれぞれ18桁までです',
  },
  whole_number_expected: {
    en: 'must be a whole number of at least {min:number}',
    ja: '{min}以上の整数にしてください',
  },
  whole_number_between: {
    en: 'must be a whole number from {min:number} to {max:number}',
    ja: '{min}〜{max}の整数にしてください',
  },
  list_expected: {
    en: 'must be a list of 1 to {max:number} values',
    ja: '1〜{max}個の値の一覧にしてください',
  },
  policy_name_expected: {
    en: 'must be the id of a service, a wallet address, a host, or collection: and a name',
    ja: 'サービスのID、ウォレットのアドレス、ホスト名、または collection: と名前にしてください',
  },
  collection_name_expected: {
    en: 'must be 1 to 64 of a-z, 0-9 and hyphen, and not "hidden"',
    ja: '半角の英小文字、数字、ハイフンで1〜64文字にしてください（hidden は使えません）',
  },
  collected_value_expected: {
    en: 'must be of its kind: the id of a service, a wallet address, or a host',
    ja: '種類に合う値（サービスのID、ウォレットのアドレス、ホスト名）にしてください',
  },
  collection_unknown: {
    en: 'There is no collection {name:quoted} here.',
    ja: '{name:quoted}というコレクションはここにありません。',
  },
  policy_budget_expected: {
    en: 'must be an amount of dollars up to a million, as text, like "1.00"',
    ja: '100万ドルまでの金額にしてください（例: 1.00）',
  },
  spending_not_kept: 'This API key has no policy, and what it spends is not accounted for here.',
  spending_concluded: 'It is already {state}.',
  spending_not_reserved: 'must be what was reserved, {amount}; only schemes other than exact take less',
  spending_differs: 'Another payment was reserved with this id.',
  day_expected: 'must be a day, like 2026-11-18',
  one_value_expected: 'must name at least one of {values:texts}',
  object_expected: 'must be an object with {fields:texts}',
  true_expected: {
    en: 'must be true; leave it out for all',
    ja: 'true にしてください。すべてを求めるなら省いてください',
  },
  page_before_expected: 'must be the value from the previous page',
  feed_cursor_expected: 'must be the id of an event or a previous value of next, or 0',
  purchase_id_expected: 'must be the id of a purchase',
  report_id_expected: 'must be the id of a report',
  service_id_expected: 'must be the id of a service',
  id_or_sentence_expected: 'exactly one of id and q must be given',
  declared_input_expected: 'must be an object, as the service declares it',
  dollars_expected: 'must be an amount of dollars, like 0.01',
  smallest_units_expected: 'must be a whole number, in the smallest units of the asset',
  http_method_expected: 'must be an HTTP method',
  some_of_expected: 'must be some of {values:texts}',
  search_too_deep: {
    en: 'offset + limit must not exceed {max:number}',
    ja: 'offset + limit は{max}までにしてください',
  },
  parameter_unknown: {
    en: 'is not a parameter here (did you mean {nearest}?)',
    ja: 'ここにない引数です。{nearest} のことですか',
  },
  parameter_not_among: worded({ nearest: 'text', known: 'texts' }, ({ nearest, known }) =>
    known.length === 0
      ? 'is not a parameter here; there are none'
      : `is not a parameter here (the nearest is ${nearest}); there are: ${known.join(', ')}`,
  ),
  filter_unknown: worded(
    { filter: 'text', value: 'text', nearest: 'text' },
    ({ filter, value, nearest }) =>
      `The ${filter} ${JSON.stringify(value)} is not known here${nearest === '' ? '.' : `; did you mean ${nearest}?`}`,
    ({ filter, value, nearest }) =>
      `${filter} の ${JSON.stringify(value)} はここにありません。${nearest === '' ? '' : `${nearest} のことですか。`}`,
  ),
  parameter_for_body: 'is not a parameter here; send it in the body',
  parameter_twice: 'is given more than once',
  not_percent_encoded: 'is not valid percent-encoded UTF-8',
  body_cut_off: 'ended before it was complete',
  not_utf8: 'must be valid UTF-8',
  not_json: 'must be valid JSON',
  nested_too_deep: 'must not be nested deeper than {max:number} levels',
  signing_network_expected: {
    en: 'must be an EVM network or Solana',
    ja: 'EVMのネットワークか Solana にしてください',
  },
  given_message_expected: 'must be the message that was issued',
  public_address_expected: {
    en: 'must be a public address. {problem:message}',
    ja: '公開されたアドレスにしてください。{problem}',
  },
  one_or_several_expected: 'must be {what:webhook_filter}, or a list of 1 to {max:number} of them',
  filter_fields_unknown: 'takes only {known:texts}, not {names:texts}',
  filter_expected: 'must be an object with some of {known:texts}',
  event_types_expected: 'must be a list of event types, like service.price_changed',
  event_types_empty: 'must name at least one event type, or be left out for all of them',
  no_price_told: worded(
    { reasons: 'messages' },
    ({ reasons }, tell) =>
      `has no usable price: every payment option ${reasons.map(tell).join(', ') || 'is missing'}`,
  ),
  way_without_asset: 'names no network or asset',
  way_without_amount: 'has no amount in whole atomic units',
  way_in_unknown_asset: 'has the unknown asset {asset} on {network}',

  key_needed: {
    en: 'An API key is required; send it as "Authorization: Bearer <API_KEY>".',
    ja: 'APIキーが必要です。',
  },
  key_unknown: {
    en: 'This directory does not know this API key. Check that you copied all of it.',
    ja: 'このディレクトリのAPIキーではありません。末尾まで正しく写したか確かめてください。',
  },
  key_revoked: {
    en: 'The API key was revoked or has expired; ask the operator for a new one.',
    ja: 'このAPIキーは失効しているか、期限切れです。運営者に新しいキーを求めてください。',
  },
  key_of_operator:
    'This API key was created by the operator, who can revoke it; only keys of wallets are revoked here.',
  key_of_nobody: 'The API key belongs to an address that has no private key.',
  scope_lacking: {
    en: 'This API key may not do that: it lacks the scope "{scope}"; ask the operator for a key that has it.',
    ja: 'このAPIキーには権限「{scope}」がありません。権限のあるキーを運営者に求めてください。',
  },
  allowance_spent: {
    en: 'You may {what:allowance} {perMinute:number} times a minute, with all your keys together; try again in a minute.',
    ja: '{what}できるのは、あなたのすべてのキーを合わせて1分に{perMinute}回までです。1分ほどおいてもう一度お試しください。',
  },
  checks_busy: {
    en: 'Too many requests at the moment; try again in a minute.',
    ja: 'ただいま混み合っています。1分ほどおいてもう一度お試しください。',
  },
  checks_off: {
    en: 'This directory does not probe endpoints, so it cannot check any.',
    ja: 'このディレクトリはエンドポイントに問い合わせないため、確認もできません。',
  },
  requests_spent: {
    en: 'Too many requests. Try again in {seconds:number} s.',
    ja: 'リクエストが多すぎます。{seconds}秒後にもう一度お試しください。',
  },
  answer_too_long: 'The answer is too long. Ask for fewer results with limit.',
  requests_open: 'Too many requests at a time: {most:number} are being answered. Wait for one of them first.',
  service_unknown: {
    en: 'There is no service with the id {id:quoted}.',
    ja: 'ID {id:quoted} のサービスはありません。',
  },
  method_not_possible: '{method} is not possible on {path}. Possible: {possible}.',
  form_type_expected: 'The form must be sent as {type}.',
  form_of_others: {
    en: 'The form did not come from a page of this directory, so nothing was changed. Try again; your browser must accept cookies.',
    ja: 'このフォームはブラウザに渡したページから送られたものではないため、何も行いませんでした。もう一度お試しください。Cookieを受け入れる設定が必要です。',
  },
  action_unknown: {
    en: 'The form has no action known here.',
    ja: 'このフォームでできることではありません。',
  },
  confirmation_expected: { en: 'Tick the box to confirm.', ja: '確認の欄にチェックを入れてください。' },
  operator_key_refused: {
    en: 'This is an operator key, which is too powerful to store in a browser. Use a key with only the scope "register".',
    ja: 'これは運営者のキーで、ブラウザに置くには権限が大きすぎます。権限が「register」だけのキーを使ってください。',
  },
  link_used: {
    en: 'This link works once, within 12 hours. On the server\'s machine, "{command} keys create desk --scope admin" makes a key to sign in with.',
    ja: 'このリンクが使えるのは12時間以内に1回だけです。サーバーで「{command} keys create desk --scope admin」を実行すると、サインイン用のキーを作れます。',
  },
  operating_off: { en: 'This process serves no operators.', ja: 'このプロセスでは運営の操作はできません。' },
  hidden_list_expected: {
    en: 'The list must be JSON, as it is exported.',
    ja: 'リストは書き出したままのJSONにしてください。',
  },
  source_unrecognised: {
    en: 'It is neither another Shirube nor an x402 list, an export or an origin with paid resources.',
    ja: 'ほかのShirube、x402のリスト、エクスポート、有料のリソースがあるサイトのどれでもありません。',
  },
  source_being_read: {
    en: 'The source is being read at this moment. Try again in a minute.',
    ja: 'この取り込み元はいま読み込み中です。1分ほどしてもう一度お試しください。',
  },
  path_unknown: 'There is nothing at this path. See /docs.',
  request_not_json: 'The body must be JSON in UTF-8: send Content-Type: application/json.',
  request_compressed: 'The body must not be compressed.',
  request_too_large: {
    en: 'The body must not be larger than {max:number} bytes.',
    ja: '本文は{max}バイトまでです。',
  },
  streams_open:
    'You have {most:number} event streams open, the maximum for one caller; close one first, or share one stream between readers.',
  origin_foreign:
    'Pages of other origins may not use MCP here; the operator sets the allowed origin with PUBLIC_URL.',
  metrics_off: 'Metrics are switched off here.',
  metrics_local: 'Metrics can only be read from the machine itself.',
  catalog_loading: {
    en: 'The directory is still loading its catalog; try again in a moment.',
    ja: 'ディレクトリはカタログを読み込んでいます。少しおいてもう一度お試しください。',
  },
  history_other:
    '{cursor}: is not a position in the history of this directory; it was restored to an earlier state, or is a different directory. {advice:message}',
  read_changes_anew: 'Read the feed again from since=0, and delete what it does not list.',
  listen_anew:
    'Read the current state from /api/changes?since=0, then listen without Last-Event-ID and after.',
  request_key_reused:
    'This idempotency key was used for another body within the last 24 hours; send a new key with a new body.',
  service_of_others: {
    en: 'This service belongs to another owner. Sign in with the wallet that it is paid to, or ask the operator.',
    ja: 'このサービスはほかの人のものです。支払い先のウォレットでサインインするか、運営者に頼んでください。',
  },
  claim_by_others: {
    en: 'Only the wallet that a service is paid to can claim it.',
    ja: '登録を引き継げるのは、その支払い先のウォレットだけです。',
  },
  sign_in_off: {
    en: 'Wallets cannot sign in here: the directory does not know its public address; its operator sets PUBLIC_URL.',
    ja: 'ここではウォレットでサインインできません。ディレクトリが自分の公開アドレスを知りません（運営者が PUBLIC_URL に書きます）。',
  },
  challenge_unknown: {
    en: 'The message was not issued here, has expired or was already used; request a new one.',
    ja: 'この文はここで渡されたものでないか、期限切れか、使用済みです。新しい文を求めてください。',
  },
  signature_of_others: {
    en: 'The signature is not by {address} for this message.',
    ja: 'この署名は、この文への {address} の署名ではありません。',
  },
  wallet_keys_reached: {
    en: 'This wallet has {most:number} keys already, the maximum. Use one of them, revoke one with DELETE /api/auth/keys/:id, or sign in again with "revokeOthers": true, which revokes them all.',
    ja: 'このウォレットにはもう上限の{most}個のキーがあります。どれかを使うか、DELETE /api/auth/keys/:id で1つ失効させるか、"revokeOthers": true でサインインし直してください（すべて失効します）。',
  },
  reports_spent: {
    en: 'You may send {most:number} reports a day; try again tomorrow.',
    ja: '通報は1日{most}件までです。明日もう一度お試しください。',
  },
  writes_spent: {
    en: 'Wallets may register and change services up to {most:number} times and {megabytes:number} MB a day; try again tomorrow, or ask the operator for a key.',
    ja: 'ウォレットによる登録と変更は1日{most}回、{megabytes} MBまでです。明日試すか、運営者にキーを求めてください。',
  },
  keys_spent: {
    en: 'Wallets may sign in {most:number} times a day from one address; try again tomorrow, or sign in from elsewhere.',
    ja: '1つのアドレスからのサインインは1日{most}回までです。明日試すか、別の場所からサインインしてください。',
  },
  report_unknown: 'There is no open report with the id {id:quoted}.',
  webhooks_off: {
    en: 'This directory sends no webhooks; follow /api/events instead.',
    ja: 'このディレクトリは Webhook を送りません。/api/events を使ってください。',
  },
  webhook_unknown: {
    en: 'You have no webhook with the id {id:quoted}.',
    ja: 'ID {id:quoted} の Webhook はありません。',
  },
  webhooks_spent: {
    en: 'Wallets may create or confirm {most:number} webhooks an hour from one address; try again later.',
    ja: '同じ場所からウォレットが作成または確認できる Webhook は1時間に{most}個までです。後でもう一度お試しください。',
  },
  webhooks_reached: {
    en: 'You have {most:number} webhooks already, the maximum; remove one first.',
    ja: 'Webhook はもう上限の{most}個あります。先に1つ消してください。',
  },
  webhooks_unconfirmed: {
    en: '{most:number} of your webhooks are waiting for their receivers to answer a challenge, the maximum; confirm or remove one first.',
    ja: '受け手の返事を待つ Webhook が上限の{most}個あります。先にどれかの確認を済ませるか、消してください。',
  },
  delivery_postponed: { en: '{why:message} Try again later.', ja: '{why}後でもう一度お試しください。' },
  buyer_key_missing: 'No key is set to pay with: BUYER_KEY_FILE names a file of keys.',
  fault_there: 'Something went wrong in the directory.',
  fault: 'Something went wrong here. Try again, and report it with the X-Request-Id of this response.',

  // The store.
  store_away: {
    en: 'The store cannot be reached right now; try again in a moment.',
    ja: 'データベースに接続できません。少しおいてもう一度お試しください。',
  },
  store_busy: {
    en: 'The store is busy with another writer; try again in a moment.',
    ja: 'データベースはほかの書き込みでふさがっています。少しおいてもう一度お試しください。',
  },
  store_crowded: 'The store cannot take more work right now; try again in a moment.',
  store_full: 'The disk of the store is full; free some space and try again.',
  store_file_read_only:
    'The store can be read but not written; check the permissions of its file and folder.',
  store_read_only: {
    en: 'The store can be read but not written right now; try again in a moment.',
    ja: 'データベースは今、読めますが書けません。少しおいてもう一度お試しください。',
  },
  store_file_failed: 'The store file could not be read or written; check its disk.',
  store_damaged: 'The store is damaged; restore it from a backup.',
  store_file_gone: 'The store file was removed or moved; put it back, or restart with the right one.',
  store_file_replaced:
    'The store file was replaced by another; put the first one back, or restart to use the new one.',
  store_log_gone:
    'The write-ahead log next to the store file was removed or replaced; stop the process, so that it writes the log into the file, and start it again.',
  store_file_unseen: 'The store file cannot be accessed; check its disk, and the permissions of its folder.',
  store_user_refused: 'The store refuses the user or the password of DATABASE_URL; correct them.',
  store_database_missing:
    'The store has no database of the name in DATABASE_URL; create it or correct the name.',
  store_user_not_allowed:
    'The user of DATABASE_URL may not do this in the database; make it the owner of the database.',
  store_closed: 'The store is closed.',
  store_not_empty: 'The target is not empty; name an empty database.',
  backup_exists: 'A file of that name exists and was left as it is; name another.',
  backup_needs_file:
    'Only a database file is copied to a file. Use pg_dump, or `shirube copy <database-url>` to move everything to another database.',

  // Webhook deliveries.
  delivery_received: { en: 'It answered with {status:number}.', ja: '{status} が返りました。' },
  delivery_not_received: {
    en: 'It answered with {status:number}; only a 2xx status counts as received.',
    ja: '{status} が返りました。受け取りのしるしになるのは2xxだけです。',
  },
  delivery_redirected: {
    en: 'It redirects, which is not followed; use the final URL.',
    ja: '転送されますが、転送先には送りません。最終的なアドレスを指定してください。',
  },
  delivery_to_reserved_name: {
    en: '{host} is reserved for examples and tests, so nothing is sent there. Remove this webhook and add one with your own URL.',
    ja: '{host} は例や試験のための名前なので、何も送りません。このWebhookを削除し、実在のURLで追加してください。',
  },
  delivery_refused: {
    en: 'It answered with 410: it wants no more messages.',
    ja: '410 が返りました。これ以上のメッセージは受け取らないという意味です。',
  },
  owner_without_key: {
    en: 'The API key that it belongs to was revoked or has expired.',
    ja: 'このWebhookを作ったAPIキーは、取り消されたか期限が切れています。',
  },
  nothing_delivered: {
    en: 'Nothing has arrived for {days:number} days. Last: {last:message}',
    ja: '{days}日のあいだ何も届いていません。最後の結果：{last}',
  },
  receiver_unconfirmed: {
    en: 'Its receiver has not confirmed. {last:message} Let it answer webhook.challenge with the value of data.challenge, then send a test delivery.',
    ja: '受信側がまだ応答していません。{last}webhook.challenge に data.challenge の値を返すようにしてから、テストを送ってください。',
  },
  messages_in_flight: {
    en: 'Too many messages to {host} are in flight.',
    ja: '{host} へのメッセージをすでに多く送信中です。',
  },
  challenges_spent: {
    en: 'Many challenges were sent to {place} within the hour.',
    ja: 'この1時間に、{place} へ多くのチャレンジを送りました。',
  },
  challenges_spent_by_owner: {
    en: 'Many challenges were sent for your webhooks within the hour.',
    ja: 'この1時間に、あなたのWebhookのために多くのチャレンジを送りました。',
  },
  challenge_answered: { en: 'It answered the challenge.', ja: 'チャレンジに答えました。' },
  challenge_not_answered: {
    en: 'It answered with {status:number}, but not with the value of the challenge.',
    ja: '{status} が返りましたが、チャレンジの値ではありません。',
  },
} as const satisfies Messages
