// MCP over standard input and output, for a host that starts the server itself.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Directory } from '../directory/directory.ts'
import { buildServer, type ServerOptions } from './server.ts'

/** Disposing it ends the conversation. */
export function openStdio(directory: Directory, options: ServerOptions): AsyncDisposable {
  const handle = serveStdio(() => buildServer(directory, options), { maxSubscriptions: 0 })
  return { [Symbol.asyncDispose]: () => handle.close() }
}
