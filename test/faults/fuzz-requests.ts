// Random requests made from the OpenAPI document: some right, most wrong in one place, some wrong everywhere.

import document from '../../openapi.json' with { type: 'json' }
import { fc } from '../fast-check.ts'
import { type Body, bodies, chunk, nastyText, values } from './fuzz-bodies.ts'

type Header = readonly [name: string, value: string]

export type FuzzRequest = {
  readonly method: string
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: Body | undefined
  readonly isChunked: boolean
}

type Parameter = { readonly name: string; readonly in: string; readonly schema: object }
type Operation = { readonly parameters?: readonly Parameter[]; readonly requestBody?: RequestBody }
type RequestBody = { readonly content: { readonly 'application/json': { readonly schema: object } } }

/** A method that the runtime does not know ends the connection without an answer, so these are known ones. */
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY', 'PROPFIND']

/** Its answers have no end that could be waited for. */
const ENDLESS = '/api/events'
/** A request that asks to wait is answered late, and says nothing else for it. */
const WAITING = 'wait'

export function fuzzRequests(ids: readonly string[], key: string): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path !== ENDLESS)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation: operation as Operation,
      })),
    )
  return fc
    .oneof(
      // Reading the catalog whole costs as much as a hundred other answers, so it is asked for less often.
      ...operations.map(({ path, method, operation }) => ({
        weight: path === '/api/export' ? 1 : operation.requestBody ? 24 : operation.parameters ? 8 : 2,
        arbitrary: toOperation({ path, method, operation, ids, key }),
      })),
      { weight: 3, arbitrary: strangePlaces(key) },
    )
    .chain(request =>
      mostly(
        9,
        fc.constant(request),
        fc.constantFrom(...METHODS).map(method => ({ ...request, method })),
      ),
    )
}

function toOperation({
  path,
  method,
  operation: { parameters = [], requestBody },
  ids,
  key,
}: {
  path: string
  method: string
  operation: Operation
  ids: readonly string[]
  key: string
}): fc.Arbitrary<FuzzRequest> {
  const query = parameters.filter(parameter => parameter.in === 'query' && parameter.name !== WAITING)
  const id = fc.oneof(fc.constantFrom(...ids), nastyText.map(encode), fc.constantFrom(...ODD_IDS))
  return fc
    .record({
      id,
      query: mostly(3, goodQuery(query), badQuery(query)),
      headers: headers(key, method !== 'GET'),
      body: requestBody
        ? bodies(schemaOf(requestBody))
        : mostly<Body | undefined>(20, fc.constant(undefined), chunk),
      isChunked: fc.boolean(),
    })
    .map(({ id, query, headers, body, isChunked }) => ({
      method,
      // A registration takes no parameters: mostly none are sent.
      target: path.replace('{id}', id) + (requestBody && query.length < 8 ? '' : query),
      headers,
      body,
      isChunked,
    }))
}

const schemaOf = ({ content }: RequestBody) => content['application/json'].schema

const ODD_IDS = [
  '%2F',
  '%00',
  '%ZZ',
  '%',
  '..%2f..%2fetc',
  '.',
  'search',
  '%F0%9F%98%80',
  '%ED%A0%80',
  '*',
  "';--",
]

const encode = (text: string): string => encodeURIComponent(text.toWellFormed()) || '%20'

function goodQuery(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema }) => {
    const value = name === 'q' || name === 'query' ? fc.oneof(values(schema), WORDS) : values(schema)
    const pair = value.map(value => `${name}=${encode(String(value))}`)
    return name === 'q' ? pair : mostly(2, fc.constant(''), pair)
  })
  return fc.tuple(...pairs).map(found => toQuery(found))
}

/** What people ask for, so that a random question meets the reading of sentences. */
const WORDS = fc
  .array(
    fc.oneof(
      nastyText,
      fc.constantFrom(
        'weather',
        '天気予報',
        '0.01ドル以下の',
        '10円以下で',
        'under $0.05',
        'cheaper than 1 cent',
        'on Base',
        'eip155:8453',
        'Solana上の',
        'verified',
        '検証済み',
        'free',
        '無料枠のある',
        'not',
        'without images',
        '99999999999999999999',
        '-1',
        '0x10',
        'ＡＰＩ',
        '¥',
        '%',
      ),
    ),
    { maxLength: 6 },
  )
  .map(words => words.join(' '))

const toQuery = (pairs: readonly string[]): string => {
  const given = pairs.filter(pair => pair !== '')
  return given.length > 0 ? `?${given.join('&')}` : ''
}

