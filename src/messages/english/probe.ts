// What probes and checks find, in English.
import type { Part, PartWords } from '../kinds.ts'
import type { PROBE_CODES } from '../probe-codes.ts'
import type { Words } from '../words.ts'
import { listed, quoted } from './phrases.ts'

const CERTIFICATE: PartWords<'certificate'> = {
  expired: 'its certificate has expired',
  not_yet_valid: 'its certificate is not valid yet',
  self_signed: 'its certificate is self-signed',
  self_signed_chain: 'its certificate chain ends in a self-signed certificate',
  incomplete_chain: 'its certificate chain is incomplete',
  unknown_authority: 'its certificate comes from an unknown authority',
  other_name: 'its certificate is for another name',
  no_tls: 'the server does not use TLS',
}
const HEADER_CONTENT: PartWords<'header_content'> = { json: 'plain JSON', other: 'something else' }
const BLOCK: PartWords<'address_block'> = {
  this_network: 'an address of "this network"',
  private: 'a private address',
  carrier: 'a shared address behind a carrier (CGNAT)',
  loopback: 'a loopback address',
  link_local_metadata: 'a link-local address, where clouds keep their metadata',
  protocol: 'an address for protocol assignments',
  documentation: 'an address for documentation',
  relay_6to4: 'a 6to4 relay address',
  benchmark: 'an address for benchmarks',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
  reserved: 'a reserved address',
  cloud_metadata: 'a cloud metadata address',
  unspecified: 'the unspecified address',
  loopback_ipv6: 'the loopback address',
  nat64: 'a local NAT64 address',
  teredo: 'a Teredo tunnel address',
  tunnel_6to4: 'a 6to4 tunnel address',
  unique_local: 'a unique local address',
  link_local: 'a link-local address',
  site_local: 'a site-local address',
}
/** What a provider can do, by the status of the refusal. */
const REFUSAL_MENDS: Readonly<Record<number, string>> = {
  401: 'Its provider has to answer with 402 before it asks for a key or a sign-in.',
  403: 'Its provider has to let requests through that do not name their client, past any firewall or bot check, and answer them with 402.',
  429: 'Its provider has to allow a few requests an hour from one address, and answer them with 402.',
}

export const CHECK: PartWords<'check'> = {
  url: 'The URL is valid',
  public_address: 'The address is public',
  reachable: 'The endpoint answers',
  answers_402: 'It asks for payment',
  readable_terms: 'Its terms are readable',
  network: 'The network matches',
  address: 'The payment address matches',
  other_payees: 'Nobody else is paid',
  price: 'The price matches',
}

const NAMES_TERMS = ' The response contains payment terms, but clients only read them from a 402 response.'
const upToText = (upTo: boolean) => (upTo ? 'up to ' : '')
const itIs = (value: string | null) => (value === null ? 'it is missing' : `it is ${value}`)
const unreachableBlock = (block: Part<'address_block'>, range: string) =>
  `is ${BLOCK[block]} (${range}), so it cannot be reached from the internet.`

const CHALLENGE_FAULT: PartWords<'challenge_fault'> = {
  syntax: 'it is not a list of parameters that every client reads alike',
  parameters: 'its id, realm, method or intent is missing or malformed',
  request: 'its request is not base64url of JSON with unambiguous keys',
  splits: 'its splits are malformed, more than ten, or as much as the amount',
}

