// Whether an authorization that was signed here has been used: asked of the operator's own nodes, by its nonce.
import type { Clock } from '../runtime/clock.ts'
import type { AuthorizationKey } from './node.ts'
import { openNodes } from './nodes.ts'

/** Of a purchase that is a few minutes old; older ones are told without their transaction. */
const LOOK_BACK_BLOCKS = 2_000

export type AuthorizationUse =
  | { readonly state: 'used'; readonly transaction: string | null }
  | { readonly state: 'unused' | 'expired' }

export type AuthorizationReader = Disposable & {
  reads(chain: string): boolean
  /** @throws NodeError */
  look(
    authorization: Omit<AuthorizationKey, 'authorizer'> & {
      readonly chain: string
      readonly payer: string
      readonly validBefore: number
    },
  ): Promise<AuthorizationUse>
}

/** @param rpcUrls by CAIP-2 id */
export function openAuthorizationReader(
  rpcUrls: Readonly<Record<string, string>>,
  clock: Clock,
): AuthorizationReader {
  const nodes = openNodes(rpcUrls, clock)
  return {
    reads: chain => nodes.has(chain),
    async look({ chain, payer: authorizer, validBefore, asset, nonce }) {
      const node = await nodes.get(chain)
      const key = { asset, authorizer, nonce }
      const { isUsed, head, atSeconds } = await node.isUsed(key)
      // A block is younger than the one before it: what could not be used in this one cannot be used in any later one.
      if (!isUsed) return { state: atSeconds >= validBefore ? 'expired' : 'unused' }
      const from = Math.max(0, head - LOOK_BACK_BLOCKS)
      // A node that does not tell logs so far back has told the rest.
      const transaction = await node.useOf(key, from, head).catch(() => undefined)
      return { state: 'used', transaction: transaction ?? null }
    },
    [Symbol.dispose]: () => nodes[Symbol.dispose](),
  }
}
