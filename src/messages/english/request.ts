// Why a request is refused, in English.
import type { PartWords } from '../kinds.ts'
import type { REQUEST_CODES } from '../request-codes.ts'
import type { Words } from '../words.ts'

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
  id: 'an id',
}

const ALLOWANCE: PartWords<'allowance'> = {
  check: 'check addresses',
  test_delivery: 'send test deliveries',
}

export const REQUEST: Words<typeof REQUEST_CODES> = {
  invalid_field: ({ path, problem, more }, tell) =>
    `${path}: ${tell(problem)}${more > 0 ? ` (and ${more} more)` : ''}.`,
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
  text_with_invisible: ({ character }) => `must not hold invisible characters (${character})`,
  visible_text_expected: ({ what, max }) => `must be ${VISIBLE_TEXT[what]}: 1 to ${max} visible characters`,
  request_key_malformed: 'must be 1 to 255 visible characters',
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
  whole_number_expected: ({ min }) => `must be a whole number from ${min}`,

  key_needed: 'An API key is needed; send it as "Authorization: Bearer <API_KEY>".',
  key_malformed: 'The API key is malformed; a key has 8 to 128 visible characters.',
  key_unknown: 'The API key is not known here; check that it is complete and sent to the right directory.',
  key_revoked: 'The API key was revoked; ask the operator for a new one.',
  key_expired: 'The API key has expired; ask the operator for a new one.',
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
  form_type_expected: ({ type }) => `The form must be sent as ${type}.`,
  fault: 'Something went wrong here. Try again, and report it with the X-Request-Id of this answer.',
}
