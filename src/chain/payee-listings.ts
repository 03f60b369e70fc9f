// Tracks which services list which payment address on the chains read, by following the store's feed.
import { addressKey, addressProblem } from '../domain/chains/addresses.ts'
import { chainKey } from '../domain/chains/chains.ts'
import { isClaimed } from '../domain/listing/backing.ts'
import type { Entry } from '../domain/listing/service.ts'
import type { Change } from '../store/store.ts'
import { type Candidate, compareCandidates, toCandidate } from './credit.ts'

type PayeeOnChain = { readonly chain: string; readonly address: string }
type Listed = { readonly isClaimed: boolean; readonly candidate: Candidate | undefined }

/** The candidates for payments to an address. The name changes with them. */
export type Plan = { readonly name: string; readonly candidates: readonly Candidate[] }

type Address = { readonly listed: Map<string, Listed>; plan: Plan | undefined }

export class PayeeListings {
  readonly #addresses: ReadonlyMap<string, Map<string, Address>>
  readonly #payees = new Map<string, PayeeOnChain>()

  /** @param chains CAIP-2 ids; services on others are ignored */
  constructor(chains: readonly string[]) {
    this.#addresses = new Map(chains.map(chain => [chain, new Map()]))
  }

  apply(changes: readonly Change[]): void {
    for (const { id, entry } of changes) {
      this.#remove(id)
      const payee = entry && this.#payeeOf(entry)
      if (!payee) continue
      this.#payees.set(id, payee)
      const addresses = this.#addresses.get(payee.chain)!
      const address = addresses.get(payee.address) ?? { listed: new Map(), plan: undefined }
      address.listed.set(id, { isClaimed: isClaimed(entry), candidate: toCandidate(entry) })
      address.plan = undefined
      addresses.set(payee.address, address)
    }
  }

  /** The listed addresses, normalized. */
  payees(chain: string): string[] {
    return [...(this.#addresses.get(chain)?.keys() ?? [])]
  }

  /** Addresses that claimed a service by a signature. */
  claimedPayees(chain: string): string[] {
    return [...(this.#addresses.get(chain) ?? [])]
      .filter(([, { listed }]) => listed.values().some(each => each.isClaimed))
      .map(([payee]) => payee)
  }

  planOf(chain: string, payee: string): Plan {
    const address = this.#addresses.get(chain)?.get(payee)
    if (!address) return toPlan([])
    address.plan ??= toPlan([...address.listed.values()].flatMap(({ candidate }) => candidate ?? []))
    return address.plan
  }

  /** All services that list the address, whether payments can count for them or not. */
  servicesAt(chain: string, payee: string): string[] {
    return [...(this.#addresses.get(chain)?.get(payee)?.listed.keys() ?? [])]
  }

  #payeeOf(entry: Entry): PayeeOnChain | undefined {
    const { network, paymentAddress } = entry.x402Config
    const chain = chainKey(network)
    // Sample data is invented.
    if (!this.#addresses.has(chain) || entry.sample) return undefined
    if (addressProblem(paymentAddress, chain)) return undefined
    return { chain, address: addressKey(paymentAddress, chain) }
  }

  #remove(id: string): void {
    const payee = this.#payees.get(id)
    if (!payee) return
    this.#payees.delete(id)
    const addresses = this.#addresses.get(payee.chain)!
    const address = addresses.get(payee.address)!
    address.listed.delete(id)
    address.plan = undefined
    if (address.listed.size === 0) addresses.delete(payee.address)
  }
}

function toPlan(listed: readonly Candidate[]): Plan {
  const candidates = listed.toSorted(compareCandidates)
  const hasher = new Bun.CryptoHasher('sha256').update(JSON.stringify(candidates))
  return { name: hasher.digest('hex').slice(0, 32), candidates }
}
