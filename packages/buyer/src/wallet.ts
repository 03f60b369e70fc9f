// The keys that pay. A wallet signs exactly the approved payment and nothing else; no error or log contains part of a key.
import { readFileSync, statSync } from 'node:fs'
import { ed25519 } from '@noble/curves/ed25519'
import { decodeBase58, encodeBase58 } from 'shirube/domain/chains/addresses.ts'
import { toOutcomeMessage } from 'shirube/domain/purchases/purchases-view.ts'
import { tokenAccountOf } from 'shirube/domain/solana.ts'
import { Secret } from 'shirube/runtime/secret.ts'
import {
  COMPUTE_BUDGET_PROGRAM,
  decodeMessage,
  hashMessage,
  type Instruction,
  MEMO_PROGRAM,
} from './solana-message.ts'

/** Never contains part of a key. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
}

/** The data to sign differs from what was approved, or the reservation is lost. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned'
  constructor(readonly why: 'other' | 'lost') {
    super('Nothing was signed.')
  }
}

/** The one token transfer that may be signed, valid as long as its blockhash. */
export type ApprovedTransfer = {
  readonly mint: string
  /** The program that owns the mint. */
  readonly program: string
  readonly decimals: number
  readonly payTo: string
  readonly amount: bigint
  /** Named by the seller; never the paying wallet. */
  readonly feePayer: string
  /** If the seller demands one. */
  readonly memo: string | undefined
  readonly blockhash: string
}

/** Instruction numbers of the programs. */
const [SET_LIMIT, SET_PRICE, TRANSFER_CHECKED] = [2, 3, 12]
const MAX_MEMO_BYTES = 256

/** @param payer the wallet that would sign */
export function isApprovedTransfer(bytes: Uint8Array, approved: ApprovedTransfer, payer: string): boolean {
  const message = decodeMessage(bytes)
  if (!message || approved.feePayer === payer) return false
  const { signers, readonlySigners, blockhash, instructions } = message
  const [limit, price, transfer, memo, ...others] = instructions
  return (
    signers.length === 2 &&
    signers[0] === approved.feePayer &&
    signers[1] === payer &&
    // The paying wallet signs, and its own account stays read-only.
    readonlySigners === 1 &&
    blockhash === approved.blockhash &&
    others.length === 0 &&
    isBudget(limit, SET_LIMIT, 5) &&
    isBudget(price, SET_PRICE, 9) &&
    isTransfer(transfer, approved, payer) &&
    isMemo(memo, approved.memo)
  )
}

/** The fee payer pays for computation. */
const isBudget = (instruction: Instruction | undefined, kind: number, length: number): boolean =>
  instruction?.program === COMPUTE_BUDGET_PROGRAM &&
  instruction.accounts.length === 0 &&
  instruction.data.length === length &&
  instruction.data[0] === kind

function isTransfer(
  instruction: Instruction | undefined,
  { mint, program, decimals, payTo, amount }: ApprovedTransfer,
  payer: string,
): boolean {
  if (instruction?.program !== program || instruction.data.length !== 10) return false
  const { accounts, data } = instruction
  const [source, destination] = [payer, payTo].map(wallet => tokenAccountOf(wallet, mint, program))
  const expected = [source, mint, destination, payer]
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  return (
    accounts.length === expected.length &&
    accounts.every((account, i) => account === expected[i]) &&
    data[0] === TRANSFER_CHECKED &&
    view.getBigUint64(1, true) === amount &&
    data[9] === decimals
  )
}

/** Without a memo of the seller the client adds a random one, so that no two payments are the same transaction. */
function isMemo(instruction: Instruction | undefined, memo: string | undefined): boolean {
  if (instruction?.program !== MEMO_PROGRAM || instruction.accounts.length > 0) return false
  const { data } = instruction
  if (data.length === 0 || data.length > MAX_MEMO_BYTES) return false
  return memo === undefined
    ? /^[0-9a-f]{32}$/.test(Buffer.from(data).toString('latin1'))
    : Buffer.from(memo, 'utf8').equals(data)
}

/**
 * A paying Solana wallet. It signs only the approved transaction, after the hash of its message is stored. The fee payer signs too, and
 * submits it.
 */

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

/**
 * A paying EVM wallet. Any caller, including the official client, gets a signature only for the approved authorization, and only after
 * its nonce is stored. It also signs reports about its payments.
 */

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
  return SOLANA_KEY.test(key.reveal().trim()) ? openSolanaWallet(key) : openWallet(key)
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
