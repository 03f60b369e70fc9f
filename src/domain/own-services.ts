// The services of whoever asks: those that belong to them, and those that pay the wallet that they hold.
import { z } from 'zod'
import { paysTo } from './accounts.ts'
import { expecting } from './problems.ts'
import { limit } from './queries.ts'
import { createQueryReader } from './read-query.ts'
import { type Entry, serviceSchema } from './service.ts'
import { toService } from './views.ts'

const ownServiceSchema = z
  .object({
    service: serviceSchema,
    by: z
      .enum(['owner', 'wallet'])
      .describe(
        'owner: it belongs to you; wallet: it pays your wallet and somebody else listed it, so that you may claim it',
      ),
    retired: z
      .string()
      .nullable()
      .describe('The message with which it was taken out of service; null: it was not'),
    hidden: z
      .object({ at: z.string().meta({ format: 'date-time' }), why: z.string() })
      .nullable()
      .describe('When the operator took it out of sight, and why; null: nobody did'),
  })
  .meta({ id: 'OwnService', title: 'A service of whoever asks' })
export type OwnService = Readonly<z.output<typeof ownServiceSchema>>

export const ownServicesSchema = z
  .object({
    services: z.array(ownServiceSchema).describe('The newest first'),
    next: z.string().nullable().describe('What to send as before for the next page; null on the last'),
  })
  .meta({ id: 'OwnServices', title: 'The services of whoever asks' })
export type OwnServices = Readonly<z.output<typeof ownServicesSchema>>

export const ownServicesQuerySchema = z.object({
  limit: limit(20, 100),
  before: z
    .string()
    .max(64, expecting('text_too_long', { max: 64 }))
    .describe('Id of the last service of the page before')
    .optional(),
})
export type OwnServicesQuery = z.output<typeof ownServicesQuerySchema>
export const parseOwnServicesQuery: (input: unknown) => OwnServicesQuery =
  createQueryReader(ownServicesQuerySchema)

/** undefined: it is somebody else's. */
export function toOwnService(
  entry: Entry,
  { owner, wallet }: { readonly owner: string; readonly wallet: string | null },
): OwnService | undefined {
  const isOwned = entry.owner === owner
  if (!isOwned && (wallet === null || !paysTo(entry, wallet))) return undefined
  const { retired, hidden } = entry
  return { service: toService(entry), by: isOwned ? 'owner' : 'wallet', retired, hidden: hidden ?? null }
}
