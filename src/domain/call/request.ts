// The request that a snippet sends: which payment option it takes, what it costs at most, and how the price is written.
import { EVM_ADDRESS, sameAddress } from '../chains/addresses.ts'
import { findAsset, isSameMoney } from '../chains/assets.ts'
import { chainKey, chainLabel } from '../chains/chains.ts'
import { asRecord, type JsonRecord } from '../json.ts'
import type { Service } from '../listing/service.ts'
import { compareAtomic, compareDecimals, DECIMAL, toAtomicFloor } from '../money/money.ts'
import { type SampleRequest, sampleHeaders, sampleRequest } from '../samples/sample-request.ts'
import { sampleValue } from '../samples/sample-value.ts'
import { type PaymentRequirements, type ResourceTerms, signingObstacle } from '../terms/terms.ts'

export type LimitedRequirements = PayableRequirements & {
  /** In the asset's smallest units. */
  readonly limit: string
  /** The listed price where the endpoint asks for more, or for money that cannot be compared with it. */
  readonly listed?: { readonly price: string; readonly isLess: boolean }
}

/** A reader who chose by the listed price pays a higher one only by changing the limit. */
export function withSpendingLimit(
  requirements: PayableRequirements,
  { pricePerRequest, currency }: Service['pricing'],
): LimitedRequirements {
  const { chain, asset, amount } = requirements
  const known = findAsset(chain, asset)
  const price = `${pricePerRequest} ${currency}`
  if (!known || !isSameMoney(known.symbol, currency))
    return { ...requirements, limit: amount, listed: { price, isLess: false } }
  if (compareAtomic(BigInt(amount), known.decimals, pricePerRequest) <= 0)
    return { ...requirements, limit: amount }
  const limit = toAtomicFloor(pricePerRequest, known.decimals)
  return { ...requirements, limit, listed: { price, isLess: true } }
}

/** The price in words that are safe in a comment of any language: untrusted text is filtered. */
export const formatPrice = ({ price, assetName, amount, scheme }: PaymentRequirements): string => {
  const sum =
    price !== undefined && /^[\d.]{1,40}$/.test(price)
      ? `${price} ${plain(assetName ?? '')}`.trim()
      : `${amount.replace(/\D/g, '')} smallest units`
  return scheme === 'upto' ? `${sum} (a maximum: what is taken may be less)` : sum
}

/** The asset, and the chain on which the wallet must hold it. */
export const formatAsset = ({ assetName, asset, chain }: PaymentRequirements): string =>
  `${assetName === undefined ? `the asset ${plain(asset)}` : plain(assetName)} on ${plain(chainLabel(chain))}`

const plain = (text: string): string => text.replace(/[^\w .:-]/g, '').slice(0, 64)

/** The approval that Permit2 needs once before it can move an asset. */
export const approvalNote = ({ scheme, extra }: PaymentRequirements, mark: string): string =>
  scheme === 'upto' || extra.assetTransferMethod === 'permit2'
    ? `${mark} The wallet has approved Permit2 (0x000000000022D473030F116dDEE9F6B43aC78BA3) for it\n`
    : ''

/** The most that is signed for, and where that is not the price of the listing. */
export function limitNote(requirements: LimitedRequirements, mark: string, verb: string): string {
  const { listed, amount } = requirements
  const limit = listed?.isLess ? plain(listed.price) : formatPrice(requirements)
  const lines = [
    ...(listed?.isLess
      ? [
          `WARNING: it lists ${plain(listed.price)} and was seen asking for ${formatPrice(requirements)}. This pays no more than is listed.`,
          `To pay what it asks, raise the limit to ${amount.replace(/\D/g, '')} smallest units.`,
        ]
      : []),
    ...(listed && !listed.isLess ? [`It lists ${plain(listed.price)}, which cannot be compared.`] : []),
    `At most ${limit}, in this asset, to this wallet. Anything else ${verb} before it is signed.`,
  ]
  return lines.map(line => `${mark} ${line}`).join('\n')
}

const UNPAYABLE: Readonly<Record<UnpayableReason, readonly string[]>> = {
  other_network: ['This service asks for no payment on the listed network, so nothing is paid here.'],
  other_wallet: [
    'WARNING: this service asks to pay another wallet than the listed one, so nothing is paid here.',
  ],
  no_client: [
    'No official client can pay the listed wallet on the listed network',
    'by any option that this service offers.',
  ],
  deposit: ["This service is paid from a balance that must be deposited at Circle's Gateway first."],
  mpp_only: ['This service is paid by MPP alone, so no client of x402 can pay it.'],
}

