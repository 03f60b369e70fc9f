// Converts errors of the client, without the secrets of the node's URL.
import { BaseError, HttpRequestError, RpcRequestError } from 'viem'
import { NodeError, type NodeTrouble, withoutSecrets } from './node-error.ts'

/** Errors of the client become a NodeError; our own faults are returned unchanged. */
export function toNodeError(error: unknown, url: string): unknown {
  if (!(error instanceof BaseError)) return error
  const own = error.walk(each => each instanceof NodeError)
  if (own) return own
  const cause = error.walk(each => each instanceof RpcRequestError || each instanceof HttpRequestError)
  const status = cause instanceof HttpRequestError && cause.status ? `status ${cause.status}` : ''
  const words = [error.shortMessage, status, error.details].filter(Boolean).join(' ')
  return new NodeError(troubleOf(error), withoutSecrets(words, url).slice(0, 300))
}

const RATE_LIMIT = /rate|too many requests|per second|throughput|capacity|quota/i

function troubleOf(error: BaseError): NodeTrouble {
  const is = <T extends Error>(kind: new (...args: never[]) => T) =>
    error.walk(each => each instanceof kind) as T | null
  const http = is(HttpRequestError)
  if (http) {
    if (http.status === 400 || http.status === 413) return 'refused'
    return http.status !== undefined && http.status >= 500 ? 'slow' : 'unavailable'
  }
  const answer = is(RpcRequestError)
  if (answer) return answer.code === 429 || RATE_LIMIT.test(answer.details) ? 'unavailable' : 'refused'
  // A response too large to read is treated as a refused range.
  return error.name === 'ResponseBodyTooLargeError' ? 'refused' : 'unavailable'
}
