// Reads the paid operations of an OpenAPI 3 document, each with its input and output as self-contained schemas.
import { knownAssets } from '../../domain/chains/assets.ts'
import { isRecord, type JsonRecord } from '../../domain/json.ts'
import { toDecimal } from '../../domain/money/money.ts'
import { cleanName, cleanWords, memoizeByObject } from '../untrusted.ts'
import { type DocumentedResource, fitsEndpoint, toUrlUnder } from './documented.ts'
import {
  type Budget,
  boundSchema,
  createBudget,
  inlineSchema,
  joinInput,
  type PlacedField,
  resolveReference,
} from './schemas.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'] as const
/** Paths after these are ignored. */
const MAX_PATHS = 2_000
const MAX_OPERATIONS = 64
const MAX_PROTOCOLS = 16
const MAX_SERVER_URL = 2_048

/** Returns operations under the endpoint that are marked as paid, and all operations at the endpoint itself. */
export function readOpenApi(document: unknown, endpoint: string): DocumentedResource[] {
  if (!isRecord(document) || !isRecord(document.paths)) return []
  const found: DocumentedResource[] = []
  const budget = createBudget()
  // Thousands of paths may refer to one operation.
  const isPaidAt = memoizeByObject(isMarkedPaid)
  const prefixAt = memoizeByObject((servers: readonly unknown[]) => prefixOf(servers, endpoint))
  const root = rootOf(document, endpoint)
  for (const [path, item] of Object.entries(document.paths).slice(0, MAX_PATHS)) {
    const operations = resolveReference(item, document)
    if (!isRecord(operations) || !path.startsWith('/')) continue
    for (const method of METHODS) {
      const operation = resolveReference(operations[method], document)
      if (!isRecord(operation)) continue
      const servers = operation.servers ?? operations.servers
      const server = (Array.isArray(servers) ? prefixAt(servers) : undefined) ?? root
      const url = server === undefined ? undefined : toUrlUnder(`${server}${path}`, endpoint)
      if (url === undefined) continue
      const isPaid = isPaidAt(operation)
      if (!isPaid && !fitsEndpoint(url, endpoint)) continue
      const known = { url, method: method.toUpperCase(), isPaid }
      found.push(toDocumented(operation, operations, known, { document, budget }))
      if (found.length === MAX_OPERATIONS) return found
    }
  }
  return found
}

function toDocumented(
  operation: JsonRecord,
  item: JsonRecord,
  known: Pick<DocumentedResource, 'url' | 'isPaid'> & { readonly method: string },
  reader: { readonly document: JsonRecord; readonly budget: Budget },
): DocumentedResource {
  const input = boundSchema(inputOf(operation, item, known.method, reader))
  const [mimeType, answered] = outputOf(operation, reader)
  const output = boundSchema(answered)
  const description = cleanWords(operation.description ?? operation.summary, 1_024)
  const price = priceOf(operation['x-payment-info'])
  return {
    ...known,
    ...(description && { description }),
    ...(mimeType && { mimeType }),
    ...(input && { input }),
    ...(output && { output }),
    accepts: acceptsOf(operation),
    ...(price && { price }),
    source: 'openapi',
  }
}

/** @returns the first server on this origin; undefined if there is none */
function prefixOf(servers: readonly unknown[], endpoint: string): string | undefined {
  const origin = URL.parse(endpoint)?.origin
  for (const server of servers.slice(0, 16)) {
    if (!isRecord(server) || typeof server.url !== 'string') continue
    if (server.url.length > MAX_SERVER_URL) continue
    const url = URL.parse(withDefaults(server.url, server.variables), origin)
    if (url && url.origin === origin) return `${url.origin}${withoutSlashes(url.pathname)}`
  }
  return undefined
}

function rootOf(document: JsonRecord, endpoint: string): string | undefined {
  if (Array.isArray(document.servers) && document.servers.length > 0)
    return prefixOf(document.servers, endpoint)
  return URL.parse(endpoint)?.origin
}

/** Strips trailing slashes; the lookbehind keeps the time linear for runs of slashes elsewhere. */
const withoutSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '')

