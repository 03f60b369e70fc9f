// Callers' reports about services, directly from the store.
import { loadConfig } from '../../app/config.ts'
import { openOperator } from '../../app/operator.ts'
import { parseReportsQuery, type Report } from '../../domain/reports.ts'
import { EXIT, type Line } from '../syntax/command.ts'
import { type Column, table } from '../text/table.ts'
import { outputWidth, print, printJson, printMessage } from '../text/terminal.ts'
import { parse } from './ask.ts'

const COLUMNS: readonly Column<Report>[] = [
  { title: 'ID', cell: report => report.id },
  { title: 'SERVICE', cell: report => report.serviceId },
  { title: 'KIND', cell: report => report.kind },
  { title: 'SENT', cell: report => report.createdAt.slice(0, 10), dispensable: 1 },
  { title: 'BY', cell: report => report.reporter, dispensable: 0, atLeast: 8 },
  { title: 'TEXT', cell: report => report.text, atLeast: 12 },
]

export async function runReports({ flags, switches }: Line): Promise<number> {
  const query = parse(parseReportsQuery, flags)
  await using operator = await openOperator(loadConfig())
  const reports = await operator.reports.list(query)
  if (switches.has('json')) await printJson(reports)
  else if (reports.length === 0)
    printMessage(query.state === 'open' ? 'There are no open reports.' : 'There are no resolved reports.')
  else await print(table(reports, COLUMNS, outputWidth()))
  return EXIT.fine
}

export async function runResolve({ operands, switches }: Line): Promise<number> {
  const id = operands[0]!
  await using operator = await openOperator(loadConfig())
  await operator.reports.resolve(id)
  await (switches.has('json') ? printJson({ resolved: id }) : print(`Resolved ${id}.`))
  return EXIT.fine
}
