// The MCP endpoint for agents. Messages are handled by a part that is passed in.

import { DirectoryError } from '../../domain/errors.ts'
import type { McpEndpoint } from '../../mcp/endpoint.ts'
import { say } from '../../messages/message.ts'
import { bearerOf, isLoopback, type ReadCallerNetwork } from '../pipeline/caller.ts'
import { createOpenLimit, nextTurn } from '../pipeline/limits.ts'
import { readJson } from '../pipeline/request.ts'
import type { Answer, Handler, Route } from '../pipeline/route.ts'

export const MCP_PATH = '/mcp'

/** Requests with their bodies and answers, of which one at a time is worked on. */
const MAX_AT_ONCE = { perCaller: 16, inAll: 128 }
/** A check waits for a stranger's server. */
const ANSWER_TIMEOUT_SECONDS = 240
/** More than any call of a tool. The answer to a wrong message can be twenty times as long. */
const MAX_MESSAGE_BYTES = 16 * 1024
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

export function createMcpRoute({
  mcp,
  publicUrl,
  readCallerNetwork,
}: {
  mcp: Pick<McpEndpoint, 'answer'>
  publicUrl: string
  readCallerNetwork: ReadCallerNetwork
}): Route {
  const ownOrigin = URL.parse(publicUrl)?.origin
  const enter = createOpenLimit({ ...MAX_AT_ONCE, refuse: most => say('requests_open', { most }) })
  const answer: Handler = async exchange => {
    const { request, server, charge } = exchange
    refuseForeignPages(request.headers.get('origin'), ownOrigin)
    const from = readCallerNetwork(exchange)
    const read = await readMessage(request)
    if ('problem' in read) return read.problem
    // After the body has arrived: a client that sends it slowly counts for nothing.
    using _ = enter(from)
    const key = bearerOf(request.headers.get('authorization'))
    server.timeout(request, ANSWER_TIMEOUT_SECONDS)
    const turn = () => nextTurn(from)
    return toAnswer(await mcp.answer(request, { body: read.body, key, from, charge, turn }))
  }
  return { path: MCP_PATH, methods: { POST: answer } }
}

/**
 * Browsers send the origin of the requesting page. Otherwise a stranger's page could reach a directory on the user's own machine, by a
 * name that is re-pointed there (DNS rebinding).
 */
function refuseForeignPages(origin: string | null, ownOrigin: string | undefined): void {
  if (origin === null || origin === ownOrigin || isLoopback(origin)) return
  throw new DirectoryError('forbidden', say('origin_foreign'))
}

/** A body that is not a message gets a JSON-RPC error; other errors are reported as usual. */
async function readMessage(request: Request): Promise<{ body: unknown } | { problem: Answer }> {
  try {
    const body = await readJson(request, MAX_MESSAGE_BYTES)
    // Only the revision of March 2025 allowed several messages in one request.
    if (Array.isArray(body)) return { problem: toProblem(INVALID_REQUEST, 'Send one message in a request.') }
    return { body }
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'invalid_request') throw error
    return { problem: toProblem(PARSE_ERROR, `The ${error.message}`) }
  }
}

const toProblem = (code: number, message: string): Answer => ({
  status: 400,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
})

function toAnswer(response: Response): Answer {
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' }
  for (const [name, value] of response.headers) if (name !== 'connection') headers[name] = value
  return { status: response.status, headers, body: response.body }
}
