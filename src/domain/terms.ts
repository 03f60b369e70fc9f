// What an endpoint itself asks for, as it was last seen: its payment requirements, and what to send for it. Words of strangers, bounded and
// cleaned before they come here.
import { z } from 'zod'
import { isSameMoney } from './assets.ts'
import { dollarFields } from './dollar-fields.ts'
import { messageFieldsSchema, messageSchema } from './message-view.ts'
import { compareDecimals } from './money.ts'
import { isPerRequest, risksIn } from './money-in-extra.ts'

/** No endpoint has more of its resources told. */
export const MAX_RESOURCES = 32
/** More ways than this in one answer are not read: a flood of them would hide the one that a client takes. */
export const MAX_WAYS = 100

const jsonSchema = z
  .record(z.string(), z.unknown())
  .describe(
    'A JSON Schema, with `example` where one was given. A property that stands neither in the query of a GET nor in the body of a POST ' +
      'says where in `x-in`: path, query, header, or body where it is the whole body',
  )

export const paymentRequirementsSchema = z
  .object({
    scheme: z.string().describe('exact, upto, and others; of upto the amount is a maximum'),
    network: z.string().describe('As the endpoint spells it'),
    chain: z.string().describe('CAIP-2'),
    asset: z.string(),
    assetName: z.string().optional().describe('Where the asset is known'),
    amount: z.string().regex(/^\d+$/).describe("In the asset's smallest units"),
    price: z.string().optional().describe('In whole units, where the asset is known'),
    currency: z.string().optional().describe('What one unit of the asset stands for, like USD'),
    payTo: z.string(),
    maxTimeoutSeconds: z.number().optional(),
    paymentFlow: z
      .string()
      .optional()
      .describe('Where the endpoint says it; upfront: paid before anything arrives'),
    extra: z.record(z.string(), z.unknown()).describe('What the scheme needs besides, as the endpoint says'),
  })
  .meta({ id: 'Way', title: 'A way to pay' })
/** One entry of `accepts`. */
export type PaymentRequirements = Readonly<z.output<typeof paymentRequirementsSchema>>

export const SIGNER_ROLES = ['payee', 'origin'] as const
/** payee: the wallet that is paid. origin: a key that the host of the resource, or a domain above it, publishes. */
export type SignerRole = (typeof SIGNER_ROLES)[number]

export const signedOfferSchema = z
  .object({
    valid: z.boolean(),
    speaksFor: z
      .enum(SIGNER_ROLES)
      .nullable()
      .describe('payee: signed by the wallet that is paid; origin: by a key that its domain publishes'),
    signer: z.string().nullable().describe('An address or a DID, where the signature could be read'),
    count: z.int().min(1).describe('So many offers are alike'),
    ...messageFieldsSchema.shape,
  })
  .meta({ id: 'SignedOffer', title: 'What was found of signed offers (x402 extension offer-receipt)' })
export type SignedOffer = Readonly<z.output<typeof signedOfferSchema>>

export const SOURCES = ['402', 'bazaar', 'openapi', 'manifest'] as const

export const resourceTermsSchema = z
  .object({
    url: z.string(),
    method: z.string().describe('The HTTP method to call it by'),
    tool: z.string().optional().describe('The tool, where the resource is an MCP server'),
    routeTemplate: z
      .string()
      .optional()
      .describe('The path with its parameters, like /v1/:city, where it has any'),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    input: jsonSchema.optional(),
    output: jsonSchema.optional(),
    declaredPrice: z
      .object({ amount: z.string(), currency: z.string() })
      .optional()
      .describe('What a document says that a request costs, where no answer has said it'),
    accepts: z.array(paymentRequirementsSchema),
    extensions: z.array(z.string()).describe('Names of the extensions that its terms carry'),
    signedOffers: z
      .array(signedOfferSchema)
      .optional()
      .describe('Where the answer carries signed offers: whether they hold, and who signed them'),
    source: z.enum(SOURCES).describe('Where this was read: the 402 answer itself, or what a document says'),
  })
  .meta({ id: 'ResourceTerms', title: 'What one resource asks for' })
export type ResourceTerms = Readonly<z.output<typeof resourceTermsSchema>>

/** As kept for a service: the resource that was asked comes first. */
export type SeenTerms = {
  /** ISO 8601 UTC. */
  readonly seenAt: string
  readonly x402Version: 1 | 2
  readonly resources: readonly ResourceTerms[]
}

export const PRICES_SEEN = ['same', 'lower', 'higher', 'unknown'] as const
/** How the highest comparable price on the registered network stands to the listed one. */
export type PriceSeen = (typeof PRICES_SEEN)[number]

