// Sources that are not a Shirube directory: lists in every known form, export documents, and origins that describe themselves.
import { describe, expect, test } from 'bun:test'
import { deriveId } from '../../src/domain/ids.ts'
import { groupResources } from '../../src/sync/group-resources.ts'
import { readList, recognise } from '../../src/sync/read-source.ts'
import { SourceFailure } from '../../src/sync/source-reader.ts'
import { followList, servicesOf, USDC, v2, WALLET } from './followed-list.ts'
import { at, serve } from './json-server.ts'
import { draft, Node } from './node.ts'

const USDC_ON_SEPOLIA = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const POLICY = { allowPrivateEndpoints: false, strictAddresses: false }
const OTHER_WALLET = '0x2222222222222222222222222222222222222222'

const v1 = (url: string) => ({
  url,
  type: 'http',
  x402Version: 1,
  accepts: [{ scheme: 'exact', network: 'base', maxAmountRequired: '1000', asset: USDC, payTo: WALLET }],
  lastUpdated: 1_790_000_000,
})

describe('A list', () => {
  const envelopes: [string, unknown][] = [
    [
      'of version 2',
      { x402Version: 2, items: [v2('https://a.example/x')], pagination: { limit: 100, offset: 0, total: 1 } },
    ],
    ['under resources', { resources: [v2('https://a.example/x')], pagination: { limit: 20, cursor: null } }],
    ['in an envelope', { success: true, data: { items: [v2('https://a.example/x')] } }],
    ['without pagination', { items: [v2('https://a.example/x')] }],
    ['that is an array', [v2('https://a.example/x')]],
    ['of version 1, with url and unix dates', { items: [v1('https://a.example/x')] }],
  ]
  test.each(envelopes)('%s is read', async (_, document) => {
    using list = serve(at('/discovery/resources', document))
    await using node = await Node.start('node')
    expect(await node.sync(`${list.url}/discovery/resources`)).toMatchObject({ kind: 'list', added: 1 })
    const [service] = await servicesOf(node)
    expect(service).toMatchObject({
      endpoint: 'https://a.example/x',
      status: 'unverified',
      x402Config: { paymentAddress: WALLET },
    })
    // Read again, it is the same list.
    expect(await node.sync(`${list.url}/discovery/resources`)).toMatchObject({ added: 0, changed: 0 })
  })

  test('is found from the address of its server and read page by page', async () => {
    const items = Array.from({ length: 250 }, (_, i) => v2(`https://host-${i}.example/x`))
    using list = serve(url => {
      if (url.pathname !== '/discovery/resources') return undefined
      const offset = Number(url.searchParams.get('offset') ?? 0)
      const limit = Number(url.searchParams.get('limit') ?? 20)
      const page = items.slice(offset, offset + limit)
      return { x402Version: 2, items: page, pagination: { limit, offset, total: items.length } }
    })
    await using node = await Node.start('node')
    expect(await node.sync(list.url)).toMatchObject({ kind: 'list', added: 250, skipped: 0 })
  })

  test('becomes one service for all items of one origin and wallet', async () => {
    const items = [
      v2('https://api.example/v1/weather/now', { lastUpdated: 1_700_000_000 }),
      v2('https://api.example/v1/weather/week', { lastUpdated: 1_800_000_000_000, tags: ['weather'] }),
      v2('https://api.example/v1/tides', {}, { amount: '9000' }),
      v2('https://api.example/v1/other', {}, { payTo: OTHER_WALLET }),
      v2('https://elsewhere.example/v1/x', { serviceName: 'Elsewhere' }),
    ]
    await using followed = await followList(...items)
    await followed.sync()
    const services = (await followed.services()).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    expect(services).toHaveLength(3)
    const grouped = services.find(({ name }) => name === 'api.example')!
    expect(grouped).toMatchObject({
      endpoint: 'https://api.example/v1',
      category: 'weather',
      pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
    })
    expect(grouped.description).toStartWith('About https://api.example/v1/weather/week\n')
    expect(services.map(({ name }) => name)).toContain('Elsewhere')
  })

  test('updates its entries; one that it drops is marked, and stays for the probes to judge', async () => {
    const quality = { l30DaysTotalCalls: 40, l30DaysUniquePayers: 7, lastCalledAt: '2026-09-30T08:00:00Z' }
    const a = v2('https://a.example/x')
    const b = v2('https://b.example/x/1', { quality })
    const c = v2('https://b.example/x/2', { extensions: { bazaar: { quality: { l30DaysTotalCalls: 2 } } } })
    await using followed = await followList(a, b, c)
    const { node, source, relist, sync } = followed
    await sync()
    const find = async (host: string) =>
      (await followed.services()).find(({ endpoint }) => endpoint.includes(host))!
    const claimsOf = async (host: string) =>
      (await node.directory.trust((await find(host)).id)).decode().claims
    const said = { source, calls: 42, payers: 7, lastCalledAt: '2026-09-30T08:00:00.000Z' }
    expect(await claimsOf('a.example')).toEqual([])
    expect(await claimsOf('b.example')).toMatchObject([{ ...said, droppedAt: null }])

    relist(v2('https://a.example/x', {}, { amount: '5000' }))
    expect(await sync()).toMatchObject({ changed: 1, vanished: 1 })
    expect((await find('a.example')).pricing.pricePerRequest).toBe('0.005')
    expect((await find('b.example')).status).toBe('unverified')
    expect(await claimsOf('b.example')).toMatchObject([{ ...said, droppedAt: expect.any(String) }])
    expect(await sync()).toMatchObject({ changed: 0, vanished: 0 })

    // Counts change with every call: those of one day are kept.
    relist(a, v2('https://b.example/x/1', { quality: { ...quality, l30DaysTotalCalls: 50 } }), c)
    expect(await sync()).toMatchObject({ added: 0, changed: 2, vanished: 0 })
    expect(await claimsOf('b.example')).toMatchObject([{ ...said, droppedAt: null }])
  })

  test.each<[unknown, object | undefined]>([
    [{ l30DaysTotalCalls: 3 }, { calls: 3, payers: null, lastCalledAt: null }],
    [
      { lastCalledAt: 1_790_000_000 },
      { calls: null, payers: null, lastCalledAt: '2026-09-21T14:13:20.000Z' },
    ],
    [{ l30DaysTotalCalls: -1, l30DaysUniquePayers: 1.5, lastCalledAt: 'soon' }, undefined],
    [{ l30DaysTotalCalls: '9', l30DaysUniquePayers: 1e300, lastCalledAt: 1e300 }, undefined],
    [null, undefined],
  ])('that claims %j of an item is read as %j', (quality, claim) => {
    const { listings } = groupResources([v2('https://a.example/x', { quality })], POLICY)
    expect(listings[0]!.claim).toEqual(claim as never)
  })

  test('of things that are there, and not of what was paid for, deactivates dropped ones and restores them', async () => {
    const of = (...names: string[]) => ({
      exportedAt: '2026-11-01T00:00:00Z',
      endpoints: names.map(name => ({ ...draft(name), id: name })),
    })
    await using followed = await followList()
    const { node, answer, source, sync } = followed
    const stateOf = async () =>
      (await followed.services()).map(({ name, status }) => `${name} ${status}`).sort()
    answer(at('/list', of('One', 'Two')))
    await sync()
    answer(at('/list', of('One')))
    expect(await sync()).toMatchObject({ vanished: 1 })
    expect(await stateOf()).toEqual(['One unverified', 'Two inactive'])
    const gone = (await followed.services()).find(({ status }) => status === 'inactive')!
    const { items } = (await node.directory.history(gone.id, { limit: 1, days: 0 })).decode()
    expect(items[0]).toMatchObject({ reason: expect.stringContaining(`no longer lists it at ${source}`) })
    const { endpoint: url, x402Config } = gone
    const asked = { url, payTo: x402Config.paymentAddress, network: 'base' }
    const verdict = async () => (await node.directory.resolve(asked)).decode().verdict
    expect(await verdict()).toBe('caution')
    answer(at('/list', of('One', 'Two')))
    expect(await sync()).toMatchObject({ added: 0, changed: 1, vanished: 0 })
    expect(await stateOf()).toEqual(['One unverified', 'Two unverified'])

    // What an operator restored or retired stays as it is.
    answer(at('/list', of('One')))
    await sync()
    await node.directory.restore(gone.id, node)
    expect(await sync()).toMatchObject({ vanished: 0 })
    expect(await stateOf()).toContain('Two unverified')
    await node.directory.retire(gone.id, { message: 'A trap.' }, node)
    expect(await verdict()).toBe('stop')
  })

  test('that breaks off or becomes empty deactivates nothing', async () => {
    const items = Array.from({ length: 3 }, (_, i) => v2(`https://host-${i}.example/x`))
    await using followed = await followList(...items)
    const { answer, sync } = followed
    await sync()
    answer(url =>
      url.searchParams.has('offset')
        ? new Response('broken', { status: 500 })
        : { items: items.slice(0, 1), pagination: { limit: 1, offset: 0, total: 3 } },
    )
    await expect(sync()).rejects.toThrow(/status 500/)
    answer(at('/list', { items: [], pagination: { limit: 100, offset: 0, total: 0 }, resources: [] }))
    await sync().catch(() => {})
    expect((await followed.services()).map(({ status }) => status)).not.toContain('inactive')
    expect((await followed.node.sources())[0]).toMatchObject({ kind: expect.any(String) })
  })

  test('reports items that cannot be listed, with position and reason, and adds the rest', async () => {
    const items = [
      v2('https://a.example/x'),
      v2('ftp://b.example/x'),
      v2('https://c.example/x', {}, { asset: '0x9' }),
      { resource: 'https://d.example', accepts: [] },
      'nonsense',
    ]
    await using followed = await followList(...items)
    const report = await followed.sync()
    expect(report).toMatchObject({ added: 1, skipped: 4 })
    expect(report.problems[0]).toMatch(/^item 2: endpoint/)
  })

  test('open to anybody changes neither endpoint nor price of a service confirmed by its endpoint', async () => {
    const own = v2('https://a.example/v1/x')
    await using followed = await followList(own)
    const { relist, sync } = followed
    const id = await followed.syncOne()
    const probed = (status: 'verified' | 'unverified', amount: string) =>
      followed.edit(id, ({ standing }) => {
        const asks = { amount, currency: 'USDC' }
        const seen = { at: new Date().toISOString(), price: 'same' as const, asks, resources: [] }
        return { standing: { ...standing, status }, seen }
      })
    const read = async () => {
      await sync()
      const { standing, endpoint, pricing } = await followed.entry(id)
      return [standing.status, endpoint, pricing.pricePerRequest]
    }
    await probed('verified', '0.0025')
    // Somebody lists other paths of the host for the wallet of the seller, at another price.
    const strangers = [1, 2, 3].map(i => v2(`https://a.example/else/${i}`, {}, { amount: '1' }))
    relist(own, ...strangers)
    expect(await read()).toEqual(['verified', 'https://a.example/v1/x', '0.0025'])
    // What the endpoint itself asks for is followed, and everything once it asks no longer for what is listed.
    relist(v2('https://a.example/v1/x', {}, { amount: '1000' }))
    await probed('verified', '0.001')
    expect(await read()).toEqual(['verified', 'https://a.example/v1/x', '0.001'])
    relist(v2('https://a.example/v2/x', {}, { amount: '9000' }))
    await probed('unverified', '0.001')
    expect(await read()).toEqual(['unverified', 'https://a.example/v2/x', '0.009'])
  })

  test('open to anybody does not rename a confirmed service, nor describe it first by what is outside its endpoint', async () => {
    const own = v2('https://a.example/v1/x', { serviceName: 'Tides', description: 'Tides of every harbour.' })
    await using followed = await followList(own)
    const id = await followed.syncOne()
    await followed.edit(id, ({ standing }) => ({ standing: { ...standing, status: 'verified' } }))
    const parts = {
      serviceName: 'Closed',
      description: 'Closed. Use another.',
      lastUpdated: '2026-11-01T00:00:00Z',
    }
    const stranger = v2('https://a.example/else', { ...parts, tags: ['finance'] }, { amount: '1' })
    followed.relist(stranger, own)
    await followed.sync()
    const { name, description, category, endpoint, pricing } = await followed.entry(id)
    expect({ name, description, category }).toEqual({
      name: 'Tides',
      description: 'Tides of every harbour.\nClosed. Use another.',
      category: 'other',
    })
    expect([endpoint, pricing.pricePerRequest]).toEqual(['https://a.example/v1/x', '0.0025'])
  })

  test('open to anybody cannot keep a service from being confirmed by items that lead nowhere', async () => {
    const own = v2('https://a.example/v1/x')
    const strangers = [1, 2, 3].map(i => v2(`https://a.example/else/${i}`, {}, { amount: '1' }))
    await using followed = await followList(...strangers, own)
    const id = await followed.syncOne()
    const read = async () => {
      await followed.sync()
      const { endpoint, pricing } = await followed.entry(id)
      return `${endpoint} ${pricing.pricePerRequest}`
    }
    const probed = (uptimeScore: number) =>
      followed.edit(id, ({ standing }) => {
        const lastChecked = new Date(Date.parse(standing.lastChecked) + 1).toISOString()
        return { standing: { ...standing, lastChecked, uptimeScore } }
      })
    const merged = 'https://a.example/ 0.000001'
    expect(await read()).toBe(merged)
    // The first probe asks there, so that a folder that answers nothing is no obstacle.
    const { origin } = (await followed.entry(id)).provenance
    expect(origin?.resource).toBe('https://a.example/else/1')
    // While nothing answers there, nothing else is tried.
    await probed(0)
    expect(await read()).toBe(merged)
    const tried = new Set<string>()
    for (let i = 0; i < 4; i++) {
      await probed(100)
      tried.add(await read())
      expect(tried).toContain(await read())
    }
    const each = [1, 2, 3].map(i => `https://a.example/else/${i} 0.000001`)
    expect(tried).toEqual(new Set([...each, 'https://a.example/v1/x 0.0025']))
    await probed(100)
    expect(await read()).toBe(merged)
  })

  test('does not change a price that was corrected here, even if the endpoint confirms it', async () => {
    await using followed = await followList(v2('https://a.example/x'))
    const { node } = followed
    const id = await followed.syncOne()
    await node.directory.edit(id, { pricing: { pricePerRequest: '0.001' } }, node)
    for (const status of ['verified', 'unverified'] as const) {
      await followed.edit(id, ({ standing }) => ({ standing: { ...standing, status } }))
      await followed.sync()
      expect((await followed.entry(id)).pricing.pricePerRequest).toBe('0.001')
    }
  })

  test('does not change entries with an owner here', async () => {
    await using followed = await followList(v2('https://a.example/x'))
    const id = await followed.syncOne()
    await followed.edit(id, () => ({ owner: 'key_a', name: 'Mine' }))
    followed.relist(v2('https://z.example/x'))
    expect(await followed.sync()).toMatchObject({ changed: 0, vanished: 0 })
    expect(await followed.entry(id)).toMatchObject({ name: 'Mine', retired: null })
  })
})

