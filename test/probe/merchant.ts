/** A listening merchant that answers as a test tells it to, and remembers what it was asked. */

export type Merchant = AsyncDisposable & {
  /** Without a trailing slash. */
  readonly url: string
  /** Method and path of every request so far, such as `GET /v1`. */
  readonly asked: readonly string[]
  /** The headers of every request. */
  readonly headers: readonly Headers[]
  readonly bodies: readonly string[]
  /** Answers differently from now on. */
  answer(routes: Routes): void
}

type Answer = Response | ((request: Request, body: string) => Response)
/** By method and path, or by path alone; what is not there is 404. */
export type Routes = Readonly<Record<string, Answer>>

export function openMerchant(routes: Routes): Merchant {
  let current = routes
  const asked: string[] = []
  const headers: Headers[] = []
  const bodies: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname
      asked.push(`${request.method} ${path}`)
      // Bun forgets a request's headers once it is answered.
      headers.push(new Headers(request.headers))
      const body = await request.text()
      bodies.push(body)
      const answer = current[`${request.method} ${path}`] ?? current[path]
      if (!answer) return new Response('Not found', { status: 404 })
      return typeof answer === 'function' ? answer(request, body) : (answer.clone() as Response)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    headers,
    bodies,
    answer: next => {
      current = next
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

export const PAYEE = '0x1111111111111111111111111111111111111111'
export const STRANGER = '0x2222222222222222222222222222222222222222'
export const SOLANA_PAYEE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
export const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

export const onBase = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '2500',
  asset: USDC_ON_BASE,
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
}

/** What is listed of a service that asks for `onBase`. */
export const listing = {
  paymentAddress: PAYEE,
  network: 'base',
  pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
}

/** What a client signs over: without it no official one can pay. */
export const SIGNABLE = { name: 'USD Coin', version: '2' }

export const onSolana = {
  ...onBase,
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: SOLANA_PAYEE,
}

/** 402 as version 2 says it: the terms in the header, nothing in the body. */
export function asksV2(accepts: readonly object[] = [onBase], more: object = {}): Response {
  const terms = { x402Version: 2, resource: { url: 'https://weather.test/v1' }, accepts, ...more }
  const header = Buffer.from(JSON.stringify(terms)).toString('base64')
  return Response.json({}, { status: 402, headers: { 'PAYMENT-REQUIRED': header } })
}

/** 402 as version 1 says it: the terms in the body. */
export function asksV1(changes: object = {}): Response {
  const { amount, ...entry } = onBase
  const accepts = [
    { ...entry, network: 'base', maxAmountRequired: amount, resource: 'https://weather.test/v1', ...changes },
  ]
  return Response.json({ x402Version: 1, error: 'X-PAYMENT header is required', accepts }, { status: 402 })
}

export const status = (code: number, headers: Record<string, string> = {}): Response =>
  new Response('', { status: code, headers })
