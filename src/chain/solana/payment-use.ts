/**
 * Checks whether a signed transaction was used. Its holder can submit it as long as its blockhash is valid. A chain accepts each
 * message once, so the hash of the message identifies the payment. It has expired once the last block in which it was valid is final,
 * and none of those blocks contains it.
 */
import { decodeBase58 } from '../../domain/chains/addresses.ts'
import { hashMessage, messageIn } from '../../domain/solana.ts'
import { NodeError } from '../node-error.ts'
import { type Commitment, MAX_SIGNATURES, type PayingNode } from './paying-node.ts'

export type SignedTransaction = {
  readonly payer: string
  /** The hash of its message. */
  readonly nonce: string
  readonly lifetime: { readonly slot: number; readonly lastBlock: number }
  /** The transaction that the seller claims, looked up first. */
  readonly claimed: string | null
}

export type TransactionUse =
  | { readonly state: 'used'; readonly transaction: string }
  | { readonly state: 'unused' | 'expired' }

/**
 * The block after the last valid height may still contain it, because its age counts from the block before. And a node lists
 * transactions a moment after it has their block.
 */
const MARGIN_BLOCKS = 150
/** More blocks than the lifetime of any transaction. */
const MAX_LIFETIME_BLOCKS = 1_000
/** Anyone can involve an account in a transaction; beyond these limits the result is unknown. */
const MAX_PAGES = 50
const MAX_READ = 1_000
const SIGNATURE_BYTES = 64
/** Characters of a base58 signature. */
const MAX_SIGNATURE = 88

/** @throws NodeError if the node cannot answer */
export async function findUse(node: PayingNode, signed: SignedTransaction): Promise<TransactionUse> {
  const { claimed, nonce, lifetime } = signed
  // The seller's claim may be false: then the chain is searched as without it.
  const isNamed = claimed !== null && (await isIn(node, claimed, nonce, 'confirmed').catch(() => false))
  if (isNamed) return { state: 'used', transaction: claimed }
  const { slot, height } = await node.head()
  const end = lifetime.lastBlock + MARGIN_BLOCKS
  if (height < end) {
    const transaction = await search(node, signed, { commitment: 'confirmed' })
    return transaction === undefined ? { state: 'unused' } : { state: 'used', transaction }
  }
  const lastSlot = await findLastSlot(node, lifetime.slot, end)
  const transaction = await search(node, signed, { commitment: 'finalized', minSlot: slot, lastSlot })
  if (transaction !== undefined) return { state: 'used', transaction }
  if (lastSlot === undefined)
    throw new NodeError('unavailable', `The node does not have all blocks from slot ${lifetime.slot} on.`)
  return { state: 'expired' }
}

async function isIn(
  node: PayingNode,
  signature: string,
  nonce: string,
  commitment: Commitment,
): Promise<boolean | undefined> {
  if (signature.length > MAX_SIGNATURE || decodeBase58(signature)?.length !== SIGNATURE_BYTES) return false
  const found = await node.transaction(signature, commitment)
  if (found === undefined) return undefined
  const message = typeof found === 'string' ? undefined : messageIn(found)
  return message !== undefined && hashMessage(message) === nonce
}

async function search(
  node: PayingNode,
  { payer, nonce, lifetime }: SignedTransaction,
  {
    lastSlot = Number.POSITIVE_INFINITY,
    ...query
  }: {
    readonly commitment: Commitment
    readonly minSlot?: number
    readonly lastSlot?: number | undefined
  },
): Promise<string | undefined> {
  let reads = 0
  let before: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await node.signatures(payer, { ...query, before })
    for (const { signature, slot, isFailed } of page) {
      if (isFailed || slot <= lifetime.slot || slot > lastSlot) continue
      if (++reads > MAX_READ) throw tooMany(payer)
      const isThis = await isIn(node, signature, nonce, query.commitment)
      if (isThis === undefined)
        throw new NodeError(
          'unavailable',
          `The node lists the transaction ${signature} and does not have it.`,
        )
      if (isThis) return signature
    }
    const last = page.at(-1)
    if (!last || page.length < MAX_SIGNATURES || last.slot <= lifetime.slot) return undefined
    before = last.signature
  }
  throw tooMany(payer)
}

const tooMany = (payer: string) =>
  new NodeError('unavailable', `More transactions name ${payer} than can be searched.`)

/**
 * @returns the slot of the block at this height; undefined if the node lost earlier blocks, or was offline for them: then it cannot
 * prove that they did not contain the transaction
 */
async function findLastSlot(node: PayingNode, slot: number, end: number): Promise<number | undefined> {
  const height = await node.heightOf(slot)
  if (height === undefined || height > end || end - height > MAX_LIFETIME_BLOCKS) return undefined
  const count = end - height + 1
  const slots = await node.slots(slot, count)
  const last = slots.at(-1)
  if (last === undefined || slots[0] !== slot || slots.length !== count) return undefined
  return (await node.heightOf(last)) === end ? last : undefined
}
