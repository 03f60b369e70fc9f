import { afterEach, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { MAX_UNCONFIRMED, MAX_WEBHOOKS } from '../../../src/domain/webhooks.ts'
import { temporaryPath } from '../../store/temporary-path.ts'
import { until } from '../../until.ts'
import { openReceiver, type Received } from '../../webhooks/receiver.ts'
import {
  type Answer,
  ask,
  body,
  createSetClock,
  KEY,
  openTestServer,
  type TestServer,
} from '../directory-server.ts'

const OTHER = 'another-key-of-the-settings'
const ON = { ALLOW_PRIVATE_ENDPOINTS: 'on', API_KEYS: `${KEY},${OTHER}`, RATE_LIMIT: '0' }

let parts = new AsyncDisposableStack()
afterEach(async () => {
  const ended = parts
  parts = new AsyncDisposableStack()
  await ended.disposeAsync()
})

const open = async (settings: Record<string, string> = {}, options?: Parameters<typeof openTestServer>[1]) =>
  parts.use(await openTestServer({ ...ON, ...settings }, options))
const receive = () => parts.use(openReceiver())

function call(server: TestServer, method: string, path: string, sent?: unknown, key = KEY): Promise<Answer> {
  return ask(`${server.url}/api/webhooks${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(sent !== undefined && { body: JSON.stringify(sent) }),
  })
}

/** Makes a webhook, and lets its receiver agree. */
async function make(server: TestServer, sent: object, key = KEY) {
  const made = await call(server, 'POST', '', sent, key)
  expect(made.status).toBe(201)
  const webhook = await made.json()
  const challenge = () => call(server, 'POST', `/${webhook.id}/test`, undefined, key)
  let answer = await challenge()
  // The server sends challenges of its own, and only so many to one host at a time.
  while (answer.status === 429) answer = await challenge()
  expect(await answer.json()).toMatchObject({ delivered: true, detail: 'It answered the challenge.' })
  return webhook
}

/** As a receiver does with the library of the convention. */
const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(JSON.stringify(body), Object.fromEntries(headers))

test('a webhook is created, gets events, is listed and removed', async () => {
  const server = await open()
  const receiver = receive()
  const found: number[] = []
  receiver.answer = async ({ body }) => {
    // Whoever is told can look it up.
    found.push((await server.get(`/api/services/${body.data.serviceId}`)).status)
    return new Response()
  }
  const sent = { url: `${receiver.url}/in`, events: ['service.registered'], filter: { chain: 'base' } }
  const made = await call(server, 'POST', '', { ...sent, name: 'ignored' })
  expect(made.status).toBe(201)
  expect(made.headers.get('cache-control')).toBe('no-store')
  expect(made.headers.get('x-ignored-fields')).toBe('name')
  const { secret, ...webhook } = await made.json()
  expect(made.headers.get('location')).toBe(`/api/webhooks/${webhook.id}`)
  const unconfirmed = { state: 'unconfirmed', confirmedAt: null, reason: null, lastDeliveredAt: null }
  expect(webhook).toMatchObject({ ...sent, ...unconfirmed })
  // It is asked by itself whether it agrees.
  await until(async () => (await (await call(server, 'GET', '')).json())[0].state === 'active')
  expect(receiver.challenges.map(challenge => verify(secret, challenge))).toMatchObject([
    { type: 'webhook.challenge', data: { webhookId: webhook.id } },
  ])

  const registered = await (await server.register(body())).json()
  await server.register(body({ x402Config: { paymentAddress: 'x', network: 'near' } }))
  await until(() => receiver.received.length > 0)
  const [received] = receiver.received
  expect(verify(secret, received!)).toMatchObject({
    type: 'service.registered',
    timestamp: registered.createdAt,
    data: { serviceId: registered.id, type: 'service.registered', before: null, after: registered },
  })
  expect(received!.headers.get('user-agent')).toMatch(/^Shirube-Webhooks\//)
  expect(received!.path).toBe('/in')
  await until(() => found.length > 0)
  expect(found).toEqual([200])

  await until(async () => (await (await call(server, 'GET', '')).json())[0].lastDeliveredAt !== null)
  const listed = await call(server, 'GET', '')
  expect([listed.headers.get('x-total-count'), listed.headers.get('cache-control')]).toEqual([
    '1',
    'no-store',
  ])
  const text = await listed.text()
  expect(text).not.toContain('secret')
  expect(text).not.toContain(secret.slice(6))
  expect(JSON.parse(text)).toMatchObject([{ id: webhook.id, state: 'active' }])

  const removed = await call(server, 'DELETE', `/${webhook.id}`)
  expect([removed.status, await removed.text()]).toEqual([204, ''])
  expect((await call(server, 'DELETE', `/${webhook.id}`)).status).toBe(404)
  expect(await (await call(server, 'GET', '')).json()).toEqual([])
  expect(receiver.received).toHaveLength(1)
})

describe('a test delivery', () => {
  test('is signed, reports its result, and shows nothing of the response', async () => {
    const server = await open()
    const receiver = receive()
    const { id, secret } = await make(server, { url: receiver.url })
    const good = await call(server, 'POST', `/${id}/test`)
    expect(good.status).toBe(200)
    expect(await good.json()).toEqual({
      delivered: true,
      httpStatus: 204,
      latencyMs: expect.any(Number),
      detail: 'It answered with 204.',
      code: 'delivery_received',
      values: { status: 204 },
    })
    expect(verify(secret, receiver.received[0]!)).toMatchObject({
      type: 'webhook.test',
      data: { webhookId: id },
    })
    receiver.answer = () => new Response('a secret of the intranet', { status: 500 })
    const bad = await (await call(server, 'POST', `/${id}/test`)).text()
    expect(JSON.parse(bad)).toMatchObject({ delivered: false, httpStatus: 500 })
    expect(bad).not.toContain('intranet')
    receiver.answer = () => Response.redirect(`${receiver.url}/elsewhere`, 302)
    expect(await (await call(server, 'POST', `/${id}/test`)).json()).toMatchObject({
      delivered: false,
      detail: expect.stringContaining('redirects'),
    })
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/', '/'])
    // Nothing of this says how deliveries fare.
    expect(await (await call(server, 'GET', '')).json()).toMatchObject([{ state: 'active', reason: null }])
  })

  test('that arrives resumes a disabled webhook where it stopped', async () => {
    const server = await open()
    const receiver = receive()
    receiver.answer = () => new Response(null, { status: 410 })
    const { id } = await make(server, { url: receiver.url })
    await server.register(body())
    const stateOf = async () => (await (await call(server, 'GET', '')).json())[0]
    await until(async () => (await stateOf()).state === 'disabled')
    expect((await stateOf()).reason).toContain('410')
    await server.register(body())
    expect(await (await call(server, 'POST', `/${id}/test`)).json()).toMatchObject({ delivered: false })
    expect((await stateOf()).state).toBe('disabled')
    receiver.answer = () => new Response()
    await call(server, 'POST', `/${id}/test`)
    expect(await stateOf()).toMatchObject({ state: 'active', reason: null })
    const events = () => receiver.received.filter(({ body }) => body.type === 'service.registered')
    await until(() => events().length === 3)
    expect(
      events()
        .map(({ body }) => body.data.number)
        .toSorted(),
    ).toEqual([1, 1, 2])
  })

  test('challenges a receiver that has not confirmed, and reports what is missing', async () => {
    const server = await open()
    const receiver = receive()
    receiver.agree = () => new Response('a secret of the intranet', { status: 200 })
    const { id } = await (await call(server, 'POST', '', { url: receiver.url })).json()
    const bad = await (await call(server, 'POST', `/${id}/test`)).text()
    expect(JSON.parse(bad)).toMatchObject({
      delivered: false,
      httpStatus: 200,
      detail: 'It answered with 200, but not with the value of the challenge.',
    })
    expect(bad).not.toContain('intranet')
    receiver.agree = challenge => Response.json({ challenge })
    expect(await (await call(server, 'POST', `/${id}/test`)).json()).toMatchObject({ delivered: true })
    expect(await (await call(server, 'GET', '')).json()).toMatchObject([
      { state: 'active', confirmedAt: expect.any(String), reason: null },
    ])
    expect(receiver.received).toEqual([])
  })

  test('can be sent ten times a minute', async () => {
    const clock = createSetClock('2026-11-01T12:00:00Z')
    const server = await open({}, { clock })
    const receiver = receive()
    const { id } = await make(server, { url: receiver.url })
    const statuses: number[] = []
    for (let i = 2; i <= 11; i++) statuses.push((await call(server, 'POST', `/${id}/test`)).status)
    expect(statuses).toEqual([...Array<number>(9).fill(200), 429])
    clock.set('2026-11-01T12:01:00Z')
    expect((await call(server, 'POST', `/${id}/test`)).status).toBe(200)
  })
})

describe('nobody', () => {
  test('has more webhooks than allowed', async () => {
    const clock = createSetClock('2026-11-01T12:00:00Z')
    const server = await open({}, { clock })
    const receiver = receive()
    for (let i = 0; i < MAX_WEBHOOKS - 3; i++) {
      clock.set(`2026-11-01T12:${i + 10}:00Z`)
      await make(server, { url: `${receiver.url}/${i}` })
    }
    const ask = (key = KEY) => call(server, 'POST', '', { url: 'https://receiver.example' }, key)
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.find(({ status }) => status === 403)
    expect((await refused!.json()).detail).toContain(`${MAX_WEBHOOKS} webhooks already`)
    // Of those that wait for their receivers there are fewer.
    const others = await Promise.all(Array.from({ length: MAX_UNCONFIRMED + 2 }, () => ask(OTHER)))
    expect(others.filter(({ status }) => status === 201)).toHaveLength(MAX_UNCONFIRMED)
    const waiting = others.find(({ status }) => status === 403)
    expect((await waiting!.json()).detail).toContain(`${MAX_UNCONFIRMED} of your webhooks are waiting`)
  })

  test('leads the directory to a private address, unless that is allowed', async () => {
    const server = await open({ ALLOW_PRIVATE_ENDPOINTS: 'off' })
    for (const url of ['http://127.0.0.1:1/', 'http://[::ffff:10.0.0.1]/', 'http://169.254.169.254/latest']) {
      const refused = await call(server, 'POST', '', { url })
      expect(refused.status).toBe(400)
      expect((await refused.json()).errors).toMatchObject([{ path: 'url' }])
    }
  })

  test('gets messages while webhooks are off', async () => {
    const path = temporaryPath('store.db')
    const receiver = receive()
    const first = await open({ DATABASE_URL: `sqlite:${path}` })
    const { id } = await (await call(first, 'POST', '', { url: receiver.url })).json()
    const off = await open({ DATABASE_URL: `sqlite:${path}`, WEBHOOKS: 'off' })
    expect((await call(off, 'POST', '', { url: receiver.url })).status).toBe(403)
    expect((await call(off, 'POST', `/${id}/test`)).status).toBe(403)
    expect(await (await call(off, 'GET', '')).json()).toHaveLength(1)
    expect((await call(off, 'DELETE', `/${id}`)).status).toBe(204)
    expect(receiver.received).toEqual([])
  })
})

test('secrets stay out of the log', async () => {
  let lines = ''
  const log = (text: string) => {
    lines += text
  }
  const server = await open({ LOG_LEVEL: 'debug' }, { log })
  const receiver = receive()
  const { id, secret } = await make(server, { url: receiver.url })
  receiver.answer = () => new Response(null, { status: 500 })
  await server.register(body())
  await call(server, 'POST', `/${id}/test`)
  await until(() => receiver.received.length === 2)
  await until(async () => (await (await call(server, 'GET', '')).json())[0].state === 'failing')
  await server[Symbol.asyncDispose]()
  expect(lines).toContain('/api/webhooks')
  expect(lines).not.toContain(secret.slice(6, 30))
})

test('metrics count the outcomes of messages', async () => {
  const server = await open()
  const [good, bad, gone] = [receive(), receive(), receive()]
  bad.answer = () => new Response(null, { status: 500 })
  gone.answer = () => new Response(null, { status: 410 })
  for (const { url } of [good, bad, gone]) {
    await make(server, { url, events: ['service.registered'] })
  }
  await call(server, 'POST', '', { url: 'https://receiver.example' })
  await server.register(body())
  const metrics = async () => (await (await server.get('/metrics')).text()).split('\n')
  const expected = [
    'shirube_webhook_messages_total{result="delivered"} 1',
    'shirube_webhook_messages_total{result="failed"} 2',
  ]
  await until(async () => {
    const lines = await metrics()
    return expected.every(line => lines.includes(line))
  })
})
