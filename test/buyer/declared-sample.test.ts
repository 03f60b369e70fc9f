import { expect, test } from 'bun:test'
import { isDeclaredSample } from '../../packages/buyer/src/declared-sample.ts'

const url = 'https://a.example/v1'
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

test.each([
  ['nothing to send', undefined],
  ['nothing that is required', object({ id: { type: 'string' } }, [])],
  ['an example of the whole', { ...object({ id: { type: 'string' } }), example: { id: 'a' } }],
  ['examples of all that is required', object({ id: { example: 'a' }, unit: { enum: ['c', 'f'] } })],
  ['a flag', object({ all: { type: 'boolean' } })],
  ['examples within', object({ place: object({ city: { examples: ['Tokyo'] } }) })],
  ['a list of examples', object({ ids: { type: 'array', items: { const: 1 } } })],
])('%s is declared', (_, input) => {
  expect(isDeclaredSample({ url, input })).toBe(true)
})

test.each([
  ['a text', object({ parcelId: { type: 'string' } })],
  ['one of two', object({ id: { example: 'a' }, other: { type: 'integer' } })],
  ['a name without a schema', { type: 'object', properties: {}, required: ['id'] }],
  ['a name of every object', { type: 'object', properties: {}, required: ['constructor'] }],
  ['what is referred to', object({ id: { $ref: '#/$defs/id' } })],
  ['what nests without end', JSON.parse(`${'{"type":"array","items":'.repeat(50)}{}${'}'.repeat(50)}`)],
  ['a list of anything', object({ ids: { type: 'array' } })],
])('%s is generated', (_, input) => {
  expect(isDeclaredSample({ url, input })).toBe(false)
})

test('a path parameter without a schema is generated', () => {
  expect(isDeclaredSample({ url: 'https://a.example/parcels/{id}' })).toBe(false)
  expect(isDeclaredSample({ url: 'https://a.example:8080/parcels' })).toBe(true)
})
