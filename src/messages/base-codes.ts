// What says nothing of its own, and all that the client says by itself: what else it tells comes to it in words.
import type { Shape } from './kinds.ts'

export const BASE_CODES = {
  text: { text: 'text' },
  several: { messages: 'messages' },
  invalid_field: { path: 'text', problem: 'message', more: 'number' },
  request_key_malformed: {},
  id_unknown: { what: 'resource' },
  key_not_sendable: {},
  answered_status: { url: 'text', status: 'number' },
  directory_unreachable: { url: 'text' },
  not_a_directory: { url: 'text' },
} as const satisfies Readonly<Record<string, Shape>>
