// x402 lists (Bazaar): queries of their clients, what an item says of an endpoint, and the item itself.
import { z } from 'zod'
import type { Word } from '../../messages/kinds.ts'
import { toCallRequest } from '../call/request.ts'
import { type Asset, findAssetOf } from '../chains/assets.ts'
import { asRecord, isRecord, type JsonRecord } from '../json.ts'
import { LANGUAGE_CHOICE } from '../languages/languages.ts'
import { type Marks, marksSchema } from '../listing/backing.ts'
import type { Service, ServiceDraft, StatusRecord } from '../listing/service.ts'
import { isRepresentable, toAtomic } from '../money/money.ts'
import { dateTime, expecting, readBody } from '../problems.ts'
import { FILTER_PARAMETERS, type Filters } from '../queries/filters.ts'
import { limit, offset, requiredWords, suppressedSchema } from '../queries/queries.ts'
import { sampleValue } from '../samples/sample-value.ts'
import { STATUSES, type Status } from '../standing/standing.ts'
import {
  type PaymentRequirements,
  paymentRequirementsSchema,
  type ResourceTerms,
  type StoredTerms,
} from '../terms/terms.ts'
import { visible } from '../text/text.ts'

/** Items per page. Lists read an index; searches rank, which costs more per item. */
export const MAX_BAZAAR_LIMIT = 1_000
export const MAX_SEARCH_LIMIT = 100

const filterText = (what: Word<'visible_text'>) => visible(64, what)
const payTo = visible(128, 'wallet_address').describe('Wallet that is paid')

const offerFilters = {
  type: filterText('resource_kind')
    .describe('Kind of resource: http, or mcp for a tool of an MCP server')
    .optional(),
  payTo: payTo.optional(),
  scheme: filterText('payment_scheme').describe('Payment scheme, like exact or upto').optional(),
  network: visible(64, 'network', { spaced: true })
    .describe('Network on which it is paid: CAIP-2 id, name or alias')
    .optional(),
  asset: visible(128, 'asset').describe('Address of the asset in which it is paid').optional(),
  extensions: visible(256, 'extensions')
    .describe('Keys that an item must have in extensions, separated by commas: bazaar, shirube')
    .optional(),
}
/** The filters of this list alone, and those of every list. */
export type OfferFilters = z.output<z.ZodObject<typeof offerFilters>> & Filters
const listFilters = { ...offerFilters, ...FILTER_PARAMETERS }

export const bazaarListQuerySchema = z.object({ ...listFilters, limit: limit(20, MAX_BAZAAR_LIMIT), offset })
export const bazaarSearchQuerySchema = z.object({
  query: requiredWords.describe(`What is needed, in ${LANGUAGE_CHOICE}`),
  ...listFilters,
  limit: limit(20, MAX_SEARCH_LIMIT),
  cursor: z
    .string()
    .regex(/^\d{1,5}$/, expecting('page_before_expected'))
    .transform(Number)
    .optional()
    .meta({ type: 'string', pattern: '^\\d{1,5}$' })
    .describe('Cursor of the next page, as the previous page returned it'),
})

/** Names of unknown parameters. They are reported and not refused: a client may have written them for another list. */
type Unapplied = { readonly unapplied: readonly string[] }
export type BazaarListQuery = z.output<typeof bazaarListQuerySchema> & Unapplied
export type BazaarSearchQuery = z.output<typeof bazaarSearchQuerySchema> & Unapplied

/** Reads the parameters of a list; unknown ones are named in `unapplied`. */
export const parseBazaarQuery =
  <S extends z.ZodObject>(schema: S) =>
  (input: unknown): z.output<S> & Unapplied => {
    const parameters = (input instanceof Map ? Object.fromEntries(input) : input) as Record<string, unknown>
    const unapplied = Object.keys(parameters).filter(name => !Object.hasOwn(schema.shape, name))
    return { ...readBody(schema, parameters), unapplied }
  }

// The terms that an endpoint was seen to declare, in the format of x402 lists: its own payment requirements, version and schemas.

type Accepts = BazaarItem['accepts'][number]

const WITH_BODY = ['POST', 'PUT', 'PATCH']

