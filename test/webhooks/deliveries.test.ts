import { describe, expect, test } from 'bun:test'
import { type Entry, toService } from '../../src/domain/listing/service.ts'
import { verbatim } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Store } from '../../src/store/store.ts'
import type { NewWebhook } from '../../src/store/webhooks.ts'
import { createSecret } from '../../src/webhooks/message.ts'
import { MAX_IN_FLIGHT } from '../../src/webhooks/send.ts'
import { entry, listed } from '../entries.ts'
import { freePort } from '../free-port.ts'
import { createReadyDatabase } from '../postgres.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { type Delivering, openDelivering, SECRET } from './delivering.ts'
import { isSignedWith, numbersOf, openReceiver } from './receiver.ts'

const DAY_MS = 24 * 60 * 60_000

const ALL = [
  ...(['service.registered', 'service.updated', 'service.status_changed', 'service.price_changed'] as const),
  ...(['service.payto_changed', 'service.removed'] as const),
]

/** What every test needs; its webhooks want everything and their receivers have agreed. */
async function open(options: Parameters<typeof openDelivering>[1] = {}) {
  const delivering = await openDelivering(undefined, options)
  const hook: Delivering['hook'] = (url, parts) =>
    delivering.hook(url, { agreed: true, events: ALL, ...parts })
  return { ...delivering, hook }
}

/** Leaps over the time in which a failing webhook rests; never while a message is on its way, which would end its lease. */
async function leap({ clock, viewOf }: Delivering, id: string, isSo: () => boolean | Promise<boolean>) {
  while (!(await isSo())) {
    const { nextTryAt } = await viewOf(id)
    clock.advance(Math.max(20, Date.parse(nextTryAt ?? '') - clock.now().getTime() || 0))
    await Bun.sleep(1)
  }
}

/** So many price changes of a service. */
async function reprice(store: Store, kept: Entry, count: number) {
  for (let i = 0; i < count; i++) {
    const at = '2026-11-01T12:00:00.000Z'
    const event = { type: 'price' as const, at, reason: verbatim(`Change ${i}.`), before: i, after: i + 1 }
    await store.update([kept.id], each => ({ entry: each, events: [event] }))
  }
}

