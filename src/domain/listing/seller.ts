// A seller: one origin paid at one wallet. Lists name its resources one by one; a directory lists it as one service.
import { z } from 'zod'
import { addressKey, paysTo } from '../chains/addresses.ts'
import { chainKey } from '../chains/chains.ts'
import { createQueryReader, dateTime, expecting } from '../problems.ts'
import { limit } from '../queries/queries.ts'
import { type Entry, type ServiceDraft, serviceSchema, toService } from './service.ts'

/** Equal for every resource of the seller, in any spelling. */
export function sellerOf({ endpoint, x402Config }: Sold): string {
  const { paymentAddress, network } = x402Config
  return toText(endpoint, network, addressKey(paymentAddress, network))
}

type Sold = Pick<ServiceDraft, 'endpoint' | 'x402Config'>

const toText = (endpoint: string, network: string, address: string): string =>
  `${new URL(endpoint).origin} ${chainKey(network)} ${address}`

/** Equal for all descriptions of one listing: its name, endpoint and payee. */
export const listingOf = ({ name, endpoint, x402Config }: Sold & Pick<ServiceDraft, 'name'>): string =>
  `${chainKey(x402Config.network)} ${addressKey(x402Config.paymentAddress, x402Config.network)} ${new URL(endpoint).href} ${name}`

/** Represents a seller where nothing about it may be revealed. */
export const sellerHash = (seller: string): string =>
  new Bun.CryptoHasher('sha256').update(seller).digest('hex').slice(0, 32)

// The services of a caller: those that the caller owns, and those that are paid at the caller's wallet.

const ownServiceSchema = z
  .object({
    service: serviceSchema.describe('The service'),
    by: z
      .enum(['owner', 'wallet'])
      .describe(
        'owner: it belongs to you; wallet: your wallet is its payee and another owner listed it, so that you can claim it',
      ),
    retired: z.string().nullable().describe('The message with which it was retired; null: it is not retired'),
    hidden: z
      .object({
        at: dateTime.describe('When it was hidden'),
        why: z.string().describe('Why the operator hid it'),
      })
      .nullable()
      .describe('When the operator hid it, and why; null: it is not hidden'),
  })
  .meta({ id: 'OwnService', title: 'A service of the caller' })
export type OwnService = Readonly<z.output<typeof ownServiceSchema>>

export const ownServicesSchema = z
  .object({
    services: z.array(ownServiceSchema).describe('Newest first'),
    next: z.string().nullable().describe('Send as `before` for the next page; null on the last'),
  })
  .meta({ id: 'OwnServices', title: 'The services of the caller' })
export type OwnServices = Readonly<z.output<typeof ownServicesSchema>>

export const ownServicesQuerySchema = z.object({
  limit: limit(20, 100),
  before: z
    .string()
    .max(64, expecting('text_too_long', { max: 64 }))
    .describe('Id of the last service of the previous page')
    .optional(),
})
export type OwnServicesQuery = z.output<typeof ownServicesQuerySchema>
export const parseOwnServicesQuery: (input: unknown) => OwnServicesQuery =
  createQueryReader(ownServicesQuerySchema)

/** Returns undefined if it belongs to another owner and is paid at another wallet. */
export function toOwnService(
  entry: Entry,
  { owner, wallet }: { readonly owner: string; readonly wallet: string | null },
): OwnService | undefined {
  const isOwned = entry.owner === owner
  if (!isOwned && (wallet === null || !paysTo(entry, wallet))) return undefined
  const { retired, hidden } = entry
  return { service: toService(entry), by: isOwned ? 'owner' : 'wallet', retired, hidden: hidden ?? null }
}
