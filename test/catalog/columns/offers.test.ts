import { expect, test } from 'bun:test'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { addOperatorAssets } from '../../../src/domain/chains/assets.ts'
import { chainKey } from '../../../src/domain/chains/chains.ts'
import { type OfferFilters, toBazaarItem } from '../../../src/domain/formats/bazaar.ts'
import { NO_MARKS } from '../../../src/domain/listing/backing.ts'
import { type Entry, toService, toStatusRecord } from '../../../src/domain/listing/service.ts'
import { toApplied } from '../../../src/domain/queries/filters.ts'
import { STATUSES } from '../../../src/domain/standing/standing.ts'
import type { Seen } from '../../../src/domain/terms/terms.ts'
import { entry } from '../../entries.ts'
import { fc } from '../../fast-check.ts'
import { passesFilters } from '../../filters.ts'

const WALLETS = ['0x1111111111111111111111111111111111111111', '0xABcdEF0123456789aBCDef0123456789abcdEF01']
const entries = Array.from({ length: 12 }, (_, i) => entry({ name: `Service ${i}` }))

const state = fc.record({
  index: fc.nat(entries.length - 1),
  isRemoved: fc.boolean(),
  status: fc.constantFrom(...STATUSES),
  network: fc.constantFrom('base', 'polygon', 'solana', 'somewhere-else'),
  currency: fc.constantFrom('USDC', 'usd', 'JPYC', 'SAND'),
  price: fc.constantFrom('0.001', '0.02', '5', '0.0000001'),
  wallet: fc.constantFrom(...WALLETS),
  /** What its endpoint was seen to ask by; nothing where it was never read. */
  schemes: fc.option(fc.subarray(['exact', 'upto', 'deferred'], { minLength: 1 }), { nil: undefined }),
})

const toSeen = (schemes: readonly string[]): Seen => ({
  at: '2026-01-01T00:00:00.000Z',
  price: 'unknown',
  asks: null,
  resources: [
    {
      url: 'https://service.example/v1',
      method: 'GET',
      ways: schemes.map(scheme => ({ scheme, chain: 'eip155:1', asset: 'x', amount: '1', payTo: 'y' })),
    },
  ],
})

const filters: fc.Arbitrary<OfferFilters> = fc.record(
  {
    network: fc.constantFrom('Base', 'eip155:137', 'nowhere'),
    payTo: fc.constantFrom(WALLETS[0]!, WALLETS[1]!.toLowerCase(), 'nobody'),
    maxUsdPrice: fc.constantFrom('0.001', '1'),
    scheme: fc.constantFrom('exact', 'UPTO'),
    extensions: fc.constantFrom('shirube', 'bazaar', 'bazaar,shirube', 'sign-in-with-x'),
    category: fc.constantFrom('weather', 'WEATHER', 'nothing'),
    chain: fc.constantFrom('polygon', 'Base', 'nowhere'),
    status: fc.constantFrom('verified', 'inactive'),
    currency: fc.constantFrom('usdc', 'JPYC'),
  },
  { requiredKeys: [] },
)

/** Without rates nothing else can be compared. */
const isDollars = (currency: string) => currency === 'USDC' || currency === 'usd'

function passes(each: Entry, asked: OfferFilters): boolean {
  const { network, payTo, maxUsdPrice, scheme, extensions } = asked
  const isListed = toBazaarItem(toService(each), toStatusRecord(each), NO_MARKS).accepts.length > 0
  const { x402Config, pricing, seen } = each
  const schemes = seen?.resources[0]?.ways.map(way => way.scheme) ?? ['exact']
  if (each.standing.status === 'inactive') return false
  // An asset that is not known cannot be told by its chain.
  if (!isListed && (!seen || network !== undefined)) return false
  if (!passesFilters(toApplied(asked), each)) return false
  return (
    (scheme === undefined || schemes.includes(scheme.toLowerCase())) &&
    (extensions === undefined ||
      extensions === 'shirube' ||
      (extensions.startsWith('bazaar') && seen !== undefined)) &&
    (network === undefined || chainKey(x402Config.network) === chainKey(network)) &&
    (payTo === undefined || x402Config.paymentAddress.toLowerCase() === payTo.toLowerCase()) &&
    (maxUsdPrice === undefined ||
      (isDollars(pricing.currency) && Number(pricing.pricePerRequest) <= Number(maxUsdPrice)))
  )
}

