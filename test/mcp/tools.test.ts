// Every tool, used with the official client over every transport.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readConfig } from '../../src/app/config.ts'
import type { App } from '../../src/app/server.ts'
import { openApp } from '../../src/app/server.ts'
import { KNOWN_CATEGORIES } from '../../src/domain/listing/categories.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { draft } from '../entries.ts'
import { readStandingSample } from '../quality/standing-sample.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { type Connected, call, connectOverHttp, connectOverStdio } from './connect.ts'

let folder: string
let settings: Record<string, string>
let app: App
let url: string
let key: string
beforeAll(async () => {
  folder = temporaryPath()
  key = 'a-key-from-the-settings'
  settings = { DATABASE_URL: `sqlite:${join(folder, 'directory.db')}`, PROBE: 'off', API_KEYS: key }
  {
    await using store = await openStore(settings.DATABASE_URL!, { clock: systemClock })
    await store.insert(await readStandingSample(systemClock.now()))
  }
  app = await openApp(readConfig({ ...settings, PORT: '0', LOG_LEVEL: 'silent' }))
  await app.caughtUp
  url = app.urls[0]!
})
afterAll(() => app[Symbol.asyncDispose]())

const READING_TOOLS =
  'find_service search_services get_service get_status list_categories resolve_payment'.split(' ')
type PaymentRequirements = (key?: string) => Promise<Connected>
const withKey = (key?: string) => (key === undefined ? [] : ['--key', key])

const WAYS: Readonly<Record<string, PaymentRequirements>> = {
  'over HTTP': key => connectOverHttp(url, key === undefined ? {} : { key }),
  'over HTTP with a handshake': key =>
    connectOverHttp(url, { era: 'legacy', ...(key !== undefined && { key }) }),
  'over standard input and output, on the store': key =>
    connectOverStdio(withKey(key), { env: settings, cwd: folder }),
  'over standard input and output, from a running directory': key =>
    connectOverStdio(['--url', url, ...withKey(key)], { cwd: folder, era: 'legacy' }),
}

