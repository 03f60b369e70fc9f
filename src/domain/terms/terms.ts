// Terms: what an endpoint itself declared when it was last seen, its payment requirements and its input. Untrusted text, bounded and
// sanitized before it gets here.
import { z } from 'zod'
import type { Word } from '../../messages/kinds.ts'
import { findAsset, isSameMoney } from '../chains/assets.ts'
import { asRecord } from '../json.ts'
import { compareAtomic, compareDecimals } from '../money/money.ts'
import { isPerRequest, risksIn } from '../money/scheme-fields.ts'
import { dateTime, messageSchema } from '../problems.ts'

/** Resources stored per endpoint. */
export const MAX_RESOURCES = 32
/** Payment requirements in one response. A response with more is not read: a flood of them would hide the one that a client takes. */
export const MAX_OPTIONS = 100

/** The price in US dollars, as responses have it. */
export const dollarFields = {
  usdPrice: z.string().nullable().describe('Price per request in US dollars; null if no rate is known'),
  usdPriceAt: z
    .string()
    .meta({ format: 'date' })
    .nullable()
    .describe('Date of the exchange rate; null if none is needed or known'),
}

export const toDollarFields = (
  price: { readonly amount: string; readonly rateDate: string | null } | undefined,
) => ({ usdPrice: price?.amount ?? null, usdPriceAt: price?.rateDate ?? null })

const jsonSchema = z
  .record(z.string(), z.unknown())
  .describe(
    'A JSON Schema, with `example` if one was given. `x-in` states the place of a property that is neither in the query of a GET nor in ' +
      'the body of a POST: path, query, header, or body if it is the whole body',
  )

export const PROTOCOLS = ['x402', 'mpp'] as const
export type Protocol = (typeof PROTOCOLS)[number]
/** As people write it. */
export const toProtocolName = (protocol: string): string => (protocol === 'mpp' ? 'MPP' : protocol)

export const paymentRequirementsSchema = z
  .object({
    protocol: z.enum(PROTOCOLS).describe('By which protocol it is paid'),
    scheme: z
      .string()
      .describe('exact, upto, and others; with upto the amount is a maximum; charge if by MPP'),
    network: z.string().describe('As the endpoint spells it'),
    chain: z.string().describe('CAIP-2; of a card or another processor its name, like stripe'),
    asset: z.string().describe('Contract address or mint of the asset'),
    assetName: z.string().optional().describe('If the asset is known'),
    amount: z.string().regex(/^\d+$/).describe("In the asset's smallest units"),
    price: z.string().optional().describe('In whole units, if the asset is known'),
    currency: z.string().optional().describe('Currency of one unit of the asset, like USD'),
    payTo: z.string().describe('The address that is paid; of a processor its name, or its own id'),
    splitTo: z
      .array(z.string())
      .optional()
      .describe('Who else receives a part, where these parts are more than a tenth of the amount'),
    maxTimeoutSeconds: z.number().optional().describe('How long a payment may take, as declared'),
    paymentFlow: z.string().optional().describe('If the endpoint states it; upfront: paid before delivery'),
    extra: z
      .record(z.string(), z.unknown())
      .describe('Further fields of the scheme, as the endpoint states them'),
  })
  .meta({ id: 'Way', title: 'Payment requirements' })
/** One entry of `accepts`. */
export type PaymentRequirements = Readonly<z.output<typeof paymentRequirementsSchema>>

/** Whether a processor, of cards or anything else that is no chain, decides who is paid. */
export const isByProcessor = ({
  protocol,
  chain,
}: {
  readonly protocol?: Protocol
  readonly chain: string
}) => protocol === 'mpp' && !chain.includes(':')

/**
 * Why no official client of x402 can sign for it, whatever its amount and asset. domain: an authorization needs the EIP-712 domain of the
 * token, which clients take from the 402. deposit: Circle's Gateway hides in `exact`; clients would sign for another contract.
 */
export function signingObstacle({
  scheme,
  chain,
  extra,
}: Pick<PaymentRequirements, 'scheme' | 'chain' | 'extra'>): 'domain' | 'deposit' | 'transfer' | undefined {
  if (scheme !== 'exact' || !chain.startsWith('eip155:')) return undefined
  const { name, version, assetTransferMethod = 'eip3009' } = asRecord(extra)
  if (name === 'GatewayWalletBatched') return 'deposit'
  if (assetTransferMethod === 'permit2') return undefined
  if (assetTransferMethod !== 'eip3009') return 'transfer'
  const isNamed = [name, version].every(text => typeof text === 'string' && text !== '')
  return isNamed ? undefined : 'domain'
}

