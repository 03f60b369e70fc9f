import { expect, test } from 'bun:test'
import { findPublicNode } from '../../src/chain/evm-node.ts'

test.each([
  ['eip155:8453', 'mainnet.base.org'],
  ['eip155:42161', 'arb1.arbitrum.io'],
  ['eip155:84532', undefined],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', undefined],
])(
  'the public node of %s is %s: of main EVM networks, not of their forks and testnets',
  async (chain, host) => {
    const url = await findPublicNode(chain)
    expect(url && new URL(url).host).toBe(host)
  },
)
