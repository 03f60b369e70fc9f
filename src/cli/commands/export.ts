// Writes the catalog, or the whole store, to a file, or into another database.
import { rename, rm, stat } from 'node:fs/promises'
import { loadConfig } from '../../app/config.ts'
import { type Operator, openOperator } from '../../app/operator.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { EXPORT_VERSION, toExportEntry } from '../../domain/listing/service.ts'
import { toVisibleJson } from '../../domain/text/invisible.ts'
import { systemClock } from '../../runtime/clock.ts'
import { CommandFailed, EXIT, type Line, UsageError } from '../syntax/command.ts'
import { confirm, createProgress, print, printJson, printMessage, write } from '../text/terminal.ts'

/** Asks before a file is overwritten. @throws CommandFailed without a yes, or without a terminal to ask at */
export async function assertWritable(path: string, { switches }: Line): Promise<void> {
  if (path === '-' || switches.has('force')) return
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return
  if (!(await confirm(`${path} exists. Overwrite it?`)))
    throw new CommandFailed(`${path} exists and was left as it is. --force overwrites it.`)
}

/** The file appears complete or not at all. */
export async function writeFile(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const unfinished = `${path}.${process.pid}.part`
  try {
    const writer = Bun.file(unfinished).writer()
    for await (const piece of pieces) {
      writer.write(piece)
      await writer.flush()
    }
    await writer.end()
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    // System errors have a syscall; errors of the store are passed on.
    const { code, syscall } = error as NodeJS.ErrnoException
    throw syscall === undefined ? error : new CommandFailed(`The file ${path} cannot be written (${code}).`)
  }
}

export async function runBackup({ operands, switches }: Line): Promise<number> {
  const file = operands[0]!
  await using operator = await openOperator(loadConfig())
  await operator.backup(file).catch(explain)
  await (switches.has('json') ? printJson({ file }) : print(`Saved ${file}.`))
  return EXIT.fine
}

export async function runCopy({ operands, switches }: Line): Promise<number> {
  await using operator = await openOperator(loadConfig())
  const progress = createProgress('rows copied')
  const onProgress = (rows: number, total: number) => progress.reach(rows, rows / total)
  const rows = await operator.copy(operands[0]!, onProgress).catch(error => {
    progress.clear()
    return explain(error)
  })
  progress.clear()
  const counted = `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`
  await (switches.has('json') ? printJson({ rows }) : print(`Copied ${counted}.`))
  return EXIT.fine
}

/** What the operator can mend is not wrong use of the command. */
function explain(error: unknown): never {
  throw error instanceof DirectoryError && error.code === 'invalid_request'
    ? new CommandFailed(error.message)
    : error
}

const PIECE_LENGTH = 64 * 1024

/** By file extension. */
const FORMATS = ['json', 'ndjson'] as const
type Format = (typeof FORMATS)[number]

export async function runExport(line: Line): Promise<number> {
  const { operands, flags, switches } = line
  const [file] = operands
  const format = toFormat(flags.format, file)
  if (file !== undefined) await assertWritable(file, line)
  const config = loadConfig()
  await using operator = await openOperator(config)
  const progress = createProgress('services exported')
  let count = 0
  const onEntry = () => progress.reach(++count)
  const pieces =
    format === 'json'
      ? documentPieces(operator, config.directoryName, onEntry)
      : linePieces(operator, onEntry)
  if (file === undefined || file === '-') {
    for await (const piece of pieces) await write(piece)
  } else {
    await writeFile(file, pieces)
  }
  progress.clear()
  const sentence = `Exported ${count.toLocaleString('en')} ${count === 1 ? 'service' : 'services'}.`
  if (file === undefined || file === '-') printMessage(sentence)
  else await (switches.has('json') ? printJson({ exported: count, file, format }) : print(sentence))
  if (format === 'json')
    printMessage(
      'Notice: this document has no descriptions, free quotas or further chains. For a copy to import, export to .ndjson.',
    )
  return EXIT.fine
}

function toFormat(given: string | undefined, file = ''): Format {
  if (given === undefined) {
    const byName = FORMATS.find(format => file.endsWith(`.${format}`))
    const extension = /[^/\\](\.[^./\\]+)$/.exec(file)?.[1]
    if (byName === undefined && extension !== undefined)
      throw new UsageError(
        `A file ${extension} cannot be written: name it ${FORMATS.map(format => `.${format}`).join(' or ')}, or pass --format.`,
      )
    return byName ?? 'json'
  }
  const format = FORMATS.find(each => each === given)
  if (!format) throw new UsageError(`--format must be ${FORMATS.join(' or ')}, not "${given}".`)
  return format
}

/** The document with one entry per line, so that exports can be compared line by line. */
async function* documentPieces(
  operator: Operator,
  source: string,
  onEntry: () => void,
): AsyncGenerator<string> {
  const exportedAt = systemClock.now().toISOString()
  const head = toVisibleJson(JSON.stringify({ version: EXPORT_VERSION, source, exportedAt }))
  let piece = `${head.slice(0, -1)},"endpoints":[`
  let separator = '\n'
  for await (const service of operator.exportServices()) {
    piece += separator + toVisibleJson(JSON.stringify(toExportEntry(service)))
    separator = ',\n'
    onEntry()
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n]}\n`
}

/** Complete services, one per line. */
async function* linePieces(operator: Operator, onEntry: () => void): AsyncGenerator<string> {
  let piece = ''
  for await (const service of operator.exportServices()) {
    piece += `${toVisibleJson(JSON.stringify(service))}\n`
    onEntry()
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield piece
}
