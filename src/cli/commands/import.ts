import { loadConfig } from '../../app/config.ts'
import { openOperator } from '../../app/operator.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { asRecord } from '../../domain/json/json-record.ts'
import { type DraftPolicy, readDraft } from '../../domain/listing/draft.ts'
import { toOneLine } from '../../domain/text/unseen.ts'
import type { ImportRecord, ImportReport } from '../../sync/import-records.ts'
import { toBody } from '../../sync/to-body.ts'
import { type FoundRecords, readRecords } from '../read-records.ts'
import { EXIT, type Line } from '../syntax/command.ts'
import { createProgress } from '../text/progress.ts'
import { openMeasuredInput, print, printJson, printMessage } from '../text/terminal.ts'
import { undescribedNotice } from '../text/undescribed-notice.ts'
import { syncOnce } from './sync.ts'

/** Per transaction: every commit flushes the disk, whatever its size. */
const RECORDS_PER_WRITE = 5_000

export async function runImport(line: Line): Promise<number> {
  const { operands, switches } = line
  const config = loadConfig()
  if (/^https?:/i.test(operands[0]!)) {
    await using operator = await openOperator(config)
    return await syncOnce(operator, operands[0]!, line)
  }
  const { input, fraction } = await openMeasuredInput(operands[0]!)
  await using operator = await openOperator(config)
  const records = await operator.openImport()
  const progress = createProgress({ what: 'services read', fraction })
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
    printMessage(undescribedNotice(report.undescribed, 'An export to .ndjson or .ndjson.zst has both.'))
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
