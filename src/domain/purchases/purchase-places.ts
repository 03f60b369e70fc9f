// The place and the payee of a purchase: the keys by which it is found, whichever listing it was made through.
import { accountOf, addressKey } from '../chains/addresses.ts'
import { chainKey } from '../chains/chains.ts'
import { endpointHost, placeOf, registrableDomain } from '../hosts/endpoint.ts'
import type { Purchase } from './purchases.ts'

export type PurchasePlaces = {
  /** The account that is paid, the same on all chains of a family. */
  readonly payee: string
  /** Place of the URL that was paid for. */
  readonly place: string
  /** Place of the endpoint of the listing. */
  readonly listedPlace: string
}

/** One key holds the same address on every chain of its family: another network is not another payee. */
export const payeeOf = (address: string, network: string): string =>
  accountOf(address, network) ?? `${chainKey(network)} ${addressKey(address, network)}`

export const toPurchasePlaces = ({
  chain,
  payTo,
  detail,
}: Pick<Purchase, 'chain' | 'payTo' | 'detail'>): PurchasePlaces => ({
  payee: payeeOf(payTo, chain),
  place: placeOf(detail.url),
  listedPlace: placeOf(detail.endpoint ?? detail.url),
})

/** The domain of the seller: ports and names below a domain cost nothing, and do not make another seller. */
export const sellingDomain = (url: string): string => registrableDomain(endpointHost(url))
