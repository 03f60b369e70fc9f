// Payments made on Solana: the data to build one, and whether it was used, from the operator's own nodes.
import { findAsset } from '../../domain/chains/assets.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../domain/solana.ts'
import type { Clock } from '../../runtime/clock.ts'
import { NodeError } from '../node-error.ts'
import { type Blockhash, createPayingNode, type PayingNode } from './paying-node.ts'
import { findUse, type SignedTransaction, type TransactionUse } from './payment-use.ts'

type Mint = { readonly program: string; readonly decimals: number }

export type SolanaPayments = {
  has(chain: string): boolean
  /** @throws NodeError */
  recent(chain: string, mint: string): Promise<Blockhash & Mint>
  /** @throws NodeError */
  look(chain: string, signed: SignedTransaction): Promise<TransactionUse>
}

/** A CAIP-2 id contains the start of the genesis hash. */
const GENESIS_CHARACTERS = 32
const PROGRAMS: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]

/** @param rpcUrls by CAIP-2 id */
export function createSolanaPayments(
  rpcUrls: Readonly<Record<string, string>>,
  clock: Clock,
  signal: AbortSignal,
): SolanaPayments {
  const urls = new Map(Object.entries(rpcUrls).filter(([chain]) => chain.startsWith('solana:')))
  const checked = new Map<string, PayingNode>()
  /** A node of another chain would return a useless blockhash, and miss the payment. */
  const nodeOf = async (chain: string): Promise<PayingNode> => {
    const url = urls.get(chain)
    if (url === undefined) throw new Error(`There is no node for ${chain}.`)
    const node = checked.get(chain) ?? createPayingNode({ url, clock, signal })
    if (checked.has(chain)) return node
    const id = `solana:${(await node.genesisHash()).slice(0, GENESIS_CHARACTERS)}`
    if (id !== chain) throw new NodeError('unavailable', `The node is one of ${id}, not of ${chain}.`)
    checked.set(chain, node)
    return node
  }
  const mints = new Map<string, Mint>()
  /** A mint never changes. */
  const mintOf = async (node: PayingNode, chain: string, address: string): Promise<Mint> => {
    const known = mints.get(`${chain} ${address}`)
    if (known) return known
    const mint = await node.mint(address)
    if (!mint || !PROGRAMS.includes(mint.program) || mint.decimals !== findAsset(chain, address)?.decimals)
      throw new NodeError('unavailable', `The node describes ${address} differently than the tables do.`)
    mints.set(`${chain} ${address}`, mint)
    return mint
  }
  return {
    has: chain => urls.has(chain),
    async recent(chain, address) {
      const node = await nodeOf(chain)
      const mint = await mintOf(node, chain, address)
      return { ...mint, ...(await node.blockhash()) }
    },
    look: async (chain, signed) => findUse(await nodeOf(chain), signed),
  }
}
