// Where a service stands for a sentence: its place, who is before it, which part of the score decides, and what would help.
import { z } from 'zod'
import { createQueryReader } from '../problems.ts'
import { CONSTRAINT_NAMES } from './filters.ts'
import { requiredWords } from './queries.ts'

export const rankQuerySchema = z.object({
  q: requiredWords.describe('The sentence of a buyer, as for the search by a sentence'),
})
export type RankQuery = z.output<typeof rankQuerySchema>
export const parseRankQuery: (input: unknown) => RankQuery = createQueryReader(rankQuerySchema)

/** What puts one service before another. */
export const DECIDING = [
  'words',
  'meaning',
  'standing',
  'wish',
  'seller',
  'copy',
  'danger',
  'sample',
  'tie',
] as const
export type Deciding = (typeof DECIDING)[number]

const share = z.number().min(0)
const partsSchema = z
  .object({
    words: share.describe('What the words of the sentence add to the relevance'),
    meaning: share.describe('What its meaning adds'),
    standing: share.describe('What status, payers and purchases multiply the relevance by'),
    limit: share.describe('The relevance from which on more hardly counts, until there is more proof'),
    wish: share.describe('What a wish of the sentence, like cheap, multiplies it by; 1 without a wish'),
  })
  .meta({ id: 'ScoreParts', title: 'The parts of a score' })

export const rankSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    query: z.string().describe('The sentence as received'),
    position: z
      .int()
      .min(1)
      .nullable()
      .describe('Its place among the first 100 results that fit; null: it is not among them'),
    total: z.int().min(0).describe('How many services fit'),
    score: z.number().min(0).max(1).nullable().describe('As in the results; null: it was not scored'),
    parts: partsSchema.nullable().describe('null: a condition of the sentence leaves the service out'),
    unmet: z
      .array(z.enum([...CONSTRAINT_NAMES, 'excluded']))
      .describe('The conditions of the sentence that it does not meet'),
    before: z
      .array(
        z.object({
          id: z.string().describe('Id of a service that is before it'),
          name: z.string().describe('Its name'),
          position: z.int().min(1).describe('Its place'),
          score: z.number().min(0).max(1).describe('Its score'),
          parts: partsSchema.describe('The parts of its score'),
          decides: z
            .enum(DECIDING)
            .describe(
              'The part that would gain most if it were that of the service before; seller: two services of a seller keep their places, others follow; copy: of equal names or descriptions the one with the stronger claim is first; danger: must not be paid; tie: equal scores',
            ),
        }),
      )
      .describe('The first five services before it'),
    help: z
      .array(
        z.object({
          code: z.string().describe('What the sentence says, for programs'),
          text: z.string().describe('What would help, in English'),
          values: z.record(z.string(), z.unknown()).describe('The values in the text, by name'),
        }),
      )
      .describe('What would help, the most important first'),
  })
  .meta({ id: 'Rank', title: 'Where a service stands for a sentence' })
export type Rank = Readonly<z.output<typeof rankSchema>>
