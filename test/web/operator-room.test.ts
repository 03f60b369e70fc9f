// The operator's room over plain forms: who gets in, what each act does, once and twice, and which forms are refused.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/app/config.ts'
import { type Operator, openOperator } from '../../src/app/operator.ts'
import type { LocalDirectory } from '../../src/directory/directory.ts'
import { ask, body, KEY, openTestServer, type TestServer } from '../http/directory-server.ts'
import { createDatabase } from '../postgres.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { v2 } from '../sync/followed-list.ts'
import { at, serve } from '../sync/json-server.ts'
import { createVisitor, type Visitor } from './visitor.ts'

const settings = {
  DATABASE_URL: `sqlite:${temporaryPath('room.db')}`,
  RATE_LIMIT: '0',
  ALLOW_PRIVATE_ENDPOINTS: 'on',
}
const list = serve(at('/list', { items: [v2('https://a.example/x')], pagination: { total: 1 } }))
const listUrl = `${list.url}/list`
let server: TestServer
let operator: Operator
let key: string
let visitor: Visitor

const acts = async () => (await (server.app.directory as LocalDirectory).overview({ key })).acts

beforeAll(async () => {
  server = await openTestServer(settings)
  operator = await openOperator(readConfig(settings))
  visitor = createVisitor(server.url)
})
afterAll(async () => {
  await operator[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  list[Symbol.dispose]()
})

const PAGES = [
  '',
  '/sources',
  '/reports',
  '/hidden',
  '/keys',
  '/collections',
  '/spending',
  '/purchases',
  '/backups',
  '/settings',
]

describe('who gets in', () => {
  test('a link opens the room once, while no operator has a key', async () => {
    const directory = server.app.directory as LocalDirectory
    const token = await directory.createLink()
    const link = `/operator?token=${token}`
    const entered = await visitor.get(link)
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/operator'])
    const page = await (await visitor.get('/operator')).text()
    expect(page).toContain('Create a key of your own')
    const stranger = createVisitor(server.url)
    expect((await stranger.get(link)).status).toBe(401)
    expect((await stranger.get('/operator')).status).toBe(401)
    // Who left without a key of their own would have no way in.
    const another = await directory.createLink()
    expect(another).toBeDefined()
    const created = await visitor.send('/operator/keys', { action: 'create', name: 'Desk', scopes: 'admin' })
    key = /shb_\w+/.exec(await created.text())![0]
    expect(await directory.createLink()).toBeUndefined()
    expect((await stranger.get(`/operator?token=${another}`)).status).toBe(401)
    expect(await (await visitor.get('/operator')).text()).not.toContain('Create a key of your own')
    expect((await acts()).map(({ act }) => act)).toEqual(['key_created', 'entered'])
  })

  test('makes a key with a policy and changes it, told how much it allows and everything that is wrong', async () => {
    const create = async (policy: string) =>
      (
        await visitor.send('/operator/keys', { action: 'create', name: 'Agent', scopes: 'register', policy })
      ).text()
    expect(await create('{"deny": ["a.example"], "budgetPerDay": "1.00"}')).toContain('Its policy allows')
    const wrong = await create('{"levels": ["best"], "maxUsdPrice": "x"}')
    expect(wrong).toContain('policy.levels.0')
    expect(wrong).toContain('policy.maxUsdPrice')
    expect(await create('not JSON')).toContain('role="alert"')
    const page = await (await visitor.get('/operator/keys')).text()
    const id = /<b>Agent<\/b> <code>(key_\w+)/.exec(page)![1]!
    const change = { action: 'change', id, policy: '{"allow": ["nobody.example"]}' }
    expect(await (await visitor.send('/operator/keys', change)).text()).toContain('allows nothing')
    expect(await (await visitor.get('/operator/keys')).text()).toContain('nobody.example')
  })

  test('an unknown key and one without the scope admin do not, with a form or as a token', async () => {
    const stranger = createVisitor(server.url)
    for (const [given, status] of [
      ['nothing-known', 401],
      [KEY, 403],
    ] as const) {
      expect((await stranger.send('/operator', { action: 'enter', key: given })).status).toBe(status)
      expect((await stranger.get(`/operator?token=${given}`)).status).toBe(401)
    }
    // The key of an operator stays out of addresses.
    expect((await stranger.get(`/operator?token=${key}`)).status).toBe(401)
    expect(stranger.cookies.has('shirube-operator')).toBe(false)
  })

  test('a key with the scope admin does, on each page, until it is revoked or signs out', async () => {
    const other = createVisitor(server.url)
    const { record, key: otherKey } = await operator.keys.create({
      ...{ name: 'Other', scopes: ['admin'], expiresAt: null },
    })
    for (const page of PAGES) {
      const path = `/operator${page}`
      expect((await other.get(path)).status).toBe(401)
      const entered = await other.send(path, { action: 'enter', key: otherKey })
      expect([entered.status, entered.headers.get('location')]).toEqual([303, path])
      expect((await other.get(path)).status).toBe(200)
      // It is no session of an owner, and one of an owner is none of an operator.
      other.cookies.set('shirube-session', other.cookies.get('shirube-operator')!)
      expect((await other.get('/yours')).status).toBe(303)
      expect((await other.send('/operator', { action: 'leave' })).status).toBe(303)
      expect((await other.get(path)).status).toBe(401)
    }
    await other.send('/operator', { action: 'enter', key: otherKey })
    await operator.keys.revoke(record.id)
    while ((await other.get('/operator')).status !== 401) await Bun.sleep(20)
    await other.send('/sign-in', { action: 'key', key: KEY })
    other.cookies.set('shirube-operator', other.cookies.get('shirube-session')!)
    expect((await other.get('/operator')).status).toBe(401)
  })
})

/** Each act with its form, what the page says the first time, its status the second time, and what the log keeps. */
type Case = {
  readonly act: string
  readonly page: string
  readonly form: (ids: Readonly<Record<string, string>>) => Record<string, string>
  readonly said: string
  readonly again: number
  readonly noted?: string
}

const WHY = 'It takes the payment.'
const ACTS: readonly Case[] = [
  { act: 'preview', page: 'sources', form: () => ({ url: listUrl }), said: 'x402 list, 1 entry', again: 200 },
  {
    act: 'add',
    page: 'sources',
    form: () => ({ url: listUrl }),
    said: 'is followed',
    again: 303,
    noted: 'source_added',
  },
  {
    act: 'pause',
    page: 'sources',
    form: ({ source }) => ({ id: source! }),
    said: 'Paused.',
    again: 303,
    noted: 'source_paused',
  },
  {
    act: 'resume',
    page: 'sources',
    form: ({ source }) => ({ id: source! }),
    said: 'Resumed.',
    again: 303,
    noted: 'source_resumed',
  },
  {
    act: 'removeAll',
    page: 'sources',
    form: ({ source }) => ({ id: source! }),
    said: 'Tick the box',
    again: 400,
  },
  {
    act: 'removeAll',
    page: 'sources',
    form: ({ source }) => ({ id: source!, sure: '1' }),
    said: 'were removed',
    again: 404,
    noted: 'source_removed',
  },
  {
    act: 'settle',
    page: 'reports',
    form: ({ first }) => ({ id: first! }),
    said: 'Settled.',
    again: 404,
    noted: 'report_settled',
  },
  {
    act: 'hideReported',
    page: 'reports',
    form: ({ second, service }) => ({ id: second!, serviceId: service!, why: WHY }),
    said: 'Hidden, and settled.',
    again: 404,
    noted: 'report_settled',
  },
  {
    act: 'show',
    page: 'hidden',
    form: ({ service }) => ({ kind: 'service', value: service! }),
    said: 'Shown again: 1 service.',
    again: 200,
    noted: 'shown',
  },
  {
    act: 'hide',
    page: 'hidden',
    form: () => ({ kind: 'host', value: '', why: WHY }),
    said: 'ID, address or host',
    again: 400,
  },
  {
    act: 'hide',
    page: 'hidden',
    form: () => ({ kind: 'host', value: 'bad.example', why: WHY }),
    said: 'Hidden: 1 service.',
    again: 200,
    noted: 'hidden',
  },
  { act: 'import', page: 'hidden', form: () => ({ items: 'no list' }), said: 'must be JSON', again: 400 },
  {
    act: 'import',
    page: 'hidden',
    form: ({ list }) => ({ items: list! }),
    said: 'Hidden: 2 services.',
    again: 200,
    noted: 'hidden',
  },
  {
    act: 'create',
    page: 'keys',
    form: () => ({ name: 'Importer', scopes: 'register', days: 'ten' }),
    said: 'Days until it expires',
    again: 400,
  },
  {
    act: 'create',
    page: 'keys',
    form: () => ({ name: 'Importer', scopes: 'register', days: '90' }),
    said: 'shb_',
    again: 200,
    noted: 'key_created',
  },
  {
    act: 'collect',
    page: 'collections',
    form: () => ({ id: 'Not a name', kind: 'host', value: 'good.example' }),
    said: 'aria-invalid="true"',
    again: 400,
  },
  {
    act: 'collect',
    page: 'collections',
    form: () => ({ id: 'approved', kind: 'host', value: 'good.example', why: 'It delivers.' }),
    said: 'Added to the collection.',
    again: 303,
    noted: 'collected',
  },
  {
    act: 'import',
    page: 'collections',
    form: () => ({ id: 'team', items: '{}' }),
    said: 'must be JSON',
    again: 400,
  },
  {
    act: 'import',
    page: 'collections',
    form: ({ collection }) => ({ id: 'team', items: collection! }),
    said: 'team.example',
    again: 303,
    noted: 'collected',
  },
  {
    act: 'drop',
    page: 'collections',
    form: () => ({ id: 'team', kind: 'host', value: 'team.example' }),
    said: 'Removed from the collection.',
    again: 303,
    noted: 'dropped',
  },
  {
    act: 'revoke',
    page: 'keys',
    form: ({ key }) => ({ id: key! }),
    said: 'Revoked.',
    again: 404,
    noted: 'key_revoked',
  },
  {
    act: 'backUp',
    page: 'backups',
    form: () => ({}),
    said: 'The backup is written.',
    again: 303,
    noted: 'backed_up',
  },
  { act: 'constructor', page: 'keys', form: () => ({}), said: 'no action known', again: 400 },
]

describe('an act', () => {
  const ids: Record<string, string> = {}
  const report = async (text: string) => {
    const sent = await ask(`${server.url}/api/services/${ids.service}/reports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'no_delivery', text }),
    })
    return (await sent.json()).id as string
  }

  beforeAll(async () => {
    ids.service = (await (await server.register(body())).json()).id
    await server.register(body({ endpoint: 'https://api.bad.example/v1' }))
    ids.key = (await operator.keys.create({ name: 'Old', scopes: ['register'], expiresAt: null })).record.id
    ids.list = JSON.stringify(
      ['bad.example', new URL((body() as { endpoint: string }).endpoint).hostname].map(value => ({
        kind: 'host',
        value,
        why: WHY,
      })),
    )
    ids.collection = JSON.stringify({
      collection: 'other',
      items: [{ kind: 'host', value: 'team.example' }],
    })
    ids.first = await report('Nothing came.')
  })

  test.each(ACTS.map(each => [`${each.act}: ${each.said}`, each] as const))(
    'is done once and kept in the log, and never for a forged form (%s)',
    async (_, { act, page, form, said, again, noted }) => {
      const path = `/operator/${page}`
      if (act === 'hideReported') ids.second = await report('Nothing came again.')
      if (act === 'import' && noted)
        await visitor.send(path, { action: 'show', kind: 'host', value: 'bad.example' })
      if (page === 'sources' && !ids.source)
        ids.source = (await sources()).find(({ url }) => url === listUrl)?.id ?? ''
      const sent = { action: act, ...form(ids) }
      const before = await acts()
      for (const forged of [
        visitor.send(path, { ...sent, token: 'forged' }),
        visitor.send(path, { ...sent, token: '' }),
        visitor.sendFromElsewhere(path, sent),
        createVisitor(server.url).send(path, sent),
      ])
        expect([401, 403]).toContain((await forged).status)
      expect(await acts()).toEqual(before)

      const answer = await visitor.send(path, sent)
      const location = answer.headers.get('location')
      const text = await (location === null ? answer : await visitor.get(location)).text()
      expect(text).toContain(said)
      const known = new Set(before.map(({ id }) => id))
      const fresh = (await acts()).filter(({ id }) => !known.has(id))
      expect(fresh.map(each => each.act)[0]).toEqual(noted as never)
      expect((await visitor.send(path, sent)).status).toBe(again)
    },
  )

  const sources = () => (server.app.directory as LocalDirectory).followedSources({ key })

  test('files are for operators alone', async () => {
    const stranger = createVisitor(server.url)
    const page = await (await visitor.get('/operator/backups')).text()
    const [backup] = /\/operator\/backups\/[^"]+\.db/.exec(page)!
    for (const file of [backup, '/operator/hidden.json', '/operator/spending.csv'])
      expect((await stranger.get(file)).headers.get('location')).toBe('/operator')
    const bytes = await (await visitor.get(backup)).bytes()
    expect(new TextDecoder().decode(bytes.slice(0, 15))).toBe('SQLite format 3')
    expect((await visitor.get('/operator/backups/..%2Froom.db')).status).toBe(404)
    const csv = await (await visitor.get('/operator/spending.csv')).text()
    expect(csv).toStartWith('day,agent,name,seller,payments,usd')
    expect(await (await visitor.get('/operator/hidden.json')).json()).toMatchObject([
      { kind: 'host', value: 'bad.example', why: WHY },
      { kind: 'host' },
    ])
  })

  test('a database on a server is backed up there, and that is no step that waits', async () => {
    const databaseUrl = await createDatabase()
    await using onServer = await openTestServer({ ...settings, DATABASE_URL: databaseUrl })
    const directory = onServer.app.directory as LocalDirectory
    await onServer.register(body())
    const desk = createVisitor(onServer.url)
    await desk.get(`/operator?token=${await directory.createLink()}`)
    const page = await (await desk.get('/operator/backups')).text()
    expect(page).toContain('pg_dump')
    expect(page).not.toContain('value="backUp"')
    expect(await (await desk.get('/operator')).text()).not.toContain('Back up the database')
    const refused = await desk.send('/operator/backups', { action: 'backUp' })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('pg_dump')])
  })

  test('settings say where they come from', async () => {
    expect(await (await visitor.get('/operator/settings')).text()).toContain('RATE_LIMIT')
  })
})
