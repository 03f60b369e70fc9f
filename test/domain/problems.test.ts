import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { DirectoryError, invalid, MAX_PROBLEMS, toProblem } from '../../src/domain/errors.ts'
import { readDraft } from '../../src/domain/listing/service.ts'
import { createQueryReader, readBody, readIssue } from '../../src/domain/problems.ts'
import { intentQuerySchema, parseListQuery } from '../../src/domain/queries/queries.ts'
import { readArguments } from '../../src/mcp/tool.ts'
import { isToldIn, tell, verbatim } from '../../src/messages/message.ts'

const BAD_BODIES = [
  {},
  [],
  { name: '', description: '\u0007', endpoint: 'x', category: '-', pricing: {}, x402Config: {} },
  { name: 5, description: 'x'.repeat(3_000), endpoint: 'https://a:b@c.example', category: 5, pricing: 1 },
  { name: '\u202e', endpoint: 'https://[', pricing: { pricePerRequest: 'x', currency: ' ', freeQuota: -1 } },
  { name: '\ud800', description: 'a\u200bb', endpoint: 'https://a.example/a b' },
  { endpoint: 'http://10.0.0.1/', x402Config: { network: 'base', paymentAddress: 'nobody' } },
  { endpoint: `https://a.example/${'x'.repeat(3_000)}` },
]

const readIntentQuery = createQueryReader(intentQuerySchema)

function refusalOf(act: () => unknown): DirectoryError {
  try {
    act()
  } catch (error) {
    if (error instanceof DirectoryError) return error
    throw error
  }
  return expect.unreachable()
}

const refused = BAD_BODIES.map(body =>
  refusalOf(() => readDraft(body, { allowPrivateEndpoints: false, strictAddresses: true })),
)

/** A form always sends these as objects; what is wrong with them is told to programs only. */
const OBJECTS = ['', 'pricing', 'x402Config']

describe('problems of a request are codes with values', () => {
  test('for every problem of a registration, in English and in Japanese', () => {
    const problems = refused.flatMap(error => error.problems)
    expect(problems.length).toBeGreaterThan(20)
    for (const { path, message, said } of problems) {
      expect([path, said && tell(said, 'en')]).toEqual([path, message])
      expect([path, isToldIn('ja', said)]).toEqual([path, !OBJECTS.includes(path)])
    }
  })

  test('and the error names the first of them', () => {
    for (const error of refused) {
      expect(tell(error.said, 'en')).toBe(error.message)
      expect(isToldIn('ja', error.said)).toBe(!OBJECTS.includes(error.problems[0]!.path))
    }
  })

  test.each([
    () => parseListQuery({ limit: 'x' }),
    () => parseListQuery({ offset: '-1' }),
    () => parseListQuery({ status: 'dead' }),
    () => parseListQuery({ maxPricePerRequest: 'much' }),
    () => readIntentQuery({ q: ' ' }),
    () => readIntentQuery({ q: 'x'.repeat(501) }),
    () => readIntentQuery({}),
  ])('also for queries: %#', read => {
    for (const { said } of refusalOf(read).problems) expect(tell(said!, 'ja')).toMatch(/[ぁ-ん]/)
  })

  test('a text that only looks like a message stays a text', () => {
    for (const message of ['{"code":"nothing","values":{}}', '5', 'must be so', '{'])
      expect(readIssue({ message })).toEqual({ code: 'text', values: { text: message } })
  })

  test('a problem without a code is returned verbatim', () => {
    const problem = toProblem('x', verbatim('must be something else'))
    expect(invalid([problem, problem]).message).toBe('x: must be something else (and 1 more).')
  })
})

describe('thousands of problems take no more time and bytes than a few', () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `chain${i}`)
  const many = Object.fromEntries(names.map(name => [name, 'x']))
  const schema = z.object({ chain: z.string().optional(), list: z.array(z.string()).optional() })

  test.each<[string, () => unknown]>([
    ['parameters', () => parseListQuery(new Map(Object.entries(many)))],
    ['arguments of a tool', () => readArguments(schema, many)],
    ['values in a list', () => readBody(schema, { list: names.map(() => 0) })],
    [
      'problems of any kind',
      () => {
        throw invalid(names.map(name => toProblem(name, verbatim('wrong'))))
      },
    ],
  ])('%s', (_, read) => {
    const refused = refusalOf(read)
    expect(refused.problems).toHaveLength(MAX_PROBLEMS)
    expect(refused.problems[0]!.path).toMatch(/^(chain0|list\.0)$/)
    expect(refused.message.length).toBeLessThan(1_000)
  })
})
