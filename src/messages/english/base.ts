// Messages that wrap others, and those that the client creates itself, in English.
import type { BASE_CODES } from '../base-codes.ts'
import type { Words } from '../words.ts'

export const BASE: Words<typeof BASE_CODES> = {
  text: ({ text }) => text,
  several: ({ messages }, tell) => messages.map(tell).join(' '),
  invalid_field: ({ path, problem, more }, tell) =>
    `${path}: ${tell(problem).replace(/\.$/, '')}${more > 0 ? ` (and ${more} more)` : ''}.`,
  request_key_malformed: 'must be 1 to 255 visible characters',
  id_unknown: ({ what }) => `There is no ${what} with this id.`,
  key_not_sendable: 'The API key contains characters that no key has.',
  answered_status: ({ url, status }) => `${url} answered ${status}.`,
  directory_unreachable: ({ url }) =>
    `No directory answers at ${url}. Start one with "serve", or give the URL of another (--url or SHIRUBE_URL).`,
  write_redirected: ({ url, to }) =>
    `The server at ${url} sends writes on to ${to}; nothing was sent there. If that is the directory, use its URL.`,
  not_a_directory: ({ url }) => `The server at ${url} is not a directory, or the connection was lost.`,
}
