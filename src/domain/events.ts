// Events: what happened to an entry and why. Written in the same transaction as the change.
import type { Message } from '../messages/message.ts'

export const EVENT_TYPES = [
  'registered',
  'updated',
  'status',
  'at_risk',
  'price',
  'pay_to',
  'scheme',
  'schema',
  'purchase',
  'outcome',
  'removed',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export type ServiceEvent = {
  readonly type: EventType
  /** ISO 8601 UTC. */
  readonly at: string
  /** null if the type is sufficient. */
  readonly reason: Message | null
  readonly before: unknown
  readonly after: unknown
}
