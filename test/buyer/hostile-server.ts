// Sellers behind one port: each has a path and terms of its own. Money moves on the local chain, through the official facilitator, and
// only where a seller settles.
import type { Facilitator } from '../paid/facilitator.ts'
import { type HostileMerchant, MERCHANTS, type Settled } from './hostile-merchants.ts'
import { AMOUNT, USDC } from './sold.ts'

export type HostileServer = AsyncDisposable & {
  readonly url: (merchant: HostileMerchant) => string
  /** Unpaid and paid requests of each, in turn. */
  readonly asked: (merchant: HostileMerchant) => readonly ('unpaid' | 'paid')[]
  /** Resolves when nothing is being settled any more. */
  settled(): Promise<void>
}

export const payeeOf = (index: number) => `0x${(index + 0x2000).toString(16).padStart(40, '8')}`

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')

export function openHostileMerchants(
  facilitator: Pick<Facilitator, 'url'>,
  merchants: readonly HostileMerchant[] = MERCHANTS,
): HostileServer {
  const settling = new Set<Promise<unknown>>()
  const asked = merchants.map((): ('unpaid' | 'paid')[] => [])
  const termsOf = (index: number, url: string, overrides: object = {}) => {
    const { version = 2, terms = {}, mimeType = '' } = merchants[index]!
    const requirements = {
      scheme: 'exact',
      network: version === 2 ? 'eip155:8453' : 'base',
      asset: USDC,
      payTo: payeeOf(index),
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
      ...terms,
      ...overrides,
    }
    const { amount = AMOUNT } = requirements as { amount?: string }
    return version === 2
      ? { x402Version: 2, resource: { url, mimeType }, accepts: [{ ...requirements, amount }] }
      : {
          x402Version: 1,
          accepts: [
            {
              ...requirements,
              maxAmountRequired: amount,
              resource: url,
              description: '',
              mimeType,
              outputSchema: null,
            },
          ],
        }
  }
  const ask = (index: number, url: string, overrides?: object): Response => {
    const terms = termsOf(index, url, overrides)
    return terms.x402Version === 2
      ? new Response('{}', { status: 402, headers: { 'payment-required': encode(terms) } })
      : Response.json(terms, { status: 402 })
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      const index = Number(new URL(request.url).pathname.split('/').at(-1))
      const merchant = merchants[index]
      if (!merchant) return new Response('', { status: 404 })
      const { version = 2, paid } = merchant
      const header = request.headers.get(version === 2 ? 'payment-signature' : 'x-payment')
      asked[index]!.push(header === null ? 'unpaid' : 'paid')
      if (header === null) return ask(index, request.url)
      const paymentPayload = JSON.parse(Buffer.from(header, 'base64').toString())
      const [paymentRequirements] = termsOf(index, request.url).accepts
      return paid({
        settle: () => {
          const body = JSON.stringify({ x402Version: version, paymentPayload, paymentRequirements })
          const settled = fetch(`${facilitator.url}/settle`, { method: 'POST', body }).then(
            async response => (await response.json()) as Settled,
          )
          settling.add(settled)
          return settled
        },
        told: settled => ({ [version === 2 ? 'payment-response' : 'x-payment-response']: encode(settled) }),
        askAgain: overrides => ask(index, request.url, overrides),
      })
    },
  })
  const indexOf = (merchant: HostileMerchant) => merchants.indexOf(merchant)
  return {
    url: merchant => `http://127.0.0.1:${server.port}/m/${indexOf(merchant)}`,
    settled: async () => {
      await Promise.allSettled(settling)
    },
    asked: merchant => asked[indexOf(merchant)]!,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
