// JSON-RPC of a Solana node. It is the operator's own and may have a private address, so requests do not go through safe-fetch. Time
// and response size are limited.
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { NodeError, type NodeTrouble, withoutSecrets } from '../node-error.ts'

export type RpcParts = { readonly url: string; readonly clock: Clock; readonly signal: AbortSignal }

export type Rpc = {
  /** @throws NodeError */
  call(method: string, params: readonly unknown[]): Promise<RpcAnswer>
  /** @returns the validated result @throws NodeError, also for an error of the node */
  read<T>(method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<T>
  fail(trouble: NodeTrouble, message: string, cause?: unknown): never
}

/** The error code for a transaction of a newer version than requested. */
export const UNSUPPORTED_VERSION = -32_015
const RESPONSE_TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

const answerSchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
])
type RpcAnswer = z.output<typeof answerSchema>

export function createRpc({ url, clock, signal }: RpcParts): Rpc {
  const fail = (trouble: NodeTrouble, message: string, cause?: unknown): never => {
    throw new NodeError(trouble, withoutSecrets(message, url).slice(0, 300), { cause })
  }
  const post = async (body: string): Promise<string> => {
    const ending = new AbortController()
    const tooLate = new NodeError('slow', `The node did not respond within ${RESPONSE_TIMEOUT_MS / 1000} s.`)
    void clock.sleep(RESPONSE_TIMEOUT_MS, signal).then(() => ending.abort(tooLate))
    const headers = { 'content-type': 'application/json' }
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal: ending.signal })
      if (!response.ok) return fail('unavailable', `The node responded with status ${response.status}.`)
      return (await readText(response)) ?? fail('unavailable', 'The response of the node is too large.')
    } catch (error) {
      if (error instanceof NodeError) throw error
      return fail('unavailable', `The node cannot be reached: ${(error as Error).message}`, error)
    }
  }
  let calls = 0
  const call = async (method: string, params: readonly unknown[]) => {
    const text = await post(JSON.stringify({ jsonrpc: '2.0', id: ++calls, method, params }))
    const answer = answerSchema.safeParse(parseJson(text)).data
    return answer ?? fail('unavailable', `The response of the node to ${method} is not JSON-RPC.`)
  }
  return {
    call,
    fail,
    async read(method, params, schema) {
      const answer = await call(method, params)
      if ('error' in answer) return fail('unavailable', `The node refuses ${method}: ${answer.error.message}`)
      const result = schema.safeParse(answer.result)
      return result.success
        ? result.data
        : fail('unavailable', `The response of the node to ${method} cannot be read.`)
    },
  }
}

/** @returns undefined if too long */
async function readText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
