// A merchant is registered, verified, changes its wallet, dies and returns; every step has its reason.
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { createRandom } from '../../bench/catalog.ts'
import type { Service, StatusRecord } from '../../src/domain/listing/service.ts'
import type { History } from '../../src/domain/standing/history.ts'
import type { Trust } from '../../src/domain/standing/trust.ts'
import { freePort } from '../free-port.ts'
import { asksV2, onBase, onSolana, PAYEE, STRANGER } from '../probe/merchant.ts'
import { openProbingDirectory, type ProbingDirectory } from './probing-directory.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let world: ProbingDirectory
let directory: ProbingDirectory['directory']
beforeEach(async () => {
  // Drawn between 0.1 and 0.95, no interval is shorter than six minutes: the clock skips over no probe.
  const draw = createRandom(1)
  const random = spyOn(Math, 'random').mockImplementation(() => 0.1 + draw(8_500) / 10_000)
  world = await openProbingDirectory({ METRICS: 'open' })
  world.use(random)
  directory = world.directory
})
afterEach(() => world[Symbol.asyncDispose]())

/** Can die, and come back at the same address. */
async function openMortalMerchant() {
  let accepts: readonly object[] = [onBase]
  let asked = 0
  const listen = (port: number) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      fetch: ({ url }) => {
        // What the domain says is asked for as well, once a day.
        if (new URL(url).pathname === '/v1') asked++
        return asksV2(accepts)
      },
    })
  const port = await freePort()
  let server = listen(port)
  world.use({ [Symbol.asyncDispose]: () => server.stop(true) })
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get asked() {
      return asked
    },
    offer(...next: readonly object[]) {
      accepts = next
    },
    die: () => server.stop(true),
    comeBack() {
      server = listen(port)
    },
  }
}

const read = async <T>(path: string): Promise<T> => directory.json(path)
const historyOf = (id: string) => read<History>(`/api/services/${id}/history?limit=100`)
const probesOf = async (id: string) =>
  (await historyOf(id)).items.flatMap(item => (item.kind === 'probe' ? [item] : []))
const transitionsOf = async (id: string) =>
  (await historyOf(id)).items.flatMap(item => (item.kind === 'event' && item.type === 'status' ? [item] : []))

/** The samples of one metric, without its name. */
const metricsOf = async (name: string) => {
  const lines = (await (await directory.get('/metrics')).text()).split('\n')
  return lines.filter(line => /^\w+/.exec(line)?.[0] === name).map(line => line.slice(name.length))
}

/** How many probes of a service the test has waited for. */
const awaited = new Map<string, number>()

/** Moves the clock until one more probe is kept and served; answers how long that took. A first probe needs no more than seconds. */
async function nextProbe(id: string): Promise<number> {
  // Not what is kept by now: the first probe may be as quick as the question.
  const before = awaited.get(id) ?? 0
  awaited.set(id, before + 1)
  const startMs = world.clock.now().getTime()
  for (;;) {
    const probes = await probesOf(id)
    const status = await read<StatusRecord>(`/api/services/${id}/status`)
    if (probes.length > before && status.lastChecked === probes[0]?.at) break
    // Steps are shorter than any interval, so that no probe is skipped over.
    const stepMs = status.status === 'inactive' ? 4 * MINUTE_MS : 50_000
    if (probes.length === before) world.clock.advance(before > 0 ? stepMs : 100)
    await Bun.sleep(2)
  }
  const trust = await read<Trust>(`/api/services/${id}/trust`)
  const { trustScore, status } = await world.serviceOf(id)
  expect(trust).toMatchObject({ trustScore, status })
  expect(trust.components.reduce((sum, { points }) => sum + (points ?? 0), 0)).toBe(trustScore)
  return world.clock.now().getTime() - startMs
}

