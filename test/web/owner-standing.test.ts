// After several probes and edits, owners and buyers see the result of the newest.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { judge } from '../../src/domain/standing/judge.ts'
import type { ProbeRecord } from '../../src/domain/standing/standing.ts'
import { comparePrice } from '../../src/domain/terms/terms.ts'
import { type Message, say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { body, createSetClock, KEY, openTestServer, type TestServer } from '../http/directory-server.ts'
import { recordProbe } from '../probes.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { requirements, resource, seen } from '../terms.ts'
import { createVisitor, type Visitor } from './visitor.ts'

const DATABASE_URL = `sqlite:${temporaryPath('owner-standing.db')}`
const START = Date.parse('2026-11-10T08:00:00.000Z')
const at = (second: number) => new Date(START + second * 1_000).toISOString()
const WALLET = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'
const OTHER_WALLET = `0x${'5'.repeat(40)}`
const clock = createSetClock(at(0))

let server: TestServer
let visitor: Visitor
beforeAll(async () => {
  server = await openTestServer({ DATABASE_URL, RATE_LIMIT: '0' }, { clock })
  visitor = createVisitor(server.url)
  await visitor.send('/sign-in', { action: 'key', key: KEY })
})
afterAll(() => server[Symbol.asyncDispose]())

const LISTED = { currency: 'USDC', pricePerRequest: '0.002', freeQuota: 0 }

async function register(name: string): Promise<string> {
  clock.set(at(0))
  const endpoint = `https://${name}.example.com/v1`
  const x402Config = { paymentAddress: WALLET, network: 'base' }
  return (await (await server.register(body({ name, endpoint, pricing: LISTED, x402Config }))).json()).id
}

/** Stores what a prober would have found, and waits until the server has read it. */
async function record(
  id: string,
  second: number,
  asked: string,
  payTo = WALLET,
  reasons: Message[] = [],
  listed = LISTED,
) {
  const asks = { amount: asked, currency: 'USDC' }
  const price = comparePrice(asks, listed)
  const accepts = [{ ...requirements, payTo, price: asked, amount: String(Math.round(Number(asked) * 1e6)) }]
  const probe: ProbeRecord = {
    serviceId: id,
    at: at(second),
    outcome: reasons.length > 0 ? 'mismatched' : 'payable',
    httpStatus: 402,
    latencyMs: 150,
    priceSeen: asked,
    asListed: price === 'same' && payTo === WALLET,
    reasons,
  }
  await using store = await openStore(DATABASE_URL, { clock: systemClock })
  const terms = {
    payTo: [payTo],
    price: asks,
    furtherChains: [],
    seen: { ...seen(resource({ accepts })), asks, price },
  }
  await recordProbe(store, probe, (kept, history) => ({
    ...judge(kept, { probe, terms }, history),
    dueAt: null,
  }))
  while ((await server.json(`/api/services/${id}/status`)).lastChecked !== probe.at) await Bun.sleep(5)
}

test('the days of a service that only ever failed have no mean latency', async () => {
  const id = await register('broken')
  const probe: ProbeRecord = {
    ...{ serviceId: id, at: at(1), outcome: 'unreachable', httpStatus: 500, latencyMs: 20 },
    ...{ priceSeen: null, asListed: false, reasons: [] },
  }
  await using store = await openStore(DATABASE_URL, { clock: systemClock })
  await recordProbe(store, probe, (kept, history) => ({
    ...judge(kept, { probe, terms: undefined }, history),
    dueAt: null,
  }))
  const read = async () => (await server.get(`/services/${id}`)).text()
  let text = await read()
  while (!text.includes('id="days"')) text = await read()
  expect(text).toContain('<td>0</td><td>1</td><td>–</td>')
  expect(text).toContain('<rect class="stop"')
  expect(text).not.toContain('NaN')
})

const asksMore = (price: string) =>
  say('asks_more', { price, currency: 'USDC', upTo: false, listed: '0.002 USDC' })
const whyOf = (text: string) => /<section class="panel judged([\s\S]*?)<dl/.exec(text)![1]!
const own = async (id: string) => (await visitor.get(`/yours/${id}`)).text()

test('the reason for the status comes from the newest probe, even if the status has not changed since', async () => {
  const id = await register('turncoat')
  await record(id, 1, '0.002')
  await record(id, 2, '0.009', WALLET, [asksMore('0.009')])
  const read = async () => whyOf(await (await server.get(`/services/${id}`)).text())
  expect(await read()).toContain('0.009')
  await record(id, 3, '0.002', OTHER_WALLET, [
    say('other_address', { address: WALLET, seen: [OTHER_WALLET], more: 0 }),
  ])
  expect(await read()).not.toContain('0.009')
  expect(await read()).toContain(OTHER_WALLET)
})

test('a listing that was never verified shows the reason found by its probe', async () => {
  const id = await register('stranger')
  await record(id, 1, '0.009', WALLET, [asksMore('0.009')])
  const why = whyOf(await (await server.get(`/services/${id}`)).text())
  expect(why).toContain('0.009')
  expect(why).not.toContain('history')
})

test('a restored listing says so, without old reasons', async () => {
  const id = await register('paused')
  await record(id, 1, '0.002')
  clock.set(at(2))
  await visitor.send(`/yours/${id}`, { action: 'retire', message: 'Back soon' })
  await visitor.send(`/yours/${id}`, { action: 'restore' })
  const why = whyOf(await (await server.get(`/services/${id}`)).text())
  expect(why).toContain('Its owner brought it back.')
})

test('owners are told if the endpoint asks less than listed; buyers get no warning of it', async () => {
  const id = await register('cheap')
  await record(id, 1, '0.002')
  expect(await own(id)).toContain('No problems: the endpoint answers as listed.')
  await record(id, 2, '0.001')
  const text = await own(id)
  expect(text).not.toContain('No problems')
  expect(text).toContain('<strong>Asks 0.001 USDC, listed at 0.002 USDC</strong>')
  const page = await (await server.get(`/services/${id}`)).text()
  expect(page).not.toContain('filters and comparisons use the listed one')
})

test('after the owner corrects the price, the page says that it awaits a probe, not the old problem', async () => {
  const id = await register('corrected')
  await record(id, 1, '0.005', WALLET, [asksMore('0.005')])
  expect(await own(id)).toContain('0.005')
  clock.set(at(5))
  const sent = await fetch(`${server.url}/api/services/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ pricing: { pricePerRequest: '0.005' } }),
  })
  expect(sent.status).toBe(200)
  const text = (await own(id)).split('<form class="register')[0]!
  expect(text).toContain('Not probed since you changed the price')
  expect(text).not.toContain('0.002')
  await record(id, 9, '0.005', WALLET, [], { ...LISTED, pricePerRequest: '0.005' })
  expect(await own(id)).not.toContain('Not probed since you changed the price')
})

test('after the endpoint changes, no finding of the old endpoint is shown for the new one', async () => {
  const id = await register('moving')
  for (const second of [1, 2]) await record(id, second, '0.002', OTHER_WALLET, [asksMore('0.002')])
  const read = async () => (await server.get(`/services/${id}`)).text()
  expect(await read()).toContain('150')
  expect(await read()).toContain('id="days"')
  clock.set(at(5))
  const edit = (patch: object) =>
    fetch(`${server.url}/api/services/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify(patch),
    })
  await edit({ endpoint: 'https://moved.dev/v1' })
  const moved = await read()
  expect(moved).not.toContain('id="days"')
  expect(moved).toMatch(/<dt>Last probed<\/dt><dd>Not yet/)
  expect(moved).toContain('Not probed yet')
  const card = (await (await server.get('/?q=moving')).text()).split('<li class="card">')[1]!
  expect(card).not.toContain('0%')
  await record(id, 9, '0.002')
  const probed = await read()
  expect(probed).not.toMatch(/<dt>Last probed<\/dt><dd>Not yet/)
  expect(probed).toContain('1 of 1 probe answered')
  // A name is no other place.
  clock.set(at(12))
  await edit({ name: 'Renamed' })
  expect(await read()).toContain('1 of 1 probe answered')
})