test('the x402 list returns entries that pass the filters, newest first, with the right total, after any history', () => {
  fc.assert(
    fc.property(fc.array(state, { maxLength: 40 }), filters, fc.nat(6), (steps, asked, offset) => {
      const catalog = new Catalog()
      const present = new Map<string, Entry>()
      for (const [step, to] of steps.entries()) {
        const { id } = entries[to.index]!
        const changed: Entry = {
          ...entries[to.index]!,
          pricing: { currency: to.currency, pricePerRequest: to.price, freeQuota: 0 },
          x402Config: { paymentAddress: to.wallet, network: to.network },
          supportedChains: [to.network, 'polygon'],
          standing: { ...entries[to.index]!.standing, status: to.status },
          ...(to.schemes && { seen: toSeen(to.schemes) }),
        }
        if (to.isRemoved) present.delete(id)
        else present.set(id, changed)
        const seq = step + 1
        catalog.apply([{ seq, objectSeq: seq, id, entry: to.isRemoved ? null : changed }])
      }
      const expected = [...present.values()]
        .filter(each => passes(each, asked))
        .sort((a, b) => (a.id < b.id ? 1 : -1))
      const { items, total } = catalog.offers({ ...asked, limit: 3, offset })
      expect(total).toBe(expected.length)
      expect(items).toEqual(
        expected
          .slice(offset, offset + 3)
          .map(each => toBazaarItem(toService(each), toStatusRecord(each), NO_MARKS)),
      )
    }),
  )
})

test('a service paid in an asset of the operator is listed, and found by the asset', () => {
  const address = '0x00000000000000000000000000000000000a55e7'
  // The table may be told after the catalog is made.
  const catalog = new Catalog()
  const asset = { chain: 'base', address, symbol: 'OwnUSD', decimals: 6, currency: 'USD' }
  expect(addOperatorAssets({ assets: [asset] })).toEqual([])
  const own = entry({ pricing: { currency: 'OwnUSD', pricePerRequest: '0.02', freeQuota: 0 } })
  const seen: Entry = { ...entry({ pricing: own.pricing }), seen: toSeen(['exact']) }
  const inDollars = entry()
  catalog.apply(
    [own, seen, inDollars].map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })),
  )
  const found = (filters: OfferFilters) => catalog.offers({ ...filters, limit: 9, offset: 0 }).total
  expect(found({})).toBe(3)
  expect(found({ network: 'base' })).toBe(3)
  expect(found({ asset: address })).toBe(2)
  expect(found({ asset: address, maxUsdPrice: '0.01' })).toBe(0)
  expect(found({ asset: address, maxUsdPrice: '0.02' })).toBe(2)
})

test('a merchant with a large part of the catalog is listed newest first like any other', () => {
  const catalog = new Catalog()
  const many = Array.from({ length: 300 }, (_, i) => entry({ name: `Service ${i}` }))
  catalog.apply(many.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
  const payTo = many[0]!.x402Config.paymentAddress
  const { items, total } = catalog.offers({ payTo, limit: 2, offset: 1 })
  expect(total).toBe(300)
  const newest = many.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  expect(items.map(({ extensions }) => extensions)).toMatchObject(
    newest.slice(1, 3).map(({ id }) => ({ shirube: { id } })),
  )
})

test('an address is found in every spelling of its chain, and in no other', () => {
  const digits = 'abcdef0123456789abcdef0123456789abcdef01'
  const [short, long] = [`0x${digits}`, `0x${digits.padStart(64, '0')}`]
  const listed = (paymentAddress: string, network: string) =>
    entry({ x402Config: { paymentAddress, network } })
  const onAptos = [listed(short, 'aptos'), listed(long, 'aptos:1')]
  const onBase = listed(short, 'base')
  const catalog = new Catalog()
  for (const [index, each] of [...onAptos, onBase].entries())
    catalog.apply([{ seq: index + 1, objectSeq: index + 1, id: each.id, entry: each }])
  const found = (filters: OfferFilters) => catalog.offers({ ...filters, limit: 9, offset: 0 }).total
  expect(found({ payTo: short, network: 'aptos' })).toBe(2)
  expect(found({ payTo: long.toUpperCase().replace('0X', '0x'), network: 'aptos' })).toBe(2)
  expect(found({ payTo: short })).toBe(3)
  expect(found({ payTo: long })).toBe(2)
  expect(found({ payTo: long, network: 'base' })).toBe(0)
})
