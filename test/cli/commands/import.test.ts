import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Backing } from '../../../src/domain/listing/backing.ts'
import { openTestServer } from '../../http/directory-server.ts'
import { type Folder, openFolder } from '../shirube.ts'

const WALLET = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'
const body = (number: number) => ({
  name: `Service ${number}`,
  description: 'One of many.',
  endpoint: `https://many.example/${number}`,
  category: 'data',
  pricing: { currency: 'USDC', pricePerRequest: '0.01' },
  x402Config: { paymentAddress: WALLET, network: 'base' },
})
const item = (number: number, asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913') => ({
  resource: `https://bazaar.example/${number}`,
  type: 'http',
  x402Version: 2,
  accepts: [
    { scheme: 'exact', network: 'eip155:8453', amount: '2500', asset, payTo: WALLET, maxTimeoutSeconds: 60 },
  ],
  description: 'From a Bazaar.',
})

describe('import', () => {
  let folder: Folder
  beforeAll(async () => {
    folder = await openFolder()
    const DATABASE_URL = SAMPLE.DATABASE_URL.replace('.', folder.path)
    await using _ = await openTestServer({ ...SAMPLE, DATABASE_URL }, { sample: true, merchants: true })
  })
  afterAll(() => folder[Symbol.asyncDispose]())
  let stores = 0
  // The merchants beside it are on loopback.
  const SAMPLE = { DATABASE_URL: 'sqlite:./sample.db', ALLOW_PRIVATE_ENDPOINTS: 'on' }
  const freshStore = () => ({ DATABASE_URL: `sqlite:./import-${++stores}.db` })
  const exported = async (env: Record<string, string>) =>
    JSON.parse((await folder.run(['export'], { env })).stdout).endpoints

  test('skips bad lines, reports their number and reason, and exits with 1', async () => {
    const env = freshStore()
    const lines = [
      JSON.stringify(body(1)),
      '{"name":"broken',
      '',
      JSON.stringify({ ...body(2), endpoint: 'http://127.0.0.1/' }),
      JSON.stringify({ ...body(3), category: '!', pricing: {} }),
      JSON.stringify(body(4)),
    ]
    const { code, stdout, stderr } = await folder.run(
      ['import', await folder.file('some.ndjson', lines.join('\n'))],
      { env },
    )
    expect(code).toBe(1)
    expect(stdout).toBe('Imported 2 services. Skipped 3 that could not be read.\n')
    const told = stderr.trim().split('\n')
    expect(told).toHaveLength(3)
    expect(told[0]).toBe('line 2: is not JSON')
    expect(told[1]).toStartWith('line 4: endpoint ')
    expect(told[2]).toMatch(/^line 5: .*category.*; pricing\.currency .*; pricing\.pricePerRequest /)
    expect((await exported(env)).map((entry: { name: string }) => entry.name)).toEqual([
      'Service 1',
      'Service 4',
    ])
  })

  test('accepts private endpoints if the settings allow them', async () => {
    const env = { ...freshStore(), ALLOW_PRIVATE_ENDPOINTS: 'on' }
    const stdin = JSON.stringify({ ...body(1), endpoint: 'http://127.0.0.1/' })
    expect((await folder.run(['import', '-'], { stdin, env })).code).toBe(0)
  })

  test('counts payment addresses that do not fit their chain', async () => {
    const stdin = JSON.stringify({ ...body(1), x402Config: { paymentAddress: '0x12', network: 'base' } })
    const { code, stdout } = await folder.run(['import', '-', '--json'], { stdin, env: freshStore() })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { imported: 1, skipped: 0, noticed: 1 }])
  })

  test.each([
    ['a Bazaar list', { x402Version: 2, items: [item(1), item(2, '0x01')], pagination: { total: 2 } }],
    ['a Bazaar search', { x402Version: 2, resources: [item(1), item(2, '0x01')] }],
    ['a wrapped list', { success: true, data: { items: [item(1), item(2, '0x01')] } }],
  ])('reads %s, and reports services paid in an unknown asset', async (_, document) => {
    const env = freshStore()
    const { code, stderr } = await folder.run(['import', '-'], {
      stdin: JSON.stringify(document, null, 2),
      env,
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^item 2: accepts .*unknown asset 0x01 on eip155:8453\n$/)
    expect(await exported(env)).toMatchObject([
      {
        name: 'bazaar.example/1',
        endpoint: 'https://bazaar.example/1',
        category: 'Other',
        pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
        x402Config: { paymentAddress: WALLET, network: 'eip155:8453' },
      },
    ])
  })

  test('accepts the output of list --json', async () => {
    const env = freshStore()
    const stdin = JSON.stringify([{ ...body(1), id: 'svc_x', trustScore: 9, status: 'verified' }], null, 2)
    expect((await folder.run(['import', '-'], { stdin, env })).code).toBe(0)
    expect(await exported(env)).toMatchObject([{ name: 'Service 1', trustScore: 0, status: 'unverified' }])
  })

  test('imports the records before the point where a document breaks off', async () => {
    const env = freshStore()
    const whole = JSON.stringify({ version: '1.0', endpoints: [body(1), body(2), body(3)] })
    const { code, stderr } = await folder.run(['import', '-'], { stdin: whole.slice(0, -30), env })
    expect([code, stderr]).toEqual([1, 'after item 2: The document ends before it is complete\n'])
    expect(await exported(env)).toHaveLength(2)
    // Descriptions that somebody added to the document are taken.
    const { stdout } = await folder.run(['export', '--format', 'ndjson'], { env })
    expect(JSON.parse(stdout.split('\n')[0]!).description).toBe('One of many.')
  })

  test('imports many thousand lines in several transactions, with progress', async () => {
    const env = freshStore()
    const lines = Array.from({ length: 12_000 }, (_, number) => JSON.stringify(body(number)))
    const { code, stdout, stderr } = await folder.run(
      ['import', await folder.file('many.ndjson', lines.join('\n'))],
      { env },
    )
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'Imported 12,000 services.\n',
      // How fast it goes is told where it takes longer than a second.
      stderr: expect.stringMatching(/^10,000 services read(, [\d,]+ a second, \d+ (s|min) left)?\n$/),
    })
    const entries = await exported(env)
    expect(entries).toHaveLength(12_000)
    expect(new Set(entries.map((entry: { id: string }) => entry.id)).size).toBe(12_000)
  })

  test('of the same file again adds nothing, in any format', async () => {
    const files = [
      [body(1), body(2)].map(each => JSON.stringify(each)).join('\n'),
      JSON.stringify({ x402Version: 2, items: [item(1), item(2)] }),
      JSON.stringify([body(3), { ...body(4), id: 'svc_x' }]),
    ]
    const env = freshStore()
    for (const [index, text] of files.entries()) {
      const file = await folder.file(`twice-${index}`, text)
      expect((await folder.run(['import', file], { env })).stdout).toBe('Imported 2 services.\n')
      expect(await folder.run(['import', file], { env })).toMatchObject({
        code: 0,
        stdout: 'Imported 0 services. Found 2 as they are here already.\n',
        stderr: '',
      })
    }
    const before = await exported(env)
    expect(before).toHaveLength(6)
    // The lines of the README.
    await folder.run(['export', 'own.json'], { env })
    for (let run = 0; run < 2; run++) {
      const { stdout } = await folder.run(['import', 'own.json', '--json'], { env })
      expect(JSON.parse(stdout)).toMatchObject({ imported: 0, updated: 0, unchanged: 6, kept: 0 })
    }
    expect(await exported(env)).toEqual(before)
  })

  test('of an export as lines fills another directory with the same', async () => {
    const [env, other, third] = [freshStore(), freshStore(), freshStore()]
    await folder.file('three.ndjson', Array.from({ length: 3 }, (_, n) => JSON.stringify(body(n))).join('\n'))
    await folder.run(['import', 'three.ndjson'], { env })
    const { stdout } = await folder.run(['export', 'all.ndjson', '--json'], { env })
    expect(JSON.parse(stdout)).toEqual({ exported: 3, file: 'all.ndjson', format: 'ndjson' })
    const text = await Bun.file(join(folder.path, 'all.ndjson')).text()
    const lines = text.trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line))).toMatchObject([0, 1, 2].map(body))
    expect((await folder.run(['import', 'all.ndjson'], { env: other })).stdout).toBe('Imported 3 services.\n')
    expect((await folder.run(['import', 'all.ndjson'], { env })).stdout).toContain('Imported 0 services.')

    // Half of it is not taken for the whole.
    await folder.file('half.ndjson', text.slice(0, text.length / 2))
    const half = await folder.run(['import', 'half.ndjson'], { env: third })
    expect(half.code).toBe(1)
  })

  test('of an export document reports what the document lacks, and so does the export', async () => {
    const [env, other] = [freshStore(), freshStore()]
    const full = { ...body(1), pricing: { ...body(1).pricing, freeQuota: 100 } }
    await folder.run(['import', '-'], { stdin: JSON.stringify(full), env })
    const lacking = 'Notice: this document has no descriptions, free quotas or further chains.'
    expect((await folder.run(['export', 'one.json'], { env })).stderr).toStartWith(lacking)
    expect((await folder.run(['export'], { env })).stderr).toContain(lacking)
    expect((await folder.run(['export', 'one.ndjson'], { env })).stderr).toBe('')

    const first = await folder.run(['import', 'one.json'], { env: other })
    expect(first).toMatchObject({ code: 0, stdout: 'Imported 1 service.\n' })
    expect(first.stderr).toBe(
      'Notice: an export document has no descriptions and no free quotas; 1 new service has its name as description. ' +
        'An export to .ndjson has both.\n',
    )
    // The complete copy repairs it, and the document does not spoil it again.
    const whole = await folder.run(['import', 'one.ndjson', '--json'], { env: other })
    expect(JSON.parse(whole.stdout)).toMatchObject({ imported: 0, undescribed: 0, updated: 1 })
    const again = await folder.run(['import', 'one.json', '--json'], { env: other })
    expect([JSON.parse(again.stdout).unchanged, again.stderr]).toEqual([1, ''])
    const [line = ''] = (await folder.run(['export', '--format', 'ndjson'], { env: other })).stdout.split(
      '\n',
    )
    expect(JSON.parse(line)).toMatchObject(full)
  })

  test('supports the formats of an export, and no others', async () => {
    const { code, stderr } = await folder.run(['export', '--format', 'csv'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--format must be json or ndjson, not "csv".'),
    ])
  })

  test('of an own export does not change samples and registrations', async () => {
    const env = SAMPLE
    const { stdout } = await folder.run(['export', 'sample.json', '--json'], { env })
    const count = JSON.parse(stdout).exported
    expect(count).toBeGreaterThan(50)
    for (let run = 0; run < 2; run++) {
      const imported = await folder.run(['import', 'sample.json', '--json'], { env })
      expect(JSON.parse(imported.stdout)).toMatchObject({ imported: 0, updated: 0, kept: count })
      expect([imported.code, imported.stderr]).toEqual([0, ''])
    }
    expect(await exported(env)).toHaveLength(count)
  })

  test.each(['json', 'ndjson'])('of samples in %s keeps them samples elsewhere', async format => {
    const [env, other] = [SAMPLE, freshStore()]
    await folder.run(['export', `samples.${format}`], { env })
    // A list cannot mark the service of somebody else, and a name alone makes no sample.
    const marked = { ...body(1), sample: true, name: 'Skycast Forecast' }
    await folder.run(['import', '-'], { stdin: JSON.stringify(marked), env: other })
    await folder.run(['import', `samples.${format}`], { env: other })
    const DATABASE_URL = other.DATABASE_URL.replace('.', folder.path)
    await using importing = await openTestServer({ DATABASE_URL })
    const { json } = importing
    const services = (await json('/api/services?limit=100')) as { id: string; endpoint: string }[]
    const invented = await Promise.all(
      services.map(async ({ id }) => ((await json(`/api/services/${id}/backing`)) as Backing).sample),
    )
    const real = services.filter((_, i) => !invented[i])
    expect([services.length, real.map(({ endpoint }) => endpoint)]).toEqual([65, [marked.endpoint]])
  })

  test('reports a missing file', async () => {
    const { code, stderr } = await folder.run(['import', 'nowhere.ndjson'], { env: freshStore() })
    expect([code, stderr]).toEqual([1, 'There is no file nowhere.ndjson, or it may not be read.\n'])
    expect((await folder.run(['import', '.'], { env: freshStore() })).stderr).toBe(
      '. is a folder, not a file.\n',
    )
  })
})

test('export to an unwritable path reports it and leaves no file', async () => {
  await using folder = await openFolder()
  const { code, stderr } = await folder.run(['export', 'no/such/folder/x.json'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The file no\/such\/folder\/x\.json cannot be written \(ENOENT\)\.\n$/)
})
