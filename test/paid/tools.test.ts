// A tool of an MCP server: found by its kind, and paid in the message that calls it, by the text that the directory gives.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { withBazaar } from '@x402/extensions/bazaar'
import { z } from 'zod'
import { type EvmChain, openEvmChain } from '../chain/evm-chain.ts'
import { openTestServer, registerVerified, type TestServer } from '../http/directory-server.ts'
import { createHurriedClock } from '../hurried-clock.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { accountOf, type Facilitator, openFacilitator } from './facilitator.ts'
import { openMerchant } from './merchants.ts'

const payer = accountOf(7)
const payTo = `0x${'cd'.repeat(20)}` as const
const folder = temporaryPath('work')
const parts = new AsyncDisposableStack()
let chain: EvmChain
let facilitator: Facilitator
let directory: TestServer
let tool: { id: string; url: string }
/** What the tool asks for just now. */
let amount = '2000'
/** Whether it answers without a payment just now, as one with free requests does. */
let isFree = false

const toPaymentRequirements = () => ({
  scheme: 'exact',
  network: 'eip155:8453',
  amount,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
})

/** As the specification of the transport has it: terms in the result, the payment and its receipt in the metadata. */
function openTool(): AsyncDisposable & { readonly url: string } {
  const settle = async (paymentPayload: unknown, path: string) => {
    const body = JSON.stringify({ paymentPayload, paymentRequirements: toPaymentRequirements() })
    return (await (await fetch(facilitator.url + path, { method: 'POST', body })).json()) as Record<
      string,
      unknown
    >
  }
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'tides', version: '1.0.0' })
    server.registerTool(
      'tides',
      { description: 'Tides of a port, paid (x402)', inputSchema: z.object({ port: z.string().min(3) }) },
      async ({ port }, { mcpReq }) => {
        if (isFree) return { content: [{ type: 'text', text: `high tide at ${port}` }] }
        const payment = mcpReq._meta?.['x402/payment']
        const isGood = payment !== undefined && (await settle(payment, '/verify')).isValid === true
        if (!isGood) {
          const terms = {
            x402Version: 2,
            error: 'Payment required',
            resource: { url: 'mcp://tool/tides' },
            accepts: [toPaymentRequirements()],
          }
          return {
            isError: true,
            structuredContent: terms,
            content: [{ type: 'text', text: JSON.stringify(terms) }],
          }
        }
        const receipt = await settle(payment, '/settle')
        return {
          content: [{ type: 'text', text: `high tide at ${port}` }],
          _meta: { 'x402/payment-response': receipt },
        }
      },
    )
    return server
  })
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => handler.fetch(request) })
  return { url: `http://127.0.0.1:${server.port}/mcp`, [Symbol.asyncDispose]: () => server.stop(true) }
}

const register = (endpoint: string, name: string): Promise<string> =>
  registerVerified(directory, {
    name,
    description: `${name} of any port.`,
    endpoint,
    category: 'weather',
    pricing: { currency: 'USDC', pricePerRequest: '0.002' },
    x402Config: { paymentAddress: payTo, network: 'base' },
  })

