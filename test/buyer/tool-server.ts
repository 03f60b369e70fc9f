// Tools of MCP servers behind one port: each server has a path and is the official one as far as it keeps to the protocol; what does not
// is answered in its place.
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import type { Facilitator } from '../paid/facilitator.ts'
import { AMOUNT, USDC } from './sold.ts'
import {
  type Result,
  type Settled,
  TOOL,
  TOOL_MERCHANTS,
  type ToolMerchant,
  type ToolSale,
} from './tool-merchants.ts'

export type ToolServer = AsyncDisposable & {
  readonly url: (merchant: ToolMerchant) => string
  /** Unpaid and paid calls of each, in turn. */
  readonly asked: (merchant: ToolMerchant) => readonly ('unpaid' | 'paid')[]
  settled(): Promise<void>
}

export const toolPayeeOf = (index: number) => `0x${(index + 0x3000).toString(16).padStart(40, '9')}`

type Call = {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly name?: string; readonly _meta?: Record<string, unknown> }
}

export function openToolMerchants(
  facilitator: Pick<Facilitator, 'url'>,
  merchants: readonly ToolMerchant[] = TOOL_MERCHANTS,
): ToolServer {
  const settling = new Set<Promise<unknown>>()
  const asked = merchants.map((): ('unpaid' | 'paid')[] => [])
  const termsOf = (index: number, overrides: object = {}) => {
    const { version = 2 } = merchants[index]!
    const requirements = {
      scheme: 'exact',
      network: version === 2 ? 'eip155:8453' : 'base',
      asset: USDC,
      amount: AMOUNT,
      payTo: toolPayeeOf(index),
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
      ...overrides,
    }
    const resource = `mcp://tool/${TOOL}`
    if (version === 2)
      return {
        x402Version: 2,
        error: 'Payment required',
        resource: { url: resource },
        accepts: [requirements],
      }
    const { amount, ...rest } = requirements
    const described = { resource, description: '', mimeType: '', outputSchema: null }
    return {
      x402Version: 1,
      error: 'Payment required',
      accepts: [{ ...rest, maxAmountRequired: amount, ...described }],
    }
  }
  const ask = (index: number, overrides?: object): Result => {
    const terms = termsOf(index, overrides)
    const { asks = 'result' } = merchants[index]!
    const wrapped = { 'x402/error': { code: 402, message: 'Payment required', data: terms } }
    return {
      isError: true,
      ...(asks === 'text' ? {} : { structuredContent: asks === 'wrapped' ? wrapped : terms }),
      content: [{ type: 'text', text: JSON.stringify(asks === 'wrapped' ? wrapped : terms) }],
    }
  }
  const toSale = (index: number, paymentPayload: unknown, id: unknown): ToolSale => ({
    id,
    settle() {
      const { version: x402Version = 2 } = merchants[index]!
      const [paymentRequirements] = termsOf(index).accepts
      const body = JSON.stringify({ x402Version, paymentPayload, paymentRequirements })
      const settled = fetch(`${facilitator.url}/settle`, { method: 'POST', body }).then(
        async response => (await response.json()) as Settled,
      )
      settling.add(settled)
      return settled
    },
    askAgain: terms => ask(index, terms),
  })
  /** The official server, which gives what was sold. */
  const serve = (index: number, result: Result | undefined) =>
    createMcpHandler(() => {
      const server = new McpServer({ name: 'sky', version: '1.0.0' })
      const { outputSchema } = merchants[index]!
      server.registerTool(
        TOOL,
        {
          description: 'Weather of a city, paid (x402)',
          inputSchema: fromJsonSchema<{ city: string }>({
            type: 'object',
            properties: { city: { type: 'string', examples: ['Tokyo'] } },
            required: ['city'],
          }),
          ...(outputSchema && { outputSchema: fromJsonSchema(outputSchema as never) }),
        },
        async () => (result ?? ask(index)) as never,
      )
      return server
    })
  async function answer(index: number, request: Request, body: string): Promise<Response> {
    const { asks, paid } = merchants[index]!
    const sent = (body === '' ? {} : JSON.parse(body)) as Call
    const forward = (result?: Result) =>
      serve(index, result).fetch(new Request(request.url, { method: 'POST', headers: request.headers, body }))
    if (sent.method !== 'tools/call') return forward()
    const payment = sent.params?._meta?.['x402/payment']
    asked[index]!.push(payment === undefined ? 'unpaid' : 'paid')
    if (payment === undefined && asks === 'error') {
      const error = { code: 402, message: 'Payment required', data: termsOf(index) }
      return Response.json({ jsonrpc: '2.0', id: sent.id, error })
    }
    if (payment === undefined) return forward()
    const sold = await paid(toSale(index, payment, sent.id))
    return sold instanceof Response ? sold : forward(sold)
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      const index = Number(new URL(request.url).pathname.split('/')[1])
      const merchant = merchants[index]
      if (!merchant || request.method !== 'POST') return new Response('', { status: 405 })
      const body = await request.text()
      if (!merchant.keepsSessions) return answer(index, request, body)
      const session = `session ${index}`.replace(' ', '-')
      const isFirst = (JSON.parse(body) as Call).method === 'initialize'
      if (!isFirst && request.headers.get('mcp-session-id') !== session)
        return Response.json(
          { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'No session' } },
          { status: 400 },
        )
      const response = await answer(index, request, body)
      if (isFirst) response.headers.set('mcp-session-id', session)
      return response
    },
  })
  const indexOf = (merchant: ToolMerchant) => merchants.indexOf(merchant)
  return {
    url: merchant => `http://127.0.0.1:${server.port}/${indexOf(merchant)}/mcp`,
    asked: merchant => asked[indexOf(merchant)]!,
    settled: async () => {
      await Promise.allSettled(settling)
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
