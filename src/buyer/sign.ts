// From reserved to signed: the wallet of the purpose signs what was quoted, once it is written down that it does.
import type { Purchase } from '../domain/purchases.ts'
import { type Message, say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { PurchaseTable } from '../store/purchases.ts'
import { createPayment, type PaymentPayload } from './pay.ts'
import { type EvmQuote, type Quote, TRANSACTION_SECONDS } from './quote.ts'
import type { Recent } from './settlements.ts'
import type { Approved, Wallet } from './wallet.ts'
import { NotSigned } from './wallet-errors.ts'

/** What a purchase is signed with; of a transaction with what it is made of. */
export type Means = { readonly wallet: Wallet; readonly recent: Recent | undefined }

type Keep = (nonce: string, validBefore: number) => Promise<boolean>

/** The purchase as it is signed, with what pays it. @returns why nothing was sent */
export async function signPurchase(
  purchase: Purchase,
  quote: Quote,
  means: Means,
  { purchases, clock }: { readonly purchases: PurchaseTable; readonly clock: Clock },
): Promise<{ readonly purchase: Purchase; readonly payment: PaymentPayload } | Message> {
  let signed = purchase
  const keep: Keep = (nonce, validBefore) => {
    signed = { ...purchase, state: 'signed', nonce, validBefore }
    return purchases.sign(purchase.id, nonce, validBefore)
  }
  try {
    return { payment: await pay(quote, means, clock.now(), keep), purchase: signed }
  } catch (error) {
    // What was signed and could not be sent counts until it has expired.
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

async function pay(quote: Quote, { wallet, recent }: Means, now: Date, keep: Keep): Promise<PaymentPayload> {
  const seconds = Math.floor(now.getTime() / 1000)
  if (quote.family === 'evm' && wallet.family === 'evm') {
    const approved = toApproved(quote, seconds)
    return createPayment(
      quote,
      wallet.signerFor(approved, ({ nonce, validBefore }) => keep(nonce, validBefore)),
    )
  }
  if (quote.family === 'svm' && wallet.family === 'svm' && recent) {
    const { createSolanaPayment, toApprovedTransfer } = await import('./solana/pay.ts')
    const signer = wallet.signerFor(toApprovedTransfer(quote, recent), nonce =>
      keep(nonce, seconds + TRANSACTION_SECONDS),
    )
    return createSolanaPayment(quote, recent, signer)
  }
  throw new NotSigned('other')
}

/** The clocks of the machine and of who signs may differ by a moment. */
const SLACK_SECONDS = 5

const toApproved = ({ requirements, chainNumber }: EvmQuote, seconds: number): Approved => ({
  chainNumber,
  asset: requirements.asset,
  payTo: requirements.payTo,
  amount: BigInt(requirements.amount),
  latestEnd: seconds + (requirements.maxTimeoutSeconds ?? 0) + SLACK_SECONDS,
})
