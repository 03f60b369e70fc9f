// The operator's own EVM nodes, one per chain.
import type { Clock } from '../runtime/clock.ts'
import type { ChainNode } from './node.ts'

export type Nodes = Disposable & {
  has(chain: string): boolean
  /** The client takes a fifth of a second to load, so it is loaded with the first request. */
  get(chain: string): Promise<ChainNode>
}

/** @param rpcUrls by CAIP-2 id */
export function openNodes(rpcUrls: Readonly<Record<string, string>>, clock: Clock): Nodes {
  const ending = new AbortController()
  const urls = new Map(Object.entries(rpcUrls).filter(([chain]) => chain.startsWith('eip155:')))
  return {
    has: chain => urls.has(chain),
    async get(chain) {
      const url = urls.get(chain)
      if (url === undefined) throw new Error(`There is no node for ${chain}.`)
      const { createNode } = await import('./node.ts')
      return createNode({ url, clock, signal: ending.signal })
    },
    [Symbol.dispose]: () => ending.abort(),
  }
}
