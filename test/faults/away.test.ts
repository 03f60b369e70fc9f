// What a node does while its database is away, and how two nodes on one database see each other.
import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { openEventTail } from '../../src/catalog/event-tail.ts'
import { openFollower } from '../../src/catalog/follow.ts'
import { createDirectory } from '../../src/directory/directory.ts'
import { openKeyring } from '../../src/directory/keys.ts'
import { createIdSource } from '../../src/domain/ids.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'
import { body, openTestServer, type TestServer } from '../http/directory-server.ts'
import { createDatabase } from '../postgres.ts'
import { until } from '../until.ts'
import { openTcpProxy } from './tcp-proxy.ts'

const stateOf = async (node: TestServer): Promise<string> => (await node.json('/readyz')).state

describe('a node whose database is unavailable', () => {
  test('continues to read, reports it, refuses writes with Retry-After, and catches up by itself', async () => {
    const url = await createDatabase()
    await using proxy = await openTcpProxy(Number(new URL(url).port))
    const behind = new URL(url)
    behind.port = String(proxy.port)
    await using away = await openTestServer({ DATABASE_URL: behind.href })
    await using other = await openTestServer({ DATABASE_URL: url })
    const { id } = await (await away.register(body({ name: 'Before' }))).json()
    proxy.cut()

    await until(async () => (await stateOf(away)) === 'degraded')
    const ready = await away.get('/readyz')
    expect(ready.status).toBe(200)
    const first = await ready.json()
    expect(first.reason).toBe('The store cannot be reached right now; try again in a moment.')
    expect((await away.get(`/api/services/${id}`)).status).toBe(200)
    expect(await away.json('/api/catalog/search?q=before')).toHaveLength(1)
    const refused = await away.register(body())
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const problem = await refused.text()
    expect(problem).not.toMatch(/127\.0\.0\.1|secret|SELECT|INSERT|ECONN/)
    expect((await away.json('/readyz')).lagMs).toBeGreaterThan(first.lagMs)

    const meanwhile = await (await other.register(body({ name: 'Meanwhile' }))).json()
    proxy.restore()
    await until(async () => (await stateOf(away)) === 'ready')
    await until(async () => (await away.json('/api/services')).length === 2)
    expect((await away.get(`/api/services/${meanwhile.id}`)).status).toBe(200)
    expect((await away.register(body())).status).toBe(201)
  })
})

describe('two nodes on one database', () => {
  test('a revoked key stops working on both within a second', async () => {
    const url = await createDatabase()
    await using operator = await openStore(url, { clock: systemClock })
    const keys = openKeyring({ keys: operator.keys, clock: systemClock, extraKeys: [] })
    const { key, record } = await keys.create({ name: 'short', scopes: ['register'], expiresAt: null })
    // Time goes by when the test says so.
    let aheadMs = 0
    const clock: Clock = { now: () => new Date(Date.now() + aheadMs), sleep: systemClock.sleep }
    await using one = await openTestServer({ DATABASE_URL: url }, { clock })
    await using two = await openTestServer({ DATABASE_URL: url }, { clock })
    const send = (node: TestServer) => node.register(body(), { authorization: `Bearer ${key}` })
    for (const node of [one, two]) expect((await send(node)).status).toBe(201)
    await keys.revoke(record.id)
    aheadMs = 1_000
    for (const node of [one, two]) expect((await send(node)).status).toBe(401)
  })

  test('an idempotency key used on one returns the same response on the other', async () => {
    const url = await createDatabase()
    await using one = await openTestServer({ DATABASE_URL: url })
    await using two = await openTestServer({ DATABASE_URL: url })
    const send = async (node: TestServer) =>
      (await node.register(body(), { 'idempotency-key': 'once' })).json()
    const answers = await Promise.all([send(one), send(two), send(one), send(two)])
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(await (await send(two)).id).toBe(answers[0].id)
  })
})

describe('an id unknown to this node', () => {
  /** A node that is told nothing of what others write, at a time that the test sets. */
  async function openDeafNode(url: string, now: Date) {
    const parts = new AsyncDisposableStack()
    const clock: Clock = { now: () => now, sleep: systemClock.sleep }
    const store = parts.use(await openStore(url, { clock: systemClock }))
    const catalog = new Catalog()
    let asked = 0
    const counting = {
      ...store,
      find: (id: string) => {
        asked++
        return store.find(id)
      },
    }
    const follower = parts.use(
      openFollower({
        store: {
          changes: store.changes,
          lastSeq: store.lastSeq,
          watch: () => () => {},
          get timelines() {
            return store.timelines
          },
        },
        catalog,
        clock,
      }),
    )
    await follower.caughtUp
    const directory = createDirectory({
      store: counting,
      catalog,
      follower,
      tail: parts.use(openEventTail({ store, catalog, clock })),
      keys: openKeyring({ keys: store.keys, clock, extraKeys: [] }),
      clock,
      draftPolicy: { allowPrivateEndpoints: false, strictAddresses: false },
    })
    return { directory, asked: () => asked, [Symbol.asyncDispose]: () => parts.disposeAsync() }
  }

  const NOW = new Date('2026-11-01T12:00:00.000Z')
  // Ids of a source of their own: one source never goes back in time.
  const ago = (ms: number): Entry => ({ ...entry(), id: createIdSource()(new Date(NOW.getTime() - ms)) })

  test('is looked up in the store only while it is younger than ten seconds', async () => {
    const url = await createDatabase()
    await using node = await openDeafNode(url, NOW)
    await using elsewhere = await openStore(url, { clock: systemClock })
    const [young, old] = [ago(9_000), ago(11_000)]
    await elsewhere.insert([young, old])
    expect((await node.directory.get(young.id)).decode()).toMatchObject({ id: young.id, name: young.name })
    expect((await node.directory.status(young.id)).decode()).toMatchObject({ id: young.id })
    expect(node.asked()).toBe(2)
    await expect(node.directory.get(old.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(node.directory.get('svc_nothing')).rejects.toMatchObject({ code: 'not_found' })
    expect(node.asked()).toBe(2)
    await expect(node.directory.get(ago(5_000).id)).rejects.toMatchObject({ code: 'not_found' })
    expect(node.asked()).toBe(3)
  })
})
