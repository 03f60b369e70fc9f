// Makes the payment for a quote on Solana. The official package builds the transaction; the data it would request from a node is passed
// in instead, from the operator's node, because it determines what may be signed.
import { type PaymentPayload, payBy } from '../pay.ts'
import type { SolanaQuote } from '../quote.ts'
import type { RecentChainState } from '../settlements.ts'
import type { ApprovedTransfer } from './approved-transfer.ts'
import type { SolanaSigner } from './wallet.ts'

type Requirements = {
  readonly network: string
  readonly asset: string
  readonly amount?: string
  readonly maxAmountRequired?: string
  readonly extra?: Readonly<Record<string, unknown>>
}

/** The client's cache of mints. */
type MintCache = Map<string, Promise<{ readonly decimals: number; readonly programAddress: string }>>

export function toApprovedTransfer(
  { requirements, feePayer, memo }: SolanaQuote,
  recent: RecentChainState,
): ApprovedTransfer {
  const { program, decimals, blockhash } = recent
  const { asset: mint, payTo, amount } = requirements
  return { mint, program, decimals, payTo, amount: BigInt(amount), feePayer, memo, blockhash }
}

/** @throws errors of the signer or the packages; nothing was sent then */
export async function createSolanaPayment(
  quote: SolanaQuote,
  { blockhash, lastBlock, program, decimals }: RecentChainState,
  signer: SolanaSigner,
): Promise<PaymentPayload> {
  const { ExactSvmScheme } = await import('@x402/svm/exact/client')
  const { chain, asset } = quote.requirements
  const official = new ExactSvmScheme(signer as never, { rpcUrl: NOWHERE })
  const { mintCache } = official as unknown as { readonly mintCache: MintCache }
  mintCache.set(`${chain}:${asset}`, Promise.resolve({ decimals, programAddress: program }))
  const make = async ({ extra, amount, maxAmountRequired, ...requirements }: Requirements) =>
    official.createPaymentPayload(2, {
      ...requirements,
      network: chain,
      amount: amount ?? maxAmountRequired,
      // A blockhash from the seller could be of any age, or of another chain.
      extra: { ...extra, recentBlockhash: blockhash, lastValidBlockHeight: lastBlock },
    } as never)
  const scheme = {
    scheme: 'exact',
    async createPaymentPayload(x402Version: number, requirements: Requirements) {
      const { payload } = await make(requirements)
      if (x402Version !== 1) return { x402Version, payload }
      return { x402Version, scheme: 'exact', network: requirements.network, payload }
    },
  }
  return payBy(scheme, quote)
}

/** Unreachable: if the client does request a node, it must not reach any but the operator's. */
const NOWHERE = 'http://127.0.0.1:0'