describe('An item of a list whose service is already listed', () => {
  const owned = {
    ...draft('Mine'),
    endpoint: 'https://mine.example/v2',
    x402Config: { paymentAddress: WALLET, network: 'base' },
  }
  const item = v2('https://MINE.example:443/v1/x', {}, { payTo: WALLET.toLowerCase() })

  test('stays with its owner in any spelling', async () => {
    await using followed = await followList(item, v2('https://b.example/x'))
    const { node, sync } = followed
    await node.directory.register(owned, node)
    expect(await sync()).toMatchObject({ added: 1, known: 1, skipped: 0 })
    expect(await sync()).toMatchObject({ added: 0, known: 1, changed: 0 })
    const services = await followed.services()
    expect(services.map(({ name }) => name).sort()).toEqual(['Mine', 'b.example/x'])
    expect(services.find(({ name }) => name === 'Mine')).toMatchObject(owned)
  })

  test('is recognised in every spelling that its chain gives the address', async () => {
    const digits = 'abcdef0123456789abcdef0123456789abcdef01'
    const asset = '0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b'
    const spelled = (payTo: string) =>
      v2('https://mine.example/v1/x', {}, { network: 'aptos:1', asset, payTo })
    const [short, long] = [`0x${digits}`, `0x${digits.padStart(64, '0')}`]
    await using followed = await followList(spelled(short), spelled(long))
    const { source, relist, sync } = followed
    expect(await sync()).toMatchObject({ added: 1, skipped: 0 })
    relist(spelled(`0x000${digits}`))
    expect(await sync()).toMatchObject({ added: 0, vanished: 0 })
    expect((await followed.services()).map(({ status }) => status)).toEqual(['unverified'])

    await using other = await Node.start('other')
    await other.directory.register(
      { ...owned, x402Config: { paymentAddress: long, network: 'aptos' } },
      other,
    )
    expect(await other.sync(source)).toMatchObject({ added: 0, known: 1 })
  })

  test('is a different service if its payee or chain differs', async () => {
    const items = [
      v2('https://mine.example/v1/x', {}, { payTo: OTHER_WALLET }),
      v2('https://mine.example/v1/y', {}, { network: 'eip155:84532', asset: USDC_ON_SEPOLIA }),
    ]
    await using followed = await followList(...items)
    const { node } = followed
    await node.directory.register(owned, node)
    expect(await followed.sync()).toMatchObject({ added: 2, known: 0 })
  })

  test('is not added again after its owner removed it', async () => {
    await using followed = await followList(item)
    const { node } = followed
    const id = await followed.syncOne()
    await node.directory.remove(id, { key: await node.walletKey(WALLET) })
    expect(await followed.sync()).toMatchObject({ added: 0, known: 1 })
    expect(await followed.services()).toEqual([])
  })

  test('is added although a stranger listed and removed it', async () => {
    await using followed = await followList(item)
    const { node, sync } = followed
    const key = await node.walletKey(OTHER_WALLET)
    const { id } = (await node.directory.register(owned, { key })).service.decode()
    await node.directory.remove(id, { key })
    expect(await sync()).toMatchObject({ added: 1, known: 0 })
  })

  test('is added although a stranger listed it as closed', async () => {
    await using followed = await followList(item)
    const { node, sync } = followed
    const key = await node.walletKey(OTHER_WALLET)
    await node.directory.register({ ...owned, name: 'Closed, do not use' }, { key })
    expect(await sync()).toMatchObject({ added: 1, known: 0 })
    expect(await sync()).toMatchObject({ added: 0, changed: 0 })
  })

  test('stays one service if the first of two lists drops it', async () => {
    await using first = await followList(item, v2('https://b.example/x'))
    using second = serve(at('/list', { items: [item] }))
    const { node } = first
    await first.sync()
    first.relist(v2('https://b.example/x'))
    expect(await first.sync()).toMatchObject({ vanished: 1 })
    expect(await node.sync(`${second.url}/list`)).toMatchObject({ added: 0, known: 1 })
  })
})

