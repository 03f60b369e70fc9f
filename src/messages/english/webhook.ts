// Messages about a webhook delivery, in English.
import type { WEBHOOK_CODES } from '../webhook-codes.ts'
import type { Words } from '../words.ts'

export const WEBHOOK: Words<typeof WEBHOOK_CODES> = {
  delivery_received: ({ status }) => `It answered with ${status}.`,
  delivery_not_received: ({ status }) => `It answered with ${status}; only a 2xx status counts as received.`,
  delivery_redirected: 'It redirects, which is not followed; use the final URL.',
  delivery_to_reserved_name: ({ host }) =>
    `${host} is reserved for examples and tests, so nothing is sent there.`,
  challenge_answered: 'It answered the challenge.',
  challenge_not_answered: ({ status }) =>
    `It answered with ${status}, but not with the value of the challenge.`,
}
