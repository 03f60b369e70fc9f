// Reports to the operator about a service. They have no automatic effect, because a report can be false.

import { z } from 'zod'
import { createDraftReader, createQueryReader, expecting } from './problems.ts'
import { oneOf } from './queries/filters.ts'
import { limit } from './queries/queries.ts'
import { prose } from './text/text.ts'

export const REPORT_KINDS = ['impostor', 'bait_price', 'no_delivery', 'malware', 'other'] as const

const KIND = expecting('not_one_of', { values: REPORT_KINDS })

export const reportDraftSchema = z
  .object(
    {
      kind: z
        .enum(REPORT_KINDS, { error: KIND })
        .describe(
          'impostor: it poses as another; bait_price: it charges more than it lists; no_delivery: it takes the payment and delivers nothing; malware: its content is harmful; other',
        ),
      text: prose(1000, { lines: true }).describe('What was observed, and when; for the operator to check'),
    },
    { error: expecting('not_json_object') },
  )
  .meta({ id: 'ReportDraft', title: 'What is wrong with a service' })
export type ReportDraft = z.output<typeof reportDraftSchema>

const timestamp = z.string().meta({ format: 'date-time' })
export const reportSchema = z
  .object({
    id: z.string().describe('Id of the report'),
    serviceId: z.string().describe('Id of the service'),
    ...reportDraftSchema.shape,
    reporter: z.string().describe('The key, or the wallet with all its keys, that sent it'),
    createdAt: timestamp.describe('When it was reported'),
    resolvedAt: timestamp.nullable().describe('When an operator resolved it; null while it is open'),
  })
  .meta({ id: 'Report', title: 'A report about a service, as operators see it' })
export type Report = Readonly<z.output<typeof reportSchema>>

export const readReportDraft = createDraftReader(reportDraftSchema)

export const reportsQuerySchema = z.object({
  state: oneOf(['open', 'resolved']).default('open').describe('Default: open'),
  limit: limit(100, 1_000),
  after: z
    .string()
    .max(64, expecting('report_id_expected'))
    .describe('Id of the last report of the previous page')
    .optional(),
})
export type ReportsQuery = z.output<typeof reportsQuerySchema>

export const parseReportsQuery: (input: unknown) => ReportsQuery = createQueryReader(reportsQuerySchema)
