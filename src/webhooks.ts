// The operations by which owners ask to be told, and learn how that fares.
import type { Clock } from './clock.ts'
import { createAllowance } from './domain/allowance.ts'
import { checkPreconditions, type Preconditions } from './domain/entity-tag.ts'
import { DirectoryError } from './domain/errors.ts'
import {
  type CreatedWebhook,
  MAX_WEBHOOKS,
  readWebhookDraft,
  toWebhook,
  type Webhook,
  type WebhookRecord,
  type WebhookTest,
} from './domain/webhooks.ts'
import { createTestMessage } from './hooks/message.ts'
import type { Sender } from './hooks/send.ts'
import { createSecret } from './hooks/signature.ts'
import type { Caller, Keyring } from './keys.ts'
import type { Store } from './store/store.ts'

type By = { readonly key: string }

/** Webhooks belong to a key, or to the wallet of several. Each @throws DirectoryError `unauthorized`, `forbidden` */
export interface Webhooks {
  /** From now on it is told what happens; its secret is told this once. @throws DirectoryError `invalid_request` */
  createWebhook(
    body: unknown,
    by: By,
  ): Promise<{
    readonly webhook: CreatedWebhook
    /** Paths of the fields that were sent and not used. */
    readonly ignored: readonly string[]
  }>
  /** Those of whoever asks, by age. */
  listWebhooks(by: By): Promise<Webhook[]>
  /** @throws DirectoryError `not_found`, `precondition_failed` */
  removeWebhook(id: string, by: By & Preconditions): Promise<void>
  /**
   * Sends a test message now. If it arrives, a webhook that was failing or disabled goes on where it stopped.
   * @throws DirectoryError `not_found`, `precondition_failed`, `rate_limited`
   */
  testWebhook(id: string, by: By & Preconditions): Promise<WebhookTest>
}

const TESTS_A_MINUTE = 10

export function createWebhooks({
  store,
  keys,
  clock,
  policy,
  send,
}: {
  readonly store: Pick<Store, 'webhooks'>
  readonly keys: Pick<Keyring, 'authorize'>
  readonly clock: Clock
  readonly policy: { readonly allowPrivateEndpoints: boolean }
  /** undefined: there are no webhooks. */
  readonly send: Sender | undefined
}): Webhooks {
  const takeTest = createAllowance(TESTS_A_MINUTE, 'send test deliveries')

  function sender(): Sender {
    if (send) return send
    throw new DirectoryError('forbidden', 'This directory sends no webhooks; follow /api/events instead.')
  }

  async function find(id: string, caller: Caller): Promise<WebhookRecord> {
    const webhook = await store.webhooks.find(id)
    if (webhook && (webhook.owner === caller.owner || caller.scopes.includes('admin'))) return webhook
    // Whose it is, or whether there is one, is nobody else's business.
    throw new DirectoryError(
      'not_found',
      `You have no webhook with the id ${JSON.stringify(id.slice(0, 64))}.`,
    )
  }

  return {
    async createWebhook(body, { key }) {
      const { owner } = await keys.authorize(key, 'register')
      const { draft, ignored } = readWebhookDraft(body, policy)
      sender()
      // Rises with time, so that webhooks of one millisecond stay in their order.
      const id = `whk_${Bun.randomUUIDv7().replaceAll('-', '')}`
      const secret = createSecret()
      const createdAt = clock.now().toISOString()
      const kept = await store.webhooks.insert({ ...draft, id, owner, secret, createdAt }, MAX_WEBHOOKS)
      if (!kept)
        throw new DirectoryError(
          'forbidden',
          `You have ${MAX_WEBHOOKS} webhooks already, which is the most; remove one first.`,
        )
      return { webhook: { ...toWebhook(kept), secret }, ignored }
    },

    async listWebhooks({ key }) {
      const { owner } = await keys.authorize(key, 'register')
      return (await store.webhooks.list(owner)).map(toWebhook)
    },

    async removeWebhook(id, by) {
      const webhook = await find(id, await keys.authorize(by.key, 'register'))
      checkPreconditions(by)
      await store.webhooks.remove(webhook.id)
    },

    async testWebhook(id, by) {
      const caller = await keys.authorize(by.key, 'register')
      const webhook = await find(id, caller)
      checkPreconditions(by)
      takeTest(caller.owner, clock.now())
      const message = createTestMessage(webhook.id, clock.now())
      const { delivered, httpStatus, latencyMs, sentence } = await sender()(webhook, message)
      if (delivered && toWebhook(webhook).state !== 'active')
        await store.webhooks.revive(webhook.id, clock.now())
      return { delivered, httpStatus, latencyMs, detail: sentence }
    },
  }
}
