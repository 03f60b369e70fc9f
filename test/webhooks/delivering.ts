// A store, a clock that the test owns, and deliveries to receivers on this machine.
import { Timelines } from '../../src/domain/feed.ts'
import { toWebhook, type Webhook, type WebhookFilter } from '../../src/domain/webhooks.ts'
import { createSafeFetch, type SafeFetchOptions } from '../../src/probe/requests/safe-fetch.ts'
import type { Clock } from '../../src/runtime/clock.ts'
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

type HookOptions = { owner?: string; agreed?: boolean; events?: HookEvents; filter?: WebhookFilter }
type Options = Partial<SafeFetchOptions> & {
  address?: string
  clock?: ManualClock
  /** That of the store, where it is another. */
  storeClock?: Clock
  isActive?: (owner: string) => Promise<boolean>
}

export type Delivering = AsyncDisposable & {
  readonly clock: ManualClock
  readonly store: Store
  receive(options?: Parameters<typeof openReceiver>[0]): ReturnType<typeof openReceiver>
  /** @param agreed whether its receiver has agreed already */
  hook(url: string, options?: HookOptions): Promise<string>
  start(): AsyncDisposable
  readonly troubles: readonly unknown[]
  viewOf(id: string): Promise<Webhook>
  /** Moves the clock in small steps until it holds. */
  until(isSo: () => boolean | Promise<boolean>, stepMs?: number): Promise<void>
}

/** @param lookup where a name leads; to 127.0.0.1 unless it says otherwise */
export async function openDelivering(
  lookup: (host: string) => string | undefined = () => undefined,
  {
    address = 'sqlite::memory:',
    clock = new ManualClock(),
    storeClock = clock,
    isActive,
    ...options
  }: Options = {},
): Promise<Delivering> {
  const parts = new AsyncDisposableStack()
  const store = parts.use(await openStore(address, { clock: storeClock }))
  const troubles: unknown[] = []
  const ask = createSafeFetch({
    allowPrivate: true,
    lookup: async host => [{ address: lookup(host) ?? '127.0.0.1', family: 4 as const }],
    ...options,
    limits: { ...SEND_LIMITS, ...options.limits },
  })
  return {
    clock,
    store,
    troubles,
    receive: options => parts.use(openReceiver(options)),
    async hook(url, { owner = 'key_a', agreed = false, events = REGISTERED, filter = {} } = {}) {
      const id = `whk_${Bun.randomUUIDv7().replaceAll('-', '')}`
      const createdAt = clock.now().toISOString()
      await store.webhooks.insert({ id, owner, secret: SECRET, url, events, filter, createdAt }, BOUNDS)
      if (agreed) await store.webhooks.confirm(id, clock.now())
      return id
    },
    start() {
      const { budgets } = store
      const watch = (on: () => void) => store.watch(on)
      const visible = { seq: Number.MAX_SAFE_INTEGER, timelines: new Timelines(), watch }
      const send = createSender({ request: ask, budgets, clock, userAgent: 'test' })
      const onTrouble = (_: string, error: unknown) => void troubles.push(error)
      return parts.use(
        openDeliveries({ store, visible, send, isActive: isActive ?? (async () => true), clock, onTrouble }),
      )
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
