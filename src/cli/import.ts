import { systemClock } from '../clock.ts'
import { loadConfig } from '../config.ts'
import { type DraftPolicy, readDraft } from '../domain/draft.ts'
import { DirectoryError } from '../domain/errors.ts'
import { createIdSource } from '../domain/ids.ts'
import { createEntry, type Entry } from '../domain/service.ts'
import { openOperator } from '../operator.ts'
import { toBody } from '../sync/to-body.ts'
import { EXIT, type Line } from './command.ts'
import { type Found, readRecords } from './read-records.ts'
import { syncOnce } from './sync.ts'
import { harmless } from './table.ts'
import { createProgress, openInput, print, printJson, say } from './terminal.ts'

/** One transaction each: a commit costs a flush of the disk, whatever it holds. */
const ENTRIES_PER_INSERT = 5_000

export async function runImport(line: Line): Promise<number> {
  const { operands, switches } = line
  const config = loadConfig()
  if (/^https?:/i.test(operands[0]!)) {
    await using operator = await openOperator(config)
    return await syncOnce(operator, operands[0]!, line)
  }
  const input = await openInput(operands[0]!)
  await using operator = await openOperator(config)
  const newId = createIdSource()
  const progress = createProgress(count => `${count.toLocaleString('en')} services imported`)
  const counts = { imported: 0, skipped: 0, noticed: 0 }
  let batch: Entry[] = []
  const insertBatch = async () => {
    if (batch.length > 0) await operator.insert(batch)
    counts.imported += batch.length
    batch = []
    progress.reach(counts.imported)
  }

  for await (const found of readRecords(input)) {
    const read = readFound(found, config)
    if ('problem' in read) {
      counts.skipped++
      progress.clear()
      say(harmless(`${found.place}: ${read.problem}`))
      continue
    }
    if (read.notices.length > 0) counts.noticed++
    const now = systemClock.now()
    batch.push(createEntry(read.draft, { id: newId(now), now, source: 'imported' }))
    if (batch.length === ENTRIES_PER_INSERT) await insertBatch()
  }
  await insertBatch()
  progress.clear()

  await (switches.has('json') ? printJson(counts) : print(summary(counts)))
  return counts.skipped === 0 ? EXIT.fine : EXIT.failed
}

function readFound(found: Found, policy: DraftPolicy): ReturnType<typeof readDraft> | { problem: string } {
  if ('problem' in found) return found
  try {
    return readDraft(toBody(found.value, found.list), policy)
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'invalid_request') throw error
    return { problem: error.problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ') }
  }
}

function summary({
  imported,
  skipped,
  noticed,
}: {
  imported: number
  skipped: number
  noticed: number
}): string {
  const services = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'service' : 'services'}`
  return [
    `Imported ${services(imported)}.`,
    ...(noticed > 0 ? [`The payment address of ${services(noticed)} does not fit the chain.`] : []),
    ...(skipped > 0 ? [`Skipped ${skipped.toLocaleString('en')} that could not be read.`] : []),
  ].join(' ')
}
