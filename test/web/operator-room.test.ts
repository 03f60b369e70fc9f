// The operator's room over plain forms: who gets in, what each act does, once and twice, and which forms are refused.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/app/config.ts'
import { type Operator, openOperator } from '../../src/app/operator.ts'
import type { LocalDirectory } from '../../src/directory/directory.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createSourceState } from '../../src/store/sources.ts'
import { ask, body, KEY, openTestServer, type TestServer } from '../http/directory-server.ts'
import { createDatabase } from '../postgres.ts'
import { probeOf, recordProbe, unchanged } from '../probes.ts'
import { purchase } from '../store/purchases.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { v2 } from '../sync/followed-list.ts'
import { at, serve } from '../sync/json-server.ts'
import { createVisitor, type Visitor } from './visitor.ts'

const STORES = {
  SQLite: async () => `sqlite:${temporaryPath('room.db')}`,
  PostgreSQL: () => createDatabase(),
}
const list = serve(at('/list', { items: [v2('https://a.example/x')], pagination: { total: 1 } }))
const listUrl = `${list.url}/list`
afterAll(() => list[Symbol.dispose]())

const ROOMS = 'sources reports hidden keys collections spending purchases backups settings'
const PAGES = ['', ...ROOMS.split(' ').map(name => `/${name}`)]

type Ids = Readonly<Record<string, string>>
/** Each act with its form, what the page says the first time, its status the second time, and what the log keeps. */
type Case = readonly [
  page: string,
  act: string,
  form: (ids: Ids) => Record<string, string | undefined>,
  said: string,
  again: number,
  noted?: string,
]

const WHY = 'It takes the payment.'
const byHost = (value: string, why?: string) => ({ kind: 'host', value, ...(why && { why }) })
const madeKey = (days: string) => () => ({ name: 'Importer', scopes: 'register', days })
const bySource = ({ source }: Ids) => ({ id: source })
const surely = ({ source }: Ids) => ({ id: source, sure: '1' })
const hiding = ({ second, service }: Ids) => ({ id: second, serviceId: service, why: WHY })
const approving = () => ({ id: 'approved', ...byHost('good.example', 'It delivers.') })
const misnaming = () => ({ id: 'Not a name', ...byHost('good.example') })
const dropping = () => ({ id: 'team', ...byHost('team.example') })
const showing = ({ service }: Ids) => ({ kind: 'service', value: service, sure: '1' })
const unsurely = ({ service }: Ids) => ({ kind: 'service', value: service })
const ACTS: readonly Case[] = [
  ['sources', 'preview', () => ({ url: listUrl }), 'x402 list, 1 entry', 200],
  ['sources', 'add', () => ({ url: listUrl }), 'is followed', 303, 'source_added'],
  ['sources', 'pause', bySource, 'Paused.', 303, 'source_paused'],
  ['sources', 'resume', bySource, 'Resumed.', 303, 'source_resumed'],
  ['sources', 'read', bySource, 'It is read within seconds.', 303, 'source_read'],
  ['sources', 'removeAll', bySource, 'Tick the box', 400],
  ['sources', 'removeAll', surely, 'The source and 1 service were removed', 404, 'source_removed'],
  ['reports', 'settle', ({ first }) => ({ id: first }), 'Marked as handled.', 404, 'report_settled'],
  ['reports', 'hideReported', hiding, 'Hidden, and marked as handled.', 404, 'report_settled'],
  ['hidden', 'show', unsurely, 'Tick the box', 400],
  ['hidden', 'show', showing, 'Shown again: 1 service.', 200, 'shown'],
  ['hidden', 'hide', () => byHost('', WHY), 'ID, address or host', 400],
  ['hidden', 'hide', () => byHost('bad.example', WHY), 'Hidden: 1 service.', 200, 'hidden'],
  ['hidden', 'import', () => ({ items: 'no list' }), 'must be JSON', 400],
  ['hidden', 'import', ({ list }) => ({ items: list }), 'Hidden: 2 services.', 200, 'hidden'],
  ['keys', 'create', madeKey('ten'), 'Days until it expires', 400],
  ['keys', 'create', madeKey('90'), 'shb_', 200, 'key_created'],
  ['collections', 'collect', misnaming, 'aria-invalid="true"', 400],
  ['collections', 'collect', approving, 'Added to the collection.', 303, 'collected'],
  ['collections', 'import', () => ({ id: 'team', items: '{}' }), 'must be JSON', 400],
  ['collections', 'import', ids => ({ id: 'team', items: ids.collection }), 'team.example', 303, 'collected'],
  ['collections', 'drop', dropping, 'Removed from the collection.', 303, 'dropped'],
  ['keys', 'revoke', ({ key }) => ({ id: key }), 'Tick the box', 400],
  ['keys', 'revoke', ({ key }) => ({ id: key, sure: '1' }), 'Revoked.', 404, 'key_revoked'],
  ['backups', 'backUp', () => ({}), 'The backup is written.', 303, 'backed_up'],
  ['keys', 'constructor', () => ({}), 'no action known', 400],
]

