// A document of a stranger costs no more than its size: what it refers to many times is not copied or read as often.

import { describe, expect, test } from 'bun:test'
import { declareDiscoveryExtension, extractDiscoveryInfoV1 } from '@x402/extensions/bazaar'
import Ajv from 'ajv'
import { resourceTermsSchema } from '../../../src/domain/terms/terms.ts'
import { readOpenApi } from '../../../src/probe/documents/openapi.ts'
import { toResourceTerms } from '../../../src/probe/terms/declared.ts'
import { readTerms } from '../../../src/probe/terms/x402.ts'
import { onBase, PAYEE, USDC_ON_BASE } from '../merchant.ts'

/** Throws when its keys are listed more often than that. */
const counted = (record: object, most: number): object => {
  let times = 0
  return new Proxy(record, {
    ownKeys(target) {
      if (++times > most) throw new Error('listed too often')
      return Reflect.ownKeys(target)
    },
  })
}
const wide = (keys: number, first: object = {}) =>
  Object.assign({ ...first }, Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 1])))
const refer = (name: string) => ({ $ref: `#/components/${name}` })
const paths = (count: number, item: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`/p${i}`, item]))
const read = (document: object) => readOpenApi(document, 'https://weather.example/')
const paid = { responses: { 402: {} } }
const posted = (schema: object) => ({ ...paid, requestBody: { content: { 'application/json': { schema } } } })

test('a wide recursive schema is counted before it is copied', () => {
  const wideOne = counted(wide(5_000, refer('wide')), 70)
  const list = { oneOf: Array.from({ length: 170 }, () => refer('wide')) }
  const document = { components: { wide: wideOne, list }, paths: paths(64, { post: posted(refer('list')) }) }
  expect(read(document)).toHaveLength(64)
})

test('a schema that refers to itself keeps the keywords next to the reference', () => {
  const loop = { ...refer('loop'), type: 'object', properties: { city: refer('city') } }
  const document = {
    components: { loop, city: { ...refer('name'), title: 'City' }, name: { type: 'string', title: 'Name' } },
    paths: paths(1, { post: posted(refer('loop')) }),
  }
  expect(read(document)[0]!.input).toEqual({
    type: 'object',
    properties: { city: { type: 'string', title: 'City' } },
  })
})

test('all the operations of a document share one bound', () => {
  const cheap = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 1_050 }, (_, i) => [`k${i}`, {}])),
  }
  const inputs = read({ components: { cheap }, paths: paths(64, { post: posted(refer('cheap')) }) }).map(
    ({ input }) => input !== undefined,
  )
  expect(inputs[0]).toBe(true)
  expect(inputs.at(-1)).toBe(false)
})

test('the path of a server is read in linear time', () => {
  const [slow, own] = [`/${'/'.repeat(2_000)}x`, '/v1//'].map(url =>
    read({ servers: [{ url }], paths: paths(1, { get: paid }) }),
  )
  expect(slow).toEqual([])
  expect(own![0]!.url).toBe('https://weather.example/v1/p0')
})

test('an operation that all paths refer to is read once', () => {
  const protocol = counted(wide(1_000), 1)
  const operation = { 'x-payment-info': { protocols: [protocol] } }
  expect(read({ components: { operation }, paths: paths(2_000, { get: refer('operation') }) })).toEqual([])
  const examples = counted(wide(1_000, { first: { value: 'Osaka' } }), 1)
  const parameter = { name: 'city', in: 'query', schema: {}, examples }
  const parameters = Array.from({ length: 32 }, () => refer('parameter'))
  const found = read({ components: { parameter }, paths: paths(64, { get: { ...paid, parameters } }) })
  expect(found[63]!.input).toEqual({ type: 'object', properties: { city: { example: 'Osaka' } } })
})

const URL_ASKED = 'https://weather.example.jp/v1/forecast'

function terms(answer: object) {
  const reading = readTerms({ status: 402, headers: new Headers(), body: JSON.stringify(answer) })
  if (!reading.readable) throw new Error(JSON.stringify(reading.problems))
  const resource = toResourceTerms(reading, { url: URL_ASKED, method: reading.described.method ?? 'GET' })
  expect(resourceTermsSchema.parse(resource)).toEqual(resource)
  return resource
}
const version2 = (bazaar: unknown, more: object = {}) =>
  terms({ x402Version: 2, resource: { url: URL_ASKED }, accepts: [onBase], extensions: { bazaar }, ...more })
