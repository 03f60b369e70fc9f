// Public views of an entry: exactly the fields of the contract, in its order.

import { z } from 'zod'
import { STATUSES } from '../standing/standing.ts'
import { categoryLabels } from './categories.ts'
import type { Entry, Service } from './service.ts'
import { serviceSchema } from './service.ts'

export const toService = (entry: Entry): Service => ({
  id: entry.id,
  name: entry.name,
  description: entry.description,
  endpoint: entry.endpoint,
  category: entry.category,
  pricing: {
    currency: entry.pricing.currency,
    pricePerRequest: entry.pricing.pricePerRequest,
    freeQuota: entry.pricing.freeQuota,
  },
  x402Config: { paymentAddress: entry.x402Config.paymentAddress, network: entry.x402Config.network },
  trustScore: entry.standing.trustScore,
  status: entry.standing.status,
  supportedChains: [...entry.supportedChains],
  createdAt: entry.createdAt,
  updatedAt: entry.updatedAt,
})

/** Returns whether the public object has changed, appeared or disappeared. */
export const isObjectChanged = (before: Entry, after: Entry): boolean =>
  (before.hidden === undefined) !== (after.hidden === undefined) ||
  JSON.stringify(toService(before)) !== JSON.stringify(toService(after))

export const statusRecordSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    trustScore: serviceSchema.shape.trustScore.describe('Trust, 0 to 100'),
    status: z.enum(STATUSES).describe('verified: it asks to be paid as listed'),
    uptimeScore: z
      .number()
      .min(0)
      .max(100)
      .describe(
        'Percentage of good probes among the stored ones at its present endpoint; 0 before the first',
      ),
    lastChecked: z
      .string()
      .meta({ format: 'date-time' })
      .describe('Time of the last probe; before it, of the registration'),
    txCount: z.int().min(0).describe('Settled payments seen on chain'),
    totalRevenue: z.number().min(0).describe('Sum of those payments, in units of the currency'),
  })
  .meta({ id: 'StatusRecord', title: 'What the directory has measured about a service' })
export type StatusRecord = Readonly<z.output<typeof statusRecordSchema>>

export const toStatusRecord = ({ id, standing }: Entry): StatusRecord => ({
  id,
  trustScore: standing.trustScore,
  status: standing.status,
  uptimeScore: standing.uptimeScore,
  lastChecked: standing.lastChecked,
  txCount: standing.txCount,
  totalRevenue: Number(standing.totalRevenue),
})

export const exportEntrySchema = z
  .object({
    id: z.string().describe('Id of the service'),
    name: z.string().describe('Name of the service'),
    endpoint: z.string().describe('The listed endpoint'),
    category: z.string().describe('A readable label, not the id'),
    pricing: z
      .object({
        currency: z.string().describe('Currency of the price, like USDC'),
        pricePerRequest: z.string().describe('Price of a request, in whole units'),
      })
      .describe('Price of a request'),
    x402Config: z
      .object({
        paymentAddress: z.string().describe('The listed payment address'),
        network: z.string().describe('The listed network'),
      })
      .describe('Where and on which network it is paid'),
    trustScore: serviceSchema.shape.trustScore.describe('Trust, 0 to 100'),
    status: z.enum(STATUSES).describe('verified: it asks to be paid as listed'),
  })
  .meta({ id: 'ExportEntry', title: 'A service in an export' })
export type ExportEntry = Readonly<z.output<typeof exportEntrySchema>>

export const exportDocumentSchema = z
  .object({
    version: z.string().describe('Version of the format'),
    source: z.string().describe('Name of the exporting directory'),
    exportedAt: z.string().meta({ format: 'date-time' }).describe('When it was exported'),
    endpoints: z.array(exportEntrySchema).describe('All listed services'),
  })
  .meta({ id: 'ExportDocument', title: 'The complete catalog' })

export const EXPORT_VERSION = '1.0'

export const toExportEntry = (service: Service): ExportEntry => ({
  id: service.id,
  name: service.name,
  endpoint: service.endpoint,
  category: categoryLabels(service.category).en,
  pricing: { currency: service.pricing.currency, pricePerRequest: service.pricing.pricePerRequest },
  x402Config: { paymentAddress: service.x402Config.paymentAddress, network: service.x402Config.network },
  trustScore: service.trustScore,
  status: service.status,
})
