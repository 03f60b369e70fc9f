// What is asked before a payment: a URL, and what the 402 in hand says.
import { z } from 'zod'
import { endpointSchema } from '../endpoint.ts'
import { createQueryReader } from '../read-query.ts'
import { visible } from '../text.ts'

export const resolveQuerySchema = z.object({
  url: endpointSchema.describe('The URL that asks to be paid'),
  payTo: visible(128, 'wallet_address').describe('Whom its 402 asks to pay').optional(),
  amount: z
    .string({ error: 'must be a whole number, in the smallest units of the asset' })
    .regex(/^\d{1,78}$/, 'must be a whole number, in the smallest units of the asset')
    .describe("What its 402 asks for, in the asset's smallest units")
    .optional(),
  asset: visible(128, 'asset').describe('The asset that its 402 names').optional(),
  network: visible(64, 'network_name', { spaced: true })
    .describe('The network that its 402 names, in any spelling')
    .optional(),
  scheme: visible(64, 'payment_scheme').describe('The scheme that its 402 names').optional(),
  method: z
    .string({ error: 'must be an HTTP method' })
    .regex(/^[A-Za-z]{3,16}$/, 'must be an HTTP method')
    .describe('How the URL is called')
    .optional(),
})
export type ResolveQuery = z.output<typeof resolveQuerySchema>

export const parseResolveQuery: (input: unknown) => ResolveQuery = createQueryReader(resolveQuerySchema)
