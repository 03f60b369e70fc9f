// A seller: one origin paid at one wallet. Lists name its resources one by one; a directory lists it as one service.
import { chainKey } from '../chains/chains.ts'
import { addressKey, addressSpellings } from '../chains/same-address.ts'
import type { ServiceDraft } from './service.ts'

/** Equal for every resource of the seller, in any spelling. */
export function sellerOf({ endpoint, x402Config }: Sold): string {
  const { paymentAddress, network } = x402Config
  return toText(endpoint, network, addressKey(paymentAddress, network))
}

type Sold = Pick<ServiceDraft, 'endpoint' | 'x402Config'>

const toText = (endpoint: string, network: string, address: string): string =>
  `${new URL(endpoint).origin} ${chainKey(network)} ${address}`

/** The hashes under which the seller may be stored, one per spelling of its address. */
export const sellerHashes = ({ endpoint, x402Config: { paymentAddress, network } }: Sold): string[] =>
  [addressKey(paymentAddress, network), ...addressSpellings(paymentAddress, network)].map(address =>
    sellerHash(toText(endpoint, network, address)),
  )

/** Converts a stored seller with another spelling of its address; other texts are returned unchanged. */
export function toPresentSeller(text: string): string {
  const [, origin, network, address] = /^(https?:\S+) (.+) (\S+)$/.exec(text) ?? []
  return network && address ? `${origin} ${network} ${addressKey(address, network)}` : text
}

/** Equal for all descriptions of one listing: its name, endpoint and payee. */
export const listingOf = ({ name, endpoint, x402Config }: Sold & Pick<ServiceDraft, 'name'>): string =>
  `${chainKey(x402Config.network)} ${addressKey(x402Config.paymentAddress, x402Config.network)} ${new URL(endpoint).href} ${name}`

/** Represents a seller where nothing about it may be revealed. */
export const sellerHash = (seller: string): string =>
  new Bun.CryptoHasher('sha256').update(seller).digest('hex').slice(0, 32)
