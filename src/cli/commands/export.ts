import { loadConfig } from '../../app/config.ts'
import { type Operator, openOperator } from '../../app/operator.ts'
import { EXPORT_VERSION, toExportEntry } from '../../domain/listing/views.ts'
import { toVisibleJson } from '../../domain/text/unseen.ts'
import { systemClock } from '../../runtime/clock.ts'
import { packZstd } from '../../runtime/zstd.ts'
import { EXIT, type Line, UsageError } from '../syntax/command.ts'
import { createProgress } from '../text/progress.ts'
import { print, printJson, printMessage, write } from '../text/terminal.ts'
import { assertWritable, writeFile } from '../write-file.ts'

const PIECE_LENGTH = 64 * 1024

/** By file extension. */
const FORMATS = ['json', 'ndjson', 'ndjson.zst'] as const
type Format = (typeof FORMATS)[number]

export async function runExport(line: Line): Promise<number> {
  const { operands, flags, switches } = line
  const [file] = operands
  const format = toFormat(flags.format, file)
  if (file !== undefined) await assertWritable(file, line)
  const config = loadConfig()
  await using operator = await openOperator(config)
  const progress = createProgress({ what: 'services exported' })
  let count = 0
  const onEntry = () => progress.reach(++count)
  const pieces =
    format === 'json'
      ? documentPieces(operator, config.directoryName, onEntry)
      : linePieces(operator, onEntry)
  const written = format === 'ndjson.zst' ? packZstd(toBytes(pieces)) : pieces
  if (file === undefined || file === '-') {
    for await (const piece of written) await write(piece)
  } else {
    await writeFile(file, written)
  }
  progress.clear()
  const sentence = `Exported ${count.toLocaleString('en')} ${count === 1 ? 'service' : 'services'}.`
  if (file === undefined || file === '-') printMessage(sentence)
  else await (switches.has('json') ? printJson({ exported: count, file, format }) : print(sentence))
  if (format === 'json')
    printMessage(
      'Notice: this document has no descriptions, free quotas or further chains. For a copy to import, export to .ndjson or .ndjson.zst.',
    )
  return EXIT.fine
}

function toFormat(given: string | undefined, file = ''): Format {
  if (given === undefined) {
    const byName = FORMATS.findLast(format => file.endsWith(`.${format}`))
    const extension = /[^/\\](\.[^./\\]+)$/.exec(file)?.[1]
    if (byName === undefined && extension !== undefined)
      throw new UsageError(
        `A file ${extension} cannot be written: name it ${FORMATS.map(format => `.${format}`).join(', ')}, or pass --format.`,
      )
    return byName ?? 'json'
  }
  const format = FORMATS.find(each => each === given)
  if (!format) throw new UsageError(`--format must be ${FORMATS.join(', ')}, not "${given}".`)
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

async function* toBytes(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const piece of pieces) yield encoder.encode(piece)
}
