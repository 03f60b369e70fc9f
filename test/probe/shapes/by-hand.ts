// Merchants written by hand: what frameworks of other languages, gateways and people really answer.
import { asksV1, asksV2, onBase, onSolana, PAYEE, type Routes, STRANGER, status } from '../merchant.ts'

const paid = {
  'x-payment-info': {
    protocols: [{ x402: {} }],
    price: { mode: 'fixed', currency: 'USD', amount: '0.0025' },
  },
}
const openApi = (paths: object, more: object = {}) =>
  Response.json({ openapi: '3.1.0', info: { title: 'Tides', version: '1' }, paths, ...more })
const html = (text: string, code: number, headers: Record<string, string> = {}) =>
  new Response(`<!doctype html><title>${text}</title>`, {
    status: code,
    headers: { 'content-type': 'text/html', ...headers },
  })
const bazaar = (method: string, input: object) => ({
  extensions: { bazaar: { info: { input: { type: 'http', method, ...input } }, schema: {} } },
})
const body = (schema: object, type = 'application/json') => ({
  requestBody: { required: true, content: { [type]: { schema } } },
})
const byQuery = (name: string) => (request: Request) => {
  const value = new URL(request.url).searchParams.get(name)
  return value ? asksV2() : Response.json({ detail: `${name} is required` }, { status: 400 })
}

export type Shape = { readonly name: string; readonly routes: Routes }

/** Asks for payment only where the body of the request is complete. */
const validated =
  (isComplete: (body: string, type: string) => boolean, otherwise: number) =>
  (request: Request, body: string) =>
    isComplete(body, request.headers.get('content-type') ?? '') ? asksV2() : status(otherwise)
const has =
  (...words: readonly string[]) =>
  (text: string) =>
    words.every(word => text.includes(word))

export const PAYABLE: readonly Shape[] = [
  { name: 'POST, with a 400 to GET', routes: { 'GET /v1': status(400), 'POST /v1': asksV2() } },
  { name: 'POST, with a login wall before GET', routes: { 'GET /v1': status(401), 'POST /v1': asksV1() } },
  { name: 'POST, with a page on GET', routes: { 'GET /v1': html('Docs', 200), 'POST /v1': asksV1() } },
  { name: 'POST, with a crash on GET', routes: { 'GET /v1': status(500), 'POST /v1': asksV2() } },
  {
    name: 'a required query, told by OpenAPI',
    routes: {
      'GET /v1': byQuery('city'),
      '/openapi.json': openApi({
        '/v1': {
          get: {
            parameters: [
              { name: 'city', in: 'query', required: true, schema: { type: 'string', examples: ['Tokyo'] } },
            ],
          },
        },
      }),
    },
  },
  {
    name: 'a body that is validated first, told by references',
    routes: {
      '/openapi.json': openApi(
        { '/v1': { post: body({ $ref: '#/components/schemas/Ask' }) } },
        {
          components: {
            schemas: {
              Ask: {
                type: 'object',
                required: ['text', 'to'],
                properties: { text: { type: 'string' }, to: { $ref: '#/components/schemas/Lang' } },
              },
              Lang: { type: 'string', enum: ['ja', 'en'] },
            },
          },
        },
      ),
      'POST /v1': validated(has('"text":', '"to":"ja"'), 422),
    },
  },
  {
    name: 'a body made of parts that are joined',
    routes: {
      '/openapi.json': openApi({
        '/v1': {
          post: body({
            allOf: [
              { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 5 } } },
              {
                type: 'object',
                required: ['b'],
                properties: { b: { anyOf: [{ type: 'null' }, { type: 'boolean' }] } },
              },
            ],
          }),
        },
      }),
      'POST /v1': validated(has('"a":5', '"b":true'), 422),
    },
  },
  {
    name: 'a form, told by OpenAPI',
    routes: {
      '/openapi.json': openApi({
        '/v1': {
          post: body(
            { type: 'object', required: ['q'], properties: { q: { type: 'string', example: 'tides' } } },
            'application/x-www-form-urlencoded',
          ),
        },
      }),
      'POST /v1': validated((text, type) => text === 'q=tides' && type.includes('urlencoded'), 415),
    },
  },
  {
    name: 'paths with parameters below the endpoint',
    routes: {
      'GET /v1/ports/kobe/tides': asksV2(),
      '/openapi.json': openApi({
        '/v1/ports/{port}/tides': {
          get: { ...paid, parameters: [{ name: 'port', in: 'path', required: true, example: 'kobe' }] },
        },
      }),
    },
  },
  {
    name: 'FastAPI: 402 among the responses, servers with a prefix',
    routes: {
      'POST /v1/chat': asksV1(),
      '/openapi.json': openApi(
        { '/chat': { post: { responses: { 200: {}, 402: { description: 'Payment Required' } } } } },
        { servers: [{ url: '/v1' }] },
      ),
    },
  },
  {
    name: 'a manifest of strings',
    routes: {
      'GET /v1/a': asksV2(),
      '/.well-known/x402': Response.json({ version: 1, resources: ['/v1/a'] }),
    },
  },
  {
    name: 'a manifest of services with methods',
    routes: {
      'POST /v1/chat/completions': asksV2(),
      '/.well-known/x402': Response.json({
        x402Version: 2,
        services: [{ name: 'Chat', endpoint: '/v1/chat/completions', method: 'POST' }],
      }),
    },
  },
  {
    name: 'x402.json alone',
    routes: {
      'GET /v1/a': asksV2(),
      '/.well-known/x402.json': Response.json({
        x402Version: 2,
        items: [{ resource: { url: '/v1/a' }, method: 'GET', accepts: [onBase] }],
      }),
    },
  },
  {
    name: 'a manifest with an input as the Bazaar writes it',
    routes: {
      'GET /v1/a': byQuery('city'),
      '/.well-known/x402': Response.json({
        resources: [{ url: '/v1/a', input: { type: 'http', method: 'GET', queryParams: { city: 'Tokyo' } } }],
      }),
    },
  },
  {
    name: 'terms on GET that declare POST',
    routes: {
      'GET /v1': asksV2([onBase], bazaar('POST', { bodyType: 'json', body: { q: 'x' } })),
      'POST /v1': asksV2(),
    },
  },
  { name: 'version 1 with a CAIP-2 network', routes: { '/v1': asksV1({ network: 'eip155:8453' }) } },
  { name: 'an amount as a number', routes: { '/v1': asksV2([{ ...onBase, amount: 2500 }]) } },
  {
    name: 'terms in the header of a page',
    routes: { '/v1': html('Pay', 402, { 'PAYMENT-REQUIRED': asksV2().headers.get('payment-required')! }) },
  },
  {
    name: 'a redirect to its own folder',
    routes: { '/v1': status(308, { location: '/v1/' }), '/v1/': asksV2() },
  },
  {
    name: 'several ways, ours last',
    routes: { '/v1': asksV2([onSolana, { ...onBase, network: 'eip155:137' }, onBase]) },
  },
  {
    name: 'auth-capture',
    routes: { '/v1': asksV2([{ ...onBase, scheme: 'auth-capture', extra: { captureDeadline: 60 } }]) },
  },
]

