/**
 * A paying Solana wallet. It signs only the approved transaction, after the hash of its message is stored. The fee payer signs too, and
 * submits it.
 */
import { ed25519 } from '@noble/curves/ed25519'
import { decodeBase58, encodeBase58 } from '../../domain/chains/base58.ts'
import { toOutcomeMessage } from '../../domain/purchases/outcomes.ts'
import { hashMessage } from '../../domain/solana/message.ts'
import type { Secret } from '../../runtime/secret.ts'
import { NotSigned, WalletError } from '../wallet-errors.ts'
import { type ApprovedTransfer, isApprovedTransfer } from './approved-transfer.ts'

/** The interface that the official client expects. */
export type SolanaSigner = {
  readonly address: string
  signTransactions(
    transactions: readonly { readonly messageBytes: ArrayLike<number> }[],
  ): Promise<readonly Readonly<Record<string, Uint8Array>>[]>
}

export type SolanaWallet = {
  readonly family: 'svm'
  readonly address: string
  /** Signs once. @param storeNonce awaited before signing, with the hash of the message; false prevents it */
  signerFor(approved: ApprovedTransfer, storeNonce: (nonce: string) => Promise<boolean>): SolanaSigner
  rankFor(purpose: string): string
  signOutcome(...report: Parameters<typeof toOutcomeMessage>): Promise<string>
}

/** As exported by wallets, or as in a file of solana-keygen: the seed, then the public key. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
const NUMBERS = /^\[\s*\d{1,3}\s*(,\s*\d{1,3}\s*){63}\]$/
const PAIR_BYTES = 64
const SEED_BYTES = 32

/** @throws WalletError, without any part of the key */
export function openSolanaWallet(key: Secret): SolanaWallet {
  const pair = readPair(key.reveal().trim())
  const seed = pair.slice(0, SEED_BYTES)
  const publicKey = ed25519.getPublicKey(seed)
  // Signing with a mismatched pair would reveal the seed.
  if (!Buffer.from(publicKey).equals(pair.subarray(SEED_BYTES)))
    throw new WalletError('The public half of the Solana key does not match its private half.')
  const address = encodeBase58(publicKey)
  const sign = (bytes: Uint8Array) => ed25519.sign(bytes, seed)
  return {
    family: 'svm',
    address,
    rankFor: purpose => new Bun.CryptoHasher('sha256', seed).update(`draw ${purpose}`).digest('hex'),
    signOutcome: async (...report) =>
      encodeBase58(sign(new TextEncoder().encode(toOutcomeMessage(...report)))),
    signerFor(approved, storeNonce) {
      let isSpent = false
      return {
        address,
        async signTransactions(transactions) {
          // A copy, so that the checked bytes are the signed bytes.
          const message = Uint8Array.from(transactions[0]?.messageBytes ?? [])
          const isApproved =
            !isSpent && transactions.length === 1 && isApprovedTransfer(message, approved, address)
          isSpent = true
          if (!isApproved) throw new NotSigned('other')
          if (!(await storeNonce(hashMessage(message)))) throw new NotSigned('lost')
          return [{ [address]: sign(message) }]
        },
      }
    },
  }
}

function readPair(text: string): Uint8Array {
  const bytes = NUMBERS.test(text)
    ? toBytes(JSON.parse(text))
    : BASE58.test(text)
      ? decodeBase58(text)
      : undefined
  if (bytes?.length !== PAIR_BYTES)
    throw new WalletError(
      'The key of Solana must be 64 bytes, the seed and the public key: in base58, or as the list of numbers that solana-keygen writes.',
    )
  return bytes
}

const toBytes = (numbers: readonly number[]): Uint8Array | undefined =>
  numbers.every(number => number <= 255) ? Uint8Array.from(numbers) : undefined
