// How to call a service: a snippet to paste and run, generated from the terms that its endpoint was seen to declare.
import { z } from 'zod'
import { say } from '../../messages/message.ts'
import { DirectoryError } from '../errors.ts'
import type { Service } from '../listing/service.ts'
import { createQueryReader } from '../problems.ts'
import { oneOf } from '../queries/filters.ts'
import type { PaymentRequirements, ResourceTerms, StoredTerms } from '../terms/terms.ts'
import { jsonText, toJson, toMppPayer, toPayer, toPython, toShell, toTypeScript } from './payer.ts'
import {
  approvalNote,
  type CallBody,
  type CallRequest,
  chooseCharge,
  chooseRequirements,
  findUnpayableReason,
  formatAsset,
  formatPrice,
  type LimitedRequirements,
  limitNote,
  type PayableRequirements,
  samplesNote,
  toCallRequest,
  type UnpayableReason,
  unpayableNote,
  withSpendingLimit,
} from './request.ts'
import { toMcpCall, toToolCall } from './tool.ts'

export const CALL_LANGUAGES = ['typescript', 'python', 'curl', 'mcp'] as const
export type CallLanguage = (typeof CALL_LANGUAGES)[number]

export const callQuerySchema = z.object({
  for: oneOf(CALL_LANGUAGES)
    .default('typescript')
    .describe(`Language or format of the snippet: ${CALL_LANGUAGES.join(', ')}`),
})
export type CallQuery = z.output<typeof callQuerySchema>

export const parseCallQuery: (input: unknown) => CallQuery = createQueryReader(callQuerySchema)

type CalledService = Pick<Service, 'id' | 'name' | 'description' | 'pricing' | 'x402Config'>

/** @throws DirectoryError `no_terms` */
export function toCall(
  service: CalledService,
  terms: Pick<StoredTerms, 'resources' | 'x402Version'>,
  language: CallLanguage,
): string {
  const { id, pricing, x402Config } = service
  const resource = resourceToCall(terms)
  if (!resource) throw new DirectoryError('no_terms', say('terms_never_seen'))
  const request = toCallRequest(resource)
  const chosen = choosePayment(resource, terms, x402Config, language)
  const requirements = chosen && withSpendingLimit(chosen, pricing)
  const payment = requirements ?? findUnpayableReason(resource.accepts, x402Config)
  switch (language) {
    case 'typescript':
      return toTypeScriptCall(request, payment)
    case 'python':
      return toPythonCall(request, payment)
    case 'curl':
      return toCurlCall(request, resource.accepts, terms.x402Version)
    case 'mcp':
      return toMcpCall({ service, resource, request, payment, name: id.replace(/\W/g, '-') })
  }
}

/** What the snippet pays: by the official client of x402, else in TypeScript by that of MPP. */
const choosePayment = (
  { accepts, tool }: ResourceTerms,
  { x402Version }: Pick<StoredTerms, 'x402Version'>,
  payee: Service['x402Config'],
  language: CallLanguage,
): PayableRequirements | undefined =>
  chooseRequirements(accepts, x402Version, payee) ??
  (language === 'typescript' && !tool ? chooseCharge(accepts, payee) : undefined)

/** Whether the first snippet pays the listed wallet; else it only requests the terms. */
export function isPaidByCall(
  { x402Config }: Pick<CalledService, 'x402Config'>,
  terms: Pick<StoredTerms, 'resources' | 'x402Version'>,
): boolean {
  const resource = resourceToCall(terms)
  return resource !== undefined && choosePayment(resource, terms, x402Config, CALL_LANGUAGES[0]) !== undefined
}

/** The resource whose response was judged. A resource that only a document names may request any payment, to anybody. */
export const resourceToCall = ({ resources }: Pick<StoredTerms, 'resources'>): ResourceTerms | undefined =>
  resources.find(({ source }) => source === '402')

// Code that calls a service: curl (unpaid, since a shell cannot sign), TypeScript and Python.

/** Characters that curl would expand to several URLs. */
const GLOBS = /[[\]{}]/
/** More would make the comment too long to read. */
const MAX_SHOWN_REQUIREMENTS = 5

