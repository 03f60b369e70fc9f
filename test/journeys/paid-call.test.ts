// Sentence → service → call → paid answer → receipt: for an agent over MCP, and for a person with curl as the document says.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type EvmChain, openEvmChain } from '../chain/evm-chain.ts'
import { blocksOf, readDocument } from '../drift/run-document.ts'
import { openTestServer, registerVerified, type TestServer } from '../http/directory-server.ts'
import { connectOverHttp } from '../mcp/connect.ts'
import { accountOf, openFacilitator } from '../paid/facilitator.ts'
import { openMerchant } from '../paid/merchants.ts'
import { temporaryPath } from '../store/temporary-path.ts'

const payer = accountOf(6)
const payTo = `0x${'ab'.repeat(20)}` as const
const SENTENCE = 'weather of a city for less than a cent'
const parts = new AsyncDisposableStack()
const folder = temporaryPath('work')
let chain: EvmChain
let directory: TestServer

beforeAll(async () => {
  mkdirSync(folder)
  symlinkSync(join(import.meta.dir, '../../node_modules'), join(folder, 'node_modules'))
  chain = parts.use(await openEvmChain())
  const facilitator = parts.use(openFacilitator(chain))
  const shape = {
    version: 2,
    method: 'POST',
    style: 'body',
    scheme: 'exact',
    word: '東京',
    amount: 2_000,
    payTo,
  } as const
  const merchant = parts.use(openMerchant(facilitator.url, shape))
  directory = parts.use(await openTestServer({ PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on' }))
  await registerVerified(directory, {
    name: 'City Weather',
    description: 'Weather of any city, for the days to come.',
    endpoint: merchant.url,
    category: 'weather',
    pricing: { currency: 'USDC', pricePerRequest: '0.002' },
    x402Config: { paymentAddress: payTo, network: 'base' },
  })
}, 240_000)
afterAll(() => parts.disposeAsync())

/** The transfer that a receipt names, as the chain has it. */
async function settledBy(receipt: string) {
  const { transaction, payer: from } = JSON.parse(atob(receipt)) as {
    transaction: `0x${string}`
    payer: string
  }
  const { status, logs } = await chain.client.getTransactionReceipt({ hash: transaction })
  const paid = logs.filter(({ topics }) => topics[2]?.toLowerCase().endsWith(payTo.slice(2)))
  return { status, from, amounts: paid.map(({ data }) => BigInt(data)) }
}

async function runSnippet(text: string, name: string): Promise<string> {
  await Bun.write(join(folder, name), text)
  const child = Bun.spawn([process.execPath, name], {
    cwd: folder,
    env: { ...process.env, EVM_PRIVATE_KEY: payer.key },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect(err).toBe('')
  return out
}

const receiptOf = (output: string): string => /^receipt: (\S+)$/m.exec(output)?.[1] ?? ''

test('an agent over MCP finds, asks, pays and holds a receipt', async () => {
  await using client = await connectOverHttp(directory.url)
  const ask = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Record<string, never>
  const { results } = (await ask('find_service', { q: SENTENCE, limit: 1 })) as unknown as {
    results: { service: { id: string }; call: { method: string; url: string; body: object; price: string } }[]
  }
  const [{ service, call }] = results as [(typeof results)[0]]
  expect(call).toMatchObject({ method: 'POST', body: { city: '東京' }, price: '0.002', asset: 'USDC' })

  const unpaid = await fetch(call.url, {
    method: call.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call.body),
  })
  expect(unpaid.status).toBe(402)
  const { accepts } = JSON.parse(atob(unpaid.headers.get('payment-required')!))
  const { scheme, network, asset, amount } = accepts[0]
  const verdict = await ask('resolve_payment', {
    url: call.url,
    scheme,
    network,
    asset,
    amount,
    payTo: accepts[0].payTo,
  })
  expect(verdict).toMatchObject({ verdict: 'clear', service: { id: service.id } })

  const got = (await ask('get_service', { id: service.id, callFor: 'typescript' })) as unknown as {
    call: string
    terms: { resources: { input: object }[] }
  }
  expect(got.terms.resources[0]!.input).toMatchObject({ required: ['city', 'days'] })
  const output = await runSnippet(got.call, 'agent.ts')
  expect(output).toContain('200 {"sunny":true')
  expect(await settledBy(receiptOf(output))).toEqual({
    status: 'success',
    from: payer.address,
    amounts: [2_000n],
  })
})

test('a service is a tool of an MCP host, by the text for it', async () => {
  const found = await (await fetch(`${directory.url}/api/services?category=weather`)).json()
  const [{ id }] = found as [{ id: string }]
  await Bun.write(
    join(folder, 'tool.ts'),
    await (await fetch(`${directory.url}/api/services/${id}/call?for=mcp`)).text(),
  )
  const { Client } = await import('@modelcontextprotocol/client')
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const client = new Client({ name: 'host', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(folder, 'tool.ts')],
      env: { ...(process.env as Record<string, string>), EVM_PRIVATE_KEY: payer.key },
    }),
  )
  const [tool] = (await client.listTools()).tools
  expect(tool!.inputSchema).toMatchObject({ required: ['city', 'days'] })
  for (const wrong of [{}, { city: '東京' }, { city: 'Kyoto', days: 3 }])
    expect(await client.callTool({ name: 'call', arguments: wrong })).toMatchObject({ isError: true })
  const { content } = await client.callTool({ name: 'call', arguments: { city: '東京', days: 3 } })
  expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('"sunny":true') }])
  await client.close()
})

// A machine with nothing but npm may have no curl.
test.skipIf(Bun.which('curl') === null)(
  'a person with curl does it by the lines of docs/agents.md',
  async () => {
    const block = blocksOf(await readDocument('docs/agents.md')).find(({ text }) =>
      text.startsWith('DIRECTORY='),
    )!
    expect(block.text.trim().split('\n').length).toBeLessThanOrEqual(10)
    const script = block.text
      .replace('http://127.0.0.1:4020', directory.url)
      // The packages are there already, and Bun runs TypeScript itself.
      .replace(/^npm install .*$/m, '')
      .replace('npx tsx', process.execPath)
      .replace('0x…', payer.key)
    const child = Bun.spawn(['sh', '-e', '-c', script], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
    const output = await child.stdout.text()
    expect(output).toMatch(/HTTP\/1\.1 402 Payment Required/)
    expect(output).toContain('200 {"sunny":true')
    expect(await settledBy(receiptOf(output))).toEqual({
      status: 'success',
      from: payer.address,
      amounts: [2_000n],
    })
  },
)
