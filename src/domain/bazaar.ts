// Services as the clients of x402 read a list: the shape of `GET /discovery/resources` that facilitators serve.
import { z } from 'zod'
import { type Asset, findAssetOf } from './assets.ts'
import { hasUnits, toAtomic } from './money.ts'
import type { Service, ServiceDraft } from './service.ts'
import { STATUSES, type Status } from './standing.ts'
import type { StatusRecord } from './views.ts'

export const BAZAAR_VERSION = 2
/** What every item is: the registered base URL, paid over HTTP by the exact amount. */
export const OFFER_TYPE = 'http'
export const OFFER_SCHEME = 'exact'
/** The key of what this directory adds to an item. */
export const OFFER_EXTENSION = 'shirube'
/** How long a payment may take is the merchant's to say; this is what servers ask for unless told otherwise. */
const USUAL_TIMEOUT_SECONDS = 60
/** The specification of the list lets no other names and tags pass. */
const PLAIN_NAME = /^[\x20-\x7e]{1,32}$/

const timestamp = z.string().meta({ format: 'date-time' })

const acceptsSchema = z
  .object({
    scheme: z.literal(OFFER_SCHEME),
    network: z.string().describe('CAIP-2'),
    amount: z.string().describe("In the asset's smallest units"),
    asset: z.string(),
    payTo: z.string(),
    maxTimeoutSeconds: z.int().min(1),
    extra: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'BazaarAccepts', title: 'A way to pay' })

export const bazaarItemSchema = z
  .object({
    resource: z.string().describe('Base URL of the service'),
    type: z.literal(OFFER_TYPE),
    x402Version: z.literal(BAZAAR_VERSION),
    accepts: z
      .array(acceptsSchema)
      .min(1)
      .describe('As listed here; the terms to pay by are those of the resource itself'),
    lastUpdated: timestamp,
    description: z.string(),
    serviceName: z.string().optional().describe('Where the name fits the 32 ASCII characters of the format'),
    tags: z.array(z.string()),
    metadata: z.object({ name: z.string(), category: z.string(), supportedChains: z.array(z.string()) }),
    extensions: z.object({
      [OFFER_EXTENSION]: z.object({
        id: z.string(),
        status: z.enum(STATUSES),
        pricing: z.object({ currency: z.string(), pricePerRequest: z.string(), freeQuota: z.int() }),
      }),
    }),
    quality: z.object({
      trustScore: z.int(),
      uptimeScore: z.number(),
      totalCalls: z.int().describe('Settled payments seen on chain, since they are read'),
      totalRevenue: z.number(),
    }),
    health: z.object({ status: z.enum(['alive', 'unknown', 'dead']), lastChecked: timestamp }),
  })
  .meta({ id: 'BazaarItem', title: 'A service in the format of x402 lists' })
export type BazaarItem = Readonly<z.output<typeof bazaarItemSchema>>

const unappliedFilters = z
  .array(z.string())
  .optional()
  .describe('Parameters that were sent and did nothing; left out where there are none')
const pagination = z.object({ limit: z.int(), offset: z.int(), total: z.int() })

export const bazaarListSchema = z
  .object({
    x402Version: z.literal(BAZAAR_VERSION),
    items: z.array(bazaarItemSchema),
    pagination,
    unappliedFilters,
  })
  .meta({ id: 'BazaarList', title: 'A page of the list' })
export type BazaarList = Readonly<z.output<typeof bazaarListSchema>>

export const bazaarSearchSchema = z
  .object({
    x402Version: z.literal(BAZAAR_VERSION),
    resources: z.array(bazaarItemSchema),
    partialResults: z.boolean().describe('Whether there may be more than can be paged through'),
    searchMethod: z.literal('hybrid').describe('By words and by meaning'),
    pagination: z.object({ limit: z.int(), cursor: z.string().nullable() }),
    unappliedFilters,
  })
  .meta({ id: 'BazaarSearch', title: 'A page of search results, best first' })
export type BazaarSearch = Readonly<z.output<typeof bazaarSearchSchema>>

export const bazaarMerchantSchema = z
  .object({
    x402Version: z.literal(BAZAAR_VERSION),
    payTo: z.string().describe('As it was asked for'),
    resources: z.array(bazaarItemSchema),
    pagination,
    unappliedFilters,
  })
  .meta({ id: 'BazaarMerchant', title: 'What pays to one address' })
export type BazaarMerchant = Readonly<z.output<typeof bazaarMerchantSchema>>

type Payable = Pick<ServiceDraft, 'pricing' | 'x402Config'>

/** The known asset that a service is paid in; undefined where there is none, or it has no units as small as the price. */
export function toOfferedAsset({ pricing, x402Config }: Payable): Asset | undefined {
  const asset = findAssetOf(x402Config.network, pricing.currency)
  return asset && hasUnits(pricing.pricePerRequest, asset.decimals) ? asset : undefined
}

/** What can be said about paying for a service without asking it; undefined where its asset is not known. */
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
    maxTimeoutSeconds: USUAL_TIMEOUT_SECONDS,
    // What a wallet signs over differs by contract, and a wrong name makes a payment fail: the resource itself says it.
    extra: {},
  }
}

const HEALTH = { verified: 'alive', unverified: 'unknown', inactive: 'dead' } as const satisfies Record<
  Status,
  string
>

/** undefined where there is no way to pay to tell: clients of the format take the first one for granted. */
export function toBazaarItem(service: Service, standing: StatusRecord): BazaarItem | undefined {
  const accepts = toAccepts(service)
  if (!accepts) return undefined
  const { id, name, description, endpoint, category, pricing, supportedChains, updatedAt } = service
  const { trustScore, uptimeScore, txCount, totalRevenue, status, lastChecked } = standing
  return {
    resource: endpoint,
    type: OFFER_TYPE,
    x402Version: BAZAAR_VERSION,
    accepts: [accepts],
    lastUpdated: updatedAt,
    description,
    ...(PLAIN_NAME.test(name) && { serviceName: name }),
    tags: PLAIN_NAME.test(category) ? [category] : [],
    metadata: { name, category, supportedChains: [...supportedChains] },
    extensions: { [OFFER_EXTENSION]: { id, status, pricing } },
    quality: { trustScore, uptimeScore, totalCalls: txCount, totalRevenue },
    health: { status: HEALTH[status], lastChecked },
  }
}
