// Merchants made with the packages that merchants use, each a server of its own with many routes. No request leaves this machine:
// their facilitator is here, and says which kinds of payment it settles.
import { createServer } from 'node:http'
import { x402Middleware } from '@dexterai/x402/server'
import { createMiddleware as farExpress } from '@faremeter/middleware/express'
import { createMiddleware as farHono } from '@faremeter/middleware/hono'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import { paymentMiddleware as expressPayment, x402ResourceServer } from '@x402/express'
import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { paymentMiddleware as honoPayment } from '@x402/hono'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import express, { type Express } from 'express'
import { Hono } from 'hono'
import { paymentMiddleware as expressV1 } from 'x402-express'
import { paymentMiddleware as honoV1 } from 'x402-hono'
import { PAYEE, SOLANA_PAYEE, USDC_ON_BASE } from '../merchant.ts'

export const BASE = 'eip155:8453'
const POLYGON = 'eip155:137'
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const FEE_PAYER = '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4'
/** What the schemes need to know of who settles. */
const EXTRA = { receiverAuthorizer: `0x${'3'.repeat(40)}`, facilitatorAddress: `0x${'3'.repeat(40)}` }
const PRICE = '$0.0025'

/** The addresses of all servers, without a trailing slash; `disposeAsync` stops them. */
export type Packages = AsyncDisposableStack & { readonly at: Readonly<Record<string, string>> }

function openFacilitator(stack: AsyncDisposableStack): string {
  const kinds = [
    ...['exact', 'upto', 'batch-settlement'].flatMap(scheme => [
      { x402Version: 2, scheme, network: BASE, extra: EXTRA },
      { x402Version: 2, scheme, network: POLYGON },
    ]),
    { x402Version: 2, scheme: 'exact', network: SOLANA, extra: { feePayer: FEE_PAYER } },
    { x402Version: 1, scheme: 'exact', network: 'base' },
    { x402Version: 1, scheme: 'exact', network: 'solana', extra: { feePayer: FEE_PAYER } },
  ]
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/supported') return Response.json({ kinds, extensions: ['bazaar'], signers: {} })
      if (pathname === '/accepts') return Response.json(await request.json())
      return new Response('Not found', { status: 404 })
    },
  })
  stack.defer(() => server.stop(true))
  return `http://127.0.0.1:${server.port}`
}

async function serveExpress(stack: AsyncDisposableStack, app: Express): Promise<string> {
  const server = createServer(app)
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  stack.defer(() => {
    server.closeAllConnections()
    return new Promise(closed => server.close(() => closed()))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

function serveHono(stack: AsyncDisposableStack, app: Hono): string {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: app.fetch })
  stack.defer(() => server.stop(true))
  return `http://127.0.0.1:${server.port}`
}

const exact = { scheme: 'exact', network: BASE, payTo: PAYEE, price: PRICE } as const
const onSolana = { scheme: 'exact', network: SOLANA, payTo: SOLANA_PAYEE, price: PRICE } as const

/** The routes of `@x402/express` and `@x402/hono`. */
function routesV2() {
  let calls = 0
  const route = (accepts: object, more: object = {}) => ({
    accepts,
    description: 'Tides',
    mimeType: 'application/json',
    ...more,
  })
  return {
    'GET /get': route([exact]),
    'POST /post': route([exact]),
    '/any': route([exact]),
    'GET /dynamic-price': route([{ ...exact, price: async () => '$0.002' }]),
    'GET /eurc': route([
      {
        ...exact,
        price: {
          asset: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42',
          amount: '2500',
          extra: { name: 'EURC', version: '2' },
        },
      },
    ]),
    'GET /amount': route([
      { ...exact, price: { asset: USDC_ON_BASE, amount: '2500', extra: { name: 'USD Coin', version: '2' } } },
    ]),
    'GET /upto': route([{ ...exact, scheme: 'upto' }]),
    'GET /upto-dear': route([{ ...exact, scheme: 'upto', price: '$0.01' }]),
    'GET /two': route([onSolana, exact]),
    'GET /three': route([exact, { ...exact, network: POLYGON }, onSolana]),
    'GET /solana': route([onSolana]),
    'GET /dear': route([exact, { ...exact, price: '$0.5' }]),
    'GET /batch': route([{ ...exact, scheme: 'batch-settlement' }]),
    'GET /dynamic-payee': route([
      { ...exact, payTo: async () => `0x${String(10 + (calls++ % 80)).repeat(20)}` },
    ]),
    'GET /weather/[city]': route([exact]),
    'POST /declared': route([exact], {
      extensions: declareDiscoveryExtension({
        bodyType: 'json',
        input: { text: 'Hello', to: 'ja' },
        inputSchema: {
          properties: { text: { type: 'string' }, to: { type: 'string' } },
          required: ['text', 'to'],
        },
        output: { example: { text: 'こんにちは' } },
      }),
    }),
    'GET /declared-query': route([exact], {
      extensions: declareDiscoveryExtension({
        input: { city: 'Tokyo' },
        inputSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
      }),
    }),
  }
}

function createResourceServer(facilitator: string): x402ResourceServer {
  return new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator }))
    .register(BASE, new ExactEvmScheme())
    .register(POLYGON, new ExactEvmScheme())
    .register(SOLANA, new ExactSvmScheme())
    .register(BASE, new UptoEvmScheme())
    .register(BASE, new BatchSettlementEvmScheme(PAYEE))
    .registerExtension(bazaarResourceServerExtension)
}

