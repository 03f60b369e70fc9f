// A name that leads to several machines: each may answer otherwise, and a customer may be led to any of them.
import { describe, expect, test } from 'bun:test'
import { createProber } from '../../src/probe/prober.ts'
import { drawAddresses, type ResolvedAddress } from '../../src/probe/requests/addresses.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { asksV2, onBase, PAYEE, STRANGER } from './merchant.ts'
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

const listing = {
  paymentAddress: PAYEE,
  network: 'base',
  pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
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