test('Entries of an export document have ids that are derived from theirs', async () => {
  await using home = await Node.start('home')
  const { id } = await home.register('Exported')
  await using node = await Node.start('node')
  expect(await node.sync(`${home.url}/api/export`)).toMatchObject({ kind: 'export', added: 1 })
  const copy = deriveId(id, `${home.url}/api/export`)
  expect(await node.get(copy)).toMatchObject({ name: 'Exported', endpoint: draft('Exported').endpoint })
})

test('Entries of an export document with invalid ids are recognised by their sellers', async () => {
  const listed = (id: unknown, host: string) => ({
    ...draft('Odd'),
    id,
    endpoint: `https://${host}.example/`,
  })
  const endpoints = [
    listed('a\u0000b', 'a'),
    listed('x'.repeat(200_000), 'b'),
    listed(7, 'c'),
    listed('own-id', 'd'),
  ]
  using server = serve(at('/export', { version: '1.0', exportedAt: '2026-11-01T00:00:00.000Z', endpoints }))
  await using node = await Node.start('node')
  expect(await node.sync(`${server.url}/export`)).toMatchObject({ added: 4, skipped: 0 })
  expect(await node.sync(`${server.url}/export`)).toMatchObject({ added: 0, changed: 0, vanished: 0 })
  const kept = await Array.fromAsync(node.directory.export(), ({ id }) => node.directory.provenance(id))
  for (const provenance of kept) expect(provenance.bytes.length).toBeLessThan(2_000)
})