function badQuery(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const name = fc.oneof(
    fc.constantFrom(
      'limit',
      'offset',
      'q',
      '__proto__',
      'constructor',
      'toString',
      ...parameters.map(({ name }) => name),
    ),
    nastyText.map(encode),
  )
  const value = fc.oneof(
    fc.constantFrom(
      '-1',
      '0',
      '1e9',
      '1.5',
      'NaN',
      '%',
      '%E3%81',
      '%00',
      '+',
      '18446744073709551616',
      '',
      '9'.repeat(400),
    ),
    nastyText.map(encode),
  )
  const pair = fc.tuple(name, value).map(([name, value]) => `${name}=${value}`)
  return fc.oneof(
    fc.array(fc.oneof(pair, name), { minLength: 1, maxLength: 5 }).map(toQuery),
    fc.nat(900).map(count => toQuery(Array.from({ length: count }, (_, i) => `flood${i}=${i}`))),
    fc.nat(12_000).map(length => `?q=${'a'.repeat(length)}`),
    fc.stringMatching(/^\?[!-"$-~]{0,40}$/),
  )
}

function headers(key: string, isWrite: boolean): fc.Arbitrary<Header[]> {
  const right = isWrite ? 12 : 1
  const fields = [
    field(right, 'Authorization', mostly(12, fc.constant(`Bearer ${key}`), headerText)),
    field(
      right,
      'Content-Type',
      mostly(8, fc.constant('application/json'), fc.constantFrom(...CONTENT_TYPES)),
    ),
    field(0.1, 'Content-Encoding', fc.constantFrom('gzip', 'br', 'identity', 'utf-8', '')),
    field(isWrite ? 1 : 0.3, 'Idempotency-Key', mostly(4, fc.stringMatching(/^[a-c]$/), headerText)),
    field(0.3, 'If-None-Match', mostly(3, fc.constantFrom('*', '"a"', 'W/"a", "b"', '"', ',,,'), headerText)),
    field(
      1,
      'Accept-Encoding',
      mostly(3, fc.constantFrom('gzip', '*', 'br', 'zstd, br', 'gzip;q=0', 'gzip;q=x', ';;'), headerText),
    ),
    field(0.2, 'X-Forwarded-For', headerText),
    field(0.2, 'Accept', headerText),
    field(0.2, 'Accept-Language', headerText),
    field(0.1, 'Range', fc.constantFrom('bytes=0-1', 'bytes=9-', 'lines=1')),
    field(0.2, 'Origin', headerText),
    flood,
  ]
  return fc.tuple(...fields).map(found => found.flat())
}

/** Sent `odds` times for every time that it is not. */
const field = (odds: number, name: string, value: fc.Arbitrary<string>): fc.Arbitrary<Header[]> =>
  fc.oneof(
    { weight: 10, arbitrary: fc.constant<Header[]>([]) },
    { weight: Math.round(odds * 10), arbitrary: value.map((value): Header[] => [[name, value]]) },
  )

const mostly = <T>(weight: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other })

const flood: fc.Arbitrary<Header[]> = mostly<Header[]>(
  20,
  fc.constant<Header[]>([]),
  fc.oneof(
    fc.nat(150).map(count => Array.from({ length: count }, (_, i): Header => [`X-Flood-${i}`, '1'])),
    fc.nat(8_000).map((length): Header[] => [['X-Flood', 'a'.repeat(length)]]),
  ),
)

const CONTENT_TYPES = [
  'text/plain',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/ld+json',
  'multipart/form-data; boundary=x',
  'application/json, text/plain',
  '/',
  '',
]

/** What a header may carry at all: visible Latin-1, blanks and tabs. */
const headerText = fc.oneof(
  fc.stringMatching(/^[!-~\xa1-\xff]{0,40}$/),
  fc.stringMatching(/^[!-~]([ \t!-~\xa0-\xff]{0,300}[!-~])?$/),
)

const strangePlaces = (key: string): fc.Arbitrary<FuzzRequest> =>
  fc.record({
    method: fc.constantFrom(...METHODS),
    target: fc.oneof(
      fc.stringMatching(/^\/(api|nowhere)[!-"$-~]{0,60}$/),
      fc.constantFrom(
        '/api',
        '/api/',
        '/api/services/',
        '/api/services//status',
        '//api/services',
        '/api/./services',
        '/API/services',
        '/api/services/a/b/c',
        '/api/services;x=1',
      ),
      nastyText.map(text => `/nowhere/${encode(text)}`),
    ),
    headers: headers(key, false),
    body: fc.option(chunk, { nil: undefined }),
    isChunked: fc.boolean(),
  })
