// What operators do over HTTP: who may, what happens twice, and what the server does about it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import type { LocalDirectory } from '../../src/directory/directory.ts'
import { WIRE } from '../../src/directory/wire.ts'
import { v2 } from '../sync/followed-list.ts'
import { at, serve } from '../sync/json-server.ts'
import { until } from '../until.ts'
import { ask, body, KEY, openTestServer, type TestServer } from './directory-server.ts'

const WALLET = '0x1111111111111111111111111111111111111aB1'
const folder = await mkdtemp(join(tmpdir(), 'shirube-operator-'))
const settings = {
  DATABASE_URL: `sqlite:${join(folder, 'directory.db')}`,
  ALLOW_PRIVATE_ENDPOINTS: 'on',
  RATE_LIMIT: '0',
}
const list = serve(
  at('/list', { items: [v2('https://a.example/x'), v2('https://b.example/y')], pagination: { total: 2 } }),
)
const listUrl = `${list.url}/list`
let server: TestServer
let admin: string
beforeAll(async () => {
  server = await openTestServer(settings)
  await using operator = await openOperator(readConfig(settings))
  admin = (await operator.keys.create({ name: 'operator', scopes: ['admin'], expiresAt: null })).key
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  list[Symbol.dispose]()
  await rm(folder, { recursive: true, force: true })
})

type Send = { readonly key?: string | undefined; readonly json?: unknown }

const send = (method: string, path: string, { key, json }: Send = {}) =>
  ask(`${server.url}/api/operator/${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
const read = async (path: string) => (await send('GET', path, { key: admin })).json()
const register = async (changes: object = {}): Promise<string> =>
  (await (await server.register(body(changes))).json()).id
const statusOf = async (id: string) => (await server.get(`/api/services/${id}`)).status
const sourceOf = async () => (await read('sources')).find(({ url }: { url: string }) => url === listUrl)

/** Each act with its status the first and the second time, and the entry of the log that the first one leaves. */
type Case = readonly [
  act: string,
  asked: () => readonly [method: string, path: string, json?: object],
  first: number,
  again: number,
  noted?: string,
]

describe('an act of an operator', () => {
  const ids: Record<string, string> = {}
  const item = (kind: string, value: string, why?: string) => ({
    items: [{ kind, value, ...(why && { why }) }],
  })
  const theService = (why?: string) => item('service', ids.service!, why)
  const made = { name: 'made', scopes: ['register'], days: 1 }
  const levels = { policy: { levels: ['paid'] } }
  const cases: readonly Case[] = [
    ['preview a source', () => ['POST', 'sources', { url: listUrl, preview: true }], 200, 200],
    ['add a source', () => ['POST', 'sources', { url: listUrl }], 200, 200, 'source_added'],
    ['pause a source', () => ['PATCH', `sources/${ids.source}`, { paused: true }], 200, 200, 'source_paused'],
    [
      'resume a source',
      () => ['PATCH', `sources/${ids.source}`, { paused: false }],
      200,
      200,
      'source_resumed',
    ],
    ['read a source', () => ['PATCH', `sources/${ids.source}`, { paused: false }], 200, 200, 'source_read'],
    ['remove a source', () => ['DELETE', `sources/${ids.source}?entries=remove`], 200, 404, 'source_removed'],
    ['create a key', () => ['POST', 'keys', made], 201, 201, 'key_created'],
    ['change the policy of a key', () => ['PATCH', `keys/${ids.key}`, levels], 200, 200, 'key_changed'],
    ['revoke a key', () => ['DELETE', `keys/${ids.key}`], 204, 404, 'key_revoked'],
    ['hide a service', () => ['POST', 'hidden', theService('An impostor.')], 200, 200, 'hidden'],
    ['show a service', () => ['POST', 'hidden/show', theService()], 200, 200, 'shown'],
    ['add to a collection', () => ['POST', 'collections/team', theService()], 200, 200, 'collected'],
    ['remove from one', () => ['POST', 'collections/team/remove', theService()], 200, 200, 'dropped'],
    ['settle a report', () => ['POST', `reports/${ids.report}/resolve`], 204, 404, 'report_settled'],
    ['back up', () => ['POST', 'backups'], 201, 201, 'backed_up'],
  ]
  const run = (asked: Case[1], key?: string) => {
    const [method, path, json] = asked()
    return send(method, path, { key, json })
  }

  beforeAll(async () => {
    ids.service = await register({ endpoint: 'https://once.example/v1' })
    const report = await ask(`${server.url}/api/services/${ids.service}/reports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'impostor', text: 'It is not theirs.' }),
    })
    ids.report = (await report.json()).id
    const made = await send('POST', 'keys', { key: admin, json: { name: 'other', scopes: ['register'] } })
    ids.key = (await made.json()).id
  })

  test.each(cases)('is refused without a key of an operator: %s', async (_, asked) => {
    const before = await read('overview')
    const statuses = [(await run(asked)).status, (await run(asked, 'no-such-key')).status]
    expect([...statuses, (await run(asked, KEY)).status]).toEqual([401, 401, 403])
    expect((await read('overview')).acts).toEqual(before.acts)
  })

  test.each(cases)(
    'is done once, and logged with who did it: %s',
    async (_, asked, first, again, noted = undefined) => {
      const before: { id: string }[] = (await read('overview')).acts
      expect([(await run(asked, admin)).status, (await run(asked, admin)).status]).toEqual([first, again])
      const source = await sourceOf()
      if (source) {
        ids.source = source.id
        // It is read at once, and nobody removes it meanwhile.
        await until(async () => (await sourceOf()).succeededAt !== null)
      }
      const [self] = (await read('keys')).filter(({ name }: { name: string }) => name === 'operator')
      const isNew = ({ id }: { id: string }) => !before.some(old => old.id === id)
      const acts = (await read('overview')).acts.filter(isNew)
      const text = expect.any(String)
      expect(acts.at(-1)).toEqual(noted && { id: text, at: text, who: self.id, act: noted, about: text })
    },
  )

  test('is in the log, page by page', async () => {
    const all: { id: string }[] = await read('log')
    expect(await read('overview')).toMatchObject({ acts: all.slice(0, 20) })
    expect(all.at(-1)).toMatchObject({ who: 'command', act: 'key_created' })
    expect(await read(`log?limit=2&before=${all[2]!.id}`)).toEqual(all.slice(3, 5))
  })

  test('every read of operators is refused to others', async () => {
    const reads = Object.values(WIRE).filter(
      ({ method, path }) => method === 'GET' && path.startsWith('/api/operator/'),
    )
    expect(reads.map(({ path }) => path.slice('/api/operator/'.length)).toSorted()).toEqual([
      ...['backups', 'collections', 'hidden', 'keys', 'log', 'overview', 'purchases', 'reports', 'settings'],
      ...['sources', 'spending', 'spending.csv'],
    ])
    for (const { path } of reads) {
      expect((await server.get(path)).status).toBe(401)
      expect((await server.get(path, { authorization: `Bearer ${KEY}` })).status).toBe(403)
      expect((await server.get(path, { authorization: `Bearer ${admin}` })).status).toBe(200)
    }
  })
})

