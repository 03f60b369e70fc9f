import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { serviceSchema } from '../../../src/domain/listing/service.ts'
import { intentAnswerSchema } from '../../../src/domain/queries/queries.ts'
import { body, linksOf, openTestServer, type TestServer } from '../directory-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({}, { sample: true })
  await server.register(body({ name: 'Glacier Melt', description: 'Glacier melt and river level.' }))
  await server.register(body({ name: 'Glacier Photos', description: 'Pictures of ice.' }))
})
afterAll(() => server[Symbol.asyncDispose]())

const problemPaths = async (path: string): Promise<string[]> => {
  const response = await server.get(path)
  expect(response.status).toBe(400)
  return (await response.json()).errors.map((error: { path: string }) => error.path)
}

describe('keyword search', () => {
  test('returns an array of services, those with more of the words first', async () => {
    const response = await server.get('/api/catalog/search?q=glacier%20river')
    const found = await response.json()
    expect(found.map((service: { name: string }) => service.name)).toEqual(['Glacier Melt', 'Glacier Photos'])
    for (const service of found) expect(serviceSchema.strict().safeParse(service).success).toBe(true)
    expect(response.headers.get('x-total-count')).toBe('2')
    expect(linksOf(response)).toEqual({
      first: '/api/catalog/search?q=glacier%20river&limit=20&offset=0',
      last: '/api/catalog/search?q=glacier%20river&limit=20&offset=0',
    })
  })

  test('pages by limit and offset', async () => {
    const response = await server.get('/api/catalog/search?q=glacier&limit=1&offset=1')
    expect(await response.json()).toHaveLength(1)
    expect(linksOf(response).prev).toBe('/api/catalog/search?q=glacier&limit=1&offset=0')
  })

  test('returns 20 by default and at most 100', async () => {
    expect((await server.json('/api/catalog/search?q=api')).length).toBeLessThanOrEqual(20)
    expect((await server.get('/api/catalog/search?q=api&limit=5000')).status).toBe(200)
  })

  test('pages at most 10,000 entries', async () => {
    expect((await server.get('/api/catalog/search?q=api&limit=20&offset=9980')).status).toBe(200)
    expect(await problemPaths('/api/catalog/search?q=api&limit=20&offset=9981')).toEqual(['offset'])
  })

  test('returns an empty array if nothing is found', async () => {
    const response = await server.get('/api/catalog/search?q=qqqqzzzzxxxx')
    expect(await response.json()).toEqual([])
    expect(response.headers.get('x-total-count')).toBe('0')
  })
})

describe('intent search', () => {
  test('returns tokens, matches, reasons, constraints and results in the shape of the contract', async () => {
    const query = '画像を生成するAPIを探しています'
    const answer = await server.json(`/api/services/search/intent?q=${encodeURIComponent(query)}`)
    expect(intentAnswerSchema.safeParse(answer).error).toBeUndefined()
    expect(answer.query).toBe(query)
    expect(answer.results.length).toBeGreaterThan(0)
    expect(answer.results.length).toBeLessThanOrEqual(10)
    const union = new Set(
      answer.results.flatMap((result: { matchedTokens: string[] }) => result.matchedTokens),
    )
    expect([...answer.matchedTokens].sort()).toEqual([...union].sort() as string[])
    for (const token of answer.matchedTokens) expect(answer.tokens).toContain(token)
  })

  test('returns the query unchanged', async () => {
    const query = '  Weather <b>&+"  ＡＢＣ '
    const answer = await server.json(`/api/services/search/intent?q=${encodeURIComponent(query)}`)
    expect(answer.query).toBe(query)
  })

  test('returns as many results as requested', async () => {
    const { results } = await server.json('/api/services/search/intent?q=weather%20data&limit=2')
    expect(
      (await server.json('/api/services/search/intent?sentence=weather%20data&limit=2')).results,
    ).toEqual(results)
    expect((await server.get('/api/services/search/intent?q=a&sentence=b')).status).toBe(400)
    expect(results.length).toBeLessThanOrEqual(2)
  })

  test('returns a reason if no word is left', async () => {
    const answer = await server.json(`/api/services/search/intent?q=${encodeURIComponent('を の は')}`)
    expect(answer).toMatchObject({ tokens: [], matchedTokens: [], results: [] })
    expect(answer.reason).not.toBe('')
  })
})

describe.each(['/api/catalog/search', '/api/services/search/intent'])('%s', path => {
  test.each(['', '?q=', '?q=%20%20', `?q=${'a'.repeat(501)}`])('refuses a question like %p', async query => {
    expect(await problemPaths(path + query)).toEqual(['q'])
  })

  test('accepts 500 characters, counted as code points', async () => {
    expect((await server.get(`${path}?q=${encodeURIComponent('天'.repeat(500))}`)).status).toBe(200)
  })

  test('rejects unknown and repeated parameters', async () => {
    expect(await problemPaths(`${path}?q=a&sortBy=price`)).toEqual(['sortBy'])
    expect(await problemPaths(`${path}?q=a&q=b`)).toEqual(['q'])
  })

  test.each(['limit=0', 'limit=-5', 'limit=2.5', 'limit=x'])('refuses %s', async query => {
    expect(await problemPaths(`${path}?q=a&${query}`)).toEqual(['limit'])
  })
})
