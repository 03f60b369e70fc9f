// MCP over HTTP, without sessions: every request is self-contained. The library takes a third of a second to load, so it is loaded with
// the first request.
import type { LocalDirectory } from '../directory/directory.ts'
import type { ServerOptions } from './server.ts'

export type McpRequest = {
  readonly body: unknown
  readonly key: string | undefined
  readonly from: string
  /** Counts what the message costs, before it is answered. @throws DirectoryError `rate_limited` */
  readonly charge: (cost: number) => void
  /** Resolves when the message may be answered. */
  readonly turn: () => Promise<void>
}

export interface McpEndpoint extends AsyncDisposable {
  /** Answers one message, unless the request was aborted meanwhile. */
  answer(request: Request, details: McpRequest): Promise<Response>
}

/** What a server is built for: the network of the caller, and the directory as its key sees it. */
type Extra = { readonly from: string; readonly view: LocalDirectory }

export function createMcpEndpoint(
  directory: Pick<LocalDirectory, 'forKey'>,
  // A client over HTTP is not the user with the wallet's key.
  options: Omit<ServerOptions, 'key' | 'from' | 'callTool'>,
): McpEndpoint {
  let loading: ReturnType<typeof load> | undefined

  async function load() {
    const [{ createMcpHandler }, { buildServer, costOf }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./server.ts'),
    ])
    const build = (key: string | undefined, { from, view }: Extra) =>
      buildServer(view, { ...options, key, from, callTool: undefined })
    const handler = createMcpHandler(
      ({ authInfo }) => build(authInfo?.token || undefined, authInfo?.extra as Extra),
      // There are no notifications, so a subscription would only hold a connection.
      { maxSubscriptions: 0 },
    )
    return { handler, costOf }
  }

  return {
    async answer(request, { body, key, from, charge, turn }) {
      loading ??= load()
      const { handler, costOf } = await loading
      // The scopes of the key are checked where they are needed.
      const extra: Extra = { from, view: await directory.forKey(key) }
      const authInfo = { token: key ?? '', clientId: '', scopes: [], extra }
      // The request itself was counted as 1.
      charge(costOf(body) - 1)
      await turn()
      request.signal.throwIfAborted()
      const response = await handler.fetch(request, { parsedBody: body, authInfo })
      // The library answers with a stream before the work is done.
      return new Response(await response.text(), { status: response.status, headers: response.headers })
    },
    async [Symbol.asyncDispose]() {
      await (await loading)?.handler.close()
    },
  }
}
