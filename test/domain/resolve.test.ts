import { describe, expect, test } from 'bun:test'
import { createEntry, type Entry } from '../../src/domain/listing/service.ts'
import type { Listing } from '../../src/domain/resolve/resolve.ts'
import { say } from '../../src/messages/message.ts'
import {
  ask,
  BY_KEY,
  BY_STRANGER,
  CLAIMED,
  judge,
  type ListingChange,
  listing,
  NOW,
  PAYEE,
  payee,
  priced,
  SEEN,
  SERVICE,
  SOLANA,
  SOLANA_PAYEE,
  SOLANA_USDC,
  seenAsking,
  USDC,
} from './resolve-listings.ts'

const HIDDEN: Entry = {
  ...createEntry({ ...SERVICE, x402Config: payee('5') }, { id: 'svc_hidden', now: NOW }),
  hidden: { at: NOW.toISOString(), why: 'An impostor.' },
}

describe('a payment', () => {
  test('is clear if everything is as listed and seen', () => {
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
    ['an asset named by its symbol, which any token can have', { asset: 'USDC' }, 'caution', 'asset_unseen'],
    ['another scheme', { scheme: 'batch-settlement' }, 'caution', 'scheme_unseen'],
    ['another method', { method: 'DELETE' }, 'caution', 'method_unseen'],
    ['without encryption', { url: 'http://api.weather.jp/v1/forecast' }, 'caution', 'origin_elsewhere'],
    ['another port', { url: 'https://api.weather.jp:80/v1/forecast' }, 'caution', 'origin_elsewhere'],
  ])('of %s is not clear', (_, change, verdict, code) => {
    const [given, ...codes] = ask(change)
    expect(given).toBe(verdict)
    expect(codes).toContain(code)
  })

  test.each<[string, ListingChange, string, string]>([
    ['retired', { isRetired: true }, 'stop', 'retired'],
    ['unverified', { service: { status: 'unverified' } }, 'caution', 'listing_unverified'],
    ['inactive', { service: { status: 'inactive' } }, 'caution', 'listing_inactive'],
    ['invented', { isSample: true }, 'caution', 'sample'],
    ['never seen to ask', { seen: undefined }, 'caution', 'terms_never_seen'],
    [
      'seen last eight days ago',
      { seen: { ...SEEN, at: '2026-05-24T00:00:00.000Z' } },
      'caution',
      'terms_seen_long_ago',
    ],
    ['seen at no time', { seen: { ...SEEN, at: 'never' } }, 'caution', 'terms_seen_long_ago'],
  ])('to a listing that is %s is not clear', (_, change, verdict, code) => {
    const [given, ...codes] = ask({}, [listing(change)])
    expect(given).toBe(verdict)
    expect(codes).toContain(code)
  })

  test.each<[string, ListingChange]>([
    ['unseen', { seen: undefined }],
    ['payee', { seen: seenAsking({ payTo: SOLANA_PAYEE }) }],
    ['network', { seen: seenAsking({ chain: SOLANA }) }],
    ['price', { seen: { ...SEEN, price: 'higher' } }],
    ['delivery', { isFailing: true }],
    ['declined', { isDeclined: true }],
    ['probes', {}],
  ])('to a listing that is not verified because of its %s says so', (why, change) => {
    const { reasons } = judge({}, [listing({ ...change, service: { status: 'unverified' } })])
    expect(reasons.filter(({ code }) => code === 'listing_unverified')).toEqual([
      say('listing_unverified', { why: why as 'unseen' }),
    ])
  })

  test('to a retired listing gets the message of its owner, but none of a stranger', () => {
    const retired = { isRetired: true, retirement: 'Moved to https://new.example' }
    const reasonsOf = (change: ListingChange) => judge({}, [listing({ ...retired, ...change })]).reasons
    expect(reasonsOf({})).toContainEqual(say('retired', { message: retired.retirement }))
    const backing = { ...BY_STRANGER, isVerified: false }
    expect(reasonsOf({ backing })).toContainEqual(say('retired', { message: null }))
  })

  test('to an unlisted URL is unknown, and to a removed or hidden one a stop', () => {
    expect(ask({}, [])).toEqual(['unknown', 'not_listed'])
    expect(ask({}, [], { wasRemoved: true })).toEqual(['stop', 'removed'])
    expect(ask({}, [], { wasRemoved: true, hidden: [HIDDEN] })).toEqual(['stop', 'hidden_by_operator'])
  })
})

