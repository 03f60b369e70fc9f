// The listings of a URL, as a payment is judged by them.
import { isSameKeyspace } from '../chains/accounts.ts'
import { chainKey } from '../chains/chains.ts'
import { sameAddress } from '../chains/same-address.ts'
import { type BackingFacts, isByAnybody, isClaimed, isNamedByDomain } from '../listing/backing.ts'
import type { Entry, Service } from '../listing/service.ts'
import { namesPayee } from '../terms/payee-seen.ts'
import type { SeenPlaces } from './judge-payment.ts'
import { placeOf } from './place.ts'

/** The fields of a service in a response. */
export type ListedService = Pick<
  Service,
  'id' | 'name' | 'status' | 'trustScore' | 'endpoint' | 'pricing' | 'x402Config'
>

/** A listing that a URL is below. */
export type Listing = {
  readonly service: ListedService
  readonly backing: Omit<BackingFacts, 'id'>
  /** Number of path segments of the URL below its endpoint: the fewer, the closer it is. */
  readonly distance: number
  /** Whether the URL has the query of its endpoint, or the endpoint has none. */
  readonly isOfQuery: boolean
  readonly isRetired: boolean
  /** The message with which it was retired; absent if there is none. */
  readonly retirement?: string | undefined
  readonly isSample: boolean
  /** Whether it was paid repeatedly without delivering. */
  readonly isFailing: boolean
  /** Whether it was listed for a day or more before it came to its present endpoint and payee. */
  readonly isMoved: boolean
  /** See `isByStrangerToEndpoint`. */
  readonly isByStrangerToEndpoint: boolean
  readonly seen: SeenPlaces | undefined
}

export type Ranked = Pick<Listing, 'backing' | 'distance' | 'isOfQuery' | 'isRetired'>

/**
 * Whether a stranger to the endpoint may have listed it: anybody could, its domain does not name it, and its owner is no wallet that the
 * endpoint itself ever named. More than `isByStranger`, which spares every claimed listing: anybody can list a URL for a wallet of their
 * own, and claim it. On a host of many sellers it can even be verified, by a resource of their own below the URL.
 */
export const isByStrangerToEndpoint = (entry: Entry): boolean =>
  isByAnybody(entry) && !isNamedByDomain(entry) && !(isClaimed(entry) && wasNamed(entry))

function wasNamed({ endpoint, seen, x402Config }: Entry): boolean {
  if (!seen) return false
  const place = placeOf(endpoint)
  const resources = seen.resources.filter(({ url }) => placeOf(url) === place)
  return resources.length > 0 && (seen.lostAt !== undefined || namesPayee({ resources }, x402Config))
}

export const payeeOf = ({ service }: Listing): Payee => toPayee(service)

export const toPayee = ({ x402Config: { paymentAddress, network } }: Pick<Service, 'x402Config'>): Payee => ({
  address: paymentAddress,
  network,
})

export type Payee = { readonly address: string; readonly network: string }

/** On one chain, or on two where one key holds the address on both. */
export const isSamePayee = (a: Payee, b: Payee): boolean =>
  (chainKey(a.network) === chainKey(b.network) || isSameKeyspace(a, b)) &&
  sameAddress(a.address, b.address, a.network)
