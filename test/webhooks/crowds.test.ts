// What a crowd can do with names, wallets and patience, all of which are free: counted where it arrives.
import { describe, expect, test } from 'bun:test'
import { MAX_FROM_ONE_NETWORK } from '../../src/directory/webhooks.ts'
import { MAX_CHALLENGES } from '../../src/webhooks/message.ts'
import { MAX_OVERDUE } from '../../src/webhooks/pools.ts'
import { MAX_PER_ADDRESS, MAX_PER_HOST } from '../../src/webhooks/slots.ts'
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
      expect(victim.most.get('/')).toBeLessThanOrEqual(2)
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
    expect(spent).toBeGreaterThan(MAX_FROM_ONE_NETWORK)
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
    await delivering.hook(`http://name-${i}.dev:${machine.port}/`, {
      owner: `wallet-${i}`,
      agreed: '127.0.0.1',
    })
  await delivering.hook(other.url, { owner: 'honest', agreed: '127.0.0.2' })
  await store.insert(Array.from({ length: 4 }, () => entry()))
  delivering.start()
  await until(() => other.received.length === 4)
  await until(() => hold.begun >= MAX_PER_HOST)
  expect(hold.most).toBeLessThanOrEqual(MAX_PER_ADDRESS)
  hold.release()
  // Everybody gets everything in the end.
  await until(() => new Set(machine.received.map(({ id }) => id)).size === 800)
  expect(hold.most).toBeLessThanOrEqual(MAX_PER_ADDRESS)
}, 60_000)

test('260 slow receivers do not delay a fast one', async () => {
  const CROWD = 260
  const addressOf = (i: number) => `127.1.${Math.floor(i / 200)}.${(i % 200) + 1}`
  await using delivering = await openDelivering(
    host => {
      const i = /^slow-(\d+)\./.exec(host)?.[1]
      return i && addressOf(Number(i))
    },
    // Nobody gives up while the test runs, however long the machine takes for it.
    { firstByteMs: 600_000, totalMs: 600_000 },
  )
  const { store, until } = delivering
  const [crowd, prompt] = [delivering.receive(), delivering.receive()]
  const hold = createHold()
  crowd.answer = received => hold.keep(received)
  // Each belongs to a wallet of its own and was due before the prompt one, which comes last in every order.
  const ids: string[] = []
  for (let i = 0; i < CROWD; i++)
    ids.push(
      await delivering.hook(`http://slow-${i}.dev:${crowd.port}/`, {
        owner: `wallet-${i}`,
        agreed: addressOf(i),
      }),
    )
  await delivering.hook(prompt.url, { owner: 'zz', agreed: '127.0.0.1' })
  delivering.start()
  await store.insert([entry()])
  // None of the crowd has answered, nor is given up: the prompt one is served past them all.
  await until(() => prompt.received.length === 1)
  const crowdNow = () => Promise.all(ids.map(async id => (await store.webhooks.find(id))!.progress))
  await until(async () => (await crowdNow()).filter(({ isSlow }) => isSlow).length >= CROWD - MAX_OVERDUE)
  for (let event = 2; event <= 6; event++) {
    await store.insert([entry()])
    await until(() => prompt.received.length === event)
  }
  expect((await crowdNow()).every(({ failures, cursor }) => failures === 0 && cursor === 0)).toBe(true)
  // Of each that has its turn four messages may be on their way.
  expect(hold.most).toBeLessThanOrEqual(4 * (64 + MAX_OVERDUE + 32))
  hold.release()
})

test('one owner’s many webhooks come after one of each other owner', async () => {
  await using delivering = await openDelivering(host => `127.2.0.${host.slice(5, -4)}`)
  const { store, until } = delivering
  const [crowd, single] = [delivering.receive(), delivering.receive()]
  const hold = createHold()
  crowd.answer = received => hold.keep(received)
  for (let i = 1; i <= 100; i++)
    await delivering.hook(`http://many-${i}.dev:${crowd.port}/`, { owner: 'one', agreed: `127.2.0.${i}` })
  await delivering.hook(single.url, { owner: 'two', agreed: '127.0.0.1' })
  delivering.start()
  await store.insert([entry()])
  await until(() => single.received.length === 1, 0)
  // Nothing has grown late: the clock stands still.
  expect(hold.most).toBeLessThanOrEqual(16)
  hold.release()
}, 60_000)
