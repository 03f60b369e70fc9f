// MCP over standard input and output, for a host that starts the server itself.
//
// Standard input and output of which the input may end before every request is answered: `printf … | shirube mcp` is not cut off.
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Directory } from '../directory/directory.ts'
import { buildServer, CALL_TOOL, type ServerOptions } from './server.ts'

type AnsweringTransport = Transport & {
  /**
   * Cancels calls of this tool, and resolves once all other requests are answered.
   * @param tool one that must not go on without its host
   */
  drain(tool: string): Promise<void>
}

export function createAnsweringTransport(stdin: Readable, stdout: Writable): AnsweringTransport {
  // The transport of the SDK closes at the end of its input. This one ends when the conversation is closed.
  const input = stdin.pipe(new PassThrough(), { end: false })
  const wire = new StdioServerTransport(input, stdout)
  /** The tool that each open request calls, if it is a call. */
  const open = new Map<RequestId, string | undefined>()
  let onAnswered: (() => void) | undefined

  function settle(id: RequestId | undefined): void {
    if (id !== undefined) open.delete(id)
    if (open.size === 0) onAnswered?.()
  }

  const transport: AnsweringTransport = {
    async start() {
      wire.onmessage = message => {
        if (isJSONRPCRequest(message)) open.set(message.id, toolOf(message.params))
        // It gets no response.
        else if ('method' in message && message.method === 'notifications/cancelled')
          settle(message.params?.requestId as RequestId | undefined)
        transport.onmessage?.(message)
      }
      wire.onclose = () => transport.onclose?.()
      wire.onerror = error => transport.onerror?.(error)
      await wire.start()
    },
    async send(message) {
      await wire.send(message)
      if (isJSONRPCResponse(message)) settle(message.id)
    },
    async close() {
      stdin.unpipe(input)
      await wire.close()
    },
    async drain(tool) {
      while (input.writableLength + input.readableLength > 0) await setImmediate()
      for (const [id, called] of open) {
        if (called !== tool) continue
        open.delete(id)
        transport.onmessage?.({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: id, reason: 'The input has ended.' },
        })
      }
      if (open.size > 0) await new Promise<void>(resolve => (onAnswered = resolve))
    },
  }
  return transport
}

const toolOf = (params: unknown): string | undefined => {
  const { name } = (params ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' ? name : undefined
}

/** Disposing it ends the conversation. */
interface Stdio extends AsyncDisposable {
  /** After the end of the input: resolves once everything is answered. What could still pay is cancelled. */
  drain(): Promise<void>
}

export function openStdio(directory: Directory, options: ServerOptions): Stdio {
  const transport = createAnsweringTransport(process.stdin, process.stdout)
  const handle = serveStdio(() => buildServer(directory, options), { transport, maxSubscriptions: 0 })
  return { drain: () => transport.drain(CALL_TOOL), [Symbol.asyncDispose]: () => handle.close() }
}
