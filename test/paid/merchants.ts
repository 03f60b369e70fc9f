// Merchants of many shapes, made with the packages that merchants use: both versions, every method, fixed prices and maxima, one way
// to pay or several. Each answers 200 only to a request that fits what it declares, and only when it is paid.
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import Ajv from 'ajv'
import { type Context, Hono } from 'hono'
import { paymentMiddleware as paymentMiddlewareV1 } from 'x402-hono'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH'] as const
const STYLES = ['bare', 'query', 'body', 'path', 'mixed'] as const
const SCHEMES = ['exact', 'upto', 'upto and exact', 'solana and exact', 'two prices'] as const

export type Shape = {
  readonly version: 1 | 2
  readonly method: (typeof METHODS)[number]
  readonly style: (typeof STYLES)[number]
  readonly scheme: (typeof SCHEMES)[number] | 'exact by Permit2'
  /** What stands in the example of a field. */
  readonly word: string
  readonly payTo: `0x${string}`
  /** In millionths of a dollar. */
  readonly amount: number
}

export type Merchant = AsyncDisposable & {
  readonly shape: Shape
  /** The resource itself, as a customer finds it. */
  readonly url: string
}

const WORDS = [
  'Tokyo',
  "it's",
  '"quoted"',
  '東京 🗼',
  'a\nb',
  '$x `y` $(z)',
  'back\\slash',
  '100% & more',
  '<b>',
]

const PATH_WORDS = ['Tokyo', "it's", '"quoted"', '東京 🗼', '$x `y` $(z)', '<b>']

/** The shape of a number: every combination comes up as numbers rise. */
export function shapeOf(number: number): Shape {
  const version = number % 4 === 3 ? 1 : 2
  const style = STYLES[number % STYLES.length]!
  const hasBody = style === 'body' || style === 'mixed'
  // Version 1 knows of bodies and of query strings, and of nothing besides.
  const told = version === 1 && style === 'mixed' ? 'query' : style
  const method = METHODS[Math.floor(number / 3) % METHODS.length]!
  return {
    version,
    style: told,
    method: told === 'query' || told === 'path' ? 'GET' : hasBody && method === 'GET' ? 'POST' : method,
    scheme: version === 1 ? 'exact' : SCHEMES[Math.floor(number / 5) % SCHEMES.length]!,
    // A path with an escaped backslash passes the middleware unpaid.
    word: told === 'path' ? PATH_WORDS[number % PATH_WORDS.length]! : WORDS[number % WORDS.length]!,
    payTo: `0x${(number + 0x1000).toString(16).padStart(40, '7')}`,
    amount: 1_000 * (1 + (number % 9)),
  }
}

const fields = (word: string) => ({
  type: 'object',
  properties: { city: { type: 'string', enum: [word] }, days: { type: 'integer', minimum: 2 } },
  required: ['city', 'days'],
})

export function openMerchant(facilitator: string, shape: Shape): Merchant {
  const { version, method, style, word } = shape
  const app = new Hono()
  const isWanted = new Ajv({ strict: false }).compile(fields(word))
  const route = style === 'path' ? '/v1/:city/weather' : '/v1/weather'
  app.use(version === 1 ? payingV1(facilitator, shape) : paying(facilitator, shape, route))
  app.on(method, route, async context => {
    const given = await readInput(context, style)
    return given === undefined || isWanted(given)
      ? context.json({ sunny: true, given: given ?? null })
      : context.json({ problems: isWanted.errors }, 422)
  })
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: app.fetch })
  const path = style === 'path' ? `/v1/${encodeURIComponent(word)}/weather` : '/v1/weather'
  return {
    shape,
    url: `http://127.0.0.1:${server.port}${path}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

async function readInput(context: Context, style: Shape['style']): Promise<unknown> {
  const query = { ...context.req.query(), days: Number(context.req.query('days')) }
  switch (style) {
    case 'bare':
      return undefined
    case 'query':
      return query
    case 'path':
      return { city: context.req.param('city'), days: 2 }
    case 'body':
      return await context.req.json()
    case 'mixed':
      return { ...query, ...((await context.req.json()) as object) }
  }
}

function paying(facilitator: string, shape: Shape, route: string) {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator }))
    .register('eip155:8453', new ExactEvmScheme())
    .register('eip155:8453', new UptoEvmScheme())
    .register('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', new ExactSvmScheme())
    .registerExtension(bazaarResourceServerExtension)
  const declared = declare(shape)
  const terms = {
    accepts: waysOf(shape),
    description: 'Weather',
    mimeType: 'application/json',
    ...(declared && { extensions: extensionOf(shape, declared) as never }),
  }
  return paymentMiddleware({ [`${shape.method} ${route}`]: terms as never }, server)
}

/** The specification has a query beside a body, the package does not. */
function extensionOf({ style, word }: Shape, declared: object) {
  const { bazaar } = declareDiscoveryExtension(declared as never) as unknown as { bazaar: Declaration }
  if (style === 'mixed') {
    bazaar.info.input.queryParams = { days: 3 }
    bazaar.schema.properties.input.properties.queryParams = {
      type: 'object',
      properties: { days: fields(word).properties.days },
      required: ['days'],
    }
  }
  return { bazaar }
}

type Declaration = {
  readonly info: { readonly input: Record<string, unknown> }
  readonly schema: {
    readonly properties: { readonly input: { readonly properties: Record<string, unknown> } }
  }
}

function waysOf({ scheme, payTo, amount }: Shape) {
  const evm = { network: 'eip155:8453', payTo, price: `$${amount / 1e6}` }
  const exact = { ...evm, scheme: 'exact' }
  const upto = { ...evm, scheme: 'upto' }
  switch (scheme) {
    case 'exact':
      return [exact]
    case 'exact by Permit2':
      return [{ ...exact, extra: { assetTransferMethod: 'permit2' } }]
    case 'upto':
      return [upto]
    case 'upto and exact':
      return [upto, exact]
    case 'two prices':
      return [{ ...exact, price: `$${(amount * 2) / 1e6}` }, exact]
    case 'solana and exact':
      return [
        {
          ...exact,
          network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
          payTo: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
        },
        exact,
      ]
  }
}

function declare({ style, word }: Shape) {
  const { city } = fields(word).properties
  switch (style) {
    case 'bare':
      return undefined
    case 'query':
      return { input: { city: word, days: 3 }, inputSchema: fields(word) }
    case 'path':
      return { pathParams: { city: word }, pathParamsSchema: { properties: { city } } }
    case 'body':
      return { bodyType: 'json', input: { city: word, days: 3 }, inputSchema: fields(word) }
    case 'mixed':
      return {
        bodyType: 'json',
        input: { city: word },
        inputSchema: { type: 'object', properties: { city }, required: ['city'] },
      }
  }
}

function payingV1(facilitator: string, { payTo, amount, method, style, word }: Shape) {
  const { city, days } = fields(word).properties
  const asked = { city: { ...city, required: true }, days: { ...days, required: true } }
  const inputSchema =
    style === 'query'
      ? { queryParams: asked }
      : style === 'body'
        ? { bodyType: 'json', bodyFields: asked }
        : undefined
  const path = style === 'path' ? '/v1/[city]/weather' : '/v1/weather'
  return paymentMiddlewareV1(
    payTo,
    {
      [`${method} ${path}`]: {
        price: `$${amount / 1e6}`,
        network: 'base',
        config: { description: 'Weather', ...(inputSchema && { inputSchema: inputSchema as never }) },
      },
    },
    { url: facilitator as `http://${string}` },
  )
}
