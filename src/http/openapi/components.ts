// The parts that operations of the OpenAPI document share: schemas, headers, the errors.

import { z } from 'zod'
import { intentAnswerSchema } from '../../domain/answers.ts'
import {
  ardExploreRequestSchema,
  ardExploreSchema,
  ardListSchema,
  ardSearchRequestSchema,
  ardSearchSchema,
} from '../../domain/ard.ts'
import { backingSchema } from '../../domain/backing.ts'
import { bazaarListSchema, bazaarMerchantSchema, bazaarSearchSchema } from '../../domain/bazaar.ts'
import { checkReportSchema, checkRequestSchema } from '../../domain/check.ts'
import { retirementSchema } from '../../domain/edit.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { changesSchema, feedEventSchema } from '../../domain/feed.ts'
import { historySchema } from '../../domain/history.ts'
import { forEachLanguage, LANGUAGE_CODES } from '../../domain/languages/languages.ts'
import { outcomeDraftSchema } from '../../domain/outcomes.ts'
import { outcomeSchema, outcomesSchema } from '../../domain/outcomes-view.ts'
import { ownServicesSchema } from '../../domain/own-services.ts'
import { probingStateSchema } from '../../domain/probes.ts'
import { provenanceSchema } from '../../domain/provenance.ts'
import { purchasesSchema } from '../../domain/purchases-view.ts'
import { reportDraftSchema, reportSchema } from '../../domain/reports.ts'
import { resolutionSchema } from '../../domain/resolve/resolution.ts'
import { draftSchema, serviceSchema } from '../../domain/service.ts'
import {
  challengeRequestSchema,
  challengeSchema,
  createdKeySchema,
  ownKeySchema,
  signedChallengeSchema,
} from '../../domain/sign-in.ts'
import { termsSchema } from '../../domain/terms.ts'
import { trustSchema } from '../../domain/trust.ts'
import { exportDocumentSchema, statusRecordSchema } from '../../domain/views.ts'
import {
  createdWebhookSchema,
  webhookChallengeSchema,
  webhookDraftSchema,
  webhookMessageSchema,
  webhookSchema,
  webhookTestSchema,
} from '../../domain/webhooks.ts'
import { type Message, say } from '../../messages/message.ts'
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import { PROBLEM_TYPES, problemType } from '../pipeline/errors.ts'

export type Json = { readonly [name: string]: unknown }

const SHARED = [
  draftSchema,
  serviceSchema,
  statusRecordSchema,
  historySchema,
  termsSchema,
  trustSchema,
  purchasesSchema,
  outcomesSchema,
  outcomeSchema,
  outcomeDraftSchema,
  provenanceSchema,
  backingSchema,
  reportDraftSchema,
  reportSchema,
  resolutionSchema,
  checkRequestSchema,
  checkReportSchema,
  retirementSchema,
  probingStateSchema,
  challengeRequestSchema,
  challengeSchema,
  signedChallengeSchema,
  ownKeySchema,
  createdKeySchema,
  ownServicesSchema,
  intentAnswerSchema,
  changesSchema,
  feedEventSchema,
  webhookDraftSchema,
  webhookSchema,
  createdWebhookSchema,
  webhookTestSchema,
  webhookChallengeSchema,
  webhookMessageSchema,
  exportDocumentSchema,
  bazaarListSchema,
  bazaarSearchSchema,
  bazaarMerchantSchema,
  ardSearchRequestSchema,
  ardSearchSchema,
  ardExploreRequestSchema,
  ardExploreSchema,
  ardListSchema,
]

export const schemaRef = (id: string): Json => ({ $ref: `#/components/schemas/${id}` })

const text = (description?: string): Json => ({ type: 'string', ...(description && { description }) })
const whole = (description?: string): Json => ({
  type: 'integer',
  minimum: 0,
  ...(description && { description }),
})
const object = (
  properties: Json,
  { title, required = Object.keys(properties) }: { title: string; required?: string[] },
): Json => ({
  title,
  type: 'object',
  properties,
  required,
})

