import { afterAll, beforeAll, expect, test } from 'bun:test'
import kept from '../../../openapi.json' with { type: 'json' }
import { FILTER_NAMES } from '../../../src/domain/queries/filters.ts'
import { createOpenApi } from '../../../src/http/openapi/document.ts'
import { API_ROUTES } from '../../../src/http/routes/operations.ts'
import { ask, KEY, openTestServer, type TestServer } from '../directory-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({}, { sample: true })
})
afterAll(() => server[Symbol.asyncDispose]())

type Node = { readonly [name: string]: unknown }
const document = createOpenApi(API_ROUTES) as unknown as {
  paths: Record<
    string,
    Record<
      string,
      { responses: Record<string, Node>; operationId: string; parameters?: Node[]; security?: Node[] }
    >
  >
  components: Record<string, Node>
}

test('openapi.json matches the schemas; npm run openapi writes it', () => {
  expect(kept as unknown).toEqual(JSON.parse(JSON.stringify(document)))
})

test('the served document equals openapi.json', async () => {
  expect(await server.json('/openapi.json')).toEqual(kept)
})

test('every reference in it resolves', () => {
  for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = path!.split('/').reduce<unknown>((node, name) => (node as Node)?.[name], document)
    expect([path, target]).toEqual([path, expect.any(Object)])
  }
})

test('every operation in it is served, with the methods it names and no others', async () => {
  const [{ id }] = await server.json('/api/services?limit=1')
  for (const [path, methods] of Object.entries(document.paths)) {
    const response = await ask(server.url + path.replace('{id}', id), { method: 'OPTIONS' })
    const documented = [
      ...('get' in methods ? ['GET', 'HEAD'] : []),
      ...['post', 'patch', 'delete'].filter(method => method in methods).map(method => method.toUpperCase()),
      'OPTIONS',
    ].join(', ')
    expect([path, response.headers.get('allow')]).toEqual([path, documented])
  }
})

/** What people read, and what an agent finds its way by, is no part of the API. */
const OUTSIDE = [
  ...[
    ...'/ /docs /docs/{id} /services/{id} /services/{id}/badge.svg /services/{id}/report /check'.split(' '),
    ...'/register /sign-in /yours /yours/{id} /operator /operator/{id} /operator/hidden.json'.split(' '),
    ...'/operator/spending.csv /operator/backups/{id} /status /catalog /about /probing'.split(' '),
    ...'/sellers/{id} /feeds/{id} /picture.png'.split(' '),
  ],
  ...['/style.css', '/script.js', '/wallet.js', '/mark.svg', '/favicon.ico', 'unknown'],
  ...['/manifest.webmanifest', '/opensearch.xml', '/robots.txt', '/sitemap.xml', '/sitemaps/{id}'],
  ...['/mcp', '/mcp/server-card', '/llms.txt', '/.well-known/ai-catalog.json'],
  '/.well-known/ard.json',
]

test('every route of the server is in it, except pages and documents', async () => {
  const text = await (await server.get('/metrics')).text()
  const routes = [...text.matchAll(/_count\{route="([^"]*)"/g)].map(([, route]) =>
    route!.replace(':id', '{id}'),
  )
  const isPage = (route: string) => OUTSIDE.includes(route) || route.startsWith('/operator')
  expect(routes.filter(route => !isPage(route)).sort()).toEqual(Object.keys(document.paths).sort())
})

/** A read also works without the key that it takes. */
const isNeeded = (security: readonly Node[] | undefined): boolean =>
  security !== undefined && !security.some(each => Object.keys(each).length === 0)

test('exactly the operations that declare a key reject requests without one', async () => {
  const [{ id }] = await server.json('/api/services?limit=1')
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [name, { security }] of Object.entries(methods)) {
      // An event stream would have no end.
      const method = name === 'get' && path === '/api/events' ? 'HEAD' : name.toUpperCase()
      const { status } = await ask(server.url + path.replace('{id}', id), { method })
      expect([path, method, status === 401]).toEqual([path, method, isNeeded(security)])
    }
  }
})

const WITH_KEY = { headers: { authorization: `Bearer ${KEY}` } }

/** Lists of x402 take any parameter, and tell those that they do not apply. */
test('every query parameter in it is known to its route, and no other is', async () => {
  const [{ id }] = await server.json('/api/services?limit=1')
  for (const [path, { get }] of Object.entries(document.paths)) {
    const names = (get?.parameters ?? []).filter(parameter => parameter.in === 'query')
    if (names.length === 0 || path.startsWith('/discovery/')) continue
    const query = ['surely_unknown', ...names.map(({ name }) => name as string)].map(name => `${name}=%00`)
    const url = `${server.url}${path.replace('{id}', id)}?${query.join('&')}`
    const { errors } = (await (await ask(url, WITH_KEY)).json()) as {
      errors: { path: string; message: string }[]
    }
    const unknown = errors.filter(({ message }) => message.includes('unknown') || message.includes('not a'))
    expect([path, unknown.map(error => error.path)]).toEqual([path, ['surely_unknown']])
  }
})

test('operation ids are unique', () => {
  const ids = Object.values(document.paths).flatMap(methods =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('every parameter of the list is described', () => {
  const parameters = document.paths['/api/services']!.get!.parameters!
  expect(parameters.map(({ name }) => name)).toEqual([
    'query',
    ...FILTER_NAMES,
    'sortBy',
    'sortOrder',
    'limit',
    'offset',
    'If-None-Match',
  ])
  for (const { name, description } of parameters)
    expect([name, description]).toEqual([name, expect.any(String)])
})
