import { describe, expect, test } from 'bun:test'
import { toSeenPlaces } from '../../src/domain/resolve/judge-payment.ts'
import type { Listing } from '../../src/domain/resolve/listing.ts'
import {
  hasQuery,
  isOddPath,
  placeOf,
  placesOf,
  queryOf,
  readQueryValues,
} from '../../src/domain/resolve/place.ts'
import { parseResolveQuery } from '../../src/domain/resolve/query.ts'
import { compareStanding, judgeUrl } from '../../src/domain/resolve/resolve.ts'
import { createEntry, type Entry, type Service } from '../../src/domain/service.ts'
import { say } from '../../src/messages/message.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const PAYEE = `0x${'1'.repeat(40)}`
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const SOLANA_PAYEE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const now = new Date('2026-06-01T00:00:00Z')

const way = { scheme: 'exact', chain: 'eip155:8453', asset: USDC, amount: '2500', payTo: PAYEE }
const seen = toSeenPlaces({
  at: '2026-05-31T00:00:00.000Z',
  price: 'same',
  asks: { amount: '0.0025', currency: 'USDC' },
  resources: [
    {
      url: 'https://api.weather.jp/v1/forecast',
      method: 'GET',
      ways: [way, { ...way, chain: SOLANA, asset: SOLANA_USDC, payTo: SOLANA_PAYEE }],
    },
    { url: 'https://api.weather.jp/v1/cheap', method: 'POST', ways: [{ ...way, amount: '1000' }] },
  ],
})
const seenAsking = (change: Partial<typeof way>) => ({
  ...seen,
  resources: seen.resources.map(each => ({ ...each, accepts: [{ ...way, ...change }] })),
})
const service: Service = {
  id: 'svc_weather',
  name: 'Weather',
  description: 'Weather',
  endpoint: 'https://api.weather.jp/v1',
  category: 'weather',
  pricing: { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 0 },
  x402Config: { paymentAddress: PAYEE, network: 'base' },
  trustScore: 90,
  status: 'verified',
  supportedChains: ['base'],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}
const listing = (change: Partial<Listing> & { service?: Partial<Service> } = {}): Listing => {
  const listed = { ...service, ...change.service }
  const backing = change.backing ?? {
    isClaimed: false,
    hasDomainProof: false,
    isNamedByDomain: false,
    isVerified: listed.status === 'verified',
    isByAnybody: false,
    sinceMs: 1,
  }
  return {
    backing,
    isByStrangerToEndpoint: backing.isByAnybody && !backing.isClaimed && !backing.isNamedByDomain,
    distance: 1,
    isOfQuery: true,
    isRetired: false,
    isSample: false,
    isFailing: false,
    isMoved: false,
    seen,
    ...change,
    service: listed,
  }
}

const asked = {
  url: 'https://api.weather.jp/v1/forecast?city=Tokyo',
  payTo: PAYEE,
  amount: '2500',
  asset: USDC,
  network: 'eip155:8453',
  scheme: 'exact',
  method: 'GET',
}
const ask = (
  change: Record<string, string | undefined> = {},
  listings = [listing()],
  wasRemoved = false,
  hidden: Entry[] = [],
) => {
  const { verdict, reasons } = judgeUrl(
    parseResolveQuery({ ...asked, ...change }),
    listings.toSorted(compareStanding),
    { hidden, wasRemoved, now },
  )
  return [verdict, ...reasons.map(({ code }): string => code)]
}

const hidden: Entry = {
  ...createEntry(
    { ...service, x402Config: { paymentAddress: `0x${'5'.repeat(40)}`, network: 'base' } },
    { id: 'svc_hidden', now },
  ),
  hidden: { at: now.toISOString(), why: 'An impostor.' },
}