test('a service is registered, verified, changes its wallet, dies and returns', async () => {
  const merchant = await openMortalMerchant()
  merchant.offer(onBase, onSolana)
  const listed = await world.register(merchant.url)
  const { id } = listed
  expect(listed).toMatchObject({ status: 'unverified', trustScore: 0, supportedChains: ['base'] })

  await nextProbe(id)
  const proven = await world.serviceOf(id)
  expect(proven).toMatchObject({ status: 'verified', supportedChains: ['base', 'solana'] })
  // Verified, and nothing else yet: nobody has paid.
  expect(proven.trustScore).toBeGreaterThanOrEqual(4)
  expect((await transitionsOf(id))[0]).toMatchObject({ before: 'unverified', after: 'verified' })
  expect((await transitionsOf(id))[0]?.reason).toContain(`It asks to pay ${PAYEE}, as listed.`)
  const verified = await read<Service[]>('/api/services?status=verified')
  expect(verified.map(service => service.id)).toContain(id)

  merchant.offer({ ...onBase, payTo: STRANGER })
  expect(await nextProbe(id)).toBeWithin(5 * MINUTE_MS, 3.1 * HOUR_MS)
  expect((await world.serviceOf(id)).status).toBe('unverified')
  expect((await transitionsOf(id))[0]?.reason).toContain(`It asks to pay ${STRANGER}, not ${PAYEE}`)
  const { items } = await historyOf(id)
  expect(items.find(item => item.kind === 'event' && item.type === 'pay_to')).toMatchObject({
    before: [PAYEE],
    after: [STRANGER],
  })

  await merchant.die()
  await nextProbe(id)
  expect((await world.serviceOf(id)).status).toBe('unverified')
  expect(await nextProbe(id)).toBeWithin(5 * MINUTE_MS, 3.1 * HOUR_MS)
  expect((await world.serviceOf(id)).status).toBe('unverified')
  expect(await nextProbe(id)).toBeWithin(30 * MINUTE_MS, 18.1 * HOUR_MS)
  expect((await world.serviceOf(id)).status).toBe('inactive')
  expect((await transitionsOf(id))[0]?.reason).toStartWith('3 probes in a row failed. ')
  // Of five probes two were answered.
  expect(await read<StatusRecord>(`/api/services/${id}/status`)).toMatchObject({ uptimeScore: 40 })

  merchant.comeBack()
  merchant.offer(onBase)
  expect(await nextProbe(id)).toBeGreaterThan(20 * HOUR_MS)
  expect((await world.serviceOf(id)).status).toBe('inactive')
  expect(await nextProbe(id)).toBeLessThan(HOUR_MS / 2)
  expect(await world.serviceOf(id)).toMatchObject({ status: 'verified', supportedChains: ['base'] })
  expect((await transitionsOf(id))[0]?.reason).toStartWith('It answered 2 probes in a row after a failure. ')

  expect((await probesOf(id)).map(({ outcome }) => outcome).reverse()).toEqual([
    'payable',
    'mismatched',
    'unreachable',
    'unreachable',
    'unreachable',
    'payable',
    'payable',
  ])
  // Four probes were answered, with six requests each at most.
  expect(merchant.asked).toBeWithin(4, 25)
  expect(await metricsOf('shirube_probes_total')).toContain('{outcome="unreachable"} 3')
  expect(await metricsOf('shirube_probing')).toEqual([' 1'])
  while ((await metricsOf('shirube_probes_due'))[0] !== ' 0') {
    world.clock.advance(1_000)
    await Bun.sleep(2)
  }
})

test('a probe that changes nothing public leaves updatedAt alone', async () => {
  const listed = await world.register(world.serve(() => new Response('', { status: 403 })))
  await nextProbe(listed.id)
  await nextProbe(listed.id)
  expect((await probesOf(listed.id))[0]).toMatchObject({ outcome: 'refused', httpStatus: 403 })
  expect(await world.serviceOf(listed.id)).toEqual(listed)
  const { lastChecked } = await read<StatusRecord>(`/api/services/${listed.id}/status`)
  expect(lastChecked > listed.createdAt).toBe(true)
})

test('a registration is answered while the merchant is slow', async () => {
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const origin = world.serve(async () => {
    asked.resolve()
    await held.promise
    return asksV2()
  })
  const { id, status } = await world.register(origin)
  expect(status).toBe('unverified')
  await asked.promise
  expect((await world.serviceOf(id)).status).toBe('unverified')
  held.resolve()
  await nextProbe(id)
  expect((await world.serviceOf(id)).status).toBe('verified')
})
