// Where a purchase was made and who was paid for it: by these it is found again, whichever listing it was made through.
import { accountOf } from './accounts.ts'
import { chainKey } from './chains.ts'
import { endpointHost } from './endpoint.ts'
import type { Purchase } from './purchases.ts'
import { registrableDomain } from './registrable-domain.ts'
import { placeOf } from './resolve/place.ts'
import { addressKey } from './same-address.ts'

export type PurchasePlaces = {
  /** Whoever is paid, on whichever chain of a family. */
  readonly payee: string
  /** Of the URL that was paid for. */
  readonly place: string
  /** Of the endpoint of the listing. */
  readonly listedPlace: string
}

/** One key holds the same address on every chain of its family: another network makes no other payee. */
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

/** Of whoever sells there: ports and names below a domain cost nothing, and make no other seller. */
export const sellingDomain = (url: string): string => registrableDomain(endpointHost(url))
