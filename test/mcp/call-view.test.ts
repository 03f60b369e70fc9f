// What a search shows if a remote directory does not return the terms of a result.
import { expect, test } from 'bun:test'
import { toService } from '../../src/domain/listing/service.ts'
import { createClient } from '../../src/http/client/client.ts'
import { readSeenOfResults, toSeenText } from '../../src/mcp/service-view.ts'
import { entry } from '../entries.ts'

const UNREAD = 'What its endpoint asks for could not be read; call get_service before you pay.'

function listen(status: number, code: string) {
  let running = 0
  const seen = { most: 0 }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch() {
      seen.most = Math.max(seen.most, ++running)
      // Lets the requests that are already under way arrive.
      await Bun.sleep(5)
      running--
      return Response.json({ status, code, detail: 'No.' }, { status })
    },
  })
  const clock = { now: () => new Date('2026-11-01T00:00:00Z'), sleep: async () => undefined }
  const client = createClient({ url: `http://127.0.0.1:${server.port}/`, clock })
  return { seen, client, [Symbol.asyncDispose]: () => server.stop(true) }
}

test.each([
  [404, 'not_found'],
  [404, 'no_terms'],
])('terms that do not exist cause no warning: %d %s', async (status, code) => {
  await using directory = listen(status, code)
  expect((await readSeenOfResults(directory.client, [toService(entry())])).size).toBe(0)
})

test.each([
  [429, 'rate_limited'],
  [503, 'store_unavailable'],
])('terms that cannot be read cause a warning: %d %s', async (status, code) => {
  await using directory = listen(status, code)
  const service = toService(entry())
  const seen = (await readSeenOfResults(directory.client, [service])).get(service.id)
  expect(seen).toEqual({ warnings: [UNREAD] })
  expect(toSeenText(seen!)).toBe(`. WARNING: "${UNREAD}"`)
})

test('the terms of a long page are read at most eight at a time', async () => {
  await using directory = listen(404, 'no_terms')
  const page = Array.from({ length: 100 }, () => toService(entry()))
  await readSeenOfResults(directory.client, page)
  expect(directory.seen.most).toBeGreaterThan(0)
  expect(directory.seen.most).toBeLessThanOrEqual(8)
})
