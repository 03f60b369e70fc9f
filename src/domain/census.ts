// The census: what the whole catalog is made of on a day, and what was searched and not found.
import { z } from 'zod'
import { DECIMAL } from './money.ts'
import { expecting } from './problems.ts'
import { createQueryReader, wholeNumber } from './read-query.ts'

/** Anybody can name a category or a chain: so many of each are told, those with the most services. */
export const MAX_TOLD = 50
/** The shares of services that are priced no higher, in percent. */
export const QUANTILES = [10, 25, 50, 75, 90] as const

const count = z.int().min(0)
const countsOf = (what: string) =>
  z
    .array(z.object({ id: z.string(), count }))
    .describe(`${what}, the most frequent first, at most ${MAX_TOLD}`)
const price = z
  .string()
  .regex(DECIMAL)
  .nullable()
  .describe('In US dollars; null where no price can be told in dollars')

export const censusDaySchema = z
  .object({
    day: z.string().meta({ format: 'date' }).describe('In UTC'),
    services: count.describe('Everything that is listed, hidden services left out'),
    samples: count.describe('Those of them that are invented examples'),
    alive: count.describe('Those that have answered a probe and are not inactive'),
    verified: count,
    unverified: count,
    inactive: count,
    prices: z
      .object({
        known: count.describe('Services whose price can be told in US dollars'),
        free: count.describe('Those of them that cost nothing'),
        ...(Object.fromEntries(QUANTILES.map(share => [`p${share}`, price])) as Record<
          `p${(typeof QUANTILES)[number]}`,
          typeof price
        >),
      })
      .describe('What a request costs; p25 is the price that a quarter of the services do not exceed'),
    chains: countsOf(
      'Services by chain, in CAIP-2 where the chain is known; one that takes several counts for each',
    ),
    categories: countsOf('Services by category'),
    languages: countsOf('Services by the language of their description, in ISO 639-1; und: undetermined'),
  })
  .meta({ id: 'CensusDay', title: 'What the catalog was made of on a day' })
export type CensusDay = Readonly<z.output<typeof censusDaySchema>>

export const unmetSearchSchema = z.object({
  words: z.string().describe('The words that were looked for, in alphabetical order'),
  days: count.describe('On how many days enough callers asked'),
  callers: count.describe('How many callers asked on the busiest of these days, at least'),
})
export type UnmetSearch = Readonly<z.output<typeof unmetSearchSchema>>

export const censusSchema = z
  .object({
    days: z
      .array(censusDaySchema)
      .describe(
        'Newest first. The first is today, as it is now; the others are as they were last counted on their day',
      ),
    unmet: z
      .object({
        since: z.string().meta({ format: 'date' }).describe('The first day that is looked at'),
        minCallers: count.describe(
          'A search is told where so many callers made it on one day; 0: none is counted',
        ),
        searches: z.array(unmetSearchSchema),
      })
      .describe('What was searched and not found, on days that are over'),
  })
  .meta({ id: 'Census', title: 'The census of the catalog over time' })
export type Census = Readonly<z.output<typeof censusSchema>>

export const MAX_DAYS = 366
const between = expecting('number_between', { min: 1, max: MAX_DAYS })

export const censusQuerySchema = z.object({
  days: z
    .preprocess(wholeNumber, z.int({ error: between }).min(1, between).max(MAX_DAYS, between))
    .default(90)
    .meta({ type: 'integer', minimum: 1, maximum: MAX_DAYS, default: 90 })
    .describe('Days to tell, today included; 90 unless given'),
})
export type CensusQuery = z.output<typeof censusQuerySchema>
export const parseCensusQuery: (input: unknown) => CensusQuery = createQueryReader(censusQuerySchema)

/** In UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const DAY_MS = 86_400_000
export const daysBefore = (at: Date, days: number): string => dayOf(new Date(at.getTime() - days * DAY_MS))