beforeAll(async () => {
  mkdirSync(folder)
  symlinkSync(join(import.meta.dir, '../../node_modules'), join(folder, 'node_modules'))
  chain = parts.use(await openEvmChain())
  facilitator = parts.use(openFacilitator(chain))
  const { url } = parts.use(openTool())
  const shape = {
    version: 2,
    method: 'GET',
    style: 'bare',
    scheme: 'exact',
    word: '',
    amount: 2_000,
    payTo,
  } as const
  const shop = parts.use(openMerchant(facilitator.url, shape))
  directory = parts.use(
    await openTestServer(
      { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on', RATE_LIMIT: '0' },
      { clock: createHurriedClock() },
    ),
  )
  await register(shop.url, 'Weather over HTTP')
  tool = { id: await register(url, 'Tides over MCP'), url }
}, 240_000)
afterAll(() => parts.disposeAsync())

const callFor = async (language: string): Promise<string> =>
  (await fetch(`${directory.url}/api/services/${tool.id}/call?for=${language}`)).text()

async function run(text: string): Promise<{ out: string; err: string }> {
  const file = `${crypto.randomUUID()}.ts`
  await Bun.write(join(folder, file), text)
  const child = Bun.spawn([process.execPath, file], {
    cwd: folder,
    env: { ...process.env, EVM_PRIVATE_KEY: payer.key },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { out, err }
}

test('an x402 list distinguishes tools from HTTP resources', async () => {
  const { bazaar } = withBazaar(new HTTPFacilitatorClient({ url: directory.url })).extensions
  const list = async (type?: string) => {
    const { items, pagination } = await bazaar.listResources({ ...(type && { type }) })
    expect(pagination.total).toBe(items.length)
    return items.map(item => item.type)
  }
  expect(await list()).toEqual(['mcp', 'http'])
  expect(await list('mcp')).toEqual(['mcp'])
  expect(await list('MCP')).toEqual(['mcp'])
  expect(await list('http')).toEqual(['http'])
  expect(await list('ftp')).toEqual([])
  const { resources } = await bazaar.search({ query: 'tides of a port', type: 'mcp' })
  expect(resources).toMatchObject([
    {
      resource: tool.url,
      type: 'mcp',
      extensions: {
        bazaar: { info: { input: { type: 'mcp', toolName: 'tides', transport: 'streamable-http' } } },
      },
    },
  ])
  const { items } = await directory.json('/discovery/resources?type=mcp&scheme=exact')
  expect(items).toHaveLength(1)
  expect((await directory.json('/discovery/resources?type=mcp&scheme=upto')).items).toEqual([])
})

test('the code for TypeScript calls the tool, says what was paid and pays no more than the shown price', async () => {
  const text = await callFor('typescript')
  const before = facilitator.settled.length
  const { out, err } = await run(text)
  expect({ out, err }).toMatchObject({ out: expect.stringMatching(/^paid .*high tide at /), err: '' })
  const receipt = JSON.parse(/^receipt: (.*)$/m.exec(out)![1]!)
  expect(receipt).toMatchObject({ success: true, payer: payer.address })
  const { status } = await chain.client.getTransactionReceipt({ hash: receipt.transaction })
  expect([status, facilitator.settled.length - before]).toEqual(['success', 1])

  isFree = true
  const free = await run(text).finally(() => {
    isFree = false
  })
  expect(free).toEqual({ out: expect.stringMatching(/^free .*high tide at .*\n$/), err: '' })
  expect(facilitator.settled.length - before).toBe(1)

  amount = '2001'
  const dear = await run(text).finally(() => {
    amount = '2000'
  })
  expect(dear.out).toBe('')
  expect(dear.err).toContain('maxAmountPerPayment')
  expect(facilitator.settled.length - before).toBe(1)
})

test('the text for an MCP host is a server that pays', async () => {
  await Bun.write(join(folder, 'server.ts'), await callFor('mcp'))
  const client = new Client({ name: 'host', version: '1.0.0' })
  const env = { ...(process.env as Record<string, string>), EVM_PRIVATE_KEY: payer.key }
  const args = [join(folder, 'server.ts')]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  const { tools } = await client.listTools()
  expect(tools[0]?.inputSchema).toMatchObject({
    properties: { port: { type: 'string' } },
    required: ['port'],
  })
  const { content, isError } = await client.callTool({ name: 'call', arguments: { port: 'Oslo' } })
  expect({ content, isError }).toEqual({
    content: [{ type: 'text', text: 'high tide at Oslo' }],
    isError: false,
  })
  await client.close()
})

test.skipIf(Bun.which('curl') === null)('the text for a shell shows the terms', async () => {
  const text = await callFor('curl')
  const child = Bun.spawn(['sh', '-c', text.replace('curl -i', 'curl -is')], { stdout: 'pipe' })
  expect(await new Response(child.stdout).text()).toContain(`\\"payTo\\":\\"${payTo}\\"`)
  expect(text).toContain('x402/payment')
  expect(await callFor('python')).toContain('requests.request(')
})
