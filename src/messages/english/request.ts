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
  text_malformed: 'must be well-formed Unicode (it contains a lone surrogate)',
  text_with_control: ({ lines }) =>
    lines
      ? 'must not contain control characters other than newline and tab'
      : 'must not contain control characters',
  text_with_bidi: 'must not contain bidirectional control characters',
  text_with_marks: 'must not contain more than 12 combining marks on one character',
  text_with_invisible: ({ character }) => `must not contain invisible characters (${character})`,
  visible_text_expected: ({ what, max }) => `must be ${VISIBLE_TEXT[what]}: 1 to ${max} visible characters`,
  url_expected: 'must be an absolute http or https URL',
  url_not_absolute: 'must be an absolute http or https URL, like https://api.example.com/v1',
  url_with_space: 'must not contain white space or control characters',
  url_not_valid: 'must be a valid URL, like https://api.example.com/v1',
  url_with_user: 'must not contain a user name or password',
  category_expected: 'must be a category id',
  category_unlike: 'must be a category id, like weather',
  category_malformed:
    'must be a category id: 1 to 64 letters and digits of any script, then also space . _ : / & -',
  price_not_text: 'must be a decimal amount as a string, like "0.001"',
  price_malformed: 'must be a decimal amount like "0.001", with at most 18 digits before and after the point',
  decimal_expected: 'must be a decimal amount, like 0.01',
  count_expected: 'must be a whole number of 0 or more',
  whole_number_between: ({ min, max }) => `must be a whole number from ${min} to ${max}`,
  whole_number_expected: ({ min }) => `must be a whole number of at least ${min}`,
  one_value_expected: ({ values }) => `must name at least one of ${values.join(', ')}`,
  object_expected: ({ fields }) => `must be an object with ${joined('and', fields)}`,
  number_between: ({ min, max }) => `must be a whole number from ${min} to ${max}`,
  true_expected: 'must be true; leave it out for all',
  visible_name_expected: ({ max }) => `must be text of 1 to ${max} visible characters`,
  cursor_expected: 'must be a cursor',
  cursor_of_others:
    'is not a cursor of this directory; begin with an empty one (cursor=), and follow the link to the next page',
  cursor_of_other_query: 'belongs to another query; start again with an empty cursor',
  next_expected: 'must be the value of next on the previous page',
  next_or_zero_expected: 'must be a previous value of next, or 0',
  page_before_expected: 'must be the value from the previous page',
  feed_cursor_expected: 'must be a cursor of this directory, or 0',
  event_id_expected: 'must be the id of an event',
  event_id_or_zero_expected: 'must be the id of an event, or 0',
  purchase_id_expected: 'must be the id of a purchase',
  report_id_expected: 'must be the id of a report',
  service_id_expected: 'must be the id of a service',
  id_or_sentence_expected: 'exactly one of id and q must be given',
  declared_input_expected: 'must be an object, as the service declares it',
  dollars_expected: 'must be an amount of dollars, like 0.01',
  smallest_units_expected: 'must be a whole number, in the smallest units of the asset',
  http_method_expected: 'must be an HTTP method',
  some_of_expected: ({ values }) => `must be some of ${values.join(', ')}`,
  field_names_expected: 'must be a list of names of fields',
  search_too_deep: ({ max }) => `offset + limit must not exceed ${max}`,
  offset_with_cursor: 'cannot be used together with cursor; leave one of them out',
  filter_unknown: ({ filter, value, nearest }) =>
    `The ${filter} ${JSON.stringify(value)} is not known here${nearest === '' ? '.' : `; did you mean ${nearest}?`}`,
  parameter_unknown: ({ nearest }) => `is not a parameter here (did you mean ${nearest}?)`,
  parameter_not_among: ({ nearest, known }) =>
    known.length === 0
      ? 'is not a parameter here; there are none'
      : `is not a parameter here (the nearest is ${nearest}); there are: ${known.join(', ')}`,
  argument_unknown: ({ nearest }) => `is not an argument here (did you mean ${nearest}?)`,
  argument_not_among: ({ known }) =>
    known.length === 0
      ? 'is not an argument here; there are none'
      : `is not an argument here; there are: ${known.join(', ')}`,
  parameter_for_body: 'is not a parameter here; send it in the body',
  parameter_twice: 'is given more than once',
  not_percent_encoded: 'is not valid percent-encoded UTF-8',
  body_cut_off: 'ended before it was complete',
  not_utf8: 'must be valid UTF-8',
  not_json: 'must be valid JSON',
  nested_too_deep: ({ max }) => `must not be nested deeper than ${max} levels`,
  signing_network_expected: 'must be an EVM network or Solana',
  given_message_expected: 'must be the message that was issued',
  public_address_expected: ({ problem }, tell) => `must be a public address. ${tell(problem)}`,
  one_or_several_expected: ({ what, max }) =>
    `must be ${WEBHOOK_FILTER[what]}, or a list of 1 to ${max} of them`,
  filter_fields_unknown: ({ known, names }) => `takes only ${joined('and', known)}, not ${names.join(', ')}`,
  filter_expected: ({ known }) => `must be an object with ${joined('or', known)}`,
  event_types_expected: 'must be a list of event types, like service.price_changed',
  event_types_empty: 'must name at least one event type, or be left out for all of them',
  no_price_told: ({ reasons }, tell) =>
    `has no usable price: every payment option ${reasons.map(tell).join(', ') || 'is missing'}`,
  way_without_asset: 'names no network or asset',
  way_without_amount: 'has no amount in whole atomic units',
  way_in_unknown_asset: ({ asset, network }) => `has the unknown asset ${asset} on ${network}`,

  key_needed: 'An API key is required; send it as "Authorization: Bearer <API_KEY>".',
  key_malformed: 'The API key is malformed; a key has 8 to 128 visible characters.',
  key_unknown: 'The API key is not known here; check that it is complete and sent to the right directory.',
  key_revoked: 'The API key was revoked; ask the operator for a new one.',
  key_expired: 'The API key has expired; ask the operator for a new one.',
  key_of_operator:
    'This API key was created by the operator, who can revoke it; only keys of wallets are revoked here.',
  key_of_nobody: 'The API key belongs to an address that has no private key.',
  scope_lacking: ({ scope }) =>
    `This API key may not do that: it lacks the scope "${scope}"; ask the operator for a key that has it.`,
  allowance_spent: ({ what, perMinute }) =>
    `You may ${ALLOWANCE[what]} ${perMinute} times a minute, with all your keys together; try again in a minute.`,
  checks_busy: 'Too many requests at the moment; try again in a minute.',
  checks_off: 'This directory does not probe endpoints, so it cannot check any.',
  requests_spent: ({ seconds }) => `Too many requests. Try again in ${seconds} s.`,
  answer_too_long:
    'The answer is too long. Ask for fewer results with limit, or for fewer fields with fields.',
  requests_open: ({ most }) =>
    `Too many requests at a time: ${most} are being answered. Wait for one of them first.`,
  payee_unknown: ({ payee }) => `No listed service is paid to ${JSON.stringify(payee)}.`,
  service_unknown: ({ id }) => `There is no service with the id ${JSON.stringify(id)}.`,
  method_not_possible: ({ method, path, possible }) =>
    `${method} is not possible on ${path}. Possible: ${possible}.`,
  action_unknown: 'The form has no action known here.',
  confirmation_expected: 'Tick the box to confirm.',
  form_of_others:
    'The form did not come from a page of this directory, so nothing was changed. Try again; your browser must accept cookies.',
  operator_key_refused:
    'This is an operator key, which is too powerful to store in a browser. Use a key with only the scope "register".',
  form_type_expected: ({ type }) => `The form must be sent as ${type}.`,
  path_unknown: 'There is nothing at this path. See /docs.',
  request_not_json: 'The body must be JSON in UTF-8: send Content-Type: application/json.',
  request_compressed: 'The body must not be compressed.',
  request_too_large: ({ max }) => `The body must not be larger than ${max} bytes.`,
  streams_open: ({ most }) =>
    `You have ${most} event streams and waiting requests open, the maximum for one caller; close one first, or share one stream between readers.`,
  origin_foreign:
    'Pages of other origins may not use MCP here; the operator sets the allowed origin with PUBLIC_URL.',
  metrics_off: 'Metrics are switched off here.',
  metrics_local: 'Metrics can only be read from the machine itself.',
  catalog_loading: 'The directory is still loading its catalog; try again in a moment.',
  history_other: ({ cursor, advice }, tell) =>
    `${cursor}: is not a position in the history of this directory; it was restored to an earlier state, or is a different directory. ${tell(advice)}`,
  begin_with_empty_cursor: 'Start again with an empty cursor.',
  read_changes_anew: 'Read the feed again from since=0, and delete what it does not list.',
  listen_anew:
    'Read the current state from /api/changes?since=0, then listen without Last-Event-ID and after.',
  changed_since: 'The service has changed since; read it again and send its new ETag in If-Match.',
  without_tag: 'Nothing was changed: this has no ETag, so If-Match can only be *.',
  tag_is_there:
    'Nothing was changed: a version that If-None-Match names exists. To change it regardless, leave the header out.',
  request_key_reused:
    'This idempotency key was used for another body within the last 24 hours; send a new key with a new body.',
  service_of_others:
    'This service belongs to another owner. Sign in with the wallet that it is paid to, or ask the operator.',
  claim_by_others: 'Only the wallet that a service is paid to can claim it.',
  sign_in_off:
    'Wallets cannot sign in here: the directory does not know its public address; its operator sets PUBLIC_URL.',
  challenge_unknown: 'The message was not issued here, has expired or was already used; request a new one.',
  signature_of_others: ({ address }) => `The signature is not by ${address} for this message.`,
  wallet_keys_reached: ({ most }) =>
    `This wallet has ${most} keys already, the maximum. Use one of them, revoke one with DELETE /api/auth/keys/{id}, or sign in again with "revokeOthers": true, which revokes them all.`,
  own_key_unknown: 'You have no key with this id to revoke.',
  keys_spent: ({ most }) =>
    `Wallets may sign in ${most} times a day from one address; try again tomorrow, or sign in from elsewhere.`,
  bytes_spent: ({ most }) =>
    `Wallets of one network may write ${most} MB a day; try again tomorrow, or ask the operator for a key.`,
  writes_spent: ({ most }) =>
    `Wallets may register and change services ${most} times a day; try again tomorrow, or ask the operator for a key.`,
  reports_spent: ({ most }) => `You may send ${most} reports a day; try again tomorrow.`,
  reports_waiting:
    'Enough reports of this kind about this service are waiting for the operator; try again when they are resolved.',
  report_unknown: ({ id }) => `There is no open report with the id ${JSON.stringify(id)}.`,
  webhooks_off: 'This directory sends no webhooks; follow /api/events instead.',
  webhook_unknown: ({ id }) => `You have no webhook with the id ${JSON.stringify(id)}.`,
  webhooks_spent: ({ most }) =>
    `Wallets may create ${most} webhooks an hour from one address; try again later.`,
  webhooks_spent_at: ({ most, host }) =>
    `Wallets may create ${most} webhooks an hour at ${host} from one address, until it has confirmed one; try again later.`,
  challenges_spent_at: ({ most, host }) =>
    `Wallets may send ${most} challenges an hour to ${host} from one address; try again later.`,
  webhooks_reached: ({ most }) => `You have ${most} webhooks already, the maximum; remove one first.`,
  webhooks_unconfirmed: ({ most }) =>
    `${most} of your webhooks are waiting for their receivers to answer a challenge, the maximum; confirm or remove one first.`,
  delivery_postponed: ({ why }, tell) => `${tell(why)} Try again later.`,
  buyer_key_missing: 'No key is set to pay with: BUYER_KEY_EVM, BUYER_KEY_SOLANA or BUYER_KEY_FILE.',
  never_probed: 'Samples and reserved names are never probed.',
  host_busy: ({ host }) => `${host} is busy with other probes. Try again in a minute.`,
  fault_there: 'Something went wrong in the directory.',
  fault: 'Something went wrong here. Try again, and report it with the X-Request-Id of this response.',
}
