// What list and searches answer.
import { z } from 'zod'
import { marksSchema } from './backing.ts'
import { dollarFields } from './dollar-fields.ts'
import type { Encoded } from './encoded.ts'
import { CONSTRAINT_NAMES, CONSTRAINTS, type ConstraintName } from './filters.ts'
import { type Service, serviceSchema } from './service.ts'

/** One page of services, ready to send. */
export type Page = {
  readonly services: Encoded<Service[]>
  /** How many there are in all; undefined where a search counts no further than 10,000. */
  readonly total: number | undefined
  /** Where paging with cursors goes on; undefined on the last page, and where none was asked for. */
  readonly next?: string | undefined
  /** Of paging with cursors: changes since this place in the history are those that the paging may have missed. */
  readonly since?: string | undefined
}

const told = Object.fromEntries(
  CONSTRAINT_NAMES.map(name => [name, CONSTRAINTS[name].told.optional()]),
) as unknown as {
  readonly [N in ConstraintName]: z.ZodOptional<(typeof CONSTRAINTS)[N]['told']>
}

export const constraintsSchema = z
  .object({
    ...told,
    excluded: z
      .array(z.string())
      .optional()
      .describe('Names, words and chains whose services are left out: "not Google", "not on Solana"'),
    unapplied: z
      .array(z.object({ text: z.string(), why: z.string() }))
      .describe('What was read as a constraint but could not be applied'),
  })
  .meta({ id: 'Constraints', title: 'What was understood as a filter and applied' })
export type Constraints = Readonly<z.output<typeof constraintsSchema>>

/** What orders an answer without leaving anything out. */
export const WISHES = ['cheap', 'reliable', 'fast', 'free'] as const
export type Wish = (typeof WISHES)[number]

export const intentResultSchema = z
  .object({
    service: serviceSchema,
    score: z.number().min(0).max(1).describe('Relevance'),
    weak: z
      .literal(true)
      .optional()
      .describe('It does not really fit, and is shown last because fewer than three others do'),
    matchedTokens: z.array(z.string()),
    reason: z.string().describe('Why this service'),
    ...dollarFields,
    backing: marksSchema,
  })
  .meta({ id: 'IntentResult' })

export const intentAnswerSchema = z
  .object({
    query: z.string().describe('As received'),
    tokens: z.array(z.string()).describe('Content words of the query, in order'),
    matchedTokens: z.array(z.string()).describe('The tokens that matched a service'),
    total: z
      .int()
      .min(0)
      .describe(
        'How many services fit: all with a word of the sentence that meet its conditions, and the nearest of those similar in meaning; weak results do not count',
      ),
    reason: z.string().describe('Why this answer, in the language of the query'),
    constraints: constraintsSchema,
    wishes: z
      .array(z.enum(WISHES))
      .describe(
        'What the order takes into account and nothing is left out by: cheap, reliable, free; fast is only told',
      ),
    results: z.array(intentResultSchema),
    steps: z
      .array(z.object({ text: z.string(), results: z.array(intentResultSchema) }))
      .optional()
      .describe('Where the sentence asks for several things in a row: each of them, with results of its own'),
    nearest: z
      .object({
        relaxed: z.string().describe('The constraint that was left out'),
        results: z.array(intentResultSchema),
      })
      .optional()
      .describe('When the constraints leave nothing: what relaxing one of them would give'),
  })
  .meta({ id: 'IntentAnswer' })
export type IntentAnswer = Readonly<z.output<typeof intentAnswerSchema>>
