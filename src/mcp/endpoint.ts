// MCP over HTTP, without sessions: every request is self-contained. The library takes a third of a second to load, so it is loaded with
// the first request.
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { Directory } from '../directory/directory.ts'
import type { ServerOptions } from './server.ts'

export interface McpEndpoint extends AsyncDisposable {
  answer(
    request: Request,
    details: { readonly body: unknown; readonly key: string | undefined; readonly from: string },
  ): Promise<Response>
}

export function createMcpEndpoint(
  directory: Directory,
  // A client over HTTP is not the user with the wallet's key.
  options: Omit<ServerOptions, 'key' | 'from' | 'callTool'>,
): McpEndpoint {
  let loading: Promise<McpHttpHandler> | undefined

  async function load(): Promise<McpHttpHandler> {
    const [{ createMcpHandler }, { buildServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./server.ts'),
    ])
    const build = (key: string | undefined, from: unknown) =>
      buildServer(directory, { ...options, key, from: from as string | undefined, callTool: undefined })
    return createMcpHandler(({ authInfo }) => build(authInfo?.token || undefined, authInfo?.extra?.from), {
      // There are no notifications, so a subscription would only hold a connection.
      maxSubscriptions: 0,
    })
  }

  return {
    async answer(request, { body, key, from }) {
      loading ??= load()
      const handler = await loading
      // The directory verifies the key where it is needed.
      const authInfo = { token: key ?? '', clientId: '', scopes: [], extra: { from } }
      return handler.fetch(request, { parsedBody: body, authInfo })
    },
    async [Symbol.asyncDispose]() {
      await (await loading)?.close()
    },
  }
}