function withDefaults(url: string, variables: unknown): string {
  return url.replace(/\{(\w{1,64})\}/g, (whole, name: string) => {
    const variable = isRecord(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined
    return isRecord(variable) && typeof variable.default === 'string' ? variable.default : whole
  })
}

/** By an extension, or by a 402 among its responses. */
function isMarkedPaid(operation: JsonRecord): boolean {
  const info = operation['x-payment-info']
  if (info !== undefined) return takesKnownProtocol(info)
  if (
    ['x-x402', 'x402', 'x-402', 'x402-price', 'x-x402-price'].some(
      name => operation[name] !== undefined && operation[name] !== false,
    )
  )
    return true
  return isRecord(operation.responses) && Object.hasOwn(operation.responses, '402')
}

function takesKnownProtocol(info: unknown): boolean {
  if (!isRecord(info)) return false
  const { protocols } = info
  return (
    !Array.isArray(protocols) || protocols.length === 0 || protocols.slice(0, MAX_PROTOCOLS).some(isKnown)
  )
}

/** A name, or an object with the name as a key or value. */
const isKnown = (protocol: unknown): boolean =>
  isRecord(protocol) ? Object.entries(protocol).flat().some(isKnownName) : isKnownName(protocol)

const isKnownName = (name: unknown): boolean => typeof name === 'string' && /x402|mpp/i.test(name)

function acceptsOf(operation: JsonRecord): readonly unknown[] {
  const extensions = [operation['x-payment-info'], operation['x-x402'], operation.x402]
  const found = extensions.map(each => (isRecord(each) ? each.accepts : undefined)).find(Array.isArray)
  return found ?? []
}

/** `{price: {mode, amount, currency}}`, the older flat form, or the offers of MPP. */
function priceOf(info: unknown): DocumentedResource['price'] {
  if (!isRecord(info)) return undefined
  const offers = Array.isArray(info.offers) ? info.offers.slice(0, MAX_PROTOCOLS) : [info]
  const offered = offers.flatMap(offer => offeredPrice(offer) ?? [])[0]
  if (offered) return offered
  const price = isRecord(info.price) ? info.price : { amount: info.price, currency: info.currency }
  const amount = typeof price.amount === 'number' ? String(price.amount) : price.amount
  if (typeof amount !== 'string' || !/^\$?\d{1,18}(\.\d{1,18})?$/.test(amount)) return undefined
  return { amount: amount.replace('$', ''), currency: cleanName(price.currency, 32) ?? 'USD' }
}

/** A charge in the smallest units of a known asset. */
function offeredPrice(offer: unknown): DocumentedResource['price'] {
  if (!isRecord(offer) || offer.intent !== 'charge') return undefined
  const { amount, currency } = offer
  if (typeof amount !== 'string' || !/^\d{1,24}$/.test(amount) || typeof currency !== 'string')
    return undefined
  const asset = knownAssets().find(({ address }) => address.toLowerCase() === currency.toLowerCase())
  return asset && { amount: toDecimal(BigInt(amount), asset.decimals), currency: asset.symbol }
}

const MAX_PARAMETERS = 32

/** The first 16 keys. Many operations may refer to one huge object. */
const keysOf = memoizeByObject((record: JsonRecord) => Object.keys(record).slice(0, 16))

type Reader = { readonly document: JsonRecord; readonly budget: Budget }

/** Merges parameters and body into one schema; `x-in` marks fields outside of the main part. */
function inputOf(
  operation: JsonRecord,
  item: JsonRecord,
  method: string,
  { document, budget }: Reader,
): JsonRecord | undefined {
  const placed: PlacedField[] = []
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const parameters = [item.parameters, operation.parameters].flatMap(list =>
    Array.isArray(list) ? list : [],
  )
  for (const given of parameters.slice(0, MAX_PARAMETERS)) {
    const parameter = resolveReference(given, document)
    if (!isRecord(parameter)) continue
    const name = cleanName(parameter.name, 128)
    const location = parameter.in
    if (name === undefined || (location !== 'path' && location !== 'query' && location !== 'header')) continue
    const schema = inlineSchema(parameter.schema, document, budget) ?? {}
    const example = parameter.example ?? firstExample(parameter.examples, document)
    const isOwn = location === 'query' && !hasBody
    const field = {
      ...schema,
      ...(example !== undefined && { example }),
      ...(!isOwn && { 'x-in': location }),
    }
    placed.push({ name, field, isRequired: location === 'path' || parameter.required === true })
  }
  const body = hasBody ? bodyOf(operation, { document, budget }) : undefined
  return joinInput(body, placed)
}

function bodyOf(operation: JsonRecord, { document, budget }: Reader): JsonRecord | undefined {
  const requestBody = resolveReference(operation.requestBody, document)
  const content = isRecord(requestBody) && isRecord(requestBody.content) ? requestBody.content : {}
  const types = keysOf(content)
  const type = types.find(name => /[/+]json\b/i.test(name)) ?? types[0]
  const media = type === undefined ? undefined : content[type]
  if (!isRecord(media)) return undefined
  const described = describedBy(media, { document, budget })
  if (!described) return undefined
  const mediaType =
    type === undefined || /[/+]json\b/i.test(type) ? undefined : cleanName(type.split(';')[0]?.trim(), 128)
  return { ...described, ...(mediaType && { contentMediaType: mediaType }) }
}

function outputOf(
  operation: JsonRecord,
  { document, budget }: Reader,
): [mimeType: string | undefined, output: JsonRecord | undefined] {
  const responses = isRecord(operation.responses) ? operation.responses : {}
  const success = resolveReference(responses['200'] ?? responses['201'] ?? responses.default, document)
  if (!isRecord(success)) return [undefined, undefined]
  const content = isRecord(success.content) ? success.content : {}
  const type = keysOf(content)[0]
  const media = type === undefined ? undefined : content[type]
  return [cleanName(type, 128), isRecord(media) ? describedBy(media, { document, budget }) : undefined]
}

/** The schema of a media type with its example. */
function describedBy(media: JsonRecord, { document, budget }: Reader): JsonRecord | undefined {
  const schema = inlineSchema(media.schema, document, budget)
  const example = media.example ?? firstExample(media.examples, document)
  if (!schema && example === undefined) return undefined
  return { ...schema, ...(example !== undefined && { example }) }
}

/** `{name: {value}}`, as in OpenAPI. */
function firstExample(examples: unknown, document: JsonRecord): unknown {
  if (!isRecord(examples)) return undefined
  const [name] = keysOf(examples)
  const first = name === undefined ? undefined : resolveReference(examples[name], document)
  return isRecord(first) ? first.value : undefined
}
