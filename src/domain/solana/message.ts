// What a transaction of Solana says, from its bytes: who signs it, and what it calls. It says the same to whoever reads it, whatever
// made it.
import { encodeBase58 } from '../base58.ts'

export type Instruction = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

export type Message = {
  /** Who must sign, the account that pays the fee first. */
  readonly signers: readonly string[]
  /** How many of them only sign: nothing is taken from their own account. */
  readonly readonlySigners: number
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
}

const VERSION_0 = 0x80
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
/** A transaction fits into one packet. */
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

  /** A number in up to three bytes, of seven bits each, written in the shortest way. */
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

const orNothing = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** undefined where it is anything else than a whole message of version 0 that names all of its accounts itself. */
export const decodeMessage = (bytes: Uint8Array): Message | undefined =>
  bytes.length > MAX_BYTES ? undefined : orNothing(() => readMessage(new Reader(bytes)))

function readMessage(reader: Reader): Message {
  if (reader.byte() !== VERSION_0) throw new Unreadable()
  const [signed, readonlySigners] = [reader.byte(), reader.byte()]
  reader.byte()
  const keys = Array.from({ length: reader.length() }, () => reader.key())
  const key = (index: number): string => {
    const found = keys[index]
    if (found === undefined) throw new Unreadable()
    return found
  }
  const blockhash = reader.key()
  const instructions = Array.from({ length: reader.length() }, () => {
    const program = key(reader.byte())
    const accounts = [...reader.take(reader.length())].map(key)
    return { program, accounts, data: reader.take(reader.length()) }
  })
  // Further accounts would stand in a table on chain, which can be another one when the transaction is sent.
  const tables = reader.length()
  if (tables > 0 || reader.rest > 0 || signed === 0 || signed > keys.length) throw new Unreadable()
  return { signers: keys.slice(0, signed), readonlySigners, blockhash, instructions }
}

/** The message that the signatures of a transaction are over; undefined where the bytes are no transaction. */
export const messageIn = (transaction: Uint8Array): Uint8Array | undefined =>
  orNothing(() => {
    const reader = new Reader(transaction)
    reader.take(reader.length() * SIGNATURE_BYTES)
    return reader.rest > 0 ? reader.take(reader.rest) : undefined
  })

/** Names a message for good. A chain takes each message once, whatever signatures it comes with. */
export const hashMessage = (message: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(message).digest('hex')
