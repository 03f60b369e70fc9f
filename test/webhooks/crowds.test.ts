// What a crowd can do with names, wallets and patience, all of which are free: counted where it arrives.
import { describe, expect, test } from 'bun:test'
import { MAX_FROM_ONE_NETWORK } from '../../src/directory/webhooks.ts'
import { MAX_CHALLENGES } from '../../src/webhooks/message.ts'
import { MAX_IN_FLIGHT } from '../../src/webhooks/send.ts'
import { entry } from '../entries.ts'
import { openDelivering } from './delivering.ts'
import type { Received } from './receiver.ts'

const HOUR_MS = 60 * 60_000

/** Answers nothing until it is let go, and counts what it has in hand. */
function createHold() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold = { now: 0, most: 0, begun: 0, release: resolve }
  return Object.assign(hold, {
    async keep({ signal }: Received): Promise<Response> {
      hold.begun++
      hold.most = Math.max(hold.most, ++hold.now)
      await Promise.race([promise, new Promise(end => signal.addEventListener('abort', end))])
      hold.now--
      return new Response()
    },
  })
}

describe('many wallets that register the server of somebody else', () => {
  test.each([
    ['by one name', () => 'victim.dev', MAX_CHALLENGES.host],
    ['by 200 names', (i: number) => `name-${i % 200}.dev`, MAX_CHALLENGES.address],
  ])(
    '%s has it asked a few times an hour, and nothing else',
    async (_, nameOf, most) => {
      await using delivering = await openDelivering()
      const { clock, store, until } = delivering
      const victim = delivering.receive()
      victim.agree = () => new Response('Hello', { status: 200 })
      let hooks = 0
      for (let wallet = 0; wallet < 60; wallet++)
        for (let i = 0; i < 5; i++)
          await delivering.hook(`http://${nameOf(hooks++)}:${victim.port}/`, { owner: `wallet-${wallet}` })
      await store.insert([entry()])
      delivering.start()
      const startMs = clock.now().getTime()
      const perHour = new Map<number, number>()
      let counted = 0
      let isSpentAtMs = 0
      await until(() => {
        const hour = Math.floor((clock.now().getTime() - startMs) / HOUR_MS)
        perHour.set(hour, (perHour.get(hour) ?? 0) + victim.challenges.length - counted)
        counted = victim.challenges.length
        if (counted >= most && isSpentAtMs === 0) isSpentAtMs = clock.now().getTime()
        return isSpentAtMs > 0 && clock.now().getTime() > isSpentAtMs + HOUR_MS / 2
      }, 5_000)
      expect(perHour.get(0)).toBe(most)
      expect(victim.received).toEqual([])
      expect(victim.most.get('/')).toBeLessThanOrEqual(MAX_IN_FLIGHT.network)
    },
    60_000,
  )

  test('cannot keep others from confirming at the same host name and address', async () => {
    await using delivering = await openDelivering()
    const { clock, until } = delivering
    const host = delivering.receive()
    host.agree = () => new Response('Hello')
    for (let i = 0; i < MAX_FROM_ONE_NETWORK; i++)
      await delivering.hook(`http://shared.dev:${host.port}/`, { owner: `wallet-${i}` })
    delivering.start()
    const startMs = clock.now().getTime()
    await until(() => clock.now().getTime() > startMs + HOUR_MS / 2, 5_000)
    const spent = host.challenges.length
    expect(spent).toBe(MAX_FROM_ONE_NETWORK)
    await delivering.hook(`http://shared.dev:${host.port}/`, { owner: 'honest' })
    await until(() => host.challenges.length > spent)
  }, 60_000)

  test('get no more challenges by repeated requests than their owner may', async () => {
    await using delivering = await openDelivering(host => `127.0.1.${host.slice(5, -4)}`)
    const { clock, until } = delivering
    const victim = delivering.receive()
    victim.agree = () => new Response('Hello')
    for (let i = 0; i < 50; i++) await delivering.hook(`http://name-${i + 1}.dev:${victim.port}/`)
    delivering.start()
    const startMs = clock.now().getTime()
    await until(() => clock.now().getTime() > startMs + HOUR_MS / 2, 5_000)
    expect(victim.challenges).toHaveLength(MAX_CHALLENGES.owner)
    const told = (await delivering.store.webhooks.list('key_a')).map(({ progress }) => progress.said?.code)
    expect(told.filter(code => code === 'challenges_spent_by_owner')).not.toEqual([])
  }, 60_000)
})

test('receivers at 200 names of one machine share the concurrency limit of one machine', async () => {
  await using delivering = await openDelivering()
  const { store, until } = delivering
  const [machine, other] = [delivering.receive(), delivering.receive({ hostname: '127.0.0.2' })]
  const hold = createHold()
  machine.answer = received => hold.keep(received)
  for (let i = 0; i < 200; i++)
    await delivering.hook(`http://name-${i}.dev:${machine.port}/`, { owner: `wallet-${i}`, agreed: true })
  await delivering.hook(other.url, { owner: 'honest', agreed: true })
  await store.insert(Array.from({ length: 4 }, () => entry()))
  delivering.start()
  await until(() => other.received.length === 4)
  await until(() => hold.begun >= MAX_IN_FLIGHT.host)
  expect(hold.most).toBeLessThanOrEqual(MAX_IN_FLIGHT.network)
  hold.release()
  // Everybody gets everything in the end.
  await until(() => new Set(machine.received.map(({ id }) => id)).size === 800)
  expect(hold.most).toBeLessThanOrEqual(MAX_IN_FLIGHT.network)
}, 60_000)

test('one owner’s many webhooks come after one of each other owner', async () => {
  await using delivering = await openDelivering(host => `127.2.0.${host.slice(5, -4)}`)
  const { store, until } = delivering
  const [crowd, single] = [delivering.receive(), delivering.receive()]
  const hold = createHold()
  crowd.answer = received => hold.keep(received)
  for (let i = 1; i <= 100; i++)
    await delivering.hook(`http://many-${i}.dev:${crowd.port}/`, { owner: 'one', agreed: true })
  await delivering.hook(single.url, { owner: 'two', agreed: true })
  delivering.start()
  await store.insert([entry()])
  await until(() => single.received.length === 1, 0)
  // Nothing has grown late: the clock stands still.
  expect(hold.most).toBeLessThanOrEqual(16)
  hold.release()
}, 60_000)
