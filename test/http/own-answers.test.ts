// An answer belongs to whoever asked for it, whatever is asked meanwhile.
import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { openTestServer } from './directory-server.ts'

const PAGES = [
  ...'/api/services?limit=100 /api/services?sortBy=price&limit=7 /api/services?offset=20&limit=13'.split(' '),
  ...'/api/catalog/search?q=weather /api/catalog/search?q=%E5%A4%A9%E6%B0%97'.split(' '),
  ...'/api/services/search/intent?q=weather%20forecast'.split(' '),
]

test('concurrent requests get separate responses', async () => {
  await using server = await openTestServer()
  const alone = new Map<string, string>()
  for (const path of PAGES) alone.set(path, await (await server.get(path)).text())
  const asked = Array.from({ length: 300 }, (_, i) => PAGES[i % PAGES.length]!)
  const together = await Promise.all(asked.map(async path => (await server.get(path)).text()))
  for (const [i, path] of asked.entries()) expect(together[i]).toBe(alone.get(path)!)
})

/** No page is asked for twice: one that is may be kept. */
const page = (limit: number, i: number) =>
  `/api/services?limit=${limit}&sortBy=price&maxPricePerRequest=${1_000 + i}`

test('a slow reader gets the state at the time of its request', async () => {
  await using server = await openTestServer()
  const { hostname, port } = new URL(server.url)
  const expected = await (await server.get(page(100, 999))).text()
  const socket = connect(Number(port), hostname)
  socket.pause()
  // More of them than any buffer on the way takes, so that some wait inside the server; no more than one turn of it answers.
  const times = 120
  const request = (_: unknown, i: number) => `GET ${page(100, i)} HTTP/1.1\r\nHost: x\r\n\r\n`
  socket.write(Array.from({ length: times }, request).join(''))
  for (let i = 0; i < 100; i++) await (await server.get(page(50, i))).text()
  const chunks: Buffer[] = []
  let length = 0
  const wanted = times * Buffer.byteLength(expected)
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > wanted && Buffer.concat(chunks).toString('latin1').split('HTTP/1.1 200').length > times)
      break
  }
  const bodies = Buffer.concat(chunks)
    .toString('utf8')
    .split(/HTTP\/1\.1 200[\s\S]*?\r\n\r\n/)
    .slice(1)
  for (const body of bodies.slice(0, -1)) expect(body).toBe(expected)
  expect(bodies.length).toBe(times)
})
