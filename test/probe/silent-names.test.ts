// Names are looked up side by side: one whose name server is silent must not hold up the others.
import { afterEach, expect, test } from 'bun:test'
import { getServers, setServers } from 'node:dns'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { openDnsServer } from './dns-server.ts'

const before = getServers()
afterEach(() => setServers(before))

test('a hundred names whose name server never answers do not delay the request of another name', async () => {
  const silent = Array.from({ length: 100 }, (_, i) => `n${i}.silent.dev`)
  const hosts = Object.fromEntries(silent.map(name => [name, null]))
  await using dns = await openDnsServer({}, { ...hosts, 'merchant.dev': '127.0.0.1' })
  setServers([dns.address])
  await using server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('here') })
  const request = createSafeFetch({ allowPrivate: true })
  let ended = 0
  const ending = new AbortController()
  const waiting = silent.map(name =>
    request(`http://${name}/`, { signal: ending.signal }).then(
      () => ended++,
      () => undefined,
    ),
  )
  expect(await request(`http://merchant.dev:${server.port}/`)).toMatchObject({ ok: true, status: 200 })
  expect(ended).toBe(0)
  ending.abort()
  await Promise.all(waiting)
})

test('a name that does not exist is told from a name server that fails', async () => {
  await using dns = await openDnsServer({}, { 'slow.dev': null })
  setServers([dns.address])
  const request = createSafeFetch({ allowPrivate: true })
  expect(await request('http://nowhere.dev/')).toMatchObject({
    reason: 'dns',
    message: { code: 'name_without_address', values: { errno: 'ENOTFOUND' } },
  })
  expect(await request('http://slow.dev/')).toMatchObject({
    reason: expect.stringMatching(/^(connect_timeout|dns_temporary)$/),
  })
})