describe('an event', () => {
  test('is sent signed and in order, once it is on disk', async () => {
    await using delivering = await open()
    const { clock, store, hook, receive, start, until, viewOf } = delivering
    const receiver = receive()
    await store.insert([entry()])
    const id = await hook(`${receiver.url}/hook?a=1`)
    const kept = await listed(store)
    await reprice(store, kept, 2)
    await store.remove(kept.id, clock.now(), verbatim('Closed.'))
    const later = await listed(store)
    start()
    await until(() => receiver.received.length === 5)
    expect(numbersOf(receiver.received)).toEqual([2, 3, 4, 5, 6])
    for (const received of receiver.received) {
      expect(isSignedWith(SECRET, received)).toBe(true)
      expect(isSignedWith(createSecret(), received)).toBe(false)
      expect(received.id).toBe(`${id}_${received.body.data.cursor}`)
      expect(received.headers.get('user-agent')).toBe('test')
    }
    const [first, second, , removed] = receiver.received.filter(({ body }) => body.data.serviceId === kept.id)
    // It was gone by the time it was told.
    expect(first!.body).toMatchObject({ type: 'service.registered', data: { after: null } })
    expect(second!.body).toEqual({
      type: 'service.price_changed',
      timestamp: '2026-11-01T12:00:00.000Z',
      data: {
        number: 3,
        cursor: '3',
        type: 'service.price_changed',
        serviceId: kept.id,
        seq: 3,
        at: '2026-11-01T12:00:00.000Z',
        reason: 'Change 0.',
        code: 'text',
        values: { text: 'Change 0.' },
        before: 0,
        after: 1,
      },
    })
    expect(removed!.body).toMatchObject({ type: 'service.removed', data: { before: toService(kept) } })
    const registered = receiver.received.find(({ body }) => body.data.serviceId === later.id)
    expect(registered!.body.data.after).toEqual(toService(later))
    await until(async () => (await viewOf(id)).lastDeliveredAt !== null)
    expect(await viewOf(id)).toMatchObject({ state: 'active', reason: null, failingSince: null })
  })

  test('is sent only if it matches, also for removed services', async () => {
    await using delivering = await open()
    const { clock, store, hook, receive, start, until } = delivering
    const receiver = receive()
    const [rain, gold] = [entry(), entry({ category: 'finance' })]
    const paths: Record<string, Partial<NewWebhook>> = {
      '/weather': { filter: { category: 'Weather' } },
      '/gold': { filter: { serviceId: gold.id } },
      '/removed': { events: ['service.removed'] },
      '/solana': { filter: { chain: 'solana' } },
      '/all': {},
    }
    const ids = await Promise.all(
      Object.entries(paths).map(([path, changes]) => hook(receiver.url + path, changes)),
    )
    start()
    await store.insert([rain, gold])
    await store.remove(rain.id, clock.now(), null)
    await store.remove(gold.id, clock.now(), null)
    const last = await store.events.last()
    const isDone = async () =>
      (await Promise.all(ids.map(each => store.webhooks.find(each)))).every(
        each => each!.progress.cursor === last,
      )
    await until(isDone)
    const of = (path: string) => numbersOf(receiver.received.filter(each => each.path === path)).toSorted()
    expect(of('/weather')).toEqual([1, 3])
    expect(of('/gold')).toEqual([2, 4])
    expect(of('/removed')).toEqual([3, 4])
    expect(of('/solana')).toEqual([])
    expect(of('/all')).toEqual([1, 2, 3, 4])
  })

  test('of any own service, or one that pays the own wallet, is sent to its owner alone', async () => {
    await using delivering = await open()
    const { store, hook, receive, start, until } = delivering
    const receiver = receive()
    const wallet = `0x${'7'.repeat(40)}`
    const filter = { mine: true } as const
    await hook(`${receiver.url}/key`, { filter, owner: 'key_b' })
    await hook(`${receiver.url}/wallet`, { filter, owner: `eip155:${wallet}` })
    await hook(`${receiver.url}/nobody`, { filter, owner: 'key_c' })
    await hook(`${receiver.url}/all`)
    start()
    const paid = entry({ x402Config: { paymentAddress: wallet, network: 'base' } })
    await store.insert([{ ...entry(), owner: 'key_b' }, paid, entry()])
    await until(() => receiver.received.length === 5)
    const of = (path: string) => numbersOf(receiver.received.filter(each => each.path === path))
    expect(['/key', '/wallet', '/nobody', '/all'].map(of)).toEqual([[1], [2], [], [1, 2, 3]])
  })

  test('is sent once, in many batches if there are many', async () => {
    await using delivering = await open()
    const { store, hook, receive, start, until } = delivering
    const receiver = receive()
    receiver.answer = async () => {
      await Bun.sleep(1)
      return new Response()
    }
    const id = await hook(receiver.url, { events: ['service.price_changed'] })
    const kept = [entry(), entry(), entry(), entry(), entry(), entry()]
    await store.insert(kept)
    await Promise.all(kept.map(each => reprice(store, each, 50)))
    // More than a page of what it does not want lies between.
    await store.insert(Array.from({ length: 700 }, () => entry()))
    await reprice(store, kept[0]!, 1)
    start()
    await until(async () => (await store.webhooks.find(id))!.progress.cursor === 1007)
    expect(receiver.received).toHaveLength(301)
    expect(numbersOf(receiver.received)).toEqual(numbersOf(receiver.received).toSorted((a, b) => a - b))
    expect(receiver.most.get('/')).toBe(1)
  })

  test('is sent without its values if they are too large', async () => {
    await using delivering = await open()
    const { clock, store, hook, receive, start, until } = delivering
    const receiver = receive()
    await hook(receiver.url, { events: ['service.updated'] })
    start()
    const kept = await listed(store)
    const at = clock.now().toISOString()
    const event = { type: 'updated' as const, at, reason: null, before: 'x'.repeat(70_000), after: {} }
    await store.update([kept.id], each => ({ entry: each, events: [event] }))
    await until(() => receiver.received.length === 1)
    expect(receiver.received[0]!.body).toMatchObject({ truncated: true, data: { before: null, after: null } })
    expect(isSignedWith(SECRET, receiver.received[0]!)).toBe(true)
  })

  test('uses only a few concurrent messages per host, for any number of webhooks', async () => {
    await using delivering = await open()
    const { store, hook, receive, start, until } = delivering
    const receiver = receive()
    let inHand = 0
    let most = 0
    receiver.answer = async () => {
      most = Math.max(most, ++inHand)
      await Bun.sleep(5)
      inHand--
      return new Response()
    }
    for (let i = 0; i < 12; i++) await hook(`${receiver.url}/${i}`)
    start()
    await store.insert(Array.from({ length: 10 }, () => entry()))
    await until(() => receiver.received.length >= 120)
    expect(most).toBeLessThanOrEqual(MAX_IN_FLIGHT.host)
    expect(most).toBeGreaterThan(4)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(120)
  })
})

