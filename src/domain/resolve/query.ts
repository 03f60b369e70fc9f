// The query before a payment: a URL, and the payment requirements of its 402.
import { z } from 'zod'
import { endpointSchema, isPlainEndpoint } from '../hosts/endpoint.ts'
import { expecting } from '../problems.ts'
import { createQueryReader } from '../queries/read-query.ts'
import { isPlainText, visible } from '../text/text.ts'

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

const isPlainAddress = (text: string): boolean => isPlainText(MAX_ADDRESS_LENGTH, text)

/** An empty value, like that of an unset variable, would be compared with nothing and look clear: it is refused. */
export const parseResolveQuery: (input: unknown) => ResolveQuery = createQueryReader(
  resolveQuerySchema,
  { url: isPlainEndpoint, payTo: isPlainAddress, asset: isPlainAddress },
  { refusesEmpty: true },
)
