import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readPlainList } from '../../src/domain/plain-list.ts'
import { listQuerySchema, parseListQuery } from '../../src/domain/queries.ts'

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

test('what is read as plain means what the schema makes of it', () => {
  let plain = 0
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), pairs => {
      const input = Object.assign(Object.create(null), Object.fromEntries(pairs)) as Record<string, string>
      const read = readPlainList(input)
      if (read === undefined) return
      plain++
      expect(read).toEqual(parseListQuery(input))
    }),
    { numRuns: 5_000 },
  )
  expect(plain).toBeGreaterThan(500)
})

test('the queries that people send are plain', () => {
  const input = { category: 'developer-tools', chain: 'eip155:8453', maxPricePerRequest: '0.05' }
  expect(
    readPlainList({ ...input, status: 'verified', sortBy: 'price', limit: '101', offset: '40' }),
  ).toEqual({
    ...input,
    status: 'verified',
    sortBy: 'price',
    limit: 100,
    offset: 40,
  })
})

test.each([{ query: 'weather' }, { cursor: '' }, { limit: '0' }, { sortBy: '' }, { category: '天気' }])(
  'the schema judges %p',
  input => {
    expect(readPlainList(input as Record<string, string>)).toBeUndefined()
  },
)
