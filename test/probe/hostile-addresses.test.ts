// Names that lead to several addresses, many names that lead to one, and name servers that are silent.
import { afterEach, expect, test } from 'bun:test'
import { getServers, setServers } from 'node:dns'
import { HOST_PATIENCE_MS } from '../../src/probe/next-probe.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createHostGate, HostBusy, PER_ADDRESS } from '../../src/probe/requests/host-gate.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { openDnsServer } from './dns-server.ts'
import { asksV2, listing, openMerchant } from './merchant.ts'

const four = (...addresses: string[]) => addresses.map(address => ({ address, family: 4 as const }))
test('an address that accepts no connection is skipped', async () => {
  await using machine = openMerchant({ '/v1': asksV2() })
  const lookup = async () => four('127.0.0.2', '127.0.0.1')
  const fetch = createSafeFetch({ allowPrivate: true, lookup })
  const endpoint = `http://two.addresses.net:${new URL(machine.url).port}/v1`
  expect(
    await createProbe({ fetch, userAgent: 'test', random: () => 1 })({ ...listing, endpoint }),
  ).toMatchObject({ outcome: 'payable' })
})

// An attacker lists 200 services at 200 names that all lead to one machine, to have the directory ask it.

const NAMES = 200

test('200 names of one machine get no more concurrent requests, nor per second, than one address may', async () => {
  const clock = new ManualClock()
  const gate = createHostGate(clock)
  const victim = { asked: 0, inHand: 0, most: 0 }
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch() {
      victim.asked++
      victim.most = Math.max(victim.most, ++victim.inHand)
      await new Promise(resolve => setImmediate(resolve))
      victim.inHand--
      // Neither terms nor an error: the prober looks for documents too.
      return new Response('hello')
    },
  })
  const lookup = async () => [{ address: '127.0.0.1', family: 4 as const }]
  const probe = createProbe({
    fetch: createSafeFetch({ allowPrivate: true, lookup }),
    userAgent: 'test',
    gate,
    random: () => 1,
  })
  const outcomes: unknown[] = []
  for (let i = 0; i < NAMES; i++)
    probe({ endpoint: `http://name-${i}.dev:${server.port}/` }, { patienceMs: HOST_PATIENCE_MS }).then(
      outcome => outcomes.push(outcome),
      error => outcomes.push(error),
    )
  const startMs = clock.now().getTime()
  while (outcomes.length < NAMES) {
    await Bun.sleep(1)
    const spentMs = clock.now().getTime() - startMs
    expect(victim.asked).toBeLessThanOrEqual(1 + spentMs / PER_ADDRESS.apartMs)
    clock.advance(PER_ADDRESS.apartMs / 2)
  }
  expect(victim.most).toBeLessThanOrEqual(PER_ADDRESS.most)
  expect(victim.asked).toBeGreaterThan(PER_ADDRESS.most)
  // The rest comes back later, one after the other, and nothing is held against it.
  const postponed = outcomes.filter(each => each instanceof HostBusy)
  expect(postponed.length).toBeGreaterThan(NAMES / 2)
  expect(new Set(postponed.map(({ host }) => host))).toEqual(new Set(['127.0.0.1']))
}, 60_000)

// Names are looked up side by side: one whose name server is silent must not hold up the others.

const before = getServers()
afterEach(() => setServers(before))

test('a hundred names whose name server never answers do not delay the request of another name', async () => {
  const silent = Array.from({ length: 100 }, (_, i) => `n${i}.silent.dev`)
  const hosts = Object.fromEntries(silent.map(name => [name, null]))
  await using dns = await openDnsServer({ ...hosts, 'merchant.dev': '127.0.0.1' })
  setServers([dns.address])
  await using server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('here') })
  const request = createSafeFetch({ allowPrivate: true })
  let ended = 0
  const ending = new AbortController()
  const waiting = silent.map(name =>
    request(`http://${name}/`, { signal: ending.signal }).then(
      () => ended++,
      () => undefined,
    ),
  )
  expect(await request(`http://merchant.dev:${server.port}/`)).toMatchObject({ ok: true, status: 200 })
  expect(ended).toBe(0)
  ending.abort()
  await Promise.all(waiting)
})

test('a name that does not exist is told from a name server that fails', async () => {
  await using dns = await openDnsServer({ 'slow.dev': null })
  setServers([dns.address])
  const request = createSafeFetch({ allowPrivate: true })
  expect(await request('http://nowhere.dev/')).toMatchObject({
    reason: 'dns',
    message: { code: 'name_without_address', values: { errno: 'ENOTFOUND' } },
  })
  expect(await request('http://slow.dev/')).toMatchObject({
    reason: expect.stringMatching(/^(connect_timeout|dns_temporary)$/),
  })
})