test.each([
  ['first', 0],
  ['second', 1],
])('an item nested 80,000 levels deep, the %s of a list, is skipped alone', async (_, at) => {
  const levels = 80_000
  const deep = `{"resource":"https://deep.example/","accepts":[],"extra":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const plain = JSON.stringify(v2('https://plain.example/'))
  const items = [plain, plain.replace('plain.', 'other.')].toSpliced(at, 0, deep)
  const body = `{"items":[${items.join(',')}],"pagination":{"total":3}}`
  using server = serve(({ pathname }) =>
    pathname === '/discovery/resources'
      ? new Response(body, { headers: { 'content-type': 'application/json' } })
      : undefined,
  )
  await using node = await Node.start('node')
  expect(await node.sync(`${server.url}/discovery/resources`)).toMatchObject({ added: 2, skipped: 1 })
})

test('reading an endless list with one item per page stops', async () => {
  let pages = 0
  const ask = {
    json: async () => ({ items: [v2(`https://a.example/${++pages}`)], pagination: { cursor: `${pages}` } }),
    maybeJson: async () => undefined,
  }
  const reading = readList(ask, 'https://list.example/', { bytes: 0, entries: 0 })
  await expect(reading).rejects.toThrow('https://list.example/ sends more than 5,000 pages.')
  expect(pages).toBe(5_000)
})

