// Stands between the indexer and its node, with the moods of a provider.
type Call = { readonly method: string; readonly params?: readonly unknown[]; readonly id: number }

export type RpcProxy = ReturnType<typeof openRpcProxy>

/** What the proxy says itself; undefined: it asks the node. */
type Answer = (
  call: Call,
  ask: () => Promise<Response>,
) => Promise<Response | undefined> | Response | undefined

export function openRpcProxy(target: string) {
  const calls: Call[] = []
  let answer: Answer = () => undefined
  let finalized: number | undefined
  const ask = async (body: string): Promise<Response> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(target, { method: 'POST', body, headers })
    return new Response(await response.text(), { status: response.status, headers })
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const sent = await request.text()
      const body =
        finalized === undefined ? sent : sent.replace('"finalized"', `"0x${finalized.toString(16)}"`)
      const call = JSON.parse(sent) as Call
      calls.push(call)
      return (await answer(call, () => ask(body))) ?? ask(body)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    set answer(by: Answer) {
      answer = by
    },
    /** Keeps later blocks from being final; undefined: the newest is. */
    set finalized(block: number | undefined) {
      finalized = block
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

export const rpcError = ({ id }: Call, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } })

/** First and last block of a request for logs. */
export function rangeOf({
  method,
  params,
}: Call): { readonly from: number; readonly to: number } | undefined {
  if (method !== 'eth_getLogs') return undefined
  const { fromBlock, toBlock } = params![0] as { fromBlock: string; toBlock: string }
  return { from: Number(fromBlock), to: Number(toBlock) }
}