describe('a receiver that', () => {
  test('is down gets everything in order when it is back', async () => {
    await using delivering = await open()
    const { clock, store, hook, receive, start, until, viewOf, troubles } = delivering
    const port = await freePort()
    const id = await hook(`http://127.0.0.1:${port}/`)
    const healthy = receive()
    await hook(healthy.url)
    start()
    const kept = await listed(store)
    await reprice(store, kept, 5)
    await until(async () => (await viewOf(id)).state === 'failing')
    const failing = await viewOf(id)
    expect(failing.reason).toContain('did not accept a connection')
    expect(Date.parse(failing.nextTryAt!)).toBeGreaterThan(clock.now().getTime())
    await until(() => healthy.received.length === 6)
    const receiver = receive({ port })
    await leap(delivering, id, () => receiver.received.length === 6)
    expect(numbersOf(receiver.received)).toEqual([1, 2, 3, 4, 5, 6])
    await until(async () => (await viewOf(id)).state === 'active')
    expect(await viewOf(id)).toMatchObject({ reason: null, failingSince: null, nextTryAt: null })
    expect(healthy.received).toHaveLength(6)
    expect(troubles).toEqual([])
  })

  test('refuses a message gets it again with the same id before later messages', async () => {
    await using delivering = await open()
    const { store, hook, receive, start } = delivering
    const receiver = receive()
    let refusals = 0
    receiver.answer = ({ body }) => {
      const isRefused = body.data.number === 5 && refusals++ < 3
      return new Response(null, { status: isRefused ? 503 : 200 })
    }
    const id = await hook(receiver.url)
    const [first, second] = [entry(), entry()]
    await store.insert([first, second])
    await reprice(store, first, 4)
    await reprice(store, second, 4)
    start()
    await leap(delivering, id, async () => (await store.webhooks.find(id))!.progress.cursor === 10)
    expect(
      new Set(receiver.received.filter(each => each.body.data.number === 5).map(each => each.id)).size,
    ).toBe(1)
    // What had arrived was not sent again.
    expect(numbersOf(receiver.received)).toEqual([1, 2, 3, 4, 5, 5, 5, 5, 6, 7, 8, 9, 10])
  })

  test('is slow delays no other', async () => {
    await using delivering = await open({ limits: { firstByteMs: 300 } })
    const { store, hook, receive, start, until, viewOf } = delivering
    const [slow, quick] = [receive(), receive()]
    const release = Promise.withResolvers<void>()
    slow.answer = async () => {
      await release.promise
      return new Response()
    }
    const slowId = await hook(slow.url)
    await hook(quick.url)
    start()
    const kept = await listed(store)
    for (let count = 1; count <= 5; count++) {
      await until(() => quick.received.length === count)
      await reprice(store, kept, 1)
    }
    await until(async () => (await viewOf(slowId)).state === 'failing')
    expect((await viewOf(slowId)).reason).toContain('did not answer within 0.3 s')
    release.resolve()
    await leap(delivering, slowId, () => new Set(numbersOf(slow.received)).size === 6)
    expect([...new Set(numbersOf(slow.received))]).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('redirects is not followed, least of all to a private address', async () => {
    await using delivering = await open({ allowPrivate: false, exempt: ['127.0.0.1'] })
    const { store, hook, receive, start, until, viewOf } = delivering
    const [lying, inner] = [receive(), receive()]
    lying.answer = () => Response.redirect(`${inner.url}/admin`, 307)
    const id = await hook(lying.url)
    start()
    await store.insert([entry()])
    await until(async () => (await viewOf(id)).state === 'failing')
    expect((await viewOf(id)).reason).toContain('redirects')
    expect(inner.received).toEqual([])
  })

  test('is at a private address gets no request', async () => {
    const lookup = async () => [{ address: '10.0.0.7', family: 4 as const }]
    await using delivering = await open({ allowPrivate: false, lookup })
    const { store, hook, start, until, viewOf } = delivering
    const id = await hook('http://rebinding.dev/')
    start()
    await store.insert([entry()])
    await until(async () => (await viewOf(id)).state === 'failing')
    expect((await viewOf(id)).reason).toContain('cannot be reached')
  })

  test('sends an endless response has acknowledged the message, and delays no other for long', async () => {
    await using delivering = await open()
    const { store, hook, receive, start, until, viewOf } = delivering
    const receiver = receive()
    const chunk = new Uint8Array(8 * 1024)
    const endless = (status: number) =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            controller.enqueue(chunk)
            await Bun.sleep(1)
          },
        }),
        { status },
      )
    receiver.answer = (_, count) => endless(count <= 2 ? 200 : 500)
    const id = await hook(receiver.url)
    start()
    const kept = await listed(store)
    await reprice(store, kept, 2)
    await until(async () => (await viewOf(id)).state === 'failing')
    expect(numbersOf(receiver.received)).toEqual([1, 2, 3])
    expect((await store.webhooks.find(id))!.progress.cursor).toBe(2)
    expect((await viewOf(id)).reason).toContain('500')
  })

  test('is permanently gone gets nothing more', async () => {
    await using delivering = await open()
    const { clock, store, hook, receive, start, until, viewOf } = delivering
    const receiver = receive()
    receiver.answer = () => new Response(null, { status: 410 })
    const id = await hook(receiver.url)
    start()
    await store.insert([entry()])
    await until(async () => (await viewOf(id)).state === 'disabled')
    expect((await viewOf(id)).reason).toContain('410')
    await store.insert([entry()])
    const witness = receive()
    await hook(witness.url)
    await store.insert([entry()])
    clock.advance(9 * DAY_MS)
    await until(() => witness.received.length === 1)
    expect(receiver.received).toHaveLength(1)
  })

  test('fails for days is disabled with the reason, and continues where it stopped once it is revived', async () => {
    await using delivering = await open()
    const { clock, store, hook, receive, start, until, viewOf } = delivering
    const receiver = receive()
    receiver.answer = () => new Response(null, { status: 500 })
    const id = await hook(receiver.url)
    start()
    await store.insert([entry()])
    await until(() => receiver.received.length === 1)
    const startMs = clock.now().getTime()
    await leap(delivering, id, async () => (await viewOf(id)).state === 'disabled')
    expect(clock.now().getTime() - startMs).toBeGreaterThan(5 * DAY_MS - 60_000)
    expect(await viewOf(id)).toMatchObject({
      reason:
        'Nothing has arrived for 5 days. Last: It answered with 500; only a 2xx status counts as received.',
      nextTryAt: null,
    })
    const tries = receiver.received.length
    expect(tries).toBeGreaterThan(10)
    expect(tries).toBeLessThan(60)
    await store.insert([entry()])
    receiver.answer = () => new Response()
    await store.webhooks.revive(id, clock.now())
    await until(() => new Set(numbersOf(receiver.received)).size === 2)
    expect(numbersOf(receiver.received.slice(tries)).toSorted()).toEqual([1, 2])
  })

  test('requests a delay is not contacted during it', async () => {
    await using delivering = await open()
    const { clock, store, hook, receive, start, until, viewOf } = delivering
    const receiver = receive()
    receiver.answer = (_, count) =>
      count === 1 ? new Response(null, { status: 429, headers: { 'retry-after': '3600' } }) : new Response()
    const id = await hook(receiver.url)
    start()
    await store.insert([entry()])
    await until(async () => (await viewOf(id)).state === 'failing')
    const { failingSince, nextTryAt } = await viewOf(id)
    expect(Date.parse(nextTryAt!) - Date.parse(failingSince!)).toBe(3_600_000)
    await leap(delivering, id, () => receiver.received.length === 2)
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(Date.parse(nextTryAt!))
  })

  test('belongs to a key that is gone gets nothing', async () => {
    await using delivering = await open({ isActive: async owner => owner !== 'key_gone' })
    const { store, hook, receive, start, until, viewOf } = delivering
    const receiver = receive()
    const id = await hook(receiver.url, { owner: 'key_gone' })
    await hook(`${receiver.url}/good`)
    start()
    await store.insert([entry()])
    await until(async () => (await viewOf(id)).state === 'disabled')
    await until(() => receiver.received.length === 1)
    expect(receiver.received[0]!.path).toBe('/good')
    expect((await viewOf(id)).reason).toContain('revoked')
  })
})