test.each(['x402', 'ard.json'])('the manifest %s of another Shirube leads to its feed', async name => {
  await using home = await Node.start('home')
  await home.register('Found by the manifest')
  await using node = await Node.start('node')
  expect(await node.sync(`${home.url}/.well-known/${name}`)).toMatchObject({ kind: 'shirube', added: 1 })
})

describe('an origin that describes itself', () => {
  const terms = {
    x402Version: 1,
    accepts: [
      {
        scheme: 'exact',
        network: 'base',
        maxAmountRequired: '4000',
        asset: USDC,
        payTo: WALLET,
        resource: '/',
      },
    ],
  }
  const paid = () => Response.json(terms, { status: 402 })

  test('by OpenAPI with x-payment-info is read for the terms of each operation', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Maps of everything', description: 'Every street, by the request.' },
      'x-service-info': { categories: ['routing', 'Maps'], docs: { homepage: 'https://maps.example' } },
      paths: { '/v1/route': { get: { 'x-payment-info': { protocols: ['x402'] } } }, '/v1/free': { get: {} } },
    }
    using origin = serve(url => {
      if (url.pathname === '/openapi.json') return document
      return url.pathname === '/v1/route' ? paid() : undefined
    })
    await using node = await Node.start('node')
    expect(await node.sync(origin.url)).toMatchObject({ kind: 'origin', added: 1, skipped: 0 })
    expect(await servicesOf(node)).toMatchObject([
      {
        name: 'Maps of everything',
        description: 'Every street, by the request.',
        endpoint: `${origin.url}/v1/route`,
        category: 'maps',
        pricing: { currency: 'USDC', pricePerRequest: '0.004' },
        x402Config: { paymentAddress: WALLET, network: 'base' },
      },
    ])
  })

  test('by a manifest is read likewise, and resources without terms are reported', async () => {
    const manifest = { version: 1, name: 'Two things', resources: ['/paid', '/unpaid'] }
    using origin = serve(url => {
      if (url.pathname === '/.well-known/x402') return manifest
      if (url.pathname === '/paid') return paid()
      return url.pathname === '/unpaid' ? { free: true } : undefined
    })
    await using node = await Node.start('node')
    const report = await node.sync(origin.url)
    expect(report).toMatchObject({ kind: 'origin', added: 1, skipped: 1 })
    expect(report.problems[0]).toContain('/unpaid')
  })

  test('by a manifest of ARD is read likewise', async () => {
    const manifest = {
      specVersion: '1.0',
      host: { displayName: 'Tides of the coast' },
      entries: [
        {
          identifier: 'urn:air:tides.example:mcp:card',
          type: 'application/mcp-server-card+json',
          url: '/card',
        },
        { identifier: 'urn:air:tides.example:api:tides', type: 'application/x402+json', url: '/v1/tides' },
      ],
    }
    for (const path of ['/.well-known/ard.json', '/.well-known/ai-catalog.json']) {
      using origin = serve(url => {
        if (url.pathname === path) return manifest
        return url.pathname === '/v1/tides' ? paid() : undefined
      })
      await using node = await Node.start('node')
      const report = await node.sync(origin.url + path)
      expect(report).toMatchObject({ kind: 'origin', added: 1, skipped: 1 })
      expect(report.problems[0]).toContain('/card')
      expect(await servicesOf(node)).toMatchObject([
        { name: 'Tides of the coast', endpoint: `${origin.url}/v1/tides` },
      ])
    }
  })

  test('or has no description is reported', async () => {
    using origin = serve(() => undefined)
    await using node = await Node.start('node')
    await expect(node.sync(origin.url)).rejects.toThrow(/is neither another Shirube nor/)
  })
})

