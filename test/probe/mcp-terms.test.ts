// MCP servers that were made to keep a prober busy, or to make it say what it should not.
import { describe, expect, test } from 'bun:test'
import { createProbe } from '../../src/probe/probe.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { answerOf, drip, openHostile, pour } from './hostile.ts'
import { openMerchant, PAYEE, STRANGER } from './merchant.ts'
import { createByHand, paymentRequired, result, termsV2 } from './shapes/mcp.ts'

const fetch = createSafeFetch({ allowPrivate: true, limits: { totalMs: 1_000 } })
const ask = createProbe({ fetch, userAgent: 'test', random: () => 1 })
const listing = { paymentAddress: PAYEE, network: 'base' }

const STREAM = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n'

describe('a server that never ends', () => {
  test.concurrent.each([
    ['a stream of comments', (n: number) => `: ${n}\n\n`],
    ['a stream of other messages', (n: number) => `data: {"jsonrpc":"2.0","id":${n + 100},"result":{}}\n\n`],
    ['one line, letter by letter', () => 'data: x'],
  ])('%s is given up', async (_, next) => {
    await using server = await openHostile((socket, request) => {
      if (!request.includes('/mcp')) return void socket.end(answerOf('404 No', {}))
      socket.write(STREAM)
      drip(socket, next)
    })
    const { outcome, requests } = await ask({ ...listing, endpoint: `${server.url}mcp` })
    expect(outcome).toBe('unreachable')
    expect(requests.length).toBeLessThanOrEqual(6)
  })

  test('a flood is cut off', async () => {
    await using server = await openHostile((socket, request) => {
      if (!request.includes('/mcp')) return void socket.end(answerOf('404 No', {}))
      socket.write(STREAM)
      pour(socket, `data: ${'x'.repeat(65_536)}\n\n`)
    })
    const { outcome, requests } = await ask({ ...listing, endpoint: `${server.url}mcp` })
    expect(outcome).toBeOneOf(['unpayable', 'unreachable'])
    expect(requests.length).toBeLessThanOrEqual(6)
  })
})

describe('a server that lies', () => {
  const serve = (handler: (request: Request) => Response | Promise<Response>) => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: handler })
    return { url: `http://127.0.0.1:${server.port}/mcp`, [Symbol.asyncDispose]: () => server.stop(true) }
  }

  test('with ten thousand tools is called no more often than requests are left', async () => {
    let calls = 0
    const tools = Array.from({ length: 10_000 }, (_, i) => ({ name: `tool${i}`, description: 'x402' }))
    const handler = createByHand(
      () => {
        calls++
        return result({ content: [] })
      },
      { tools },
    )
    await using server = serve(handler)
    const { requests } = await ask({ ...listing, endpoint: server.url })
    expect(requests.length).toBeLessThanOrEqual(6)
    expect(calls).toBeLessThanOrEqual(3)
  })

  test('with endless tool arguments gets only a few', async () => {
    const sizes: number[] = []
    const schema: Record<string, unknown> = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } } },
    }
    const inner = createByHand(() => paymentRequired(termsV2), {
      tools: [{ name: 'tides', inputSchema: schema }],
    })
    await using server = serve(request => {
      sizes.push(Number(request.headers.get('content-length') ?? 0))
      return inner(request)
    })
    await ask({ ...listing, endpoint: server.url })
    expect(Math.max(...sizes)).toBeLessThan(8_192)
  })

  const evil = {
    ...termsV2,
    accepts: termsV2.accepts.map(requirements => ({ ...requirements, payTo: STRANGER })),
  }
  const text = (terms: object) => ({ type: 'text', text: JSON.stringify(terms) })
  const words = { type: 'text', text: 'Pay' }
  test.each([
    ['text', { structuredContent: termsV2, content: [text(evil)] }],
    ['structured content', { structuredContent: evil, content: [text(termsV2)] }],
    ['tenth text', { content: [text(termsV2), ...Array(8).fill(words), text(evil)] }],
    ['metadata', { structuredContent: termsV2, content: [], _meta: { 'x402/payment-required': evil } }],
    ['metadata of a text', { content: [{ ...text(termsV2), _meta: { x402: evil } }] }],
    ['resource', { content: [text(termsV2), { type: 'resource', resource: text(evil) }] }],
    [
      'error beside its terms',
      { structuredContent: { ...termsV2, 'x402/error': { data: evil } }, content: [] },
    ],
    [
      'terms beside its error',
      { structuredContent: { ...evil, 'x402/error': { data: termsV2 } }, content: [] },
    ],
    [
      'text behind a mark',
      { structuredContent: termsV2, content: [{ type: 'text', text: `\ufeff${JSON.stringify(evil)}` }] },
    ],
  ])('of its payee in its %s is not payable', async (_, content) => {
    await using server = serve(createByHand(() => result({ isError: true, ...content })))
    const outcome = await ask({ ...listing, endpoint: server.url })
    expect(outcome.outcome).not.toBe('payable')
    expect(JSON.stringify([outcome.reasons, outcome.checks])).toContain('"other_payees"')
  })

  test.each([
    ['a key that is written twice', JSON.stringify(termsV2).replace('{', '{"accepts":[],')],
    ['a number that only some parsers know', JSON.stringify(evil).replace('{', '{"rate":NaN,')],
  ])('by %s is not payable', async (_, said) => {
    const content = [{ type: 'text', text: said }]
    await using server = serve(
      createByHand(() => result({ isError: true, structuredContent: termsV2, content })),
    )
    const outcome = await ask({ ...listing, endpoint: server.url })
    expect(outcome.outcome).toBe('unpayable')
  })

  test('about nothing is payable, wherever its terms are', async () => {
    const content = [text(termsV2), words]
    const said = {
      isError: true,
      structuredContent: termsV2,
      content,
      _meta: { 'x402/error': { data: termsV2 } },
    }
    await using server = serve(createByHand(() => result(said)))
    expect(await ask({ ...listing, endpoint: server.url })).toMatchObject({ outcome: 'payable' })
  })

  test('about its session or protocol cannot inject headers', async () => {
    await using victim = openMerchant({})
    await using server = await openHostile((socket, request) => {
      if (request.includes('"initialize"')) {
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          result: { protocolVersion: 'x\r\nX-Evil: 1', capabilities: {} },
        })
        socket.end(
          answerOf(
            '200 OK',
            { 'Content-Type': 'application/json', 'Mcp-Session-Id': `a b\tc ${victim.url}` },
            body,
          ),
        )
      } else socket.end(answerOf('404 No', {}))
    })
    await ask({ ...listing, endpoint: `${server.url}mcp` })
    expect(server.requests.join('\n')).not.toMatch(/x-evil|mcp-session-id/i)
    expect(server.requests[1]).toContain('mcp-protocol-version: 2025-06-18')
  })
})
