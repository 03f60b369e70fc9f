import { expect, test } from 'bun:test'
import { schemaProblems } from '../../../src/domain/samples/schema-check.ts'

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

/** The same list, and how often anybody has looked at one of its members. */
function watched<T>(list: T[]): { readonly list: T[]; readonly looks: () => number } {
  let looks = 0
  const get = (of: T[], key: string | symbol) => {
    if (typeof key === 'string' && /^\d+$/.test(key)) looks++
    return Reflect.get(of, key)
  }
  return { list: new Proxy(list, { get }), looks: () => looks }
}

const MANY = 2_000
const MAX_LOOKS = 800_000
const items = Array.from({ length: MANY }, () => ({ a: 1 }))
test.each<[string, (list: unknown[]) => object, member: unknown, last: unknown]>([
  ['names', required => ({ required }), 'a', 'a'],
  ['types', type => ({ type }), 'string', 'object'],
  ['choices', list => ({ enum: list }), 'b', { a: 1 }],
  ['choices that are objects', list => ({ enum: list }), { a: 2 }, { a: 1 }],
])('a long list of %s is not scanned for each of many items', (_, toSchema, member, last) => {
  const { list, looks } = watched([...Array(MANY).fill(member), last])
  schemaProblems(items, { type: 'array', items: toSchema(list) })
  expect(looks()).toBeGreaterThan(0)
  expect(looks()).toBeLessThan(MAX_LOOKS)
})

test('the keys of a large value are not scanned for each of many schemas', () => {
  let looks = 0
  const large = new Proxy(Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`k${i}`, i])), {
    getOwnPropertyDescriptor: (of, key) => {
      looks++
      return Reflect.getOwnPropertyDescriptor(of, key)
    },
  })
  schemaProblems(large, { allOf: Array(MANY).fill({ properties: {} }) })
  expect(looks).toBeLessThan(MAX_LOOKS)
})

test('a large value is serialized once, not for each of many choices', () => {
  let times = 0
  const large = {
    toJSON: () => {
      times++
      return 'y'.repeat(10_000)
    },
  }
  expect(schemaProblems(large, { enum: Array(MANY).fill({}) })).toEqual([
    'the value is none of the declared values',
  ])
  expect(times).toBe(1)
})
