// Registering from a terminal by nothing but a URL: the endpoint tells the rest, it is shown, and nothing is listed before a yes.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { KEY, openTestServer, type TestServer } from '../http/directory-server.ts'
import { createHurriedClock } from '../hurried-clock.ts'
import { asksV2, type Merchant, onBase, openMerchant, PAYEE, STRANGER } from '../probe/merchant.ts'
import { type Folder, openFolder } from './shirube.ts'

const DESCRIPTION = 'Tide tables of every harbour.'
let merchant: Merchant
let server: TestServer
let folder: Folder
beforeAll(async () => {
  merchant = openMerchant({
    'POST /tides': asksV2([onBase], { resource: { url: 'https://tides.test', description: DESCRIPTION } }),
    '/unknown': asksV2([{ ...onBase, asset: STRANGER }]),
  })
  server = await openTestServer(
    { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on' },
    { clock: createHurriedClock() },
  )
  folder = await openFolder({ SHIRUBE_URL: server.url, SHIRUBE_KEY: KEY })
})
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await merchant[Symbol.asyncDispose]()
})
const listed = async () => (await server.json('/api/services')) as Record<string, unknown>[]

test('shows network, payee, price, method and description, and registers what was confirmed', async () => {
  const args = ['register', `${merchant.url}/tides`]
  const unasked = await folder.run(args)
  expect(unasked.code).toBe(1)
  expect(JSON.parse(unasked.stdout)).toEqual({
    name: '127.0.0.1',
    endpoint: `${merchant.url}/tides`,
    category: 'other',
    description: DESCRIPTION,
    pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
    x402Config: { paymentAddress: PAYEE, network: 'eip155:8453' },
  })
  expect(unasked.stderr).toContain('It was requested with POST.')
  expect(await folder.runOnTerminal(args, 100, {}, 'n\n')).toContain(
    'Nothing was registered. --yes registers without asking; --name, --description, --category, --price, --currency, ' +
      '--address, --network change what is registered.',
  )
  expect(await listed()).toEqual([])
  const shown = await folder.runOnTerminal([...args, '--name', 'Tides'], 100, {}, 'y\n')
  expect(shown).toContain('Registered Tides as svc_')
  expect(await listed()).toMatchObject([{ ...JSON.parse(unasked.stdout), name: 'Tides' }].map(withQuota))
})

const withQuota = ({ pricing, ...rest }: { pricing: object }) => ({
  ...rest,
  pricing: { ...pricing, freeQuota: 0 },
})

test('names the flag for each value that the endpoint does not declare, and uses it', async () => {
  const args = ['register', `${merchant.url}/unknown`, '--yes', '--json']
  const before = (await listed()).length
  const { code, stderr } = await folder.run(args)
  expect(code).toBe(1)
  expect(stderr.split('\n')).toEqual([
    'Read from the endpoint; nothing is registered yet:',
    'It was requested with GET.',
    'It cannot be registered like this:',
    '  --description is required: must be text of 1 to 2000 characters.',
    expect.stringMatching(/^ {2}--currency is required: .+\.$/),
    expect.stringMatching(/^ {2}--price is required: .+\.$/),
    '',
  ])
  expect(await listed()).toHaveLength(before)
  const told = ['--description', 'Tides.', '--price', '1', '--currency', 'TIDE', '--network', 'base']
  const { stdout } = await folder.run([...args, ...told])
  expect(JSON.parse(stdout)).toMatchObject({
    description: 'Tides.',
    pricing: { currency: 'TIDE', pricePerRequest: '1' },
    x402Config: { paymentAddress: PAYEE, network: 'base' },
  })
})

test('reports an endpoint that does not answer, even if every value is given', async () => {
  const closed = Bun.serve({ port: 0, fetch: () => new Response() })
  const args = ['register', `http://127.0.0.1:${closed.port}/`, '--yes']
  await closed.stop(true)
  const silent = 'Notice: 127.0.0.1 did not accept a connection.'
  const bare = await folder.run(args)
  expect([bare.code, bare.stderr.split('\n')[0]]).toEqual([1, silent])
  const given = ['--price', '1', '--currency', 'USDC', '--network', 'base', '--address', PAYEE]
  const full = await folder.run([...args, ...given, '--description', 'Not running yet.'])
  expect([full.code, full.stderr]).toEqual([0, `${silent}\n`])
})
