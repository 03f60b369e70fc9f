import { describe, expect, test } from 'bun:test'
import { FIRST_CHALLENGE_MS } from '../../src/domain/webhooks.ts'
import { entry } from '../entries.ts'
import { type Delivering, openDelivering, SECRET } from './delivering.ts'
import { isSignedWith, type Receiver } from './receiver.ts'

/** Leaps to the next try again and again. */
async function untilDisabled({ clock, viewOf, until }: Delivering, id: string): Promise<number> {
  const sinceMs = clock.now().getTime()
  await until(async () => {
    const { state, nextTryAt } = await viewOf(id)
    const restMs = Date.parse(nextTryAt ?? '') - clock.now().getTime()
    if (restMs > 1_000) clock.advance(restMs)
    return state === 'disabled'
  })
  return clock.now().getTime() - sinceMs
}

describe('a receiver', () => {
  test('is challenged first, and gets all events since then once it has confirmed', async () => {
    await using delivering = await openDelivering()
    const { clock, store, until, viewOf } = delivering
    const receiver = delivering.receive()
    await store.insert([entry()])
    const id = await delivering.hook(receiver.url)
    delivering.start()
    expect(await viewOf(id)).toMatchObject({ state: 'unconfirmed', confirmedAt: null })
    const held = Promise.withResolvers<void>()
    receiver.agree = async challenge => {
      await held.promise
      return new Response(challenge)
    }
    await store.insert([entry(), entry()])
    await until(() => receiver.challenges.length === 1)
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(
      Date.parse((await viewOf(id)).createdAt) + FIRST_CHALLENGE_MS,
    )
    const [challenge] = receiver.challenges
    expect(isSignedWith(SECRET, challenge!)).toBe(true)
    expect(challenge!.id).toStartWith(`${id}_challenge_`)
    expect(challenge!.body).toEqual({
      type: 'webhook.challenge',
      timestamp: expect.any(String),
      data: {
        webhookId: id,
        challenge: expect.stringMatching(/^[\w-]{32}$/),
        message: expect.stringContaining('respond with the challenge'),
      },
    })
    expect(JSON.stringify(challenge!.body).length).toBeLessThan(512)
    expect(receiver.received).toEqual([])
    held.resolve()
    await until(() => receiver.received.length === 2)
    expect(receiver.received.map(({ body }) => body.data.number).toSorted()).toEqual([2, 3])
    expect(receiver.challenges).toHaveLength(1)
    expect(await viewOf(id)).toMatchObject({ state: 'active', reason: null, nextTryAt: null })
  })

  const agreements: [string, (challenge: string) => Response][] = [
    ['the value', challenge => new Response(challenge)],
    ['the value and a new line', challenge => new Response(`${challenge}\n`)],
    ['an object', challenge => Response.json({ challenge })],
    ['an object with more', challenge => Response.json({ challenge, ok: true }, { status: 202 })],
  ]
  test.each(agreements)('confirms by responding with %s', async (_, agree) => {
    await using delivering = await openDelivering()
    const receiver = delivering.receive()
    receiver.agree = agree
    const id = await delivering.hook(receiver.url)
    delivering.start()
    await delivering.until(async () => (await delivering.viewOf(id)).state === 'active')
    expect(receiver.challenges).toHaveLength(1)
  })

  const refusals: [string, Receiver['agree'], string][] = [
    ['says only that it has got it', () => new Response(null, { status: 204 }), 'but not with the value'],
    ['sends back what it gets', (_, { body }) => Response.json(body), 'but not with the value'],
    ['puts it into a page', challenge => new Response(`<p>${challenge}</p>`), 'but not with the value'],
    [
      'answers with another value',
      () => Response.json({ challenge: 'x'.repeat(32) }),
      'but not with the value',
    ],
    ['answers with a list', challenge => Response.json([challenge]), 'but not with the value'],
    ['says it with an error', challenge => new Response(challenge, { status: 403 }), 'answered with 403'],
    [
      'says it after megabytes',
      challenge => new Response(`${' '.repeat(20_000)}${challenge}`),
      'not with the value',
    ],
    ['redirects', () => Response.redirect('http://127.0.0.1:9/'), 'redirects'],
  ]
  test.each(refusals)(
    'that %s has not confirmed: it is not challenged again, and gets nothing else',
    async (_, agree, why) => {
      await using delivering = await openDelivering()
      const { store, viewOf } = delivering
      const receiver = delivering.receive()
      receiver.agree = agree
      const id = await delivering.hook(receiver.url)
      await store.insert([entry()])
      delivering.start()
      await untilDisabled(delivering, id)
      expect(receiver.challenges).toHaveLength(1)
      expect(receiver.received).toEqual([])
      const { reason } = await viewOf(id)
      expect(reason).toContain('has not confirmed')
      expect(reason).toContain(why)
      expect((await store.webhooks.find(id))!.progress.cursor).toBe(0)
    },
  )

  test('that is gone is not challenged again', async () => {
    await using delivering = await openDelivering()
    const receiver = delivering.receive()
    receiver.agree = () => new Response(null, { status: 410 })
    const id = await delivering.hook(receiver.url)
    delivering.start()
    await delivering.until(async () => (await delivering.viewOf(id)).state === 'disabled')
    expect(receiver.challenges).toHaveLength(1)
  })

  test('that got messages before is challenged for days and loses none meanwhile', async () => {
    await using delivering = await openDelivering()
    const { clock, store, viewOf } = delivering
    const receiver = delivering.receive()
    receiver.agree = () => new Response(null, { status: 204 })
    const id = await delivering.hook(receiver.url, { agreed: '192.0.2.7' })
    await store.insert([entry(), entry()])
    delivering.start()
    const tookMs = await untilDisabled(delivering, id)
    expect(receiver.challenges.length).toBeGreaterThan(20)
    expect(new Set(receiver.challenges.map(({ body }) => body.data.challenge)).size).toBe(
      receiver.challenges.length,
    )
    expect(tookMs).toBeGreaterThanOrEqual(5 * 24 * 60 * 60_000)
    expect(receiver.received).toEqual([])
    // Its owner has mended it, and sends a test delivery.
    await store.webhooks.confirm(id, '127.0.0.1', clock.now())
    await delivering.until(() => receiver.received.length === 2)
    expect(await viewOf(id)).toMatchObject({ state: 'active' })
  })
})

