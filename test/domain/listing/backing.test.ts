import { describe, expect, test } from 'bun:test'
import { endpointKey } from '../../../src/domain/hosts/endpoint.ts'
import {
  compareBacking,
  creditGround,
  isBacked,
  isByStranger,
  isClaimed,
  toBackingFacts,
} from '../../../src/domain/listing/backing.ts'
import type { Entry } from '../../../src/domain/listing/service.ts'
import { entry } from '../../entries.ts'

const WALLET = `0x${'aB'.repeat(20)}`
const x402Config = { paymentAddress: WALLET, network: 'base' }
const ACCOUNT = `eip155:${WALLET.toLowerCase()}`
const HOUR_MS = 3_600_000

describe('A claim', () => {
  test('is ownership by the payee wallet, on any chain of its family', () => {
    expect(isClaimed({ owner: ACCOUNT, x402Config })).toBe(true)
    expect(isClaimed({ owner: ACCOUNT, x402Config: { ...x402Config, network: 'polygon' } })).toBe(true)
  })

  test('is not ownership by a key, by another wallet or by nobody', () => {
    for (const owner of [null, 'key_1', `eip155:0x${'1'.repeat(40)}`])
      expect(isClaimed({ owner, x402Config })).toBe(false)
    expect(isClaimed({ owner: ACCOUNT, x402Config: { paymentAddress: WALLET, network: 'solana' } })).toBe(
      false,
    )
  })
})

test('A domain that names only the wallet does not back the owner of the entry; one that names the entry does', () => {
  const at = new Date(0).toISOString()
  const listed = { ...entry({ x402Config }), owner: `eip155:0x${'1'.repeat(40)}` }
  const named = (names: 'wallet' | 'id', owner: string | null = listed.owner) => {
    const provenance = { ...listed.provenance, origin: { key: 'a', seq: 0 } }
    return isByStranger(toBackingFacts({ ...listed, owner, provenance, proof: { at, names } }))
  }
  expect([named('wallet'), named('wallet', null), named('id', null)]).toEqual([true, true, true])
  expect([named('id'), named('wallet', ACCOUNT), named('wallet', 'key_1')]).toEqual([false, false, false])
})

test('Payments count by a claim, by the list of a facilitator, or by the domain for what no other wallet listed', () => {
  const stranger = `eip155:0x${'1'.repeat(40)}`
  const cdp = 'https://api.cdp.coinbase.com/platform/v2/x402/discovery/resources'
  const proof = (names: 'wallet' | 'id') => ({ at: '', names }) as const
  const listed = (parts: Partial<Entry>, sourceUrl: string | null = null, isFollowed = true) => {
    const { provenance, ...rest } = entry({ x402Config })
    const origin = isFollowed && { origin: { key: 'a', seq: 0 } }
    return { ...rest, provenance: { ...provenance, sourceUrl, ...origin }, ...parts }
  }
  const cases: [Entry, ReturnType<typeof creditGround>][] = [
    [listed({ owner: ACCOUNT }), 'claim'],
    [listed({}, cdp), 'facilitator'],
    [listed({ proof: proof('wallet') }, cdp), 'facilitator'],
    [listed({ proof: proof('wallet') }, 'https://list.example/discovery/resources'), 'domain'],
    [listed({ owner: 'key_1', proof: proof('wallet') }), 'domain'],
    [listed({ owner: stranger, proof: proof('wallet') }, cdp), null],
    [listed({ owner: stranger, proof: proof('id') }), null],
    [listed({ owner: 'key_1', proof: proof('id') }), null],
    [listed({}, 'https://list.example/discovery/resources'), null],
    [listed({}, cdp.replace('coinbase.com', 'coinbase.com.example')), null],
    [listed({}, cdp.replace('https', 'http')), null],
    [listed({}, cdp, false), null],
  ]
  expect(cases.map(([each]) => creditGround(each))).toEqual(cases.map(([, ground]) => ground))
})

