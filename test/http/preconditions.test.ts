// If-Match on what changes a service (RFC 9110, 13.1.1): judged before anything is done.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, body, KEY, openTestServer, type TestServer } from './directory-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ RATE_LIMIT: '0' })
})
afterAll(() => server[Symbol.asyncDispose]())

test.each<[method: string, below: string, json: object | undefined]>([
  ['PATCH', '', { name: 'Changed' }],
  ['POST', '/retire', { message: 'Closed.' }],
  ['POST', '/restore', undefined],
  ['DELETE', '', undefined],
])(
  '%s %s of a service changes the version that If-Match names, in any coding, and no other',
  async (method, below, json) => {
    const { id } = await (await server.register(body())).json()
    const path = `/api/services/${id}`
    const detail = await server.get(path, { 'accept-encoding': 'identity' })
    const etag = detail.headers.get('etag')!
    const change = (tags: string) =>
      ask(server.url + path + below, {
        method,
        headers: {
          authorization: `Bearer ${KEY}`,
          'if-match': tags,
          ...(json && { 'content-type': 'application/json' }),
        },
        ...(json && { body: JSON.stringify(json) }),
      })
    for (const tags of ['"other"', `W/${etag}`]) {
      const refused = await change(tags)
      expect([tags, refused.status, (await refused.json()).code]).toEqual([tags, 412, 'precondition_failed'])
    }
    expect(await (await server.get(path)).text()).toBe(await detail.text())
    const changed = await change(`"other", ${etag.replace(/"$/, '-gzip"')}`)
    expect([changed.status, changed.headers.get('cache-control')]).toEqual([
      method === 'DELETE' ? 204 : 200,
      'no-store',
    ])
    const again = await change('*')
    expect(again.status).toBe(method === 'DELETE' ? 404 : 200)
  },
)
