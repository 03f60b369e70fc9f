// The chain of Solana in this process with sellers and a wallet on it.

import { openAuthorizationReader } from '../../../packages/buyer/src/payment-use.ts'
import { openSolanaWallet } from '../../../packages/buyer/src/wallet.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { Secret } from '../../../src/runtime/secret.ts'
import { FEE_PAYER, openSolanaFacilitator, solanaAccountOf } from '../../chain/solana/facilitator.ts'
import { SOLANA, USDC } from '../../chain/solana/svm-chain.ts'
import { openSvmNode, type SvmNode } from '../../chain/solana/svm-node.ts'
import type { ShiftedClock } from '../clock.ts'
import { SELLERS } from '../crash-sellers.ts'
import type { Ground } from '../ground.ts'
import type { HostileMerchant } from '../hostile-merchants.ts'
import { type HostileServer, openHostileMerchants } from '../hostile-server.ts'
import { toListing } from '../order.ts'

export const CHAIN = { network: 'solana', id: SOLANA, asset: USDC }
const FUNDS = 10_000_000_000n
/** Further than any blockhash is good for, with what a node needs to list transactions. */
const LATER_BLOCKS = 400

export const payeeOf = (index: number): string => solanaAccountOf(2_000 + index).address

/** The way to pay of a seller on Solana. */
export const toTerms = (
  { version }: Pick<HostileMerchant, 'version'>,
  index: number,
  extra: object = {},
) => ({
  network: version === 1 ? 'solana' : SOLANA,
  asset: USDC,
  payTo: payeeOf(index),
  extra: { feePayer: FEE_PAYER.address, ...extra },
})

export type SolanaGround = Ground & {
  readonly node: SvmNode
  readonly payer: string
  readonly server: HostileServer
}

export async function openSolanaGround(
  clock: ShiftedClock,
  merchants: readonly HostileMerchant[] = SELLERS,
): Promise<SolanaGround> {
  await using opened = new AsyncDisposableStack()
  const node = opened.use(openSvmNode())
  const { chain } = node
  const { address: payer, key } = solanaAccountOf(5)
  chain.fund(payer, FUNDS)
  for (const index of merchants.keys()) chain.fund(payeeOf(index), 0n)
  const facilitator = opened.use(await openSolanaFacilitator(node))
  const onSolana = merchants.map((merchant, index) => ({
    ...merchant,
    terms: { ...toTerms(merchant, index), ...merchant.terms },
  }))
  const opens = opened.use(openHostileMerchants(facilitator, onSolana))
  const ofSolana = (merchant: HostileMerchant) => onSolana[merchants.indexOf(merchant)]!
  const server = {
    ...opens,
    url: (merchant: HostileMerchant) => opens.url(ofSolana(merchant)),
    asked: (merchant: HostileMerchant) => opens.asked(ofSolana(merchant)),
  }
  const placed = merchants.map((merchant, index) => ({
    url: server.url(merchant),
    payTo: payeeOf(index),
    clock,
    chain: CHAIN,
  }))
  const reader = opened.use(openAuthorizationReader({ [SOLANA]: node.url }, systemClock))
  const kept = opened.move()
  return {
    node,
    payer,
    server,
    wallets: [openSolanaWallet(new Secret(key))],
    key,
    rpcUrl: node.url,
    reader,
    sellers: {
      placed,
      ids: placed.map((place, index) => toListing(merchants[index]!, place).id),
      asked: index => server.asked(merchants[index]!),
      settled: server.settled,
    },
    paid: async () => Number(FUNDS - chain.balance(payer)),
    received: async () =>
      Object.fromEntries(
        placed.map(({ payTo }) => [payTo, chain.balance(payTo)] as const).filter(([, amount]) => amount > 0n),
      ),
    isOnChain: async transaction => chain.processed.some(({ signature }) => signature === transaction),
    async expire() {
      clock.advance(10 * 60_000)
      chain.pass(LATER_BLOCKS)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
