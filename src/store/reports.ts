// Reports about services, for operators; part of the Store interface.
import type { Report, ReportsQuery } from '../domain/reports.ts'

export interface ReportTable {
  /**
   * Stores a report, or resolves to the open report of the same reporter about the same service. Resolves to undefined and stores
   * nothing if wallets already have `max` open reports of its kind about the service.
   */
  add(report: Report, max: number): Promise<Report | undefined>
  /** Oldest first. */
  list(query: ReportsQuery): Promise<Report[]>
  /** Resolves to false if there is no such report or it is already resolved. */
  resolve(id: string, at: Date): Promise<boolean>
}

/** A wallet reporter is an account with its namespace (`eip155:0x…`); ids of keys contain no colon. */
export const FROM_WALLETS = "reporter LIKE '%:%'"

export const REPORT_COLUMNS = [
  'id',
  'service_id',
  'report_kind',
  'text',
  'reporter',
  'created_at',
  'resolved_at',
] as const

export const toReportRow = (report: Report): (string | null)[] => [
  report.id,
  report.serviceId,
  report.kind,
  report.text,
  report.reporter,
  report.createdAt,
  report.resolvedAt,
]

export const toReport = ([
  id,
  serviceId,
  kind,
  text,
  reporter,
  createdAt,
  resolvedAt,
]: readonly unknown[]): Report => ({
  id: id as string,
  serviceId: serviceId as string,
  kind: kind as Report['kind'],
  text: text as string,
  reporter: reporter as string,
  createdAt: createdAt as string,
  resolvedAt: resolvedAt as string | null,
})
