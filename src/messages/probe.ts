// What probes and checks find.
import { type Messages, worded } from './kinds.ts'

const SEEN = { seen: 'texts', more: 'number' } as const
const BROKEN = { host: 'text', errno: 'code?' } as const

/** What a provider can do, by the status of the refusal. */
const MENDS = {
  401: {
    en: 'Before it asks for a key or a sign-in, its provider has to answer',
    ja: '提供者は、鍵やサインインを求める前に、',
  },
  403: {
    en: 'Its provider has to let requests through that do not name their client, past any firewall or bot check, and answer them',
    ja: '提供者は、名乗らないクライアントのリクエストをファイアウォールやボット対策で止めず、',
  },
  429: {
    en: 'Its provider has to allow a few requests an hour from one address, and answer them',
    ja: '提供者は、1つのアドレスから1時間に数回のリクエストを認め、',
  },
}
const mendOf = (status: number) => MENDS[status === 401 || status === 429 ? status : 403]
const REFUSAL = {
  refused: {
    en: (status: number) =>
      `It refuses a request without payment with ${status}, so its terms could not be read.`,
    ja: (status: number) => `支払いのないリクエストを ${status} で拒否するため、条件を読み取れませんでした。`,
  },
  mend: {
    en: (status: number) => `${mendOf(status).en} with 402, not ${status}.`,
    ja: (status: number) => `${mendOf(status).ja}${status}ではなく402で応答する必要があります。`,
  },
}

const NAMES_TERMS = {
  en: '{namesTerms:flag? The response contains payment terms, but clients only read them from a 402 response.|}',
  ja: '{namesTerms?応答に支払い条件がありますが、クライアントは402のときにしか見ません。|}',
} as const

const itIs = {
  en: (value: string | null) => (value == null ? 'it is missing' : `it is ${value}`),
  ja: (value: string | null) => (value == null ? 'ありません' : `${value} です`),
}

/** What was seen, cut short if there is more. */
const listed = {
  en: ({ seen, more }: Seen) => (more > 0 ? `${seen.join(', ')} and ${more} more` : seen.join(' and ')),
  ja: ({ seen, more }: Seen) => seen.join('、') + (more > 0 ? `、ほか${more}件` : ''),
}
type Seen = { readonly seen: readonly string[]; readonly more: number }