export function toCurlCall(
  request: CallRequest,
  accepts: readonly PaymentRequirements[],
  version: 1 | 2 | null,
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
    version === null
      ? 'The header www-authenticate holds the terms of MPP'
      : version === 1
        ? 'The body is JSON, and its "accepts" holds the terms'
        : 'The header payment-required holds the terms, as JSON in base64'
  const then =
    version === null
      ? 'A client of MPP pays one of them and sends the request again, with the proof in the header Authorization.'
      : `A client of x402 signs a payment for one of them and sends the request again, with the signature in the header ${version === 1 ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE'}.`
  return `${samplesNote(request, '#')}${words.join(' \\\n  ')}

# HTTP 402 Payment Required. ${place}:
${shown}
# ${then}
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

// The call in TypeScript, with the official client over fetch.

export function toTypeScriptCall(
  request: CallRequest,
  payment: LimitedRequirements | UnpayableReason,
): string {
  const call = `${jsonText(request.url)}${toInit(request)}`
  if (typeof payment !== 'string' && payment.protocol === 'mpp')
    return `${toMppPayer(payment)}

${samplesNote(request, '//')}const response = await mppx.fetch(${call})
console.log(response.status, await response.text())
console.log('receipt:', response.headers.get('payment-receipt'))
`
  if (request.tool && typeof payment !== 'string') return toToolCall(request, request.tool, payment)
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

// The call in Python, with the official package over requests.

export function toPythonCall(
  request: CallRequest,
  requirements: LimitedRequirements | UnpayableReason,
): string {
  if (request.tool)
    return `# A tool of an MCP server is paid in the message that calls it. This is the unpaid call; its result holds the terms.
# The text for TypeScript, or for an MCP host, signs a payment for them and calls again.
# pip install requests
import requests

response = requests.request(${toArguments(request)})
print(response.status_code, response.text)
`
  if (typeof requirements === 'string')
    return `${unpayableNote(requirements, '#')}
# This is the unpaid request; the answer holds its terms.
# pip install requests
import requests

response = requests.request(${toArguments(request)})
print(response.status_code, response.headers.get("payment-required", ""), response.text)
`
  const { extras, imports, key, signer, scheme } = pythonClientOf(requirements)
  return `# pip install ${extras}
# ${key}: the private key of a wallet that holds ${formatAsset(requirements)}
${approvalNote(requirements, '#')}import os

${imports.join('\n')}

signer = ${signer}
client = x402ClientSync()
client.${requirements.version === 1 ? 'register_v1' : 'register'}(${toPython(requirements.network)}, ${scheme}(signer))
${toPythonLimits(requirements)}

${samplesNote(request, '#')}with x402_requests(client) as session:
    response = session.request(${toArguments(request, '    ')})
    print(response.status_code, response.text)
    print("receipt:", response.headers.get("payment-response") or response.headers.get("x-payment-response"))
`
}

function pythonClientOf({ family, version, scheme }: PayableRequirements) {
  const common = ['from x402 import x402ClientSync', 'from x402.http.clients import x402_requests']
  if (family === 'evm') {
    const [name, module] =
      version === 1
        ? ['ExactEvmSchemeV1', 'exact.v1']
        : scheme === 'upto'
          ? ['UptoEvmScheme', 'upto']
          : ['ExactEvmScheme', 'exact']
    return {
      extras: '"x402[requests,evm]"',
      imports: [
        'from eth_account import Account',
        ...common,
        'from x402.mechanisms.evm import EthAccountSigner',
        `from x402.mechanisms.evm.${module} import ${name}`,
      ],
      key: 'EVM_PRIVATE_KEY',
      signer: 'EthAccountSigner(Account.from_key(os.environ["EVM_PRIVATE_KEY"]))',
      scheme: name,
    }
  }
  const [name, module] = version === 1 ? ['ExactSvmSchemeV1', 'exact.v1'] : ['ExactSvmScheme', 'exact']
  return {
    extras: '"x402[requests,svm]"',
    imports: [
      ...common,
      'from x402.mechanisms.svm import KeypairSigner',
      `from x402.mechanisms.svm.${module} import ${name}`,
    ],
    key: 'SVM_PRIVATE_KEY',
    signer: 'KeypairSigner.from_base58(os.environ["SVM_PRIVATE_KEY"])',
    scheme: name,
  }
}

/** Pays only the wallet and the asset that were seen, and at most the amount that was seen; anything else raises before it signs. */
function toPythonLimits(requirements: LimitedRequirements): string {
  const { network, asset, limit, payTo, family } = requirements
  const same =
    family === 'evm'
      ? (name: string, value: string) => `option.${name}.lower() == ${toPython(value.toLowerCase())}`
      : (name: string, value: string) => `option.${name} == ${toPython(value)}`
  return `${limitNote(requirements, '#', 'raises')}
client.set_spend_controls({
    "allowed_assets": [
        {"network": ${toPython(network)}, "asset": ${toPython(asset)}, "max_amount_per_payment": ${toPython(limit)}}
    ]
})
client.register_policy(
    lambda version, options: [
        option
        for option in options
        if option.network == ${toPython(network)}
        and ${same('asset', asset)}
        and ${same('pay_to', payTo)}
        and option.get_amount().isdecimal()
        and int(option.get_amount()) <= ${limit.replace(/\D/g, '')}
    ]
)`
}

function toArguments({ method, url, headers, body }: CallRequest, indent = ''): string {
  const inner = `${indent}    `
  const names = [...(body?.kind === 'text' ? [['content-type', body.contentType] as const] : []), ...headers]
  const argumentTexts = [
    toPython(method),
    toPython(url),
    ...(names.length > 0 ? [`headers=${toPython(Object.fromEntries(names), inner)}`] : []),
    ...(body?.kind === 'json' ? [`json=${toPython(body.value, inner)}`] : []),
    ...(body?.kind === 'text' ? [`data=${toPython(body.value)}.encode()`] : []),
  ]
  return `\n${argumentTexts.map(argument => `${inner}${argument},`).join('\n')}\n${indent}`
}