test('a source is followed by the server itself, tells what it dropped, and leaves its services behind', async () => {
  const two = [v2('https://c.example/x'), v2('https://d.example/y')]
  using other = serve(at('/list', { items: two }))
  const url = `${other.url}/list`
  const preview = await (await send('POST', 'sources', { key: admin, json: { url, preview: true } })).json()
  expect(preview).toMatchObject({
    url,
    kind: 'list',
    names: [expect.any(String), expect.any(String)],
    source: null,
  })
  expect((await read('sources')).map((source: { url: string }) => source.url)).not.toContain(url)
  const { source } = await (await send('POST', 'sources', { key: admin, json: { url } })).json()
  const now = async () => (await read('sources')).find(({ id }: { id: string }) => id === source.id)
  await until(async () => (await now()).succeededAt !== null)
  expect(await now()).toMatchObject({
    kind: 'list',
    entries: 2,
    failures: 0,
    problem: null,
    pausedAt: null,
    dropped: 0,
  })
  other.change(at('/list', { items: two.slice(1) }))
  await using operator = await openOperator(readConfig(settings))
  expect(await operator.sync(url)).toMatchObject({ vanished: 1 })
  expect(await now()).toMatchObject({ entries: 2, dropped: 1 })
  const removed = await send('DELETE', `sources/${source.id}`, { key: admin })
  expect(await removed.json()).toEqual({ removed: 0 })
  expect(await now()).toBeUndefined()
  expect(await server.json('/api/services?query=c.example')).not.toEqual([])
  const nowhere = await send('POST', 'sources', { key: admin, json: { url: `${other.url}/none` } })
  expect([nowhere.status, (await nowhere.json()).detail]).toEqual([400, expect.stringContaining('neither')])
  const malformed = await send('POST', 'sources', { key: admin, json: { url: 'ftp://a.example' } })
  expect(malformed.status).toBe(400)
})

