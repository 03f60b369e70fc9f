// Signs a reserved purchase, with the official packages. They are loaded with the first payment.
import type { Purchase } from 'shirube/domain/purchases/purchases.ts'
import { type Message, say } from 'shirube/messages/message.ts'
import type { Clock } from 'shirube/runtime/clock.ts'
import type { PurchaseTable } from 'shirube/store/purchases.ts'
import { type EvmQuote, type Quote, type SolanaQuote, TRANSACTION_SECONDS } from './quote.ts'
import { type RecentChainState, toReleased } from './settlements.ts'
import {
  type ApprovedAuthorization,
  type ApprovedTransfer,
  NotSigned,
  type Signer,
  type SolanaSigner,
  type Wallet,
} from './wallet.ts'

/** Contains the signature, and is therefore never stored. */
export type PaymentPayload = Readonly<Record<string, unknown>>

/** @throws errors of the signer or the packages; nothing was sent then */
async function createPayment(quote: EvmQuote, signer: Signer): Promise<PaymentPayload> {
  if (quote.x402Version === 1) {
    const { ExactEvmSchemeV1 } = await import('@x402/evm/v1')
    return payBy(new ExactEvmSchemeV1(signer as never), quote)
  }
  const { ExactEvmScheme } = await import('@x402/evm/exact/client')
  return payBy(new ExactEvmScheme(signer as never), quote)
}

/** @param scheme the implementation that the official client calls */
async function payBy(
  scheme: { readonly scheme: string },
  { requirements, required, x402Version }: Pick<Quote, 'requirements' | 'required' | 'x402Version'>,
): Promise<PaymentPayload> {
  const { x402Client } = await import('@x402/core/client')
  // The ledger enforces the caps; the client's own would refuse assets of unknown price.
  const client = new x402Client().setSpendControls(false)
  if (x402Version === 1) client.registerV1(requirements.network as never, scheme as never)
  else client.register(requirements.network as never, scheme as never)
  return (await client.createPaymentPayload(required as never)) as unknown as PaymentPayload
}

/** The payment header, by its lower-case name. */
export async function toPaymentHeader(payment: PaymentPayload): Promise<Readonly<Record<string, string>>> {
  const { x402Client, x402HTTPClient } = await import('@x402/core/client')
  const headers = new x402HTTPClient(new x402Client()).encodePaymentSignatureHeader(payment as never)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

// Makes the payment for a quote on Solana. The official package builds the transaction; the data it would request from a node is passed
// in instead, from the operator's node, because it determines what may be signed.

type Requirements = {
  readonly network: string
  readonly asset: string
  readonly amount?: string
  readonly maxAmountRequired?: string
  readonly extra?: Readonly<Record<string, unknown>>
}

/** The client's cache of mints. */
type MintCache = Map<string, Promise<{ readonly decimals: number; readonly programAddress: string }>>

function toApprovedTransfer(
  { requirements, feePayer, memo }: SolanaQuote,
  recent: RecentChainState,
): ApprovedTransfer {
  const { program, decimals, blockhash } = recent
  const { asset: mint, payTo, amount } = requirements
  return { mint, program, decimals, payTo, amount: BigInt(amount), feePayer, memo, blockhash }
}

/** @throws errors of the signer or the packages; nothing was sent then */
async function createSolanaPayment(
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

// Signs a reserved purchase: the wallet signs the quote after the nonce is stored.

/** The wallet, and for a transaction the state of the chain. */
type SigningMeans = { readonly wallet: Wallet; readonly recent: RecentChainState | undefined }

type StoreNonce = (nonce: string, validBefore: number) => Promise<boolean>

/** @returns the signed purchase with its payment, or why nothing was sent */
export async function signPurchase(
  purchase: Purchase,
  quote: Quote,
  means: SigningMeans,
  { purchases, clock }: { readonly purchases: PurchaseTable; readonly clock: Clock },
): Promise<{ readonly purchase: Purchase; readonly payment: PaymentPayload } | Message> {
  let signed = purchase
  const storeNonce: StoreNonce = (nonce, validBefore) => {
    signed = { ...purchase, state: 'signed', nonce, validBefore }
    return purchases.sign(purchase.id, nonce, validBefore)
  }
  try {
    return { payment: await pay(quote, means, clock.now(), storeNonce), purchase: signed }
  } catch (error) {
    // A payment that was signed but not sent counts until it expires.
    const isLost = error instanceof NotSigned && error.why === 'lost'
    const reason = say(isLost ? 'reservation_lost' : 'signing_failed')
    if (signed === purchase) await purchases.conclude(purchase.id, toReleased(purchase, reason))
    return reason
  }
}

async function pay(
  quote: Quote,
  { wallet, recent }: SigningMeans,
  now: Date,
  storeNonce: StoreNonce,
): Promise<PaymentPayload> {
  const seconds = Math.floor(now.getTime() / 1000)
  if (quote.family === 'evm' && wallet.family === 'evm') {
    const approved = toApprovedAuthorization(quote, seconds)
    return createPayment(
      quote,
      wallet.signerFor(approved, ({ nonce, validBefore }) => storeNonce(nonce, validBefore)),
    )
  }
  if (quote.family === 'svm' && wallet.family === 'svm' && recent) {
    const signer = wallet.signerFor(toApprovedTransfer(quote, recent), nonce =>
      storeNonce(nonce, seconds + TRANSACTION_SECONDS),
    )
    return createSolanaPayment(quote, recent, signer)
  }
  throw new NotSigned('other')
}

/** Allows for differing clocks. */
const SLACK_SECONDS = 5

const toApprovedAuthorization = (
  { requirements, chainNumber }: EvmQuote,
  seconds: number,
): ApprovedAuthorization => ({
  chainNumber,
  asset: requirements.asset,
  payTo: requirements.payTo,
  amount: BigInt(requirements.amount),
  latestEnd: seconds + (requirements.maxTimeoutSeconds ?? 0) + SLACK_SECONDS,
})
