// All errors in the OpenAPI document: a response and an example per code.
import type { ErrorCode } from '../../domain/errors.ts'
import { type Message, say } from '../../messages/message.ts'
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import { PROBLEM_TYPES, problemType } from '../pipeline/errors.ts'
import { COMMON_HEADERS, headerRefs } from './headers.ts'
import { type Json, schemaRef } from './json-schema.ts'

const LIMIT_PROBLEM = say('whole_number_expected', { min: 1 })

const DETAILS: Readonly<Record<ErrorCode, Message>> = {
  invalid_request: say('invalid_field', { path: 'limit', problem: LIMIT_PROBLEM, more: 0 }),
  unauthorized: say('key_needed'),
  forbidden: say('scope_lacking', { scope: 'register' }),
  not_found: say('service_unknown', { id: 'svc_none' }),
  no_terms: say('terms_never_seen'),
  method_not_allowed: say('method_not_possible', {
    method: 'DELETE',
    path: '/api/services',
    possible: 'GET, HEAD, POST, OPTIONS',
  }),
  idempotency_conflict: say('request_key_reused'),
  history_changed: say('history_other', { cursor: 'since', advice: say('read_changes_anew') }),
  hidden: say('hidden_by_operator', { why: 'It poses as another one.' }),
  precondition_failed: say('changed_since'),
  body_too_large: say('request_too_large', { max: 65_536 }),
  unsupported_media_type: say('request_not_json'),
  rate_limited: say('requests_spent', { seconds: 12 }),
  internal: say('fault'),
  not_ready: say('catalog_loading'),
  store_unavailable: say('store_away'),
}

const ERROR_HEADERS: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'WWW-Authenticate',
  method_not_allowed: 'Allow',
  rate_limited: 'Retry-After',
  not_ready: 'Retry-After',
  store_unavailable: 'Retry-After',
}

const forEachError = (describe: (code: ErrorCode) => Json): Json =>
  Object.fromEntries((Object.keys(PROBLEM_TYPES) as ErrorCode[]).map(code => [code, describe(code)]))

/** One response per code, keyed by the code. */
export const createErrorResponses = (): Json =>
  forEachError(code => {
    const special = ERROR_HEADERS[code]
    return {
      description: PROBLEM_TYPES[code].title,
      headers: headerRefs(...COMMON_HEADERS, ...(special ? [special] : [])),
      content: problemContent(code),
    }
  })

export const problemContent = (...codes: readonly ErrorCode[]): Json => ({
  'application/problem+json': {
    schema: schemaRef('Problem'),
    examples: Object.fromEntries(codes.map(code => [code, { $ref: `#/components/examples/${code}` }])),
  },
})

/** One problem per code, keyed by the code. */
export const createErrorExamples = (): Json =>
  forEachError(code => {
    const { status, title } = PROBLEM_TYPES[code]
    return {
      summary: title,
      value: {
        type: problemType(code),
        title,
        status,
        detail: tellInEnglish(DETAILS[code]),
        code,
        detailCode: DETAILS[code],
        ...(code === 'invalid_request' && {
          errors: [{ path: 'limit', message: tellInEnglish(LIMIT_PROBLEM), ...LIMIT_PROBLEM }],
        }),
      },
    }
  })