describe('a listing that is not verified', () => {
  const squatter = payee('7')
  const squatted = (change: ListingChange = {}) =>
    listing({ ...change, service: { status: 'unverified', x402Config: squatter, ...priced('0.0001') } })

  test('does not stop a payment that its own endpoint was seen to ask for', () => {
    const [verdict, ...codes] = ask({}, [squatted()])
    expect(verdict).toBe('caution')
    expect(codes).toEqual(
      expect.arrayContaining(['payee_elsewhere', 'more_than_listed', 'listing_unverified']),
    )
  })

  test('stops it if the endpoint asked to pay the listed payee before, and no stranger listed it', () => {
    const dear = { amount: '5000' }
    const bait = (backing: Listing['backing']) =>
      listing({ backing, seen: seenAsking(dear), service: { status: 'unverified' } })
    const hijacked = (backing: Listing['backing']) =>
      listing({
        backing,
        seen: { ...seenAsking({ payTo: squatter.paymentAddress }), lostAt: NOW.toISOString() },
        service: { status: 'unverified' },
      })
    const diverted = { payTo: squatter.paymentAddress }
    for (const known of [BY_KEY, CLAIMED]) {
      const backing = { ...known, isVerified: false }
      expect(ask(dear, [bait(backing)]).slice(0, 2)).toEqual(['stop', 'more_than_listed'])
      expect(ask(diverted, [hijacked(backing)]).slice(0, 2)).toEqual(['stop', 'payee_elsewhere'])
    }
    const stranger = { ...BY_STRANGER, isVerified: false }
    expect(ask(dear, [bait(stranger)])[0]).toBe('caution')
    expect(ask(diverted, [hijacked(stranger)])[0]).toBe('caution')
  })

  test('stops every other payment', () => {
    expect(ask({ amount: '2501' }, [squatted()])[0]).toBe('stop')
    expect(ask({ payTo: payee('8').paymentAddress }, [squatted()])[0]).toBe('stop')
    expect(ask({ network: 'eip155:10' }, [squatted()])[0]).toBe('stop')
    expect(ask({}, [squatted({ seen: undefined })])[0]).toBe('stop')
  })

  test('is only a caution if it was retired by a wallet to which the endpoint was never seen asking payment', () => {
    const byPayee = { ...CLAIMED, isVerified: false }
    const byOther = { ...BY_STRANGER, isVerified: false }
    const retired = (change: ListingChange) =>
      listing({ ...change, isRetired: true, service: { status: 'inactive', ...change.service } })
    const strangers = [
      retired({ backing: byPayee, service: { x402Config: squatter } }),
      retired({ backing: byOther }),
      retired({ backing: byOther, distance: 0 }),
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
      expect(ask({ payTo: payee('8').paymentAddress }, [stranger])[0]).toBe('stop')
    }
    expect(ask({}, [retired({ backing: byPayee })]).slice(0, 2)).toEqual(['stop', 'retired'])
    const named = { ...byOther, hasDomainProof: true, isNamedByDomain: true }
    expect(ask({}, [retired({ backing: named })])[0]).toBe('stop')
  })

  test('is only a caution if a wallet listed it and its endpoint was never seen, also if it is retired', () => {
    const backing = { ...CLAIMED, isVerified: false }
    const [verdict, ...codes] = ask({}, [squatted({ backing, seen: undefined, isRetired: true })])
    expect(verdict).toBe('caution')
    expect(codes).toEqual(['retired', 'payee_elsewhere', 'more_than_listed'])
    const named = { ...backing, hasDomainProof: true, isNamedByDomain: true }
    expect(ask({}, [squatted({ backing: named, seen: undefined })])[0]).toBe('stop')
  })
})