test('progress of reading a list uses its own total', async () => {
  await using node = await Node.start('lists-progress')
  const all = Array.from({ length: 250 }, (_, i) => v2(`https://many.example/${i}`))
  using source = serve(({ pathname, searchParams }) => {
    if (pathname !== '/discovery/resources') return undefined
    const offset = Number(searchParams.get('offset') ?? 0)
    const items = all.slice(offset, offset + 100)
    return { x402Version: 2, items, pagination: { limit: 100, offset, total: all.length } }
  })
  const told: unknown[] = []
  await node.sync(`${source.url}/discovery/resources`, (...progress) => void told.push(progress))
  expect(told).toEqual([
    [100, 0.4],
    [200, 0.8],
    [250, 1],
  ])
})

/** A source that holds these documents and nothing else. */
const holding = (documents: Readonly<Record<string, unknown>>) => ({
  json: async (url: string) => documents[url],
  maybeJson: async (url: string) => documents[url],
})

test('a manifest links to its feed, by a URL or by a path', async () => {
  for (const changes of ['https://a.example/x/api/changes', '/x/api/changes'])
    expect(
      await recognise(
        holding({ 'https://a.example/.well-known/x402': { x402Version: 2, changes } }),
        'https://a.example',
      ),
    ).toEqual({ kind: 'shirube', base: 'https://a.example/x' })
})

test('the feed of a Shirube leads to the Shirube', async () => {
  for (const path of ['/api/changes', '/api/changes?since=0'])
    expect(await recognise(holding({}), `https://a.example/x${path}`)).toEqual({
      kind: 'shirube',
      base: 'https://a.example/x',
    })
})

test('a URL with nothing of the kind is refused with what could be there', async () => {
  await expect(recognise(holding({}), 'https://a.example/x.csv')).rejects.toThrow(
    'https://a.example/x.csv cannot be read. It is neither another Shirube nor an x402 list, an export or an origin with paid resources.',
  )
})

test('a manifest whose feed is not a URL is read for its other content, or reported as empty', async () => {
  for (const changes of ['http://[', 'https://a b/', 'http://x:99999/']) {
    const manifest = { x402Version: 2, changes }
    const alone = recognise(holding({ 'https://a.example/.well-known/x402': manifest }), 'https://a.example')
    await expect(alone).rejects.toThrow(SourceFailure)
    const document = { ...manifest, resources: ['https://a.example/v1'] }
    expect(
      await recognise(holding({ 'https://a.example/.well-known/x402': document }), 'https://a.example'),
    ).toEqual({ kind: 'origin', base: 'https://a.example', document })
  }
})
