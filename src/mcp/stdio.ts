// MCP over standard input and output, for a host that starts the server itself.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Directory } from '../directory/directory.ts'
import { createAnsweringTransport } from './answering-transport.ts'
import { buildServer, CALL_TOOL, type ServerOptions } from './server.ts'

/** Disposing it ends the conversation. */
export interface Stdio extends AsyncDisposable {
  /** After the end of the input: resolves once everything is answered. What could still pay is cancelled. */
  drain(): Promise<void>
}

export function openStdio(directory: Directory, options: ServerOptions): Stdio {
  const transport = createAnsweringTransport(process.stdin, process.stdout)
  const handle = serveStdio(() => buildServer(directory, options), { transport, maxSubscriptions: 0 })
  return { drain: () => transport.drain(CALL_TOOL), [Symbol.asyncDispose]: () => handle.close() }
}