/** Why a snippet does not pay, as comment lines. */
export const unpayableNote = (reason: UnpayableReason, mark: string): string =>
  UNPAYABLE[reason].map(line => `${mark} ${line}`).join('\n')

/** Nothing but the caller's own values is worth paying for. */
export const samplesNote = ({ isFilled }: CallRequest, mark: string): string =>
  isFilled ? `${mark} The values of the request are samples: put in your own before you pay.\n` : ''

// Which payment requirements of `accepts` the official clients can meet, and which of them a snippet uses.

export type PayableRequirements = PaymentRequirements & {
  readonly family: 'evm' | 'svm'
  readonly version: 1 | 2
}

/** Why nothing can be paid by a listing. */
export type UnpayableReason = 'other_network' | 'other_wallet' | 'no_client' | 'deposit' | 'mpp_only'

/** The listed payee and network. */
export type Payee = { readonly paymentAddress: string; readonly network: string }

/** The network names of x402 version 1 for which the clients know a chain id. */
const EVM_V1_NETWORKS: readonly string[] = [
  'abstract',
  'abstract-testnet',
  'avalanche',
  'avalanche-fuji',
  'base',
  'base-sepolia',
  'celo',
  'educhain',
  'ethereum',
  'flare',
  'iotex',
  'megaeth',
  'monad',
  'peaq',
  'polygon',
  'polygon-amoy',
  'sei',
  'sei-testnet',
  'sepolia',
  'skale-base-sepolia',
  'stable',
  'stable-testnet',
  'story',
]
const SVM_V1_NETWORKS: readonly string[] = ['solana', 'solana-devnet', 'solana-testnet']
const SVM_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Returns undefined if no official client can pay the listed wallet on the listed network; only that wallet was judged. */
export function chooseRequirements(
  accepts: readonly PaymentRequirements[],
  version: 1 | 2 | null,
  payee: Payee,
): PayableRequirements | undefined {
  return toListedPayee(accepts, payee)
    .filter(({ protocol }) => protocol === 'x402')
    .flatMap(requirements => toPayable(requirements, version ?? 2) ?? [])
    .sort(compareRequirements)[0]
}

const toListedPayee = (accepts: readonly PaymentRequirements[], { paymentAddress, network }: Payee) =>
  accepts.filter(
    ({ chain, payTo }) => chain === chainKey(network) && sameAddress(payTo, paymentAddress, network),
  )

/** A charge that the official client of MPP can pay, where nothing but MPP pays the listed wallet; the lowest. */
export function chooseCharge(
  accepts: readonly PaymentRequirements[],
  payee: Payee,
): PayableRequirements | undefined {
  const options = toListedPayee(accepts, payee)
  if (options.some(({ protocol }) => protocol !== 'mpp')) return undefined
  return options
    .filter(({ asset, payTo }) => EVM_ADDRESS.test(asset) && EVM_ADDRESS.test(payTo))
    .filter(
      ({ extra, splitTo }) =>
        !splitTo && extra.splits === undefined && (extra.method === 'tempo' || isAuthorization(extra)),
    )
    .map(requirements => ({ ...requirements, family: 'evm' as const, version: 2 as const }))
    .sort(compareRequirements)[0]
}

const isAuthorization = ({ method, credentialTypes }: PaymentRequirements['extra']): boolean =>
  method === 'evm' && Array.isArray(credentialTypes) && credentialTypes.includes('authorization')

/** For terms in which `chooseRequirements` finds nothing. */
export function findUnpayableReason(accepts: readonly PaymentRequirements[], payee: Payee): UnpayableReason {
  if (!accepts.some(({ chain }) => chain === chainKey(payee.network))) return 'other_network'
  const options = toListedPayee(accepts, payee)
  if (options.length === 0) return 'other_wallet'
  if (options.every(({ protocol }) => protocol === 'mpp')) return 'mpp_only'
  return options.some(option => signingObstacle(option) === 'deposit') ? 'deposit' : 'no_client'
}

function toPayable(requirements: PaymentRequirements, version: 1 | 2): PayableRequirements | undefined {
  const { network, scheme, asset, payTo } = requirements
  const hasAddresses = (pattern: RegExp) => pattern.test(asset) && pattern.test(payTo)
  const isEvm = version === 2 ? /^eip155:\d{1,18}$/.test(network) : EVM_V1_NETWORKS.includes(network)
  if (isEvm && hasAddresses(EVM_ADDRESS))
    return isSignable(requirements, version) ? { ...requirements, family: 'evm', version } : undefined
  const isSvm =
    version === 2 ? /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/.test(network) : SVM_V1_NETWORKS.includes(network)
  const isPaid = isSvm && scheme === 'exact' && hasAddresses(SVM_ADDRESS)
  return isPaid ? { ...requirements, family: 'svm', version } : undefined
}

