// Samples beside real services: what is invented is marked, comes last and counts nowhere.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Backing } from '../../src/domain/listing/backing.ts'
import type { Service } from '../../src/domain/listing/service.ts'
import { draft } from '../entries.ts'
import { openTestServer, type TestServer } from '../http/directory-server.ts'

const SAMPLES = 64
const SKYCAST = 'Skycast Forecast'

let server: TestServer
let real: Service
let twin: Service
beforeAll(async () => {
  server = await openTestServer({ RATE_LIMIT: '0' }, { sample: true })
  const register = async (changes: object): Promise<Service> =>
    (await server.register(draft({ endpoint: 'https://rain.example.com/v1', ...changes }))).json()
  real = await register({
    name: 'Umbrella',
    description: 'Says whether it rains; a word on the weather.',
    category: 'utilities',
    pricing: { currency: 'USDC', pricePerRequest: '4' },
  })
  twin = await register({
    name: SKYCAST,
    description: 'Forecast of the sky.',
    endpoint: 'https://sky.example.com/v1',
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const samples = (): Promise<Service[]> =>
  server.json('/api/services?limit=100').then((all: Service[]) => all.filter(isSample))
const isSample = ({ id }: Service) => id !== real.id && id !== twin.id

test('have no standing', async () => {
  expect((await samples()).length).toBe(SAMPLES)
  for (const { status, trustScore } of await samples())
    expect({ status, trustScore }).toEqual({ status: 'unverified', trustScore: 0 })
  expect(await server.json('/api/services?status=verified')).toEqual([])
  const [{ id }] = (await samples()) as [Service, ...Service[]]
  expect(await server.json(`/api/services/${id}/status`)).toMatchObject({ uptimeScore: 0, txCount: 0 })
  expect((await server.json(`/api/services/${id}/trust`)).components[0]).toMatchObject({ code: 'sample' })
})

describe('rank behind every real match', () => {
  const idsOf = (services: readonly Service[]) => services.map(({ id }) => id)
  const firstOf = async (path: string) => idsOf(await server.json(path))[0]

  test('in a sentence, with a wish and by conditions alone', async () => {
    const ask = async (q: string) =>
      (await server.json(`/api/services/search/intent?q=${encodeURIComponent(q)}`)).results
    for (const q of ['hourly weather forecast', 'cheap hourly weather forecast']) {
      const results = await ask(q)
      const invented = results.map(({ backing }: { backing: Backing }) => backing.sample)
      expect(invented).toEqual(invented.toSorted())
      expect(new Set(invented)).toEqual(new Set([false, true]))
      const scores = results.map(({ score }: { score: number }) => score)
      expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    }
    const conditions = await ask('something on Base')
    expect(conditions.length).toBeGreaterThan(2)
    expect(new Set([conditions[0].service.id, conditions[1].service.id])).toEqual(new Set([real.id, twin.id]))
    const cheap = await ask('cheap')
    expect(new Set([cheap[0].service.id, cheap[1].service.id])).toEqual(new Set([real.id, twin.id]))
  })

  test('even if they are further entries of one seller', async () => {
    await using crowded = await openTestServer({ RATE_LIMIT: '0' }, { sample: true })
    const ids: string[] = []
    for (let i = 0; i < 4; i++) {
      const body = draft({
        name: `Rain ${i}`,
        description: 'A word on the weather.',
        endpoint: `https://rain.example.com/${i}`,
      })
      ids.push((await (await crowded.register(body)).json()).id)
    }
    const { results } = await crowded.json('/api/services/search/intent?q=weather+forecast')
    const found = results.map(({ service }: { service: Service }) => service.id)
    expect(new Set(found.slice(0, 4))).toEqual(new Set(ids))
    expect(found.length).toBeGreaterThan(4)
    const words: Service[] = await crowded.json('/api/catalog/search?q=weather+forecast')
    expect(new Set(idsOf(words.slice(0, 4)))).toEqual(new Set(ids))
  })

  test('by keywords, and by trust', async () => {
    expect(await firstOf('/api/catalog/search?q=hourly+ten-day+weather+forecast+rain+snow+wind')).not.toBe(
      (await samples()).find(({ name }) => name === SKYCAST)!.id,
    )
    const byTrust: Service[] = await server.json('/api/services?sortBy=trustScore&limit=2')
    expect(new Set(idsOf(byTrust))).toEqual(new Set([real.id, twin.id]))
  })

  test('and take no name from anybody', async () => {
    const backing = async (id: string): Promise<Backing> => server.json(`/api/services/${id}/backing`)
    expect(await backing(twin.id)).toMatchObject({ others: [], sample: false })
    const { results } = await server.json('/api/services/search/intent?q=skycast+forecast')
    expect(results[0].service.id).toBe(twin.id)
    expect(results[0].reason).not.toContain('ranked lower')
    const invented = (await samples()).find(({ name }) => name === SKYCAST)!
    expect((await backing(invented.id)).sample).toBe(true)
  })
})

test('are shown as invented, without payment options or trust', async () => {
  const page = async (path: string) => (await server.get(path)).text()
  const invented = (await samples()).find(({ name }) => name === SKYCAST)!
  const text = await page(`/services/${invented.id}`)
  expect(text).toContain('Invented sample')
  for (const claim of [invented.x402Config.paymentAddress, invented.endpoint, 'of 100', 'Last probed'])
    expect(text).not.toContain(claim)
  const { paymentAddress } = (await samples()).find(({ name }) => name !== SKYCAST)!.x402Config
  expect((await server.get(`/sellers/${paymentAddress}`)).status).toBe(404)
  for (const feed of ['new.atom', 'search.atom?q=weather+forecast'])
    expect(await page(`/feeds/${feed}`)).not.toContain(invented.id)
})
