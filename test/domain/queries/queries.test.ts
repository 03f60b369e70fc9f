import { describe, expect, test } from 'bun:test'
import { DirectoryError } from '../../../src/domain/errors.ts'
import { parseIntentQuery, parseKeywordQuery, parseListQuery } from '../../../src/domain/queries/queries.ts'

function problemsOf(parse: () => unknown): Record<string, string> {
  try {
    parse()
  } catch (error) {
    if (error instanceof DirectoryError)
      return Object.fromEntries(error.problems.map(({ path, message }) => [path, message]))
    throw error
  }
  return {}
}
const listProblems = (input: Record<string, unknown>) =>
  Object.keys(problemsOf(() => parseListQuery(input))).sort()

describe('list', () => {
  test('has defaults', () => expect(parseListQuery({})).toEqual({ limit: 20, offset: 0 }))

  test('a limit above the maximum is served as the maximum', () => {
    expect(parseListQuery({ limit: '101' }).limit).toBe(100)
    expect(parseListQuery({ limit: '99999999999999999999999' }).limit).toBe(100)
    expect(parseListQuery({ limit: 7 }).limit).toBe(7)
  })

  test.each(['0', '-1', '1.5', 'ten', '1e2', ' 5', '+5', '５'])('the limit %p is refused', limit =>
    expect(listProblems({ limit })).toEqual(['limit']),
  )
  test.each(['-1', '0.5', 'x', '1e2'])('the offset %p is refused', offset =>
    expect(listProblems({ offset })).toEqual(['offset']),
  )

  test.each(['toString', 'constructor', '__proto__'])('the empty parameter %p is unknown', name => {
    expect(listProblems({ [name]: '' })).toEqual([name])
  })

  test('an optional parameter with an empty value counts as absent', () => {
    const empty = {
      query: '',
      category: '',
      chain: '',
      status: '',
      maxPricePerRequest: '',
      currency: '',
      sortBy: '',
      sortOrder: '',
    }
    expect(parseListQuery({ ...empty, limit: '', offset: '' })).toEqual({ limit: 20, offset: 0 })
  })

  test('an unknown parameter is refused with the nearest known one', () => {
    expect(problemsOf(() => parseListQuery({ catgory: 'ai' })).catgory).toContain('did you mean category?')
    for (const [name, nearest] of [
      ['max_price', 'maxPricePerRequest'],
      ['q', 'query'],
      ['sentence', 'query'],
      ['network', 'chain'],
    ] as const)
      expect(problemsOf(() => parseListQuery({ [name]: '1' }))[name]).toContain(`did you mean ${nearest}?`)
    for (const name of ['fields', 'type', 'x', 'foo'])
      expect(problemsOf(() => parseListQuery({ [name]: '1' }))[name]).toMatch(
        /^is not a parameter here \(the nearest is [a-zA-Z]+\); there are: query, /,
      )
    expect(problemsOf(() => parseListQuery({ maxPrice: '1' })).maxPrice).toContain('maxPricePerRequest')
    expect(problemsOf(() => parseListQuery({ sort: 'price' })).sort).toContain('sortBy')
    expect(problemsOf(() => parseListQuery({ __proto__x: '1' }))).toHaveProperty('__proto__x')
  })

  test('status is compared without regard to case, and other values are refused', () => {
    expect(parseListQuery({ status: 'VERIFIED' }).status).toBe('verified')
    expect(problemsOf(() => parseListQuery({ status: 'alive' })).status).toContain(
      'verified, unverified, inactive',
    )
  })

  test('sortBy and sortOrder accept only their listed values', () => {
    expect(listProblems({ sortBy: 'age', sortOrder: 'up' })).toEqual(['sortBy', 'sortOrder'])
  })

  test.each(['-1', '1.', '.1', '1e-3', 'cheap', '0.0000000000000000001'])(
    'the price limit %p is refused',
    maxPricePerRequest => expect(listProblems({ maxPricePerRequest })).toEqual(['maxPricePerRequest']),
  )

  test('every problem is reported at once', () => {
    expect(listProblems({ limit: '0', offset: '-1', status: 'x', foo: '1' })).toEqual([
      'foo',
      'limit',
      'offset',
      'status',
    ])
  })
})

describe('searches', () => {
  test.each([undefined, '', '   ', 'x'.repeat(501)])('q = %p is refused', q => {
    const input = q === undefined ? {} : { q }
    expect(problemsOf(() => parseKeywordQuery(input))).toHaveProperty('q')
    expect(problemsOf(() => parseIntentQuery(input))).toHaveProperty('q')
  })

  test('q may have 500 characters, counted as code points', () => {
    expect(parseKeywordQuery({ q: '😀'.repeat(500) }).q).toHaveLength(1000)
  })

  test('keyword search returns 20 results and intent search 10 by default', () => {
    expect(parseKeywordQuery({ q: 'a' })).toEqual({ q: 'a', limit: 20, offset: 0 })
    expect(parseIntentQuery({ q: 'a' })).toEqual({ q: 'a', limit: 10 })
  })

  test('an intent query takes filters in addition to its sentence, and names of constraints to drop', () => {
    expect(parseIntentQuery({ q: 'a', chain: 'base', without: 'status,freeQuota' })).toEqual({
      q: 'a',
      chain: 'base',
      without: ['status', 'freeQuota'],
      limit: 10,
    })
    expect(problemsOf(() => parseIntentQuery({ q: 'a', without: 'price' }))).toHaveProperty(['without.0'])
  })

  test('a search refuses offsets beyond 10,000 results', () => {
    expect(parseKeywordQuery({ q: 'a', offset: '9980' }).offset).toBe(9980)
    expect(problemsOf(() => parseKeywordQuery({ q: 'a', offset: '9981' }))).toHaveProperty('offset')
  })
})
