// The tools give the same answers as the API.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { NOTICE } from '../../src/mcp/service-view.ts'
import { openTestServer, type TestServer } from '../http/directory-server.ts'
import { type Connected, call, connectOverHttp } from './connect.ts'

const SHOWN = 'id name description endpoint category pricing x402Config trustScore status'.split(' ')

describe('MCP and the API', () => {
  let server: TestServer
  let client: Connected
  beforeAll(async () => {
    server = await openTestServer({}, { sample: true })
    client = await connectOverHttp(server.url)
    await client.listTools()
  })
  afterAll(async () => {
    await client.close()
    await server[Symbol.asyncDispose]()
  })

  test.each([
    '毎朝の天気予報を安く取りたい',
    'weather forecast on Base under 0.01 USDC',
    'verified services that translate a contract into Japanese',
    'レシートの文字を読み取りたい',
    'no-such-word-at-all',
    'image generation for less than 0.000001 USDC',
  ])('interpret and answer %s alike', async q => {
    const api = await server.json(`/api/services/search/intent?${new URLSearchParams({ q, limit: '5' })}`)
    const whole = (await call(client, 'find_service', { q, limit: 5 })).content
    const toIds = (key: string, value: unknown) => (key === 'service' ? (value as { id: string }).id : value)
    const withIds = (answer: object) => JSON.parse(JSON.stringify(answer, toIds))
    expect(withIds(whole)).toEqual(withIds({ ...api, notice: NOTICE }))
  })

  test('return the same errors', async () => {
    const api = await server.json('/api/services?limit=0&status=good')
    const { text } = await call(client, 'search_services', { limit: 0, status: 'good' })
    expect(api.errors).toHaveLength(2)
    for (const { path, message } of api.errors) expect(text).toContain(`- ${path}: ${message}`)
  })

  test('leave out what an agent seldom needs, and cut long descriptions', async () => {
    const description = `Wombat census. ${'Very thorough. '.repeat(60)}`.trim()
    const { id } = await (
      await server.register({
        name: 'Wombats',
        description,
        endpoint: 'https://wombats.example',
        category: 'data',
        pricing: { currency: 'USDC', pricePerRequest: '0.1' },
        x402Config: { paymentAddress: '0x1111111111111111111111111111111111111111', network: 'base' },
      })
    ).json()
    const { service } = (await call(client, 'find_service', { q: 'wombat census' })).content.results[0]
    expect(Object.keys(service)).toEqual(SHOWN)
    expect([...service.description]).toHaveLength(300)
    expect((await call(client, 'get_service', { id })).content.service.description).toBe(description)
  })
})
