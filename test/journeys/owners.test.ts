// An owner changes the endpoint or wallet of a service: earlier proof no longer counts, and late results of the old endpoint never do.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Service } from '../../src/domain/listing/service.ts'
import { ask, KEY } from '../http/directory-server.ts'
import { asksV2, onBase, PAYEE, SIGNABLE, STRANGER } from '../probe/merchant.ts'
import { openProbingDirectory, type ProbingDirectory } from './probing-directory.ts'

let world: ProbingDirectory
beforeEach(async () => {
  world = await openProbingDirectory()
})
afterEach(() => world[Symbol.asyncDispose]())

/** Answers once the gate is open, and tells when it was asked. */
function openMerchant(payTo: string, gate: Promise<void> = Promise.resolve()) {
  const entered = Promise.withResolvers<void>()
  const origin = world.serve(async () => {
    entered.resolve()
    await gate
    return asksV2([{ ...onBase, payTo, extra: SIGNABLE }])
  })
  return { url: `${origin}/v1`, entered: entered.promise }
}

const send = async (method: string, path: string, json: object): Promise<Service> =>
  (
    await ask(`${world.directory.url}/api/services/${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
  ).json()
const probeCount = async (id: string) =>
  (await world.directory.json(`/api/services/${id}/history?limit=100`)).items.filter(
    ({ kind }: { kind: string }) => kind === 'probe',
  ).length

test('a new endpoint is verified again at once; a new wallet is not verified by the old one', async () => {
  const { id } = await world.register(openMerchant(PAYEE).url)
  await world.until(async () => (await world.serviceOf(id)).status === 'verified')
  const moved = await send('PATCH', id, { endpoint: openMerchant(PAYEE).url })
  expect(moved).toMatchObject({ status: 'unverified', trustScore: 0 })
  await world.until(async () => (await world.serviceOf(id)).status === 'verified')
  const before = await probeCount(id)
  const repaid = await send('PATCH', id, { x402Config: { paymentAddress: STRANGER } })
  expect(repaid.status).toBe('unverified')
  await world.until(async () => (await probeCount(id)) > before)
  expect((await world.serviceOf(id)).status).toBe('unverified')
})

test('a late response of the old endpoint does not count', async () => {
  const gate = Promise.withResolvers<void>()
  const old = openMerchant(PAYEE, gate.promise)
  const { id } = await world.register(old.url)
  await old.entered
  // The new one pays somebody else: were the old answer taken for its own, it would be verified.
  await send('PATCH', id, { endpoint: openMerchant(STRANGER).url })
  gate.resolve()
  await world.until(async () => (await probeCount(id)) > 0)
  const { items } = await world.directory.json(`/api/services/${id}/history?limit=100`)
  const outcomes = items.flatMap((item: { kind: string; outcome: string }) =>
    item.kind === 'probe' ? [item.outcome] : [],
  )
  expect(outcomes).not.toContain('payable')
  expect((await world.serviceOf(id)).status).toBe('unverified')
})

test('a retired service is not probed, and is verified again when it is restored', async () => {
  const { id } = await world.register(openMerchant(PAYEE).url)
  await world.until(async () => (await world.serviceOf(id)).status === 'verified')
  const badge = await world.directory.get(`/services/${id}/badge.svg`)
  expect(await badge.text()).toContain('>Verified<')
  await send('POST', `${id}/retire`, { message: 'Closed for the winter.' })
  // A cache between must ask each time, and learns at once that it is another picture.
  expect(badge.headers.get('cache-control')).toBe('no-cache')
  const retired = await world.directory.get(`/services/${id}/badge.svg`, {
    'if-none-match': badge.headers.get('etag')!,
  })
  expect(retired.status).toBe(200)
  expect(await retired.text()).toContain('>Discontinued<')
  const before = await probeCount(id)
  world.clock.advance(48 * 60 * 60_000)
  const other = await world.register(openMerchant(PAYEE).url)
  await world.until(async () => (await world.serviceOf(other.id)).status === 'verified')
  expect(await probeCount(id)).toBe(before)
  expect((await world.serviceOf(id)).status).toBe('inactive')
  await send('POST', `${id}/restore`, {})
  await world.until(async () => (await world.serviceOf(id)).status === 'verified')
})

test('the standing of the old endpoint does not return with one probe of the new one', async () => {
  const { id } = await world.register(openMerchant(PAYEE).url)
  await world.until(async () => (await probeCount(id)) >= 1)
  for (let probes = 2; probes <= 6; probes++) {
    world.clock.advance(20 * 60 * 60_000)
    await world.until(async () => (await probeCount(id)) >= probes)
  }
  const reasonOf = async (name: string) =>
    (await world.directory.json(`/api/services/${id}/trust`)).components.find(
      (component: { name: string }) => component.name === name,
    ).reason
  expect(await reasonOf('uptime')).not.toStartWith('It answered 1 of 1 probe')
  const before = (await world.serviceOf(id)).trustScore

  const gate = Promise.withResolvers<void>()
  const moved = {
    endpoint: openMerchant(STRANGER, gate.promise).url,
    x402Config: { paymentAddress: STRANGER },
  }
  await send('PATCH', id, moved)
  const status = await world.directory.json(`/api/services/${id}/status`)
  expect(status).toMatchObject({ status: 'unverified', trustScore: 0, uptimeScore: 0, txCount: 0 })
  expect((await world.directory.json(`/api/services/${id}/history?days=30`)).days).toEqual([])
  gate.resolve()
  await world.until(async () => (await world.serviceOf(id)).status === 'verified')
  expect((await world.serviceOf(id)).trustScore).toBeLessThan(before)
  expect(await reasonOf('uptime')).toStartWith('It answered 1 of 1 probe')
  expect(await reasonOf('age')).toStartWith(
    'It has not answered as listed, or for less, for a day since its last move',
  )
  const { days } = await world.directory.json(`/api/services/${id}/history?days=30`)
  expect(days.map(({ up }: { up: number }) => up)).toEqual([1])
})