describe('a payment', () => {
  test('is clear where all is as listed and seen', () => {
    expect(ask()).toEqual(['clear', 'as_listed_and_seen'])
    expect(
      ask({ payTo: PAYEE.toUpperCase().replace('0X', '0x'), network: 'base', asset: USDC.toLowerCase() }),
    ).toEqual(['clear', 'as_listed_and_seen'])
    expect(ask({ amount: '2000' })).toEqual(['clear', 'as_listed_and_seen'])
    expect(ask({ network: SOLANA, asset: SOLANA_USDC, payTo: SOLANA_PAYEE })[0]).toBe('clear')
    expect(ask({ url: 'https://api.weather.jp/v1/hourly' })[0]).toBe('clear')
  })

  test.each<[string, Record<string, string | undefined>, string, string]>([
    ['another payee', { payTo: `0x${'2'.repeat(40)}` }, 'stop', 'payee_elsewhere'],
    ['the payee of another chain', { payTo: SOLANA_PAYEE }, 'stop', 'payee_elsewhere'],
    ['more than was seen', { amount: '2501' }, 'stop', 'more_than_seen'],
    [
      'more than the resource itself asked',
      { url: 'https://api.weather.jp/v1/cheap', method: 'POST', amount: '2500' },
      'stop',
      'more_than_seen',
    ],
    ['more than is listed', { amount: '9'.repeat(70) }, 'stop', 'more_than_listed'],
    ['another network', { network: 'polygon' }, 'stop', 'network_elsewhere'],
    ['an asset that is not known', { asset: `0x${'3'.repeat(40)}` }, 'caution', 'asset_not_comparable'],
    [
      'another asset of the same money',
      { network: 'base', asset: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42' },
      'caution',
      'asset_unseen',
    ],
    ['an asset by a symbol that its chain has', { asset: 'USDC' }, 'caution', 'asset_by_symbol'],
    ['more of it than is listed', { asset: 'usdc', amount: '2501' }, 'stop', 'more_than_listed'],
    ['an asset by a symbol that its chain lacks', { asset: 'PYUSD' }, 'caution', 'asset_without_address'],
    ['another scheme', { scheme: 'batch-settlement' }, 'caution', 'scheme_unseen'],
    ['another method', { method: 'DELETE' }, 'caution', 'method_unseen'],
    ['without encryption', { url: 'http://api.weather.jp/v1/forecast' }, 'caution', 'origin_elsewhere'],
    ['another port', { url: 'https://api.weather.jp:80/v1/forecast' }, 'caution', 'origin_elsewhere'],
    [
      'a path that may lead elsewhere',
      { url: 'https://api.weather.jp/v1/..%2fadmin' },
      'caution',
      'path_with_escapes',
    ],
  ])('of %s is not clear', (_, change, verdict, code) => {
    const [given, ...codes] = ask(change)
    expect(given).toBe(verdict)
    expect(codes).toContain(code)
  })

  test.each<[string, Partial<Listing> & { service?: Partial<Service> }, string, string]>([
    ['retired', { isRetired: true }, 'stop', 'retired'],
    ['unverified', { service: { status: 'unverified' } as Service }, 'caution', 'listing_unverified'],
    ['inactive', { service: { status: 'inactive' } as Service }, 'caution', 'listing_inactive'],
    ['invented', { isSample: true }, 'caution', 'sample'],
    ['never seen to ask', { seen: undefined }, 'caution', 'terms_never_seen'],
    [
      'seen last eight days ago',
      { seen: { ...seen, at: '2026-05-24T00:00:00.000Z' } },
      'caution',
      'terms_seen_long_ago',
    ],
    ['seen at no time', { seen: { ...seen, at: 'never' } }, 'caution', 'terms_seen_long_ago'],
  ])('to a listing that is %s is not clear', (_, change, verdict, code) => {
    const [given, ...codes] = ask({}, [listing(change)])
    expect(given).toBe(verdict)
    expect(codes).toContain(code)
  })

  test('in a token by its symbol is compared with the one of its chain, and told its address', () => {
    const [judged] = [{ network: undefined }, { network: SOLANA, payTo: SOLANA_PAYEE }].map(change => {
      const query = parseResolveQuery({ ...asked, asset: 'USDC', ...change })
      return judgeUrl(query, [listing()], { hidden: [], wasRemoved: false, now }).reasons
    })
    expect(judged).toEqual([say('asset_by_symbol', { asked: 'USDC', chain: 'Base', address: USDC })])
    // A name that is an address there is none.
    const resources = seen.resources.map(each => ({ ...each, accepts: [{ ...way, asset: 'XRP' }] }))
    const xrp = ask({ asset: 'XRP' }, [listing({ seen: { ...seen, resources } })])
    expect(xrp).not.toContain('asset_without_address')
    expect(xrp).not.toContain('asset_by_symbol')
  })

  test.each<[string, Partial<Listing>]>([
    ['unseen', { seen: undefined }],
    ['payee', { seen: seenAsking({ payTo: SOLANA_PAYEE }) }],
    ['network', { seen: seenAsking({ chain: SOLANA }) }],
    ['price', { seen: { ...seen, price: 'higher' } }],
    ['delivery', { isFailing: true }],
    ['probes', {}],
  ])('to a listing that is not verified because of its %s says so', (why, change) => {
    const unverified = listing({ ...change, service: { ...service, status: 'unverified' } })
    const { reasons } = judgeUrl(parseResolveQuery({ url: asked.url }), [unverified], {
      hidden: [],
      wasRemoved: false,
      now,
    })
    expect(reasons.filter(({ code }) => code === 'listing_unverified')).toEqual([
      say('listing_unverified', { why: why as 'unseen' }),
    ])
  })

  test('to a retired listing passes on what its owner said, and nothing of a stranger', () => {
    const retired = { isRetired: true, retirement: 'Moved to https://new.example' }
    const reasonsOf = (change: Partial<Listing>) =>
      judgeUrl(parseResolveQuery(asked), [listing({ ...retired, ...change })], {
        hidden: [],
        wasRemoved: false,
        now,
      }).reasons
    expect(reasonsOf({})).toContainEqual(say('retired', { message: retired.retirement }))
    const backing = { ...listing().backing, isVerified: false, isByAnybody: true }
    expect(reasonsOf({ backing })).toContainEqual(say('retired', { message: null }))
  })

  test('to an unlisted URL is unknown, and to a removed one a stop', () => {
    expect(ask({}, [])).toEqual(['unknown', 'not_listed'])
    expect(ask({}, [], true)).toEqual(['stop', 'removed'])
    expect(ask({}, [], true, [hidden])).toEqual(['stop', 'hidden_by_operator'])
  })
})

describe('of several listings of one URL', () => {
  const thief = { paymentAddress: `0x${'6'.repeat(40)}`, network: 'base' }
  const copy = listing({
    service: { id: 'svc_copy', status: 'unverified', endpoint: asked.url, x402Config: thief } as Service,
    distance: 0,
    backing: {
      isClaimed: true,
      hasDomainProof: false,
      isNamedByDomain: false,
      isVerified: false,
      isByAnybody: true,
      sinceMs: 0,
    },
  })

  test('the verified one represents it, even if a copy is closer, older and claimed by its wallet', () => {
    expect(ask({}, [copy, listing()])).toEqual(['clear', 'as_listed_and_seen'])
    expect(ask({ payTo: thief.paymentAddress }, [copy, listing()])).toEqual([
      'stop',
      'payee_elsewhere',
      'payee_of_other_listing',
    ])
  })

  test('a hidden one is reported if it would be paid, and does not affect the one that represents the URL', () => {
    const { paymentAddress } = hidden.x402Config
    expect(ask({}, [listing()], true, [hidden])).toEqual(['clear', 'as_listed_and_seen'])
    expect(ask({ payTo: paymentAddress }, [listing()], false, [hidden])).toContain('hidden_by_operator')
  })

  const dear = (backing: Partial<Listing['backing']>, isRetired = false) =>
    listing({
      service: {
        id: 'svc_dear',
        status: backing.isVerified ? 'verified' : 'unverified',
        pricing: { ...service.pricing, pricePerRequest: '1000' },
      } as Service,
      distance: 0,
      isRetired,
      backing: {
        isClaimed: false,
        hasDomainProof: false,
        isNamedByDomain: false,
        isVerified: false,
        isByAnybody: true,
        sinceMs: 2,
        ...backing,
      },
    })
  const speaks = (listings: Listing[]) => listings.toSorted(compareStanding)[0]?.service.id

  test('a closer one of a stranger with the same payee does not replace one that is as verified and older', () => {
    expect(speaks([dear({ isVerified: true }), listing()])).toBe('svc_weather')
    expect(speaks([dear({ hasDomainProof: true }), listing()])).toBe('svc_weather')
    expect(speaks([dear({ isClaimed: true, hasDomainProof: true }), listing()])).toBe('svc_weather')
  })

  test('the closer one represents it if the payee has claimed both', () => {
    const claimed = {
      isClaimed: true,
      hasDomainProof: false,
      isNamedByDomain: false,
      isVerified: true,
      isByAnybody: true,
      sinceMs: 1,
    }
    expect(speaks([listing({ backing: claimed }), dear({ isVerified: true, isClaimed: true })])).toBe(
      'svc_dear',
    )
  })

  test('a retired one does not replace a verified one', () => {
    for (const backing of [
      { hasDomainProof: true },
      { isVerified: true, sinceMs: 0 },
      { isVerified: true, hasDomainProof: true, isNamedByDomain: false, sinceMs: 0 },
    ])
      expect(ask({}, [dear(backing, true), listing()])).toEqual(['clear', 'as_listed_and_seen'])
  })
})

describe('a price that customers choose by', () => {
  const claimed = {
    isClaimed: true,
    hasDomainProof: false,
    isNamedByDomain: false,
    isVerified: true,
    isByAnybody: true,
    sinceMs: 1,
  }
  const stranger = { ...claimed, isClaimed: false }
  const own = { at: '2026-05-31T00:00:00.000Z', price: 'same' as const, asks: null }
  const at = (amount: string) => ({
    ...own,
    resources: [{ place: placeOf(asked.url), method: 'GET', accepts: [{ ...way, amount }] }],
  })
  const priced = (pricePerRequest: string) => ({ pricing: { ...service.pricing, pricePerRequest } })
  const bait = (change: Partial<Listing> = {}) =>
    listing({
      service: { id: 'svc_bait', endpoint: asked.url, ...priced('0.001') } as Service,
      distance: 0,
      backing: stranger,
      seen: at('1000'),
      ...change,
    })
  const dear = listing({ service: priced('0.9') as Service, backing: claimed, seen: at('900000') })

  test('is not exceeded by a claimed listing above the URL', () => {
    expect(ask({ amount: '900000' }, [bait()])[0]).toBe('stop')
    expect(ask({ amount: '900000' }, [bait(), dear])).toEqual(['caution', 'more_than_other_listing'])
    expect(ask({ amount: '1000' }, [bait(), dear])).toEqual(['clear', 'as_listed_and_seen'])
  })

  test('does not count against a seller whose endpoint never asked for so little, or pays another wallet', () => {
    const unverified = { ...stranger, isVerified: false }
    expect(ask({ amount: '900000' }, [bait({ backing: unverified }), dear])[0]).toBe('clear')
    expect(ask({ amount: '900000' }, [bait({ isRetired: true }), dear])[0]).toBe('clear')
    expect(ask({ amount: '900000' }, [bait({ isOfQuery: false }), dear])[0]).toBe('clear')
  })

  test('and that rose within a day is a caution for a much higher amount', () => {
    const risen = (until: string) =>
      listing({
        service: priced('0.9') as Service,
        seen: { ...at('900000'), lower: { amount: '0.001', currency: 'USDC', until } },
      })
    const recent = risen('2026-05-31T23:00:00.000Z')
    expect(ask({ amount: '900000' }, [recent])).toEqual(['caution', 'price_risen'])
    expect(ask({ amount: '1501' }, [recent])).toEqual(['caution', 'price_risen'])
    expect(ask({ amount: '1500' }, [recent])).toEqual(['clear', 'as_listed_and_seen'])
    expect(ask({ amount: '900000' }, [risen('2026-05-30T23:00:00.000Z')])[0]).toBe('clear')
  })
})

describe('a payee that replaced another', () => {
  const thief = { paymentAddress: `0x${'6'.repeat(40)}`, network: 'base' }
  const claimed = {
    isClaimed: true,
    hasDomainProof: false,
    isNamedByDomain: false,
    isVerified: true,
    isByAnybody: true,
    sinceMs: 1,
  }
  const toThief = {
    at: '2026-05-31T00:00:00.000Z',
    price: 'same' as const,
    asks: null,
    resources: [
      { place: placeOf(asked.url), method: 'GET', accepts: [{ ...way, payTo: thief.paymentAddress }] },
    ],
  }
  const taken = (backing: Partial<Listing['backing']> = {}) =>
    listing({
      service: { id: 'svc_thief', x402Config: thief } as Service,
      backing: { ...claimed, sinceMs: 2, ...backing },
      seen: toThief,
    })
  const robbed = (lostAt: string | undefined) =>
    listing({
      service: { status: 'unverified' } as Service,
      backing: { ...claimed, isVerified: false },
      seen: { ...toThief, ...(lostAt && { lostAt }) },
    })
  const toTaken = { payTo: thief.paymentAddress }

  test('is a caution for a week after the other was verified here', () => {
    const recent = robbed('2026-05-31T12:00:00.000Z')
    expect(ask(toTaken, [taken(), recent])).toEqual(['caution', 'payee_replaced'])
    expect(ask(toTaken, [taken(), robbed('2026-05-25T12:00:00.000Z')])[0]).toBe('caution')
    expect(ask(toTaken, [taken(), robbed('2026-05-24T00:00:00.000Z')])[0]).toBe('clear')
  })

  test('is no caution if no other was verified here, or the domain names the new one', () => {
    expect(ask(toTaken, [taken(), robbed(undefined)])[0]).toBe('clear')
    expect(ask(toTaken, [taken({ hasDomainProof: true }), robbed('2026-05-31T12:00:00.000Z')])[0]).toBe(
      'clear',
    )
  })

  test('by an edit is a caution for a week, unless the domain names it', () => {
    const sinceMs = Date.parse('2026-05-30T00:00:00.000Z')
    const moved = (backing: Partial<Listing['backing']> = {}) =>
      listing({ isMoved: true, backing: { ...claimed, sinceMs, ...backing } })
    expect(ask({}, [moved()])).toEqual(['caution', 'listing_moved'])
    expect(ask({}, [moved({ hasDomainProof: true })])[0]).toBe('clear')
    expect(ask({}, [moved({ sinceMs: Date.parse('2026-05-24T00:00:00.000Z') })])[0]).toBe('clear')
    expect(ask({}, [listing({ backing: { ...claimed, sinceMs } })])[0]).toBe('clear')
  })
})

describe('on a host of many sellers', () => {
  const tenant = { paymentAddress: `0x${'4'.repeat(40)}`, network: 'base' }
  const claimed = {
    isClaimed: true,
    hasDomainProof: false,
    isNamedByDomain: false,
    isVerified: true,
    isByAnybody: true,
    sinceMs: 0,
  }
  const toTenant = [{ ...way, payTo: tenant.paymentAddress }]
  const own = listing({
    service: { id: 'svc_tenant', x402Config: tenant } as Service,
    distance: 0,
    seen: { ...seen, resources: [{ place: placeOf(asked.url), method: 'GET', accepts: toTenant }] },
    backing: { ...claimed, isClaimed: false, isByAnybody: false, sinceMs: 2 },
  })
  const gateway = listing({
    backing: claimed,
    seen: { ...seen, resources: [{ place: 'api.weather.jp/v1', method: 'GET', accepts: [way] }] },
  })

  test('a listing above the URL does not represent it if a listing of the URL itself was seen with another payee', () => {
    expect(ask({ payTo: tenant.paymentAddress }, [own, gateway])).toEqual(['clear', 'as_listed_and_seen'])
    expect(ask({}, [own, gateway])).toEqual(['stop', 'payee_elsewhere', 'payee_of_other_listing'])
  })

  test.each(['eip155:8453', 'polygon', 'Base'])(
    'a stranger’s listing for the same payee on %s is not that of another seller',
    network => {
      const closer = listing({
        service: {
          id: 'svc_stranger',
          pricing: { ...service.pricing, pricePerRequest: '0.9' },
          x402Config: { paymentAddress: PAYEE.toUpperCase().replace('X', 'x'), network },
        } as Service,
        distance: 0,
        seen: {
          ...seen,
          resources: [{ place: placeOf(asked.url), method: 'GET', accepts: [{ ...way, amount: '900000' }] }],
        },
        backing: { ...claimed, isClaimed: false, sinceMs: 2 },
      })
      expect(ask({ amount: '900000' }, [closer, gateway])[0]).toBe('stop')
    },
  )

  test('one with another query comes last, and gives neither stop nor clear', () => {
    const other = listing({ isOfQuery: false, backing: claimed, distance: 0 })
    expect(ask({ payTo: tenant.paymentAddress }, [own, other])[0]).toBe('clear')
    expect(ask({}, [own, other])[0]).toBe('stop')
    expect(ask({}, [other])).toEqual(['caution', 'query_elsewhere'])
    expect(ask({ payTo: tenant.paymentAddress }, [other])).toEqual([
      'caution',
      'payee_elsewhere',
      'query_elsewhere',
    ])
  })
})

describe('a listing by a wallet that it does not pay', () => {
  const backing = {
    isClaimed: false,
    hasDomainProof: false,
    isNamedByDomain: false,
    isVerified: true,
    isByAnybody: true,
    sinceMs: 0,
  }
  const dear = { url: 'https://api.weather.jp/v1/dear', amount: '50000' }

  test('stops nothing below its endpoint that it was not seen with', () => {
    const [verdict, ...codes] = ask(dear, [listing({ backing })])
    expect(verdict).toBe('caution')
    expect(codes).toEqual(expect.arrayContaining(['more_than_seen', 'more_than_listed']))
    expect(ask({ ...dear, url: asked.url }, [listing({ backing })])[0]).toBe('stop')
    expect(ask(dear, [listing({ backing: { ...backing, isClaimed: true } })])[0]).toBe('stop')
    // A claim of a URL that itself was never seen asking: a resource below it was.
    expect(
      ask(dear, [listing({ backing: { ...backing, isClaimed: true }, isByStrangerToEndpoint: true })])[0],
    ).toBe('caution')
    const proved = { ...backing, hasDomainProof: true }
    expect(ask(dear, [listing({ backing: proved })])[0]).toBe('caution')
    expect(ask(dear, [listing({ backing: { ...proved, isNamedByDomain: true } })])[0]).toBe('stop')
    const unverified = listing({
      backing: { ...backing, isClaimed: true, isVerified: false },
      service: { status: 'unverified' } as Service,
    })
    expect(ask({ ...dear, payTo: `0x${'8'.repeat(40)}` }, [unverified])[0]).toBe('caution')
  })

  test('does not replace one that a key has listed, however old', () => {
    const own = listing({
      service: { id: 'svc_own', pricing: { ...service.pricing, pricePerRequest: '0.05' } } as Service,
      distance: 0,
      seen: {
        ...seen,
        resources: [{ place: placeOf(dear.url), method: 'GET', accepts: [{ ...way, amount: '50000' }] }],
      },
      backing: { ...backing, isByAnybody: false, sinceMs: 9 },
    })
    expect(ask(dear, [listing({ backing }), own])).toEqual(['clear', 'as_listed_and_seen'])
  })
})

describe('a listing that is not verified', () => {
  const squatter = { paymentAddress: `0x${'7'.repeat(40)}`, network: 'base' }
  const squatted = (change: Partial<Listing> = {}) =>
    listing({
      ...change,
      service: {
        status: 'unverified',
        x402Config: squatter,
        pricing: { ...service.pricing, pricePerRequest: '0.0001' },
      } as Service,
    })

  test('does not stop a payment that its own endpoint was seen to ask for', () => {
    const [verdict, ...codes] = ask({}, [squatted()])
    expect(verdict).toBe('caution')
    expect(codes).toEqual(
      expect.arrayContaining(['payee_elsewhere', 'more_than_listed', 'listing_unverified']),
    )
  })

  test('is a stop for every other payment', () => {
    expect(ask({ amount: '2501' }, [squatted()])[0]).toBe('stop')
    expect(ask({ payTo: `0x${'8'.repeat(40)}` }, [squatted()])[0]).toBe('stop')
    expect(ask({ network: 'eip155:10' }, [squatted()])[0]).toBe('stop')
    expect(ask({}, [squatted({ seen: undefined })])[0]).toBe('stop')
  })

  test('is only a caution where a wallet retires it that the endpoint was not seen to pay', () => {
    const wallet = {
      hasDomainProof: false,
      isNamedByDomain: false,
      isVerified: false,
      isByAnybody: true,
      sinceMs: 1,
    }
    const speakers = { own: { ...wallet, isClaimed: true }, other: { ...wallet, isClaimed: false } }
    const retired = { isRetired: true, service: { ...service, status: 'inactive' } } as const
    const byPayee = listing({ ...retired, backing: speakers.own })
    const strangers = [
      listing({ ...retired, backing: speakers.own, service: { ...retired.service, x402Config: squatter } }),
      listing({ ...retired, backing: speakers.other }),
      listing({ ...retired, backing: speakers.other, distance: 0 }),
    ]
    for (const stranger of strangers) {
      expect(ask({}, [stranger]).slice(0, 2)).toEqual(['caution', 'retired'])
      const bare = {
        payTo: undefined,
        amount: undefined,
        asset: undefined,
        network: undefined,
        scheme: undefined,
      }
      expect(ask(bare, [stranger]).slice(0, 2)).toEqual(['caution', 'retired'])
      expect(ask({ payTo: `0x${'8'.repeat(40)}` }, [stranger])[0]).toBe('stop')
    }
    expect(ask({}, [byPayee]).slice(0, 2)).toEqual(['stop', 'retired'])
    expect(
      ask({}, [
        listing({ ...retired, backing: { ...speakers.other, hasDomainProof: true, isNamedByDomain: true } }),
      ])[0],
    ).toBe('stop')
  })

  test('is only a caution where a wallet listed it and its endpoint has never answered for it, also when it is retired', () => {
    const backing = {
      isClaimed: true,
      hasDomainProof: false,
      isNamedByDomain: false,
      isVerified: false,
      isByAnybody: true,
      sinceMs: 1,
    }
    const [verdict, ...codes] = ask({}, [squatted({ backing, seen: undefined, isRetired: true })])
    expect(verdict).toBe('caution')
    expect(codes).toEqual(expect.arrayContaining(['retired', 'payee_elsewhere', 'terms_never_seen']))
    expect(
      ask({}, [
        squatted({ backing: { ...backing, hasDomainProof: true, isNamedByDomain: true }, seen: undefined }),
      ])[0],
    ).toBe('stop')
  })
})

describe('a place', () => {
  test('is the same however its URL is written', () => {
    for (const url of [
      'https://A.example/v1',
      'https://a.example:443/v1/?q=1',
      'https://a.example./v1//',
      'https://a.example/%76%31#x',
    ])
      expect(placeOf(url)).toBe('a.example/v1')
  })

  test('lies below those above it', () => {
    expect(placesOf('https://a.example/v1/x/?q')).toEqual(['a.example/v1/x', 'a.example/v1', 'a.example'])
    expect(placesOf('https://a.example')).toEqual(['a.example'])
    expect(placesOf('https://a.example/v1/../v2')).toEqual(['a.example/v2', 'a.example'])
    expect(placesOf(`https://a.example${'/x'.repeat(900)}`)).toHaveLength(901)
    expect(placesOf(`https://a.example${'/x'.repeat(900)}`).at(-1)).toBe('a.example')
  })

  test('has the query of a listing where all of its values are the same', () => {
    const query = queryOf('https://a.example/pay?t=a&t=b&u=%41')
    expect(hasQuery(readQueryValues('https://a.example/pay?x=1&u=A&t=b&t=a'), query)).toBe(true)
    for (const other of ['t=a&u=A', 't=a&t=b', 't=a&t=b&u=A&u=B', 'T=a&T=b&u=A', ''])
      expect(hasQuery(readQueryValues(`https://a.example/pay?${other}`), query)).toBe(false)
    expect(hasQuery(readQueryValues('https://a.example/pay?t=a'), queryOf('https://a.example/pay'))).toBe(
      true,
    )
    expect(queryOf('https://a.example/pay#?t=a')).toBe('')
    expect(queryOf('https://a.example/pay?&&')).toBe('')
    // A very long query is compared as a whole: parameter by parameter, a thousand such listings would take a second.
    const long = Array.from({ length: 40 }, (_, i) => `p${i}=`).join('&')
    expect(hasQuery(readQueryValues(`https://a.example/pay?${long}`), long)).toBe(true)
    expect(hasQuery(readQueryValues(`https://a.example/pay?${long}&x=1`), long)).toBe(false)
  })

  test('is odd where a server may read it as another', () => {
    expect(isOddPath('https://a.example/v1%2f..%2fx')).toBe(true)
    expect(isOddPath('https://a.example/v1/..%252fx')).toBe(true)
    expect(isOddPath('https://a.example/v1/%25252e%25252e/x')).toBe(true)
    expect(isOddPath('https://a.example/v1/100%25')).toBe(false)
    expect(isOddPath('https://a.example/v1/x?u=%2f')).toBe(false)
  })
})

test.each([
  [{ url: 'api.weather.jp' }, 'url'],
  [{ url: 'https://user:secret@api.weather.jp/' }, 'url'],
  [{ url: 'ftp://api.weather.jp/' }, 'url'],
  [{ amount: '0.5' }, 'amount'],
  [{ amount: '-1' }, 'amount'],
  [{ payto: 'x' }, 'payto'],
])('%p is refused with the name of the parameter', (change, path) => {
  expect(() => parseResolveQuery({ ...asked, ...change })).toThrow(new RegExp(`^${path}: `))
})

test.each(['payTo', 'amount', 'asset', 'network', 'scheme', 'method'])('an empty %s is refused', name => {
  expect(() => parseResolveQuery({ ...asked, [name]: '' })).toThrow()
})

test('a listing is not reported as another listing of its own URL', () => {
  expect(ask({ amount: '5000' })).toEqual(['stop', 'more_than_seen', 'more_than_listed'])
})
