// The currencies that the search page offers, by use.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, body, KEY, openTestServer, type TestServer } from '../http/directory-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ RATE_LIMIT: '0' })
})
afterAll(() => server[Symbol.asyncDispose]())

const register = async (changes: object): Promise<string> => {
  const answer = await server.register(body(changes))
  expect(answer.status).toBe(201)
  return (await answer.json()).id
}
const page = async (path: string) => (await server.get(path)).text()
const priced = (currency: string) => ({ pricing: { currency, pricePerRequest: '1', freeQuota: 0 } })
const currenciesIn = (text: string) =>
  [...(/name="currency">(.*?)<\/select>/s.exec(text)?.[1] ?? '').matchAll(/<option value="([^"]+)"/g)].map(
    ([, id]) => id,
  )

test('the currency filter offers currencies of listed services, the most used first', async () => {
  for (const currency of ['USDC', 'USDC', 'EURC']) await register(priced(currency))
  const invented = await Promise.all(Array.from({ length: 45 }, (_, i) => register(priced(`AAA${i}`))))
  const offered = currenciesIn(await page('/'))
  expect(offered.slice(0, 2)).toEqual(['usdc', 'eurc'])
  expect(offered).toHaveLength(40)
  await Promise.all(
    invented.map(id =>
      ask(`${server.url}/api/services/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${KEY}` },
      }),
    ),
  )
  expect(currenciesIn(await page('/'))).toEqual(['usdc', 'eurc'])
})

test('for a search, the currency filter offers those of its results', async () => {
  await register({ ...priced('JPYC'), name: 'quokkaphone one' })
  for (const name of ['quokkaphone two', 'quokkaphone three']) await register({ name })
  expect(currenciesIn(await page('/?q=quokkaphone')).slice(0, 2)).toEqual(['usdc', 'jpyc'])
})
