// The official facilitator on the chain in this process, behind a port of its own.

import { ed25519 } from '@noble/curves/ed25519'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/facilitator'
import { encodeBase58 } from '../../../src/domain/chains/addresses.ts'
import { SOLANA } from './svm-chain.ts'
import type { SvmNode } from './svm-node.ts'

/** A key pair that follows from a number, in base58 as wallets export it. */
export function solanaAccountOf(index: number): { readonly address: string; readonly key: string } {
  const seed = seedOf(index)
  const publicKey = ed25519.getPublicKey(seed)
  return { address: encodeBase58(publicKey), key: encodeBase58(Buffer.concat([seed, publicKey])) }
}

const seedOf = (index: number) =>
  new Uint8Array(new Bun.CryptoHasher('sha256').update(`a wallet for tests, ${index}`).digest())

/** The account that pays the fees of the facilitator. */
export const FEE_PAYER = solanaAccountOf(999)

/** What the package for Solana brings along. */
const kit = await import(Bun.resolveSync('@solana/kit', Bun.resolveSync('@x402/svm', import.meta.dir)))

export type SolanaFacilitator = AsyncDisposable & { readonly url: string }

export async function openSolanaFacilitator({ url, chain }: SvmNode): Promise<SolanaFacilitator> {
  chain.giveSol(FEE_PAYER.address)
  const signer = toFacilitatorSvmSigner(await kit.createKeyPairSignerFromPrivateKeyBytes(seedOf(999)), {
    defaultRpcUrl: url,
  })
  const facilitator = new x402Facilitator()
    .register(SOLANA, new ExactSvmScheme(signer))
    .registerV1('solana' as never, new ExactSvmSchemeV1(signer))
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { paymentPayload, paymentRequirements } = (await request.json()) as {
        paymentPayload: PaymentPayload
        paymentRequirements: PaymentRequirements
      }
      return Response.json(await facilitator.settle(paymentPayload, paymentRequirements))
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) }
}