/** Highest price per request that the official clients pay without configuration, in dollars. */
const MAX_DEFAULT_PRICE = '1'
export type Refusal = Word<'client_refusal'>

/** Why the official clients refuse an option of x402; undefined for a default asset, up to a dollar, by a payment flow that they support. */
export function refusalOf(option: PaymentRequirements): Refusal | undefined {
  const { chain, asset, amount, paymentFlow } = option
  if (paymentFlow !== undefined && !['authorization', 'upfront', 'escrow'].includes(paymentFlow))
    return 'flow'
  const knownAsset = findAsset(chain, asset)
  if (!knownAsset?.isDefault) return 'asset'
  const obstacle = signingObstacle(option)
  if (obstacle) return obstacle
  return compareAtomic(BigInt(amount), knownAsset.decimals, MAX_DEFAULT_PRICE) > 0 ? 'price' : undefined
}

/** The name of another intent than a charge, among the extensions of a resource. */
export const toMppOffer = (offer: string): string => `mpp:${offer}`
export const mppOffers = (extensions: readonly string[]): string[] =>
  extensions.flatMap(name => /^mpp:(.+)/.exec(name)?.[1] ?? [])

const SOURCES = ['402', 'bazaar', 'openapi', 'manifest'] as const

export const resourceTermsSchema = z
  .object({
    url: z.string().describe('Its URL'),
    method: z.string().describe('HTTP method of the call'),
    tool: z.string().optional().describe('The tool, if the resource is an MCP server'),
    routeTemplate: z
      .string()
      .optional()
      .describe('The path with its placeholders, like /v1/:city, if it has any'),
    description: z.string().optional().describe('What the endpoint says that it does'),
    mimeType: z.string().optional().describe('Media type of its responses, as declared'),
    input: jsonSchema.optional(),
    output: jsonSchema.optional(),
    declaredPrice: z
      .object({
        amount: z.string().describe('The price that its documents declare'),
        currency: z.string().describe('Currency of that price'),
      })
      .optional()
      .describe('Price per request in a document, if no response has stated it'),
    accepts: z.array(paymentRequirementsSchema).describe('The ways to pay'),
    extensions: z.array(z.string()).describe('Names of the extensions in its terms'),
    source: z.enum(SOURCES).describe('Where this was read: the 402 response itself, or a document'),
  })
  .meta({ id: 'ResourceTerms', title: 'Terms of one resource' })
export type ResourceTerms = Readonly<z.output<typeof resourceTermsSchema>>

/** As stored for a service: the requested resource is the first. */
export type StoredTerms = {
  /** ISO 8601 UTC. */
  readonly seenAt: string
  /** null if it asks by MPP alone. */
  readonly x402Version: 1 | 2 | null
  readonly resources: readonly ResourceTerms[]
}

export const PRICES_SEEN = ['same', 'lower', 'higher', 'unknown'] as const
/** The highest comparable price, on whichever chain, compared with the listed one. */
export type PriceSeen = (typeof PRICES_SEEN)[number]

export const termsSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    seenAt: dateTime.describe('When the endpoint was seen asking for this'),
    x402Version: z
      .union([z.literal(1), z.literal(2)])
      .nullable()
      .describe('Version of x402; null: it asks by MPP alone'),
    asListed: z
      .object({
        price: z.enum(PRICES_SEEN).describe('The requested price compared with the listed one'),
        address: z
          .boolean()
          .describe('Whether all payment requirements on the registered network name the registered address'),
        network: z.boolean().describe('Whether there are payment requirements on the registered network'),
      })
      .describe('The terms that were seen, compared with the present listing'),
    ...dollarFields,
    payableByDefaultClient: z
      .boolean()
      .describe('Whether official clients pay it unmodified: a default asset, up to a dollar'),
    notes: z.array(z.string()).describe('What a payer should know, such as payment before delivery'),
    noteCodes: z.array(messageSchema).describe('The notes for programs, in the same order'),
    resources: z
      .array(resourceTermsSchema)
      .describe('The requested one first, then those that documents name'),
  })
  .meta({ id: 'Terms', title: 'Terms that the endpoint itself declares, as last seen' })
export type TermsAnswer = Readonly<z.output<typeof termsSchema>>

/** A price in one currency. */
export type Price = { readonly amount: string; readonly currency: string }

/** @param asks the highest comparable price that was seen, if any */
export function comparePrice(
  asks: Price | null,
  listed: { readonly pricePerRequest: string; readonly currency: string },
): PriceSeen {
  if (asks === null || !isSameMoney(asks.currency, listed.currency)) return 'unknown'
  const difference = compareDecimals(asks.amount, listed.pricePerRequest)
  return difference > 0 ? 'higher' : difference < 0 ? 'lower' : 'same'
}

