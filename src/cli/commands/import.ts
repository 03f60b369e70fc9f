// Loads services from a file or a URL, or follows another directory, a list or an origin.
import { loadConfig } from '../../app/config.ts'
import { type Operator, openOperator } from '../../app/operator.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { asRecord } from '../../domain/json.ts'
import { type DraftPolicy, readDraft } from '../../domain/listing/service.ts'
import { KNOWN_SOURCES } from '../../domain/operating.ts'
import { toOneLine } from '../../domain/text/invisible.ts'
import { toBody } from '../../sync/group-resources.ts'
import type { ImportRecord, ImportReport } from '../../sync/import-records.ts'
import { SourceFailure, type SyncReport } from '../../sync/source-reader.ts'
import { type FoundRecords, readRecords } from '../read-records.ts'
import { CommandFailed, EXIT, type Line, UsageError } from '../syntax/command.ts'
import {
  type Column,
  createProgress,
  openInput,
  outputWidth,
  print,
  printJson,
  printMessage,
  table,
} from '../text/terminal.ts'

/** Said wherever services are added from an export document, which is not a complete copy. */
export const undescribedNotice = (count: number, remedy: string): string =>
  `Notice: an export document has no descriptions and no free quotas; ${count.toLocaleString('en')} new ` +
  `${count === 1 ? 'service has its name' : 'services have their names'} as description. ${remedy}`

/** Per transaction: every commit flushes the disk, whatever its size. */
const RECORDS_PER_WRITE = 5_000

export async function runImport(line: Line): Promise<number> {
  const { operands, switches } = line
  const config = loadConfig()
  if (/^https?:/i.test(operands[0]!)) {
    await using operator = await openOperator(config)
    return await syncOnce(operator, operands[0]!, line)
  }
  const input = await openInput(operands[0]!)
  await using operator = await openOperator(config)
  const records = await operator.openImport()
  const progress = createProgress('services read')
  const counts = { skipped: 0, noticed: 0 }
  const tell = (sentence: string) => {
    progress.clear()
    printMessage(toOneLine(sentence))
  }
  let batch: ImportRecord[] = []
  let count = 0
  const writeBatch = async () => {
    if (batch.length > 0) await records.write(batch, tell)
    count += batch.length
    batch = []
    progress.reach(count)
  }

  for await (const found of readRecords(input)) {
    const read = readFound(found, config)
    if ('problem' in read) {
      counts.skipped++
      tell(`${found.place}: ${read.problem}`)
      continue
    }
    if (read.notices.length > 0) counts.noticed++
    const { id, description } = asRecord(read.value)
    const isExported = found.list === 'endpoints' && description === undefined
    batch.push({ place: found.place, draft: read.draft, id, isExported })
    if (batch.length === RECORDS_PER_WRITE) await writeBatch()
  }
  await writeBatch()
  progress.clear()

  const report = { ...records.report, ...counts }
  await (switches.has('json') ? printJson(report) : print(summary(report)))
  if (report.undescribed > 0)
    printMessage(undescribedNotice(report.undescribed, 'An export to .ndjson has both.'))
  return counts.skipped === 0 ? EXIT.fine : EXIT.failed
}

function readFound(
  found: FoundRecords,
  policy: DraftPolicy,
): (ReturnType<typeof readDraft> & { value: unknown }) | { problem: string } {
  if ('problem' in found) return found
  try {
    return { ...readDraft(toBody(found.value, found.list), policy), value: found.value }
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'invalid_request') throw error
    return { problem: error.problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ') }
  }
}

function summary(report: ImportReport & { skipped: number; noticed: number }): string {
  const { imported, updated, unchanged, kept, repeated, skipped, noticed } = report
  const count = (number: number) => number.toLocaleString('en')
  const services = (number: number) => `${count(number)} ${number === 1 ? 'service' : 'services'}`
  return [
    `Imported ${services(imported)}.`,
    ...(updated > 0 ? [`Updated ${count(updated)}.`] : []),
    ...(unchanged > 0 ? [`Found ${count(unchanged)} as they are here already.`] : []),
    ...(kept > 0 ? [`Left ${count(kept)} that are not of a file, or were removed, as they are.`] : []),
    ...(repeated > 0 ? [`Passed over ${count(repeated)} that the file holds twice.`] : []),
    ...(noticed > 0 ? [`The payment address of ${services(noticed)} does not fit the chain.`] : []),
    ...(skipped > 0 ? [`Skipped ${count(skipped)} that could not be read.`] : []),
  ].join(' ')
}