test('a name that now resolves elsewhere is unconfirmed', async () => {
  let address = '127.0.0.1'
  await using delivering = await openDelivering(() => address)
  const { store, viewOf, until } = delivering
  const own = delivering.receive({ hostname: '127.0.0.1' })
  const victim = delivering.receive({ hostname: '127.0.0.2', port: own.port })
  victim.agree = () => new Response('What is this?')
  const id = await delivering.hook(`http://attacker.dev:${own.port}/`)
  delivering.start()
  await store.insert([entry()])
  await until(() => own.received.length === 1)
  address = '127.0.0.2'
  await store.insert([entry()])
  await until(() => victim.challenges.length === 1)
  await until(async () => (await viewOf(id)).failingSince !== null)
  expect(await viewOf(id)).toMatchObject({ state: 'unconfirmed' })
  await store.insert([entry()])
  await untilDisabled(delivering, id)
  expect(victim.received).toEqual([])
  expect(victim.challenges.length).toBeLessThan(40)
  // Who has moved there, and says so, is told what happened since.
  victim.agree = challenge => new Response(challenge)
  await store.webhooks.revive(id, delivering.clock.now())
  await until(() => victim.received.length === 2)
  // Back where it agreed before, nobody is asked again.
  address = '127.0.0.1'
  const asked = own.challenges.length
  await store.insert([entry()])
  await until(() => own.received.length === 2)
  expect(own.challenges).toHaveLength(asked)
})

test('a receiver that left one of its addresses confirms at the other', async () => {
  let addresses = ['127.0.0.1']
  await using delivering = await openDelivering(() => addresses)
  const { store, until, viewOf } = delivering
  const first = delivering.receive({ hostname: '127.0.0.1' })
  const second = delivering.receive({ hostname: '127.0.0.2', port: first.port })
  const id = await delivering.hook(`http://receiver.dev:${first.port}/`)
  delivering.start()
  await until(async () => (await viewOf(id)).state === 'active')
  // What has agreed is asked alone as long as it is there.
  addresses = ['127.0.0.2', '127.0.0.1']
  await store.insert([entry()])
  await until(() => first.received.length === 1)
  expect(second.challenges).toEqual([])
  await first[Symbol.asyncDispose]()
  await store.insert([entry()])
  await until(() => second.received.length === 1)
  expect(second.challenges).toHaveLength(1)
  expect(await viewOf(id)).toMatchObject({ state: 'active' })
})
