// MCP over HTTP, without sessions: every request is self-contained. The library takes a third of a second to load, so it is loaded with
// the first request.
import type { LocalDirectory } from '../directory/directory.ts'
import type { ServerOptions } from './server.ts'

export type McpRequest = {
  readonly body: unknown
  readonly key: string | undefined
  readonly from: string
  /** Counts what the messages cost, before the first is answered. @throws DirectoryError `rate_limited` */
  readonly charge: (cost: number) => void
  /** Resolves when the next message may be answered. */
  readonly turn: () => Promise<void>
}

export interface McpEndpoint extends AsyncDisposable {
  /** Answers the messages one after the other, and stops when the request is aborted. */
  answer(request: Request, details: McpRequest): Promise<Response>
}

/** What a server is built for: the network of the caller, and the directory as its key sees it. */
type Extra = { readonly from: string; readonly view: LocalDirectory }

/** Of all answers to one request; each is bounded too (`server.ts`). */
const MAX_ANSWER_LENGTH = 1_000_000
const TOO_LONG = -32_000

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
      const answerOne = async (message: unknown): Promise<Response> => {
        await turn()
        request.signal.throwIfAborted()
        const response = await handler.fetch(request, { parsedBody: message, authInfo })
        // The library answers with a stream before the work is done.
        return new Response(await response.text(), { status: response.status, headers: response.headers })
      }
      const messages = Array.isArray(body) && body.length > 0 ? body : [body]
      // The request itself was counted as 1.
      charge(messages.reduce((sum, message) => sum + costOf(message), -1))
      if (messages[0] === body) return answerOne(body)
      const answers: string[] = []
      let length = 0
      for (const message of messages) {
        const answer =
          length < MAX_ANSWER_LENGTH ? toJson(await (await answerOne(message)).text()) : tooLong(message)
        if (answer !== '') answers.push(answer)
        length += answer.length
      }
      if (answers.length === 0) return new Response(null, { status: 202 })
      return new Response(`[${answers.join(',')}]`, { headers: { 'Content-Type': 'application/json' } })
    },
    async [Symbol.asyncDispose]() {
      await (await loading)?.handler.close()
    },
  }
}

/** The message in an answer, which may be a stream of one event; empty after a notification. */
const toJson = (answer: string): string => /^data: (.+)$/m.exec(answer)?.[1] ?? answer

function tooLong(message: unknown): string {
  const { id } = (message ?? {}) as { readonly id?: unknown }
  if (id === undefined) return ''
  const error = { code: TOO_LONG, message: 'The answers are too long. Send fewer messages in one request.' }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
