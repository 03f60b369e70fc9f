// Messages that wrap others, and those that the client creates itself.
import { type Messages, worded } from './kinds.ts'

const THINGS: Readonly<Record<string, string>> = {
  ...{ key: 'キー', source: '取り込み元', collection: 'コレクション', reservation: '予約' },
  ...{ service: 'サービス', report: '通報', webhook: 'Webhook' },
}

export const BASE = {
  // A sentence without a code: of older databases, of another directory, or for the operator only.
  text: { en: '{text}', ja: '{text}' },
  several: { en: '{messages:messages}', ja: '{messages}' },
  invalid_field: worded(
    { path: 'text', problem: 'message', more: 'number' },
    ({ path, problem, more }, tell) =>
      `${path}: ${tell(problem).replace(/\.$/, '')}${more > 0 ? ` (and ${more} more)` : ''}.`,
    ({ path, problem, more }, tell) =>
      `${path}：${tell(problem).replace(/。$/, '')}${more > 0 ? `（ほか${more}件）` : ''}。`,
  ),
  request_key_malformed: 'must be 1 to 255 visible characters',
  id_unknown: worded(
    { what: 'text' },
    ({ what }) => `There is no ${what} with this id.`,
    ({ what }) => `このIDの${THINGS[what] ?? what}はありません。`,
  ),
  key_not_sendable: 'The API key contains characters that no key has.',
  answered_status: '{url} answered {status:number}.',
  directory_unreachable:
    'No directory answers at {url}. Start one with "serve", or give the URL of another (--url or SHIRUBE_URL).',
  not_a_directory: 'The server at {url} is not a directory, or the connection was lost.',
  write_redirected:
    'The server at {url} sends writes on to {to}; nothing was sent there. If that is the directory, use its URL.',
} as const satisfies Messages
