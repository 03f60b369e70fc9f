// Decodes a Solana transaction message from its bytes: its signers and its instructions, independent of the client that made it.
import { encodeBase58 } from 'shirube/domain/chains/addresses.ts'

export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

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
