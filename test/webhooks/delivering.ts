// A store, a clock that the test owns, and deliveries to receivers on this machine.
import { Timelines } from '../../src/domain/feed.ts'
import { toWebhook, type Webhook, type WebhookFilter } from '../../src/domain/webhooks.ts'
import { createSafeFetch, type SafeFetchOptions } from '../../src/probe/requests/safe-fetch.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { openDeliveries } from '../../src/webhooks/deliveries.ts'
import { createSecret } from '../../src/webhooks/message.ts'
import { createSender, SEND_LIMITS } from '../../src/webhooks/send.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { openReceiver } from './receiver.ts'

type HookEvents = Parameters<Store['webhooks']['insert']>[0]['events']
const REGISTERED: HookEvents = ['service.registered']

export const SECRET = createSecret()
const BOUNDS = { most: 1_000, mostUnconfirmed: 1_000 }

type HookOptions = { owner?: string; agreed?: string; events?: HookEvents; filter?: WebhookFilter }

export type Delivering = AsyncDisposable & {
  readonly clock: ManualClock
  readonly store: Store
  receive(options?: Parameters<typeof openReceiver>[0]): ReturnType<typeof openReceiver>
  /** @param agreed where its receiver has agreed; nowhere unless given */
  hook(url: string, options?: HookOptions): Promise<string>
  start(): void
  viewOf(id: string): Promise<Webhook>
  /** Moves the clock in small steps until it holds. */
  until(isSo: () => boolean | Promise<boolean>, stepMs?: number): Promise<void>
}

/**
 * @param lookup where a name leads; to 127.0.0.1 unless it says otherwise
 * @param limits other than usual, such as the patience with a receiver
 */
export async function openDelivering(
  lookup: (host: string) => string | readonly string[] | undefined = () => undefined,
  limits: SafeFetchOptions['limits'] = {},
): Promise<Delivering> {
  const clock = new ManualClock()
  const parts = new AsyncDisposableStack()
  const store = parts.use(await openStore('sqlite::memory:', { clock }))
  const ask = createSafeFetch({
    allowPrivate: true,
    limits: { ...SEND_LIMITS, ...limits },
    lookup: async host =>
      [lookup(host) ?? '127.0.0.1'].flat().map(address => ({ address, family: 4 as const })),
  })
  return {
    clock,
    store,
    receive: options => parts.use(openReceiver(options)),
    async hook(url, { owner = 'key_a', agreed, events = REGISTERED, filter = {} } = {}) {
      const id = `whk_${Bun.randomUUIDv7().replaceAll('-', '')}`
      const createdAt = clock.now().toISOString()
      await store.webhooks.insert({ id, owner, secret: SECRET, url, events, filter, createdAt }, BOUNDS)
      if (agreed !== undefined) await store.webhooks.confirm(id, agreed, clock.now())
      return id
    },
    start() {
      const { budgets } = store
      const watch = (on: () => void) => store.watch(on)
      const visible = { seq: Number.MAX_SAFE_INTEGER, timelines: new Timelines(), watch }
      const send = createSender({ request: ask, budgets, clock, userAgent: 'test' })
      parts.use(openDeliveries({ store, visible, send, isActive: async () => true, clock }))
    },
    viewOf: async id => toWebhook((await store.webhooks.find(id))!),
    async until(isSo, stepMs = 20) {
      while (!(await isSo())) {
        clock.advance(stepMs)
        await Bun.sleep(1)
      }
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
