/** What the official clients would sign for an answer: the way that they choose of those that it offers, as signed typed data. */

import { x402Client } from '@x402/core/client'
import { x402HTTPClient } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1, NETWORKS } from '@x402/evm/v1'
import { privateKeyToAccount } from 'viem/accounts'

export type Signed = { readonly to: string; readonly value: bigint; readonly chainId: number }

type TypedData = {
  readonly domain: { readonly chainId?: number | bigint }
  readonly message: Readonly<Record<string, unknown>>
}

/** @returns what was signed; undefined where the client refuses */
export async function signedBy(answer: Response): Promise<Signed | undefined> {
  const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
  let signed: Signed | undefined
  const signer = {
    address: account.address,
    signTypedData(data: TypedData) {
      const { to, value } = data.message as { to?: string; value?: bigint }
      signed = { to: String(to), value: BigInt(value ?? 0), chainId: Number(data.domain.chainId) }
      return account.signTypedData(data as never)
    },
  }
  const client = new x402Client()
    .setSpendControls(false)
    .register('eip155:*', new ExactEvmScheme(signer as never))
  for (const network of NETWORKS) client.registerV1(network as never, new ExactEvmSchemeV1(signer as never))
  const http = new x402HTTPClient(client)
  try {
    const body = await answer.json().catch(() => undefined)
    const required = http.getPaymentRequiredResponse(name => answer.headers.get(name), body)
    await client.createPaymentPayload(required as PaymentRequired)
  } catch {
    return signed
  }
  return signed
}
