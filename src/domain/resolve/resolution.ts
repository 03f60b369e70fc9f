// The question before a payment (a URL, and the payment requirements of its 402) and its answer.
import { z } from 'zod'
import { endpointSchema } from '../hosts/endpoint.ts'
import { createQueryReader, dateTime, expecting, saidSchema } from '../problems.ts'
import { levelSchema, STATUSES } from '../standing/standing.ts'
import { PRICES_SEEN, seenRequirementsSchema } from '../terms/terms.ts'
import { visible } from '../text/text.ts'

/** In code points, the same as for a listed payment address. */
const MAX_ADDRESS_LENGTH = 128

export const resolveQuerySchema = z.object({
  url: endpointSchema.describe('The URL that requests payment'),
  payTo: visible(MAX_ADDRESS_LENGTH, 'wallet_address').describe('The payee in its 402').optional(),
  amount: z
    .string({ error: expecting('smallest_units_expected') })
    .regex(/^\d{1,78}$/, expecting('smallest_units_expected'))
    .describe("The amount in its 402, in the asset's smallest units")
    .optional(),
  asset: visible(MAX_ADDRESS_LENGTH, 'asset')
    .describe('The asset in its 402: the address of the token')
    .optional(),
  network: visible(64, 'network_name', { spaced: true })
    .describe('The network in its 402, in any spelling')
    .optional(),
  scheme: visible(64, 'payment_scheme').describe('The scheme in its 402').optional(),
  method: z
    .string({ error: expecting('http_method_expected') })
    .regex(/^[A-Za-z]{3,16}$/, expecting('http_method_expected'))
    .describe('HTTP method of the call')
    .optional(),
})
export type ResolveQuery = z.output<typeof resolveQuerySchema>

/** An empty value, like that of an unset variable, would be compared with nothing and look clear: it is refused. */
export const parseResolveQuery: (input: unknown) => ResolveQuery = createQueryReader(resolveQuerySchema, {
  refusesEmpty: true,
})

// The response to "is this safe to pay?".

export const VERDICTS = ['clear', 'caution', 'stop', 'unknown'] as const
export type Verdict = (typeof VERDICTS)[number]

export const resolutionSchema = z
  .object({
    url: z.string().describe('As requested'),
    verdict: z
      .enum(VERDICTS)
      .describe(
        'clear: verified, and all given values are as listed and seen; caution: check before paying; stop: do not pay; unknown: not listed, and no verified listing was removed',
      ),
    reasons: z.array(saidSchema).describe('Why, in English: at most three, the most important first'),
    service: z
      .object({
        id: z.string().describe('Id of the service'),
        name: z.string().describe('Name of the service'),
        status: z.enum(STATUSES).describe('verified: it asks to be paid as listed'),
        level: levelSchema,
        trustScore: z.int().describe('Trust, 0 to 100'),
      })
      .optional()
      .describe('The listing that represents the URL'),
    listed: z
      .object({
        endpoint: z.string().describe('The listed endpoint'),
        paymentAddress: z.string().describe('The listed payment address'),
        network: z.string().describe('The listed network'),
        currency: z.string().describe('Currency of the price, like USDC'),
        pricePerRequest: z.string().describe('Price of a request, in whole units'),
      })
      .optional()
      .describe('The listing of its provider'),
    seen: z
      .object({
        price: z.enum(PRICES_SEEN).describe('The requested price compared with the listed one'),
        accepts: z
          .array(seenRequirementsSchema)
          .describe('The payment requirements that its endpoint offers'),
      })
      .optional()
      .describe('The terms that its endpoint was seen to declare'),
    seenAt: dateTime.optional().describe('When the endpoint was seen asking for this'),
  })
  .meta({ id: 'Resolution', title: 'Whether a URL is safe to pay' })
export type Resolution = Readonly<z.output<typeof resolutionSchema>>