describe.each(Object.entries(WAYS))('An agent %s', (_, connect) => {
  let client: Connected
  let known: Connected
  beforeAll(async () => {
    ;[client, known] = await Promise.all([connect(), connect(key)])
    await Promise.all([client.listTools(), known.listTools()])
  })
  afterAll(() => Promise.all([client.close(), known.close()]))

  test('gets instructions about the server and its use', () => {
    const { version } = require('../../package.json')
    expect(client.getServerVersion()).toMatchObject({ name: 'shirube', version })
    expect(client.getInstructions()).toContain('find_service')
  })

  test('sees the tools that it can use, those that write only with a key', async () => {
    const names = async (of: Connected) => (await of.listTools()).tools.map(({ name }) => name)
    expect(await names(client)).toEqual([...READING_TOOLS, 'check_endpoint'])
    expect(await names(known)).toEqual([
      ...READING_TOOLS,
      'check_endpoint',
      'register_service',
      'report_service',
    ])
  })

  test('gets a description of every tool and argument, and a schema of every result', async () => {
    for (const tool of (await known.listTools()).tools) {
      expect(tool.description).toBeString()
      expect(tool.outputSchema?.type).toBe('object')
      expect(undescribed(tool.inputSchema as Schema, tool.name)).toEqual([])
      expect(JSON.stringify(tool)).not.toContain('$ref')
    }
  })

  test('gets the list of tools in less than 22,000 characters, without patterns', async () => {
    const { tools } = await known.listTools()
    const text = JSON.stringify(tools)
    expect(text.length).toBeLessThan(22_000)
    for (const word of ['"pattern"', '9007199254740991', '"propertyNames"']) expect(text).not.toContain(word)
  })

  test('finds a service from a sentence in one call', async () => {
    const { content, text, isError } = await call(client, 'find_service', {
      q: '毎朝の天気予報を安く取りたい',
      limit: 3,
    })
    expect(isError).toBe(false)
    expect(content.results).toHaveLength(3)
    const [best] = content.results
    expect(best.service.category).toBe('weather')
    expect(best.reason).not.toBe('')
    expect(text).toContain(best.service.id)
    expect(text).toContain(best.service.pricing.pricePerRequest)
  })

  test('adds filters to the sentence, and drops misread constraints', async () => {
    const ask = async (args: object) =>
      (await call(client, 'find_service', { q: 'weather forecast, verified only', ...args })).content
    const onPolygon = await ask({ chain: 'polygon' })
    expect(onPolygon.results.length).toBeGreaterThan(0)
    for (const { service } of onPolygon.results) {
      const whole = (await call(client, 'get_service', { id: service.id })).content.service
      expect(whole.supportedChains).toContain('polygon')
    }
    const statuses = ({ results }: typeof onPolygon) =>
      new Set(results.map(({ service }: { service: { status: string } }) => service.status))
    expect(statuses(await ask({ limit: 50 }))).toEqual(new Set(['verified']))
    expect(statuses(await ask({ limit: 50, without: ['status'] }))).toContain('unverified')
  })

  test('searches by words and filters, page by page', async () => {
    const query = { category: 'weather', sortBy: 'price', limit: 2 }
    const first = (await call(client, 'search_services', query)).content
    expect(first).toMatchObject({ total: 6, nextOffset: 2 })
    const last = (await call(client, 'search_services', { ...query, offset: 4 })).content
    expect(last).toMatchObject({ total: 6, nextOffset: null })
  })

  test('gets one service, its backing and its status', async () => {
    const [{ id }] = (await call(client, 'search_services', { limit: 1 })).content.services
    const { content, text } = await call(client, 'get_service', { id })
    const { service, backing, notice } = content
    expect(service).toEqual((await app.directory.get(id)).decode())
    expect({ id, ...backing }).toEqual((await app.directory.backing(id)).decode())
    expect(text).toContain('The wallet that it pays has not claimed it.')
    expect(notice).toContain('data')
    const found = await call(client, 'get_status', { id })
    const { why, level, claims, ...measured } = found.content
    expect([level, claims]).toEqual(['listed', []])
    // Nothing was measured yet, and no chain is read.
    expect(found.text).toContain('uptime not measured yet, its payments are not read')
    expect(found.text).not.toContain('0 %')
    expect(measured).toEqual((await app.directory.status(id)).decode())
    expect(why).toBe((await app.directory.trust(id)).decode().components[0]!.reason)
  })

  test('asks whether a URL is safe to pay', async () => {
    const [service] = (await call(client, 'search_services', { limit: 1 })).content.services
    const asked = { url: `${service.endpoint}/x`, payTo: `0x${'4'.repeat(40)}`, network: 'base' }
    const { content, text } = await call(client, 'resolve_payment', asked)
    expect(content).toEqual((await app.directory.resolve(asked)).decode())
    expect(content).toMatchObject({ verdict: 'stop', listed: { endpoint: service.endpoint } })
    expect(text).toStartWith('stop. Do not pay.')
    const unknown = await call(client, 'resolve_payment', { url: 'https://nobody.example/' })
    expect(unknown.content.verdict).toBe('unknown')
  })

  test('lists the categories in use, and all of them when asked', async () => {
    const used = (await call(client, 'list_categories')).content.categories
    expect(used.every(({ count }: { count: number }) => count > 0)).toBe(true)
    const all = (await call(client, 'list_categories', { all: true })).content.categories
    expect(all).toEqual(await app.directory.categories())
  })

  test('registers with a key, and finds the new service', async () => {
    const name = `Tide Tables ${crypto.randomUUID()}`
    const body = { ...draft(), name, category: 'tides', note: 'unused' }
    const once = { ...body, idempotencyKey: crypto.randomUUID() }
    const { content, text } = await call(known, 'register_service', once)
    expect(content.service).toMatchObject({ name, status: 'unverified' })
    expect(content.ignored).toEqual(['note'])
    expect(text).toContain(content.service.id)
    expect((await call(known, 'register_service', once)).content.service).toEqual(content.service)
    expect((await call(known, 'get_service', { id: content.service.id })).content.service).toEqual(
      content.service,
    )
    const changed = await call(known, 'register_service', { ...once, name: 'Another' })
    expect(changed.isError).toBe(true)
    expect(changed.text).toContain('idempotencyKey')
  })

  test('reports a service with a key, and a repeated report returns the first', async () => {
    const [{ id }] = (await call(client, 'search_services', { limit: 1 })).content.services
    const report = { id, kind: 'no_delivery', text: 'It took the payment and answered 500.' }
    const { content, text } = await call(known, 'report_service', report)
    expect(content).toMatchObject({ kind: report.kind, text: report.text, serviceId: id })
    expect(text).toContain(content.id)
    expect((await call(known, 'report_service', report)).content.id).toBe(content.id)
    const wrong = await call(known, 'report_service', { id, kind: 'dull' })
    expect(wrong.isError).toBe(true)
    for (const path of ['kind', 'text']) expect(wrong.text).toContain(`- ${path}: `)
  })

  test.each([[{ toString: 'x' }], [['svc_1']], [7], [true]])(
    'gets an error for %p, which is not a text',
    async odd => {
      const reported = await call(known, 'report_service', { id: odd, kind: 'other', text: 'x' })
      expect(reported.text).toContain('Error (invalid_request):\n- id: ')
      const registered = await call(known, 'register_service', { ...draft(), idempotencyKey: odd })
      expect(registered.text).toContain('Error (invalid_request):\n- idempotencyKey: ')
      for (const name of ['get_service', 'get_status', 'find_service', 'search_services', 'resolve_payment'])
        for (const field of ['id', 'q', 'query', 'url', 'limit'])
          expect((await call(client, name, { [field]: odd })).text).not.toContain('internal')
    },
  )

  test('is told about unknown and missing arguments together', async () => {
    const checked = await call(known, 'check_endpoint', { url: 'https://tides.example/' })
    expect(checked.text).toContain('- url: is not a parameter here (the nearest is')
    expect(checked.text).toContain('- endpoint: ')
    const reported = await call(known, 'report_service', { id: 'svc_1', kind: 'other', reason: 'x' })
    expect(reported.text).toContain('- reason: is not a parameter here (the nearest is')
    expect(reported.text).toContain('- text: ')
    // A whole registration may be checked; here the directory sends no requests.
    const whole = await call(known, 'check_endpoint', draft())
    expect(whole.text).toStartWith('Error (forbidden):')
  })

  test('may send an amount as a number unless digits may have been lost', async () => {
    const { isError, content } = await call(client, 'search_services', {
      maxPricePerRequest: 0.001,
      limit: 5,
    })
    expect(isError).toBe(false)
    const same = await call(client, 'search_services', { maxPricePerRequest: '0.001', limit: 5 })
    expect(content).toEqual(same.content)
    const paid = { url: 'https://nobody.example/', amount: 2000 }
    expect((await call(client, 'resolve_payment', paid)).isError).toBe(false)
    for (const amount of [1e21, 2 ** 60, 0.1 + 0.2, -1])
      expect((await call(client, 'resolve_payment', { ...paid, amount })).text).toContain('- amount: ')
  })

  test('is told about unknown filter values if nothing is found, with the nearest known value', async () => {
    const told = [
      'The category "wether" is not known here; did you mean weather?',
      'The chain "bse" is not known here; did you mean base?',
      'The currency "USDX" is not known here; did you mean USDC?',
    ]
    const filters = { chain: 'bse', category: 'wether', currency: 'USDX' }
    for (const [name, words] of [
      ['find_service', { q: 'weather' }],
      ['search_services', { q: 'weather' }],
    ] as const) {
      const { content, text } = await call(client, name, { ...words, ...filters })
      expect(content.unknownFilters).toHaveLength(3)
      for (const [i, sentence] of told.entries()) {
        expect(content.unknownFilters[i]).toStartWith(sentence.split(';')[0]!)
        expect(text).toContain(content.unknownFilters[i])
      }
      expect(content.unknownFilters.slice(0, 2)).toEqual(told.slice(0, 2))
      // Known, and nothing has it: that is an honest answer.
      const known = await call(client, name, { ...words, chain: 'tezos' })
      expect(known.content.unknownFilters).toBeUndefined()
    }
    // The same for what a service here has, if the other filters leave it out.
    const x402Config = { ...draft().x402Config, network: 'my-chain' }
    const pricing = { ...draft().pricing, currency: 'MYC' }
    const own = { ...draft(), category: 'my-tools', x402Config, pricing }
    expect((await call(known, 'register_service', own)).isError).toBe(false)
    const its = { chain: 'my-chain', category: 'my-tools', currency: 'MYC' }
    const left = await call(client, 'search_services', { ...its, status: 'inactive' })
    expect([left.content.total, left.content.unknownFilters]).toEqual([0, undefined])
  })

  test('is told how to send a key if one is needed', async () => {
    const { isError, text } = await call(client, 'check_endpoint', { endpoint: 'https://tides.example' })
    expect(isError).toBe(true)
    expect(text).toContain('Authorization: Bearer')
    expect(text).toContain('--key')
  })

  test.each([
    ['find_service', {}, ['- q: ']],
    ['find_service', { q: ' ' }, ['- q: must not be empty']],
    ['find_service', { q: 'a', limt: 3 }, ['- limt: is not a parameter here (did you mean limit?)']],
    ['find_service', { q: 'a', sentence: 'b' }, ['- sentence: is not a parameter here (the nearest is']],
    ['find_service', { q: 'a', cursor: 'x' }, ['- cursor: is not a parameter here (the nearest is']],
    ['search_services', { limit: 0, status: 'good' }, ['- limit: must be', '- status: must be one of']],
    ['search_services', { maxPricePerRequest: 'cheap' }, ['- maxPricePerRequest: must be a decimal']],
    ['get_service', { id: 'svc_unknown' }, ['not_found', 'find_service']],
    ['get_status', { id: '..' }, ['not_found', 'find_service']],
    ['get_status', {}, ['- id: is required: must be the id of a service']],
    ['list_categories', { all: 'yes' }, ['- all: must be true or false']],
  ])('%s with %j gets an error with what to do next', async (name, args, told) => {
    const { isError, text } = await call(client, name, args)
    expect(isError).toBe(true)
    for (const part of [...told, 'Next: ']) expect(text).toContain(part)
  })

  test('may leave an argument empty', async () => {
    const args = { q: null, category: '', limit: 1, status: null }
    expect((await call(client, 'search_services', args)).content.services).toHaveLength(1)
  })

  test('gets a protocol error for a tool that does not exist or needs a key', async () => {
    for (const name of ['no_such_tool', 'register_service'])
      expect(await client.callTool({ name, arguments: {} }).catch(({ code }) => code)).toBe(-32602)
  })
})

