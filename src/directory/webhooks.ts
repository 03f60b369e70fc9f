// Webhooks of an owner: create, list, test and remove.
import { z } from 'zod'
import { createAllowance, DirectoryError } from '../domain/errors.ts'
import { blockOf } from '../domain/hosts/endpoint.ts'
import { toDetail } from '../domain/problems.ts'
import {
  type CreatedWebhook,
  createdWebhookSchema,
  MAX_UNCONFIRMED,
  MAX_WEBHOOKS,
  readWebhookDraft,
  toWebhook,
  type Webhook,
  type WebhookRecord,
  type WebhookTest,
  webhookDraftSchema,
  webhookSchema,
  webhookTestSchema,
} from '../domain/webhooks.ts'
import { say } from '../messages/message.ts'
import { BUDGET_WINDOW_MS, createChallenge, createSecret, createTestMessage } from '../webhooks/message.ts'
import { type Attempt, Postponed, type Sender } from '../webhooks/send.ts'
import type { By, ByFrom, OperationDeps, WithIgnored, Work } from './deps.ts'
import { IDS, webhookDraftExample } from './examples.ts'
import type { Caller } from './keys.ts'
import type { Operation } from './operation.ts'

/** Webhooks belong to a key, or to the wallet of several keys. Each @throws DirectoryError `unauthorized`, `forbidden` */
export interface Webhooks {
  /**
   * It receives events from now on, as soon as its receiver has answered a challenge; its secret is returned only this once.
   * @throws DirectoryError `invalid_request`, `rate_limited`
   */
  createWebhook(body: unknown, by: ByFrom): Promise<WithIgnored<{ readonly webhook: CreatedWebhook }>>
  /** The webhooks of the caller, oldest first. */
  listWebhooks(by: By): Promise<Webhook[]>
  /** @throws DirectoryError `not_found` */
  removeWebhook(id: string, by: By): Promise<void>
  /**
   * Sends a test message now, or a challenge to a receiver that has not confirmed. If it succeeds, a webhook that was unconfirmed,
   * failing or disabled continues where it stopped.
   * @throws DirectoryError `not_found`, `rate_limited`
   */
  testWebhook(id: string, by: ByFrom): Promise<WebhookTest>
}

const ID = { what: 'webhook', example: IDS.webhook }

export const WEBHOOK_OPERATIONS = {
  listWebhooks: {
    id: 'listWebhooks',
    tag: 'webhooks',
    summary: 'List your webhooks with their state',
    description: 'Webhooks of the account of this key, with the last delivery and failures, without secrets.',
    answer: 'Your webhooks, by age',
    result: z.array(webhookSchema),
  },
  createWebhook: {
    id: 'createWebhook',
    tag: 'webhooks',
    summary: 'Create a webhook for events',
    description:
      'The receiver first gets a challenge, one second later, and nothing else until it returns its value; without a response the webhook is disabled. Messages are signed by the Standard Webhooks convention with the secret, which only this response contains. Events from now on are delivered at least once, in order, and retried for five days.',
    body: { schema: webhookDraftSchema, example: webhookDraftExample },
    answer: 'The webhook with its secret',
    result: createdWebhookSchema,
  },
  removeWebhook: {
    id: 'removeWebhook',
    tag: 'webhooks',
    summary: 'Remove a webhook',
    description: 'Nothing more is sent to it; a delivery in flight may still arrive.',
    of: ID,
    answer: 'Removed',
  },
  testWebhook: {
    id: 'testWebhook',
    tag: 'webhooks',
    summary: 'Send a test delivery',
    description:
      'Sends a signed message of the type webhook.test now, or a challenge to an unconfirmed receiver, and returns the result. If it is delivered, a webhook that was unconfirmed, failing or disabled continues where it stopped.',
    of: ID,
    answer: 'The result of the delivery',
    result: webhookTestSchema,
  },
} satisfies Readonly<Record<keyof Webhooks, Operation>>

