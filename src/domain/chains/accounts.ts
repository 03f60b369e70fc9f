// Wallets as owners: one name per account, the same on every chain of its family and in every spelling.

import type { Entry } from '../listing/service.ts'
import { addressProblem, EVM_ADDRESS, familyOf, isUnownedAddress } from './addresses.ts'

/** The families whose signatures can be verified. */
export type WalletFamily = 'evm' | 'solana'

export const isWalletFamily = (family: string | undefined): family is WalletFamily =>
  family === 'evm' || family === 'solana'

/**
 * Like `eip155:0xab…` or `solana:7Xk…`, without the chain: one key holds the same address on every chain of its family.
 * Returns undefined if the address is malformed or signatures of its family cannot be verified.
 */
export function accountOf(address: string, network: string): string | undefined {
  const family = familyOf(network)
  if (!isWalletFamily(family) || addressProblem(address, network)) return undefined
  return family === 'evm' ? `eip155:${address.trim().toLowerCase()}` : `solana:${address.trim()}`
}

/**
 * Returns whether one key holds the same address on both networks, so that the payee on one can be paid on the other. True within
 * EVM, also where a chain of another family takes EVM addresses, and within Solana.
 */
export function isSameKeyspace(
  a: { readonly address: string; readonly network: string },
  b: { readonly address: string; readonly network: string },
): boolean {
  const family = familyOf(a.network)
  if (isWalletFamily(family) && family === familyOf(b.network)) return true
  return EVM_ADDRESS.test(a.address.trim()) && EVM_ADDRESS.test(b.address.trim())
}

export const paysTo = ({ x402Config }: Pick<Entry, 'x402Config'>, account: string): boolean =>
  accountOf(x402Config.paymentAddress, x402Config.network) === account

/** Returns whether no key exists that could sign for the account. */
export function isUnownedAccount(account: string): boolean {
  const [namespace, address = ''] = account.split(':')
  return isUnownedAddress(address, namespace === 'solana' ? 'solana' : 'evm')
}
