// The unpaid request and its response: a shell cannot sign a payment.
import type { PaymentRequirements } from '../terms/terms.ts'
import { formatAsset, formatPrice, samplesNote } from './format-price.ts'
import { toJson, toShell } from './literals.ts'
import type { CallBody, CallRequest } from './request.ts'

/** Characters that curl would expand to several URLs. */
const GLOBS = /[[\]{}]/
/** More would make the comment too long to read. */
const MAX_SHOWN_REQUIREMENTS = 5

export function toCurlCall(
  request: CallRequest,
  accepts: readonly PaymentRequirements[],
  version: 1 | 2,
): string {
  const { method, url, headers, body } = request
  const isBare = method === 'GET' && headers.length === 0 && !body
  const words = [
    'curl -i',
    ...(GLOBS.test(url) ? ['--globoff'] : []),
    ...(method === 'HEAD' ? ['--head'] : isBare ? [] : [`-X ${method}`]),
    toShell(url),
    ...headers.map(([name, value]) => `-H ${toShell(`${name}: ${value}`)}`),
    ...(body ? toBodyWords(body) : []),
  ]
  const shown = accepts
    .slice(0, MAX_SHOWN_REQUIREMENTS)
    .map(requirements => `#   ${formatPrice(requirements)}, paid in ${formatAsset(requirements)}`)
    .join('\n')
  if (request.tool)
    return `${samplesNote(request, '#')}${words.join(' \\\n  ')}

# The result is an error that holds the terms:
${shown}
# A client of x402 signs a payment for one of them and calls the tool again, with the signature in "_meta" of the params, as "x402/payment".
# A server with sessions wants a call of "initialize" first, and the header mcp-session-id of its answer in every other.
`
  const place =
    version === 1
      ? 'The body is JSON, and its "accepts" holds the terms'
      : 'The header payment-required holds the terms, as JSON in base64'
  return `${samplesNote(request, '#')}${words.join(' \\\n  ')}

# HTTP 402 Payment Required. ${place}:
${shown}
# A client of x402 signs a payment for one of them and sends the request again, with the signature in the header ${version === 1 ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE'}.
`
}

/** A terminal accepts no carriage return, so curl itself builds a multipart form; `--form-string` never reads a file. */
function toBodyWords(body: CallBody): string[] {
  if (body.kind === 'text' && body.fields && body.fields.length > 0)
    return body.fields.map(([name, text]) => `--form-string ${toShell(`${name}=${text}`)}`)
  return [
    `-H ${toShell(`content-type: ${body.contentType}`)}`,
    `--data-raw ${toShell(body.kind === 'json' ? toJson(body.value) : body.value)}`,
  ]
}