export const PROBE: Words<typeof PROBE_CODES> = {
  network_as_registered: ({ network }) => `It accepts payment on ${network}, as listed.`,
  other_network: ({ network, ...seen }) =>
    `It accepts payment on ${listed(seen)}, not on ${network}, the listed network.`,
  address_cannot_be_paid: ({ problem }, tell) => `The listed address cannot be paid. ${tell(problem)}`,
  address_as_registered: ({ address }) => `It asks to pay ${address}, as listed.`,
  other_address: ({ address, ...seen }) =>
    `It asks to pay ${listed(seen)}, not ${address}, the listed address.`,
  price_as_listed: ({ price, currency, upTo }) =>
    `It asks for ${upToText(upTo)}${price} ${currency} per request, as listed.`,
  other_price: ({ price, currency, upTo, listed }) =>
    `It asks for ${upToText(upTo)}${price} ${currency} per request; the listing says ${listed}.`,
  asks_more: ({ price, currency, upTo, listed }) =>
    `It asks for ${upToText(upTo)}${price} ${currency} per request, more than the listed ${listed}.`,
  asks_more_by_rates: ({ price, currency, upTo, listed }) =>
    `It also asks for ${upToText(upTo)}${price} ${currency} per request, which is more than the listed ${listed} at any rate.`,
  no_comparable_price: ({ currency, ...seen }) =>
    `It accepts ${listed(seen)}, which cannot be compared with the listed price in ${currency}.`,
  chain_unknown: ({ network }) =>
    `${network} is not a network known to this directory, so payments there cannot be verified.`,
  way_unreadable: ({ problems }, tell) =>
    `A payment option cannot be read. ${problems.map(problem => tell(problem)).join(' ')}`,
  no_other_payees: 'On the listed network it asks to pay the listed address only.',
  other_payees: seen => `Where the listed address can be paid, it also asks to pay ${listed(seen)}.`,
  payee_changes: seen =>
    `It asks to pay a different address in every response (dynamicPayTo), such as ${listed(seen)}, so the listed address cannot be verified. Add a payment option with a fixed address.`,
  domain_names_others: ({ host }) =>
    `${host} publishes a proof for other wallets or services, but not for this one.`,
  answers: ({ status }) => `It responds with status ${status}.`,
  request_answers_402: ({ method, path }) => `It answers 402 to ${method} ${path}.`,
  request_without_402: ({ method, path, status, namesTerms }) =>
    `It answers ${status} to ${method} ${path}, where 402 is expected.${namesTerms ? NAMES_TERMS : ''}`,
  redirects_elsewhere: ({ method, path, status, to }) =>
    `It answers ${status} to ${method} ${path} and redirects to ${to}. Terms from another origin are not accepted as proof; register the target of the redirect.`,
  redirect_unfollowed: ({ method, path, status, to }) =>
    `It answers ${status} to ${method} ${path} and redirects to ${to}, further than probes follow, so it is not known what a client is asked to pay there.`,
  request_unanswered: ({ method, path }) =>
    `It repeatedly does not answer ${method} ${path} in time, so it is not known what a client that waits longer is asked to pay.`,
  request_unreadable: ({ method, path }) =>
    `Its response to ${method} ${path} is repeatedly not valid HTTP, so it is not known what a tolerant client is asked to pay.`,
  method_not_asked: ({ method }) =>
    `It declares the method ${method}, which probes do not send, so it is not known what it asks for there.`,
  addresses_unreached: ({ addresses }) =>
    `Its name also resolves to ${addresses.join(', ')}, where no connection could be made, so the terms there were not seen.`,
  tool_asks: ({ tool }) => `Its tool ${tool} asks for payment.`,
  request_was: ({ method, path, tool }) =>
    `The request was ${method} ${path}${tool === null ? '' : `, for the tool ${tool}`}.`,
  requests_made: ({ requests }) => `Requests sent: ${requests.join(', ')}.`,
  answers_without_402: ({ status, namesTerms }) =>
    `It answers ${status} where 402 is expected.${namesTerms ? NAMES_TERMS : ''}`,
  answers_with_refusal: ({ status }) =>
    `It refuses a request without payment with ${status}, so its terms could not be read. ${REFUSAL_MENDS[status] ?? REFUSAL_MENDS[403]}`,
  answers_from_gateway: ({ status }) => `It answers ${status}: its gateway cannot reach the service.`,
  sign_in_only: 'It asks for a sign-in with a wallet, but for no payment.',
  no_payable_resource: ({ endpoint }) =>
    `Neither /.well-known/x402 nor /openapi.json names a resource under ${endpoint} that answers 402 either.`,
  terms_version: ({ version }) => `Its payment terms follow x402 version ${version}.`,
  terms_by_mpp: 'It asks for payment by MPP alone.',
  no_terms: ({ otherRails }) =>
    `It answers 402, but neither a PAYMENT-REQUIRED header nor a JSON body with accepts says how to pay.${otherRails.length > 0 ? ` It offers ${otherRails.join(' and ')} instead.` : ''}`,
  version_unknown: ({ version }) => `x402Version must be 1 or 2; it is ${version}.`,
  bare_requirements:
    'The payment requirements must be an entry of a list named accepts, next to x402Version.',
  no_accepts: 'The payment terms have no list named accepts.',
  empty_accepts: 'The list accepts is empty, so nothing can be paid.',
  terms_differ: 'The PAYMENT-REQUIRED header and the body have different terms.',
  header_not_base64: ({ holds }) =>
    `The PAYMENT-REQUIRED header must be base64-encoded JSON; it contains ${HEADER_CONTENT[holds]}.`,
  header_not_json: 'The PAYMENT-REQUIRED header is base64, but does not contain a JSON object.',
  body_not_json: 'The response body begins like a JSON object, but not every client can parse it.',
  version_1_in_header:
    'Version 1 terms are in the PAYMENT-REQUIRED header; version 1 clients read them from the body.',
  version_2_in_body:
    'Version 2 terms are in the body; version 2 clients read them from the PAYMENT-REQUIRED header.',
  version_not_a_number: ({ version }) => `x402Version should be the number ${version}.`,
  more_faults: ({ count }) => `There are ${count} more such faults.`,
  entries_unread: ({ read }) => `Only the first ${read} entries of accepts are read.`,
  too_many_ways: ({ count, most }) =>
    `It has ${count} payment options; more than ${most} are not accepted, because any of them could pay somebody else.`,
  key_ambiguous: ({ key }) =>
    `The key ${key} appears in its terms more than once or in different letter case, so clients may read different values.`,
  challenge_unreadable: ({ place, fault }) =>
    `The MPP challenge ${place} in WWW-Authenticate cannot be read: ${CHALLENGE_FAULT[fault]}.`,
  entry_not_an_object: ({ place }) => `${place} must be an object.`,
  field_not_text: ({ place, value }) => `${place} must be text; ${itIs(value)}.`,
  network_ambiguous: ({ place, value }) =>
    `${place} is ${value}, which clients read as different networks; expected digits, like eip155:8453.`,
  network_not_caip2: ({ place, value }) =>
    `${place} should be a CAIP-2 id such as "eip155:8453" in version 2; ${itIs(value)}.`,
  name_of_other_version: ({ place, version, name }) =>
    `${place} is the name used by the other version; version ${version} uses ${name}.`,
  amount_is_a_number: ({ place, value }) =>
    `${place} should be an integer string; it is the number ${value}.`,
  amounts_differ: ({ place, names }) =>
    `${place} has ${names.join(' and ')} with different values; each client version reads a different one.`,
  amount_malformed: ({ place, value }) =>
    `${place} must be an integer string of the asset's smallest units, such as "2500"; ${itIs(value)}.`,

  name_without_address: ({ host }) => `The name ${host} has no address.`,
  name_unresolved: ({ host }) => `The name ${host} could not be resolved.`,
  name_leads_astray: ({ host, problem }, tell) =>
    `The name ${host} resolves to an address that cannot be used: ${tell(problem)}`,
  headers_too_large: ({ host }) => `${host} sent too many headers.`,
  not_http: ({ host }) => `The response of ${host} was not valid HTTP.`,
  connection_refused: ({ host }) => `${host} did not accept a connection.`,
  bad_certificate: ({ host, certificate }) => `No secure connection to ${host}: ${CERTIFICATE[certificate]}.`,
  tls_failed: ({ host }) => `No secure connection to ${host}: TLS failed.`,
  closed_in_answer: ({ host }) => `${host} closed the connection in the middle of the response.`,
  closed_without_answer: ({ host }) => `${host} closed the connection without a response.`,
  other_protocol: ({ host }) => `${host} switched to another protocol without being asked to.`,
  connect_timeout: ({ host, seconds }) => `${host} accepted no connection within ${seconds} s.`,
  total_timeout: ({ host, seconds }) => `${host} did not finish its response within ${seconds} s.`,
  first_byte_timeout: ({ host, seconds }) => `${host} did not answer within ${seconds} s.`,
  body_too_large: ({ kib }) => `The response body exceeds ${kib} KiB.`,
  body_unfolds_too_large: ({ kib }) => `The response body decompresses to more than ${kib} KiB.`,
  body_encoded_too_often: ({ count }) => `The response body has ${count} layers of encoding.`,
  body_encoding_unknown: ({ coding }) => `The response body has the unknown encoding ${coding}.`,
  body_encoding_broken: ({ coding }) => `The response body is not valid ${coding}.`,
  too_many_redirects: ({ count }) => `It redirects more than ${count} times.`,
  bad_redirect: ({ problem }, tell) => `Its redirect cannot be followed. ${tell(problem)}`,
  not_a_url: ({ text }) => `${quoted(text)} is not a URL.`,
  scheme_not_asked: ({ scheme }) =>
    `URLs with the scheme ${scheme} are not requested, only http: and https:.`,
  host_name_too_long: ({ characters }) => `A host name of ${characters} characters is too long to be valid.`,
  url_with_password: 'A URL with a user name or password is not requested.',

  url_well_formed: 'It is a well-formed http or https URL.',
  url_malformed: ({ problem }, tell) => `It ${tell(problem)}.`,
  address_may_be_asked: 'Requests may be sent to its address.',
  reserved_name: ({ host }) => `${host} is reserved for examples and tests, so it is never requested.`,
  not_a_host_name: ({ text }) => `${quoted(text)} is not a host name.`,
  own_machine: ({ host }) => `${host} is a name for the local machine, which nobody else can reach.`,
  not_public: ({ address, range }) => `${address} is outside the public address space (${range}).`,
  unroutable: ({ address, block, range }) => `${address} ${unreachableBlock(block, range)}`,
  unroutable_inside: ({ shownAs, address, block, range }) =>
    `${shownAs} stands for ${address}, which ${unreachableBlock(block, range)}`,

  no_network_given: 'No network was given to compare with.',
  no_address_given: 'No payment address was given to compare with.',
  no_price_given: 'No price was given to compare with.',
  check_before_failed: ({ check }) => `A previous check failed: “${CHECK[check]}”.`,
  nothing_to_compare: 'Not compared: the price or its asset is not known.',
}
