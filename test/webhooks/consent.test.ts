import { describe, expect, test } from 'bun:test'
import { FIRST_CHALLENGE_MS } from '../../src/domain/webhooks.ts'
import { entry } from '../entries.ts'
import { openDelivering, SECRET } from './delivering.ts'
import { isSignedWith, type Receiver } from './receiver.ts'

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
    expect(receiver.received.map(({ body }) => body.data.number)).toEqual([2, 3])
    expect(receiver.challenges).toHaveLength(1)
    expect(await viewOf(id)).toMatchObject({ state: 'active', reason: null, nextTryAt: null })
  })

  const refusals: [string, Receiver['agree'], string][] = [
    ['sends back what it gets', (_, { body }) => Response.json(body), 'but not with the value'],
    ['says it with an error', challenge => new Response(challenge, { status: 403 }), 'answered with 403'],
    [
      'says it after megabytes',
      challenge => new Response(`${' '.repeat(20_000)}${challenge}`),
      'not with the value',
    ],
    ['redirects', () => Response.redirect('http://127.0.0.1:9/'), 'redirects'],
    ['is gone', () => new Response(null, { status: 410 }), '410'],
  ]
  test.each(refusals)(
    'that %s has not confirmed: it is not challenged again, and gets nothing else',
    async (_, agree, why) => {
      await using delivering = await openDelivering()
      const { clock, store, until, viewOf } = delivering
      const receiver = delivering.receive()
      receiver.agree = agree
      const id = await delivering.hook(receiver.url)
      await store.insert([entry()])
      delivering.start()
      await until(async () => (await viewOf(id)).state === 'disabled')
      expect(receiver.challenges).toHaveLength(1)
      expect(receiver.received).toEqual([])
      const { reason } = await viewOf(id)
      expect(reason).toContain('has not confirmed')
      expect(reason).toContain(why)
      // Its owner has mended it, and sends a test delivery: nothing is lost.
      await store.webhooks.confirm(id, clock.now())
      await until(() => receiver.received.length === 1)
    },
  )
})
