// Translates errors into responses, in one place: RFC 9457 problem details.

import { DirectoryError, type ErrorCode } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import type { Answer } from './route.ts'

export const PROBLEM_TYPES: Readonly<
  Record<ErrorCode, { status: number; title: string; headers?: Readonly<Record<string, string>> }>
> = {
  invalid_request: { status: 400, title: 'Invalid request' },
  unauthorized: {
    status: 401,
    title: 'API key missing or invalid',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  no_terms: { status: 404, title: 'No payment terms seen yet' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  idempotency_conflict: { status: 409, title: 'Idempotency key used for another request' },
  history_changed: { status: 410, title: 'Cursor no longer valid' },
  hidden: { status: 410, title: 'Hidden by the operator' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Body is not JSON' },
  // The pipeline overrides this with its own allowance.
  rate_limited: { status: 429, title: 'Too many requests', headers: { 'Retry-After': '60' } },
  internal: { status: 500, title: 'Internal error' },
  not_ready: { status: 503, title: 'Not ready', headers: { 'Retry-After': '1' } },
  store_unavailable: { status: 503, title: 'Store unavailable', headers: { 'Retry-After': '5' } },
}

/** The explanation of a code; relative, so that it leads to the directory that responded. */
export const problemType = (code: ErrorCode): string => `/docs#error-${code}`

/** The error as shown to callers: internal faults have no details. */
export const toDirectoryError = (error: unknown): DirectoryError =>
  error instanceof DirectoryError && error.code !== 'internal'
    ? error
    : new DirectoryError('internal', say('fault'))

export function toProblem(error: unknown): Answer {
  const { code, message: detail, said, problems: found } = toDirectoryError(error)
  const { status, title, headers } = PROBLEM_TYPES[code]
  const problems = code === 'invalid_request' ? found : undefined
  return {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...headers },
    body: JSON.stringify({
      type: problemType(code),
      title,
      status,
      detail,
      code,
      detailCode: said,
      ...(problems && { errors: problems.map(({ path, message, said }) => ({ path, message, ...said })) }),
    }),
  }
}
