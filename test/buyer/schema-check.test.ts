import { expect, test } from 'bun:test'
import { schemaProblems } from '../../packages/buyer/src/schema-check.ts'

const CITY = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1 },
    days: { type: 'array', items: { $ref: '#/$defs/day' }, minItems: 1 },
    unit: { enum: ['C', 'F'] },
  },
  required: ['city', 'days'],
  $defs: {
    day: { type: 'object', properties: { high: { type: 'number', minimum: -90 } }, required: ['high'] },
  },
}

test.each<[unknown, unknown, string[]]>([
  [{ city: 'Tokyo', days: [{ high: 20 }] }, CITY, []],
  [{ city: 'Tokyo', days: [{ high: 20 }], more: 1 }, CITY, []],
  [{ city: 'Tokyo' }, CITY, ['days is missing']],
  [{ city: '', days: [{}] }, CITY, ['city must have at least 1 characters', 'days[0].high is missing']],
  [{ city: 'Tokyo', days: [{ high: -100 }] }, CITY, ['days[0].high must be at least -90']],
  [
    { city: 'Tokyo', days: [], unit: 'K' },
    CITY,
    ['days must have at least 1 items', 'unit is none of the declared values'],
  ],
  [[], CITY, ['the value must be object']],
  [null, { type: ['string', 'null'] }, []],
  [null, { type: 'string', nullable: true }, []],
  [1.5, { type: 'integer' }, ['the value must be integer']],
  [{ a: 1 }, { properties: {}, additionalProperties: false }, ['a is not declared']],
  [{ a: 1 }, { additionalProperties: { type: 'string' } }, ['a must be string']],
  [
    3,
    { anyOf: [{ type: 'string' }, { type: 'number', maximum: 2 }] },
    ['the value fits none of the declared forms'],
  ],
  [2, { oneOf: [{ type: 'string' }, { type: 'number' }] }, []],
  [
    2,
    { allOf: [{ minimum: 3 }, { maximum: 1 }] },
    ['the value must be at least 3', 'the value must be at most 1'],
  ],
  [2, true, []],
  [2, false, ['the value must not be there']],
  [2, 'nonsense', []],
  [2, { $ref: 'https://elsewhere.example/schema' }, []],
  ['x', { pattern: '^(a+)+$' }, []],
])('%j against %j: %j', (value, schema, problems) => {
  expect(schemaProblems(value, schema)).toEqual(problems)
})

test('checking against a schema that refers to itself ends', () => {
  expect(schemaProblems({ a: 1 }, { $ref: '#' })).toEqual([])
  const both = { anyOf: [{ $ref: '#' }, { $ref: '#' }], type: 'object' }
  expect(schemaProblems({ a: 1 }, both)).toEqual([])
})

test('a long list of problems is cut', () => {
  const value = Array.from({ length: 100_000 }, () => 'x')
  expect(schemaProblems(value, { items: { type: 'number' } })).toHaveLength(5)
})

test('each list of choices is read once, however many items are compared with it', () => {
  let times = 0
  const toJSON = () => {
    times++
    return 'x'
  }
  const choices = Array.from({ length: 100 }, () => ({ toJSON }))
  schemaProblems(Array(1_000).fill('x'), { items: { enum: choices } })
  expect(times).toBe(100)
})

test('a validation that would take forever ends', () => {
  const many = Array.from({ length: 2_000 }, () => ({ a: 1 }))
  const doubling = Array.from({ length: 60 }, (_, i) => [
    `s${i}`,
    { anyOf: [{ $ref: `#/$defs/s${i + 1}` }, { $ref: `#/$defs/s${i + 1}` }], required: ['b'] },
  ])
  const schema = { items: { $ref: '#/$defs/s0' }, $defs: Object.fromEntries(doubling) }
  expect(schemaProblems(many, schema).length).toBeLessThanOrEqual(5)
})

/** A schema that compares the same value 2,000 times. */
const often = (schema: object) => ({ allOf: Array(2_000).fill(schema) })

test('a large value is not read as often as a schema refers to it', () => {
  let reads = 0
  const count = <T>(result: T): T => {
    reads++
    return result
  }
  const names = Array.from({ length: 2_000 }, (_, i) => `k${i}`)
  const wide = new Proxy(Object.fromEntries(names.map(name => [name, 1])), {
    ownKeys: of => count(Reflect.ownKeys(of)),
  })
  schemaProblems(wide, often({ properties: {} }))
  expect(reads).toBeLessThan(600)
  reads = 0
  schemaProblems({ toJSON: () => count('y'.repeat(10_000)) }, often({ enum: ['a', 'y'.repeat(10_000)] }))
  expect(reads).toBeLessThan(200)
  reads = 0
  const few = new Proxy({}, { getOwnPropertyDescriptor: () => count(undefined) })
  schemaProblems(few, often({ required: names }))
  expect(reads).toBeLessThan(2_000_000)
})
