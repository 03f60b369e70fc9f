// Answers about payments follow the catalog: cached data of an entry is never returned after it has changed. What strangers and thieves can do
// with the listed URLs themselves is played through in test/catalog/resolve-world.test.ts.
import { describe, expect, spyOn, test } from 'bun:test'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { Records } from '../../../src/catalog/records.ts'
import type { Entry } from '../../../src/domain/listing/service.ts'
import { parseResolveQuery, resolutionSchema } from '../../../src/domain/resolve/resolution.ts'
import type { Seen } from '../../../src/domain/terms/terms.ts'
import { entry } from '../../entries.ts'

const PAYEE = `0x${'ab'.repeat(20)}`
const endpoint = 'https://api.shop.dev/v1'
const now = new Date('2026-06-01T00:00:00Z')
let seq = 0
const apply = (catalog: Catalog, ...entries: readonly Entry[]) =>
  catalog.apply(entries.map(each => ({ seq: ++seq, objectSeq: seq, id: each.id, entry: each })))
const remove = (catalog: Catalog, { id, endpoint }: Entry) =>
  catalog.apply([{ seq: ++seq, objectSeq: seq, id, entry: null, endpoint }])

const listAndRemove = (catalog: Catalog, listing: Entry): void => {
  apply(catalog, listing)
  remove(catalog, listing)
}

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

