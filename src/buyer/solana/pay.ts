// The payment of a quote on Solana. The official package makes the transaction; what it would ask a node of its own for, it is
// told: the operator's node was asked before, and what may be signed follows from that answer.
import { type PaymentPayload, payBy } from '../pay.ts'
import type { SolanaQuote } from '../quote.ts'
import type { Recent } from '../settlements.ts'
import type { ApprovedTransfer } from './approved-transfer.ts'
import type { SolanaSigner } from './wallet.ts'

type Requirements = {
  readonly network: string
  readonly asset: string
  readonly amount?: string
  readonly maxAmountRequired?: string
  readonly extra?: Readonly<Record<string, unknown>>
}

/** What the client keeps of a mint that it has asked for. */
type MintCache = Map<string, Promise<{ readonly decimals: number; readonly programAddress: string }>>

export function toApprovedTransfer(
  { requirements, feePayer, memo }: SolanaQuote,
  recent: Recent,
): ApprovedTransfer {
  const { program, decimals, blockhash } = recent
  const { asset: mint, payTo, amount } = requirements
  return { mint, program, decimals, payTo, amount: BigInt(amount), feePayer, memo, blockhash }
}

/** @throws what the signer or the packages throw; then nothing was sent */
export async function createSolanaPayment(
  quote: SolanaQuote,
  { blockhash, lastBlock, program, decimals }: Recent,
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
      // A blockhash of the seller's could be of any age, or of another chain.
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

/** Were the client to ask a node after all, it would reach none: no other than the operator's is ever asked. */
const NOWHERE = 'http://127.0.0.1:0'
