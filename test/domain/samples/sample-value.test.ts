import { describe, expect, test } from 'bun:test'
import Ajv from 'ajv'
import { sampleValue } from '../../../src/domain/samples/sample-value.ts'
import { fc } from '../../fast-check.ts'

const ajv = new Ajv({ strict: false, logger: false, addUsedSchema: false })
const fits = (schema: object): boolean => ajv.validate(schema, sampleValue(schema))

describe('a sample value', () => {
  test('has the required fields, and those with an example in the schema', () => {
    const schema = {
      type: 'object',
      required: ['city', 'days'],
      properties: {
        city: { type: 'string', example: 'Tokyo' },
        days: { type: 'integer', minimum: 3, maximum: 7 },
        units: { type: 'string', default: 'metric' },
        note: { type: 'string' },
      },
    }
    expect(sampleValue(schema)).toEqual({ city: 'Tokyo', days: 3, units: 'metric' })
  })

  test('prefers given values over generated ones', () => {
    expect(sampleValue({ type: 'string', example: 'a', enum: ['b'] })).toBe('a')
    expect(sampleValue({ examples: ['first', 'second'] })).toBe('first')
    expect(sampleValue({ const: 5, example: 6 })).toBe(5)
    expect(sampleValue({ enum: ['km', 'mi'] })).toBe('km')
    expect(sampleValue({ type: ['null', 'string'], format: 'date' })).toBe('2026-01-15')
  })

  test('follows references within the document, and none that lead out of it', () => {
    const root = {
      $defs: { city: { type: 'string', example: 'Osaka' } },
      type: 'object',
      required: ['to'],
      properties: { to: { $ref: '#/$defs/city' } },
    }
    expect(sampleValue(root)).toEqual({ to: 'Osaka' })
    expect(sampleValue({ $ref: 'https://evil.example/schema.json' })).toBeNull()
    expect(sampleValue({ $ref: 'file:///etc/passwd' })).toBeNull()
  })

  test('merges allOf, and takes the first alternative that gives a value', () => {
    const schema = {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        { required: ['b'], properties: { b: { oneOf: [{ type: 'null' }, { type: 'boolean' }] } } },
      ],
    }
    expect(sampleValue(schema)).toEqual({ a: 1, b: true })
  })

  test('ends on a schema that contains itself', () => {
    const loop: Record<string, unknown> = { type: 'object', required: ['next'] }
    loop.properties = { next: { $ref: '#' } }
    expect(JSON.stringify(sampleValue(loop)).length).toBeLessThan(10_000)
    expect(sampleValue({ $ref: '#' })).toBeNull()
    const wide = { type: 'array', minItems: 1e9, items: { type: 'array', minItems: 1e9 } }
    expect(JSON.stringify(sampleValue(wide)).length).toBeLessThan(10_000)
    expect(JSON.stringify(sampleValue({ type: 'string', minLength: 1e9 })).length).toBeLessThan(2_000)
  })

  test('visits a schema that multiplies itself a limited number of times', () => {
    let looks = 0
    const doubling = (word: string) => {
      const many = Array.from({ length: 16 }, () => ({ $ref: '#/$defs/a' }))
      const a = Object.defineProperty({}, word, {
        enumerable: true,
        get() {
          if (++looks > 5_000) throw new Error('looked at too often')
          return many
        },
      })
      return { $defs: { a }, type: 'object', [word]: many }
    }
    for (const word of ['allOf', 'anyOf', 'oneOf', 'prefixItems']) {
      looks = 0
      sampleValue({ ...doubling(word), ...(word === 'prefixItems' && { type: 'array' }) })
    }
  })

  test('keeps a property named __proto__ as a property', () => {
    const schema = JSON.parse(
      '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"integer"}}}',
    )
    const value = sampleValue(schema) as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('fits the schema, for any combination of common keywords', () => {
    const leaf = fc.oneof(
      fc.record({ type: fc.constant('string'), minLength: fc.nat(30) }),
      fc.record({ type: fc.constant('string'), maxLength: fc.nat(30) }),
      fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ type: fc.constant('integer'), maximum: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ type: fc.constant('number'), exclusiveMinimum: fc.integer({ min: -5, max: 5 }) }),
      fc.record({ type: fc.constant('number'), exclusiveMaximum: fc.integer({ min: -5, max: 5 }) }),
      fc.record({ type: fc.constant('integer'), multipleOf: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ type: fc.constant('boolean') }),
      fc.record({ enum: fc.uniqueArray(fc.string(), { minLength: 1 }) }),
    )
    const { schema } = fc.letrec(tie => ({
      schema: fc.oneof({ maxDepth: 3 }, leaf, tie('object'), tie('array')),
      array: fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
      object: fc
        .dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie('schema'), { maxKeys: 4 })
        .map(properties => ({ type: 'object', properties, required: Object.keys(properties) })),
    }))
    fc.assert(fc.property(schema, made => fits(made as object)))
  })
})

describe('a text', () => {
  test.each([
    ['url', 'https://example.com/'],
    ['imageUrl', 'https://example.com/'],
    ['wallet_address', `0x${'1'.repeat(40)}`],
    ['city', 'Tokyo'],
    ['constructor', 'example'],
    ['note', 'example'],
  ])('of the property %s is %s', (name, text) => {
    const schema = { type: 'object', required: [name], properties: { [name]: { type: 'string' } } }
    expect(sampleValue(schema)).toEqual({ [name]: text })
  })

  test('suggested by a name yields to a limit of the schema', () => {
    const schema = {
      type: 'object',
      required: ['url'],
      properties: { url: { type: 'string', maxLength: 8 } },
    }
    expect(sampleValue(schema)).toEqual({ url: 'example' })
  })

  test('ignores a pattern: running one could block the process', () => {
    expect(sampleValue({ type: 'string', pattern: '^(a+)+$' })).toBe('example')
  })
})
