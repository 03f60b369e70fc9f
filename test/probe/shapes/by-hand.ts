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

/** What a merchant answers, by its name. */
export type Shapes = Readonly<Record<string, Routes>>

/** Asks for payment only where the body of the request is complete. */
const validated =
  (isComplete: (body: string, type: string) => boolean, otherwise: number) =>
  (request: Request, body: string) =>
    isComplete(body, request.headers.get('content-type') ?? '') ? asksV2() : status(otherwise)
const has =
  (...words: readonly string[]) =>
  (text: string) =>
    words.every(word => text.includes(word))

export const PAYABLE: Shapes = {
  'POST, with a 400 to GET': { 'GET /v1': status(400), 'POST /v1': asksV2() },
  'POST, with a login wall before GET': { 'GET /v1': status(401), 'POST /v1': asksV1() },
  'POST, with a page on GET': { 'GET /v1': html('Docs', 200), 'POST /v1': asksV1() },
  'POST, with a crash on GET': { 'GET /v1': status(500), 'POST /v1': asksV2() },
  'a required query, told by OpenAPI': {
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
  'a body that is validated first, told by references': {
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
  'a body made of parts that are joined': {
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
  'a form, told by OpenAPI': {
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
  'paths with parameters below the endpoint': {
    'GET /v1/ports/kobe/tides': asksV2(),
    '/openapi.json': openApi({
      '/v1/ports/{port}/tides': {
        get: { ...paid, parameters: [{ name: 'port', in: 'path', required: true, example: 'kobe' }] },
      },
    }),
  },
  'FastAPI: 402 among the responses, servers with a prefix': {
    'POST /v1/chat': asksV1(),
    '/openapi.json': openApi(
      { '/chat': { post: { responses: { 200: {}, 402: { description: 'Payment Required' } } } } },
      { servers: [{ url: '/v1' }] },
    ),
  },
  'a manifest of strings': {
    'GET /v1/a': asksV2(),
    '/.well-known/x402': Response.json({ version: 1, resources: ['/v1/a'] }),
  },
  'a manifest of services with methods': {
    'POST /v1/chat/completions': asksV2(),
    '/.well-known/x402': Response.json({
      x402Version: 2,
      services: [{ name: 'Chat', endpoint: '/v1/chat/completions', method: 'POST' }],
    }),
  },
  'x402.json alone': {
    'GET /v1/a': asksV2(),
    '/.well-known/x402.json': Response.json({
      x402Version: 2,
      items: [{ resource: { url: '/v1/a' }, method: 'GET', accepts: [onBase] }],
    }),
  },
  'a manifest with an input as the Bazaar writes it': {
    'GET /v1/a': byQuery('city'),
    '/.well-known/x402': Response.json({
      resources: [{ url: '/v1/a', input: { type: 'http', method: 'GET', queryParams: { city: 'Tokyo' } } }],
    }),
  },
  'terms on GET that declare POST': {
    'GET /v1': asksV2([onBase], bazaar('POST', { bodyType: 'json', body: { q: 'x' } })),
    'POST /v1': asksV2(),
  },
  'version 1 with a CAIP-2 network': { '/v1': asksV1({ network: 'eip155:8453' }) },
  'an amount as a number': { '/v1': asksV2([{ ...onBase, amount: 2500 }]) },
  'terms in the header of a page': {
    '/v1': html('Pay', 402, { 'PAYMENT-REQUIRED': asksV2().headers.get('payment-required')! }),
  },
  'a redirect to its own folder': { '/v1': status(308, { location: '/v1/' }), '/v1/': asksV2() },
  'several ways, ours last': { '/v1': asksV2([onSolana, { ...onBase, network: 'eip155:137' }, onBase]) },
  'auth-capture': { '/v1': asksV2([{ ...onBase, scheme: 'auth-capture', extra: { captureDeadline: 60 } }]) },
}

/** By what is told of them. */
export const UNPAYABLE: Readonly<Record<string, Shapes>> = {
  request_without_402: {
    'a 200 with terms in its body': { '/v1': Response.json({ x402Version: 1, accepts: [onBase] }) },
    'a redirect to a login page': {
      '/v1': status(302, { location: '/login' }),
      '/login': html('Log in', 200),
    },
    'a free API': { '/v1': Response.json({ tides: [] }) },
    'a body that no schema tells': { 'POST /v1': validated(() => false, 422) },
    'a manifest of somebody else’s resources': {
      '/v1': html('Hello', 200),
      '/.well-known/x402': Response.json({ resources: ['https://api.elsewhere.test/v1/a', '/v2/a'] }),
      '/v2/a': asksV2(),
    },
    'only DELETE is paid': { 'DELETE /v1': asksV2(), '/openapi.json': openApi({ '/v1': { delete: paid } }) },
  },
  no_terms: {
    'a 402 page of a delivery network': {
      '/v1': html('Payment required: this site has been suspended', 402),
    },
    'L402 alone': { '/v1': status(402, { 'www-authenticate': 'L402 macaroon="a", invoice="b"' }) },
  },
  sign_in_only: {
    'sign-in alone': { '/v1': asksV2([], { extensions: { 'sign-in-with-x': { info: {} } } }) },
  },
  bare_requirements: {
    'bare requirements': { '/v1': Response.json(onBase, { status: 402 }) },
  },
  amount_malformed: {
    'dollars as amounts': { '/v1': asksV1({ maxAmountRequired: '0.0025' }) },
  },
  empty_accepts: {
    'an empty list': { '/v1': asksV2([]) },
  },
  answers_with_refusal: {
    'an error that mentions money': {
      '/v1': Response.json({ error: 'Payment required', price: '0.01 USDC', payTo: PAYEE }, { status: 403 }),
    },
  },
}

export const MISMATCHED: Readonly<Record<string, Shapes>> = {
  other_address: {
    'a stranger’s address': { '/v1': asksV2([{ ...onBase, payTo: STRANGER }]) },
  },
  other_payees: {
    'a stranger beside': { '/v1': asksV2([onBase, { ...onBase, payTo: STRANGER, asset: STRANGER }]) },
  },
  other_network: {
    'another network': { '/v1': asksV2([{ ...onBase, network: 'eip155:84532' }]) },
  },
  asks_more: {
    'a dearer method that its terms declare': {
      'GET /v1': asksV2([onBase], bazaar('POST', { bodyType: 'json', body: {} })),
      'POST /v1': asksV2([{ ...onBase, amount: '99000' }]),
    },
  },
}
