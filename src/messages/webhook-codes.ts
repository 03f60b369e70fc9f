// Messages about a webhook delivery.
import type { Shape } from './kinds.ts'

export const WEBHOOK_CODES = {
  delivery_received: { status: 'number' },
  delivery_not_received: { status: 'number' },
  delivery_redirected: {},
  delivery_to_reserved_name: { host: 'text' },
  delivery_refused: {},
  owner_without_key: {},
  nothing_delivered: { days: 'number', last: 'message' },
  receiver_moved: {},
  receiver_unconfirmed: { last: 'message' },
  messages_in_flight: { host: 'text' },
  challenges_spent: { place: 'text' },
  challenges_spent_by_owner: {},
  challenge_answered: {},
  challenge_not_answered: { status: 'number' },
} as const satisfies Readonly<Record<string, Shape>>
