// The call in TypeScript, with the official client over fetch.
import type { PayableRequirements } from './choose-requirements.ts'
import { jsonText, toTypeScript } from './literals.ts'
import { toPayer } from './payer.ts'
import type { CallRequest } from './request.ts'
import { toToolCall } from './tool.ts'

export function toTypeScriptCall(
  request: CallRequest,
  requirements: PayableRequirements | undefined,
): string {
  if (request.tool && requirements) return toToolCall(request.url, request.tool, requirements)
  const call = `${jsonText(request.url)}${toInit(request)}`
  if (!requirements)
    return `// No official client can pay the listed wallet on the listed network
// by any option that this service offers.
// This is the unpaid request; the answer holds its terms.
const response = await fetch(${call})
console.log(response.status, response.headers.get('payment-required') ?? '', await response.text())
`
  const { head, imports, client } = toPayer(requirements)
  return `${head('@x402/fetch')}${[`import { wrapFetchWithPayment, x402Client } from '@x402/fetch'`, ...imports].join('\n')}

${client}

const response = await wrapFetchWithPayment(fetch, client)(${call})
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
