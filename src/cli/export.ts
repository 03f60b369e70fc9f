import { loadConfig } from '../app/config.ts'
import { type Operator, openOperator } from '../app/operator.ts'
import { toVisibleJson } from '../domain/unseen.ts'
import { EXPORT_VERSION } from '../domain/views.ts'
import { systemClock } from '../runtime/clock.ts'
import { EXIT, type Line } from './command.ts'
import { createProgress } from './progress.ts'
import { print, printJson, say, write } from './terminal.ts'
import { writeFile } from './write-file.ts'

const PIECE_LENGTH = 64 * 1024

export async function runExport({ operands, switches }: Line): Promise<number> {
  const config = loadConfig()
  await using operator = await openOperator(config)
  const [file] = operands
  const progress = createProgress({ what: 'services exported' })
  let count = 0
  const pieces = documentPieces(operator, config.directoryName, () => progress.reach(++count))
  if (file === undefined || file === '-') {
    for await (const piece of pieces) await write(piece)
  } else {
    await writeFile(file, pieces)
  }
  progress.clear()
  const sentence = `Exported ${count.toLocaleString('en')} ${count === 1 ? 'service' : 'services'}.`
  if (file === undefined || file === '-') say(sentence)
  else await (switches.has('json') ? printJson({ exported: count, file }) : print(sentence))
  return EXIT.fine
}

/** The document in pieces, one entry a line: two exports can be compared line by line. */
async function* documentPieces(
  operator: Operator,
  source: string,
  onEntry: () => void,
): AsyncGenerator<string> {
  const exportedAt = systemClock.now().toISOString()
  const head = toVisibleJson(JSON.stringify({ version: EXPORT_VERSION, source, exportedAt }))
  let piece = `${head.slice(0, -1)},"endpoints":[`
  let separator = '\n'
  for await (const entry of operator.exportEntries()) {
    piece += separator + toVisibleJson(JSON.stringify(entry))
    separator = ',\n'
    onEntry()
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n]}\n`
}
