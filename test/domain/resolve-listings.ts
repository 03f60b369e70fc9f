// Listings of one URL with their backing and the terms seen there, and questions about a payment to it.

import type { Entry, Service } from '../../src/domain/listing/service.ts'
import { parseResolveQuery } from '../../src/domain/resolve/resolution.ts'
import { compareStanding, judgeUrl, type Listing } from '../../src/domain/resolve/resolve.ts'
import type { Seen } from '../../src/domain/terms/terms.ts'

export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const PAYEE = `0x${'1'.repeat(40)}`
export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const SOLANA_PAYEE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
export const NOW = new Date('2026-06-01T00:00:00Z')

/** A payment that is as listed and as seen. */
export const ASKED = {
  url: 'https://api.weather.jp/v1/forecast?city=Tokyo',
  payTo: PAYEE,
  amount: '2500',
  asset: USDC,
  network: 'eip155:8453',
  scheme: 'exact',
  method: 'GET',
}

const way = { scheme: 'exact', chain: 'eip155:8453', asset: USDC, amount: '2500', payTo: PAYEE }
export const SEEN: Seen = {
  at: '2026-05-31T00:00:00.000Z',
  price: 'same',
  asks: { amount: '0.0025', currency: 'USDC' },
  resources: [
    {
      url: 'https://api.weather.jp/v1/forecast',
      method: 'GET',
      ways: [way, { ...way, chain: SOLANA, asset: SOLANA_USDC, payTo: SOLANA_PAYEE }],
    },
    { url: 'https://api.weather.jp/v1', method: 'GET', ways: [way] },
    { url: 'https://api.weather.jp/v1/cheap', method: 'POST', ways: [{ ...way, amount: '1000' }] },
  ],
}
/** Every resource was seen asking the payment, with changes. */
export const seenAsking = (change: Partial<typeof way>) => ({
  ...SEEN,
  resources: SEEN.resources.map(each => ({ ...each, ways: [{ ...way, ...change }] })),
})
export const SERVICE: Service = {
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
export const priced = (pricePerRequest: string) => ({ pricing: { ...SERVICE.pricing, pricePerRequest } })
/** A payee on Base whose address repeats one digit. */
export const payee = (digit: string) => ({ paymentAddress: `0x${digit.repeat(40)}`, network: 'base' })

type Backing = Listing['backing']
export const BY_KEY: Backing = {
  isClaimed: false,
  hasDomainProof: false,
  isNamedByDomain: false,
  isVerified: true,
  isByAnybody: false,
  sinceMs: 1,
}
export const BY_STRANGER: Backing = { ...BY_KEY, isByAnybody: true }
export const CLAIMED: Backing = { ...BY_STRANGER, isClaimed: true }

export type ListingChange = Partial<Omit<Listing, 'service'>> & { readonly service?: Partial<Service> }

/** A listing above the URL of the payment: verified and listed with a key, unless it is changed. */
export const listing = ({ service, ...change }: ListingChange = {}): Listing => {
  const listed = { ...SERVICE, ...service }
  const backing = change.backing ?? { ...BY_KEY, isVerified: listed.status === 'verified' }
  return {
    level: listed.status === 'verified' ? 'verified' : 'listed',
    backing,
    distance: 1,
    isOfQuery: true,
    isRetired: false,
    isSample: false,
    isFailing: false,
    isDeclined: false,
    wasMoved: false,
    seen: SEEN,
    ...change,
    service: listed,
  }
}

type Question = Record<string, string | undefined>
type Context = { readonly wasRemoved?: boolean; readonly hidden?: readonly Entry[] }

export const judge = (
  change: Question = {},
  listings = [listing()],
  { wasRemoved = false, hidden = [] }: Context = {},
) =>
  judgeUrl(parseResolveQuery({ ...ASKED, ...change }), listings.toSorted(compareStanding), {
    hidden,
    wasRemoved,
    now: NOW,
  })

/** The verdict and the codes of its reasons. */
export const ask = (...question: Parameters<typeof judge>): string[] => {
  const { verdict, reasons } = judge(...question)
  return [verdict, ...reasons.map(({ code }): string => code)]
}