const OWN_SCHEMAS: Json = {
  Category: object(
    {
      id: text('What the category parameter and field take'),
      labels: { type: 'object', properties: forEachLanguage(() => text()), required: [...LANGUAGE_CODES] },
      count: whole('Services in it'),
    },
    { title: 'A category' },
  ),
  Readiness: object(
    {
      state: { type: 'string', enum: ['starting', 'ready', 'degraded'] },
      reason: {
        type: ['string', 'null'],
        description: 'Why the store is away or keeps no writes; null where it does',
      },
      seq: whole('Number of the last write that the catalog shows'),
      services: whole(),
      lagMs: { type: 'number', minimum: 0, description: 'How long the catalog has been behind the store' },
      storeErrors: { type: 'integer', minimum: 0, description: 'How often the store did not answer' },
      probing: {
        anyOf: [schemaRef('Probing'), { type: 'null' }],
        description: 'null where this process takes no part in the rounds of probes',
      },
      snapshot: {
        anyOf: [
          object(
            { seq: whole('Number of the last write in it'), at: { type: 'string', format: 'date-time' } },
            { title: 'A snapshot of the catalog' },
          ),
          { type: 'null' },
        ],
        description: 'The last one that this process read or wrote; null: none yet',
      },
    },
    { title: 'How far the process is' },
  ),
  Problem: object(
    {
      type: { type: 'string', format: 'uri-reference', description: 'Where the code is explained' },
      title: text(),
      status: { type: 'integer' },
      detail: text('What went wrong and what to do, in one sentence'),
      error: text('The same sentence, where clients of x402 lists look for it: on /discovery only'),
      errorCode: text('The code where clients of ARD look for it: on /ard only'),
      message: text('The same sentence, likewise'),
      code: { type: 'string', enum: Object.keys(PROBLEM_TYPES), description: 'Stable: decide by it' },
      detailCode: { ...schemaRef('Message'), description: 'What detail says, for programs' },
      errors: {
        type: 'array',
        description: 'For invalid input: every problem at once',
        items: {
          type: 'object',
          properties: {
            path: text(),
            message: text(),
            code: text('What the message says, for programs; docs/messages.md has all codes'),
            values: { type: 'object', description: 'The values in the message, by name' },
          },
          required: ['path', 'message', 'code', 'values'],
        },
      },
    },
    {
      title: 'What went wrong (RFC 9457)',
      required: ['type', 'title', 'status', 'detail', 'code', 'detailCode'],
    },
  ),
}

/** The shared schemas and all they refer to; what else a process has registered stays out. */
export function createSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: 'input',
    unrepresentable: 'any',
    uri: id => `#/components/schemas/${id}`,
  })
  const found = new Map<string, Json>()
  const visit = (id: string) => {
    if (found.has(id)) return
    const { $schema: _, $id: __, ...schema } = schemas[id] as Json
    found.set(id, schema)
    for (const [, next] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) visit(next!)
  }
  for (const schema of SHARED) visit(schema.meta()!.id!)
  return { ...Object.fromEntries(found), ...OWN_SCHEMAS }
}

const header = (description: string, schema: Json, example?: unknown): Json => ({
  description,
  schema,
  ...(example !== undefined && { example }),
})

export const HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-Id': header('Names this request in the log; one that is sent is kept', text(), '1f0c9a7e-2s'),
  RateLimit: header(
    'What is left of the allowance, and when it is whole again',
    text(),
    '"default";r=5999;t=42',
  ),
  'RateLimit-Policy': header(
    'The allowance: requests in a window of seconds',
    text(),
    '"default";q=6000;w=60',
  ),
  ETag: header('Names these bytes; send it back in If-None-Match', text(), '"2k9x0c1v7qf1"'),
  Link: header(
    'Further pages: first, prev, next, last (RFC 8288); with a cursor first, next, and monitor for what changed meanwhile',
    text(),
    '</api/services?limit=20&offset=20>; rel="next"',
  ),
  'X-Total-Count': header(
    'How many entries there are in all; left out above 10,000 on searches',
    whole(),
    64,
  ),
  'X-Ignored-Fields': header('Fields of the body that were not used', text(), 'id, trustScore'),
  'X-Notice': header(
    'What was accepted but looks wrong: sentences, `%0A` between them; percent-encoded where not ASCII',
    text(),
  ),
  Location: header('Where the new service is', { type: 'string', format: 'uri-reference' }),
  'Retry-After': header('Seconds to wait', whole(), 12),
  'WWW-Authenticate': header('The scheme that is asked for', text(), 'Bearer'),
  Allow: header('The methods that are possible', text(), 'GET, HEAD, OPTIONS'),
}

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

/** On every answer, but for those to who watches the process, which are not counted. */
export const COMMON_HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

const headerRef = (name: string): Json => ({ $ref: `#/components/headers/${name}` })
export const headerRefs = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, headerRef(name)]))

const forEachError = (describe: (code: ErrorCode) => Json): Json =>
  Object.fromEntries((Object.keys(PROBLEM_TYPES) as ErrorCode[]).map(code => [code, describe(code)]))

/** One response per code, under the code's name. */
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

/** One problem per code, under the code's name. */
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