export const UNPAYABLE: readonly (Shape & { readonly code: string })[] = [
  {
    name: 'a 200 with terms in its body',
    routes: { '/v1': Response.json({ x402Version: 1, accepts: [onBase] }) },
    code: 'request_without_402',
  },
  {
    name: 'a 402 page of a delivery network',
    routes: { '/v1': html('Payment required: this site has been suspended', 402) },
    code: 'no_terms',
  },
  {
    name: 'L402 alone',
    routes: { '/v1': status(402, { 'www-authenticate': 'L402 macaroon="a", invoice="b"' }) },
    code: 'no_terms',
  },
  {
    name: 'sign-in alone',
    routes: { '/v1': asksV2([], { extensions: { 'sign-in-with-x': { info: {} } } }) },
    code: 'sign_in_only',
  },
  {
    name: 'bare requirements',
    routes: { '/v1': Response.json(onBase, { status: 402 }) },
    code: 'bare_requirements',
  },
  {
    name: 'dollars as amounts',
    routes: { '/v1': asksV1({ maxAmountRequired: '0.0025' }) },
    code: 'amount_malformed',
  },
  { name: 'an empty list', routes: { '/v1': asksV2([]) }, code: 'empty_accepts' },
  {
    name: 'a redirect to a login page',
    routes: { '/v1': status(302, { location: '/login' }), '/login': html('Log in', 200) },
    code: 'request_without_402',
  },
  { name: 'a free API', routes: { '/v1': Response.json({ tides: [] }) }, code: 'request_without_402' },
  {
    name: 'an error that mentions money',
    routes: {
      '/v1': Response.json({ error: 'Payment required', price: '0.01 USDC', payTo: PAYEE }, { status: 403 }),
    },
    code: 'answers_with_refusal',
  },
  {
    name: 'a body that no schema tells',
    routes: { 'POST /v1': validated(() => false, 422) },
    code: 'request_without_402',
  },
  {
    name: 'a manifest of somebody else’s resources',
    routes: {
      '/v1': html('Hello', 200),
      '/.well-known/x402': Response.json({ resources: ['https://api.elsewhere.test/v1/a', '/v2/a'] }),
      '/v2/a': asksV2(),
    },
    code: 'request_without_402',
  },
  {
    name: 'only DELETE is paid',
    routes: { 'DELETE /v1': asksV2(), '/openapi.json': openApi({ '/v1': { delete: paid } }) },
    code: 'request_without_402',
  },
]

export const MISMATCHED: readonly (Shape & { readonly code: string })[] = [
  {
    name: 'a stranger’s address',
    routes: { '/v1': asksV2([{ ...onBase, payTo: STRANGER }]) },
    code: 'other_address',
  },
  {
    name: 'a stranger beside',
    routes: { '/v1': asksV2([onBase, { ...onBase, payTo: STRANGER, asset: STRANGER }]) },
    code: 'other_payees',
  },
  {
    name: 'another network',
    routes: { '/v1': asksV2([{ ...onBase, network: 'eip155:84532' }]) },
    code: 'other_network',
  },
  {
    name: 'a dearer method that its terms declare',
    routes: {
      'GET /v1': asksV2([onBase], bazaar('POST', { bodyType: 'json', body: {} })),
      'POST /v1': asksV2([{ ...onBase, amount: '99000' }]),
    },
    code: 'asks_more',
  },
]
