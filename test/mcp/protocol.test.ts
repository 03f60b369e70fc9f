// How the MCP endpoint responds to clients that violate the protocol, and to pages of other sites.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openFolder } from '../cli/shirube.ts'
import { ask, openTestServer, type TestServer } from '../http/directory-server.ts'

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const post = (server: TestServer, body: unknown, headers: Record<string, string> = {}) =>
  ask(`${server.url}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** The one message of an answer, whether it comes alone or as a stream. */
async function messageOf(response: Response) {
  const text = await response.text()
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
}

describe('The MCP endpoint', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({ PUBLIC_URL: 'https://directory.example/base' }, { sample: true })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('answers without a handshake and without a session', async () => {
    const response = await post(server, LIST)
    expect(response.status).toBe(200)
    expect(response.headers.get('mcp-session-id')).toBeNull()
    expect((await messageOf(response)).result.tools.length).toBeGreaterThan(5)
  })

  test.each([
    ['https://evil.example', 403],
    ['http://localhost.evil.example:4020', 403],
    ['https://directory.example.evil.example', 403],
    ['http://directory.example', 403],
    ['null', 403],
    ['nonsense', 403],
    ['https://directory.example', 200],
    ['http://localhost:6274', 200],
    ['http://127.0.0.1:1234', 200],
    ['http://[::1]', 200],
  ])('answers a request with the origin %s with %i', async (origin, status) => {
    const response = await post(server, LIST, { origin })
    expect(response.status).toBe(status)
    if (status === 403) expect((await response.json()).code).toBe('forbidden')
  })

  test.each([
    ['what is no JSON', '{"jsonrpc":', 400, -32700],
    ['nothing', '', 400, -32700],
    ['what nests without end', '['.repeat(5_000) + ']'.repeat(5_000), 400, -32700],
    ['too many messages at once', Array.from({ length: 21 }, () => LIST), 400, -32600],
  ])('answers %s with a JSON-RPC error', async (_, body, status, code) => {
    const response = await post(server, body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
  })

  test.each([
    ['"text"'],
    ['7'],
    ['null'],
    ['{}'],
    ['[]'],
    [JSON.stringify([LIST, LIST])],
    ['{"jsonrpc":"1.0","id":1,"method":"x"}'],
  ])('answers %s, which is not a message, with an error', async body => {
    const response = await post(server, body)
    expect(response.status).toBe(400)
    expect((await messageOf(response)).error.code).toBeNumber()
  })

  test('refuses other content types, other methods and bodies over the limit', async () => {
    expect((await post(server, LIST, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(server, { ...LIST, params: { x: 'x'.repeat(70_000) } })).status).toBe(413)
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await ask(`${server.url}/mcp`, { method, headers: HEADERS })
      expect([method, response.status]).toEqual([method, 405])
      expect(response.headers.get('allow')).toContain('POST')
    }
  })

  test.each([
    ['tools/call', { name: 'no_such_tool', arguments: {} }, -32602],
    ['tools/call', { name: 7 }, -32602],
    ['tools/call', { name: 'get_service', arguments: [] }, -32602],
    ['tools/call', {}, -32602],
    ['no/such/method', {}, -32601],
  ])('answers %s with %j with the error code %i', async (method, params, code) => {
    const { error } = await messageOf(await post(server, { jsonrpc: '2.0', id: 1, method, params }))
    expect(error.code).toBe(code)
  })

  test('refuses subscriptions instead of holding a connection open', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    }
    const response = await post(server, listen, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    })
    expect((await messageOf(response)).error.code).toBeNumber()
  })

  test('answers a CORS preflight request', async () => {
    const response = await ask(`${server.url}/mcp`, { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version')
  })

  test('refuses an unknown key, which may have been one with a policy', async () => {
    const headers = { authorization: 'Bearer shb_invented' }
    const { status } = await post(server, LIST, headers)
    expect(status).toBe(401)
  })
})

test('The rate limit applies to agents as to any other caller', async () => {
  await using server = await openTestServer({ RATE_LIMIT: '9' })
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await post(server, LIST)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('The MCP library is loaded with the first request to it, not at start', async () => {
  const script = `
    import { openTestServer } from './test/http/directory-server.ts'
    const isLoaded = () => Object.keys(require.cache).some(path => path.includes('@modelcontextprotocol/server'))
    const server = await openTestServer()
    const before = isLoaded()
    await fetch(server.url + '/mcp', { method: 'POST', headers: ${JSON.stringify(HEADERS)}, body: ${JSON.stringify(JSON.stringify(LIST))} })
    console.log(JSON.stringify([before, isLoaded()]))
    await server[Symbol.asyncDispose]()`
  const cwd = new URL('../..', import.meta.url).pathname
  const child = Bun.spawn([process.execPath, '-e', script], { cwd, stdout: 'pipe', stderr: 'inherit' })
  expect(JSON.parse(await child.stdout.text())).toEqual([false, true])
})

test('shirube mcp does not start on a database that does not exist, and does not create it', async () => {
  await using folder = await openFolder()
  const file = `${folder.path}/mistyped.db`
  const { code, stderr } = await folder.run(['mcp'], { env: { DATABASE_URL: `sqlite:${file}` } })
  expect(code).toBe(1)
  expect(stderr).toContain(`There is no catalog at ${file}`)
  expect(await Bun.file(file).exists()).toBe(false)
})
