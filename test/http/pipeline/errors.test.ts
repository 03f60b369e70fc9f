import { expect, test } from 'bun:test'
import { PROBLEM_TYPES } from '../../../src/directory/wire.ts'
import { DirectoryError, type ErrorCode } from '../../../src/domain/errors.ts'
import { toProblem } from '../../../src/http/pipeline/answer.ts'
import { say, verbatim } from '../../../src/messages/message.ts'

test.each<[ErrorCode, number, Record<string, string>]>([
  ['invalid_request', 400, {}],
  ['unauthorized', 401, { 'WWW-Authenticate': 'Bearer' }],
  ['forbidden', 403, {}],
  ['not_found', 404, {}],
  ['method_not_allowed', 405, {}],
  ['idempotency_conflict', 409, {}],
  ['body_too_large', 413, {}],
  ['unsupported_media_type', 415, {}],
  ['rate_limited', 429, {}],
  ['not_ready', 503, { 'Retry-After': '1' }],
  ['store_unavailable', 503, { 'Retry-After': '5' }],
])('%s is answered with %p', (code, status, headers) => {
  const answer = toProblem(new DirectoryError(code, say('service_unknown', { id: 'svc_x' })))
  expect(answer.status).toBe(status)
  expect(answer.headers).toMatchObject({ 'Content-Type': 'application/problem+json', ...headers })
  expect(JSON.parse(answer.body as string)).toMatchObject({
    status,
    code,
    detail: 'There is no service with the id "svc_x".',
    detailCode: { code: 'service_unknown', values: { id: 'svc_x' } },
  })
})

test('the message of an internal error is never returned, whatever its type', () => {
  for (const fault of [
    new Error('secret'),
    new DirectoryError('internal', verbatim('secret')),
    'secret',
    undefined,
  ]) {
    const answer = toProblem(fault)
    expect(answer.status).toBe(500)
    expect(answer.body).not.toContain('secret')
  }
})

test('every code has a status and its own title', () => {
  const titles = Object.values(PROBLEM_TYPES).map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
})