const onBaseV1 = {
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: '2500',
  payTo: PAYEE,
  asset: USDC_ON_BASE,
  maxTimeoutSeconds: 60,
}
const version1 = (outputSchema: unknown, more: object = {}) =>
  terms({ x402Version: 1, accepts: [{ ...onBaseV1, outputSchema, ...more }] })

const fits = (schema: unknown, value: unknown) => new Ajv({ strict: false }).validate(schema as object, value)

describe('what the official package declares', () => {
  test('a query with schema and example', () => {
    const { bazaar } = declareDiscoveryExtension({
      method: 'GET',
      input: { city: 'Tokyo', days: 3 },
      inputSchema: {
        properties: { city: { type: 'string' }, days: { type: 'integer', maximum: 7 } },
        required: ['city'],
      },
      output: { example: { temperature: 21 }, schema: { properties: { temperature: { type: 'number' } } } },
    } as never) as { bazaar: object }
    const { input, output, extensions, method } = version2(bazaar)
    expect(method).toBe('GET')
    expect(extensions).toEqual(['bazaar'])
    expect(input).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', maximum: 7 } },
      required: ['city'],
      example: { city: 'Tokyo', days: 3 },
    })
    expect(fits(input, { days: 3 })).toBe(false)
    expect(output).toMatchObject({
      properties: { temperature: { type: 'number' } },
      example: { temperature: 21 },
    })
  })

  test('a body, with parameters of path and query beside it', () => {
    const { bazaar } = declareDiscoveryExtension({
      method: 'POST',
      bodyType: 'json',
      input: { text: 'こんにちは' },
      inputSchema: { properties: { text: { type: 'string', minLength: 1 } }, required: ['text'] },
      pathParams: { language: 'en' },
      pathParamsSchema: { properties: { language: { type: 'string' } }, required: ['language'] },
    } as never) as { bazaar: object }
    const { input, method, routeTemplate } = version2({ ...bazaar, routeTemplate: '/v1/:language' })
    expect({ method, routeTemplate }).toEqual({ method: 'POST', routeTemplate: '/v1/:language' })
    expect(input).toMatchObject({
      properties: { text: { type: 'string', minLength: 1 }, language: { type: 'string', 'x-in': 'path' } },
      required: ['language', 'text'],
      example: { text: 'こんにちは', language: 'en' },
    })
  })

  test('a tool of an MCP server', () => {
    const { bazaar } = declareDiscoveryExtension({
      toolName: 'forecast',
      description: 'The weather of a city',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      example: { city: 'Tokyo' },
    } as never) as { bazaar: object }
    expect(version2(bazaar)).toMatchObject({
      method: 'POST',
      tool: 'forecast',
      description: 'The weather of a city',
      input: { properties: { city: { type: 'string' } }, required: ['city'], example: { city: 'Tokyo' } },
    })
  })

  test('in version 1, the same method and fields that the package reads', () => {
    for (const input of [
      { type: 'http', method: 'GET', queryParams: { city: 'string' } },
      { type: 'http', method: 'get', query_params: { city: { type: 'string', required: true } } },
      { type: 'http', method: 'POST', bodyType: 'json', bodyFields: { city: { type: 'string' } } },
      { type: 'http', method: 'PUT', body_fields: { city: 'string' } },
      { type: 'http', method: 'POST', bodyParams: { city: 'string' }, query: { days: 'number' } },
      { type: 'http', method: 'POST', data: { city: 'Tokyo' } },
    ]) {
      const official = extractDiscoveryInfoV1({ ...onBaseV1, outputSchema: { input } } as never)
      const official_ = official?.input as { method: string; queryParams?: object; body?: object }
      const { method, input: schema } = version1({ input })
      expect(method).toBe(official_.method)
      expect(Object.keys((schema?.properties ?? {}) as object).sort()).toEqual(
        Object.keys({ ...official_.queryParams, ...official_.body }).sort(),
      )
      expect(schema).toMatchObject({ properties: { city: { type: 'string' } } })
    }
  })
})

