// Which changes of a resource create a schema event, and which do not.
import { expect, test } from 'bun:test'
import { formOf, termsEvents } from '../../../src/domain/standing/finding.ts'
import type { ResourceTerms } from '../../../src/domain/terms/terms.ts'

const resource = (
  input: Record<string, unknown>,
  output?: Record<string, unknown>,
  method = 'POST',
): ResourceTerms => ({
  url: 'https://tides.test/v1',
  method,
  input,
  ...(output && { output }),
  accepts: [],
  extensions: [],
  source: '402',
})

/** The kinds of events between two answers. */
const between = (before: ResourceTerms, after: ResourceTerms) =>
  termsEvents(
    'base',
    { payTo: [], price: null, seen: { resources: [after] } },
    { payTo: [], price: null, form: formOf([before], 'base') },
    '2026-11-16T00:00:00.000Z',
  ).map(({ type }) => type)

const city = (more: object = {}) => ({
  type: 'object',
  properties: {
    city: { type: 'string', ...more },
    days: { type: 'array', items: { type: 'object', properties: { day: { type: 'string', ...more } } } },
  },
  required: ['city'],
})

test.each<[string, Record<string, unknown>]>([
  ['an example that is another one each time', { ...city(), example: { city: 'Kyoto', at: 12 } }],
  ['examples of single fields, at any depth', city({ example: 'Kyoto' })],
  ['examples in a list', { ...city({ examples: ['Kyoto', 'Nara'] }), examples: [{ city: 'Kyoto' }] }],
  [
    'another order of the keys',
    {
      required: ['city'],
      properties: { days: city().properties.days, city: { type: 'string' } },
      type: 'object',
    },
  ],
])('%s creates no event', (_, input) => {
  expect(between(resource(city()), resource(input))).toEqual([])
  expect(between(resource(city(), city()), resource(city(), input))).toEqual([])
})

test.each<[string, ResourceTerms]>([
  ['another method', resource(city(), undefined, 'GET')],
  ['another type', resource(city({ type: 'number' }))],
  ['a field that is required now', resource({ ...city(), required: ['city', 'days'] })],
  ['a limit', resource(city({ maxLength: 3 }))],
  ['an output', resource(city(), city())],
  [
    'a field that is called example',
    resource({ ...city(), properties: { ...city().properties, example: { type: 'string' } } }),
  ],
])('%s creates a schema event', (_, after) => {
  expect(between(resource(city()), after)).toEqual(['schema'])
  expect(between(after, resource(city()))).toEqual(['schema'])
})
