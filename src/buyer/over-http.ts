// Gets quotes and pays over HTTP: terms in a 402, payment and settle response in headers.
import { plainHeaders } from '../probe/probe-session.ts'
import type { SafeResponse } from '../probe/requests/safe-fetch.ts'
import { readTerms } from '../probe/terms/x402.ts'
import { toPaymentHeader } from './pay.ts'
import type { Required } from './quote.ts'
import { type BuyRequest, notQuoted, type Reply, type RequestQuote } from './seller.ts'
import { readSettleResponse } from './settle-response.ts'

/** With the headers of the official client's fetch, so that test purchases look like any customer's. */
function toSafeRequest({ method, headers = [], body, contentType }: BuyRequest) {
  const own = Object.fromEntries([
    ...headers.map(([name, value]) => [name.toLowerCase(), value] as const),
    ...(body !== undefined && contentType ? [['content-type', contentType] as const] : []),
  ])
  return {
    method,
    headers: plainHeaders(own),
    ...(body !== undefined && { body }),
    // A quote from another URL does not count, and a payment is never sent elsewhere.
    mayFollow: () => false,
  }
}

export const quoteOverHttp: RequestQuote = async (fetch, request, options) => {
  const sent = toSafeRequest(request)
  const response = await fetch(request.url, { ...sent, ...options })
  if (!response.ok) return notQuoted([response.message])
  const { status, headers, body } = response
  if (status >= 200 && status < 300) return { kind: 'unpaid', answer: response }
  const reading = readTerms({ status, headers, body })
  if (!reading.readable) return notQuoted(reading.problems)
  const { x402HTTPClient, x402Client } = await import('@x402/core/client')
  try {
    const required = new x402HTTPClient(new x402Client()).getPaymentRequiredResponse(
      name => headers.get(name.toLowerCase()),
      parse(body),
    ) as unknown as Required
    if (!Array.isArray(required.accepts)) return notQuoted([])
    return {
      kind: 'quoted',
      required,
      async pay(payment, maxBodyBytes) {
        const paying = { ...sent.headers, ...(await toPaymentHeader(payment)) }
        return toReply(await fetch(request.url, { ...sent, headers: paying, maxBodyBytes }))
      },
    }
  } catch {
    // The official client cannot read these terms, although a lenient one may.
    return notQuoted([])
  }
}

function toReply(response: SafeResponse): Reply {
  const { status, headers } = response
  const body = response.ok ? response.body : undefined
  return {
    response,
    settleResponse: headers ? readSettleResponse(headers) : { kind: 'absent' },
    second: status === 402 && headers && body ? readTerms({ status, headers, body }) : undefined,
  }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
