/**
 * A chain of Solana in this process: LiteSVM executes transactions as validators do, with the programs of tokens as they are deployed. What
 * a validator does around it is kept here by the rules of Agave: blocks and skipped slots, the 150 blocks for which a blockhash is good,
 * that a message is taken once whatever its signatures, and that a block is final some blocks later.
 */
import { Account, LiteSvm } from 'litesvm/dist/internal.js'
import { hashMessage, messageIn } from '../../../packages/buyer/src/solana-message.ts'
import { decodeBase58, encodeBase58 } from '../../../src/domain/chains/addresses.ts'
import { TOKEN_PROGRAM, tokenAccountOf } from '../../../src/domain/solana.ts'
import { toMintData, toTokenAccountData } from './token-data.ts'

export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuKfmZBrTTj8'
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const DECIMALS = 6
/** For so many further blocks a blockhash is good. */
export const MAX_AGE = 150
/** So many blocks below the newest are final. */
const FINAL_BELOW = 2
/** Every so many slots one is skipped. */
const SKIPPED = 7
const SOL = 1_000_000_000n
const SYSTEM_PROGRAM = '11111111111111111111111111111111'

export type Block = { readonly slot: number; readonly height: number; readonly hash: string }
export type Processed = {
  readonly signature: string
  readonly slot: number
  readonly wire: Uint8Array
  readonly accounts: readonly string[]
  readonly err: string | null
}
export type Commitment = 'processed' | 'confirmed' | 'finalized'

const bytesOf = (address: string) => decodeBase58(address)!
const newHash = () => encodeBase58(crypto.getRandomValues(new Uint8Array(32)))

export class SvmChain {
  readonly svm = new LiteSvm()
  readonly blocks: Block[] = [{ slot: 400, height: 300, hash: newHash() }]
  readonly processed: Processed[] = []
  readonly #messages = new Set<string>()

  constructor() {
    // LiteSVM knows the newest blockhash alone.
    this.svm.setBlockhashCheck(false)
    this.createMint(USDC)
    this.pass(FINAL_BELOW + 1)
  }

  /** Makes blocks, with slots that nobody made a block in. */
  pass(blocks: number): void {
    for (let i = 0; i < blocks; i++) {
      const { slot, height } = this.blocks.at(-1)!
      this.blocks.push({ slot: slot + (slot % SKIPPED === 0 ? 2 : 1), height: height + 1, hash: newHash() })
    }
  }

  head(commitment: Commitment): Block {
    return this.blocks.at(commitment === 'finalized' ? -1 - FINAL_BELOW : -1)!
  }

  list(commitment: Commitment): Processed[] {
    const { slot } = this.head(commitment)
    return this.processed.filter(each => each.slot <= slot)
  }

  createMint(mint: string, { program = TOKEN_PROGRAM, feeBasisPoints = 0 } = {}): void {
    this.#put(mint, toMintData(DECIMALS, feeBasisPoints), program)
  }

  /** Gives a wallet an account of the token, with so much in it. */
  fund(wallet: string, amount: bigint, { mint = USDC, program = TOKEN_PROGRAM, hasFee = false } = {}): void {
    const data = toTokenAccountData(bytesOf(mint), bytesOf(wallet), amount, hasFee)
    this.#put(tokenAccountOf(wallet, mint, program)!, data, program)
  }

  /** For fees. */
  giveSol(wallet: string): void {
    this.#put(wallet, new Uint8Array(), SYSTEM_PROGRAM, 10n * SOL)
  }

  balance(wallet: string, { mint = USDC, program = TOKEN_PROGRAM } = {}): bigint {
    const account = this.svm.getAccount(bytesOf(tokenAccountOf(wallet, mint, program)!))
    if (!account) return 0n
    const data = account.data()
    return new DataView(data.buffer, data.byteOffset).getBigUint64(64, true)
  }

  lamports = (wallet: string): bigint => this.svm.getBalance(bytesOf(wallet)) ?? 0n

  /** @throws Error where no block takes it */
  send(wire: Uint8Array): string {
    const message = messageIn(wire)
    if (!message) throw new Error('not a transaction')
    const { keys, blockhash } = readKeys(message)
    const known = this.blocks.find(({ hash }) => hash === blockhash)
    if (!known || this.head('processed').height - known.height > MAX_AGE) throw new Error('BlockhashNotFound')
    const hash = hashMessage(message)
    if (this.#messages.has(hash)) throw new Error('AlreadyProcessed')
    const result = this.svm.sendVersionedTransaction(wire)
    const err = 'err' in result ? result.err() : null
    // What does not come to be executed costs nothing, and can be sent again.
    if (err !== null && typeof err !== 'object') throw new Error(`not taken: ${result.toString()}`)
    this.#messages.add(hash)
    this.pass(1)
    const signature = encodeBase58(wire.slice(1, 65))
    const { slot } = this.blocks.at(-1)!
    this.processed.push({ signature, slot, wire, accounts: keys, err: err === null ? null : err.toString() })
    return signature
  }

  /** @returns why it would fail */
  simulate(wire: Uint8Array): string | null {
    this.svm.setSigverify(false)
    try {
      const result = this.svm.simulateVersionedTransaction(wire)
      return 'err' in result ? String(result.err()) : null
    } finally {
      this.svm.setSigverify(true)
    }
  }

  #put(address: string, data: Uint8Array, owner: string, lamports = SOL): void {
    this.svm.setAccount(bytesOf(address), new Account(lamports, data, bytesOf(owner), false, 0n))
  }
}

/** Messages of transactions here have fewer than 128 accounts. */
function readKeys(message: Uint8Array): { readonly keys: string[]; readonly blockhash: string } {
  const at = (message[0]! & 0x80) === 0 ? 3 : 4
  const count = message[at]!
  const key = (i: number) => encodeBase58(message.subarray(at + 1 + i * 32, at + 33 + i * 32))
  return { keys: Array.from({ length: count }, (_, i) => key(i)), blockhash: key(count) }
}
