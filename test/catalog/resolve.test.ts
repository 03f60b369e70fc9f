// Answers about payments follow the catalog: what was kept of an entry is never told after it has changed.
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { parseResolveQuery } from '../../src/domain/resolve/query.ts'
import { resolutionSchema } from '../../src/domain/resolve/resolution.ts'
import type { Entry } from '../../src/domain/service.ts'
import type { Seen } from '../../src/domain/terms.ts'
import { entry } from '../entries.ts'

const PAYEE = `0x${'ab'.repeat(20)}`
const endpoint = 'https://api.shop.dev/v1'
const now = new Date('2026-06-01T00:00:00Z')
let seq = 0
const apply = (catalog: Catalog, ...entries: readonly Entry[]) =>
  catalog.apply(entries.map(each => ({ seq: ++seq, objectSeq: seq, id: each.id, entry: each })))
const remove = (catalog: Catalog, { id, endpoint }: Entry) =>
  catalog.apply([{ seq: ++seq, objectSeq: seq, id, entry: null, endpoint }])

const seenAt = (...urls: string[]): Seen => ({
  at: now.toISOString(),
  price: 'same',
  asks: null,
  resources: urls.map(url => ({
    url,
    method: 'GET',
    ways: Array.from({ length: 9 }, (_, i) => ({
      scheme: 'exact',
      chain: 'eip155:8453',
      asset: `0x${String(i).repeat(40)}`,
      amount: '10',
      payTo: PAYEE,
    })),
  })),
})
const listed = (change: Partial<Entry> = {}): Entry => ({
  ...entry(
    { name: '天気 "Shop"', endpoint, x402Config: { paymentAddress: PAYEE, network: 'base' } },
    { standing: { status: 'verified' } },
  ),
  ...change,
})

const ask = (catalog: Catalog, url = endpoint) => {
  const encoded = catalog.resolve(parseResolveQuery({ url, payTo: PAYEE }), now)
  const answer = encoded.decode()
  // Whatever it is put together from, it is the JSON of one value, of the shape that is told.
  expect(JSON.stringify(answer)).toBe(new TextDecoder().decode(encoded.bytes))
  expect(resolutionSchema.strict().parse(answer)).toEqual(answer as never)
  return answer
}

test('what is kept of an entry follows every change of it', () => {
  const catalog = new Catalog()
  const own = listed({ seen: seenAt(endpoint) })
  apply(catalog, own)
  for (let times = 0; times < 2; times++)
    expect(ask(catalog)).toMatchObject({ verdict: 'clear', service: { name: '天気 "Shop"' } })
  apply(catalog, { ...own, name: 'Another' })
  expect(ask(catalog).service?.name).toBe('Another')
  apply(catalog, { ...own, x402Config: { paymentAddress: `0x${'1'.repeat(40)}`, network: 'base' } })
  expect(ask(catalog).verdict).toBe('stop')
  apply(catalog, { ...own, seen: seenAt(endpoint, `${endpoint}/other`) })
  expect(ask(catalog).seen?.ways).toHaveLength(9)
  expect(ask(catalog, `${endpoint}/third`).seen?.ways).toHaveLength(16)
  apply(catalog, { ...own, hidden: { at: now.toISOString(), why: 'An impostor.' } })
  expect(ask(catalog)).toMatchObject({ verdict: 'stop', reasons: [{ code: 'hidden_by_operator' }] })
  apply(catalog, own)
  expect(ask(catalog).verdict).toBe('clear')
  remove(catalog, own)
  expect(ask(catalog)).toMatchObject({ verdict: 'stop', reasons: [{ code: 'removed' }] })
  // The place of one that is gone is taken by the next.
  apply(catalog, { ...listed(), endpoint: 'https://else.dev/v1' })
  expect(ask(catalog).verdict).toBe('stop')
  expect(ask(catalog, 'https://else.dev/v1')).toMatchObject({ reasons: [{ code: 'terms_never_seen' }] })
})

test('what an operator hides is found by its place, until it is shown again or gone', () => {
  const catalog = new Catalog()
  const hidden = { at: now.toISOString(), why: 'No.' }
  const [first, second] = [listed({ hidden }), listed({ hidden })]
  apply(catalog, first, second)
  expect(ask(catalog, `${endpoint}/below`).verdict).toBe('stop')
  remove(catalog, first)
  expect(ask(catalog)).toMatchObject({ reasons: [{ code: 'hidden_by_operator' }] })
  apply(catalog, { ...second, endpoint: 'https://moved.dev/v1' })
  expect(ask(catalog)).toMatchObject({ reasons: [{ code: 'removed' }] })
  expect(ask(catalog, 'https://moved.dev/v1')).toMatchObject({ reasons: [{ code: 'hidden_by_operator' }] })
})

