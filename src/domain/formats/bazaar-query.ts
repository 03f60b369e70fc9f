// Queries of x402 clients for lists. A filter is applied or reported as not applied, never ignored silently.

import { z } from 'zod'
import type { Part } from '../../messages/kinds.ts'
import { invalid } from '../errors.ts'
import { LANGUAGE_CHOICE } from '../languages/languages.ts'
import { expecting, toProblems } from '../problems.ts'
import { FILTER_PARAMETERS, type Filters } from '../queries/filters.ts'
import { limit, offset, requiredWords } from '../queries/queries.ts'
import { visible } from '../text/text.ts'

/** Items per page. Lists read an index; searches rank, which costs more per item. */
const MAX_BAZAAR_LIMIT = 1_000
const MAX_SEARCH_LIMIT = 100

const word = (what: Part<'visible_text'>) => visible(64, what)
const payTo = visible(128, 'wallet_address').describe('Wallet that is paid')

const offerFilters = {
  type: word('resource_kind')
    .describe('Kind of resource: http, or mcp for a tool of an MCP server')
    .optional(),
  payTo: payTo.optional(),
  scheme: word('payment_scheme').describe('Payment scheme, like exact or upto').optional(),
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
const filters = { ...offerFilters, ...FILTER_PARAMETERS }

export const bazaarListQuerySchema = z.object({ ...filters, limit: limit(20, MAX_BAZAAR_LIMIT), offset })
export const bazaarMerchantQuerySchema = z.object({
  ...filters,
  payTo,
  limit: limit(20, MAX_BAZAAR_LIMIT),
  offset,
})
export const bazaarSearchQuerySchema = z.object({
  query: requiredWords.describe(`What is needed, in ${LANGUAGE_CHOICE}`),
  ...filters,
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
export type BazaarMerchantQuery = z.output<typeof bazaarMerchantQuerySchema> & Unapplied
export type BazaarSearchQuery = z.output<typeof bazaarSearchQuerySchema> & Unapplied

export const parseBazaarListQuery = (input: unknown): BazaarListQuery => parse(bazaarListQuerySchema, input)
export const parseBazaarMerchantQuery = (input: unknown): BazaarMerchantQuery =>
  parse(bazaarMerchantQuerySchema, input)
export const parseBazaarSearchQuery = (input: unknown): BazaarSearchQuery =>
  parse(bazaarSearchQuerySchema, input)

function parse<S extends z.ZodObject>(schema: S, input: unknown): z.output<S> & Unapplied {
  const parameters = (input instanceof Map ? Object.fromEntries(input) : input) as Record<string, unknown>
  const parsed = schema.safeParse(parameters)
  if (!parsed.success) throw invalid(toProblems(parsed.error, parameters))
  const unapplied = Object.keys(parameters).filter(name => !Object.hasOwn(schema.shape, name))
  return { ...parsed.data, unapplied }
}
