import { describe, expect, test } from 'bun:test'
import { sampleRequest } from '../../../src/domain/samples/sample-request.ts'

const at = 'https://api.weather.dev'
const object = (properties: object, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

describe('a request made from a schema', () => {
  test('has its query on GET', () => {
    const input = object({
      city: { type: 'string', example: 'Tokyo' },
      days: { type: 'integer', minimum: 3 },
    })
    expect(sampleRequest({ url: `${at}/v1`, method: 'GET', input })).toEqual({
      url: `${at}/v1?city=Tokyo&days=3`,
      method: 'GET',
    })
  })

  test('keeps values that are already in the URL', () => {
    const input = object({ city: { example: 'Tokyo' } })
    expect(sampleRequest({ url: `${at}/v1?city=Oslo`, method: 'GET', input })?.url).toBe(`${at}/v1?city=Oslo`)
  })

  test('has a JSON body on POST', () => {
    const input = object({ to: { type: 'string', enum: ['ja', 'en'] }, text: { type: 'string' } })
    expect(sampleRequest({ url: `${at}/v1`, method: 'POST', input })).toEqual({
      url: `${at}/v1`,
      method: 'POST',
      body: '{"to":"ja","text":"example"}',
      contentType: 'application/json',
    })
  })

  test('fills in what its example leaves out', () => {
    const input = { ...object({ a: { type: 'integer' }, b: { type: 'string' } }), example: { b: 'given' } }
    expect(JSON.parse(sampleRequest({ url: at, method: 'POST', input })!.body!)).toEqual({ a: 1, b: 'given' })
  })

  test.each([
    ['{city}', 'New York', '/v1/New%20York/now'],
    ['%7Bcity%7D', 'Oslo', '/v1/Oslo/now'],
    [':city', '../../admin', '/v1/..%2F..%2Fadmin/now'],
    ['<city>', '..', '/v1/example/now'],
    ['{city}', '', '/v1/example/now'],
  ])('fills the place %s with %p as one segment', (place, example, path) => {
    const input = object({ city: { type: 'string', example, 'x-in': 'path' } })
    expect(sampleRequest({ url: `${at}:8443/v1/${place}/now`, method: 'GET', input })?.url).toBe(
      `${at}:8443${path}`,
    )
  })

  test('keeps braces of the URL that are not declared as parameters', () => {
    const url = `${at}/v1/%7Bcity%7D/%7B%7D/a%7Bb%7Dc`
    const input = object({ days: { type: 'integer', example: 2, 'x-in': 'query' } })
    expect(sampleRequest({ url, method: 'GET', input })?.url).toBe(`${url}?days=2`)
    const named = object({ city: { type: 'string', example: '{city}', 'x-in': 'path' } })
    expect(sampleRequest({ url, method: 'GET', input: named })?.url).toBe(url)
    expect(sampleRequest({ url: `${at}/{toString}/:constructor`, method: 'GET' })?.url).toBe(
      `${at}/example/example`,
    )
  })

  test('puts the fields of a POST into path, query, headers and body as declared', () => {
    const input = object({
      id: { type: 'string', example: 'a', 'x-in': 'path' },
      lang: { type: 'string', example: 'ja', 'x-in': 'query' },
      'X-Trace': { type: 'string', example: 'secret', 'x-in': 'header' },
      body: { type: 'array', items: { type: 'integer' }, 'x-in': 'body' },
    })
    expect(sampleRequest({ url: `${at}/{id}`, method: 'POST', input })).toEqual({
      url: `${at}/a?lang=ja`,
      method: 'POST',
      body: '[1]',
      contentType: 'application/json',
      headers: { 'x-trace': 'secret' },
    })
  })

  test('has required headers, except those that a service may not ask for', () => {
    const header = (example: unknown) => ({ type: 'string', example, 'x-in': 'header' })
    const names = [
      ...'Authorization Cookie Host Content-Length X-Forwarded-For X-PAYMENT Payment-Signature'.split(' '),
      ...'User-Agent Origin'.split(' '),
    ]
    const input = {
      ...object({
        'X-Api-Version': header('2024-01'),
        'X-Count': { type: 'integer', minimum: 3, 'x-in': 'header' },
        'X-Lines': header('a\r\nX-Injected: 1'),
        'X Space': header('a'),
        'X-Object': header({ toString: 'x' }),
        ...Object.fromEntries(names.map(name => [name, header('x')])),
      }),
    }
    const optional = { 'X-Optional': header('b') }
    const { headers } = sampleRequest({
      url: at,
      method: 'GET',
      input: { ...input, properties: { ...(input.properties as object), ...optional } },
    })!
    expect(headers).toEqual({ 'x-api-version': '2024-01', 'x-count': '3', 'x-object': '{"toString":"x"}' })
  })

  test.each([
    ['text/plain', 'example', 'text/plain'],
    ['application/x-www-form-urlencoded', 'q=example', 'application/x-www-form-urlencoded'],
    [
      'multipart/form-data',
      expect.stringContaining('name="q"\r\n\r\nexample\r\n'),
      expect.stringMatching(/^multipart\/form-data; boundary=/),
    ],
  ])('is sent as %s', (contentMediaType, body, contentType) => {
    const input = { ...object({ q: { type: 'string' } }), contentMediaType }
    expect(sampleRequest({ url: at, method: 'POST', input })).toMatchObject({ body, contentType })
  })

  test('follows references within the schema', () => {
    const input = {
      $ref: '#/$defs/Ask',
      $defs: { Ask: object({ q: { $ref: '#/$defs/Q' } }), Q: { enum: ['x'] } },
    }
    expect(sampleRequest({ url: at, method: 'POST', input })?.body).toBe('{"q":"x"}')
  })
})

describe('a hostile schema', () => {
  test('leads to no other host', () => {
    const input = object({ host: { example: '@evil.test/', 'x-in': 'path' } })
    for (const url of [`${at}/{host}`, `${at}{host}`, `https://{host}/`]) {
      const made = sampleRequest({ url, method: 'GET', input })
      if (made) expect(new URL(made.url).host).not.toContain('evil')
    }
  })

  test.each([
    ['a query longer than a URL', 'GET' as const, { example: { q: 'x'.repeat(3_900) } }],
    [
      'a body of many fields',
      'POST' as const,
      object(
        Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, { example: 'x'.repeat(200) }])),
      ),
    ],
  ])('%s is not sent', (_, method, input) => {
    expect(sampleRequest({ url: at, method, input })).toBeUndefined()
  })

  test('that contains itself gives a request of limited size', () => {
    const input = {
      $ref: '#/$defs/Node',
      $defs: {
        Node: object({
          next: { $ref: '#/$defs/Node' },
          all: { type: 'array', items: { $ref: '#/$defs/Node' } },
        }),
      },
    }
    const made = sampleRequest({ url: at, method: 'POST', input })
    expect(made?.body?.length ?? 0).toBeLessThan(8_193)
  })

  test('a pattern is never run', () => {
    const input = object({ q: { type: 'string', pattern: '^(a+)+$', minLength: 40 } })
    expect(sampleRequest({ url: at, method: 'POST', input })?.body).toBe(
      JSON.stringify({ q: 'example'.padEnd(40, 'x') }),
    )
  })
})
