// What one origin sells to one wallet: lists name its resources one by one, a directory knows it as one service.
import { chainKey } from './chains.ts'
import type { ServiceDraft } from './service.ts'

/** The same for every resource of the outlet, in whichever spelling. */
export function outletOf({ endpoint, x402Config }: Pick<ServiceDraft, 'endpoint' | 'x402Config'>): string {
  const { paymentAddress, network } = x402Config
  const payee = /^0x[0-9a-f]+$/i.test(paymentAddress) ? paymentAddress.toLowerCase() : paymentAddress
  return `${new URL(endpoint).origin} ${chainKey(network)} ${payee}`
}

/** Stands for an outlet where nothing of it may be told. */
export const outletHash = (outlet: string): string =>
  new Bun.CryptoHasher('sha256').update(outlet).digest('hex').slice(0, 32)
