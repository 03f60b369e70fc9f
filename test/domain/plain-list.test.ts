import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readPlainList } from '../../src/domain/plain-list.ts'
import { listQuerySchema, parseListQuery } from '../../src/domain/queries.ts'
import { toKept } from '../../src/http/pipeline/links.ts'
import { readQuery } from '../../src/http/pipeline/query-string.ts'

const value = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(...'aZ09.:-_ +\n') }),
  fc.nat().map(String),
  fc.constantFrom('0', '00', '007', '100', '101', '9007199254740993', '0.01', '1.', '.5', '1e3', '', 'ｂase'),
  fc.constantFrom('weather', 'eip155:8453', 'Base', 'verified', 'Verified', 'price', 'Price', 'asc', 'DESC'),
)
const name = fc.oneof(
  fc.constantFrom(...Object.keys(listQuerySchema.shape)),
  fc.constantFrom('constructor', '__proto__', 'Limit', 'page'),
)

/** As the strict way reads it, with every problem told. */
function readStrictly(question: string) {
  const { parsed, parameters } = readQuery(question, parseListQuery)
  return { query: parsed, kept: toKept(parameters) }
}

test('what is read as plain means what the schema makes of it, and leads to the same pages', () => {
  let plain = 0
  const part = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(name, value).map(([name, value]) => `${name}=${value}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', 'limit', '=', 'limit==5', 'chain=a=b', 'offset=%31', 'a&', '#'),
    },
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), parts => {
      const question = parts.join('&')
      const read = readPlainList(question)
      if (read === undefined) return
      plain++
      expect(read).toEqual(readStrictly(question))
    }),
    { numRuns: 10_000 },
  )
  expect(plain).toBeGreaterThan(500)
})

test('the queries that people send are plain', () => {
  const filters =
    'category=developer-tools&chain=eip155:8453&maxPricePerRequest=0.05&status=verified&sortBy=price'
  expect(readPlainList(`limit=101&${filters}&offset=40`)).toEqual({
    query: {
      category: 'developer-tools',
      chain: 'eip155:8453',
      maxPricePerRequest: '0.05',
      status: 'verified',
      sortBy: 'price',
      limit: 100,
      offset: 40,
    },
    kept: `${filters.replace(':', '%3A')}&`,
  })
  expect(readPlainList('')).toEqual({ query: { limit: 20, offset: 0 }, kept: '' })
})

test.each([
  'query=weather',
  'cursor=',
  'limit=0',
  'sortBy=',
  'category=%E5%A4%A9',
  'chain=base&chain=base',
  'limit=5&limit=5',
  'offset=0&offset=0',
])('the schema judges %p', question => {
  expect(readPlainList(question)).toBeUndefined()
})
