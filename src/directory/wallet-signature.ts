// Whether a wallet signed a message. Each signature counts in one form, and only where holding a key is the way to make it.
import { accountOf, isUnownedAccount } from '../domain/accounts.ts'
import { decodeBase58 } from '../domain/base58.ts'

/** The curve of Ethereum is a library of its own weight: it is loaded when the first wallet knocks. */
export const loadEvm = () => import('viem/utils')
const loadSolana = async () => (await import('@noble/curves/ed25519')).ed25519.Point

/** With s, n - s would sign as well; wallets give the lower one (EIP-2). */
const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** EIP-191, by the key of the address itself; a contract that acts as a wallet cannot be asked without its chain. */
export async function isSignedByEvm(
  address: `0x${string}`,
  message: string,
  signature: string,
): Promise<boolean> {
  const s = /^0x[0-9a-f]{64}([0-9a-f]{64})(00|01|1b|1c)$/i.exec(signature)?.[1]
  if (s === undefined || BigInt(`0x${s}`) > HIGHEST_S) return false
  const { verifyMessage } = await loadEvm()
  return verifyMessage({ address, message, signature: signature as `0x${string}` }).catch(() => false)
}

/** As strict as Solana itself is with a transaction, and for keys that a wallet can have made. */
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
 * A key of small order is signed for by anybody: its multiples are eight points at most, so that one guess in eight holds. The
 * platform's verification asks for none of this.
 */
async function arePoints(publicKey: Uint8Array, commitment: Uint8Array): Promise<boolean> {
  const Point = await loadSolana()
  try {
    // Not in the wide form of ZIP 215: each point has one spelling.
    const [key, r] = [Point.fromBytes(publicKey, false), Point.fromBytes(commitment, false)]
    return !key.isSmallOrder() && key.isTorsionFree() && !r.isSmallOrder()
  } catch {
    return false
  }
}

/** Whether the wallet of a payment address signed; false where its signatures cannot be verified. */
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
