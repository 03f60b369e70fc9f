// What probes and checks find, in English.
import type { Part, PartWords } from '../kinds.ts'
import type { PROBE_CODES } from '../probe-codes.ts'
import type { Words } from '../words.ts'
import { inBrackets, listed, quoted } from './phrases.ts'

const CERTIFICATE: PartWords<'certificate'> = {
  expired: 'its certificate has expired',
  not_yet_valid: 'its certificate is not valid yet',
  self_signed: 'its certificate is self-signed',
  self_signed_chain: 'its certificate chain ends in a self-signed certificate',
  incomplete_chain: 'its certificate chain is incomplete',
  unknown_authority: 'its certificate comes from an unknown authority',
  other_name: 'its certificate is for another name',
  no_tls: 'what answers there does not speak TLS',
}
const HEADER_CONTENT: PartWords<'header_content'> = { json: 'bare JSON', other: 'something else' }
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
export const CHECK: PartWords<'check'> = {
  url: 'The URL is valid',
  public_address: 'The address is public',
  reachable: 'The endpoint answers',
  answers_402: 'It answers 402',
  readable_terms: 'Its terms are readable',
  network: 'The network matches',
  address: 'The payment address matches',
  other_payees: 'Nobody else is paid',
  price: 'The price matches',
  same_for_customers: 'Customers get the same terms',
}

const NAMES_TERMS = ' Its answer names terms of payment, but clients only look for them behind 402.'
const upToText = (upTo: boolean) => (upTo ? 'up to ' : '')
const itIs = (value: string | null) => (value === null ? 'it is missing' : `it is ${value}`)
const unreachableBlock = (block: Part<'address_block'>, range: string) =>
  `is ${BLOCK[block]} (${range}), so no public service can be reached there.`

