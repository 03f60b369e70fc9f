/** Merchants built with the real packages of the x402 world; the facilitator they ask stands on this machine. */

import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware as honoPayment, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'

export type RealMerchant = AsyncDisposable & {
  /** Without a trailing slash. */
  readonly url: string
}

type Terms = { readonly payTo: `0x${string}`; readonly price: string }

/** Says which kinds of payment it settles, and settles none. */
export function openFacilitator(): RealMerchant {
  const kinds = [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }]
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: request =>
      new URL(request.url).pathname === '/supported'
        ? Response.json({ kinds, extensions: [], signers: {} })
        : new Response('Not found', { status: 404 }),
  })
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) }
}

/** Version 2, on Hono: `GET /v1/forecast` and `POST /v1/book` cost the price, everything else is free. */
export function openHonoMerchant(facilitator: string, { payTo, price }: Terms): RealMerchant {
  const accepts = [{ scheme: 'exact', network: 'eip155:8453', payTo, price }] as const
  const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator })).register(
    'eip155:8453',
    new ExactEvmScheme(),
  )
  const app = new Hono()
  const route = { accepts: [...accepts], description: 'Forecast', mimeType: 'application/json' }
  app.use(honoPayment({ 'GET /v1/forecast': route, 'POST /v1/book': route }, resources))
  app.get('/v1/forecast', context => context.json({ temperature: 21 }))
  app.post('/v1/book', context => context.json({ booked: true }))
  app.get('/.well-known/x402', context => context.json({ version: 1, resources: ['GET /v1/forecast'] }))
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: app.fetch })
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) }
}