/** The item with the terms that its endpoint declares. */
export function toSeenItem(item: BazaarItem, { seenAt, x402Version, resources }: StoredTerms): BazaarItem {
  const resource = resources.find(({ accepts }) => accepts.length > 0)
  if (!resource) return item
  const { url, description, mimeType, accepts, tool } = resource
  return {
    ...item,
    resource: toCallRequest({ ...resource, input: undefined }).url || url,
    type: tool === undefined ? OFFER_TYPE : TOOL_TYPE,
    x402Version: x402Version ?? BAZAAR_VERSION,
    accepts: accepts.map(requirements =>
      x402Version === 1 && requirements.protocol === 'x402'
        ? toAcceptsV1(requirements, resource)
        : toSeenAccepts(requirements),
    ),
    metadata: {
      ...item.metadata,
      terms: 'seen',
      seenAt,
      ...(description && { description }),
      ...(mimeType && { mimeType }),
    },
    extensions: { ...item.extensions, bazaar: toBazaarExtension(resource) },
  }
}

/** Clients of x402 pass over an entry of MPP, whose scheme they do not know; those of x402 come first. */
const toSeenAccepts = ({
  protocol,
  scheme,
  network,
  amount,
  asset,
  payTo,
  maxTimeoutSeconds,
  extra,
}: PaymentRequirements): Accepts => ({
  ...(protocol === 'mpp' && { protocol }),
  scheme,
  network,
  amount,
  asset,
  payTo,
  maxTimeoutSeconds: maxTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
  extra,
})

function toAcceptsV1(requirements: PaymentRequirements, resource: ResourceTerms): Accepts {
  const { amount, ...accepts } = toSeenAccepts(requirements)
  return {
    ...accepts,
    maxAmountRequired: amount,
    resource: resource.url,
    description: resource.description ?? '',
    mimeType: resource.mimeType ?? '',
    outputSchema: {
      input: { ...toInfo(resource), discoverable: true },
      ...(resource.output && { output: resource.output }),
    },
  }
}

/** The extension of version 2: example values, and the schema that they match. */
function toBazaarExtension(resource: ResourceTerms): JsonRecord {
  const { output, routeTemplate } = resource
  const input = toInfo(resource)
  return {
    info: {
      input,
      ...(output && { output: { type: 'json', ...('example' in output && { example: output.example }) } }),
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: input.type },
            ...(input.method !== undefined && { method: { type: 'string', enum: [input.method] } }),
            ...schemasOf(resource),
          },
          required: Object.keys(input).filter(name => name !== 'description'),
        },
      },
      required: ['input'],
    },
    ...(routeTemplate !== undefined && { routeTemplate }),
  }
}

const GROUPS = { path: 'pathParams', query: 'queryParams', header: 'headers' } as const

/** The properties of the input, grouped by their place in the request. */
function groupsOf({ method, input = {} }: ResourceTerms): Map<string, JsonRecord> {
  const defaultGroup = WITH_BODY.includes(method) ? 'body' : 'queryParams'
  const required = Array.isArray(input.required) ? (input.required as unknown[]) : []
  const groups = Map.groupBy(Object.entries(asRecord(input.properties)), ([, property]) => {
    const place = asRecord(property)['x-in']
    return place === 'body' ? 'body' : (GROUPS[place as keyof typeof GROUPS] ?? defaultGroup)
  })
  return new Map(
    [...groups].map(([group, properties]) => {
      const [first] = properties
      const isWhole = group === 'body' && asRecord(first?.[1])['x-in'] === 'body'
      const names = properties.map(([name]) => name).filter(name => required.includes(name))
      const schema = {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(names.length > 0 && { required: names }),
      }
      return [group, isWhole ? asRecord(first![1]) : schema]
    }),
  )
}

function toInfo(resource: ResourceTerms): JsonRecord {
  const { tool, method, input = {}, description } = resource
  if (tool !== undefined)
    return {
      type: 'mcp',
      toolName: tool,
      transport: 'streamable-http',
      inputSchema: input,
      ...(description && { description }),
    }
  const example = asRecord(input.example)
  const values = [...groupsOf(resource)].map(([group, schema]) => {
    const sample = sampleValue(schema, input)
    const fields = Object.entries(example).filter(([name]) =>
      Object.hasOwn(asRecord(schema.properties), name),
    )
    return [group, isRecord(sample) ? { ...sample, ...Object.fromEntries(fields) } : sample] as const
  })
  const hasBody = WITH_BODY.includes(method)
  return {
    type: 'http',
    method,
    ...(hasBody && { bodyType: bodyTypeOf(input.contentMediaType), body: {} }),
    ...Object.fromEntries(values),
  }
}

function schemasOf(resource: ResourceTerms): JsonRecord {
  const { tool, method, input = {} } = resource
  if (tool !== undefined)
    return { toolName: { type: 'string' }, inputSchema: { type: 'object' }, transport: { type: 'string' } }
  return {
    ...(WITH_BODY.includes(method) && {
      bodyType: { type: 'string', enum: [bodyTypeOf(input.contentMediaType)] },
      body: { type: 'object' },
    }),
    ...Object.fromEntries(groupsOf(resource)),
  }
}

