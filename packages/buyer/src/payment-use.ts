// Checks whether a signed payment was used, with the operator's own nodes: by the nonce of an authorization, or by the hash of a
// transaction's message.
import { openNodes } from 'shirube/chain/find-settlement.ts'
import { NodeError } from 'shirube/chain/node.ts'
import type { Clock } from 'shirube/runtime/clock.ts'
import type { SettlementReader, SignedAuthorization } from './settlements.ts'
import { createSolanaPayments } from './solana-payments.ts'

/** Covers purchases of the last minutes; older ones are reported without their transaction. */
const MAX_LOOKBACK_BLOCKS = 2_000

/** @param rpcUrls by CAIP-2 id */
export function openAuthorizationReader(
  rpcUrls: Readonly<Record<string, string>>,
  clock: Clock,
): SettlementReader & Disposable {
  const nodes = openNodes(rpcUrls, clock)
  const ending = new AbortController()
  const solana = createSolanaPayments(rpcUrls, clock, ending.signal)

  async function lookUpAuthorization({
    chain,
    payer: authorizer,
    validBefore,
    asset,
    nonce,
  }: SignedAuthorization) {
    const node = await nodes.get(chain)
    const key = { asset, authorizer, nonce }
    const { isUsed, head, atSeconds } = await node.isUsed(key)
    // Block times increase: what is expired in this block is expired in all later ones.
    if (!isUsed) return { state: atSeconds >= validBefore ? 'expired' : 'unused' } as const
    const from = Math.max(0, head - MAX_LOOKBACK_BLOCKS)
    // A node may lack logs that old; the use itself is known.
    const transaction = await node.useOf(key, from, head).catch(() => undefined)
    return { state: 'used', transaction: transaction ?? null } as const
  }

  return {
    reads: chain => nodes.has(chain) || solana.has(chain),
    recent: solana.recent,
    async look(signed) {
      const { chain, payer, nonce, lifetime, claimed } = signed
      if (!solana.has(chain)) return lookUpAuthorization(signed)
      if (!lifetime) throw new NodeError('unavailable', 'It is not known in which blocks it can be used.')
      return solana.look(chain, { payer, nonce, lifetime, claimed })
    },
    [Symbol.dispose]: () => {
      nodes[Symbol.dispose]()
      ending.abort()
    },
  }
}
