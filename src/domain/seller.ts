// What one origin sells to one wallet: lists name its resources one by one, a directory knows it as one service.
import { chainKey } from './chains.ts'
import { addressKey, addressSpellings } from './same-address.ts'
import type { ServiceDraft } from './service.ts'

/** The same for every resource of the seller, in whichever spelling. */
export function sellerOf({ endpoint, x402Config }: Sold): string {
  const { paymentAddress, network } = x402Config
  return toText(endpoint, network, addressKey(paymentAddress, network))
}

type Sold = Pick<ServiceDraft, 'endpoint' | 'x402Config'>

const toText = (endpoint: string, network: string, address: string): string =>
  `${new URL(endpoint).origin} ${chainKey(network)} ${address}`

/** The hashes by which the seller may have been written down, in whichever spelling of its address. */
export const sellerHashes = ({ endpoint, x402Config: { paymentAddress, network } }: Sold): string[] =>
  [addressKey(paymentAddress, network), ...addressSpellings(paymentAddress, network)].map(address =>
    sellerHash(toText(endpoint, network, address)),
  )

/** A seller that was written down with the address in another spelling; any other text stays what it is. */
export function toPresentSeller(text: string): string {
  const [, origin, network, address] = /^(https?:\S+) (.+) (\S+)$/.exec(text) ?? []
  return network && address ? `${origin} ${network} ${addressKey(address, network)}` : text
}

/** The same for every text that describes one listing: its name, where it is and whom it pays. */
export const listingOf = ({ name, endpoint, x402Config }: Sold & Pick<ServiceDraft, 'name'>): string =>
  `${chainKey(x402Config.network)} ${addressKey(x402Config.paymentAddress, x402Config.network)} ${new URL(endpoint).href} ${name}`

/** Stands for a seller where nothing of it may be told. */
export const sellerHash = (seller: string): string =>
  new Bun.CryptoHasher('sha256').update(seller).digest('hex').slice(0, 32)
