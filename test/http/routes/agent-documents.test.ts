import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { PROTOCOL_VERSIONS } from '../../../src/http/routes/agent-documents.ts'
import { connectOverHttp } from '../../mcp/connect.ts'
import { ask, openTestServer, type TestServer } from '../directory-server.ts'

describe('An agent that knows only the address', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({ DIRECTORY_NAME: '標 Directory' }, { sample: true })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('reads in /llms.txt what there is, and every link works', async () => {
    const response = await server.get('/llms.txt')
    expect(response.headers.get('content-type')).toContain('text/markdown')
    const text = await response.text()
    expect(text).toStartWith('# 標 Directory\n\n> ')
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!)
    expect(links.length).toBeGreaterThan(8)
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200])
    // What an agent needs before it signs.
    for (const path of ['/api/resolve?', '/terms`', '/call?for=']) expect(text).toContain(path)
    await using client = await connectOverHttp(server.url)
    for (const { name } of (await client.listTools()).tools) expect(text).toContain(name)
  })

  test('goes from the well-known catalog to the server card to MCP', async () => {
    const catalog = await server.get('/.well-known/ai-catalog.json')
    expect(catalog.headers.get('content-type')).toBe('application/ai-catalog+json')
    const { specVersion, entries } = await catalog.json()
    expect(specVersion).toBe('1.0')
    const [{ type, url, identifier }] = entries
    expect(identifier).toBe('urn:air:127.0.0.1:mcp:shirube')

    const card = await ask(url, { headers: { accept: type } })
    expect(card.headers.get('content-type')).toBe(type)
    expect(card.headers.get('access-control-allow-origin')).toBe('*')
    const { name, version, description, title, remotes } = await card.json()
    expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(String(description).length).toBeLessThanOrEqual(100)
    expect(title).toBe('標 Directory')

    const [remote] = remotes
    expect(remote).toMatchObject({ type: 'streamable-http', url: `${server.url}/mcp` })
    await using client = await connectOverHttp(remote.url.replace(/\/mcp$/, ''))
    expect(client.getServerVersion()?.version).toBe(version)
  })

  test('learns the supported revisions of the protocol', async () => {
    expect(PROTOCOL_VERSIONS.slice(1)).toEqual([...SUPPORTED_PROTOCOL_VERSIONS])
    await using client = await connectOverHttp(server.url)
    expect(client.getNegotiatedProtocolVersion()).toBe(PROTOCOL_VERSIONS[0]!)
  })
})

test('A directory without a public URL uses the requested host, in uncacheable responses', async () => {
  await using server = await openTestServer()
  const port = Number(new URL(server.url).port)
  for (const path of ['/llms.txt', '/.well-known/ai-catalog.json', '/mcp/server-card']) {
    const answer = await server.get(path, { host: 'directory.example:8080' })
    const text = await answer.text()
    expect(text).toContain('http://directory.example:8080/')
    expect(text).not.toContain(`:${port}`)
    expect([path, answer.headers.get('cache-control')]).toEqual([path, 'no-store'])
  }
})

test.each([
  ['https://directory.example/x402', 'example.directory/shirube'],
  ['http://[2001:db8::1]:4020', '2001-db8--1/shirube'],
])('A directory at %s names itself %s in its card', async (publicUrl, name) => {
  await using server = await openTestServer({ PUBLIC_URL: publicUrl })
  const answer = await server.get('/mcp/server-card', { host: 'evil.example' })
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600')
  const card = await answer.json()
  expect(card).toMatchObject({ name, remotes: [{ url: `${publicUrl}/mcp` }] })
  expect(await (await server.get('/llms.txt')).text()).toContain(`](${publicUrl}/openapi.json)`)
})