describe('declarations written by hand', () => {
  test('names of types, descriptions of fields, and examples are all schemas', () => {
    const input = {
      type: 'http',
      method: 'GET',
      queryParams: {
        city: { type: 'string', required: true, description: 'Its name' },
        days: 'integer',
        unit: 'metric',
      },
    }
    const { input: schema, output } = version1({ input, output: { temperature: 'number' } })
    expect(schema).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Its name' },
        days: { type: 'integer' },
        unit: { type: 'string', example: 'metric' },
      },
      required: ['city'],
    })
    expect(output).toEqual({ type: 'object', properties: { temperature: { type: 'number' } } })
  })

  test('a response given only by an example', () => {
    const { output } = version1({
      input: { type: 'http', method: 'GET' },
      output: { temperature: 21.5, city: 'Tokyo' },
    })
    expect(output).toEqual({
      type: 'object',
      properties: { temperature: { type: 'number' }, city: { type: 'string' } },
      example: { temperature: 21.5, city: 'Tokyo' },
    })
  })

  test('a field that is called type is a field', () => {
    const { input } = version1({
      input: { type: 'http', method: 'GET', queryParams: { type: 'string', city: 'string' } },
    })
    expect(input).toMatchObject({ properties: { type: { type: 'string' }, city: { type: 'string' } } })
  })

  test('description, media type, timeout and flow are stored with the payment option', () => {
    const { accepts, description, mimeType } = version1(null, {
      description: ' Forecast\u202e ',
      mimeType: 'application/json',
      extra: { name: 'USD Coin', version: '2', paymentFlow: 'Upfront' },
    })
    expect({ description, mimeType }).toEqual({ description: 'Forecast\ufffd', mimeType: 'application/json' })
    expect(accepts).toEqual([
      {
        protocol: 'x402',
        scheme: 'exact',
        network: 'base',
        chain: 'eip155:8453',
        asset: USDC_ON_BASE,
        assetName: 'USDC',
        amount: '2500',
        price: '0.0025',
        currency: 'USD',
        payTo: PAYEE,
        maxTimeoutSeconds: 60,
        paymentFlow: 'upfront',
        extra: { name: 'USD Coin', version: '2', paymentFlow: 'Upfront' },
      },
    ])
  })
})

describe('hostile declarations', () => {
  test('references to elsewhere are dropped, those within stay', () => {
    const schema = {
      $defs: { City: { type: 'string' } },
      properties: {
        input: {
          properties: {
            queryParams: {
              $id: 'https://evil.example/',
              properties: { city: { $ref: '#/$defs/City' }, file: { $ref: 'file:///etc/passwd' } },
            },
          },
        },
      },
    }
    const { input } = version2({ info: { input: { type: 'http', method: 'GET' } }, schema })
    expect(JSON.stringify(input)).not.toMatch(/evil|passwd/)
    expect(input).toMatchObject({
      properties: { city: { $ref: '#/$defs/City' } },
      $defs: { City: { type: 'string' } },
    })
  })

  test('a schema that is too large is dropped, and the payment options are kept', () => {
    const queryParams = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field${i}`, 'string']))
    const { input, accepts } = version2({ info: { input: { type: 'http', method: 'GET', queryParams } } })
    expect(input).toBeUndefined()
    expect(accepts).toHaveLength(1)
  })

  test('a large example is dropped, and its schema is kept', () => {
    const example = { rows: Array.from({ length: 1_000 }, () => 'row of the example') }
    const { output } = version2({
      info: { input: { type: 'http', method: 'GET' }, output: { type: 'json', example } },
    })
    expect(output).toEqual({
      type: 'object',
      properties: { rows: { type: 'array', items: { type: 'string' } } },
    })
  })

  test('hidden characters, long words and prototype keys are removed', () => {
    const info = JSON.parse(
      `{"input":{"type":"http","method":"GET","queryParams":{"__proto__":{"polluted":1},"ci\\u200bty":"a\\u0000b"}}}`,
    )
    const { input } = version2({ info }, { resource: { description: 'x'.repeat(5_000) } })
    expect(input).toEqual({
      type: 'object',
      properties: { 'ci\ufffdty': { type: 'string' } },
      example: { 'ci\ufffdty': 'a\ufffdb' },
    })
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test('payment options are read whatever the declaration contains', () => {
    for (const odd of [
      null,
      1,
      'x',
      [],
      [1],
      {},
      { info: 1 },
      { info: { input: [] } },
      { info: { input: { type: 'mcp' } } },
    ]) {
      expect(version2(odd).accepts).toHaveLength(1)
      expect(version1(odd).accepts).toHaveLength(1)
      expect(version1({ input: odd, output: odd }).accepts).toHaveLength(1)
    }
  })
})
