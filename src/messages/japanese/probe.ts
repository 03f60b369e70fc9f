// What probes and checks find, in Japanese.
import type { PartWords } from '../kinds.ts'
import type { PROBE_CODES } from '../probe-codes.ts'
import type { Words } from '../words.ts'
import { listed, quoted } from './phrases.ts'

const CERTIFICATE: PartWords<'certificate'> = {
  expired: '証明書の期限が切れています',
  not_yet_valid: '証明書がまだ有効ではありません',
  self_signed: '証明書が自己署名です',
  self_signed_chain: '証明書の連鎖が自己署名で終わっています',
  incomplete_chain: '証明書の連鎖が欠けています',
  unknown_authority: '証明書の発行者が知られていません',
  other_name: '証明書の名前が違います',
  no_tls: '応答がTLSではありません',
}
const HEADER_CONTENT: PartWords<'header_content'> = { json: 'そのままのJSON', other: '別のもの' }
const BLOCK: PartWords<'address_block'> = {
  this_network: '「このネットワーク」のアドレス',
  private: 'プライベートアドレス',
  carrier: '通信事業者の共有アドレス（CGNAT）',
  loopback: 'ループバックアドレス',
  link_local_metadata: 'クラウドのメタデータがあるリンクローカルアドレス',
  protocol: 'プロトコル割り当て用のアドレス',
  documentation: '文書用のアドレス',
  relay_6to4: '6to4中継のアドレス',
  benchmark: '性能試験用のアドレス',
  multicast: 'マルチキャストアドレス',
  broadcast: 'ブロードキャストアドレス',
  reserved: '予約されたアドレス',
  cloud_metadata: 'クラウドのメタデータのアドレス',
  unspecified: '未指定アドレス',
  loopback_ipv6: 'ループバックアドレス',
  nat64: 'ローカルのNAT64アドレス',
  teredo: 'Teredoトンネルのアドレス',
  tunnel_6to4: '6to4トンネルのアドレス',
  unique_local: 'ユニークローカルアドレス',
  link_local: 'リンクローカルアドレス',
  site_local: 'サイトローカルアドレス',
}
/** What a provider can do, by the status of the refusal. */
const REFUSAL_MENDS: Readonly<Record<number, string>> = {
  401: '提供者は、鍵やサインインを求める前に402で応答する必要があります。',
  403: '提供者は、名乗らないクライアントのリクエストをファイアウォールやボット対策で止めず、402で応答する必要があります。',
  429: '提供者は、1つのアドレスから1時間に数回のリクエストを認め、402で応答する必要があります。',
}

export const CHECK: PartWords<'check'> = {
  url: 'URLが正しい',
  public_address: '公開されたアドレスに届く',
  reachable: '応答がある',
  answers_402: '支払いを求める',
  readable_terms: '条件が読める',
  network: 'ネットワークが一致',
  address: 'アドレスが一致',
  other_payees: 'ほかの支払い先がない',
  price: '価格が一致',
}

const NAMES_TERMS = '応答に支払い条件がありますが、クライアントは402のときにしか見ません。'
const upToText = (upTo: boolean) => (upTo ? ' まで' : ' ')
const itIs = (value: string | null) => (value === null ? 'ありません' : `${value} です`)

const CHALLENGE_FAULT: PartWords<'challenge_fault'> = {
  syntax: 'どのクライアントも同じに読める形ではありません',
  parameters: 'id・realm・method・intentのいずれかがないか、正しくありません',
  request: 'requestが、キーの紛れのないJSONのbase64urlではありません',
  splits: 'splitsが正しくないか、10件を超えるか、額の全部に及びます',
}

