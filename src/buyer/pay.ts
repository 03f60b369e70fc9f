// The header that pays a quote, made by the official packages. They are loaded when the first payment is made.
import type { Quote } from './quote.ts'
import type { Signer } from './wallet.ts'

/** @throws what the signer or the packages throw; then nothing was sent */
export async function createPaymentHeader(
  { way, required, x402Version }: Quote,
  signer: Signer,
): Promise<Readonly<Record<string, string>>> {
  const { x402Client, x402HTTPClient } = await import('@x402/core/client')
  // Caps are kept by the ledger; the client's own would refuse what it does not know the price of.
  const client = new x402Client().setSpendControls(false)
  if (x402Version === 1) {
    const { ExactEvmSchemeV1 } = await import('@x402/evm/v1')
    client.registerV1(way.network as never, new ExactEvmSchemeV1(signer as never))
  } else {
    const { ExactEvmScheme } = await import('@x402/evm/exact/client')
    client.register(way.network as never, new ExactEvmScheme(signer as never))
  }
  const http = new x402HTTPClient(client)
  const headers = http.encodePaymentSignatureHeader(await http.createPaymentPayload(required as never))
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