describe.each(Object.entries(STORES))('on %s', (engine, createUrl) => {
  let server: TestServer
  let operator: Operator
  let key: string
  let visitor: Visitor
  let databaseUrl: string
  const isFile = engine === 'SQLite'

  const acts = () => (server.app.directory as LocalDirectory).acts({ limit: 1_000 }, { key })

  beforeAll(async () => {
    databaseUrl = await createUrl()
    const settings = { DATABASE_URL: databaseUrl, RATE_LIMIT: '0', ALLOW_PRIVATE_ENDPOINTS: 'on' }
    server = await openTestServer(settings, { followsSources: false })
    operator = await openOperator(readConfig(settings))
    visitor = createVisitor(server.url)
  })
  afterAll(async () => {
    await operator?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

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
      // It is for the visitor, and must open the room again.
      const [, next] = /href="(\/operator\/keys[^"]*)">Create a key/.exec(page)!
      expect(await (await visitor.get(next!)).text()).toContain('<option value="admin" selected>')
      const created = await visitor.send('/operator/keys', {
        action: 'create',
        name: 'Desk',
        scopes: 'admin',
      })
      key = /shb_\w+/.exec(await created.text())![0]
      expect(await directory.createLink()).toBeUndefined()
      expect((await stranger.get(`/operator?token=${another}`)).status).toBe(401)
      expect(await (await visitor.get('/operator')).text()).not.toContain('Create a key of your own')
      expect((await acts()).map(({ act }) => act)).toEqual(['key_created', 'entered'])
    })

    test('makes a key with a policy and changes it, told how much it allows and everything that is wrong', async () => {
      const create = async (policy: string) =>
        (
          await visitor.send('/operator/keys', {
            action: 'create',
            name: 'Agent',
            scopes: 'register',
            policy,
          })
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

    const possible = ACTS.filter(([, act]) => isFile || act !== 'backUp')
    test.each(possible.map(each => [`${each[1]}: ${each[3]}`, each] as const))(
      'is done once and kept in the log, and never for a forged form (%s)',
      async (_, [page, act, form, said, again, noted]) => {
        const path = `/operator/${page}`
        if (act === 'hideReported') ids.second = await report('Nothing came again.')
        if (act === 'import' && noted)
          await visitor.send(path, { action: 'show', kind: 'host', value: 'bad.example', sure: '1' })
        if (page === 'sources' && !ids.source)
          ids.source = (await sources()).find(({ url }) => url === listUrl)?.id ?? ''
        // Read here, not by the server: nobody removes a source while it is being read.
        if (act === 'removeAll' && noted) await operator.sync(listUrl)
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
      const [backup] = /\/operator\/backups\/[^"]+\.db/.exec(page) ?? ['/operator/backups/none.db']
      for (const file of [backup, '/operator/hidden.json', '/operator/spending.csv'])
        expect((await stranger.get(file)).headers.get('location')).toBe('/operator')
      if (isFile) {
        expect(await (await visitor.get(backup)).text()).toStartWith('SQLite format 3')
        expect(page).toMatch(/In <code>\/[^<]+backups<\/code> on the server\. Each holds everything/)
        const settings = await (await visitor.get('/operator/settings')).text()
        expect(settings).toContain('room.db</code>')
      } else {
        // A server has backups of its own, and none is missing here.
        expect(page).toContain('pg_dump')
        expect(page).not.toContain('value="backUp"')
        expect(await (await visitor.get('/operator')).text()).not.toContain('Back up the database')
        const refused = await visitor.send('/operator/backups', { action: 'backUp' })
        expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('pg_dump')])
      }
      expect((await visitor.get('/operator/backups/..%2Froom.db')).status).toBe(404)
      const csv = await (await visitor.get('/operator/spending.csv')).text()
      expect(csv).toStartWith('day,agent,name,seller,payments,usd')
      expect(await (await visitor.get('/operator/hidden.json')).json()).toMatchObject([
        { kind: 'host', value: 'bad.example', why: WHY },
        { kind: 'host' },
      ])
    })

    test('spending is shown by key, seller and day, what was seen on chain apart', async () => {
      const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
      const payTo = `0x${'a1'.repeat(20)}`
      const shops = ['https://one.shop.test/v1', 'https://two.test/v1']
      for (const endpoint of shops)
        await server.register(
          body({
            endpoint,
            pricing: { currency: 'USDC', pricePerRequest: '0.02', freeQuota: 0 },
            x402Config: { paymentAddress: payTo, network: 'base' },
          }),
        )
      const policy = { budgetPerDay: '0.1' }
      const { key: spends, record } = await operator.keys.create({
        ...{ name: 'Spender <b>', scopes: [], expiresAt: null, policy },
      })
      const send = (method: string, path: string, json: object) =>
        ask(`${server.url}/api/reservations${path}`, {
          method,
          headers: { authorization: `Bearer ${spends}`, 'content-type': 'application/json' },
          body: JSON.stringify(json),
        })
      for (const [id, url, amount] of [
        ['a', shops[0], '10000'],
        ['b', shops[0], '20000'],
        ['c', shops[1], '5000'],
      ] as const)
        expect(
          (await send('POST', '', { id, url, payTo, network: 'base', asset: USDC, amount })).status,
        ).toBe(201)
      for (const id of ['a', 'c'])
        expect((await send('PATCH', `/${id}`, { state: 'settled' })).status).toBe(200)
      // Each cell has the head of its column.
      expect(await (await visitor.get('/operator/keys')).text()).toContain('read, and pay within its policy')
      const page = (await (await visitor.get('/operator/spending')).text()).replace(/ data-head="[^"]*"/g, '')
      const row = (name: string, ...cells: string[]) =>
        `<th scope="row">${name}</th>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`
      expect(page).toContain(row(`Spender &lt;b&gt; ${record.id}`, '2', '$0.015', '$0', '$0.02'))
      expect(page).toContain(row('shop.test', '1', '$0.01', '$0', '$0.02'))
      expect(page).toContain(row('two.test', '1', '$0.005', '$0', '$0'))
      const csv = await (await visitor.get('/operator/spending.csv')).text()
      const [, day] = new RegExp(`(\\S+),${record.id},Spender <b>,shop.test,1,0.01,0,0.02\r\n`).exec(csv)!
      expect(page).toContain(row(day!, '2', '$0.015', '$0', '$0.02'))
    })

    test('the overview says that nobody probes, and what was bought in the last 24 hours, also where nothing is bought any more', async () => {
      const overview = async () => (await visitor.get('/operator')).text()
      const idle = await overview()
      expect(idle.indexOf('Nothing has been probed yet.')).toBeGreaterThan(
        idle.indexOf('No probes at the moment'),
      )
      process.env.PROBE = 'off'
      const off = await overview()
      delete process.env.PROBE
      expect(off).toContain('PROBE is “off” on this server, so it does not probe.')
      expect(idle).toContain('>$0</a>')
      expect(await (await visitor.get('/operator/purchases')).text()).toContain(
        'No purchases at present: BUDGET_PER_DAY is 0 and BUYER_KEY_FILE is not set. $0 was spent',
      )
      await using store = await openStore(databaseUrl, { clock: systemClock })
      const at = new Date().toISOString()
      await recordProbe(store, probeOf(ids.service!, { at }), each => unchanged(each))
      const caps = { perCall: 1e6, perService: 1e6, perHost: 1e6, perDay: 1e6 }
      await store.purchases.reserve(purchase({ id: 'pur_now', at, microUsd: 2_500 }), caps)
      const now = await overview()
      expect(now).not.toContain('No probes at the moment')
      expect(now).toContain('>$0.0025</a>')
      expect(await (await visitor.get('/operator/purchases')).text()).toContain(
        'BUDGET_PER_DAY is 0. $0.0025 was spent',
      )
    })

    test('settings stand in groups, those that were changed first', async () => {
      process.env.BUDGET_PER_CALL = '0.02'
      const page = await (await visitor.get('/operator/settings?lang=ja')).text()
      delete process.env.BUDGET_PER_CALL
      const [changed = '', ...groups] = page.split('<section>').slice(1)
      expect(changed).toStartWith('<h2>変更した設定</h2>')
      expect(changed).toContain('<code>0.02</code> <small>環境変数</small>')
      const listening = groups.find(each => each.startsWith('<h2>待ち受け</h2>'))
      expect(listening).toContain('RATE_LIMIT')
      expect(groups.join('')).not.toContain('BUDGET_PER_CALL')
      // Every setting is explained in the language of the page, with what holds while it is not set.
      expect(changed + groups.join('')).not.toMatch(/ lang="en"|Empty: /)
      expect(listening).toContain('<code>HOST</code></dt><dd>未設定：<span>ループバック（IPv4とIPv6）</span>')
    })

    test('a source says why it failed in the language of the page, and offers to be read at once', async () => {
      await using store = await openStore(databaseUrl, { clock: systemClock })
      const url = 'https://away.example'
      await store.sources.add(url)
      const failed = { failures: 4, problem: `${url} responds with status 503.`, kind: 'list' }
      const [at, cause] = [new Date().toISOString(), say('answers', { status: 503 })]
      await store.sources.save({ ...createSourceState(url), ...failed, checkedAt: at, cause })
      for (const path of ['/operator?lang=ja', '/operator/sources?lang=ja'])
        expect(await (await visitor.get(path)).text()).toContain('<span>ステータス 503 で応答します。</span>')
      const [source] = await (server.app.directory as LocalDirectory).followedSources({ key })
      expect(await (await visitor.get('/operator/sources')).text()).toContain(`Read now: ${url}`)
      await visitor.send('/operator/sources', { action: 'read', id: source!.id })
      const [asked] = await (server.app.directory as LocalDirectory).followedSources({ key })
      expect(asked).toMatchObject({ checkedAt: null, failures: 4, kind: 'list' })
      expect(Date.parse(asked!.dueAt!)).toBeLessThanOrEqual(Date.now())
      expect(await (await visitor.get('/operator/sources')).text()).not.toContain(`Read now: ${url}`)
    })

    test('what is done is told with the names of keys and services, and the own key is marked', async () => {
      const mine = 'This is the key you are signed in with.'
      const keys = await (await visitor.get('/operator/keys')).text()
      expect(keys.split(mine)).toHaveLength(2)
      const [, id] = new RegExp(`link</b> <code>(key_\\w+)</code><p class="note"><b>${mine}`).exec(keys)!
      const by = `opened by the first link ${id}`
      await visitor.send('/operator/hidden', {
        action: 'hide',
        kind: 'service',
        value: ids.service!,
        why: WHY,
      })
      const found = await (server.app.directory as LocalDirectory).lookUp([ids.service!])
      const { name } = found.get(ids.service!)!.entry!
      const hidden = await (await visitor.get('/operator/hidden?lang=ja')).text()
      for (const told of [`<b>${name}</b>`, `はい、${name} を誰でも`, `操作者：${by}`])
        expect(hidden).toContain(told)
      expect(await (await visitor.get('/operator')).text()).toContain(`by ${by}`)
    })

    test('a name of control characters is refused as such', async () => {
      const sent = { action: 'create', name: '\u0007', scopes: 'register' }
      expect(await (await visitor.send('/operator/keys', sent)).text()).toContain(
        'control or invisible characters (U+0007)',
      )
    })

    test('the entrance has the command that makes a key, and tells who is signed in as an owner', async () => {
      const owner = createVisitor(server.url)
      const before = await (await owner.get('/operator')).text()
      expect(before).toContain('npm run -s shirube -- keys create desk --scope admin')
      await owner.send('/sign-in', { action: 'key', key: KEY })
      const note = 'signed in with a key that is not an operator’s'
      expect([before.includes(note), (await (await owner.get('/operator')).text()).includes(note)]).toEqual([
        false,
        true,
      ])
    })
  })

  describe('a stranger', () => {
    const raw = (path: string, init: RequestInit = {}) =>
      ask(server.url + path, { redirect: 'manual', ...init })
    const withCookie = (name: string, value: string, path = '/operator/keys', init: RequestInit = {}) =>
      raw(path, { ...init, headers: { cookie: `${name}=${value}`, ...init.headers } })
    const asOperator = (value: string) => withCookie('shirube-operator', value)
    const withBearer = (value: string, path = '/api/operator/keys') =>
      raw(path, { headers: { authorization: `Bearer ${value}` } })
    const session = () => visitor.cookies.get('shirube-operator')!
    const secret = () => visitor.cookies.get('shirube-form')!
    const ours = () => [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const tokenOf = (text: string) => /name="token" value="([^"]*)"/.exec(text)![1]!
    const ownToken = async () => tokenOf(await (await visitor.get('/operator/keys')).text())
    const CREATE = { action: 'create', name: 'Intruder', scopes: 'admin' }
    /** In the browser of the operator, as a page elsewhere makes it do. */
    const inBrowser = (form: Record<string, string> | string, type = 'application/x-www-form-urlencoded') =>
      raw('/operator/keys', {
        method: 'POST',
        body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
        headers: { cookie: ours(), 'content-type': type },
      })
    const agent = async () => {
      const policy = { levels: ['paid' as const] }
      return (await operator.keys.create({ name: 'Agent', scopes: [], expiresAt: null, policy })).key
    }
    const expired = async () => {
      const { key: ended, record } = await operator.keys.create({
        name: 'Ended',
        scopes: ['admin'],
        expiresAt: null,
      })
      await operator.keys.expire(record.id)
      return ended
    }
    const owner = async () => {
      const signedIn = createVisitor(server.url)
      await signedIn.send('/sign-in', { action: 'key', key: KEY })
      return signedIn.cookies.get('shirube-session')!
    }
    const hash = (text: string) => Bun.CryptoHasher.hash('sha256', text, 'hex')
    const post = (path: string, form: object) =>
      createVisitor(server.url).send(path, form as Record<string, string>)

    type Try = readonly [what: string, run: () => Promise<Response>, expected: number]
    const TRIES: readonly Try[] = [
      ['no cookie', () => raw('/operator/keys'), 401],
      ['an empty session', () => asOperator(''), 401],
      ['an invented session', () => asOperator('A'.repeat(43)), 401],
      ['a session that is a statement', () => asOperator("'%20OR%201=1--"), 401],
      ['a session of 7,000 characters', () => asOperator('A'.repeat(7_000)), 401],
      ['a session with one letter changed', () => asOperator(`${session().slice(0, -1)}-`), 401],
      ['the hash of a session, as the database has it', () => asOperator(hash(session())), 401],
      ['the session of an owner', async () => asOperator(await owner()), 401],
      [
        'the session of an operator under the name of an owner’s',
        () => withCookie('shirube-session', session()),
        401,
      ],
      ['the key of an operator as a session', () => asOperator(key), 401],
      ['the session of an operator as a link', () => raw(`/operator?token=${session()}`), 401],
      ['the key of an operator in the address', () => raw(`/operator/keys?key=${key}`), 401],
      ['the session of an operator as a key of the API', () => withBearer(session()), 401],
      ['the hash of a key as a key', () => withBearer(hash(key)), 401],
      [
        'the cookie of an operator at the API',
        () => withCookie('shirube-operator', session(), '/api/operator/keys'),
        401,
      ],
      ['the key of an agent at the API', async () => withBearer(await agent()), 403],
      [
        'the key of an agent at the door',
        async () => post('/operator', { action: 'enter', key: await agent() }),
        403,
      ],
      [
        'a key that has expired',
        async () => post('/operator', { action: 'enter', key: await expired() }),
        401,
      ],
      [
        'a loopback address in a header',
        () => raw('/operator', { headers: { 'x-forwarded-for': '127.0.0.1' } }),
        401,
      ],
      [
        'another path in a header',
        () => raw('/healthz', { method: 'POST', headers: { 'x-original-url': '/operator/keys' } }),
        405,
      ],
      ['a page with a slash more', () => raw('/operator//keys'), 404],
      ['a page in other letters', () => raw('/operator/Keys'), 404],
      ['a page that every object has', () => raw('/operator/constructor'), 404],
      ['a page by way of another', () => raw('/yours/%2e%2e/operator/keys'), 401],
      ['a backup without a session', () => raw('/operator/backups/any.db'), 303],
      ['a file beside the backups', () => visitor.get('/operator/backups/..%2f..%2froom.db'), 404],
      ['a file by a path with a zero', () => visitor.get('/operator/backups/room.db%00.db'), 404],
      ['a form without a token', () => inBrowser(CREATE), 403],
      [
        'a form with the token of another visitor',
        async () => inBrowser({ ...CREATE, token: tokenOf(await (await raw('/operator')).text()) }),
        403,
      ],
      [
        'a form with the token of before the sign-in',
        async () =>
          inBrowser({ ...CREATE, token: Buffer.from(hash(`${secret()}\n`), 'hex').toString('base64url') }),
        403,
      ],
      [
        'a form with the token of the operator, without the session',
        async () =>
          raw('/operator/keys', {
            method: 'POST',
            body: new URLSearchParams({ ...CREATE, token: await ownToken() }),
            headers: { cookie: `shirube-form=${secret()}` },
          }),
        401,
      ],
      [
        'a form with two tokens',
        async () => inBrowser(`${new URLSearchParams(CREATE)}&token=x&token=${await ownToken()}`),
        403,
      ],
      [
        'a form as text',
        async () => inBrowser(`token=${await ownToken()}&${new URLSearchParams(CREATE)}`, 'text/plain'),
        415,
      ],
      [
        'a form as JSON',
        async () => inBrowser(JSON.stringify({ ...CREATE, token: await ownToken() }), 'application/json'),
        415,
      ],
      [
        'a form in the address',
        async () =>
          visitor.get(`/operator/keys?${new URLSearchParams({ ...CREATE, token: await ownToken() })}`),
        200,
      ],
      [
        'a form of another page',
        async () => visitor.send('/operator/sources', CREATE, { at: '/operator/keys' }),
        400,
      ],
      [
        'another method',
        async () => raw('/operator/keys', { method: 'PUT', body: 'x', headers: { cookie: ours() } }),
        405,
      ],
    ]

    test.each(TRIES.map(([what, , expected], i) => [what, expected, i] as const))(
      'does nothing with %s: %i',
      async (_, expected, i) => {
        const made = async () => (await operator.keys.list()).filter(({ name }) => name === 'Intruder')
        const before = (await acts()).filter(({ who }) => who !== 'command')
        const response = await TRIES[i]![1]()
        expect(response.status).toBe(expected)
        expect(await made()).toEqual([])
        expect((await acts()).filter(({ who }) => who !== 'command')).toEqual(before)
        expect((await visitor.get('/operator')).status).toBe(200)
      },
    )

    test('who acts twice at once acts once', async () => {
      const made = await Promise.all(
        [1, 2].map(() => operator.keys.create({ name: 'Twice', scopes: ['register'], expiresAt: null })),
      )
      const twice = (form: () => Record<string, string>, path: string) =>
        Promise.all([1, 2].map(async () => (await visitor.send(path, form())).status))
      const [{ record }] = made as [(typeof made)[0]]
      expect(
        (await twice(() => ({ action: 'revoke', id: record.id, sure: '1' }), '/operator/keys')).sort(),
      ).toEqual([303, 404])
      const policy = JSON.stringify({ deny: ['a.example'] })
      expect(
        await twice(() => ({ action: 'change', id: made[1]!.record.id, policy }), '/operator/keys'),
      ).toEqual([200, 200])
      expect(
        (await acts()).filter(({ act, about }) => act === 'key_revoked' && about === record.id),
      ).toHaveLength(1)
    })
  })
})