export const PROBE: Words<typeof PROBE_CODES> = {
  network_as_registered: ({ network }) => `掲載のネットワーク ${network} で支払いを受けます。`,
  other_network: ({ network, ...seen }) =>
    `${listed(seen)} で支払いを受け、掲載のネットワーク ${network} では受けません。`,
  address_cannot_be_paid: ({ problem }, tell) => `掲載のアドレスには支払えません。${tell(problem)}`,
  address_as_registered: ({ address }) => `掲載のアドレス ${address} への支払いを求めます。`,
  other_address: ({ address, ...seen }) =>
    `掲載のアドレス ${address} ではなく、${listed(seen)} への支払いを求めます。`,
  price_as_listed: ({ price, currency, upTo }) =>
    `価格は1回 ${price} ${currency}${upToText(upTo)}で、掲載どおりです。`,
  other_price: ({ price, currency, upTo, listed }) =>
    `価格は1回 ${price} ${currency}${upToText(upTo)}です（掲載は ${listed}）。`,
  asks_more: ({ price, currency, upTo, listed }) =>
    `価格は1回 ${price} ${currency}${upToText(upTo)}で、掲載の ${listed} を上回ります。`,
  asks_more_by_rates: ({ price, currency, upTo, listed }) =>
    `1回 ${price} ${currency}${upToText(upTo)}での支払いも求めますが、どの為替レートでも掲載の ${listed} を上回ります。`,
  no_comparable_price: ({ currency, ...seen }) =>
    `支払いは ${listed(seen)} で、掲載された ${currency} の価格と比べられるものがありません。`,
  chain_unknown: ({ network }) =>
    `この案内所では ${network} に対応していないため、そこでの支払いは検証できません。`,
  way_unreadable: ({ problems }, tell) =>
    `支払い方に読めないものがあります。${problems.map(problem => tell(problem)).join('')}`,
  no_other_payees: '掲載のアドレスに支払えるネットワークで、ほかへの支払いは求めません。',
  other_payees: seen => `掲載のアドレスに支払えるネットワークで、${listed(seen)} への支払いも求めます。`,
  payee_changes: seen =>
    `応答のたびに別のアドレス（${listed(seen)} など）への支払いを求める（dynamicPayTo）ため、掲載のアドレスを証明できません。アドレスが変わらない支払い方を加えてください。`,
  domain_names_others: ({ host }) => `${host} は、ほかのウォレットやサービスだけを示しています。`,
  answers: ({ status }) => `ステータス ${status} で応答します。`,
  request_answers_402: ({ method, path }) => `${method} ${path} に402を返します。`,
  request_without_402: ({ method, path, status, namesTerms }) =>
    `${method} ${path} に、402ではなく ${status} を返します。${namesTerms ? NAMES_TERMS : ''}`,
  redirects_elsewhere: ({ method, path, status, to }) =>
    `${method} ${path} に ${status} を返し、${to} に転送します。別のオリジンの条件では検証できません。転送先を登録してください。`,
  redirect_unfollowed: ({ method, path, status, to }) =>
    `${method} ${path} に ${status} を返し、確認が追う範囲の先の ${to} に転送します。そこで求められる支払いはわかりません。`,
  request_unanswered: ({ method, path }) =>
    `${method} ${path} に、繰り返し時間内に応答しません。もっと待つクライアントに求められる支払いはわかりません。`,
  request_unreadable: ({ method, path }) =>
    `${method} ${path} への応答が、繰り返しHTTPとして読めません。読めるクライアントに求められる支払いはわかりません。`,
  method_not_asked: ({ method }) =>
    `${method} で呼び出すと示していますが、確認では ${method} を送りません。そこで求められる支払いはわかりません。`,
  addresses_unreached: ({ addresses }) =>
    `同じ名前の ${addresses.join('、')} に接続できませんでした。そこで何が求められるかは見ていません。`,
  tool_asks: ({ tool }) => `ツール ${tool} が支払いを求めます。`,
  request_was: ({ method, path, tool }) =>
    `対象のリクエスト：${method} ${path}${tool === null ? '' : `（ツール ${tool}）`}。`,
  requests_made: ({ requests }) => `送ったリクエスト：${requests.join('、')}。`,
  answers_without_402: ({ status, namesTerms }) =>
    `402ではなく ${status} を返します。${namesTerms ? NAMES_TERMS : ''}`,
  answers_with_refusal: ({ status }) =>
    `支払いのないリクエストを ${status} で拒否するため、条件を読み取れませんでした。${REFUSAL_MENDS[status] ?? REFUSAL_MENDS[403]}`,
  answers_from_gateway: ({ status }) => `${status} を返します。手前の中継がサービスに届いていません。`,
  sign_in_only: 'ウォレットでのサインインだけを求め、支払いは求めません。',
  no_payable_resource: ({ endpoint }) =>
    `/.well-known/x402 にも /openapi.json にも、${endpoint} の下で402を返すものは示されていません。`,
  terms_version: ({ version }) => `支払い条件は x402 バージョン${version}の形です。`,
  terms_by_mpp: 'MPPだけで支払いを求めます。',
  no_terms: ({ otherRails }) =>
    `402を返しますが、支払い方が PAYMENT-REQUIRED ヘッダーにも accepts を含むJSON本文にもありません。${otherRails.length > 0 ? `代わりに ${otherRails.join('、')} を示しています。` : ''}`,
  version_unknown: ({ version }) => `x402Version は1か2のはずですが、${version} です。`,
  bare_requirements: '条件が単独で置かれています。x402Version と並ぶ accepts の一覧に入れてください。',
  no_accepts: '支払い条件に accepts の一覧がありません。',
  empty_accepts: 'accepts の一覧が空で、支払いようがありません。',
  terms_differ: 'PAYMENT-REQUIRED ヘッダーと本文の条件が食い違っています。',
  header_not_base64: ({ holds }) =>
    `PAYMENT-REQUIRED ヘッダーはbase64のJSONのはずですが、${HEADER_CONTENT[holds]}です。`,
  header_not_json: 'PAYMENT-REQUIRED ヘッダーはbase64ですが、中身がJSONオブジェクトではありません。',
  body_not_json:
    '応答の本文はJSONオブジェクトのように始まりますが、JSONとして読めないクライアントがあります。',
  version_1_in_header:
    'バージョン1の条件が PAYMENT-REQUIRED ヘッダーにありますが、バージョン1のクライアントは本文を見ます。',
  version_2_in_body:
    'バージョン2の条件が本文にありますが、バージョン2のクライアントは PAYMENT-REQUIRED ヘッダーを見ます。',
  version_not_a_number: ({ version }) => `x402Version は数値の ${version} にしてください。`,
  more_faults: ({ count }) => `同じような誤りがほかに${count}件あります。`,
  entries_unread: ({ read }) => `accepts は最初の${read}件だけを読みます。`,
  too_many_ways: ({ count, most }) =>
    `支払い方が${count}件あります。どれかが誰に払うものかわからないため、${most}件を超えると読みません。`,
  key_ambiguous: ({ key }) =>
    `条件のキー ${key} が二度、または別の文字で書かれていて、クライアントによって読み方が違います。`,
  challenge_unreadable: ({ place, fault }) =>
    `WWW-AuthenticateにあるMPPの要求 ${place} を読めません。${CHALLENGE_FAULT[fault]}。`,
  entry_not_an_object: ({ place }) => `${place} はオブジェクトでなければなりません。`,
  field_not_text: ({ place, value }) => `${place} は文字列のはずですが、${itIs(value)}。`,
  network_ambiguous: ({ place, value }) =>
    `${place} は ${value} で、クライアントによって別のネットワークと解釈されます。eip155:8453 のように数字で指定してください。`,
  network_not_caip2: ({ place, value }) =>
    `バージョン2では ${place} を "eip155:8453" のようなCAIP-2のIDにしてください（${itIs(value)}）。`,
  name_of_other_version: ({ place, version, name }) =>
    `${place} はもう一方のバージョンの名前です。バージョン${version}では ${name} といいます。`,
  amount_is_a_number: ({ place, value }) =>
    `${place} は整数の文字列にしてください。今は数値の ${value} です。`,
  amounts_differ: ({ place, names }) =>
    `${place} の ${names.join(' と ')} の値が違います。バージョンによって読むほうが違います。`,
  amount_malformed: ({ place, value }) =>
    `${place} は "2500" のような最小単位の整数の文字列のはずですが、${itIs(value)}。`,

  name_without_address: ({ host }) => `名前 ${host} にはアドレスがありません。`,
  name_unresolved: ({ host }) => `名前 ${host} を解決できませんでした。`,
  name_leads_astray: ({ host, problem }, tell) => `名前 ${host} の行き先に問題があります。${tell(problem)}`,
  headers_too_large: ({ host }) => `${host} のヘッダーは読むには大きすぎます。`,
  not_http: ({ host }) => `${host} の応答は正しいHTTPではありませんでした。`,
  connection_refused: ({ host }) => `${host} は接続を受け付けませんでした。`,
  bad_certificate: ({ host, certificate }) => `${host} と安全に接続できません。${CERTIFICATE[certificate]}。`,
  tls_failed: ({ host }) => `${host} と安全に接続できませんでした。TLSに失敗しました。`,
  closed_in_answer: ({ host }) => `${host} は応答の途中で接続を切りました。`,
  closed_without_answer: ({ host }) => `${host} は応答せずに接続を切りました。`,
  other_protocol: ({ host }) => `${host} は求めていないプロトコルに切り替えました。`,
  connect_timeout: ({ host, seconds }) => `${host} は${seconds}秒以内に接続を受け付けませんでした。`,
  total_timeout: ({ host, seconds }) => `${host} の応答は${seconds}秒たっても終わりませんでした。`,
  first_byte_timeout: ({ host, seconds }) => `${host} は${seconds}秒以内に応答しませんでした。`,
  body_too_large: ({ kib }) => `応答の本文が ${kib} KiB を超えています。`,
  body_unfolds_too_large: ({ kib }) => `本文を展開すると ${kib} KiB を超えます。`,
  body_encoded_too_often: ({ count }) => `本文が${count}重に符号化されています。`,
  body_encoding_unknown: ({ coding }) => `本文の符号化 ${coding} は知られていません。`,
  body_encoding_broken: ({ coding }) => `本文が正しい ${coding} ではありません。`,
  too_many_redirects: ({ count }) => `転送が${count}回を超えます。`,
  bad_redirect: ({ problem }, tell) => `転送先が正しくありません。${tell(problem)}`,
  not_a_url: ({ text }) => `${quoted(text)} はURLではありません。`,
  scheme_not_asked: ({ scheme }) => `${scheme} のアドレスには問い合わせません。http: と https: だけです。`,
  host_name_too_long: ({ characters }) => `${characters}文字のホスト名はどこにもつながりません。`,
  url_with_password: 'ユーザー名やパスワードを含むURLには問い合わせません。',

  url_well_formed: '正しい形の http または https のURLです。',
  url_malformed: ({ problem }, tell) => `${tell(problem)}。`,
  address_may_be_asked: 'このアドレスには問い合わせできます。',
  reserved_name: ({ host }) => `${host} は例と試験のための名前なので、問い合わせません。`,
  not_a_host_name: ({ text }) => `${quoted(text)} はホスト名ではありません。`,
  own_machine: ({ host }) => `${host} はそのサーバー自身の名前で、ほかからは届きません。`,
  not_public: ({ address, range }) => `${address} は公開のアドレス空間（${range}）の外です。`,
  unroutable: ({ address, block, range }) =>
    `${address} は${BLOCK[block]}（${range}）なので、公開のサービスには届きません。`,
  unroutable_inside: ({ shownAs, address, block, range }) =>
    `${shownAs} は ${address}、つまり${BLOCK[block]}（${range}）なので、公開のサービスには届きません。`,

  no_network_given: '比べるネットワークが入力されていません。',
  no_address_given: '比べる支払い先アドレスが入力されていません。',
  no_price_given: '比べる価格が入力されていません。',
  check_before_failed: ({ check }) => `先の確認「${CHECK[check]}」に通っていません。`,
  nothing_to_compare: '価格か資産がわからず、比べるものがありません。',
}