export async function openPackages(): Promise<Packages> {
  const stack = new AsyncDisposableStack()
  const facilitator = openFacilitator(stack)
  const url = facilitator as `http://${string}`
  const resources = createResourceServer(facilitator)
  const v2 = routesV2() as never

  const expressV2 = express()
  // A page for everything that is no route: as single-page apps have it.
  expressV2.use(expressPayment(v2, resources))
  expressV2.get(/.*/, (_request, response) => void response.send('<!doctype html><div id="app"></div>'))

  const hono = new Hono()
  hono.use(honoPayment(v2, createResourceServer(facilitator)))

  const v1Routes = {
    'GET /get': { price: PRICE, network: 'base' },
    'POST /post': { price: PRICE, network: 'base' },
    'GET /described': {
      price: PRICE,
      network: 'base',
      config: {
        description: 'Tides',
        inputSchema: { queryParams: { port: 'string' } },
        outputSchema: { height: 'number' },
      },
    },
  } as const
  const oldExpress = express()
  oldExpress.use(expressV1(PAYEE, v1Routes, { url }))
  oldExpress.get(/.*/, (_request, response) => void response.send('a page'))
  const oldHono = new Hono()
  oldHono.use(honoV1(PAYEE, v1Routes, { url }))
  const solanaHono = new Hono()
  solanaHono.use(honoV1(SOLANA_PAYEE as never, { 'GET /get': { price: PRICE, network: 'solana' } }, { url }))

  const far = {
    facilitatorURL: facilitator,
    accepts: [
      {
        scheme: 'exact',
        network: 'base',
        maxAmountRequired: '2500',
        asset: USDC_ON_BASE,
        payTo: PAYEE,
        resource: 'http://127.0.0.1/far',
        description: '',
        maxTimeoutSeconds: 60,
      },
    ],
  }
  const farExpressApp = express()
  farExpressApp.use('/far', (await farExpress(far as never)) as never)
  const farHonoApp = new Hono()
  farHonoApp.use('/far', await farHono(far as never))

  const dexter = express()
  dexter.use(express.json())
  const dexterPaid = (more: object) =>
    x402Middleware({
      payTo: PAYEE,
      amount: '0.0025',
      network: BASE,
      asset: { address: USDC_ON_BASE, decimals: 6 },
      facilitatorUrl: facilitator,
      ...more,
    } as never)
  dexter.get('/get', dexterPaid({}))
  dexter.post('/post', dexterPaid({}))
  dexter.get(
    '/both',
    dexterPaid({
      asset: undefined,
      network: [SOLANA, BASE],
      payTo: { 'solana:*': SOLANA_PAYEE, 'eip155:*': PAYEE },
    }),
  )

  const at = {
    express: await serveExpress(stack, expressV2),
    hono: serveHono(stack, hono),
    'express v1': await serveExpress(stack, oldExpress),
    'hono v1': serveHono(stack, oldHono),
    'hono v1 solana': serveHono(stack, solanaHono),
    'faremeter express': await serveExpress(stack, farExpressApp),
    'faremeter hono': serveHono(stack, farHonoApp),
    dexter: await serveExpress(stack, dexter),
  }
  return Object.assign(stack, { at })
}
