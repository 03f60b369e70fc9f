import { describe, expect, test } from 'bun:test'
import { type Candidate, compareCandidates, creditTo, toCandidate } from '../../src/chain/credit.ts'
import { ASSETS, type Asset } from '../../src/domain/chains/assets.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import type { SeenRequirements } from '../../src/domain/terms/terms.ts'
import type { SettlementRecord } from '../../src/store/payments.ts'
import { entry } from '../entries.ts'

const usdc = ASSETS.find(({ chain, symbol }) => chain === 'eip155:8453' && symbol === 'USDC')!
const jpyc = ASSETS.find(({ symbol }) => symbol === 'JPYC')!
const PAYEE = `0x${'1'.repeat(40)}`

const candidate = (serviceId: string, parts: Partial<Candidate> = {}): Candidate => ({
  serviceId,
  currency: 'USDC',
  right: 'verified',
  hasGround: false,
  sinceMs: 0,
  hand: 'one',
  prices: ['0.01'],
  ...parts,
})
const payment = (amount: string, { chain, address }: Asset = usdc): SettlementRecord => ({
  chain,
  transaction: '0xt',
  logIndex: 1,
  block: 1,
  at: '2026-11-05T00:00:00.000Z',
  asset: address.toLowerCase(),
  payer: '0xp',
  payee: PAYEE,
  amount,
  method: 'authorization',
  serviceId: null,
})
const credited = (amount: string, candidates: readonly Candidate[], asset?: Asset) =>
  creditTo(payment(amount, asset), candidates.toSorted(compareCandidates))

describe('a settlement counts for', () => {
  test('the only service at its address, unless it is below a tenth of the price', () => {
    for (const amount of ['0.5', '0.01', '0.001']) expect(credited(amount, [candidate('a')])).toBe('a')
    expect(credited('0.000999999999999999', [candidate('a')])).toBeNull()
    expect(credited('0.0001', [candidate('a', { prices: ['1', '0.001'] })])).toBe('a')
    expect(credited('0.000001', [candidate('free', { prices: ['0'] })])).toBe('free')
  })

  test('the same service as before after a price increase', () => {
    const raised = [
      candidate('a', { prices: ['5'] }),
      candidate('b', { sinceMs: 1, prices: ['5'], hand: 'b' }),
    ]
    const before = { ...payment('0.01'), serviceId: 'a' }
    expect(creditTo(before, raised)).toBe('a')
    expect(creditTo({ ...before, serviceId: null }, raised)).toBeNull()
    // Whoever comes to it now is held to what they ask now.
    expect(creditTo({ ...before, serviceId: 'gone' }, raised)).toBeNull()
  })

  test('no service, if none sells in that asset', () => {
    expect(credited('100', [candidate('a')], jpyc)).toBeNull()
    expect(credited('0.01', [candidate('a', { currency: 'ETH' })])).toBeNull()
    expect(credited('0.01', [])).toBeNull()
  })

  test('a service that uses another name for the currency', () => {
    for (const currency of ['USD', 'usdc', 'ＵＳＤＣ', 'USDT'])
      expect(credited('0.01', [candidate('a', { currency })])).toBe('a')
    expect(credited('100', [candidate('a', { currency: 'JPY' })], jpyc)).toBe('a')
  })

  test('the one that the wallet has claimed, even if it is newer', () => {
    const copy = candidate('copy', { sinceMs: 1, hand: 'stranger' })
    const original = candidate('original', { sinceMs: 9, right: 'claim' })
    expect(credited('0.01', [copy, original])).toBe('original')
    // Its price is another than what was paid, and still no stranger takes it.
    expect(credited('0.02', [{ ...copy, prices: ['0.02'] }, original])).toBe('original')
  })

  test('the one that a facilitator lists, then the one that its domain names, before an older copy without either', () => {
    const copy = candidate('copy', { sinceMs: 1, hand: 'stranger' })
    const named = candidate('named', { sinceMs: 2, right: 'domain' })
    const settled = candidate('settled', { sinceMs: 3, right: 'facilitator' })
    expect(credited('0.01', [copy, named, settled])).toBe('settled')
    expect(credited('0.01', [copy, named])).toBe('named')
  })

  test('the oldest if none is claimed; a copy neither gains nor blocks credit at any price', () => {
    const original = candidate('original', { sinceMs: 1 })
    for (const prices of [['0.01'], ['0.02'], ['0.001']]) {
      const copies = ['x', 'y'].map(id => candidate(id, { sinceMs: 5, hand: id, prices }))
      for (const amount of ['0.01', '0.02', '0.001'])
        expect(credited(amount, [...copies, original])).toBe('original')
    }
  })

  test('a verified service rather than an older one whose terms differ from its listing', () => {
    const older = candidate('older', { sinceMs: 1, right: 'asking', hand: 'other' })
    expect(credited('0.01', [older, candidate('verified', { sinceMs: 9 })])).toBe('verified')
    expect(credited('0.01', [older])).toBe('older')
  })

  test('the service of one owner whose price was paid, else the oldest match', () => {
    const cheap = candidate('cheap', { sinceMs: 1 })
    const dear = candidate('dear', { sinceMs: 2, prices: ['1.0'] })
    for (const right of ['claim', 'verified', 'asking'] as const) {
      const own = [cheap, dear].map(each => ({ ...each, right }))
      expect(credited('1', own)).toBe('dear')
      expect(credited('0.5', own)).toBe('cheap')
      expect(credited('0.010', own)).toBe('cheap')
    }
  })

  test('a service only from the time when it moved to the address', () => {
    expect(credited('0.01', [candidate('a', { movedAt: '2026-11-06T00:00:00.000Z' })])).toBeNull()
    expect(credited('0.01', [candidate('a', { movedAt: '2026-11-04T00:00:00.000Z' })])).toBe('a')
  })
})

