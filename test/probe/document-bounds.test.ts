// A document of a stranger costs no more than its size: what it refers to many times is not copied or read as often.
import { expect, test } from 'bun:test'
import { readManifest } from '../../src/probe/documents/documents.ts'
import { readOpenApi } from '../../src/probe/documents/openapi.ts'

/** Throws when its keys are listed more often than that. */
const counted = (record: object, most: number): object => {
  let times = 0
  return new Proxy(record, {
    ownKeys(target) {
      if (++times > most) throw new Error('listed too often')
      return Reflect.ownKeys(target)
    },
  })
}
const wide = (keys: number, first: object = {}) =>
  Object.assign({ ...first }, Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 1])))
const refer = (name: string) => ({ $ref: `#/components/${name}` })
const paths = (count: number, item: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`/p${i}`, item]))
const read = (document: object) => readOpenApi(document, 'https://weather.example/')
const paid = { responses: { 402: {} } }
const posted = (schema: object) => ({
  ...paid,
  requestBody: { content: { 'application/json': { schema } } },
})

test('a wide recursive schema is counted before it is copied', () => {
  const wideOne = counted(wide(5_000, refer('wide')), 70)
  const list = { oneOf: Array.from({ length: 170 }, () => refer('wide')) }
  const document = { components: { wide: wideOne, list }, paths: paths(64, { post: posted(refer('list')) }) }
  expect(read(document)).toHaveLength(64)
})

test('a schema that refers to itself keeps the keywords next to the reference', () => {
  const loop = { ...refer('loop'), type: 'object', properties: { city: refer('city') } }
  const document = {
    components: { loop, city: { ...refer('name'), title: 'City' }, name: { type: 'string', title: 'Name' } },
    paths: paths(1, { post: posted(refer('loop')) }),
  }
  expect(read(document)[0]!.input).toEqual({
    type: 'object',
    properties: { city: { type: 'string', title: 'City' } },
  })
})

test('all the operations of a document share one bound', () => {
  const cheap = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 1_050 }, (_, i) => [`k${i}`, {}])),
  }
  const inputs = read({ components: { cheap }, paths: paths(64, { post: posted(refer('cheap')) }) }).map(
    ({ input }) => input !== undefined,
  )
  expect(inputs[0]).toBe(true)
  expect(inputs.at(-1)).toBe(false)
})

test('a schema nested without end is left out', () => {
  const nested = JSON.parse(`{"type":"object","a":${'[{"a":'.repeat(60_000)}1${'}]'.repeat(60_000)}}`)
  for (const entry of [{ inputSchema: nested }, { input: nested }, { output: nested }]) {
    const [found] = readManifest({ resources: [{ url: '/p0', ...entry }] }, 'https://weather.example/')
    expect(found).toMatchObject({ url: 'https://weather.example/p0' })
    expect(found).not.toHaveProperty('input')
    expect(found).not.toHaveProperty('output')
  }
  const arrays = { enum: JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) }
  expect(read({ paths: paths(1, { post: posted(arrays) }) })[0]).not.toHaveProperty('input')
})

test('a base path of slashes is read in linear time', () => {
  const basePath = `${'/'.repeat(500_000)}x`
  expect(read({ basePath, paths: paths(1, { get: paid }) })).toEqual([])
  expect(read({ basePath: '/v1//', paths: paths(1, { get: paid }) })[0]!.url).toBe(
    'https://weather.example/v1/p0',
  )
})

test('an operation that all paths refer to is read once', () => {
  const protocol = counted(wide(1_000), 1)
  const operation = { 'x-payment-info': { protocols: [protocol] } }
  expect(read({ components: { operation }, paths: paths(2_000, { get: refer('operation') }) })).toEqual([])
  const examples = counted(wide(1_000, { first: { value: 'Osaka' } }), 1)
  const parameter = { name: 'city', in: 'query', schema: {}, examples }
  const parameters = Array.from({ length: 32 }, () => refer('parameter'))
  const found = read({ components: { parameter }, paths: paths(64, { get: { ...paid, parameters } }) })
  expect(found[63]!.input).toEqual({ type: 'object', properties: { city: { example: 'Osaka' } } })
})
