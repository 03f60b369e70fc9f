// Reports about services, for operators; part of the Store interface.
import type { Report, ReportsQuery } from '../domain/reports.ts'

export interface ReportTable {
  /**
   * Keeps a report, or resolves to the one of the same reporter about the same service that waits still. Resolves to
   * undefined, and keeps nothing, where `most` reports of its kind about the service wait already that wallets have sent.
   */
  add(report: Report, most: number): Promise<Report | undefined>
  /** By age. */
  list(query: ReportsQuery): Promise<Report[]>
  /** Resolves to false where there is no such report, or it was resolved before. */
  resolve(id: string, at: Date): Promise<boolean>
}

/** A reporter that is a wallet is an account with its namespace in front; no id of a key has one. */
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
