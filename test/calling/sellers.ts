// A seller of the tests behind a port of its own: it declares what it takes, and its terms and its manners can change at any time.
import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { USDC } from '../buyer/sold.ts'
import type { Facilitator } from '../paid/facilitator.ts'

type Settled = { readonly success: boolean; readonly transaction: string }

export type Sale = {
  /** What was sent: the body, or the query. */
  readonly input: unknown
  readonly path: string
  readonly headers: Headers
  settle(): Promise<Settled>
  told(settled: object): Record<string, string>
  askAgain(terms?: object): Response
}

export type SellerOptions = {
  readonly name: string
  readonly description?: string
  /** Atomic units of USDC. */
  readonly amount?: string
  readonly method?: 'GET' | 'POST'
}

export type Seller = AsyncDisposable & {
  readonly options: SellerOptions
  readonly url: string
  readonly host: string
  readonly payTo: `0x${string}`
  /** Requests in turn. */
  readonly asked: ('unpaid' | 'paid')[]
  /** What the paid requests sent. */
  readonly sold: unknown[]
  /** Overrides of its way to pay from now on. */
  terms: object
  /** What it does before it answers an unpaid request. */
  onUnpaid: () => Promise<Response | undefined>
  onPaid: (sale: Sale) => Promise<Response>
}

export const FIELDS = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 14 } },
  required: ['city'],
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')

/** Settles, says so and delivers. */
export const deliver = async ({ settle, told, input }: Sale): Promise<Response> =>
  Response.json({ sunny: true, input }, { headers: told(await settle()) })

let sellers = 0

export function openSeller(facilitator: Pick<Facilitator, 'url'>, options: SellerOptions): Seller {
  const { method = 'POST', amount = '2000' } = options
  const payTo = `0x${(0xca11000 + ++sellers).toString(16).padStart(40, '6')}` as const
  const example = { city: 'Tokyo', days: 3 }
  const declared = {
    input: example,
    inputSchema: FIELDS,
    ...(method === 'POST' && { bodyType: 'json' }),
    output: { example: { sunny: true } },
  }
  const extensions = declareDiscoveryExtension(declared as never) as unknown as {
    bazaar: { info: { input: Record<string, unknown> } }
  }
  // The middleware of sellers fills it in.
  extensions.bazaar.info.input.method = method
  const required = (url: string, overrides: object = {}) => ({
    x402Version: 2,
    error: 'Payment required',
    resource: { url, description: options.description ?? '', mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: USDC,
        amount,
        payTo,
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2' },
        ...seller.terms,
        ...overrides,
      },
    ],
    extensions,
  })
  const ask = (url: string, overrides?: object) =>
    new Response('{}', { status: 402, headers: { 'payment-required': encode(required(url, overrides)) } })
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      const url = new URL(request.url)
      const header = request.headers.get('payment-signature')
      if (request.method !== method) return new Response('', { status: 405 })
      seller.asked.push(header === null ? 'unpaid' : 'paid')
      if (header === null) return (await seller.onUnpaid()) ?? ask(request.url)
      const input =
        method === 'POST' ? ((await request.json()) as unknown) : Object.fromEntries(url.searchParams)
      seller.sold.push(input)
      const paymentPayload = JSON.parse(Buffer.from(header, 'base64').toString())
      const [paymentRequirements] = required(request.url).accepts
      return seller.onPaid({
        input,
        path: url.pathname,
        headers: request.headers,
        async settle() {
          const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements })
          const response = await fetch(`${facilitator.url}/settle`, { method: 'POST', body })
          return (await response.json()) as Settled
        },
        told: settled => ({ 'payment-response': encode(settled) }),
        askAgain: terms => ask(request.url, terms),
      })
    },
  })
  const seller: Seller = {
    options,
    url: `http://127.0.0.1:${server.port}/v1/weather`,
    host: `127.0.0.1:${server.port}`,
    payTo,
    asked: [],
    sold: [],
    terms: {},
    onUnpaid: async () => undefined,
    onPaid: deliver,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
  return seller
}
