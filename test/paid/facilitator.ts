// A facilitator that verifies and settles on the local chain: the official one, behind a port of its own.
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/facilitator'
import { createWalletClient, http, publicActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import type { EvmChain } from '../chain/evm-chain.ts'

/** The words that hardhat derives its accounts from. */
const WORDS = 'test test test test test test test test test test test junk'

export function accountOf(index: number): { address: `0x${string}`; key: `0x${string}` } {
  const account = mnemonicToAccount(WORDS, { addressIndex: index })
  return { address: account.address, key: `0x${Buffer.from(account.getHdKey().privateKey!).toString('hex')}` }
}

/** Merchants can offer it as another way to pay; there is no such chain here, so nothing is settled on it. */
const SOLANA = {
  x402Version: 2,
  scheme: 'exact',
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  extra: { feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4' },
}

export type Facilitator = AsyncDisposable & {
  readonly url: string
  /** What was settled, oldest first. */
  readonly settled: readonly PaymentRequirements[]
}

export function openFacilitator(chain: EvmChain): Facilitator {
  const account = mnemonicToAccount(WORDS, { addressIndex: 9 })
  const client = createWalletClient({
    account,
    chain: base,
    transport: http(chain.url),
    pollingInterval: 5,
  }).extend(publicActions)
  const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never)
  const facilitator = new x402Facilitator()
    .register('eip155:8453', new ExactEvmScheme(signer))
    .register('eip155:8453', new UptoEvmScheme(signer))
    .registerV1('base' as never, new ExactEvmSchemeV1(signer))
  const known = facilitator.getSupported()
  const supported = { ...known, kinds: [...known.kinds, SOLANA] }
  const settled: PaymentRequirements[] = []
  // One at a time: transactions of one account have an order.
  let turn: Promise<unknown> = Promise.resolve()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/supported') return Response.json(supported)
      const { paymentPayload, paymentRequirements } = (await request.json()) as {
        paymentPayload: PaymentPayload
        paymentRequirements: PaymentRequirements
      }
      if (pathname === '/verify')
        return Response.json(await facilitator.verify(paymentPayload, paymentRequirements))
      const result = turn.then(() => facilitator.settle(paymentPayload, paymentRequirements))
      turn = result.catch(() => undefined)
      const answer = await result
      if (answer.success) settled.push(paymentRequirements)
      return Response.json(answer)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, settled, [Symbol.asyncDispose]: () => server.stop(true) }
}