test('the answer follows each change of an entry', () => {
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
  expect(ask(catalog).seen?.accepts).toHaveLength(9)
  expect(ask(catalog, `${endpoint}/third`).seen?.accepts).toHaveLength(16)
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

test('a hidden service stops payments to its place until it moves or is removed', () => {
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

test('the listing that represents the URL is found among any number of others', () => {
  const catalog = new Catalog()
  const stranger = () =>
    listed({ owner: `key_${++seq}`, standing: { ...entry().standing, status: 'unverified' } })
  const own = listed({ seen: seenAt(endpoint), owner: `eip155:${PAYEE}` })
  const copies = Array.from({ length: 60 }, stranger)
  apply(catalog, ...copies.slice(0, 30), own, ...copies.slice(30))
  expect(ask(catalog).service?.id).toBe(own.id)
  expect(ask(catalog, `${endpoint}/below/it`).service?.id).toBe(own.id)
  // Among equals the oldest represents the URL.
  remove(catalog, own)
  expect(ask(catalog).service?.id).toBe(copies[0]!.id)
})

test('a listing with a query represents that query only, and so does its removal', () => {
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

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const USDC_ON_POLYGON = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const SOLANA_THIEF = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const THIEF = `0x${'ef'.repeat(20)}`
const STRANGER = `eip155:0x${'cd'.repeat(20)}`

/** A verified listing whose endpoint asks for its price. */
function asking(
  url: string,
  price: string,
  { payTo = PAYEE, network = 'base', owner = `eip155:${PAYEE}`, also = [] as string[] } = {},
): Entry {
  const amount = String(Math.round(Number(price) * 1e6))
  const [chain, asset] =
    network === 'base' ? ['eip155:8453', USDC] : (['eip155:137', USDC_ON_POLYGON] as const)
  const way = { scheme: 'exact', chain, asset, amount, payTo }
  return listed({
    endpoint: url,
    owner,
    pricing: { currency: 'USDC', pricePerRequest: price, freeQuota: 0 },
    x402Config: { paymentAddress: payTo, network },
    seen: {
      at: now.toISOString(),
      price: 'same',
      asks: { amount: price, currency: 'USDC' },
      resources: [{ url, method: 'GET', ways: [way, ...also.map(other => ({ ...way, payTo: other }))] }],
    },
  })
}
function judge(
  catalog: Catalog,
  url: string,
  price: string,
  { payTo = PAYEE, network = 'base', at = now } = {},
) {
  const asset = network === 'base' ? USDC : USDC_ON_POLYGON
  const amount = String(Math.round(Number(price) * 1e6))
  const query = { url, payTo, network, asset, scheme: 'exact', amount }
  const { verdict, reasons } = catalog.resolve(parseResolveQuery(query), at).decode()
  return [verdict, ...reasons.map(({ code }): string => code)]
}
const listedAt = (at: Date, listing: Entry): Entry => ({
  ...listing,
  provenance: { ...listing.provenance, firstSeen: at.toISOString() },
})
const CLEAR = ['clear', 'as_listed_and_seen']

describe('a thief who controls the endpoint', () => {
  const solana = {
    scheme: 'exact',
    chain: SOLANA,
    asset: USDC_ON_SOLANA,
    amount: '1000',
    payTo: SOLANA_THIEF,
  }
  const withSolana = (listing: Entry, since?: string): Entry => {
    const [resource] = listing.seen!.resources
    const ways = [...resource!.ways, { ...solana, ...(since && { since }) }]
    return { ...listing, seen: { ...listing.seen!, resources: [{ ...resource!, ways }] } }
  }

  const payThief = (catalog: Catalog, url: string) => {
    const query = { url, payTo: SOLANA_THIEF, network: 'solana', asset: USDC_ON_SOLANA, amount: '1000' }
    const { verdict, reasons } = catalog.resolve(parseResolveQuery(query), now).decode()
    return [verdict, ...reasons.map(({ code }): string => code)]
  }
  const ofThief = (url: string): Entry => ({
    ...withSolana(listedAt(now, asking(url, '0.001', { owner: `solana:${SOLANA_THIEF}` }))),
    x402Config: { paymentAddress: SOLANA_THIEF, network: 'solana' },
  })
  const before = new Date(now.getTime() - 86_400_000)

  test('cannot make a new payee seem old among many other payees', () => {
    const catalog = new Catalog()
    const robbed = listedAt(before, asking(endpoint, '0.001', { owner: STRANGER }))
    const [resource] = robbed.seen!.resources
    const decoys = Array.from({ length: 20 }, (_, i) => ({ ...solana, payTo: `${'1'.repeat(40)}${i + 10}` }))
    const naming = (since?: string) => {
      const added = [...decoys, solana].map(way => ({ ...way, ...(since && { since }) }))
      return { ...robbed.seen!, resources: [{ ...resource!, ways: [...resource!.ways, ...added] }] }
    }
    apply(catalog, { ...robbed, seen: naming(now.toISOString()) })
    apply(catalog, ...Array.from({ length: 25 }, () => ({ ...ofThief(endpoint), seen: naming() })))
    expect(payThief(catalog, endpoint)).toEqual(['caution', 'payee_new'])
  })

  test.each(['/tokyo', '?city=tokyo'])(
    'cannot make a new payee seem old by listing %s, which nobody had listed',
    below => {
      const catalog = new Catalog()
      apply(catalog, listedAt(before, withSolana(asking(endpoint, '0.001'), now.toISOString())))
      apply(catalog, ofThief(`${endpoint}${below}`))
      expect(payThief(catalog, `${endpoint}${below}`)).toEqual(['caution', 'payee_new'])
      // The domain can confirm it.
      const proof = { at: now.toISOString(), names: 'wallet' } as const
      apply(catalog, { ...ofThief(`${endpoint}${below}`), proof })
      expect(payThief(catalog, `${endpoint}${below}`)).toEqual(CLEAR)
    },
  )

  test.each(['/tokyo', '?city=tokyo'])(
    'causes a caution for a week on %s, even if the older listing is not probed again',
    below => {
      const robbed = listedAt(new Date(now.getTime() - 8 * 86_400_000), asking(endpoint, '0.001'))
      const url = `${endpoint}${below}`
      const days = (count: number) => {
        const catalog = new Catalog()
        const since = new Date(now.getTime() - count * 86_400_000)
        const taken = asking(url, '0.001', { payTo: THIEF, owner: `eip155:${THIEF}` })
        apply(catalog, below.startsWith('?') ? { ...robbed, owner: null } : robbed, listedAt(since, taken))
        return judge(catalog, url, '0.001', { payTo: THIEF })
      }
      expect(days(0)).toEqual(['caution', 'payee_replaced'])
      expect(days(6)).toEqual(['caution', 'payee_replaced'])
    },
  )

  test('cannot hide a replaced payee by naming the old one on a test network', () => {
    const catalog = new Catalog()
    const robbed = asking(endpoint, '0.001')
    const toThief = asking(endpoint, '0.001', { payTo: THIEF, owner: `eip155:${THIEF}` })
    const [resource] = toThief.seen!.resources
    const ways = [...resource!.ways, { ...resource!.ways[0]!, chain: 'eip155:84532', payTo: PAYEE }]
    const seen = { ...toThief.seen!, resources: [{ ...resource!, ways }] }
    const lost = { ...seen, lostAt: now.toISOString() }
    apply(catalog, { ...robbed, seen: lost, standing: { ...robbed.standing, status: 'unverified' } })
    apply(catalog, { ...toThief, seen })
    expect(judge(catalog, endpoint, '0.001', { payTo: THIEF })).toEqual(['caution', 'payee_replaced'])
  })
})

test('an expensive query is judged by its own listing only if that is older than the listing without a query', () => {
  const tier = `${endpoint}?plan=pro`
  const [first, second] = [new Date(now.getTime() - 2 * 86_400_000), new Date(now.getTime() - 86_400_000)]
  const judged = (bare: Date, own: Date) => {
    const catalog = new Catalog()
    apply(catalog, listedAt(bare, asking(endpoint, '0.001')), listedAt(own, asking(tier, '0.1')))
    return judge(catalog, tier, '0.1')
  }
  expect(judged(second, first)).toEqual(CLEAR)
  expect(judged(first, second)[0]).toBe('stop')
})

describe('a payee that an endpoint named until recently', () => {
  const later = new Date(now.getTime() + 3_600_000)
  const thief = (url: string): Entry =>
    listedAt(later, asking(url, '0.001', { payTo: THIEF, owner: `eip155:${THIEF}` }))
  const hijacked = (): Catalog => {
    const catalog = new Catalog()
    const robbed = listedAt(now, asking(endpoint, '0.001'))
    apply(catalog, robbed)
    const seen = { ...thief(endpoint).seen!, lostAt: later.toISOString() }
    apply(catalog, { ...robbed, seen, standing: { ...robbed.standing, status: 'unverified' } })
    return catalog
  }

  test.each([
    ['a path below it', `${endpoint}/tokyo`],
    ['a query of it', `${endpoint}?city=tokyo`],
  ])('is remembered if a thief lists %s', (_, url) => {
    const catalog = hijacked()
    apply(catalog, thief(url))
    expect(judge(catalog, url, '0.001', { payTo: THIEF, at: later })[0]).toBe('caution')
  })

  test('counts before its listing is probed again', () => {
    const catalog = new Catalog()
    apply(catalog, listedAt(now, asking(endpoint, '0.001', { owner: STRANGER })), thief(endpoint))
    const pay = (at: Date) => judge(catalog, endpoint, '0.001', { payTo: THIEF, at })
    expect(pay(later)).toEqual(['caution', 'payee_replaced'])
    expect(pay(new Date(now.getTime() + 7 * 86_400_000))).toEqual(CLEAR)
    // Of other paths nothing is known: on a host of many sellers each has a wallet.
    apply(catalog, thief(`${endpoint}/other`))
    expect(judge(catalog, `${endpoint}/other`, '0.001', { payTo: THIEF, at: later })).toEqual(CLEAR)
  })
})

test('a stranger’s newer listing that lost its payee does not make the seller look like a replacement', () => {
  const catalog = new Catalog()
  const second = `0x${'33'.repeat(20)}`
  apply(catalog, listedAt(now, asking(endpoint, '0.1')))
  const stranger = asking(endpoint, '0.1', { owner: STRANGER, payTo: second, network: 'polygon' })
  const seen = { ...asking(endpoint, '0.1').seen!, lostAt: now.toISOString() }
  const standing = { ...stranger.standing, status: 'unverified' as const }
  apply(catalog, listedAt(new Date(now.getTime() + 1_000), { ...stranger, seen, standing }))
  expect(judge(catalog, endpoint, '0.1')).toEqual(CLEAR)
})

test('a new listing for the payee of a hidden listing is stopped too', () => {
  const catalog = new Catalog()
  apply(catalog, { ...asking(endpoint, '0.001'), hidden: { at: now.toISOString(), why: 'A scam.' } })
  apply(catalog, asking(endpoint, '0.001'))
  expect(judge(catalog, endpoint, '0.001')).toEqual(['stop', 'hidden_by_operator'])
  // What the operator listed and hid, too.
  const ofOperator = new Catalog()
  apply(ofOperator, {
    ...asking(endpoint, '0.001'),
    owner: null,
    hidden: { at: now.toISOString(), why: 'A scam.' },
  })
  apply(ofOperator, asking(endpoint, '0.001'))
  expect(judge(ofOperator, endpoint, '0.001')).toEqual(['stop', 'hidden_by_operator'])
  // Somebody else’s listing of the same URL, hidden, is not held against the payee.
  const honest = new Catalog()
  const copy = asking(endpoint, '0.001', { owner: STRANGER })
  apply(honest, { ...copy, hidden: { at: now.toISOString(), why: 'A copy.' } }, asking(endpoint, '0.001'))
  expect(judge(honest, endpoint, '0.001')).toEqual(CLEAR)
})

test('of a stranger’s listings at every place above a URL few are read, and that of its seller among them', () => {
  const catalog = new Catalog()
  const places = Array.from({ length: 60 }, (_, depth) => endpoint + '/deep'.repeat(depth))
  const crowd = places.flatMap(place =>
    Array.from({ length: 20 }, () =>
      entry({ endpoint: place, x402Config: { paymentAddress: THIEF, network: 'base' } }),
    ),
  )
  apply(catalog, ...crowd, asking(places[30]!, '0.1'))
  const reads = spyOn(Records.prototype, 'service')
  expect(judge(catalog, places.at(-1)!, '0.1')).toEqual(CLEAR)
  expect(reads.mock.calls.length).toBeLessThan(200)
  reads.mockRestore()
  expect(judge(catalog, places[30]!, '0.1')).toEqual(CLEAR)
})

test('a hidden stranger’s listing above a URL does not stop payments below it', () => {
  const catalog = new Catalog()
  const root = 'https://api.shop.dev/'
  const impostor = asking(root, '0.001', { payTo: THIEF, owner: `eip155:${THIEF}` })
  const { seen: _, ...unseen } = impostor
  apply(catalog, { ...unseen, hidden: { at: now.toISOString(), why: 'An impostor.' } })
  expect(judge(catalog, endpoint, '0.001')).toEqual(['unknown', 'not_listed'])
  expect(judge(catalog, root, '0.001')).toEqual(['stop', 'hidden_by_operator'])
})

describe('a stranger who lists again', () => {
  const again = asking(endpoint, '0.001', { owner: STRANGER })
  test('what its payee has retired does not restore it', () => {
    const catalog = new Catalog()
    const own = asking(endpoint, '0.001')
    const standing = { ...own.standing, status: 'inactive' as const }
    apply(catalog, { ...own, standing, retired: 'Over.' }, again)
    expect(judge(catalog, endpoint, '0.001')[0]).toBe('stop')
    expect(judge(catalog, endpoint, '0.001')).toContain('retired')
  })
  test('what was removed causes a caution', () => {
    const catalog = new Catalog()
    listAndRemove(catalog, asking(endpoint, '0.001'))
    apply(catalog, again)
    expect(judge(catalog, endpoint, '0.001')).toEqual(['caution', 'removed'])
    // Its payee brings it back.
    apply(catalog, asking(endpoint, '0.001'))
    expect(judge(catalog, endpoint, '0.001')).toEqual(CLEAR)
  })
})

describe('a stranger cannot make a seller doubtful', () => {
  /** While the other listings are there, and after they are removed. */
  const expectClearBeside = (catalog: Catalog, url: string, ...others: readonly Entry[]) => {
    apply(catalog, ...others)
    expect(judge(catalog, url, '0.1')).toEqual(CLEAR)
    for (const other of others) remove(catalog, other)
    expect(judge(catalog, url, '0.1')).toEqual(CLEAR)
  }

  test('by claiming a listing for a wallet that the endpoint never named', () => {
    const catalog = new Catalog()
    const mine = { payTo: THIEF, owner: `eip155:${THIEF}` }
    const unpaid = (url: string): Entry => {
      const claimed = asking(url, '0.001', mine)
      const standing = { ...claimed.standing, status: 'unverified' as const }
      return { ...claimed, standing, seen: asking(url, '0.001').seen! }
    }
    const [query, above] = [unpaid(`${endpoint}?model=small`), unpaid(new URL('/', endpoint).href)]
    const large = `${endpoint}?model=small&n=100`
    apply(catalog, asking(large, '0.1'))
    expectClearBeside(catalog, large, query, above)
  })

  test('by a listing of a path below it for a second wallet of the seller', () => {
    const catalog = new Catalog()
    const url = `${endpoint}/forecast`
    const solana = {
      scheme: 'exact',
      chain: SOLANA,
      asset: USDC_ON_SOLANA,
      amount: '100000',
      payTo: SOLANA_THIEF,
    }
    const stranger = asking(url, '0.1', { owner: STRANGER })
    const [resource] = stranger.seen!.resources
    const resources = [{ ...resource!, ways: [...resource!.ways, solana] }]
    apply(catalog, asking(endpoint, '0.1'), {
      ...listedAt(new Date(now.getTime() - 2 * 86_400_000), stranger),
      x402Config: { paymentAddress: SOLANA_THIEF, network: 'solana' },
      seen: { ...stranger.seen!, resources },
      movedAt: now.toISOString(),
    })
    expect(judge(catalog, url, '0.1')).toEqual(CLEAR)
  })

  test('by a listing above it, even if that changes or is removed', () => {
    const catalog = new Catalog()
    const url = `${endpoint}/alice`
    const root = asking(endpoint, '0.001', { owner: STRANGER, payTo: THIEF })
    apply(catalog, asking(url, '0.1'), root)
    expect(judge(catalog, url, '0.1')).toEqual(CLEAR)
    const lost = { ...root.seen!, lostAt: now.toISOString() }
    apply(catalog, { ...root, seen: lost, standing: { ...root.standing, status: 'unverified' } })
    expect(judge(catalog, url, '0.1')).toEqual(CLEAR)
    remove(catalog, root)
    expect(judge(catalog, url, '0.1')).toEqual(CLEAR)
  })

  test('by claiming the root of a shared host on which only the claimant’s own resource asks for payment', () => {
    const root = new URL('/', endpoint).href
    const below = `${endpoint}/forecast`
    const day = 86_400_000
    /** Verified by what documents of the host name: `/` itself asks for nothing. */
    const claimed = (at: number): Entry => {
      const own = asking(new URL('/thief', endpoint).href, '0.001', {
        payTo: THIEF,
        owner: `eip155:${THIEF}`,
      })
      return listedAt(new Date(at), { ...own, endpoint: root })
    }
    const hosted = asking(endpoint, '0.1', { owner: STRANGER })
    const since = now.getTime() - 3 * day
    for (const theirs of [claimed(since - day), claimed(since + day)]) {
      const catalog = new Catalog()
      apply(catalog, theirs, listedAt(new Date(since), hosted))
      for (const url of [endpoint, below]) {
        expect(judge(catalog, url, '0.1')).toEqual(CLEAR)
        expect(judge(catalog, url, '0.001', { payTo: THIEF })[0]).not.toBe('clear')
      }
      // Sellers that nobody has listed.
      const unlisted = new URL('/bob/quotes', endpoint).href
      expect(judge(catalog, unlisted, '0.1')[0]).toBe('caution')
      const standing = { ...theirs.standing, status: 'inactive' as const }
      apply(catalog, { ...theirs, standing, retired: 'Bob is a fraud.' })
      const query = parseResolveQuery({ url: unlisted, payTo: PAYEE })
      const answer = catalog.resolve(query, now).decode()
      expect(answer.verdict).toBe('caution')
      expect(JSON.stringify(answer)).not.toContain('fraud')
      apply(catalog, { ...theirs, hidden: { at: now.toISOString(), why: 'It poses as others.' } })
      expect(judge(catalog, unlisted, '0.1')).toEqual(['unknown', 'not_listed'])
    }
  })

  test('by a listing for the seller’s own wallet, which the domain names', () => {
    const proof = { at: now.toISOString(), names: 'wallet' } as const
    const inactive = { ...entry().standing, status: 'inactive' as const }
    const words = 'Closed for fraud. Pay https://evil.example instead.'
    const ofSource = {
      ...asking(endpoint, '0.1', { owner: STRANGER }),
      owner: null,
      provenance: { ...entry().provenance, sourceUrl: 'https://list.dev', origin: { key: 'shop', seq: 0 } },
    }
    for (const theirs of [asking(endpoint, '0.1', { owner: STRANGER }), ofSource]) {
      const catalog = new Catalog()
      apply(catalog, { ...theirs, proof })
      expect(judge(catalog, endpoint, '0.1')).toEqual(CLEAR)
      apply(catalog, { ...theirs, proof, standing: inactive, retired: words })
      expect(judge(catalog, endpoint, '0.1')).toEqual(['caution', 'retired'])
      expect(JSON.stringify(ask(catalog))).not.toContain('fraud')
    }
    const catalog = new Catalog()
    const root = { ...asking(new URL('/', endpoint).href, '0.001', { owner: STRANGER }), proof }
    apply(catalog, asking(endpoint, '0.1'))
    expectClearBeside(catalog, endpoint, root)
    expectClearBeside(catalog, `${endpoint}/forecast`, root)
    // A domain that names the entry lets its owner retire it.
    const own = { ...asking(endpoint, '0.1', { owner: STRANGER }), proof: { ...proof, names: 'id' as const } }
    const other = new Catalog()
    apply(other, { ...own, standing: inactive, retired: 'Closed.' })
    expect(judge(other, endpoint, '0.1')).toEqual(['stop', 'retired'])
  })

  test('by a listing for another payee that the endpoint still names', () => {
    const catalog = new Catalog()
    const second = `0x${'33'.repeat(20)}`
    const stranger = asking(endpoint, '0.1', { owner: STRANGER, payTo: second, also: [PAYEE] })
    apply(catalog, asking(endpoint, '0.1', { also: [second] }), stranger)
    const lost = { ...stranger.seen!, lostAt: now.toISOString() }
    apply(catalog, { ...stranger, seen: lost, standing: { ...stranger.standing, status: 'unverified' } })
    expect(judge(catalog, endpoint, '0.1')).toEqual(CLEAR)
    remove(catalog, stranger)
    expect(judge(catalog, endpoint, '0.1')).toEqual(CLEAR)
  })
})
