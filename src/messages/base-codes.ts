// Codes that wrap other messages, and those that the client creates itself.
import type { Shape } from './kinds.ts'

export const BASE_CODES = {
  // A sentence without a code: of older databases, of another directory, or for the operator only.
  text: { text: 'text' },
  several: { messages: 'messages' },
  invalid_field: { path: 'text', problem: 'message', more: 'number' },
  request_key_malformed: {},
  id_unknown: { what: 'resource' },
  key_not_sendable: {},
  answered_status: { url: 'text', status: 'number' },
  directory_unreachable: { url: 'text' },
  not_a_directory: { url: 'text' },
  write_redirected: { url: 'text', to: 'text' },
} as const satisfies Readonly<Record<string, Shape>>
