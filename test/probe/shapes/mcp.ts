// MCP servers that sell their tools: one of the official library, and some written by hand for what others send.
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { onBase } from '../merchant.ts'

type Handler = (request: Request) => Response | Promise<Response>

export const termsV2 = {
  x402Version: 2,
  error: 'Payment required',
  resource: { url: 'mcp://tool/tides', description: 'Tides', mimeType: 'application/json' },
  accepts: [onBase],
}
const { amount, ...entry } = onBase
export const termsV1 = {
  x402Version: 1,
  error: 'Payment required',
  accepts: [{ ...entry, network: 'base', maxAmountRequired: amount, resource: 'mcp://tool/tides' }],
}

const asResult = (terms: object) => ({
  isError: true,
  structuredContent: { ...terms },
  content: [{ type: 'text' as const, text: JSON.stringify(terms) }],
})

/** Without sessions, by the official library; the paid tool refuses arguments that do not fit. */
export function createOfficial(): Handler {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'tides', version: '1.0.0' })
    server.registerTool('ping', { description: 'Answers' }, () => ({
      content: [{ type: 'text', text: 'pong' }],
    }))
    server.registerTool(
      'tides',
      {
        description: 'Tides of a port. $0.0025 a call (x402)',
        inputSchema: z.object({ port: z.string().min(3) }),
      },
      () => asResult(termsV2) as never,
    )
    return server
  })
  return request => handler.fetch(request)
}

type Message = {
  readonly jsonrpc?: string
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string }
}

/** By hand: what each call of a tool is answered, as JSON or as a stream of events. */
export function createByHand(
  answer: (tool: string) => object,
  {
    sessions = false,
    events = false,
    tools = [{ name: 'tides', inputSchema: { type: 'object' } }],
  }: { readonly sessions?: boolean; readonly events?: boolean; readonly tools?: readonly object[] } = {},
): Handler {
  let isInitialized = !sessions
  return async request => {
    if (request.method !== 'POST') return new Response('Method not allowed', { status: 405 })
    const message = (await request.json()) as Message
    if (message.jsonrpc !== '2.0')
      return Response.json(fault(null, -32600, 'Invalid Request'), { status: 400 })
    if (message.method === 'initialize') {
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      }
      return send(
        { jsonrpc: '2.0', id: message.id, result },
        events,
        sessions ? { 'mcp-session-id': 's1' } : {},
      )
    }
    if (sessions && request.headers.get('mcp-session-id') !== 's1')
      return Response.json(fault(message.id, -32000, 'No session'), { status: 400 })
    if (message.method === 'notifications/initialized') {
      isInitialized = true
      return new Response(null, { status: 202 })
    }
    if (!isInitialized) return Response.json(fault(message.id, -32602, 'Not initialized'))
    if (message.method === 'tools/list')
      return send({ jsonrpc: '2.0', id: message.id, result: { tools } }, events)
    return send({ jsonrpc: '2.0', id: message.id, ...answer(message.params?.name ?? '') }, events)
  }
}

export const result = (content: object) => ({ result: content })
export const paymentRequired = (terms: object) => result(asResult(terms))
export const asText = (terms: object) =>
  result({ isError: true, content: [{ type: 'text', text: JSON.stringify(terms) }] })
export const asError = (terms: object) => ({ error: { code: 402, message: 'Payment required', data: terms } })

const fault = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code, message },
})

/** A stream stays open behind its answer. */
function send(message: object, events: boolean, headers: Record<string, string> = {}): Response {
  if (!events) return Response.json(message, { headers })
  const text = `: hello\n\nevent: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress' })}\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`
  const body = new ReadableStream({ start: controller => controller.enqueue(new TextEncoder().encode(text)) })
  return new Response(body, { headers: { ...headers, 'content-type': 'text/event-stream' } })
}
