// Tables of the input and output of a service with examples, in both languages.
import { expect, test } from 'bun:test'
import { toService } from '../../../src/domain/listing/service.ts'
import type { TermsAnswer } from '../../../src/domain/terms/terms.ts'
import { toCallFold } from '../../../src/web/service/service-call.ts'
import { createView } from '../../../src/web/view.ts'
import { entry } from '../../entries.ts'
import { resource, seen } from '../../terms.ts'
import { pageRequest } from '../page-request.ts'

const INPUT = {
  type: 'object',
  required: ['city', 'place'],
  properties: {
    city: { type: 'string', description: 'Name of the city', example: 'Nara' },
    days: { type: 'integer', minimum: 1, maximum: 14, default: 3 },
    unit: { type: 'string', enum: ['c', 'f'] },
    place: {
      type: 'object',
      required: ['lat'],
      properties: { lat: { type: 'number' }, tags: { type: 'array', items: { type: 'string' } } },
    },
  },
  example: { city: 'Kyoto', place: { lat: 35 } },
}
const OUTPUT = {
  type: 'object',
  properties: {
    forecast: {
      type: 'array',
      items: {
        type: 'object',
        properties: { day: { type: 'string', format: 'date' }, max: { type: 'number' } },
      },
    },
  },
  example: { forecast: [{ day: '2026-11-16', max: 12.5 }] },
}

const service = toService(entry({ endpoint: 'https://weather.example/v1' }))
const view = (lang: 'en' | 'ja') =>
  createView(pageRequest('http://127.0.0.1', { path: '/services/x', parameters: { lang } }))
const termsWith = (input: object, output: object): TermsAnswer =>
  ({
    ...seen(resource({ method: 'POST', input: { ...input }, output: { ...output } })),
    id: 'svc_1',
    seenAt: '2026-11-16T00:00:00.000Z',
    noteCodes: [],
    asListed: { price: 'same', address: true, network: true },
  }) as unknown as TermsAnswer
const offered = {
  service,
  backing: {
    id: service.id,
    level: 'listed' as const,
    claimed: false,
    domain: null,
    representative: null,
    others: [],
    sample: false,
  },
  isRetired: false,
  poorDelivery: undefined,
}
const block = (lang: 'en' | 'ja', input: object = INPUT, output: object = OUTPUT) =>
  toCallFold(view(lang), { ...offered, terms: termsWith(input, output) }).text
/** The cells of each row. */
const rowsOf = (text: string): string[][] =>
  [
    ...text.matchAll(
      /<tr><th scope="row"[^>]*><code>(.*?)<\/code><\/th><td[^>]*>(.*?)<\/td><td[^>]*>(.*?)<\/td><\/tr>/g,
    ),
  ].map(([, ...cells]) => cells)

test('every field, also within objects and lists, has a row with its description', () => {
  const english = block('en')
  expect(rowsOf(english)).toEqual([
    ['city', 'string', 'required · Name of the city · Example: &quot;Nara&quot;'],
    ['days', 'integer', '1 – 14'],
    ['unit', 'string', '&quot;c&quot;, &quot;f&quot;'],
    ['place', 'object', 'required'],
    ['place.lat', 'number', 'required'],
    ['place.tags', 'string[]', ''],
    ['forecast', 'object[]', ''],
    ['forecast[].day', 'string (date)', ''],
    ['forecast[].max', 'number', ''],
  ])
  for (const part of ['>Input<', '>Output<', '<th scope="col">Description</th>', 'Example:'])
    expect(english).toContain(part)
  const japanese = block('ja')
  expect(rowsOf(japanese).map(([name, type]) => [name, type])).toEqual(
    rowsOf(english).map(([name, type]) => [name, type]),
  )
  expect(rowsOf(japanese)[0]![2]).toBe('必須 · Name of the city · 例：&quot;Nara&quot;')
  for (const part of ['>入力<', '>出力<', '<th scope="col">説明</th>']) expect(japanese).toContain(part)
  // The whole example is below its table.
  for (const text of [english, japanese])
    for (const part of ['&quot;Kyoto&quot;', '&quot;2026-11-16&quot;']) expect(text).toContain(part)
})

test('lists, alternatives and untyped values have rows, and the number of rows and the length of texts are limited', () => {
  const list = { type: 'array', items: { type: 'object', properties: { at: {} } } }
  expect(rowsOf(block('en', list, {}))).toEqual([['[].at', '', '']])
  const choice = { properties: { to: { anyOf: [{ type: 'string' }, { type: 'null' }] }, of: { const: 7 } } }
  expect(rowsOf(block('en', choice, {}))).toEqual([
    ['to', 'string | null', ''],
    ['of', '', '7'],
  ])
  let deep: object = { type: 'object', properties: { end: { type: 'string' } } }
  for (let i = 0; i < 30; i++) deep = { type: 'object', properties: { a: deep, b: deep } }
  expect(rowsOf(block('en', deep, {})).length).toBeLessThanOrEqual(50)
  const hostile = { properties: { '<b>x</b>\n': { type: '<i>', description: 'x'.repeat(5_000) } } }
  const text = block('en', hostile, {})
  expect(text).not.toMatch(/<b>|<i>/)
  expect(rowsOf(text)[0]![2]!.length).toBeLessThan(400)
})

test('the request for the terms is shown only if no terms are known', () => {
  const request = 'Request the terms (no payment is made)'
  expect(toCallFold(view('en'), { ...offered, terms: undefined }).text).toContain(request)
  expect(block('en')).not.toContain(request)
})