describe('processes', () => {
  test('that end midway leave the rest to the next, which loses nothing', async () => {
    const options = { address: `sqlite:${temporaryPath('store.db')}`, clock: new ManualClock() }
    await using receiver = openReceiver()
    const hold = Promise.withResolvers<void>()
    receiver.answer = async (_, count) => {
      if (count > 3) await hold.promise
      return new Response()
    }
    const first = await open(options)
    const id = await first.hook(receiver.url)
    const kept = entry()
    await first.store.insert([kept])
    await reprice(first.store, kept, 9)
    first.start()
    await first.until(() => receiver.received.length === 4)
    await first[Symbol.asyncDispose]()
    hold.resolve()
    await using second = await open(options)
    const { store, start, until } = second
    // What had been answered is not sent again, and the lease was given back.
    expect((await store.webhooks.find(id))!.progress.cursor).toBe(3)
    start()
    await until(async () => (await store.webhooks.find(id))!.progress.cursor === 10)
    expect(numbersOf(receiver.received)).toEqual([1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10])
  })

  test.each([
    ['a file', async () => `sqlite:${temporaryPath('store.db')}`],
    ['PostgreSQL', () => createReadyDatabase()],
  ])('that share %s share the work, and no webhook is at two of them', async (_, address) => {
    // The connections of PostgreSQL have deadlines of their own, which a clock that leaps would break.
    const options = { address: await address(), clock: new ManualClock(), storeClock: systemClock }
    await using one = await open(options)
    await using two = await open(options)
    const receiver = one.receive()
    receiver.answer = async () => {
      await Bun.sleep(1)
      return new Response()
    }
    const ids: string[] = []
    for (let i = 0; i < 6; i++) ids.push(await one.hook(`${receiver.url}/${i}`))
    one.start()
    two.start()
    const kept = [entry(), entry(), entry()]
    await one.store.insert(kept)
    await Promise.all(kept.map((each, i) => reprice((i % 2 ? one : two).store, each, 20)))
    const isDone = async () =>
      (await Promise.all(ids.map(id => one.store.webhooks.find(id)))).every(
        each => each!.progress.cursor === 63,
      )
    await one.until(isDone)
    expect(receiver.received).toHaveLength(6 * 63)
    for (let i = 0; i < 6; i++) {
      const numbers = numbersOf(receiver.received.filter(each => each.path === `/${i}`))
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      expect(receiver.most.get(`/${i}`)).toBe(1)
    }
  })
})
