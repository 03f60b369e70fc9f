// The MCP tool generated for a service: it accepts the declared input and sends the same request as call_service.
import { expect, test } from 'bun:test'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { buildInputRequest } from '../../../packages/buyer/src/input-request.ts'
import { toCall } from '../../../src/domain/call/call.ts'
import type { ResourceTerms } from '../../../src/domain/terms/terms.ts'
import { draft } from '../../entries.ts'
import { fc } from '../../fast-check.ts'
import { resource } from '../../terms.ts'
import { hostileTerms } from './hostile.ts'

const LISTED = { ...draft(), id: 'svc_01' }
const transpiler = new Bun.Transpiler({ loader: 'ts' })

type Given = Record<string, unknown>
type Config = { description: string; inputSchema: ReturnType<typeof fromJsonSchema<Given>> }
type Sent = { url: string; method: string; headers: Given; body: unknown }
type Hosted = Config & { call: (given: unknown) => Promise<Sent | string> }

/** Runs the text as a host would, with a client that pays nothing and notes what is sent. */
function host(of: ResourceTerms): Hosted {
  let config: Config
  let run: (given: Given) => Promise<unknown>
  let sent: Sent | undefined
  class Client {
    register = () => this
    setSpendControls = () => this
    registerPolicy = () => this
  }
  const scope = {
    fromJsonSchema,
    McpServer: class {
      registerTool(_: string, described: Config, handler: typeof run) {
        config = described
        run = handler
      }
    },
    serveStdio() {},
    wrapFetchWithPayment: () => async (target: URL, init: Omit<Sent, 'url'>) => {
      sent = { ...init, url: target.href }
      return new Response('')
    },
    x402Client: Client,
    ExactEvmScheme: class {},
    privateKeyToAccount: () => ({}),
    process: { env: {} },
    fetch,
  }
  const text = toCall(LISTED, { x402Version: 2, resources: [of] }, 'mcp').replace(/^import .*$/gm, '')
  const script = transpiler.transformSync(`export default (${Object.keys(scope)}) => {\n${text}\n}`)
  new Function(script.replace('export default', 'return'))()(...Object.values(scope))
  return {
    ...config!,
    async call(given) {
      const judged = await config.inputSchema['~standard'].validate(given)
      if (judged.issues) return 'refused'
      sent = undefined
      return await run(judged.value).then(
        () => sent!,
        () => 'refused',
      )
    },
  }
}

const TRANSLATION = resource({
  method: 'POST',
  input: {
    type: 'object',
    properties: {
      text: { type: 'string', maxLength: 5_000 },
      target: { type: 'string', enum: ['ja', 'en', 'fr'] },
    },
    required: ['text', 'target'],
    example: { text: 'hello', target: 'ja' },
  },
})

test('input that does not fit the schema is refused before payment, and never replaced by defaults', async () => {
  const { call, inputSchema, description } = host(TRANSLATION)
  for (const given of [{}, { text: 'x' }, { text: 'x', target: 'zz' }, { text: 7, target: 'ja' }])
    expect(await call(given)).toBe('refused')
  expect(await call({ text: 'x', target: 'fr' })).toMatchObject({
    url: TRANSLATION.url,
    method: 'POST',
    body: '{"text":"x","target":"fr"}',
  })
  // Another address of the origin is not a field.
  expect(await call({ text: 'x', target: 'fr', url: 'https://weather.example/admin' })).toMatchObject({
    url: TRANSLATION.url,
  })
  const { required, properties } = inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  expect({ required, properties }).toMatchObject({
    required: ['text', 'target'],
    properties: { target: { enum: ['ja', 'en', 'fr'] } },
  })
  expect(JSON.stringify(properties)).not.toContain('default')
  expect(description).toContain(LISTED.name)
  expect(description).toContain(LISTED.description)
  expect(description).toContain('pays at most 0.0025 USDC')
})

