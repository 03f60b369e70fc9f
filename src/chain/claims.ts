// Who claims which payment address on the chains that are read, kept up with the feed of the store.
import { addressProblem } from '../domain/addresses.ts'
import { chainKey } from '../domain/chains.ts'
import { isSinceMove } from '../domain/own-payment.ts'
import type { Entry } from '../domain/service.ts'
import type { Change } from '../store/store.ts'

/** What of a service decides whether a payment to its address is its own. */
export type Claim = {
  readonly serviceId: string
  readonly currency: string
  readonly price: string
  readonly isVerified: boolean
  /** What was paid before is not its own. */
  readonly movedAt?: string
}

type Place = { readonly chain: string; readonly payee: string }

export class Claims {
  readonly #claims: ReadonlyMap<string, Map<string, Map<string, Claim>>>
  readonly #places = new Map<string, Place>()

  /** @param chains CAIP-2 ids of EVM chains; services elsewhere are left out */
  constructor(chains: readonly string[]) {
    this.#claims = new Map(chains.map(chain => [chain, new Map()]))
  }

  apply(changes: readonly Change[]): void {
    for (const { id, entry } of changes) {
      this.#forget(id)
      const place = entry && this.#placeOf(entry)
      if (!place) continue
      this.#places.set(id, place)
      const payees = this.#claims.get(place.chain)!
      const claims = payees.get(place.payee)
      if (claims) claims.set(id, toClaim(entry))
      else payees.set(place.payee, new Map([[id, toClaim(entry)]]))
    }
  }

  /** The claimed addresses, in lower case. */
  payees(chain: string): string[] {
    return [...(this.#claims.get(chain)?.keys() ?? [])]
  }

  /** @param at when the payment was made */
  on(chain: string, payee: string, at: string, now: Date): Claim[] {
    const claims = [...(this.#claims.get(chain)?.get(payee)?.values() ?? [])]
    return claims.filter(({ movedAt }) => isSinceMove(at, movedAt, now))
  }

  #placeOf(entry: Entry): Place | undefined {
    const { network, paymentAddress } = entry.x402Config
    const chain = chainKey(network)
    // What a sample shows is invented, and what is retired is not sold any more.
    if (!this.#claims.has(chain) || entry.sample || entry.retired !== null) return undefined
    if (addressProblem(paymentAddress, chain)) return undefined
    return { chain, payee: paymentAddress.trim().toLowerCase() }
  }

  #forget(id: string): void {
    const place = this.#places.get(id)
    if (!place) return
    this.#places.delete(id)
    const payees = this.#claims.get(place.chain)!
    const claims = payees.get(place.payee)!
    claims.delete(id)
    if (claims.size === 0) payees.delete(place.payee)
  }
}

const toClaim = ({ id, pricing, standing, movedAt }: Entry): Claim => ({
  serviceId: id,
  currency: pricing.currency,
  price: pricing.pricePerRequest,
  isVerified: standing.status === 'verified',
  ...(movedAt !== undefined && { movedAt }),
})
