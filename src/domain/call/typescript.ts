// The call in TypeScript, with the official client over fetch.
import type { UnpayableReason } from './choose-requirements.ts'
import { samplesNote, unpayableNote } from './format-price.ts'
import { jsonText, toTypeScript } from './literals.ts'
import { toPayer } from './payer.ts'
import type { CallRequest } from './request.ts'
import type { LimitedRequirements } from './spending-limit.ts'
import { toToolCall } from './tool.ts'

export function toTypeScriptCall(
  request: CallRequest,
  payment: LimitedRequirements | UnpayableReason,
): string {
  if (request.tool && typeof payment !== 'string') return toToolCall(request, request.tool, payment)
  const call = `${jsonText(request.url)}${toInit(request)}`
  if (typeof payment === 'string')
    return `${unpayableNote(payment, '//')}
// This is the unpaid request; the answer holds its terms.
const response = await fetch(${call})
console.log(response.status, response.headers.get('payment-required') ?? '', await response.text())
`
  const { head, imports, client } = toPayer(payment)
  return `${head('@x402/fetch')}${[`import { wrapFetchWithPayment, x402Client } from '@x402/fetch'`, ...imports].join('\n')}

${client}

${samplesNote(request, '//')}const response = await wrapFetchWithPayment(fetch, client)(${call})
console.log(response.status, await response.text())
console.log('receipt:', response.headers.get('payment-response') ?? response.headers.get('x-payment-response'))
`
}

function toInit({ method, headers, body }: CallRequest): string {
  const names = [...(body ? [['content-type', body.contentType] as const] : []), ...headers]
  if (method === 'GET' && names.length === 0) return ''
  const lines = [
    `  method: ${jsonText(method)},`,
    ...(names.length > 0 ? [`  headers: ${toTypeScript(Object.fromEntries(names), '  ')},`] : []),
    ...(body ? [`  body: ${toBody(body)},`] : []),
  ]
  return `, {\n${lines.join('\n')}\n}`
}

const toBody = (body: NonNullable<CallRequest['body']>): string =>
  body.kind === 'json' ? `JSON.stringify(${toTypeScript(body.value, '  ')})` : jsonText(body.value)