/** The known price of a request: the listed price, or the higher one that its endpoint was seen to request. */
export const costOf = ({ pricing, seen }: Listed): string =>
  seen?.asks && comparePrice(seen.asks, pricing) === 'higher' ? seen.asks.amount : pricing.pricePerRequest

type Listed = {
  readonly pricing: { readonly pricePerRequest: string; readonly currency: string }
  readonly seen?: Seen
}

/** The part of payment requirements that every process holds in memory. */
export const seenRequirementsSchema = paymentRequirementsSchema
  .pick({ scheme: true, chain: true, asset: true, amount: true, payTo: true, splitTo: true })
  .extend({
    since: dateTime
      .optional()
      .describe(
        'When its payee appeared on a chain other than the registered one, where other payees were seen before',
      ),
    protocol: z.literal('mpp').optional().describe('Absent if it is paid by x402'),
    payableByDefaultClient: z.literal(false).optional().describe('No official client pays it unmodified'),
    needsDeposit: z
      .literal(true)
      .optional()
      .describe("Paid from a balance that must be deposited at Circle's Gateway first"),
    risks: z
      .array(z.string())
      .optional()
      .describe(
        'Deposits, fees and the like in the fields of the scheme, where it can transfer more than the amount',
      ),
  })
export type SeenRequirements = Readonly<z.output<typeof seenRequirementsSchema>>

/** By which protocols it was seen to be paid; x402 before its terms were read. */
export function protocolsOf(seen: Pick<Seen, 'resources'> | undefined): readonly Protocol[] {
  const found = new Set(seen?.resources.flatMap(({ ways }) => ways.map(way => way.protocol ?? 'x402')))
  return found.size === 0 ? ['x402'] : PROTOCOLS.filter(protocol => found.has(protocol))
}

/** The compact part of the terms, stored in the entry itself. */
export type Seen = {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly price: PriceSeen
  /** The highest comparable price, on whichever chain; null if none can be compared. */
  readonly asks: Price | null
  /** When it ceased to be verified by what its endpoint asks for; absent while it is verified, and if it never was. */
  readonly lostAt?: string
  readonly resources: readonly {
    readonly url: string
    readonly method: string
    /** Set for a tool of an MCP server. */
    readonly tool?: string
    /** The stored name of what x402 calls `accepts`. */
    readonly ways: readonly SeenRequirements[]
  }[]
}

/** Equal for equal values. */
export const digestOf = (value: unknown): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

/** Bounds of `Seen`: every process holds entries in memory, and the feed transfers them. */
const MAX_SEEN_REQUIREMENTS = 100
const MAX_SEEN_CHARACTERS = 8_192

/**
 * The first resources whose payment requirements fit; a resource is included with all of them or not at all. Resources that only a
 * document names are excluded, because payments are judged by responses.
 */
export function toSeenResources(
  resources: readonly ResourceTerms[],
  sinceOf: (requirements: PaymentRequirements) => string | undefined = () => undefined,
): Seen['resources'] {
  const seen: Seen['resources'][number][] = []
  let count = 0
  let characters = 0
  const answered = resources.filter(({ source }) => source === '402' || source === 'bazaar')
  for (const { url, method, tool, accepts } of answered.slice(0, MAX_RESOURCES)) {
    const requirements = accepts.map(each => toSeenRequirements(each, sinceOf(each)))
    const resource = { url, method, ...(tool !== undefined && { tool }), ways: requirements }
    count += requirements.length
    characters += JSON.stringify(resource).length
    if (count > MAX_SEEN_REQUIREMENTS || characters > MAX_SEEN_CHARACTERS) break
    seen.push(resource)
  }
  return seen
}

function toSeenRequirements(requirements: PaymentRequirements, since: string | undefined): SeenRequirements {
  const { protocol, scheme, chain, asset, amount, payTo, splitTo, extra } = requirements
  const risks = isPerRequest(scheme) ? [] : risksIn(extra)
  return {
    scheme,
    chain,
    asset,
    amount,
    payTo,
    ...(since !== undefined && { since }),
    ...(risks.length > 0 && { risks }),
    ...(protocol === 'mpp' && { protocol }),
    ...(splitTo && { splitTo }),
    ...(protocol === 'x402' && refusalOf(requirements) && { payableByDefaultClient: false as const }),
    ...(signingObstacle(requirements) === 'deposit' && { needsDeposit: true as const }),
  }
}