describe('Of several entries of one URL', () => {
  const at = (
    hour: number,
    parts: Partial<Entry> = {},
    status: 'verified' | 'unverified' = 'unverified',
  ) => ({
    ...entry({ x402Config }, { now: new Date(Date.UTC(2026, 10, 1) + hour * HOUR_MS), standing: { status } }),
    ...parts,
  })
  const first = (...entries: Entry[]) => entries.map(toBackingFacts).sort(compareBacking)[0]!.id

  test('the claimed and verified one represents it, then the verified one, then the oldest', () => {
    const oldest = at(0)
    const verified = at(1, {}, 'verified')
    const claimed = at(2, { owner: ACCOUNT }, 'verified')
    expect(first(oldest, verified, claimed)).toBe(claimed.id)
    expect(first(oldest, verified)).toBe(verified.id)
    expect(first(at(3), oldest)).toBe(oldest.id)
  })

  test('among verified ones, the claimed one comes first, then the one with a domain proof', () => {
    const proof = { at: '2026-11-05T00:00:00.000Z', names: 'wallet' } as const
    const proved = at(5, { proof }, 'verified')
    expect(first(at(0), at(1, {}, 'verified'), proved)).toBe(proved.id)
    const claimed = at(6, { owner: ACCOUNT }, 'verified')
    expect(first(proved, claimed)).toBe(claimed.id)
    const both = at(7, { owner: ACCOUNT, proof }, 'verified')
    expect(first(proved, claimed, both)).toBe(both.id)
  })

  test('a wallet named by a shared domain does not represent an endpoint with another payee', () => {
    const proof = { at: '2026-11-05T00:00:00.000Z', names: 'wallet' } as const
    const neighbour = at(0, { proof, owner: ACCOUNT })
    const seller = at(1, {}, 'verified')
    expect(first(neighbour, seller)).toBe(seller.id)
    expect(isBacked(toBackingFacts(neighbour))).toBe(false)
  })

  test('a claim does not count unless the endpoint was seen asking payment to that wallet', () => {
    const oldest = at(0)
    const thief = at(1, { owner: ACCOUNT })
    expect(first(thief, oldest)).toBe(oldest.id)
    expect(first(thief, at(2, {}, 'verified'))).not.toBe(thief.id)
  })

  test('an entry that moved there counts as of its move', () => {
    const moved = at(0, { movedAt: '2026-11-02T00:00:00.000Z' })
    const there = at(1)
    expect(first(moved, there)).toBe(there.id)
  })
})

describe('The key of an endpoint', () => {
  test.each([
    'https://api.example.com',
    'https://api.example.com/v1',
    'http://a-b.example.com/v1/x.y/~z_-',
    'https://api.example.com/v1.0/forecast',
  ])('of %s equals that of its longer spellings', plain => {
    const [, host, path = ''] = /^https?:\/\/([^/]*)(.*)$/.exec(plain)!
    expect(endpointKey(plain)).toBe(endpointKey(`HTTPS://${host!.toUpperCase()}:443${path}//`))
  })

  test('is that of the normalized URL', () => {
    expect(endpointKey('http://127.1/v1')).toBe(endpointKey('http://127.0.0.1/v1'))
    expect(endpointKey('http://example.0x7f/v1')).toBe('http://example.0x7f/v1')
    expect(endpointKey('https://api.example.com/a/../v1')).toBe(endpointKey('https://api.example.com/v1'))
    expect(endpointKey('https://api.example.com/..')).toBe(endpointKey('https://api.example.com/'))
  })

  test.each([
    ...'http://Api.Example.com/v1/ https://api.example.com:443/v1 https://api.example.com./v1'.split(' '),
    ...'https://api.example.com//v1/// https://api.example.com/x/../%76%31'.split(' '),
  ])('is the same for %s', spelling => {
    expect(endpointKey(spelling)).toBe(endpointKey('https://api.example.com/v1'))
  })

  test.each([
    ...'https://api.example.com/v2 https://api.example.com/V1 https://api.example.com:8443/v1'.split(' '),
    ...'https://api.example.com/v1?to=me https://example.com/v1 https://api.example.com/v%2f1'.split(' '),
  ])('is different for %s', other => {
    expect(endpointKey(other)).not.toBe(endpointKey('https://api.example.com/v1'))
  })
})
