// Callers' reports about services, and services that the operator hides, directly in the store.
import { loadConfig } from '../../app/config.ts'
import { type Operator, openOperator } from '../../app/operator.ts'
import { parseReportsQuery, type Report } from '../../domain/reports.ts'
import { toOneLine } from '../../domain/text/invisible.ts'
import { EXIT, type Line, UsageError } from '../syntax/command.ts'
import { type Column, outputWidth, print, printJson, printMessage, table } from '../text/terminal.ts'
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
  const { resolve, hide, unhide, why, ...rest } = flags
  if ([resolve, hide, unhide].filter(act => act !== undefined).length > 1)
    throw new UsageError('--resolve, --hide and --unhide are given one at a time.')
  if ((hide === undefined) !== (why === undefined))
    throw new UsageError('--hide <service> and its reason, --why <text>, belong together.')
  const query = parse(parseReportsQuery, rest)
  await using operator = await openOperator(loadConfig())
  const done = await act(operator, flags)
  if (done) {
    await (switches.has('json') ? printJson(done.json) : print(toOneLine(done.text)))
    return EXIT.fine
  }
  const reports = await operator.reports.list(query)
  if (switches.has('json')) await printJson(reports)
  else if (reports.length === 0)
    printMessage(query.state === 'open' ? 'There are no open reports.' : 'There are no resolved reports.')
  else await print(table(reports, COLUMNS, outputWidth()))
  return EXIT.fine
}

/** @returns what was done; undefined if there is nothing to do but to list */
async function act(
  operator: Operator,
  { resolve, hide, why, unhide }: Line['flags'],
): Promise<{ readonly json: object; readonly text: string } | undefined> {
  if (resolve !== undefined) {
    await operator.reports.resolve(resolve)
    return { json: { resolved: resolve }, text: `Resolved ${resolve}.` }
  }
  if (hide !== undefined) {
    const { id, name, hidden } = await operator.hide(hide, why!)
    return { json: { id, hidden }, text: `Hidden: ${name} (${id}).` }
  }
  if (unhide === undefined) return undefined
  const { entry, wasHidden } = await operator.unhide(unhide)
  const { id, name } = entry
  const text = `${wasHidden ? 'Shown again' : 'It was not hidden'}: ${name} (${id}).`
  return { json: { id, hidden: null }, text }
}
