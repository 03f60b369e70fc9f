// Verifies wallet signatures. Each signature is accepted in one encoding only, and only where making it requires the key.
import { accountOf, isUnownedAccount } from '../domain/chains/accounts.ts'

import { decodeBase58 } from '../domain/chains/base58.ts'

/** The Ethereum curve is a large library, so it is loaded with the first signature. */
export const loadEvm = () => import('viem/utils')
const loadSolana = async () => (await import('@noble/curves/ed25519')).ed25519.Point

/** If s is valid, so is n - s; wallets return the lower one (EIP-2). */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** EIP-191, by the key of the address itself; a contract wallet could only be verified through its chain. */
export async function isSignedByEvm(
  address: `0x${string}`,
  message: string,
  signature: string,
): Promise<boolean> {
  const s = /^0x[0-9a-f]{64}([0-9a-f]{64})(00|01|1b|1c)$/i.exec(signature)?.[1]
  if (s === undefined || BigInt(`0x${s}`) > MAX_S) return false
  const { verifyMessage } = await loadEvm()
  return verifyMessage({ address, message, signature: signature as `0x${string}` }).catch(() => false)
}

/** As strict as Solana is with transactions, and only for keys that a wallet can have created. */
export async function isSignedBySolana(
  address: string,
  message: string,
  signature: string,
): Promise<boolean> {
  const publicKey = decodeBase58(address)
  const bytes = /^(0x)?[0-9a-f]{128}$/i.test(signature)
    ? Uint8Array.fromHex(signature.replace(/^0x/i, ''))
    : decodeBase58(signature)
  if (publicKey?.length !== 32 || bytes?.length !== 64) return false
  if (!(await arePoints(publicKey, bytes.subarray(0, 32)))) return false
  try {
    const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', key, bytes, new TextEncoder().encode(message))
  } catch {
    return false
  }
}

/**
 * Anybody can sign for a key of small order: it has at most eight multiples, so one guess in eight is valid. The verification of the
 * platform does not check this.
 */
async function arePoints(publicKey: Uint8Array, commitment: Uint8Array): Promise<boolean> {
  const Point = await loadSolana()
  try {
    // Not the permissive decoding of ZIP 215: each point has one encoding.
    const [key, r] = [Point.fromBytes(publicKey, false), Point.fromBytes(commitment, false)]
    return !key.isSmallOrder() && key.isTorsionFree() && !r.isSmallOrder()
  } catch {
    return false
  }
}

/** Whether the wallet of a payment address signed; false if its signatures cannot be verified. */
export async function isSignedByPayee(
  address: string,
  network: string,
  message: string,
  signature: string,
): Promise<boolean> {
  const account = accountOf(address, network)
  if (account === undefined || isUnownedAccount(account)) return false
  return account.startsWith('solana:')
    ? isSignedBySolana(address.trim(), message, signature)
    : isSignedByEvm(address.trim() as `0x${string}`, message, signature)
}
