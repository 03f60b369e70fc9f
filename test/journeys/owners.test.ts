// An owner points a service somewhere else: what was proved counts no more, and what is being proved of the old place never will.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Service } from '../../src/domain/service.ts'
import { ask, body, KEY, openTestServer, type TestServer } from '../http/directory-server.ts'
import { asksV2, onBase, PAYEE, STRANGER } from '../probe/merchant.ts'
import { ManualClock } from '../store/manual-clock.ts'

let clock: ManualClock
let directory: TestServer
let parts: AsyncDisposableStack
beforeEach(async () => {
  parts = new AsyncDisposableStack()
  clock = new ManualClock()
  directory = parts.use(await openTestServer({ PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on' }, { clock }))
})
afterEach(() => parts.disposeAsync())

/** Answers when it may, and tells when it was asked. */
function openMerchant(payTo: string, gate: Promise<void> = Promise.resolve()) {
  const entered = Promise.withResolvers<void>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch() {
      entered.resolve()
      await gate
      return asksV2([{ ...onBase, payTo }])
    },
  })
  parts.defer(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}/v1`, entered: entered.promise }
}

const register = async (endpoint: string): Promise<Service> =>
  (
    await directory.register(body({ endpoint, x402Config: { paymentAddress: PAYEE, network: 'base' } }))
  ).json()
const serviceOf = (id: string): Promise<Service> => directory.json(`/api/services/${id}`)
const send = async (method: string, path: string, json: object): Promise<Service> =>
  (
    await ask(`${directory.url}/api/services/${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
  ).json()
const eventually = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) {
    clock.advance(250)
    await Bun.sleep(2)
  }
}
const probeCount = async (id: string) =>
  (await directory.json(`/api/services/${id}/history?limit=100`)).items.filter(
    ({ kind }: { kind: string }) => kind === 'probe',
  ).length

test('a new endpoint is verified again at once; a new wallet is not verified by the old one', async () => {
  const { id } = await register(openMerchant(PAYEE).url)
  await eventually(async () => (await serviceOf(id)).status === 'verified')
  const moved = await send('PATCH', id, { endpoint: openMerchant(PAYEE).url })
  expect(moved).toMatchObject({ status: 'unverified', trustScore: 0 })
  await eventually(async () => (await serviceOf(id)).status === 'verified')
  const before = await probeCount(id)
  const repaid = await send('PATCH', id, { x402Config: { paymentAddress: STRANGER } })
  expect(repaid.status).toBe('unverified')
  await eventually(async () => (await probeCount(id)) > before)
  expect((await serviceOf(id)).status).toBe('unverified')
})

test('a late response of the old endpoint does not count', async () => {
  const gate = Promise.withResolvers<void>()
  const old = openMerchant(PAYEE, gate.promise)
  const { id } = await register(old.url)
  await old.entered
  // The new one pays somebody else: were the old answer taken for its own, it would be verified.
  await send('PATCH', id, { endpoint: openMerchant(STRANGER).url })
  gate.resolve()
  await eventually(async () => (await probeCount(id)) > 0)
  const { items } = await directory.json(`/api/services/${id}/history?limit=100`)
  const outcomes = items.flatMap((item: { kind: string; outcome: string }) =>
    item.kind === 'probe' ? [item.outcome] : [],
  )
  expect(outcomes).not.toContain('payable')
  expect((await serviceOf(id)).status).toBe('unverified')
})

test('a retired service is not probed, and is verified again when it is restored', async () => {
  const { id } = await register(openMerchant(PAYEE).url)
  await eventually(async () => (await serviceOf(id)).status === 'verified')
  await send('POST', `${id}/retire`, { message: 'Closed for the winter.' })
  const before = await probeCount(id)
  clock.advance(48 * 60 * 60_000)
  const other = await register(openMerchant(PAYEE).url)
  await eventually(async () => (await serviceOf(other.id)).status === 'verified')
  expect(await probeCount(id)).toBe(before)
  expect((await serviceOf(id)).status).toBe('inactive')
  await send('POST', `${id}/restore`, {})
  await eventually(async () => (await serviceOf(id)).status === 'verified')
})

test('the standing of the old endpoint does not return with one probe of the new one', async () => {
  const { id } = await register(openMerchant(PAYEE).url)
  await eventually(async () => (await probeCount(id)) >= 1)
  for (let probes = 2; probes <= 6; probes++) {
    clock.advance(20 * 60 * 60_000)
    await eventually(async () => (await probeCount(id)) >= probes)
  }
  const reasonOf = async (name: string) =>
    (await directory.json(`/api/services/${id}/trust`)).components.find(
      (component: { name: string }) => component.name === name,
    ).reason
  expect(await reasonOf('uptime')).not.toStartWith('It answered 1 of 1 probe')
  const before = (await serviceOf(id)).trustScore

  const gate = Promise.withResolvers<void>()
  const moved = {
    endpoint: openMerchant(STRANGER, gate.promise).url,
    x402Config: { paymentAddress: STRANGER },
  }
  await send('PATCH', id, moved)
  const status = await directory.json(`/api/services/${id}/status`)
  expect(status).toMatchObject({ status: 'unverified', trustScore: 0, uptimeScore: 0, txCount: 0 })
  expect((await directory.json(`/api/services/${id}/history?days=30`)).days).toEqual([])
  gate.resolve()
  await eventually(async () => (await serviceOf(id)).status === 'verified')
  expect((await serviceOf(id)).trustScore).toBeLessThan(before)
  expect(await reasonOf('uptime')).toStartWith('It answered 1 of 1 probe')
  expect(await reasonOf('age')).toStartWith('It has not answered as listed for a day since its last move')
  const { days } = await directory.json(`/api/services/${id}/history?days=30`)
  expect(days.map(({ up }: { up: number }) => up)).toEqual([1])
})