const TESTS_PER_MINUTE = 10
/** Challenges that wallets at one network cause in an hour, by new webhooks and by tests. */
export const MAX_FROM_ONE_NETWORK = 20

const BOUNDS = { most: MAX_WEBHOOKS, mostUnconfirmed: MAX_UNCONFIRMED }
const REACHED = {
  most: say('webhooks_reached', { most: MAX_WEBHOOKS }),
  mostUnconfirmed: say('webhooks_unconfirmed', { most: MAX_UNCONFIRMED }),
}

export function createWebhooks({ store, clock, draftPolicy, send }: OperationDeps): Work<Webhooks> {
  const takeTest = createAllowance(TESTS_PER_MINUTE, 'test_delivery')

  function sender(): Sender {
    if (send) return send
    throw new DirectoryError('forbidden', say('webhooks_off'))
  }

  async function find(id: string, caller: Caller): Promise<WebhookRecord> {
    const webhook = await store.webhooks.find(id)
    if (webhook && (webhook.owner === caller.owner || caller.scopes.includes('admin'))) return webhook
    // Neither the owner nor the existence of a webhook is revealed to other callers.
    throw new DirectoryError('not_found', say('webhook_unknown', { id: id.slice(0, 64) }))
  }

  async function spendChallenge({ wallet }: Caller, from: string | undefined): Promise<void> {
    if (wallet === null || from === undefined) return
    const most = MAX_FROM_ONE_NETWORK
    const budget = { name: `challenges from ${blockOf(from)}`, most }
    if (await store.budgets.take([budget], clock.now(), BUDGET_WINDOW_MS))
      throw new DirectoryError('rate_limited', say('webhooks_spent', { most }))
  }

  async function test(webhook: WebhookRecord): Promise<Attempt> {
    if (webhook.progress.confirmedAt === null) return challenge(webhook)
    const attempt = await sender().message(webhook, createTestMessage(webhook.id, clock.now()))
    if (attempt.delivered && toWebhook(webhook).state !== 'active')
      await store.webhooks.revive(webhook.id, clock.now())
    return attempt
  }

  async function challenge(webhook: WebhookRecord): Promise<Attempt> {
    const { id } = webhook
    const attempt = await sender().challenge(webhook, createChallenge(id, clock.now()))
    if (attempt.delivered) await store.webhooks.confirm(id, clock.now())
    return attempt
  }

  return {
    async createWebhook(body, { from, ...caller }) {
      const { draft, ignored } = readWebhookDraft(body, draftPolicy)
      sender()
      const { owner } = caller
      await spendChallenge(caller, from)
      // A UUIDv7 ascends, so that webhooks created in one millisecond stay in order.
      const id = `whk_${Bun.randomUUIDv7().replaceAll('-', '')}`
      const secret = createSecret()
      const createdAt = clock.now().toISOString()
      const stored = await store.webhooks.insert({ ...draft, id, owner, secret, createdAt }, BOUNDS)
      if (typeof stored === 'string') throw new DirectoryError('forbidden', REACHED[stored])
      return { webhook: { ...toWebhook(stored), secret }, ignored }
    },

    listWebhooks: async ({ owner }) => (await store.webhooks.list(owner)).map(toWebhook),

    async removeWebhook(id, caller) {
      const webhook = await find(id, caller)
      await store.webhooks.remove(webhook.id)
    },

    async testWebhook(id, { from, ...caller }) {
      const webhook = await find(id, caller)
      takeTest(caller.owner, clock.now())
      if (webhook.progress.confirmedAt === null) await spendChallenge(caller, from)
      const { delivered, httpStatus, latencyMs, message } = await test(webhook).catch(error => {
        throw error instanceof Postponed ? tooMany(error) : error
      })
      return { delivered, httpStatus, latencyMs, ...toDetail(message) }
    },
  }
}

const tooMany = ({ said }: Postponed) =>
  new DirectoryError('rate_limited', say('delivery_postponed', { why: said }))