describe('a listing can be credited', () => {
  const listed = entry({ x402Config: { paymentAddress: PAYEE, network: 'base' } })

  test('if it is verified or claimed by its wallet, not by naming a wallet alone', () => {
    expect(toCandidate(listed)).toBeUndefined()
    expect(toCandidate({ ...listed, owner: 'key_1' })).toBeUndefined()
    expect(toCandidate({ ...listed, owner: `eip155:0x${'2'.repeat(40)}` })).toBeUndefined()
    expect(toCandidate({ ...listed, owner: `eip155:${PAYEE}` })).toMatchObject({ right: 'claim' })
    const verified = { ...listed, standing: { ...listed.standing, status: 'verified' as const } }
    expect(toCandidate(verified)).toMatchObject({
      right: 'verified',
      prices: [listed.pricing.pricePerRequest],
    })
    const proof = { at: listed.createdAt, names: 'wallet' } as const
    expect(toCandidate({ ...listed, proof })).toBeUndefined()
    expect(toCandidate({ ...verified, proof })).toMatchObject({ right: 'domain' })
  })

  const seenAsking = (
    status: Entry['standing']['status'],
    ways: readonly Partial<SeenRequirements>[],
    parts: Partial<Entry> = {},
  ): Entry => ({
    ...listed,
    standing: { ...listed.standing, status },
    seen: {
      at: listed.createdAt,
      price: 'same',
      asks: null,
      resources: [
        {
          url: listed.endpoint,
          method: 'GET',
          ways: ways.map(way => ({
            scheme: 'exact',
            chain: usdc.chain,
            asset: usdc.address,
            amount: '20000',
            payTo: PAYEE,
            ...way,
          })),
        },
      ],
    },
    ...parts,
  })

  test('while it fails or differs from its listing, if it last asked for payment to the wallet', () => {
    expect(toCandidate(seenAsking('inactive', [{}]))).toMatchObject({ right: 'verified' })
    expect(toCandidate(seenAsking('unverified', [{}]))).toMatchObject({ right: 'asking' })
    const elsewhere = [{ payTo: `0x${'9'.repeat(40)}` }, { chain: 'eip155:1' }]
    expect(toCandidate(seenAsking('unverified', elsewhere))).toBeUndefined()
    expect(toCandidate(seenAsking('inactive', elsewhere))).toBeUndefined()
  })

  test('from a tenth of the lowest price seen, in its currency', () => {
    const euro = ASSETS.find(({ chain, symbol }) => chain === usdc.chain && symbol === 'EURC')!
    const ways = [
      { amount: '50000' },
      { amount: '20000' },
      { amount: '7', asset: euro.address },
      { amount: '1', asset: '0x1' },
    ]
    const asking = toCandidate(seenAsking('verified', ways))!
    expect(asking.prices).toEqual(['0.02', '0.05'])
    expect(credited('0.002', [asking])).toBe(listed.id)
    expect(credited('0.0019', [asking])).toBeNull()
  })

  test('not while the operator hides it', () => {
    const hidden = { at: listed.createdAt, why: 'An impostor.' }
    expect(toCandidate(seenAsking('verified', [{}], { hidden }))).toBeUndefined()
  })
})

test('the prices of listings are read once, however many payments are compared with them', () => {
  let reads = 0
  const copies = Array.from({ length: 100 }, (_, i) => ({
    ...candidate(`copy ${i}`, { sinceMs: i + 1, hand: `hand ${i}` }),
    get prices() {
      reads++
      return ['0.01']
    },
  }))
  const all = [candidate('original', { right: 'claim' }), ...copies]
  for (let i = 0; i < 100; i++) expect(creditTo(payment('0.01'), all)).toBe('original')
  // Once to prepare, and once to copy.
  expect(reads).toBeLessThanOrEqual(2 * copies.length)
})
