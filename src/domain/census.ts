// The census: the composition of the whole catalog on a day, and searches without results.
import { z } from 'zod'
import { DECIMAL } from './money/money.ts'
import { expecting } from './problems.ts'
import { createQueryReader, wholeNumber } from './queries/read-query.ts'

/** Providers choose categories and chains freely, so only the most frequent values of each are returned. */
export const MAX_CENSUS_VALUES = 50
/** Percentiles of the price. */
export const QUANTILES = [10, 25, 50, 75, 90] as const

const count = z.int().min(0)
const countsOf = (what: string, id: string) =>
  z
    .array(z.object({ id: z.string().describe(id), count: count.describe('Number of services') }))
    .describe(`${what}, the most frequent first, at most ${MAX_CENSUS_VALUES}`)
const price = z
  .string()
  .regex(DECIMAL)
  .nullable()
  .describe('In US dollars; null if no service has a price in dollars')

export const censusDaySchema = z
  .object({
    day: z.string().meta({ format: 'date' }).describe('In UTC'),
    services: count.describe('All listed services, without hidden ones and samples'),
    samples: count.describe('Invented entries of the sample catalog, which no other figure counts'),
    alive: count.describe('Those that have answered a probe and are not inactive'),
    verified: count.describe('Services that are verified'),
    unverified: count.describe('Services that are unverified'),
    inactive: count.describe('Services that are inactive'),
    prices: z
      .object({
        known: count.describe('Services whose price in US dollars is known'),
        free: count.describe('Those that cost nothing'),
        ...(Object.fromEntries(QUANTILES.map(share => [`p${share}`, price])) as Record<
          `p${(typeof QUANTILES)[number]}`,
          typeof price
        >),
      })
      .describe('Price per request; p25 is the price that a quarter of the services do not exceed'),
    chains: countsOf(
      'Services by chain, in CAIP-2 if the chain is known; a service that accepts several counts for each',
      'CAIP-2',
    ),
    categories: countsOf('Services by category', 'Id of the category'),
    languages: countsOf(
      'Services by the language of their description, in ISO 639-1; und: undetermined',
      'Language code; und: not determined',
    ),
  })
  .meta({ id: 'CensusDay', title: 'The catalog on a day' })
export type CensusDay = Readonly<z.output<typeof censusDaySchema>>

export const unmetSearchSchema = z.object({
  words: z.string().describe('The words of the search, in alphabetical order'),
  days: count.describe('Number of days with enough callers'),
  callers: count.describe('Number of callers on the busiest of these days, as a lower bound'),
})
export type UnmetSearch = Readonly<z.output<typeof unmetSearchSchema>>

export const censusSchema = z
  .object({
    days: z
      .array(censusDaySchema)
      .describe(
        'Newest first. The first is today, as it is now; the others are as last counted on their day',
      ),
    unmet: z
      .object({
        since: z.string().meta({ format: 'date' }).describe('The first day that is included'),
        minCallers: count.describe(
          'A search is included if at least this many callers made it on one day; 0: none is counted',
        ),
        searches: z.array(unmetSearchSchema).describe('The words of each, with its callers'),
      })
      .describe('Searches without results, on past days'),
  })
  .meta({ id: 'Census', title: 'The census of the catalog over time' })
export type Census = Readonly<z.output<typeof censusSchema>>

/** The census stores one row a day, and serves a year. */
export const MAX_DAYS = 366
const between = expecting('number_between', { min: 1, max: MAX_DAYS })

export const censusQuerySchema = z.object({
  days: z
    .preprocess(wholeNumber, z.int({ error: between }).min(1, between).max(MAX_DAYS, between))
    .default(90)
    .meta({ type: 'integer', minimum: 1, maximum: MAX_DAYS, default: 90 })
    .describe('Number of days, today included; default 90'),
})
export type CensusQuery = z.output<typeof censusQuerySchema>
export const parseCensusQuery: (input: unknown) => CensusQuery = createQueryReader(censusQuerySchema)

/** The date in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const DAY_MS = 86_400_000
export const daysBefore = (at: Date, days: number): string => dayOf(new Date(at.getTime() - days * DAY_MS))
