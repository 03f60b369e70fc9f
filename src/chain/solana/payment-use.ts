/**
 * Whether a transaction that was signed here has been used. Whoever holds it can send it as long as its blockhash is young, however long
 * it was held back. A chain takes each message once, so that the hash of the message names the payment. It is over when, finally, the last
 * block has passed in which it could have been used, and none of those blocks holds it.
 */
import { decodeBase58 } from '../../domain/base58.ts'
import { hashMessage, messageIn } from '../../domain/solana/message.ts'
import { NodeError } from '../node-error.ts'
import { type Commitment, MAX_SIGNATURES, type PayingNode } from './paying-node.ts'

export type SignedTransaction = {
  readonly payer: string
  /** The hash of its message. */
  readonly nonce: string
  readonly lifetime: { readonly slot: number; readonly lastBlock: number }
  /** The transaction that the seller names, to look there first. */
  readonly claimed: string | null
}

export type TransactionUse =
  | { readonly state: 'used'; readonly transaction: string }
  | { readonly state: 'unused' | 'expired' }

/**
 * The block after the last one that a node names can still hold it: the block before is what its age is counted by. And a node lists
 * transactions a moment after it has their block.
 */
const MARGIN_BLOCKS = 150
/** More blocks than any transaction lives for. */
const MAX_LIFETIME_BLOCKS = 1_000
/** Anybody can name an account in a transaction of their own; beyond these nobody can tell. */
const MAX_PAGES = 50
const MAX_READ = 1_000
const SIGNATURE_BYTES = 64
/** The text of a signature; longer ones are not read. */
const MAX_SIGNATURE = 88

/** @throws NodeError where the node cannot tell */
export async function findUse(node: PayingNode, signed: SignedTransaction): Promise<TransactionUse> {
  const { claimed, nonce, lifetime } = signed
  // What the seller names may be anything: where it leads nowhere, the chain is searched as if it had named nothing.
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
    throw new NodeError('away', `The node does not have all blocks from slot ${lifetime.slot} on.`)
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
        throw new NodeError('away', `The node lists the transaction ${signature} and does not have it.`)
      if (isThis) return signature
    }
    const last = page.at(-1)
    if (!last || page.length < MAX_SIGNATURES || last.slot <= lifetime.slot) return undefined
    before = last.signature
  }
  throw tooMany(payer)
}

const tooMany = (payer: string) =>
  new NodeError('away', `More transactions name ${payer} than can be looked through.`)

/**
 * The slot of the block of this height. undefined where the node has lost blocks before it, or was away while they passed: then
 * it lists nothing of them, and cannot tell that nothing was there.
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
