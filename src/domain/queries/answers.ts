// Responses of lists and searches.
import { z } from 'zod'
import type { Encoded } from '../json/encoded.ts'
import { marksSchema } from '../listing/backing.ts'
import { type Service, serviceSchema } from '../listing/service.ts'
import { dollarFields } from '../money/dollar-fields.ts'
import { CONSTRAINT_NAMES, CONSTRAINTS, type ConstraintName } from './filters.ts'

/** One page of services, ready to send. */
export type Page = {
  readonly services: Encoded<Service[]>
  /** Number of results on all pages; undefined if a search has more than 10,000, which it does not count. */
  readonly total: number | undefined
  /** The cursor of the next page; undefined on the last page, and where the request does not page with cursors. */
  readonly next?: string | undefined
  /** When paging with cursors: the position in the history from which changes may be missing on the pages. */
  readonly since?: string | undefined
}

const constraintFields = Object.fromEntries(
  CONSTRAINT_NAMES.map(name => [name, CONSTRAINTS[name].schema.optional()]),
) as unknown as {
  readonly [N in ConstraintName]: z.ZodOptional<(typeof CONSTRAINTS)[N]['schema']>
}

export const constraintsSchema = z
  .object({
    ...constraintFields,
    excluded: z
      .array(z.string())
      .optional()
      .describe('Names, words and chains whose services are left out: "not Google", "not on Solana"'),
    unapplied: z
      .array(
        z.object({
          text: z.string().describe('The part of the sentence'),
          why: z.string().describe('Why it was not applied'),
        }),
      )
      .describe('Parts read as a constraint that could not be applied'),
  })
  .meta({ id: 'Constraints', title: 'What was understood as a filter and applied' })
export type Constraints = Readonly<z.output<typeof constraintsSchema>>

/** Preferences that change the order and exclude nothing. */
export const WISHES = ['cheap', 'reliable', 'fast', 'free'] as const
export type Wish = (typeof WISHES)[number]

export const intentResultSchema = z
  .object({
    service: serviceSchema.describe('The service'),
    score: z.number().min(0).max(1).describe('Relevance'),
    weak: z
      .literal(true)
      .optional()
      .describe('A poor match, shown last because fewer than three others match well'),
    matchedTokens: z.array(z.string()).describe('The tokens of the sentence that the service matched'),
    reason: z.string().describe('Why this service'),
    ...dollarFields,
    backing: marksSchema.describe('Who stands behind the entry'),
  })
  .meta({ id: 'IntentResult', title: 'A service that was found' })

export const intentAnswerSchema = z
  .object({
    query: z.string().describe('As received'),
    tokens: z.array(z.string()).describe('Content words of the query, in order'),
    matchedTokens: z.array(z.string()).describe('The tokens that matched a service'),
    absentTokens: z
      .array(z.string())
      .optional()
      .describe('The tokens that no service here has, if there are any: the results are for the others'),
    total: z
      .int()
      .min(0)
      .describe(
        'Number of matching services: all with a word of the sentence that meet its conditions, and the nearest of those similar in meaning; weak results do not count',
      ),
    reason: z.string().describe('Why this answer, in the language of the query'),
    constraints: constraintsSchema.describe('What was read from the sentence as conditions'),
    wishes: z
      .array(z.enum(WISHES))
      .describe('Preferences that change the order and exclude nothing: cheap, reliable, fast, free'),
    results: z.array(intentResultSchema).describe('Best first'),
    steps: z
      .array(
        z.object({
          text: z.string().describe('The part of the sentence'),
          results: z.array(intentResultSchema).describe('Best first'),
        }),
      )
      .optional()
      .describe(
        'If the sentence requests several things in a row: each of them, with its first three results',
      ),
    nearest: z
      .object({
        relaxed: z.string().describe('The constraint that was left out'),
        results: z.array(intentResultSchema).describe('Best first'),
      })
      .optional()
      .describe('When no service meets all constraints: the results with one constraint relaxed'),
  })
  .meta({ id: 'IntentAnswer', title: 'The answer to a sentence' })
export type IntentAnswer = Readonly<z.output<typeof intentAnswerSchema>>
