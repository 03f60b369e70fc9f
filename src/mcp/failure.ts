// Converts an error of the directory into a result that an agent can act on: what is wrong, and what to do next.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { DirectoryError, type ErrorCode } from '../domain/errors.ts'
import { say } from '../messages/message.ts'
import { stripInvisible } from './untrusted-text.ts'

const NEXT: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'Correct what is named above and call again.',
  unauthorized:
    'This needs an API key, which the operator of the directory creates. Tell your user: the key goes into the header "Authorization: Bearer <key>" of this server, or after "shirube mcp --key". Reading needs none.',
  forbidden: 'Do not call this again with the same key; tell your user.',
  not_found: 'Get ids from find_service or search_services.',
  no_terms:
    'It may be new: its endpoint is probed within minutes. Until then trust its listing less, or choose another service.',
  method_not_allowed: 'Use another tool.',
  idempotency_conflict:
    'Send the first body again to get its response, or use another idempotencyKey for another service.',
  history_changed: 'Start again without a cursor.',
  hidden: 'Do not pay this service; tell your user the reason and find another one.',
  precondition_failed: 'Read the service again before you change it.',
  body_too_large: 'Shorten the texts and call again.',
  unsupported_media_type: 'Tell your user: the request had an unsupported content type.',
  rate_limited: 'Wait a minute before you call again.',
  not_ready: 'Wait a few seconds and call again.',
  store_unavailable: 'Wait a few seconds and call again; if it still fails, tell your user.',
  internal: 'Call again once; if it still fails, tell your user.',
}

/** @param more further lines */
export function toFailure(error: DirectoryError, more: readonly string[] = []): CallToolResult {
  const { code, message, problems } = error
  const found = problems.length > 0 ? problems.map(({ path, message }) => `- ${path}: ${message}`) : [message]
  const text = [`Error (${code}):`, ...found, ...more, `Next: ${nextStep(code)}`].join('\n')
  return { isError: true, content: [{ type: 'text', text: stripInvisible(text) }] }
}

/** A remote directory may send an unknown code. */
const nextStep = (code: ErrorCode): string => (Object.hasOwn(NEXT, code) ? NEXT[code] : NEXT.internal)

/** Internal faults have no details. */
export const FAULT = new DirectoryError('internal', say('fault_there'))