/** In version 1 every payment is an authorization. */
function isSignable(requirements: PaymentRequirements, version: 1 | 2): boolean {
  const { scheme, extra } = requirements
  if (scheme === 'upto') return version === 2
  if (scheme !== 'exact' || signingObstacle(requirements) !== undefined) return false
  return version === 2 || extra.assetTransferMethod !== 'permit2'
}

/** Fixed price before maximum, payment on delivery before payment upfront, known price before unknown, then the lowest price. */
function compareRequirements(a: PayableRequirements, b: PayableRequirements): number {
  return (
    Number(a.scheme !== 'exact') - Number(b.scheme !== 'exact') ||
    Number(a.paymentFlow === 'upfront') - Number(b.paymentFlow === 'upfront') ||
    Number(!isPriced(a)) - Number(!isPriced(b)) ||
    (isPriced(a) && isPriced(b) && a.currency === b.currency ? compareDecimals(a.price!, b.price!) : 0)
  )
}

const isPriced = ({ price }: PaymentRequirements): boolean => price !== undefined && DECIMAL.test(price)

// The request that a resource takes, filled with sample values that match its schema; the snippets of all languages write it.

export type CallRequest = {
  readonly method: string
  /** With path and query filled in. */
  readonly url: string
  /** Without the content type of the body. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: CallBody | undefined
  /** Whether sample values were filled in. */
  readonly isFilled?: boolean
  /** Set where the request calls an MCP tool; the body contains the same call. */
  readonly tool?: ToolCall
}
export type ToolCall = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
export type CallBody =
  | { readonly kind: 'json'; readonly contentType: 'application/json'; readonly value: unknown }
  | {
      readonly kind: 'text'
      readonly contentType: string
      readonly value: string
      /** The fields of a multipart body. */
      readonly fields?: readonly (readonly [name: string, text: string])[] | undefined
    }

type Resource = Pick<ResourceTerms, 'url' | 'method' | 'input' | 'tool'>

const METHOD = /^[A-Z]{3,16}$/
const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE']

export const toMethod = (method: string): string => (METHOD.test(method) ? method : 'GET')

export const hasNoBody = (method: string): boolean => WITHOUT_BODY.includes(method)

export function toCallRequest(resource: Resource): CallRequest {
  const { url, method, input, tool } = resource
  if (tool !== undefined) {
    const filled = sampleArguments(input)
    const isFilled = Object.keys(filled).length > 0
    return { ...toToolRequest(url, { name: tool, arguments: filled }), isFilled }
  }
  const httpMethod = toMethod(method)
  const sample = sampleRequest({ url, input, method: hasNoBody(httpMethod) ? 'GET' : 'POST' })
  const { body, contentType = '', fields } = sample ?? {}
  const headers = sampleHeaders(input)
  const hasOwnUrl = sample !== undefined && sample.url !== URL.parse(url)?.href
  return {
    method: httpMethod,
    url: withoutFragment(sample?.url ?? url),
    headers,
    body: body === undefined ? undefined : toCallBody(body, contentType, fields),
    isFilled: hasOwnUrl || headers.length > 0 || (body !== undefined && body !== '{}'),
  }
}

export const toCallBody = (text: string, contentType: string, fields: SampleRequest['fields']): CallBody =>
  contentType === 'application/json'
    ? { kind: 'json', contentType, value: JSON.parse(text) }
    : { kind: 'text', contentType, value: text, fields }

export function withoutFragment(url: string): string {
  const target = new URL(url)
  target.hash = ''
  return target.href
}

/** Calls an MCP tool with the single message that servers without sessions need. */
export const toToolRequest = (url: string, params: ToolCall): CallRequest => ({
  method: 'POST',
  url: withoutFragment(url),
  headers: [['accept', 'application/json, text/event-stream']],
  body: {
    kind: 'json',
    contentType: 'application/json',
    value: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  },
  tool: params,
})

const sampleArguments = (input: JsonRecord = {}): JsonRecord =>
  asRecord(sampleValue({ type: 'object', ...input }, input))

export type TemplateResource = Pick<ResourceTerms, 'url' | 'method' | 'input' | 'routeTemplate' | 'tool'>

/** The path with its placeholders, if known: the URL itself may have example values in their places. */
export function toTemplate({ url, routeTemplate }: TemplateResource): string {
  if (!routeTemplate?.startsWith('/')) return url
  const { origin, search } = new URL(url)
  return origin + routeTemplate + search
}