test('the listing that speaks is found among any number of others', () => {
  const catalog = new Catalog()
  const stranger = () =>
    listed({ owner: `key_${++seq}`, standing: { ...entry().standing, status: 'unverified' } })
  const own = listed({ seen: seenAt(endpoint), owner: `eip155:${PAYEE}` })
  const copies = Array.from({ length: 60 }, stranger)
  apply(catalog, ...copies.slice(0, 30), own, ...copies.slice(30))
  expect(ask(catalog).service?.id).toBe(own.id)
  expect(ask(catalog, `${endpoint}/below/it`).service?.id).toBe(own.id)
  // Of equals the oldest speaks.
  remove(catalog, own)
  expect(ask(catalog).service?.id).toBe(copies[0]!.id)
})

test('a listing with a query speaks for that query, and so does its removal', () => {
  const catalog = new Catalog()
  const gateway = 'https://pay.gateway.dev'
  const attacker = listed({ endpoint: `${gateway}/?t=attacker`, seen: seenAt(`${gateway}/?t=attacker`) })
  apply(catalog, attacker)
  expect(ask(catalog, `${gateway}/?t=attacker&city=Tokyo`).verdict).toBe('clear')
  for (const url of [
    gateway,
    `${gateway}/?t=honest`,
    `${gateway}/?t=attacker&t=honest`,
    `${gateway}/honest/v1`,
  ])
    expect(ask(catalog, url)).toMatchObject({ verdict: 'caution', reasons: [{ code: 'query_elsewhere' }] })
  apply(catalog, listed({ endpoint: `${gateway}/honest`, seen: seenAt(`${gateway}/honest/v1`) }))
  expect(ask(catalog, `${gateway}/honest/v1`).verdict).toBe('clear')
  apply(catalog, { ...attacker, hidden: { at: now.toISOString(), why: 'An impostor.' } })
  expect(ask(catalog, `${gateway}/?t=honest`).verdict).toBe('unknown')
  expect(ask(catalog, `${gateway}/?t=attacker`).verdict).toBe('stop')
  remove(catalog, attacker)
  expect(ask(catalog, `${gateway}/?t=honest`).verdict).toBe('unknown')
  expect(ask(catalog, `${gateway}/?t=attacker`)).toMatchObject({ reasons: [{ code: 'removed' }] })
})

test('a low price does not disappear with the listing that had it', () => {
  const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
  const url = `${endpoint}/w`
  const asking = (at: string, amount: string): Seen => ({
    at: now.toISOString(),
    price: 'same',
    asks: { amount: String(Number(amount) / 1e6), currency: 'USDC' },
    resources: [
      {
        url: at,
        method: 'GET',
        ways: [{ scheme: 'exact', chain: 'eip155:8453', asset: USDC, amount, payTo: PAYEE }],
      },
    ],
  })
  const priced = (pricePerRequest: string) => ({ currency: 'USDC', pricePerRequest, freeQuota: 0 })
  const low = listed({
    endpoint: url,
    pricing: priced('0.001'),
    seen: asking(url, '1000'),
    owner: `eip155:0x${'cd'.repeat(20)}`,
  })
  const high = listed({
    pricing: priced('0.9'),
    seen: asking(endpoint, '900000'),
    owner: `eip155:${PAYEE}`,
  })
  const dear = { url, payTo: PAYEE, network: 'eip155:8453', asset: USDC, scheme: 'exact', amount: '900000' }
  const verdict = (catalog: Catalog, at = now) => {
    const { verdict, reasons } = catalog.resolve(parseResolveQuery(dear), at).decode()
    return [verdict, ...reasons.map(({ code }): string => code)]
  }
  const { seen: _, ...unseen } = low
  const ways: [string, (catalog: Catalog) => void][] = [
    ['is removed', catalog => remove(catalog, low)],
    ['is retired', catalog => apply(catalog, { ...low, retired: 'Closed.' })],
    ['is moved', catalog => apply(catalog, { ...unseen, endpoint: `${endpoint}/else` })],
    ['is hidden', catalog => apply(catalog, { ...low, hidden: { at: now.toISOString(), why: 'No.' } })],
  ]
  for (const [how, withdraw] of ways) {
    const catalog = new Catalog()
    apply(catalog, low, high)
    expect([how, ...verdict(catalog)]).toEqual([how, 'caution', 'more_than_other_listing'])
    withdraw(catalog)
    expect([how, ...verdict(catalog)]).toEqual([how, 'caution', 'price_risen'])
    expect([how, ...verdict(catalog, new Date(now.getTime() + 24 * 3_600_000))]).toEqual([
      how,
      'clear',
      'as_listed_and_seen',
    ])
  }
  const risen = new Catalog()
  const lower = { amount: '0.001', currency: 'USDC', until: now.toISOString() }
  apply(risen, { ...low, pricing: priced('0.9'), seen: { ...asking(url, '900000'), lower } }, high)
  expect(verdict(risen)).toEqual(['caution', 'price_risen'])
})
