// Signs a reserved purchase: the wallet signs the quote after the nonce is stored.
import type { Purchase } from '../domain/purchases/purchases.ts'
import { type Message, say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { PurchaseTable } from '../store/purchases.ts'
import { createPayment, type PaymentPayload } from './pay.ts'
import { type EvmQuote, type Quote, TRANSACTION_SECONDS } from './quote.ts'
import type { RecentChainState } from './settlements.ts'
import type { ApprovedAuthorization, Wallet } from './wallet.ts'
import { NotSigned } from './wallet-errors.ts'

/** The wallet, and for a transaction the state of the chain. */
export type SigningMeans = { readonly wallet: Wallet; readonly recent: RecentChainState | undefined }

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
    if (signed === purchase)
      await purchases.conclude(purchase.id, {
        state: 'released',
        charged: null,
        transaction: null,
        outcome: null,
        detail: { ...purchase.detail, reasons: [reason] },
      })
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
    const { createSolanaPayment, toApprovedTransfer } = await import('./solana/pay.ts')
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