type Source = Awaited<ReturnType<Operator['sources']>>[number]

export async function runSync(line: Line): Promise<number> {
  const [url] = line.operands
  if (url === undefined) return listSources(line)
  await using operator = await openOperator(loadConfig())
  return await syncOnce(operator, url, line)
}

/** The exit code is 1 if something was skipped, as for a file. */
export async function syncOnce(operator: Operator, given: string, line: Line): Promise<number> {
  const url = readAddress(given)
  const report = await readOnce(operator, url).catch(async error => {
    if (!(error instanceof SourceFailure)) throw error
    if (error.report && hasBrought(error.report)) await printReport(error.report, line)
    throw new CommandFailed(error.message)
  })
  await printReport(report, line)
  return report.skipped === 0 ? EXIT.fine : EXIT.failed
}

async function readOnce(operator: Operator, url: string): Promise<SyncReport> {
  const progress = createProgress('entries read')
  try {
    return await operator.sync(url, undefined, progress.reach)
  } finally {
    progress.clear()
  }
}

const WORDS: Readonly<Record<string, string>> = {
  vanished: 'no longer listed',
  known: 'known already and left as they are',
  forwarded: 'of other directories, which can be followed themselves',
}

const hasBrought = ({ added, changed, removed, vanished }: SyncReport): boolean =>
  added + changed + removed + vanished > 0

async function printReport(report: SyncReport, { switches }: Line): Promise<void> {
  for (const problem of report.problems) printMessage(toOneLine(problem))
  if (report.readAnew)
    printMessage(`${toOneLine(report.url)} has another history than before; everything was read again.`)
  if (report.kind === 'export' && report.added > 0)
    printMessage(undescribedNotice(report.added, 'A Shirube is copied completely by its address alone.'))
  if (switches.has('json')) return printJson(report)
  const { added, changed, removed, vanished, known, forwarded, skipped } = report
  const counts = Object.entries({ added, changed, removed, vanished, known, forwarded, skipped })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count.toLocaleString('en')} ${WORDS[what] ?? what}`)
  await print(`${toOneLine(report.url)}: ${counts.join(', ') || 'nothing new'}.`)
}

async function listSources({ switches }: Line): Promise<number> {
  await using operator = await openOperator(loadConfig())
  const sources = await operator.sources()
  if (switches.has('json')) await printJson(sources)
  else if (sources.length === 0) printMessage('No source is followed yet: "sync <address>" follows one.')
  else await print(table(sources, COLUMNS, outputWidth()))
  return EXIT.fine
}

const COLUMNS: readonly Column<Source>[] = [
  { title: 'SOURCE', cell: ({ url }) => toOneLine(url), atLeast: 20 },
  { title: 'KIND', cell: ({ kind }) => kind ?? 'unknown' },
  { title: 'LAST READ', cell: ({ succeededAt }) => succeededAt?.slice(0, 16) ?? 'never' },
  { title: 'STATE', cell: ({ pausedAt }) => (pausedAt === null ? 'followed' : 'paused') },
  { title: 'PROBLEM', cell: ({ problem }) => toOneLine(problem ?? ''), dispensable: 1 },
]

/** An address, or the name of a known list. */
function readAddress(given: string): string {
  const { protocol, username, password } = URL.parse(given) ?? {}
  // The address is shown to readers as the source of its entries.
  if (username || password) throw new UsageError('The address must not contain a user name or password.')
  if (protocol === 'http:' || protocol === 'https:') return given
  const known = Object.entries(KNOWN_SOURCES).find(([name]) => name.toLowerCase() === given.toLowerCase())
  if (known) return known[1]
  const names = Object.keys(KNOWN_SOURCES).join(', ')
  throw new UsageError(`"${given}" is neither an address of http or https nor one of ${names}.`)
}
