// Changes and events of the example service, and its webhooks.
import type { Changes, FeedEvent } from '../../domain/feed.ts'
import { toReason } from '../../domain/message-view.ts'
import type { Webhook } from '../../domain/webhooks.ts'
import { say } from '../../messages/message.ts'
import { serviceExample } from './service.ts'

const TIMELINE = '9f2c41d07be35a68'

export const changesExample: Changes = {
  changes: [
    { seq: 1203, id: serviceExample.id, type: 'upsert', service: serviceExample },
    { seq: 1204, id: 'svc_01k6zq8v5pf3t9m2r7xw4yhd0d', type: 'delete' },
  ],
  next: `1204-${TIMELINE}`,
  caughtUp: true,
}

export const feedEventExample: FeedEvent = {
  number: 512,
  cursor: `512-${TIMELINE}`,
  type: 'service.price_changed',
  serviceId: serviceExample.id,
  seq: 1203,
  at: '2026-02-01T12:00:00.000Z',
  ...toReason(say('edited', { by: 'owner', what: 'price' })),
  before: { amount: '0.002', currency: 'USDC' },
  after: { amount: '0.001', currency: 'USDC' },
}

export const webhookDraftExample = {
  url: 'https://receiver.example.com/shirube',
  events: ['service.price_changed' as const, 'service.removed' as const],
  filter: { category: 'weather', chain: ['base', 'solana'] },
}

export const webhookExample: Webhook = {
  id: 'whk_5f0c9c1b7d5e4b0f9a3e2d1c0b9a8f7e',
  ...webhookDraftExample,
  state: 'active',
  ...{ reason: null, code: null, values: null },
  createdAt: '2026-02-01T12:00:00.000Z',
  confirmedAt: '2026-02-01T12:00:01.500Z',
  lastDeliveredAt: '2026-02-01T12:30:00.000Z',
  failingSince: null,
  nextTryAt: null,
}