export const PROBE: Words<typeof PROBE_CODES> = {
  network_as_registered: ({ network }) => `It takes payment on ${network}, the registered network.`,
  other_network: ({ network, ...seen }) =>
    `It takes payment on ${listed(seen)}, not on ${network}, the registered network.`,
  address_cannot_be_paid: ({ problem }, tell) => `The registered address cannot be paid. ${tell(problem)}`,
  address_as_registered: ({ address }) => `It asks to pay ${address}, the registered address.`,
  other_address: ({ address, ...seen }) =>
    `It asks to pay ${listed(seen)}, not ${address}, the registered address.`,
  price_as_listed: ({ price, currency, upTo }) =>
    `It asks for ${upToText(upTo)}${price} ${currency} per request, as listed.`,
  other_price: ({ price, currency, upTo, listed }) =>
    `It asks for ${upToText(upTo)}${price} ${currency} per request; the listing says ${listed}.`,
  asks_more: ({ price, currency, upTo, listed }) =>
    `It asks for ${upToText(upTo)}${price} ${currency} per request, more than the listed ${listed}.`,
  asks_more_by_rates: ({ price, currency, upTo, listed }) =>
    `It also asks for ${upToText(upTo)}${price} ${currency} per request, which is more than the listed ${listed} at any rate.`,
  no_comparable_price: ({ currency, ...seen }) =>
    `It takes ${listed(seen)}; none of that can be compared with the listed price in ${currency}.`,
  chain_unknown: ({ network }) =>
    `${network} is not among the chains known here, so nothing that is paid there can be proved.`,
  way_unreadable: ({ problems }, tell) =>
    `A way to pay cannot be read. ${problems.map(problem => tell(problem)).join(' ')}`,
  no_other_payees: 'On the registered network it asks to pay the registered address only.',
  other_payees: seen => `Where the registered address can be paid, it also asks to pay ${listed(seen)}.`,
  payee_changes: seen =>
    `It asks to pay another address in every answer (dynamicPayTo), such as ${listed(seen)}: no registered address can be proved.`,
  domain_names_others: ({ host }) => `${host} speaks for other wallets or services, and not for this one.`,
  same_for_customers: 'An anonymous client gets the same terms.',
  terms_unsteady: 'Its terms change from one answer to the next, whoever asks.',
  cloaked: ({ customer, prober }) =>
    customer === prober
      ? 'A client that does not say who it is gets other terms than the prober.'
      : `A client that does not say who it is gets ${customer} where the prober gets ${prober}.`,

  answers: ({ status }) => `It answers ${status}.`,
  request_answers_402: ({ method, path }) => `It answers 402 to ${method} ${path}.`,
  request_without_402: ({ method, path, status, namesTerms }) =>
    `It answers ${status} to ${method} ${path}, where 402 is expected.${namesTerms ? NAMES_TERMS : ''}`,
  redirects_elsewhere: ({ method, path, status, to }) =>
    `It answers ${status} to ${method} ${path} and leads to ${to}; terms of another origin prove nothing here. Register where it leads to.`,
  redirect_unfollowed: ({ method, path, status, to }) =>
    `It answers ${status} to ${method} ${path} and leads on to ${to}, further than probes follow: what a client is asked to pay there is not known.`,
  request_unanswered: ({ method, path }) =>
    `It does not answer ${method} ${path} in time, again: what a client that waits longer is asked to pay is not known.`,
  request_unreadable: ({ method, path }) =>
    `What it answers to ${method} ${path} cannot be read as HTTP, again: what a client that reads it is asked to pay is not known.`,
  method_not_asked: ({ method }) =>
    `It declares that it is called by ${method}, which no probe sends: what it asks there is not known.`,
  addresses_unreached: ({ addresses }) =>
    `No connection could be made to ${addresses.join(', ')}, where its name leads too: what is asked there was not seen.`,
  tool_asks: ({ tool }) => `Its tool ${tool} asks for payment.`,
  request_was: ({ method, path, tool }) =>
    `The request was ${method} ${path}${tool === null ? '' : `, for the tool ${tool}`}.`,
  requests_made: ({ requests }) => `Asked were ${requests.join(', ')}.`,
  answers_without_402: ({ status, namesTerms }) =>
    `It answers ${status} where 402 is expected.${namesTerms ? NAMES_TERMS : ''}`,
  answers_with_refusal: ({ status }) =>
    `It answers ${status} to a request without payment, so nothing could be found out.`,
  answers_from_gateway: ({ status }) =>
    `It answers ${status}: what stands in front of the service cannot reach it.`,
  sign_in_only: 'It asks to sign in with a wallet, and for no payment.',
  no_payable_resource: ({ endpoint }) =>
    `Neither /.well-known/x402 nor /openapi.json names a resource under ${endpoint} that answers 402 either.`,
  terms_version: ({ version }) => `Its payment terms follow x402 version ${version}.`,
  no_terms: ({ otherRails }) =>
    `It answers 402, but neither a PAYMENT-REQUIRED header nor a JSON body with accepts says how to pay.${otherRails.length > 0 ? ` It offers ${otherRails.join(' and ')} instead.` : ''}`,
  version_unknown: ({ version }) => `x402Version must be 1 or 2; it is ${version}.`,
  bare_requirements:
    'The requirements stand alone; they must be an entry of a list named accepts, beside x402Version.',
  no_accepts: 'The terms of payment have no list named accepts.',
  empty_accepts: 'The list accepts is empty: nothing can be paid.',
  terms_differ: 'The PAYMENT-REQUIRED header and the body name different terms.',
  header_not_base64: ({ holds }) =>
    `The PAYMENT-REQUIRED header must be JSON in base64; it holds ${HEADER_CONTENT[holds]}.`,
  header_not_json: 'The PAYMENT-REQUIRED header is base64, but not of a JSON object.',
  body_not_json: 'The body of its answer begins like a JSON object, but not every client can read it as one.',
  version_1_in_header:
    'Terms of version 1 stand in the PAYMENT-REQUIRED header; clients of version 1 look in the body.',
  version_2_in_body:
    'Terms of version 2 stand in the body; clients of version 2 look in the PAYMENT-REQUIRED header.',
  version_not_a_number: ({ version }) => `x402Version should be the number ${version}.`,
  more_faults: ({ count }) => `There are ${count} more such faults.`,
  entries_unread: ({ read }) => `Only the first ${read} entries of accepts are read.`,
  too_many_ways: ({ count, most }) =>
    `It names ${count} ways to pay; more than ${most} are not read, because one among them may pay anybody.`,
  key_ambiguous: ({ key }) =>
    `The key ${key} of its terms is written twice or in other letters, so that not every client reads the same.`,
  entry_not_an_object: ({ place }) => `${place} must be an object.`,
  field_not_text: ({ place, value }) => `${place} must be text; ${itIs(value)}.`,
  network_not_caip2: ({ place, value }) =>
    `${place} should be a CAIP-2 id such as "eip155:8453" in version 2; ${itIs(value)}.`,
  name_of_other_version: ({ place, version, name }) =>
    `${place} is the name of the other version; version ${version} says ${name}.`,
  amount_is_a_number: ({ place, value }) =>
    `${place} should be an integer string; it is the number ${value}.`,
  amounts_differ: ({ place, names }) =>
    `${place} has ${names.join(' and ')} with different values; clients of each version read another one.`,
  amount_malformed: ({ place, value }) =>
    `${place} must be an integer string of the asset's smallest units, such as "2500"; ${itIs(value)}.`,

  name_without_address: ({ host, errno }) => `The name ${host} has no address${inBrackets(errno)}.`,
  name_unresolved: ({ host, errno }) =>
    `The name ${host} could not be resolved just now${inBrackets(errno)}.`,
  name_leads_astray: ({ host, problem }, tell) => `The name ${host} leads astray: ${tell(problem)}`,
  headers_too_large: ({ host }) => `${host} sent more headers than anybody should have to read.`,
  not_http: ({ host, errno }) => `What ${host} answered is not well-formed HTTP${inBrackets(errno)}.`,
  connection_refused: ({ host, errno }) => `${host} does not accept connections${inBrackets(errno)}.`,
  bad_certificate: ({ host, certificate }) => `No secure connection to ${host}: ${CERTIFICATE[certificate]}.`,
  tls_failed: ({ host, errno }) => `No secure connection to ${host}: TLS failed${inBrackets(errno)}.`,
  closed_in_answer: ({ host, errno }) =>
    `${host} closed the connection in the middle of its answer${inBrackets(errno)}.`,
  closed_without_answer: ({ host, errno }) =>
    `${host} closed the connection without an answer${inBrackets(errno)}.`,
  other_protocol: ({ host }) => `${host} switched to another protocol unasked.`,
  connect_timeout: ({ host, seconds }) => `${host} took no connection within ${seconds} s.`,
  total_timeout: ({ host, seconds }) => `${host} had not finished answering after ${seconds} s.`,
  first_byte_timeout: ({ host, seconds }) => `${host} did not answer within ${seconds} s.`,
  body_too_large: ({ kib }) => `The body of its answer exceeds ${kib} KiB.`,
  body_unfolds_too_large: ({ kib }) => `The body unfolds to more than ${kib} KiB.`,
  body_encoded_too_often: ({ count }) => `The body is encoded ${count} times over.`,
  body_encoding_unknown: ({ coding }) => `The body has the unknown encoding ${coding}.`,
  body_encoding_broken: ({ coding, errno }) => `The body is not valid ${coding} (${errno ?? 'broken'}).`,
  too_many_redirects: ({ count }) => `It redirects more than ${count} times.`,
  bad_redirect: ({ problem }, tell) => `It redirects badly. ${tell(problem)}`,
  not_a_url: ({ text }) => `${quoted(text)} is not a URL.`,
  scheme_not_asked: ({ scheme }) => `Addresses of ${scheme} are not asked, only those of http: and https:.`,
  host_name_too_long: ({ characters }) => `A host name of ${characters} characters leads nowhere.`,
  url_with_password: 'A URL that holds a user name or password is not asked.',

  url_well_formed: 'It is a well-formed http or https URL.',
  url_malformed: ({ problem }, tell) => `It ${tell(problem)}.`,
  address_may_be_asked: 'Requests may be sent to its address.',
  reserved_name: ({ host }) => `${host} is reserved for examples and tests, so it is never asked.`,
  not_a_host_name: ({ text }) => `${quoted(text)} is not a host name.`,
  own_machine: ({ host }) => `${host} is a name for the machine itself, which nobody else can reach.`,
  not_public: ({ address, range }) => `${address} is outside the public address space (${range}).`,
  unroutable: ({ address, block, range }) => `${address} ${unreachableBlock(block, range)}`,
  unroutable_inside: ({ shownAs, address, block, range }) =>
    `${shownAs} stands for ${address}, which ${unreachableBlock(block, range)}`,

  no_network_given: 'No network was given to compare with.',
  no_address_given: 'No payment address was given to compare with.',
  no_price_given: 'No price was given to compare with.',
  check_before_failed: ({ check }) => `The check before it failed: “${CHECK[check]}”.`,
  nothing_to_compare: 'There is nothing to compare: the price or its asset is not known.',
}
