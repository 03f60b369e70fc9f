// A name that leads to several machines: each may answer otherwise, and a customer may be led to any of them.
import { afterEach, describe, expect, test } from 'bun:test'
import { getServers, setServers } from 'node:dns'
import { createProber } from '../../src/probe/prober.ts'
import { drawAddresses, type ResolvedAddress } from '../../src/probe/requests/addresses.ts'
import { createHostGate, HostBusy, PER_ADDRESS } from '../../src/probe/requests/host-gate.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { HOST_PATIENCE_MS } from '../../src/probe/rounds.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { openDnsServer } from './dns-server.ts'
import { asksV2, listing, onBase, STRANGER } from './merchant.ts'
import { createRandom, probeUntilBad } from './until-bad.ts'

const four = (...addresses: string[]) => addresses.map(address => ({ address, family: 4 as const }))
const six = (...addresses: string[]) => addresses.map(address => ({ address, family: 6 as const }))
const honest = asksV2()
const robbing = asksV2([{ ...onBase, amount: '900000', payTo: STRANGER }])

/** The same port at two addresses. */
async function openTwo(answers: Readonly<Record<string, Response>>) {
  const asked: string[] = []
  const [first, ...others] = Object.keys(answers)
  const open = (hostname: string, port: number) =>
    Bun.serve({
      hostname,
      port,
      fetch: ({ url }) => {
        asked.push(hostname)
        return new URL(url).pathname === '/v1'
          ? (answers[hostname]!.clone() as Response)
          : new Response('', { status: 404 })
      },
    })
  const server = open(first!, 0)
  const servers = [server, ...others.map(hostname => open(hostname, server.port!))]
  return {
    asked,
    endpoint: `http://two.addresses.net:${server.port}/v1`,
    [Symbol.asyncDispose]: async () => void (await Promise.all(servers.map(each => each.stop(true)))),
  }
}

function prober(found: readonly ResolvedAddress[]) {
  const fetch = createSafeFetch({ allowPrivate: true, lookup: async () => found })
  return createProber({ fetch, userAgent: 'Shirube-Prober/1', random: createRandom(4_711) })
}

describe('a thief at the second address', () => {
  test('is detected within a few probes, and probed until it is fixed', async () => {
    await using machines = await openTwo({ '127.0.0.1': honest, '127.0.0.2': robbing })
    const probe = prober(four('127.0.0.1', '127.0.0.2'))
    const target = { ...listing, endpoint: machines.endpoint }
    const { count, codes, last } = await probeUntilBad(probe, target)
    expect(codes).toContain('other_address')
    expect(count).toBeLessThanOrEqual(8)
    expect(machines.asked).toContain('127.0.0.2')
    let { resource } = last
    for (let i = 0; i < 6; i++) {
      const again = await probe({ ...target, resource })
      expect(again.outcome).toBe('mismatched')
      resource = again.resource
    }
    // The name no longer leads there.
    expect(await prober(four('127.0.0.1'))({ ...target, resource })).toMatchObject({
      outcome: 'payable',
      resource: null,
    })
  })

  test('does not make merchants that are honest at both addresses unpayable', async () => {
    await using machines = await openTwo({ '127.0.0.1': honest, '127.0.0.2': honest })
    const probe = prober(four('127.0.0.1', '127.0.0.2'))
    const { count } = await probeUntilBad(probe, { ...listing, endpoint: machines.endpoint }, { most: 12 })
    expect(count).toBeUndefined()
    expect(new Set(machines.asked)).toEqual(new Set(['127.0.0.1', '127.0.0.2']))
  })
})

test('an address that accepts no connection is skipped and reported', async () => {
  await using machines = await openTwo({ '127.0.0.1': honest })
  const probe = prober([...four('127.0.0.1'), ...four('127.0.0.2')])
  const outcomes = []
  for (let i = 0; i < 8; i++)
    outcomes.push(await probe({ ...listing, endpoint: machines.endpoint, resource: null }))
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(8).fill('payable'))
  expect(outcomes.flatMap(({ notes }) => notes)).toContainEqual({
    code: 'addresses_unreached',
    values: { addresses: ['127.0.0.2'] },
  })
})

test('a private address among public ones rejects all of them', async () => {
  const lookup = async () => [...four('93.184.216.34'), ...six('::1')]
  const response = await createSafeFetch({ allowPrivate: false, lookup })('http://two.addresses.net/', {
    spread: { chance: 0 },
  })
  expect(response).toMatchObject({ ok: false, reason: 'private_address' })
})

describe('the drawn addresses', () => {
  const found = [...four('b', 'a', 'c'), ...six('x', 'y', 'z')]
  const first = (chance: number) => drawAddresses(found, { chance })[0]!.address

  test('include each address of both families, families equally often', () => {
    const drawn = Array.from({ length: 60 }, (_, i) => first(i / 60))
    expect(new Set(drawn)).toEqual(new Set(['a', 'b', 'c', 'x', 'y', 'z']))
    expect(drawn.filter(address => 'abc'.includes(address))).toHaveLength(30)
  })

  test('are the same for the same random value, in any order', () => {
    for (const chance of [0, 0.3, 0.7, 1])
      expect(drawAddresses(found.toReversed(), { chance })).toEqual(drawAddresses(found, { chance }))
  })

  test('are at most two of each family, the preferred one first', () => {
    for (const chance of [0, 0.5, 1]) expect(drawAddresses(found, { chance })).toHaveLength(4)
    expect(drawAddresses(found, { chance: 0, wanted: 'z' })[0]!.address).toBe('z')
    expect(drawAddresses(found).map(({ address }) => address)).toEqual(['b', 'a', 'x', 'y'])
  })
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
  const probe = createProber({
    fetch: createSafeFetch({ allowPrivate: true, lookup }),
    userAgent: 'test',
    gate,
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
  expect(new Set(postponed.map(({ place }) => place))).toEqual(new Set(['127.0.0.1']))
}, 60_000)

// Names are looked up side by side: one whose name server is silent must not hold up the others.

const before = getServers()
afterEach(() => setServers(before))

test('a hundred names whose name server never answers do not delay the request of another name', async () => {
  const silent = Array.from({ length: 100 }, (_, i) => `n${i}.silent.dev`)
  const hosts = Object.fromEntries(silent.map(name => [name, null]))
  await using dns = await openDnsServer({}, { ...hosts, 'merchant.dev': '127.0.0.1' })
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
  await using dns = await openDnsServer({}, { 'slow.dev': null })
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
