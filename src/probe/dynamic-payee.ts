// Whether each response of a resource names another payee (dynamicPayTo), so that no registered address can match.
import { addressKey } from '../domain/chains/addresses.ts'
import { requestToolTerms } from './mcp/mcp-terms.ts'
import type { ProbeResponse } from './probe-response.ts'
import type { ProbeSession } from './probe-session.ts'

/** Repeats the request up to twice. A single difference may be a change. */
export async function findDynamicPayee(session: ProbeSession, first: ProbeResponse): Promise<boolean> {
  const { request } = first
  // A tool call needs a session: three requests.
  const cost = request.tool === undefined ? 1 : 3
  const responses = [first]
  while (responses.length < 3) {
    if (session.requestsLeft < cost) return false
    const next =
      request.tool === undefined
        ? await session.request(request)
        : await requestToolTerms(session, request.url, request)
    if (!next) return false
    responses.push(next)
    if (!differOnlyByPayee(responses)) return false
  }
  return true
}

function differOnlyByPayee(responses: readonly ProbeResponse[]): boolean {
  const readings = responses.flatMap(({ reading }) => (reading?.readable ? [reading] : []))
  if (readings.length < responses.length) return false
  const rest = readings.map(({ payments }) =>
    payments.map(({ scheme, chain, asset, amount }) => [scheme, chain, asset, amount].join(' ')).join('\n'),
  )
  const payees = readings.map(({ payments }) =>
    payments.map(({ payTo, chain }) => addressKey(payTo, chain)).join('\n'),
  )
  return new Set(rest).size === 1 && new Set(payees).size === payees.length
}
