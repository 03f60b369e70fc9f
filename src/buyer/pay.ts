// Makes the payment for a quote with the official packages, which are loaded with the first payment.
import type { EvmQuote, Quote } from './quote.ts'
import type { Signer } from './wallet.ts'

/** Contains the signature, and is therefore never stored. */
export type PaymentPayload = Readonly<Record<string, unknown>>

/** @throws errors of the signer or the packages; nothing was sent then */
export async function createPayment(quote: EvmQuote, signer: Signer): Promise<PaymentPayload> {
  if (quote.x402Version === 1) {
    const { ExactEvmSchemeV1 } = await import('@x402/evm/v1')
    return payBy(new ExactEvmSchemeV1(signer as never), quote)
  }
  const { ExactEvmScheme } = await import('@x402/evm/exact/client')
  return payBy(new ExactEvmScheme(signer as never), quote)
}

/** @param scheme the implementation that the official client calls */
export async function payBy(
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
