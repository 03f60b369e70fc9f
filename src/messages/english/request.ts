// Why a request is refused, in English.
import type { PartWords } from '../kinds.ts'
import type { REQUEST_CODES } from '../request-codes.ts'
import type { Words } from '../words.ts'
import { joined } from './phrases.ts'

const VISIBLE_TEXT: PartWords<'visible_text'> = {
  currency_code: 'a currency code',
  wallet_address: 'a wallet address',
  network_name: 'a network name',
  network: 'a network',
  chain: 'a chain',
  asset: 'an asset',
  payment_scheme: 'a payment scheme',
  resource_kind: 'a kind of resource',
  extensions: 'keys of extensions',
  signature: 'a signature',
  transaction: 'a transaction',
  id: 'an id',
}

const WEBHOOK_FILTER: PartWords<'webhook_filter'> = {
  category: 'a category id',
  chain: 'the name of a chain',
  service: 'the id of a service',
}

const ALLOWANCE: PartWords<'allowance'> = {
  check: 'check addresses',
  test_delivery: 'send test deliveries',
  probe: 'have services probed',
}

export const REQUEST: Words<typeof REQUEST_CODES> = {
  required: ({ problem }, tell) => `is required: ${tell(problem)}`,

  not_text: 'must be text',
  not_url_text: 'must be a URL as text',
  not_boolean: 'must be true or false',
  not_json_object: 'must be a JSON object',
  not_payment_object: 'must be an object with paymentAddress and network',
  not_pricing_object: 'must be an object with currency and pricePerRequest',
  not_one_of: ({ values }) => `must be one of ${values.join(', ')}`,
  empty: 'must not be empty',
  text_expected: ({ max }) => `must be text of 1 to ${max} characters`,
  text_blank: ({ max }) => `must be text of 1 to ${max} characters, not empty or blank`,
  text_too_long: ({ max }) => `must have at most ${max} characters`,
  text_malformed: 'must be well-formed Unicode (it holds a lone surrogate)',
  text_with_control: ({ lines }) =>
    lines
      ? 'must not hold control characters other than newline and tab'
      : 'must not hold control characters',
  text_with_bidi: 'must not hold bidirectional control characters',
  text_with_marks: 'must not hold more than 12 combining marks on one character',
  text_with_invisible: ({ character }) => `must not hold invisible characters (${character})`,
  visible_text_expected: ({ what, max }) => `must be ${VISIBLE_TEXT[what]}: 1 to ${max} visible characters`,
  url_expected: 'must be an absolute http or https URL',
  url_not_absolute: 'must be an absolute http or https URL, like https://api.example.com/v1',
  url_with_space: 'must not hold white space or control characters',
  url_not_valid: 'must be a valid URL, like https://api.example.com/v1',
  url_with_user: 'must not hold a user name or password',
  category_expected: 'must be a category id',
  category_unlike: 'must be a category id, like weather',
  category_malformed:
    'must be a category id: 1 to 64 letters and digits of any script, then also space . _ : / & -',
  price_not_text: 'must be a decimal amount as a string, like "0.001"',
  price_malformed: 'must be a decimal amount like "0.001", with at most 18 digits before and after the point',
  decimal_expected: 'must be a decimal amount, like 0.01',
  count_expected: 'must be a whole number of 0 or more',
  whole_number_between: ({ min, max }) => `must be a whole number from ${min} to ${max}`,
  whole_number_expected: ({ min }) => `must be a whole number from ${min}`,
  one_value_expected: ({ values }) => `must name at least one of ${values.join(', ')}`,
  object_expected: ({ fields }) => `must be an object with ${joined('and', fields)}`,
  number_between: ({ min, max }) => `must be a whole number from ${min} to ${max}`,
  true_expected: 'must be true; leave it out for all',
  visible_name_expected: ({ max }) => `must be text of 1 to ${max} visible characters`,
  cursor_expected: 'must be a cursor',
  cursor_of_others: 'is not a cursor of this directory; take it from the link to the next page',
  cursor_of_other_query: 'belongs to another query; begin anew with an empty cursor',
  next_expected: 'must be what next said on the page before',
  next_or_zero_expected: 'must be what next said before, or 0',
  page_before_expected: 'must be what the page before said',
  feed_cursor_expected: 'must be a cursor of this directory, or 0',
  event_id_expected: 'must be the id of an event',
  event_id_or_zero_expected: 'must be the id of an event, or 0',
  purchase_id_expected: 'must be the id of a purchase',
  outcome_id_expected: 'must be the id of an outcome',
  report_id_expected: 'must be the id of a report',
  service_id_expected: 'must be the id of a service',
  id_or_sentence_expected: 'is needed, or a sentence in its place, and not both',
  declared_input_expected: 'must be an object, as the service declares it',
  dollars_expected: 'must be an amount of dollars, like 0.01',
  smallest_units_expected: 'must be a whole number, in the smallest units of the asset',
  http_method_expected: 'must be an HTTP method',
  some_of_expected: ({ values }) => `must be some of ${values.join(', ')}`,
  field_names_expected: 'must be a list of names of fields',
  search_too_deep: ({ max }) => `offset + limit must not exceed ${max}`,
  offset_with_cursor: 'does not go with cursor; leave one of them out',
  parameter_unknown: ({ nearest }) => `is not a parameter here; did you mean ${nearest}?`,
  argument_unknown: ({ nearest }) => `is not an argument here; did you mean ${nearest}?`,
  parameter_for_body: 'is not a parameter here; send it in the body',
  parameter_twice: 'is given more than once',
  not_percent_encoded: 'is not valid percent-encoded UTF-8',
  body_cut_off: 'ended before it was complete',
  not_utf8: 'must be valid UTF-8',
  not_json: 'must be valid JSON',
  nested_too_deep: ({ max }) => `must not be nested deeper than ${max} levels`,
  signing_network_expected: 'must be an EVM network or Solana',
  given_message_expected: 'must be the message that was given',
  public_address_expected: ({ problem }, tell) => `must be a public address. ${tell(problem)}`,
  one_or_several_expected: ({ what, max }) =>
    `must be ${WEBHOOK_FILTER[what]}, or a list of 1 to ${max} of them`,
  filter_fields_unknown: ({ known, names }) => `takes only ${joined('and', known)}, not ${names.join(', ')}`,
  ard_text_needed: ({ known }) => `without a text must be one of ${known.join(', ')}, with one value each`,
  ard_expression_expected: ({ known }) =>
    `must be like metadata.status = 'verified', joined by AND, with ${joined('or', known)}`,
  filter_expected: ({ known }) => `must be an object with ${joined('or', known)}`,
  event_types_expected: 'must be a list of event types, like service.price_changed',
  event_types_empty: 'must name at least one event type, or be left out for all of them',
  no_price_told: ({ reasons }, tell) =>
    `names no price that can be told: every way to pay ${reasons.map(tell).join(', ') || 'is missing'}`,
  way_without_asset: 'names no network or asset',
  way_without_amount: 'has no amount in whole atomic units',
  way_in_unknown_asset: ({ asset, network }) => `has the unknown asset ${asset} on ${network}`,

  key_needed: 'An API key is needed; send it as "Authorization: Bearer <API_KEY>".',
  key_malformed: 'The API key is malformed; a key has 8 to 128 visible characters.',
  key_unknown: 'The API key is not known here; check that it is complete and sent to the right directory.',
  key_revoked: 'The API key was revoked; ask the operator for a new one.',
  key_expired: 'The API key has expired; ask the operator for a new one.',
  key_of_operator: 'The operator made this API key, and ends it; only keys of wallets end like this.',
  key_of_nobody: 'The API key was made for an address that nobody holds the key of.',
  scope_lacking: ({ scope }) =>
    `This API key may not do that: it lacks the scope "${scope}"; ask the operator for a key that has it.`,
  allowance_spent: ({ what, perMinute }) =>
    `You may ${ALLOWANCE[what]} ${perMinute} times a minute, with all your keys together; try again in a minute.`,
  checks_busy: 'Too many are asking just now; try again in a minute.',
  checks_off: 'This directory asks no endpoints, so it checks none.',
  requests_spent: ({ seconds }) => `Too many requests. Ask again in ${seconds} s.`,
  service_unknown: ({ id }) => `There is no service with the id ${JSON.stringify(id)}.`,
  method_not_possible: ({ method, path, possible }) =>
    `${method} is not possible on ${path}. Possible: ${possible}.`,
  action_unknown: 'The form asks for nothing that can be done here.',
  confirmation_expected: 'Tick the box to say that you are sure.',
  form_of_others:
    'The form is not from a page of this directory that your browser was given, so nothing was done. Try again; your browser has to take cookies.',
  operator_key_refused:
    'This key belongs to an operator and opens too much for a browser to keep. Use one with the scope "register" alone.',
  form_type_expected: ({ type }) => `The form must be sent as ${type}.`,
  path_unknown: 'There is nothing at this path. See /docs.',
  request_not_json: 'The body must be JSON in UTF-8: send Content-Type: application/json.',
  request_compressed: 'The body must not be compressed: send it as it is.',
  request_too_large: ({ max }) => `The body must not be larger than ${max} bytes.`,
  streams_open: ({ most }) =>
    `You have ${most} event streams and waiting requests open, which is the most for one caller; close one first, or let several readers share one stream.`,
  origin_foreign:
    'Pages of another origin may not speak MCP here; the operator names the own one with PUBLIC_URL.',
  metrics_off: 'Metrics are switched off here.',
  metrics_local: 'Metrics are readable from the machine itself only.',
  catalog_loading: 'The directory is still loading its catalog; ask again in a moment.',
  history_other: ({ cursor, advice }, tell) =>
    `${cursor}: is not a place in the history of this directory, which was put back to an earlier state, or is another one. ${tell(advice)}`,
  begin_with_empty_cursor: 'Begin anew with an empty cursor.',
  read_changes_anew: 'Read it anew from since=0, and drop what it does not tell.',
  listen_anew:
    'Read the present state from /api/changes?since=0, and listen without Last-Event-ID and after.',
  changed_since: 'The service has changed since; read it again and send its new ETag in If-Match.',
  without_tag: 'Nothing was done: this has no ETag, so that If-Match can only be *.',
  tag_is_there:
    'Nothing was done: what If-None-Match names is there. To change it whatever it is, leave the header out.',
  request_key_reused:
    'This idempotency key was used for another body within the last 24 hours; send a new key with a new body.',
  service_of_others:
    'This service belongs to somebody else. Sign in with the wallet that it pays, or ask the operator.',
  claim_by_others: 'Only the wallet that a service pays can claim it.',
  sign_in_off:
    'Wallets cannot sign in here: the directory does not know its public address; its operator sets PUBLIC_URL.',
  challenge_unknown: 'The message was not given out here, has expired or was used; ask for another one.',
  signature_of_others: ({ address }) => `The signature is not that of ${address} over this message.`,
  wallet_keys_reached: ({ most }) =>
    `This wallet has ${most} keys already, which is the most. Use one of them, revoke one with DELETE /api/auth/keys/{id}, or sign in again with "revokeOthers": true, which ends them all.`,
  own_key_unknown: 'You have no key with this id that could be revoked.',
  keys_spent: ({ most }) =>
    `From one address wallets may sign in ${most} times a day; try again tomorrow, or sign in from elsewhere.`,
  writes_spent: ({ most }) =>
    `Wallets may register and change services ${most} times a day; try again tomorrow, or ask the operator for a key.`,
  reports_spent: ({ most }) => `You may send ${most} reports a day; try again tomorrow.`,
  reports_waiting:
    'Enough reports of this kind about this service wait for the operator; try again when those are resolved.',
  report_unknown: ({ id }) => `There is no open report with the id ${JSON.stringify(id)}.`,
  webhooks_off: 'This directory sends no webhooks; follow /api/events instead.',
  webhook_unknown: ({ id }) => `You have no webhook with the id ${JSON.stringify(id)}.`,
  webhooks_spent: ({ most }) =>
    `From where you are, wallets may make ${most} webhooks an hour; try again later.`,
  webhooks_reached: ({ most }) => `You have ${most} webhooks already, which is the most; remove one first.`,
  webhooks_unconfirmed: ({ most }) =>
    `${most} of your webhooks wait for their receivers to answer a challenge, which is the most; let one be confirmed or remove it first.`,
  delivery_postponed: ({ why }) => `${why} Try again later.`,
  buyer_key_missing: 'No key is set to pay with: BUYER_KEY_EVM, BUYER_KEY_SOLANA or BUYER_KEY_FILE.',
  never_probed: 'Sample entries and reserved names are never probed.',
  host_busy: ({ host }) => `${host} is being asked by others. Try again in a minute.`,
  fault_there: 'Something went wrong in the directory.',
  fault: 'Something went wrong here. Try again, and report it with the X-Request-Id of this answer.',
}
