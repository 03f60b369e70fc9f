import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { DirectoryError } from '../../../src/domain/errors.ts'
import { createQueryReader } from '../../../src/domain/problems.ts'
import { keywordQuerySchema, listQuerySchema } from '../../../src/domain/queries/queries.ts'
import { fc } from '../../fast-check.ts'

const value = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(...'aZ09.:-_ +\n') }),
  fc.nat().map(String),
  fc.constantFrom('0', '00', '007', '100', '101', '9007199254740993', '0.01', '1.', '.5', '1e3', '', 'ｂase'),
  fc.constantFrom('weather', 'eip155:8453', 'Base', 'verified', 'Verified', 'price', 'Price', 'asc', 'DESC'),
  fc.constantFrom('true', 'false', true, 7, null, undefined),
)

function problemsOf(read: () => unknown): string[] {
  try {
    read()
  } catch (error) {
    if (error instanceof DirectoryError) return error.problems.map(({ path }) => path)
    throw error
  }
  return []
}

describe.each([
  ['list', listQuerySchema],
  ['keyword', keywordQuerySchema],
])('a %s query', (_, schema) => {
  const read = createQueryReader<z.ZodObject>(schema)
  const names = Object.keys(schema.shape)
  const given = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 })

  test('is parsed as the whole schema parses it, with or without cached values', () => {
    let good = 0
    fc.assert(
      fc.property(given, given => {
        const present = Object.entries(given).filter(
          ([name, value]) => value !== '' || !schema.shape[name as 'limit'].safeParse(undefined).success,
        )
        const whole = (schema as z.ZodObject).safeParse(Object.fromEntries(present))
        if (whole.success) {
          good++
          expect(read(given)).toEqual(whole.data)
          expect(read(new Map(Object.entries(given)))).toEqual(whole.data)
        } else {
          const wrong = new Set(whole.error.issues.map(({ path }) => path.join('.')))
          expect(new Set(problemsOf(() => read(given)))).toEqual(wrong)
        }
      }),
      { numRuns: 3_000 },
    )
    expect(good).toBeGreaterThan(100)
  })
})

test('values of one query do not leak into the next', () => {
  const read = createQueryReader(z.object({ a: z.string().optional(), b: z.string().default('none') }))
  expect(read({ a: 'x', b: 'y' })).toEqual({ a: 'x', b: 'y' })
  expect(read({})).toEqual({ b: 'none' })
  expect(problemsOf(() => read({ a: 1, c: '2' })).sort()).toEqual(['a', 'c'])
  expect(read({ a: 'x' })).toEqual({ a: 'x', b: 'none' })
})