const PLACED = resource({
  url: 'https://weather.example/v1/{city}/days?units=c',
  method: 'PUT',
  input: {
    type: 'object',
    properties: {
      city: { type: 'string', 'x-in': 'path' },
      units: { type: 'string', 'x-in': 'query' },
      'X-Language': { type: 'string', 'x-in': 'header' },
      Authorization: { type: 'string', 'x-in': 'header' },
      note: { type: 'string' },
    },
    required: ['city', 'Authorization'],
  },
})

test('every field goes to its declared place: path, query, header or body', async () => {
  const { call } = host(PLACED)
  expect(await call({ city: 'a/../b', units: 'f', 'X-Language': 'ja', note: 'n' })).toEqual({
    url: 'https://weather.example/v1/a%2F..%2Fb/days?units=f',
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'X-Language': 'ja' },
    body: '{"note":"n"}',
  })
  for (const city of ['..', '.', '']) expect(await call({ city })).toBe('refused')
  // A provider may ask a model for a header that identifies its user.
  expect(await call({ city: 'Nara', Authorization: 'Bearer secret' })).toBe('refused')
})

test.each([
  ['application/x-www-form-urlencoded', 'a=1&b=x+y'],
  ['text/plain', '1'],
  ['multipart/form-data', undefined],
])('a body is sent as %s if declared so', async (contentMediaType, expected) => {
  const input = { type: 'object', contentMediaType, properties: { a: {}, b: {} } }
  const sent = (await host(resource({ method: 'POST', input })).call({ a: 1, b: 'x y' })) as Sent
  if (expected !== undefined) expect(String(sent.body)).toBe(expected)
  else expect(Object.fromEntries((sent.body as FormData).entries())).toEqual({ a: '1', b: 'x y' })
})

test('the input may be a list, or have no schema', async () => {
  const list = host(resource({ method: 'POST', input: { type: 'array', items: { type: 'integer' } } }))
  expect(await list.call({ body: [1, 2] })).toMatchObject({ body: '[1,2]' })
  expect(await list.call({ body: ['x'] })).toBe('refused')
  const open = host(resource())
  expect(await open.call({ city: 'Kyoto' })).toMatchObject({ url: 'https://weather.example/v1?city=Kyoto' })
})

test('a schema that no validator compiles still makes a tool', async () => {
  const input = {
    type: 'object',
    $ref: 'https://evil.example/schema.json',
    properties: {
      a: { type: 'nonsense', pattern: '(', required: true, enum: [], minimum: 'x', format: 'zzz' },
      b: { type: 'string', nullable: true, pattern: '^(a+)+$', maxLength: -1 },
      c: { $ref: '#/nowhere', anyOf: 'x', items: [] },
    },
    required: 'a',
  }
  expect(await host(resource({ method: 'POST', input })).call({ a: 1, b: null })).toMatchObject({
    body: '{"a":1,"b":null}',
  })
})

test('for any hostile terms, the request equals that of call_service', async () => {
  const property = fc.asyncProperty(hostileTerms, fc.string({ minLength: 1 }), async (terms, value) => {
    const [first] = terms.resources
    const text = toCall(LISTED, { ...terms, resources: [first!] }, 'mcp')
    if (terms.x402Version === 1 || !text.includes('toRequest') || first!.input?.contentMediaType) return
    const given = Object.fromEntries(
      Object.keys((first!.input?.properties ?? {}) as object).map(name => [name, value]),
    )
    const built = buildInputRequest(first!, given)
    // What call_service refuses is no concern of this: headers that nobody may set, parts of a path without a place.
    if (built.kind === 'problems') return
    const { url, method, body } = built.request
    expect(await host(first!).call(given)).toMatchObject({
      url,
      method,
      ...(body && { body: JSON.stringify(body.value) }),
    })
    expect(Object.hasOwn(globalThis, 'pwned')).toBe(false)
  })
  await fc.assert(property, { numRuns: 300 })
})