function bodyTypeOf(mediaType: unknown): 'json' | 'form-data' | 'text' {
  const type = typeof mediaType === 'string' ? mediaType.toLowerCase() : ''
  if (type.startsWith('text/')) return 'text'
  return type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded' ? 'form-data' : 'json'
}

// Services in the format that x402 clients read: that of `GET /discovery/resources`, which facilitators serve.

export const BAZAAR_VERSION = 2
/** The type of an item unless its endpoint was seen to declare another: paid over HTTP, by the exact amount. */
export const OFFER_TYPE = 'http'
export const TOOL_TYPE = 'mcp'
export const OFFER_SCHEME = 'exact'
/** The key of the fields that this directory adds to an item. */
export const OFFER_EXTENSION = 'shirube'
/** The merchant decides how long a payment may take; this is the default of x402 servers. */
export const DEFAULT_TIMEOUT_SECONDS = 60
/** The specification of the list allows no other names and tags. */
const PLAIN_NAME = /^[\x20-\x7e]{1,32}$/

const acceptsSchema = paymentRequirementsSchema
  .pick({ scheme: true, asset: true, payTo: true, extra: true })
  .extend({
    protocol: z.literal('mpp').optional().describe('Only where it is paid by MPP: clients of x402 cannot'),
    network: z.string().describe('As the endpoint spells it; CAIP-2 if its terms were never read'),
    amount: z.string().optional().describe("In the asset's smallest units; in version 2"),
    maxAmountRequired: z.string().optional().describe("In the asset's smallest units; in version 1"),
    maxTimeoutSeconds: z.number().describe('How long a payment may take, as declared'),
    resource: z.string().optional().describe('In version 1'),
    description: z.string().optional().describe('In version 1'),
    mimeType: z.string().optional().describe('In version 1'),
    outputSchema: z.record(z.string(), z.unknown()).optional().describe('Input and output, in version 1'),
  })
  .meta({ id: 'BazaarAccepts', title: 'Payment requirements' })

export const bazaarItemSchema = z
  .object({
    resource: z.string().describe('URL to call; the base URL of the service if its terms were never read'),
    type: z
      .enum([OFFER_TYPE, TOOL_TYPE])
      .describe('mcp: a tool of an MCP server, which is named in extensions.bazaar'),
    x402Version: z.union([z.literal(1), z.literal(2)]).describe('The x402 version that the resource uses'),
    accepts: z
      .array(acceptsSchema)
      .min(1)
      .describe(
        'The payment requirements of the resource; those of the listing if its terms were never read: metadata.terms states which',
      ),
    lastUpdated: dateTime.describe('When it last changed'),
    description: z.string().describe('What the service does'),
    serviceName: z.string().optional().describe('If the name fits the 32 ASCII characters of the format'),
    tags: z.array(z.string()).describe('Its category, where the format allows the name'),
    metadata: z
      .object({
        name: z.string().describe('Name of the service'),
        category: z.string().describe('Id of the category'),
        supportedChains: z.array(z.string()).describe('The chains that it is paid on'),
        terms: z.enum(['seen', 'listing']).describe('listing: the terms of its endpoint were never read'),
        seenAt: dateTime.optional().describe('When the endpoint was seen asking for this'),
        description: z.string().optional().describe('The description that the resource declares'),
        mimeType: z.string().optional().describe('Media type of its responses, as declared'),
      })
      .describe('What the directory adds to the format'),
    extensions: z
      .object({
        bazaar: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('Method, input and output as the resource declares them'),
        [OFFER_EXTENSION]: z
          .object({
            id: z.string().describe('Id of the service'),
            status: z.enum(STATUSES).describe('verified: it asks to be paid as listed'),
            pricing: z
              .object({
                currency: z.string().describe('Currency of the price, like USDC'),
                pricePerRequest: z.string().describe('Price of a request, in whole units'),
                freeQuota: z.int().describe('Requests before payment is required'),
              })
              .describe('Price of a request'),
            backing: marksSchema.describe('Who stands behind the entry'),
          })
          .describe('What this directory knows of it'),
      })
      .describe('What the directory adds to the format'),
    quality: z
      .object({
        trustScore: z.int().describe('Trust, 0 to 100'),
        uptimeScore: z.number().describe('Share of answered probes, 0 to 100'),
        totalCalls: z.int().describe('Settled payments seen on chain, since the chain is read'),
        totalRevenue: z.number().describe('Sum of the payments seen on chain'),
      })
      .describe('Measurements of this directory'),
    health: z
      .object({
        status: z
          .enum(['alive', 'unknown', 'dead'])
          .describe('alive: verified; unknown: unverified; dead: inactive'),
        lastChecked: dateTime.describe('Time of the last probe; before it, of the registration'),
      })
      .describe('Whether it answers'),
  })
  .meta({ id: 'BazaarItem', title: 'A service in the format of x402 lists' })
