// Solana: programs, the token account of a wallet, and the message of a transaction.
import { ed25519 } from '@noble/curves/ed25519'
import { decodeBase58, encodeBase58 } from './chains/addresses.ts'

// Addresses of Solana programs.
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

/** Mints of the Token-2022 program. */
const TOKEN_2022_MINTS: ReadonlySet<string> = new Set([
  // PYUSD, USDG and CASH; then PYUSD and USDG on test networks.
  '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo',
  '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH',
  'CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH',
  'CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM',
  '4F6PM96JJxngmHnZLBh9n58RH4aTVNWvDs2nuwrT5BP7',
])

export const tokenProgramOf = (mint: string): string =>
  TOKEN_2022_MINTS.has(mint) ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM

/** The associated token account, to which x402 pays; undefined if wallet or mint is not an address. */
export function tokenAccountOf(
  wallet: string,
  mint: string,
  program = tokenProgramOf(mint),
): string | undefined {
  const seeds = [wallet, program, mint].map(text => decodeBase58(text))
  if (!seeds.every(seed => seed?.length === 32)) return undefined
  const owner = decodeBase58(ASSOCIATED_TOKEN_PROGRAM)!
  // A program-derived address is one that no key can have: the first that is not a point on the curve.
  for (let bump = 255; bump >= 0; bump--) {
    const hasher = new Bun.CryptoHasher('sha256')
    for (const part of [...(seeds as Uint8Array[]), Uint8Array.of(bump), owner, MARKER]) hasher.update(part)
    const address = new Uint8Array(hasher.digest())
    if (!isOnCurve(address)) return encodeBase58(address)
  }
  return undefined
}

const MARKER = new TextEncoder().encode('ProgramDerivedAddress')

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromHex(bytes)
    return true
  } catch {
    return false
  }
}

// Decodes a Solana transaction message from its bytes: its signers and its instructions, independent of the client that made it.

export type Instruction = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

type Message = {
  /** The required signers; the first pays the fee. */
  readonly signers: readonly string[]
  /** How many of them sign only: their accounts are not written to. */
  readonly readonlySigners: number
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
}

const VERSION_0 = 0x80
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
/** A transaction fits into one network packet. */
const MAX_BYTES = 1_232

class Unreadable extends Error {}

class Reader {
  #at = 0
  constructor(readonly bytes: Uint8Array) {}

  get rest(): number {
    return this.bytes.length - this.#at
  }

  take(count: number): Uint8Array {
    if (count > this.rest) throw new Unreadable()
    this.#at += count
    return this.bytes.subarray(this.#at - count, this.#at)
  }

  byte(): number {
    return this.take(1)[0]!
  }

  /** Solana's compact-u16: up to three bytes of seven bits each, in the shortest form. */
  length(): number {
    let value = 0
    for (let i = 0; i < 3; i++) {
      const byte = this.byte()
      if (i > 0 && byte === 0) throw new Unreadable()
      value |= (byte & 0x7f) << (7 * i)
      if (byte < 0x80) return value
    }
    throw new Unreadable()
  }

  key(): string {
    return encodeBase58(this.take(KEY_BYTES))
  }
}

const orUndefined = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** Returns undefined unless it is a complete message of version 0 without address lookup tables. */
export const decodeMessage = (bytes: Uint8Array): Message | undefined =>
  bytes.length > MAX_BYTES ? undefined : orUndefined(() => readMessage(new Reader(bytes)))

function readMessage(reader: Reader): Message {
  if (reader.byte() !== VERSION_0) throw new Unreadable()
  const [signerCount, readonlySigners] = [reader.byte(), reader.byte()]
  reader.byte()
  const keys = Array.from({ length: reader.length() }, () => reader.key())
  const key = (index: number): string => {
    const account = keys[index]
    if (account === undefined) throw new Unreadable()
    return account
  }
  const blockhash = reader.key()
  const instructions = Array.from({ length: reader.length() }, () => {
    const program = key(reader.byte())
    const accounts = [...reader.take(reader.length())].map(key)
    return { program, accounts, data: reader.take(reader.length()) }
  })
  // Further accounts would come from a lookup table on chain, which can change before the transaction is sent.
  const tables = reader.length()
  if (tables > 0 || reader.rest > 0 || signerCount === 0 || signerCount > keys.length) throw new Unreadable()
  return { signers: keys.slice(0, signerCount), readonlySigners, blockhash, instructions }
}

/** The message that the signatures of a transaction cover; undefined if the bytes are not a transaction. */
export const messageIn = (transaction: Uint8Array): Uint8Array | undefined =>
  orUndefined(() => {
    const reader = new Reader(transaction)
    reader.take(reader.length() * SIGNATURE_BYTES)
    return reader.rest > 0 ? reader.take(reader.rest) : undefined
  })

/** Identifies a message permanently. A chain executes each message once, whatever signatures it has. */
export const hashMessage = (message: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(message).digest('hex')
