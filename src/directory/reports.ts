// Reports to the operator about a service, and their resolution. They have no automatic effect.

import { z } from 'zod'
import { DirectoryError } from '../domain/errors.ts'
import {
  type Report,
  type ReportsQuery,
  reportDraftSchema,
  reportSchema,
  reportsQuerySchema,
} from '../domain/operating.ts'
import { readKnownFields } from '../domain/problems.ts'
import { DAY_MS } from '../domain/time.ts'
import { say } from '../messages/message.ts'
import type { By, ByFrom, OperationDeps, WithIgnored, Work } from './deps.ts'
import { IDS } from './examples.ts'
import { type Caller, rateLimitKeys } from './keys.ts'
import type { Operation } from './operation.ts'

export interface Reports {
  /**
   * Reports a service once until the operator resolves it: until then, the first report is returned again.
   * @throws DirectoryError `unauthorized`, `forbidden`, `invalid_request`, `not_found`, `hidden`, `rate_limited`
   */
  report(id: string, body: unknown, by: ByFrom): Promise<WithIgnored<{ readonly report: Report }>>
  /** For operators, by age. @throws DirectoryError `unauthorized`, `forbidden` */
  listReports(query: ReportsQuery, by: By): Promise<Report[]>
  /** For operators. @throws DirectoryError `unauthorized`, `forbidden`, `not_found` */
  resolveReport(id: string, by: By): Promise<void>
}

export const REPORT_OPERATIONS = {
  report: {
    id: 'reportService',
    tag: 'services',
    summary: 'Report a service to the operator',
    description:
      'Only operators see it, and it has no automatic effect. A caller may have one open report per service: until it is resolved, sending another returns the first. 20 a day per owner, over all keys.',
    body: {
      schema: reportDraftSchema,
      example: {
        kind: 'impostor',
        text: 'It has the name of another service and pays a wallet that is not theirs.',
      },
    },
    answer: 'The stored report',
    result: reportSchema,
    errors: ['hidden'],
  },
  listReports: {
    id: 'listReports',
    tag: 'operating',
    summary: 'List reports about services',
    description: 'Oldest first; pass the id of the last one in after.',
    query: { schema: reportsQuerySchema },
    answer: 'A page of reports',
    result: z.array(reportSchema),
  },
  resolveReport: {
    id: 'resolveReport',
    tag: 'operating',
    summary: 'Mark a report as resolved',
    description: 'Its sender may report the service again.',
    of: { what: 'report', example: IDS.report },
    answer: 'It is resolved',
  },
} satisfies Readonly<Record<keyof Reports, Operation>>

/** Reports per day, by owner and by network: an operator reads each of them. */
const MAX_PER_DAY = 20

export function createReports({
  store,
  clock,
  newId,
  get,
  note,
}: OperationDeps & {
  /** @throws DirectoryError `not_found`, `hidden` */
  readonly get: (id: string) => Promise<unknown>
}): Work<Reports> {
  async function spend(caller: Caller, from: string | undefined): Promise<void> {
    const budgets = rateLimitKeys(caller, from).map(name => ({
      name: `reports by ${name}`,
      most: MAX_PER_DAY,
    }))
    if (await store.budgets.take(budgets, clock.now(), DAY_MS))
      throw new DirectoryError('rate_limited', say('reports_spent', { most: MAX_PER_DAY }))
  }

  return {
    async report(id, body, { from, ...caller }) {
      const { value: draft, ignored } = readKnownFields(reportDraftSchema, body)
      await get(id)
      await spend(caller, from)
      const now = clock.now()
      const report: Report = {
        id: newId(now).replace(/^svc_/, 'rep_'),
        serviceId: id,
        ...draft,
        reporter: caller.owner,
        createdAt: now.toISOString(),
        resolvedAt: null,
      }
      return { report: await store.reports.add(report), ignored }
    },

    listReports: query => store.reports.list(query),

    async resolveReport(id, { id: who }) {
      if (!(await store.reports.resolve(id, clock.now()))) throw noOpenReport(id)
      await note(who, 'report_settled', id)
    },
  }
}

export const noOpenReport = (id: string): DirectoryError =>
  new DirectoryError('not_found', say('report_unknown', { id: id.slice(0, 64) }))