export type BazaarItem = Readonly<z.output<typeof bazaarItemSchema>>

const responseNotes = {
  unappliedFilters: z
    .array(z.string())
    .optional()
    .describe('Parameters that were sent and had no effect; left out if there are none'),
  suppressed: suppressedSchema
    .optional()
    .describe('What the policy of the key leaves out; left out if it is nothing'),
}
const pagination = z.object({
  limit: z.int().describe('Most entries of a page'),
  offset: z.int().describe('Entries before this page'),
  total: z.int().describe('Number of all entries'),
})

export const bazaarListSchema = z
  .object({
    x402Version: z.literal(BAZAAR_VERSION).describe('Version of x402'),
    items: z.array(bazaarItemSchema).describe('The services of this page'),
    pagination: pagination.describe('Where this page is in the whole'),
    ...responseNotes,
  })
  .meta({ id: 'BazaarList', title: 'A page of the list' })
export type BazaarList = Readonly<z.output<typeof bazaarListSchema>>

export const bazaarSearchSchema = z
  .object({
    x402Version: z.literal(BAZAAR_VERSION).describe('Version of x402'),
    resources: z.array(bazaarItemSchema).describe('Best first'),
    partialResults: z.boolean().describe('Whether there may be more results than can be paged through'),
    searchMethod: z.literal('hybrid').describe('By words and by meaning'),
    pagination: z
      .object({
        limit: z.int().describe('Most entries of a page'),
        cursor: z.string().nullable().describe('Send as cursor for the next page; null on the last'),
      })
      .describe('Where this page is in the whole'),
    ...responseNotes,
  })
  .meta({ id: 'BazaarSearch', title: 'A page of search results, best first' })
export type BazaarSearch = Readonly<z.output<typeof bazaarSearchSchema>>

type Payable = Pick<ServiceDraft, 'pricing' | 'x402Config'>

/** The known asset that a service is paid in; undefined if there is none, or if its smallest unit is larger than the price. */
export function toOfferedAsset({ pricing, x402Config }: Payable): Asset | undefined {
  const asset = findAssetOf(x402Config.network, pricing.currency)
  return asset && isRepresentable(pricing.pricePerRequest, asset.decimals) ? asset : undefined
}

/** The payment requirements that follow from a listing alone; undefined if its asset is unknown. */
export function toAccepts(service: Payable): BazaarItem['accepts'][number] | undefined {
  const { pricing, x402Config } = service
  const asset = toOfferedAsset(service)
  const amount = asset && toAtomic(pricing.pricePerRequest, asset.decimals)
  if (!asset || amount === undefined) return undefined
  return {
    scheme: OFFER_SCHEME,
    network: asset.chain,
    amount,
    asset: asset.address,
    payTo: x402Config.paymentAddress,
    maxTimeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
    // What a wallet signs over differs by contract, and a wrong name makes a payment fail: only the resource can state it.
    extra: {},
  }
}

const HEALTH = { verified: 'alive', unverified: 'unknown', inactive: 'dead' } as const satisfies Record<
  Status,
  string
>

/** The item of a listing. `accepts` is empty if its asset is unknown: then only terms that were seen can state it. */
export function toBazaarItem(service: Service, standing: StatusRecord, backing: Marks): BazaarItem {
  const accepts = toAccepts(service)
  const { id, name, description, endpoint, category, pricing, supportedChains, updatedAt } = service
  const { trustScore, uptimeScore, txCount, totalRevenue, status, lastChecked } = standing
  return {
    resource: endpoint,
    type: OFFER_TYPE,
    x402Version: BAZAAR_VERSION,
    accepts: accepts ? [accepts] : [],
    lastUpdated: updatedAt,
    description,
    ...(PLAIN_NAME.test(name) && { serviceName: name }),
    tags: PLAIN_NAME.test(category) ? [category] : [],
    metadata: { name, category, supportedChains: [...supportedChains], terms: 'listing' },
    extensions: { [OFFER_EXTENSION]: { id, status, pricing, backing } },
    quality: { trustScore, uptimeScore, totalCalls: txCount, totalRevenue },
    health: { status: HEALTH[status], lastChecked },
  }
}