test('a hidden wallet or host hides what it has and what comes later, until it is shown; the list can be sent back', async () => {
  const at = { paymentAddress: WALLET, network: 'base' }
  const wallet = await register({ endpoint: 'https://w.example/v1', x402Config: at })
  const host = await register({ endpoint: 'https://api.hosted.example/v1' })
  const items = [
    { kind: 'wallet', value: WALLET, why: 'It took money for nothing.' },
    { kind: 'host', value: 'Hosted.example:8443', why: 'Malware.' },
    { kind: 'service', value: 'svc_none', why: 'Gone.' },
  ]
  const url = { items: [{ kind: 'host', value: 'https://hosted.example/v1', why: 'Malware.' }] }
  expect((await send('POST', 'hidden', { key: admin, json: url })).status).toBe(400)
  const hidden = await (await send('POST', 'hidden', { key: admin, json: { items } })).json()
  expect(hidden).toEqual({ services: 2, unknown: ['svc_none'] })
  expect([await statusOf(wallet), await statusOf(host)]).toEqual([410, 410])
  const later = await register({ endpoint: 'https://other.hosted.example/v1' })
  expect(await statusOf(later)).toBe(410)
  const moving = await register({ endpoint: 'https://harmless.example/v1' })
  await ask(`${server.url}/api/services/${moving}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint: 'https://hosted.example/v1' }),
  })
  await until(async () => (await statusOf(moving)) === 410)
  const exported = await read('hidden')
  expect(exported).toMatchObject([
    { kind: 'host', value: 'hosted.example', why: 'Malware.' },
    { kind: 'wallet', value: WALLET.toLowerCase() },
  ])
  const shown = await (await send('POST', 'hidden/show', { key: admin, json: { items: exported } })).json()
  expect(shown).toEqual({ services: 4, unknown: [] })
  expect(await Promise.all([wallet, host, later, moving].map(statusOf))).toEqual([200, 200, 200, 200])
  const again = await (await send('POST', 'hidden', { key: admin, json: { items: exported } })).json()
  expect(again).toEqual({ services: 4, unknown: [] })
})

describe('a collection', () => {
  const item = (kind: string, value: string) => ({ items: [{ kind, value }] })
  const add = (name: string, json: object) => send('POST', `collections/${name}`, { key: admin, json })
  const createKey = async (policy: object) =>
    (await send('POST', 'keys', { key: admin, json: { name: 'agent', policy } })).json()
  const totalFor = async (key?: string, url = server.url) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    return (await ask(`${url}/api/services?query=collected`, { headers })).headers.get('x-total-count')
  }
  let ids: string[]
  beforeAll(async () => {
    ids = []
    for (const n of [1, 2, 3])
      ids.push(await register({ name: `Collected ${n}`, endpoint: `https://collected${n}.example/v1` }))
  })

  test('is allowed or denied by keys within a second of a change, exported as it can be imported', async () => {
    expect(await (await add('chosen', item('service', ids[0]!))).json()).toEqual({ name: 'chosen', items: 1 })
    const only = await createKey({ allow: ['collection:chosen'] })
    const others = await createKey({ deny: ['collection:chosen'] })
    expect([only.allows, only.policy]).toEqual([1, { allow: ['collection:chosen'] }])
    expect([await totalFor(only.key), await totalFor(others.key), await totalFor()]).toEqual(['1', '2', '3'])
    await add('chosen', item('host', 'Collected2.example'))
    await until(async () => (await totalFor(only.key)) === '2' && (await totalFor(others.key)) === '1')
    const exported = await server.json('/api/collections/chosen')
    expect(exported).toEqual({
      collection: 'chosen',
      items: [
        { kind: 'host', value: 'collected2.example' },
        { kind: 'service', value: ids[0] },
      ],
    })
    expect(await (await add('copy', exported)).json()).toEqual({ name: 'copy', items: 2 })
    expect(await read('collections')).toContainEqual({ name: 'copy', items: 2 })
    const changed = await send('PATCH', `keys/${only.id}`, {
      key: admin,
      json: { policy: { allow: ['collection:copy'], deny: [ids[0]] } },
    })
    expect(await changed.json()).toMatchObject({ id: only.id, allows: 1 })
    expect(await totalFor(only.key)).toBe('1')
    // Nothing is left of it: a key that allows it alone finds nothing, instead of everything.
    await send('POST', 'collections/copy/remove', { key: admin, json: exported })
    expect((await server.get('/api/collections/copy')).status).toBe(404)
    await until(async () => (await totalFor(only.key)) === '0')
  })

  test('is followed by another directory, which knows the services by other ids', async () => {
    await add('shared', item('service', ids[2]!))
    const own = { ...settings, DATABASE_URL: `sqlite:${join(folder, 'follower.db')}` }
    // Read here, not by the server: only one can read a source at a time.
    await using follower = await openTestServer(own, { followsSources: false })
    await using operator = await openOperator(readConfig(own))
    const url = `${server.url}/api/collections/shared`
    await operator.sync(server.url)
    expect(await operator.sync(url)).toMatchObject({ kind: 'collection' })
    const followed = await (follower.app.directory as LocalDirectory).acts(
      { limit: 9 },
      { key: (await operator.keys.create({ name: 'admin', scopes: ['admin'], expiresAt: null })).key },
    )
    expect(followed.map(({ who, act }) => `${who} ${act}`)).toEqual([
      'command key_created',
      'command source_added',
      'command source_added',
    ])
    const { key } = await operator.keys.create({
      ...{ name: 'agent', scopes: [], expiresAt: null, policy: { allow: [`collection:${url}`] } },
    })
    await until(async () => (await totalFor(undefined, follower.url)) === '3')
    expect(await totalFor(key, follower.url)).toBe('1')
    // Gone at the source: what was last read stays, and the source tells it.
    await send('POST', 'collections/shared/remove', { key: admin, json: item('service', ids[2]!) })
    await expect(operator.sync(url)).rejects.toThrow()
    expect(await totalFor(key, follower.url)).toBe('1')
  })

  test('takes no name that policies cannot compare', async () => {
    const wrong = [
      item('host', 'not/a/host'),
      item('host', ids[0]!),
      item('host', WALLET),
      item('wallet', 'short'),
      item('wallet', 'a.example'),
      item('service', 'a.example'),
      item('service', 'collection:chosen'),
    ]
    for (const json of wrong) {
      const refused = await add('strange', json)
      const { errors } = await refused.json()
      expect([refused.status, errors[0].path, json]).toEqual([400, 'items.0.value', json])
    }
  })

  test('of another directory leaves out what policies cannot compare, or means of another kind', async () => {
    const items = [
      { kind: 'host', value: 'not/a/host' },
      { kind: 'wallet', value: '?' },
      { kind: 'host', value: ids[0]! },
      { kind: 'service', value: 'collected2.example' },
      { kind: 'host', value: 'collected3.example' },
    ]
    using list = serve(() => ({ collection: 'odd', items }))
    const url = `${list.url}/api/collections/odd`
    await using operator = await openOperator(readConfig(settings))
    await operator.sync(url)
    const { key } = await createKey({ allow: [`collection:${url}`] })
    expect(await totalFor(key)).toBe('1')
    using many = serve(() => ({ collection: 'many', items: Array(10_001).fill(items[4]) }))
    await expect(operator.sync(`${many.url}/api/collections/many`)).rejects.toThrow(
      /more than 10,000 entries/,
    )
  })

  test('is all that programs without a key find where the directory is set so', async () => {
    await add('approved', item('service', ids[1]!))
    await using narrow = await openTestServer({ ...settings, CATALOG: 'approved' })
    expect([await totalFor(undefined, narrow.url), await totalFor()]).toEqual(['1', '3'])
    const statuses = ids.map(async id => (await ask(`${narrow.url}/api/services/${id}`)).status)
    expect(await Promise.all(statuses)).toEqual([403, 200, 403])
    const verdict = await ask(`${narrow.url}/api/resolve?url=https%3A%2F%2Fcollected1.example%2Fv1`)
    expect((await verdict.json()).reasons[0].code).toBe('not_approved')
    expect((await ask(`${narrow.url}/services/${ids[0]}`)).status).toBe(200)
    expect(await totalFor(admin, narrow.url)).toBe('3')
  })

  test.each([
    [
      { levels: ['best'], maxUsdPrice: 'x', allow: ['no name'] },
      ['policy.levels.0', 'policy.maxUsdPrice', 'policy.allow.0'],
    ],
    [{ level: ['paid'], chains: [] }, ['policy.level', 'policy.chains']],
    [{}, ['policy']],
    ['all', ['policy']],
    [{ allow: ['collection:unknown'], deny: ['collection:Nor this'] }, ['policy', 'policy']],
  ])('a policy of a key is refused with every problem: %j', async (policy, paths) => {
    for (const [method, path] of [
      ['POST', 'keys'],
      ['PATCH', 'keys/key_none'],
    ] as const) {
      const refused = await send(method, path, { key: admin, json: { name: 'agent', policy } })
      const { errors } = await refused.json()
      expect([refused.status, errors.map(({ path }: { path: string }) => path)]).toEqual([400, paths])
    }
  })

  test.each(['hidden', 'No Name', 'a'.repeat(65)])('cannot have the name %j', async name => {
    const refused = await add(encodeURIComponent(name), item('host', 'a.example'))
    expect(refused.status).toBe(400)
    expect((await server.get(`/api/collections/${encodeURIComponent(name)}`)).status).toBe(400)
  })
})

test('settings tell where they come from, and unknown names', async () => {
  const { settings: told, unknown } = await read('settings')
  expect(told).toContainEqual(expect.objectContaining({ name: 'RATE_LIMIT', value: '6000', from: 'default' }))
  expect(unknown).toEqual([])
})
