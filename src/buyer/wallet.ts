/**
 * A paying EVM wallet. Any caller, including the official client, gets a signature only for the approved authorization, and only after
 * its nonce is stored. It also signs reports about its payments.
 */
import { readFileSync, statSync } from 'node:fs'
import { toOutcomeMessage } from '../domain/purchases/outcomes.ts'
import { Secret } from '../runtime/secret.ts'
import type { SolanaWallet } from './solana/wallet.ts'
import { NotSigned, WalletError } from './wallet-errors.ts'

type Hex = `0x${string}`

/** The one transfer that may be signed. */
export type ApprovedAuthorization = {
  /** The EIP-155 chain id. */
  readonly chainNumber: number
  readonly asset: string
  readonly payTo: string
  readonly amount: bigint
  /** Latest end of validity, in seconds since the epoch. */
  readonly latestEnd: number
}

/** The fields of an authorization that are stored. */
export type Authorization = { readonly nonce: string; readonly validBefore: number }

export type TypedData = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, unknown>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** The interface that the official client expects. */
export type Signer = {
  readonly address: Hex
  signTypedData(data: TypedData): Promise<Hex>
}

export type EvmWallet = {
  readonly family: 'evm'
  readonly address: Hex
  /** Signs once. @param storeNonce awaited before signing; false prevents it */
  signerFor(
    approved: ApprovedAuthorization,
    storeNonce: (authorization: Authorization) => Promise<boolean>,
  ): Signer
  /** A rank among wallets for one purpose, a keyed hash that cannot be predicted without the key. It must stay secret. */
  rankFor(purpose: string): string
  /** Builds the text itself, so that no other text can be signed. */
  signOutcome(...report: Parameters<typeof toOutcomeMessage>): Promise<Hex>
}

export type Wallet = EvmWallet | SolanaWallet

/** A list of numbers, or a base58 text longer than an EVM key that is not only hexadecimal. */
const SOLANA_KEY = /^(?:\[|(?!(?:0x)?[0-9a-fA-F]*$)[1-9A-HJ-NP-Za-km-z]{64,}$)/
const KEY = /^(?:0x)?[0-9a-fA-F]{64}$/
const OTHERS = 0o007
const MAX_KEYS = 100
const MAX_KEY_FILE = 65_536

/** Reads a file with one key per line. @throws WalletError */
export function readKeyFile(path: string): Secret[] {
  const { mode, size } = stat(path)
  if ((mode & OTHERS) !== 0)
    throw new WalletError(`The key file ${path} can be read or written by everybody; set its mode to 0600.`)
  if (size > MAX_KEY_FILE) throw new WalletError(`The key file ${path} contains more than ${MAX_KEYS} keys.`)
  const lines = readFileSync(path, 'utf8').split(/\r?\n/)
  const keys = lines.map(line => line.trim()).filter(line => line !== '')
  if (keys.length > MAX_KEYS)
    throw new WalletError(`The key file ${path} contains more than ${MAX_KEYS} keys.`)
  if (keys.length === 0) throw new WalletError(`The key file ${path} is empty.`)
  return keys.map(key => new Secret(key))
}

/** Detects the kind of each key. @throws WalletError, without any part of the keys */
export async function openWallets(keys: readonly Secret[]): Promise<Wallet[]> {
  const wallets = await Promise.all(keys.map(openEither))
  if (new Set(wallets.map(({ address }) => address)).size < wallets.length)
    throw new WalletError('A key is given twice; give each once.')
  return wallets
}

async function openEither(key: Secret): Promise<Wallet> {
  if (!SOLANA_KEY.test(key.reveal().trim())) return openWallet(key)
  const { openSolanaWallet } = await import('./solana/wallet.ts')
  return openSolanaWallet(key)
}

/**
 * Draws the wallet for a purpose by rendezvous hashing. The same purpose gets the same wallet, so that a retry signs with the same key;
 * without the keys the choice cannot be predicted, and a further key changes few choices.
 */
export function drawWallet<W extends Pick<Wallet, 'rankFor'>>(wallets: readonly W[], purpose: string): W {
  const [first, ...others] = wallets
  if (!first) throw new Error('A buyer needs a wallet.')
  return others.reduce((best, each) => (each.rankFor(purpose) > best.rankFor(purpose) ? each : best), first)
}

function stat(path: string) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new WalletError(`There is no key file at ${path}.`)
  return found
}

/** @throws WalletError, without any part of the key */
export async function openWallet(key: Secret): Promise<EvmWallet> {
  const text = key.reveal().trim()
  if (!KEY.test(text)) throw new WalletError('The key must be 64 hexadecimal digits, with or without 0x.')
  const digits = text.replace(/^0x/, '').toLowerCase()
  // A server without a key never loads it.
  const { privateKeyToAccount } = await import('viem/accounts')
  const account = (() => {
    try {
      return privateKeyToAccount(`0x${digits}`)
    } catch {
      throw new WalletError('The key is not a valid key of the curve secp256k1.')
    }
  })()
  return {
    family: 'evm',
    address: account.address,
    rankFor: purpose => new Bun.CryptoHasher('sha256', digits).update(`draw ${purpose}`).digest('hex'),
    signOutcome: (...report) => account.signMessage({ message: toOutcomeMessage(...report) }),
    signerFor(approved, storeNonce) {
      let isSpent = false
      return {
        address: account.address,
        async signTypedData(data) {
          const authorization = isSpent ? undefined : readApproved(data, approved, account.address)
          isSpent = true
          if (!authorization) throw new NotSigned('other')
          if (!(await storeNonce(authorization))) throw new NotSigned('lost')
          return account.signTypedData(data as never)
        },
      }
    },
  }
}

const same = (a: unknown, b: string): boolean => typeof a === 'string' && a.toLowerCase() === b.toLowerCase()

const FIELDS = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] as const

/** @returns undefined if any part differs from what was approved */
function readApproved(
  { domain, types, primaryType, message }: TypedData,
  approved: ApprovedAuthorization,
  payer: string,
): Authorization | undefined {
  const fields = (types.TransferWithAuthorization as readonly { readonly name: string }[] | undefined)?.map(
    ({ name }) => name,
  )
  const { nonce, validBefore } = message
  const isAsApproved =
    primaryType === 'TransferWithAuthorization' &&
    JSON.stringify(fields) === JSON.stringify(FIELDS) &&
    Number(domain.chainId) === approved.chainNumber &&
    same(domain.verifyingContract, approved.asset) &&
    same(message.from, payer) &&
    same(message.to, approved.payTo) &&
    message.value === approved.amount &&
    typeof validBefore === 'bigint' &&
    validBefore <= BigInt(approved.latestEnd) &&
    typeof nonce === 'string' &&
    /^0x[0-9a-f]{64}$/i.test(nonce)
  return isAsApproved ? { nonce: nonce.toLowerCase(), validBefore: Number(validBefore) } : undefined
}