export const PROBE = {
  // The comparison with the listing.
  network_as_registered: {
    en: 'It accepts payment on {network}, as listed.',
    ja: '掲載のネットワーク {network} で支払いを受けます。',
  },
  other_network: worded(
    { ...SEEN, network: 'text' },
    ({ network, ...seen }) =>
      `It accepts payment on ${listed.en(seen)}, not on ${network}, the listed network.`,
    ({ network, ...seen }) =>
      `${listed.ja(seen)} で支払いを受け、掲載のネットワーク ${network} では受けません。`,
  ),
  address_cannot_be_paid: {
    en: 'The listed address cannot be paid. {problem:message}',
    ja: '掲載のアドレスには支払えません。{problem}',
  },
  address_as_registered: {
    en: 'It asks to pay {address}, as listed.',
    ja: '掲載のアドレス {address} への支払いを求めます。',
  },
  other_address: worded(
    { ...SEEN, address: 'text' },
    ({ address, ...seen }) => `It asks to pay ${listed.en(seen)}, not ${address}, the listed address.`,
    ({ address, ...seen }) => `掲載のアドレス ${address} ではなく、${listed.ja(seen)} への支払いを求めます。`,
  ),
  price_as_listed: {
    en: 'It asks for {upTo:flag?up to |}{price} {currency} per request, as listed.',
    ja: '価格は1回 {price} {currency}{upTo? まで| }で、掲載どおりです。',
  },
  other_price: {
    en: 'It asks for {upTo:flag?up to |}{price} {currency} per request; the listing says {listed}.',
    ja: '価格は1回 {price} {currency}{upTo? まで| }です（掲載は {listed}）。',
  },
  asks_more: {
    en: 'It asks for {upTo:flag?up to |}{price} {currency} per request, more than the listed {listed}.',
    ja: '価格は1回 {price} {currency}{upTo? まで| }で、掲載の {listed} を上回ります。',
  },
  asks_more_by_rates: {
    en: 'It also asks for {upTo:flag?up to |}{price} {currency} per request, which is more than the listed {listed}, whatever the exchange rate.',
    ja: '1回 {price} {currency}{upTo? まで| }での支払いも求めますが、どの為替レートでも掲載の {listed} を上回ります。',
  },
  no_comparable_price: worded(
    { ...SEEN, currency: 'text' },
    ({ currency, ...seen }) =>
      `It accepts ${listed.en(seen)}, which cannot be compared with the listed price in ${currency}.`,
    ({ currency, ...seen }) =>
      `支払いは ${listed.ja(seen)} で、掲載された ${currency} の価格と比べられるものがありません。`,
  ),
  chain_unknown: {
    en: '{network} is not a network known to this directory, so payments there cannot be verified.',
    ja: 'このディレクトリでは {network} に対応していないため、そこでの支払いは検証できません。',
  },
  way_unreadable: {
    en: 'A payment option cannot be read. {problems:messages}',
    ja: '支払い方に読めないものがあります。{problems}',
  },
  no_other_payees: {
    en: 'On the listed network it asks to pay the listed address only.',
    ja: '掲載のアドレスに支払えるネットワークで、ほかへの支払いは求めません。',
  },
  other_payees: worded(
    SEEN,
    seen => `Where the listed address can be paid, it also asks to pay ${listed.en(seen)}.`,
    seen => `掲載のアドレスに支払えるネットワークで、${listed.ja(seen)} への支払いも求めます。`,
  ),
  payee_changes: worded(
    SEEN,
    seen =>
      `It asks to pay a different address in every response (dynamicPayTo), such as ${listed.en(seen)}, so the listed address cannot be verified. Add a payment option with a fixed address.`,
    seen =>
      `応答のたびに別のアドレス（${listed.ja(seen)} など）への支払いを求める（dynamicPayTo）ため、掲載のアドレスを証明できません。アドレスが変わらない支払い方を加えてください。`,
  ),
  domain_names_others: {
    en: '{host} publishes a proof for other wallets or services, but not for this one.',
    ja: '{host} は、ほかのウォレットやサービスだけを示しています。',
  },

  // What the endpoint answers.
  answers: { en: 'It responds with status {status:number}.', ja: 'ステータス {status} で応答します。' },
  request_answers_402: { en: 'It answers 402 to {method} {path}.', ja: '{method} {path} に402を返します。' },
  request_without_402: {
    en: `It answered {method} {path} with {status:number}, without asking for payment.${NAMES_TERMS.en}`,
    ja: `{method} {path} に、支払いを求めずに {status} を返しました。${NAMES_TERMS.ja}`,
  },
  redirects_elsewhere: {
    en: 'It answers {status:number} to {method} {path} and redirects to {to}. Terms from another origin are not accepted as proof; register the target of the redirect.',
    ja: '{method} {path} に {status} を返し、{to} に転送します。別のオリジンの条件では検証できません。転送先を登録してください。',
  },
  redirect_unfollowed: {
    en: 'It answers {status:number} to {method} {path} and redirects to {to}, further than probes follow, so it is not known what a client is asked to pay there.',
    ja: '{method} {path} に {status} を返し、確認が追う範囲の先の {to} に転送します。そこで求められる支払いはわかりません。',
  },
  method_not_asked: {
    en: 'It declares the method {method}, which probes do not send, so it is not known what it asks for there.',
    ja: '{method} で呼び出すと示していますが、確認では {method} を送りません。そこで求められる支払いはわかりません。',
  },
  tool_asks: { en: 'Its tool {tool} asks for payment.', ja: 'ツール {tool} が支払いを求めます。' },
  request_was: worded(
    { method: 'text', path: 'text', tool: 'text?' },
    ({ method, path, tool }) => `The request was ${method} ${path}${tool ? `, for the tool ${tool}` : ''}.`,
    ({ method, path, tool }) => `対象のリクエスト：${method} ${path}${tool ? `（ツール ${tool}）` : ''}。`,
  ),
  requests_made: { en: 'Requests sent: {requests:texts}.', ja: '送ったリクエスト：{requests}。' },
  answers_without_402: {
    en: `It answered with {status:number}, without asking for payment.${NAMES_TERMS.en}`,
    ja: `支払いを求めずに {status} を返しました。${NAMES_TERMS.ja}`,
  },
  answers_with_refusal: worded(
    { status: 'number' },
    ({ status }) => `${REFUSAL.refused.en(status)} ${REFUSAL.mend.en(status)}`,
    ({ status }) => `${REFUSAL.refused.ja(status)}${REFUSAL.mend.ja(status)}`,
  ),
  // The two halves apart: for who buys, and for who provides.
  refused_unpaid: worded(
    { status: 'number' },
    ({ status }) => REFUSAL.refused.en(status),
    ({ status }) => REFUSAL.refused.ja(status),
  ),
  refusal_mended_by: worded(
    { status: 'number' },
    ({ status }) => REFUSAL.mend.en(status),
    ({ status }) => REFUSAL.mend.ja(status),
  ),
  answers_from_gateway: {
    en: 'It answers {status:number}: its gateway cannot reach the service.',
    ja: '{status} を返します。手前の中継がサービスに届いていません。',
  },
  sign_in_only: {
    en: 'It asks for a sign-in with a wallet, but for no payment.',
    ja: 'ウォレットでのサインインだけを求め、支払いは求めません。',
  },
  terms_version: {
    en: 'Its payment terms follow x402 version {version:number}.',
    ja: '支払い条件は x402 バージョン{version}の形です。',
  },
  terms_by_mpp: { en: 'It asks for payment by MPP alone.', ja: 'MPPだけで支払いを求めます。' },
  no_terms: worded(
    { otherRails: 'texts' },
    ({ otherRails }) =>
      `It answers 402, but neither a PAYMENT-REQUIRED header nor a JSON body with accepts says how to pay.${otherRails.length > 0 ? ` It offers ${otherRails.join(' and ')} instead.` : ''}`,
    ({ otherRails }) =>
      `402を返しますが、支払い方が PAYMENT-REQUIRED ヘッダーにも accepts を含むJSON本文にもありません。${otherRails.length > 0 ? `代わりに ${otherRails.join('、')} を示しています。` : ''}`,
  ),
  version_unknown: {
    en: 'x402Version must be 1 or 2; it is {version}.',
    ja: 'x402Version は1か2のはずですが、{version} です。',
  },
  bare_requirements: {
    en: 'The payment requirements must be an entry of a list named accepts, next to x402Version.',
    ja: '条件が単独で置かれています。x402Version と並ぶ accepts の一覧に入れてください。',
  },
  no_accepts: {
    en: 'The payment terms have no list named accepts.',
    ja: '支払い条件に accepts の一覧がありません。',
  },
  empty_accepts: {
    en: 'The list accepts is empty, so nothing can be paid.',
    ja: 'accepts の一覧が空で、支払いようがありません。',
  },
  terms_differ: {
    en: 'The PAYMENT-REQUIRED header and the body have different terms.',
    ja: 'PAYMENT-REQUIRED ヘッダーと本文の条件が食い違っています。',
  },
  header_not_base64: {
    en: 'The PAYMENT-REQUIRED header must be base64-encoded JSON; it contains {holds:header_content}.',
    ja: 'PAYMENT-REQUIRED ヘッダーはbase64のJSONのはずですが、{holds}です。',
  },
  header_not_json: {
    en: 'The PAYMENT-REQUIRED header is base64, but does not contain a JSON object.',
    ja: 'PAYMENT-REQUIRED ヘッダーはbase64ですが、中身がJSONオブジェクトではありません。',
  },
  body_not_json: {
    en: 'The response body begins like a JSON object, but not every client can parse it.',
    ja: '応答の本文はJSONオブジェクトのように始まりますが、JSONとして読めないクライアントがあります。',
  },
  version_1_in_header: {
    en: 'Version 1 terms are in the PAYMENT-REQUIRED header; version 1 clients read them from the body.',
    ja: 'バージョン1の条件が PAYMENT-REQUIRED ヘッダーにありますが、バージョン1のクライアントは本文を見ます。',
  },
  version_2_in_body: {
    en: 'Version 2 terms are in the body; version 2 clients read them from the PAYMENT-REQUIRED header.',
    ja: 'バージョン2の条件が本文にありますが、バージョン2のクライアントは PAYMENT-REQUIRED ヘッダーを見ます。',
  },
  version_not_a_number: {
    en: 'x402Version should be the number {version:number}.',
    ja: 'x402Version は数値の {version} にしてください。',
  },
  more_faults: {
    en: 'There are {count:number} more such faults.',
    ja: '同じような誤りがほかに{count}件あります。',
  },
  too_many_ways: {
    en: 'It has {count:number} payment options; more than {most:number} are not accepted, because any of them could pay somebody else.',
    ja: '支払い方が{count}件あります。どれかが誰に払うものかわからないため、{most}件を超えると読みません。',
  },
  key_ambiguous: {
    en: 'The key {key} appears in its terms more than once or in different letter case, so clients may read different values.',
    ja: '条件のキー {key} が二度、または別の文字で書かれていて、クライアントによって読み方が違います。',
  },
  challenge_unreadable: {
    en: 'The MPP challenge {place} in WWW-Authenticate cannot be read: {fault:challenge_fault}.',
    ja: 'WWW-AuthenticateにあるMPPの要求 {place} を読めません。{fault}。',
  },
  entry_not_an_object: {
    en: '{place} must be an object.',
    ja: '{place} はオブジェクトでなければなりません。',
  },
  field_not_text: worded(
    { place: 'text', value: 'text?' },
    ({ place, value }) => `${place} must be text; ${itIs.en(value)}.`,
    ({ place, value }) => `${place} は文字列のはずですが、${itIs.ja(value)}。`,
  ),
  network_ambiguous: {
    en: '{place} is {value}, which clients read as different networks; expected digits, like eip155:8453.',
    ja: '{place} は {value} で、クライアントによって別のネットワークと解釈されます。eip155:8453 のように数字で指定してください。',
  },
  network_not_caip2: worded(
    { place: 'text', value: 'text' },
    ({ place, value }) =>
      `${place} should be a CAIP-2 id such as "eip155:8453" in version 2; ${itIs.en(value)}.`,
    ({ place, value }) =>
      `バージョン2では ${place} を "eip155:8453" のようなCAIP-2のIDにしてください（${itIs.ja(value)}）。`,
  ),
  name_of_other_version: {
    en: '{place} is the name used by the other version; version {version:number} uses {name}.',
    ja: '{place} はもう一方のバージョンの名前です。バージョン{version}では {name} といいます。',
  },
  amount_is_a_number: {
    en: '{place} should be an integer string; it is the number {value:number}.',
    ja: '{place} は整数の文字列にしてください。今は数値の {value} です。',
  },
  amounts_differ: {
    en: '{place} has different values in {names:texts}; each client version reads a different one.',
    ja: '{place} の {names} の値が違います。バージョンによって読むほうが違います。',
  },
  amount_malformed: worded(
    { place: 'text', value: 'text?' },
    ({ place, value }) =>
      `${place} must be an integer string of the asset's smallest units, such as "2500"; ${itIs.en(value)}.`,
    ({ place, value }) =>
      `${place} は "2500" のような最小単位の整数の文字列のはずですが、${itIs.ja(value)}。`,
  ),

  // Errors of the request.
  name_without_address: worded(
    BROKEN,
    'The name {host} has no address.',
    '名前 {host} にはアドレスがありません。',
  ),
  name_unresolved: worded(
    BROKEN,
    'The name {host} could not be resolved.',
    '名前 {host} を解決できませんでした。',
  ),
  name_leads_astray: {
    en: 'The name {host} resolves to an address that cannot be used: {problem:message}',
    ja: '名前 {host} の行き先に問題があります。{problem}',
  },
  headers_too_large: { en: '{host} sent too many headers.', ja: '{host} のヘッダーは読むには大きすぎます。' },
  not_http: worded(
    BROKEN,
    'The response of {host} was not valid HTTP.',
    '{host} の応答は正しいHTTPではありませんでした。',
  ),
  connection_refused: worded(
    BROKEN,
    '{host} did not accept a connection.',
    '{host} は接続を受け付けませんでした。',
  ),
  bad_certificate: {
    en: 'No secure connection to {host}: {certificate:certificate}.',
    ja: '{host} と安全に接続できません。{certificate}。',
  },
  tls_failed: worded(
    BROKEN,
    'No secure connection to {host}: TLS failed.',
    '{host} と安全に接続できませんでした。TLSに失敗しました。',
  ),
  closed_in_answer: worded(
    BROKEN,
    '{host} closed the connection in the middle of the response.',
    '{host} は応答の途中で接続を切りました。',
  ),
  closed_without_answer: worded(
    BROKEN,
    '{host} closed the connection without a response.',
    '{host} は応答せずに接続を切りました。',
  ),
  other_protocol: {
    en: '{host} switched to another protocol without being asked to.',
    ja: '{host} は求めていないプロトコルに切り替えました。',
  },
  connect_timeout: {
    en: '{host} accepted no connection within {seconds:number} s.',
    ja: '{host} は{seconds}秒以内に接続を受け付けませんでした。',
  },
  total_timeout: {
    en: '{host} did not finish its response within {seconds:number} s.',
    ja: '{host} の応答は{seconds}秒たっても終わりませんでした。',
  },
  first_byte_timeout: {
    en: '{host} did not answer within {seconds:number} s.',
    ja: '{host} は{seconds}秒以内に応答しませんでした。',
  },
  body_too_large: {
    en: 'The response body exceeds {kib:number} KiB.',
    ja: '応答の本文が {kib} KiB を超えています。',
  },
  body_undecodable: {
    en: 'The response body cannot be decoded as {coding}.',
    ja: '本文を {coding} として展開できません。',
  },
  too_many_redirects: {
    en: 'It redirects more than {count:number} times.',
    ja: '転送が{count}回を超えます。',
  },
  bad_redirect: {
    en: 'Its redirect cannot be followed. {problem:message}',
    ja: '転送先が正しくありません。{problem}',
  },
  not_a_url: { en: '{text:quoted} is not a URL.', ja: '{text:quoted} はURLではありません。' },
  scheme_not_asked: {
    en: 'URLs with the scheme {scheme} are not requested, only http: and https:.',
    ja: '{scheme} のアドレスには問い合わせません。http: と https: だけです。',
  },
  host_name_too_long: {
    en: 'A host name of {characters:number} characters is too long to be valid.',
    ja: '{characters}文字のホスト名はどこにもつながりません。',
  },
  url_with_password: {
    en: 'A URL with a user name or password is not requested.',
    ja: 'ユーザー名やパスワードを含むURLには問い合わせません。',
  },

  // Addresses that may be requested.
  url_well_formed: {
    en: 'It is a well-formed http or https URL.',
    ja: '正しい形の http または https のURLです。',
  },
  url_malformed: { en: 'It {problem:message}.', ja: '{problem}。' },
  address_may_be_asked: {
    en: 'Requests may be sent to its address.',
    ja: 'このアドレスには問い合わせできます。',
  },
  reserved_name: {
    en: '{host} is reserved for examples and tests, so it is never requested.',
    ja: '{host} は例と試験のための名前なので、問い合わせません。',
  },
  not_a_host_name: {
    en: '{text:quoted} is not a host name.',
    ja: '{text:quoted} はホスト名ではありません。',
  },
  own_machine: {
    en: '{host} is a name for the local machine, which nobody else can reach.',
    ja: '{host} はそのサーバー自身の名前で、ほかからは届きません。',
  },
  not_public: {
    en: '{address} cannot be reached from the internet.',
    ja: '{address} にはインターネットから届きません。',
  },

  // What a check could not compare.
  nothing_given: { en: 'No value was given to compare with.', ja: '比べる値が入力されていません。' },
  check_before_failed: {
    en: 'A previous check failed: “{check:check}”.',
    ja: '先の確認「{check}」に通っていません。',
  },
  nothing_to_compare: {
    en: 'Not compared: the price or its asset is not known.',
    ja: '価格か資産がわからず、比べるものがありません。',
  },
} as const satisfies Messages