export const termsSchema = z
  .object({
    id: z.string(),
    seenAt: z.string().meta({ format: 'date-time' }),
    x402Version: z.union([z.literal(1), z.literal(2)]),
    asListed: z
      .object({
        price: z.enum(PRICES_SEEN).describe('What is asked, compared with the listed price'),
        address: z.boolean().describe('Every way on the registered network pays the registered address'),
        network: z.boolean().describe('There is a way on the registered network'),
      })
      .describe('What was seen, beside the listing as it is now'),
    ...dollarFields,
    payableByDefaultClient: z
      .boolean()
      .describe(
        'Whether the official clients pay one of its ways without being told to: an asset among their defaults, up to a dollar',
      ),
    notes: z
      .array(z.string())
      .describe('What a payer should know, such as a payment before anything arrives'),
    noteCodes: z.array(messageSchema).describe('The notes for programs, in the same order'),
    resources: z
      .array(resourceTermsSchema)
      .describe('The one that was asked first, then what documents name'),
  })
  .meta({ id: 'Terms', title: 'What the endpoint itself asks for, as last seen' })
export type TermsAnswer = Readonly<z.output<typeof termsSchema>>

/** A price in one currency. */
export type Price = { readonly amount: string; readonly currency: string }

/** @param asks the highest price that was seen, if any can be compared */
export function comparePrice(
  asks: Price | null,
  listed: { readonly pricePerRequest: string; readonly currency: string },
): PriceSeen {
  if (asks === null || !isSameMoney(asks.currency, listed.currency)) return 'unknown'
  const difference = compareDecimals(asks.amount, listed.pricePerRequest)
  return difference > 0 ? 'higher' : difference < 0 ? 'lower' : 'same'
}

/** Returns what a request costs as far as anybody knows: the listed price, or the higher one that its endpoint was seen asking. */
export const costOf = ({ pricing, seen }: Listed): string =>
  seen?.asks && comparePrice(seen.asks, pricing) === 'higher' ? seen.asks.amount : pricing.pricePerRequest

type Listed = {
  readonly pricing: { readonly pricePerRequest: string; readonly currency: string }
  readonly seen?: Seen
}

/** The part of a way that every process keeps in memory. */
export type SeenRequirements = Pick<
  PaymentRequirements,
  'scheme' | 'chain' | 'asset' | 'amount' | 'payTo'
> & {
  /** When its payee arrived, where that is on another chain than the registered one and others were seen before it. */
  readonly since?: string
  /** What its own fields do with money, where its scheme hands over more than the amount of a request. */
  readonly risks?: readonly string[]
}

/** The compact part of what was seen, carried by the entry itself. */
export type Seen = {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly price: PriceSeen
  /** The highest comparable price on the registered network; null where none can be compared. */
  readonly asks: Price | null
  readonly resources: readonly {
    readonly url: string
    readonly method: string
    /** Where it is a tool of an MCP server. */
    readonly tool?: string
    readonly ways: readonly SeenRequirements[]
  }[]
}

/** The same for the same value. */
export const digestOf = (value: unknown): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

/** The bounds of `Seen`: an entry is kept in memory by every process and travels with the feed. */
const MAX_SEEN_WAYS = 100
const MAX_SEEN_CHARACTERS = 8_192

/**
 * The first resources whose ways fit; a resource is never told with some of its ways only. What a document alone names was not seen:
 * payments are judged by what was answered.
 */
export function toSeenResources(
  resources: readonly ResourceTerms[],
  sinceOf: (requirements: PaymentRequirements) => string | undefined = () => undefined,
): Seen['resources'] {
  const seen: Seen['resources'][number][] = []
  let ways = 0
  let characters = 0
  const answered = resources.filter(({ source }) => source === '402' || source === 'bazaar')
  for (const { url, method, tool, accepts } of answered.slice(0, MAX_RESOURCES)) {
    const told = accepts.map(requirements => toSeenRequirements(requirements, sinceOf(requirements)))
    const resource = { url, method, ...(tool !== undefined && { tool }), ways: told }
    ways += resource.ways.length
    characters += JSON.stringify(resource).length
    if (ways > MAX_SEEN_WAYS || characters > MAX_SEEN_CHARACTERS) break
    seen.push(resource)
  }
  return seen
}

function toSeenRequirements(
  { scheme, chain, asset, amount, payTo, extra }: PaymentRequirements,
  since: string | undefined,
): SeenRequirements {
  const risks = isPerRequest(scheme) ? [] : risksIn(extra)
  return {
    scheme,
    chain,
    asset,
    amount,
    payTo,
    ...(since !== undefined && { since }),
    ...(risks.length > 0 && { risks }),
  }
}
