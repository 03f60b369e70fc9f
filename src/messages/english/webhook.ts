// Messages about a webhook delivery, in English.
import type { WEBHOOK_CODES } from '../webhook-codes.ts'
import type { Words } from '../words.ts'

const HOW_TO_RESUME = 'Respond to challenges with their value, then send a test delivery.'

export const WEBHOOK: Words<typeof WEBHOOK_CODES> = {
  delivery_received: ({ status }) => `It answered with ${status}.`,
  delivery_not_received: ({ status }) => `It answered with ${status}; only a 2xx status counts as received.`,
  delivery_redirected: 'It redirects, which is not followed; use the final URL.',
  delivery_to_reserved_name: ({ host }) =>
    `${host} is reserved for examples and tests, so nothing is sent there.`,
  owner_without_key: 'The API key that it belongs to was revoked or has expired.',
  delivery_refused: 'It answered with 410: it wants no more messages.',
  nothing_delivered: ({ days, last }, tell) => `Nothing has arrived for ${days} days. Last: ${tell(last)}`,
  receiver_moved: 'Nobody is there any more where it agreed; its name leads to others too.',
  receiver_unconfirmed: ({ last }, tell) => `Its receiver has not confirmed. ${tell(last)} ${HOW_TO_RESUME}`,
  messages_in_flight: ({ host }) => `Too many messages to ${host} are in flight.`,
  challenges_spent: ({ place }) => `Many challenges were sent to ${place} within the hour.`,
  challenges_spent_by_owner: 'Many challenges were sent for your webhooks within the hour.',
  challenge_answered: 'It answered the challenge.',
  challenge_not_answered: ({ status }) =>
    `It answered with ${status}, but not with the value of the challenge.`,
}
