// Whoever sends a request chooses its Host: one that makes no URL, or none at all, changes no answer.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sendRaw } from '../faults/raw-connection.ts'
import { body, KEY, openTestServer, type TestServer } from './directory-server.ts'

let server: TestServer
let paths: string[]
beforeAll(async () => {
  server = await openTestServer({ RATE_LIMIT: '0' })
  const { id } = await (await server.register(body())).json()
  paths = [
    ...['/', '/?q=weather&offset=0', `/services/${id}`, `/services/${id}/badge.svg`, '/services/unknown'],
    ...['/register', '/catalog', '/about', '/docs', '/docs/owners', '/docs/nothing', '/nowhere', '//nowhere'],
    ...'/llms.txt /.well-known/x402 /.well-known/ai-catalog.json /mcp/server-card /openapi.json'.split(' '),
    ...['/api/services?limit=1', `/api/services/${id}`, '/api/services?limit=x', '/api/unknown'],
    ...['/api/catalog/search?q=weather', '/api/services/search/intent?q=weather', '/api/changes?since=0'],
    ...['/discovery/resources', '/healthz', '/readyz', '/metrics', '/api/export', '/mcp'],
  ]
})
afterAll(() => server[Symbol.asyncDispose]())

const HOSTS = [
  ...['', 'a b', 'a:b', 'a:99999', '[', '[::1', '%zz', '..', 'a?b', 'a#b', 'a/b', 'u:p@h', '<x>', '@', '\\'],
  ...['a,b', '256.256.256.256', 'xn--', 'http://x', '\x7f', '\xe9', 'x'.repeat(300)],
]
const BROWSER = 'Accept: text/html,*/*;q=0.8\r\n'

const get = (path: string, host: string | undefined, more = '') =>
  sendRaw(
    server.url,
    Buffer.from(
      host === undefined
        ? `GET ${path} HTTP/1.0\r\n${more}\r\n`
        : `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`,
      'latin1',
    ),
  )

describe.each([
  ['a program', ''],
  ['a browser', BROWSER],
])('%s', (_, more) => {
  test('with an invalid or missing Host is answered like any other', async () => {
    for (const path of paths) {
      const usual = (await get(path, 'directory.example', more))!
      for (const host of [undefined, ...HOSTS]) {
        const answer = (await get(path, host, more))!
        const told = [answer.status, answer.headers['content-type']]
        expect([path, host, ...told]).toEqual([path, host, usual.status, usual.headers['content-type']])
      }
    }
  })
})

test('a page names the listening address if the Host is invalid', async () => {
  const { host } = new URL(server.url)
  for (const odd of [undefined, 'a b', '[', '']) {
    const text = Buffer.from((await get('/about', odd, BROWSER))!.body).toString()
    expect(text).toContain(`http://${host}/mcp`)
  }
  const named = Buffer.from((await get('/about', 'directory.example:8080', BROWSER))!.body).toString()
  expect(named).toContain('http://directory.example:8080/mcp')
})

test('a page redirects to itself, whatever the Host', async () => {
  for (const host of [undefined, 'a b', '[', 'directory.example']) {
    const text = Buffer.from((await get('/catalog?x=1', host, BROWSER))!.body).toString()
    expect(text).toContain('href="/catalog?x=1&amp;lang=ja"')
  }
})

test('a registration, a sign-in form and an MCP call work with any Host', async () => {
  const send = (path: string, type: string, content: string, host: string) =>
    sendRaw(
      server.url,
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\nAccept: application/json, text/event-stream\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(content)}\r\nConnection: close\r\n\r\n${content}`,
    )
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  for (const host of ['directory.example', 'a b', '[', '']) {
    const statuses = await Promise.all([
      send('/api/services', 'application/json', JSON.stringify(body()), host),
      send('/register', 'application/x-www-form-urlencoded', 'name=x', host),
      send('/mcp', 'application/json', ping, host),
    ])
    expect([host, ...statuses.map(answer => answer?.status)]).toEqual([host, 201, 401, 200])
  }
})
