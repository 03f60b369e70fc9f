// Several real processes that send to the webhooks of one database, one of which is killed.
import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { LEASE_MS } from '../../src/webhooks/deliveries.ts'
import { createSecret } from '../../src/webhooks/message.ts'
import { entry } from '../entries.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { until } from '../until.ts'
import { firstOrders, numbersOf, openReceiver } from './receiver.ts'

const DELIVERER = fileURLToPath(import.meta.resolve('./deliverer.ts'))
const HOOKS = 6
const EVENTS = 3 + 3 * 30

async function startDeliverer(path: string, name: string, aheadMs = 0) {
  const child = Bun.spawn([process.execPath, DELIVERER, path, name, String(aheadMs)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await child.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('ready\n')
  return {
    kill: () => child.kill('SIGKILL'),
    async end() {
      child.stdin.write('end\n')
      await child.stdin.flush()
      expect(await child.exited).toBe(0)
    },
  }
}

test('a process that is killed leaves its webhooks to the others, which send everything', async () => {
  const path = temporaryPath('store.db')
  await using store = await openStore(`sqlite:${path}`, { clock: systemClock })
  await using receiver = openReceiver()
  receiver.answer = async () => {
    await Bun.sleep(2)
    return new Response()
  }
  const ids = Array.from({ length: HOOKS }, (_, i) => `whk_${i}`)
  for (const id of ids) {
    const url = `${receiver.url}/${id}`
    const events = ['service.registered', 'service.price_changed'] as const
    const createdAt = new Date().toISOString()
    const secret = createSecret()
    const made = { id, owner: 'key_a', secret, url, events, filter: {}, createdAt }
    await store.webhooks.insert(made, { most: HOOKS, mostUnconfirmed: HOOKS })
    await store.webhooks.confirm(id, new Date())
  }
  const kept = [entry(), entry(), entry()]
  const write = async (times: number) => {
    for (let i = 0; i < times; i++) {
      const at = new Date().toISOString()
      const event = { type: 'price' as const, at, reason: null, before: i, after: i + 1 }
      await store.update(
        kept.map(each => each.id),
        each => ({ entry: each, events: [event] }),
      )
      await Bun.sleep(2)
    }
  }
  await store.insert(kept)
  await write(10)
  const killed = await startDeliverer(path, 'killed')
  await until(() => receiver.received.length >= 20)
  killed.kill()

  const writing = write(20)
  const others = await Promise.all(['a', 'b'].map(name => startDeliverer(path, name, 2 * LEASE_MS)))
  await writing
  const isDone = async () =>
    (await store.webhooks.list('key_a')).every(({ progress }) => progress.cursor === EVENTS)
  await until(isDone)
  await Promise.all(others.map(each => each.end()))
  for (const id of ids) {
    const own = receiver.received.filter(each => each.path === `/${id}`)
    expect(new Set(numbersOf(own)).size).toBe(EVENTS)
    for (const order of firstOrders(own).values()) expect(order).toEqual(order.toSorted((a, b) => a - b))
  }
  // Twice came only what the killed process had on its hands.
  const live = receiver.received.filter(({ headers }) => headers.get('user-agent') !== 'killed')
  expect(new Set(live.map(({ id }) => id)).size).toBe(live.length)
  expect(live.length).toBeLessThan(receiver.received.length)
})
