// What probes and checks find.
import type { Shape } from './kinds.ts'

const SEEN = { seen: 'texts', more: 'number' } as const
const REQUEST = { method: 'text', path: 'text' } as const
const ON_HOST = { host: 'text' } as const
const BROKEN = { host: 'text', errno: 'text?' } as const
const TOO_LATE = { host: 'text', seconds: 'number' } as const

export const PROBE_CODES = {
  // The comparison with the listing.
  network_as_registered: { network: 'text' },
  other_network: { ...SEEN, network: 'text' },
  address_cannot_be_paid: { problem: 'message' },
  address_as_registered: { address: 'text' },
  other_address: { ...SEEN, address: 'text' },
  price_as_listed: { price: 'text', currency: 'text', upTo: 'flag' },
  other_price: { price: 'text', currency: 'text', upTo: 'flag', listed: 'text' },
  asks_more: { price: 'text', currency: 'text', upTo: 'flag', listed: 'text' },
  no_comparable_price: { ...SEEN, currency: 'text' },
  chain_unknown: { network: 'text' },
  way_unreadable: { problems: 'messages' },
  no_other_payees: {},
  other_payees: SEEN,
  payee_changes: SEEN,
  domain_names_others: { host: 'text' },
  same_for_customers: {},
  terms_unsteady: {},
  cloaked: { customer: 'number', prober: 'number' },

  // What the endpoint answers.
  answers: { status: 'number' },
  request_answers_402: REQUEST,
  request_without_402: { ...REQUEST, status: 'number', namesTerms: 'flag' },
  redirects_elsewhere: { ...REQUEST, status: 'number', to: 'text' },
  tool_asks: { tool: 'text' },
  requests_made: { requests: 'texts' },
  answers_without_402: { status: 'number', namesTerms: 'flag' },
  answers_with_refusal: { status: 'number' },
  answers_from_gateway: { status: 'number' },
  sign_in_only: {},
  // Only histories have it.
  no_payable_resource: { endpoint: 'text' },
  terms_version: { version: 'number' },
  no_terms: { otherRails: 'texts' },
  version_unknown: { version: 'text' },
  bare_requirements: {},
  no_accepts: {},
  empty_accepts: {},
  terms_differ: {},
  header_not_base64: { holds: 'header_content' },
  header_not_json: {},
  body_not_json: {},
  version_1_in_header: {},
  version_2_in_body: {},
  version_not_a_number: { version: 'number' },
  more_faults: { count: 'number' },
  // Only histories have it.
  entries_unread: { read: 'number' },
  too_many_ways: { count: 'number', most: 'number' },
  key_ambiguous: { key: 'text' },
  entry_not_an_object: { place: 'text' },
  field_not_text: { place: 'text', value: 'text?' },
  network_not_caip2: { place: 'text', value: 'text' },
  name_of_other_version: { place: 'text', version: 'number', name: 'text' },
  amount_is_a_number: { place: 'text', value: 'number' },
  amounts_differ: { place: 'text', names: 'texts' },
  amount_malformed: { place: 'text', value: 'text?' },

  // What went wrong on the way.
  name_without_address: BROKEN,
  name_unresolved: BROKEN,
  name_leads_astray: { host: 'text', problem: 'message' },
  headers_too_large: ON_HOST,
  not_http: BROKEN,
  connection_refused: BROKEN,
  bad_certificate: { host: 'text', certificate: 'certificate' },
  tls_failed: BROKEN,
  closed_in_answer: BROKEN,
  closed_without_answer: BROKEN,
  other_protocol: ON_HOST,
  connect_timeout: TOO_LATE,
  total_timeout: TOO_LATE,
  first_byte_timeout: TOO_LATE,
  body_too_large: { kib: 'number' },
  body_unfolds_too_large: { kib: 'number' },
  body_encoded_too_often: { count: 'number' },
  body_encoding_unknown: { coding: 'text' },
  body_encoding_broken: { coding: 'text', errno: 'text?' },
  too_many_redirects: { count: 'number' },
  bad_redirect: { problem: 'message' },
  not_a_url: { text: 'text' },
  scheme_not_asked: { scheme: 'text' },
  host_name_too_long: { characters: 'number' },
  url_with_password: {},

  // Whom one may ask.
  url_well_formed: {},
  url_malformed: { problem: 'message' },
  address_may_be_asked: {},
  reserved_name: ON_HOST,
  not_a_host_name: { text: 'text' },
  own_machine: ON_HOST,
  not_public: { address: 'text', range: 'text' },
  unroutable: { address: 'text', block: 'address_block', range: 'text' },
  unroutable_inside: { shownAs: 'text', address: 'text', block: 'address_block', range: 'text' },

  // What a check could not compare.
  no_network_given: {},
  no_address_given: {},
  no_price_given: {},
  check_before_failed: { check: 'check' },
  nothing_to_compare: {},
} as const satisfies Readonly<Record<string, Shape>>
