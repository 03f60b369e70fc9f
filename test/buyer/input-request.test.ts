// Builds a request from the caller's input: problems are named, and nothing is invented, lost or sent elsewhere.
import { describe, expect, test } from 'bun:test'
import { buildInputRequest } from '../../packages/buyer/src/input-request.ts'

const FIELDS = {
  type: 'object',
  properties: {
    city: { type: 'string', maxLength: 100 },
    days: { type: 'integer' },
    tags: { type: 'array' },
  },
  required: ['city'],
}
const resource = { url: 'https://api.example/v1/weather', method: 'GET', input: FIELDS }
const path = {
  url: 'https://api.example/v1/Tokyo/weather',
  method: 'GET',
  routeTemplate: '/v1/:city/weather',
  input: { properties: { city: { type: 'string', 'x-in': 'path' } }, required: ['city'] },
}

const made = (given: ReturnType<typeof buildInputRequest>) => {
  if (given.kind === 'problems') throw new Error(given.problems.join())
  return given.request
}
const problemsOf = (given: ReturnType<typeof buildInputRequest>) =>
  given.kind === 'problems' ? given.problems : []

describe('the input', () => {
  test('goes into the query of a GET and replaces the example in the URL', () => {
    const { url } = made(
      buildInputRequest(
        { ...resource, url: `${resource.url}?city=Paris&key=1#here` },
        { city: '大阪 & more', days: 2, tags: ['a', 'b'] },
      ),
    )
    expect(url).toBe(
      'https://api.example/v1/weather?key=1&city=%E5%A4%A7%E9%98%AA+%26+more&days=2&tags=a&tags=b',
    )
  })

  test('goes into a query completely, with objects as JSON', () => {
    const { url } = made(buildInputRequest({ url: resource.url, method: 'GET' }, { filter: { a: [1] } }))
    expect(new URL(url).searchParams.get('filter')).toBe('{"a":[1]}')
  })

  test('is the body of a POST', () => {
    const { method, body } = made(buildInputRequest({ ...resource, method: 'POST' }, { city: 'Kyoto' }))
    expect([method, body]).toEqual([
      'POST',
      { kind: 'json', contentType: 'application/json', value: { city: 'Kyoto' } },
    ])
  })

  test('is not completed with sample values', () => {
    const { url } = made(
      buildInputRequest({ ...resource, input: { ...FIELDS, example: { days: 3 } } }, { city: 'x' }),
    )
    expect(url).toBe('https://api.example/v1/weather?city=x')
  })

  test('fills the declared path template, not the path that was seen', () => {
    expect(made(buildInputRequest(path, { city: 'Os/aka' })).url).toBe(
      'https://api.example/v1/Os%2Faka/weather',
    )
  })

  test('goes into declared headers', () => {
    const input = { properties: { 'X-Region': { type: 'string', 'x-in': 'header' } } }
    const { headers, url } = made(buildInputRequest({ ...resource, input }, { 'X-Region': 'eu' }))
    expect([headers, url]).toEqual([[['X-Region', 'eu']], resource.url])
  })
})

describe('a problem is reported:', () => {
  test.each<[string, object, unknown, string]>([
    ['a missing field', resource, undefined, 'city is missing'],
    ['a missing part of the path', path, {}, 'city is missing'],
    ['dots in the path', path, { city: '..' }, '"city" must be a text, and more than dots'],
    ['another type', resource, { city: 'x', days: '2' }, 'days must be integer'],
    ['a list for an object', resource, [1], 'the value must be object'],
    [
      'too much',
      { ...resource, input: {} },
      { city: 'x'.repeat(9_000) },
      'the input is too large for one request',
    ],
    [
      'a place in the path that nobody knows',
      { ...path, routeTemplate: undefined },
      { city: 'Osaka' },
      '"city" is part of the URL, and the service does not say where',
    ],
  ])('%s', (_, from, input, expected) => {
    expect(problemsOf(buildInputRequest(from as typeof resource, input))).toEqual([expected])
  })

  test.each(['authorization', 'Cookie', 'PAYMENT-SIGNATURE', 'x-payment', 'host', 'bad name'])(
    'the header %s, which no service may ask for',
    name => {
      const input = { properties: { [name]: { type: 'string', 'x-in': 'header' } } }
      expect(problemsOf(buildInputRequest({ ...resource, input }, { [name]: 'mine' }))).toEqual([
        `${JSON.stringify(name)} is a header that no service may ask for`,
      ])
    },
  )

  test('a header value with a line break', () => {
    const input = { properties: { a: { 'x-in': 'header' } } }
    expect(problemsOf(buildInputRequest({ ...resource, input }, { a: 'x\r\nhost: evil' }))).toHaveLength(1)
  })
})

test.each<[string, object, unknown]>([
  ['a URL in a field', resource, { city: 'https://evil.example/' }],
  [
    'a field by the name url',
    { ...resource, input: {} },
    { url: 'https://evil.example', host: 'evil.example' },
  ],
  ['a URL in the path', path, { city: '//evil.example/..' }],
  ['a backslash in the path', path, { city: '\\\\evil.example' }],
  ['a template that is a host', { ...path, routeTemplate: '//evil.example/:city' }, { city: 'x' }],
  ['a template with an at sign', { ...path, routeTemplate: '/:city@evil.example' }, { city: 'x' }],
])('%s stays below the declared URL', (_, from, input) => {
  const { url } = made(buildInputRequest(from as typeof resource, input))
  expect(new URL(url).origin).toBe('https://api.example')
})