type Schema = {
  readonly description?: string
  readonly properties?: Record<string, Schema>
  readonly anyOf?: Schema[]
}

/** Paths of the arguments that say nothing about themselves. */
function undescribed({ properties = {} }: Schema, path: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description === undefined ? [`${path}.${name}`] : []),
    ...undescribed(field, `${path}.${name}`),
  ])
}

test('an agent gets at most 50 categories made up by providers, those with the most services', async () => {
  const made = (name: string, i: number) => ({ ...draft(), name: `${name} ${i}`, category: `made-up-${i}` })
  for (let i = 0; i < 60; i++) await app.directory.register(made('Junk', i), { key })
  await app.directory.register(made('Used', 59), { key })
  const client = await connectOverHttp(url)
  const { content, text } = await call(client, 'list_categories')
  const ids: string[] = content.categories.map(({ id }: { id: string }) => id)
  expect(ids.filter(id => !Object.hasOwn(KNOWN_CATEGORIES, id))).toHaveLength(50)
  expect(ids).toContain('made-up-59')
  expect(content.further).toBeGreaterThanOrEqual(10)
  expect(text).toContain(`, and ${content.further} with fewer services`)
  await client.close()
})

test('an agent gets the message of the owner of a retired service from every tool', async () => {
  await using client = await connectOverHttp(url)
  const { id } = await app.directory.register(draft({ endpoint: 'https://closed.example/v1' }), { key })
  const message = 'Closed for good.\nUse another one'
  await app.directory.retire(id, { message }, { key })
  const said = `Its owner discontinued it: ${message}`
  for (const name of ['get_service', 'get_status']) {
    const { content, text } = await call(client, name, { id })
    expect(content.why).toBe(said)
    expect(text).toContain(`Why it is inactive: ${JSON.stringify(said)}`)
  }
  const { text } = await call(client, 'resolve_payment', { url: 'https://closed.example/v1' })
  expect(text).toContain('Closed for good.')
  await app.directory.remove(id, { key })
})
