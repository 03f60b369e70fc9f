import { rename, rm } from 'node:fs/promises'
import { type Operator, openOperator } from '../app.ts'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config.ts'
import { EXPORT_VERSION } from '../domain/views.ts'
import { CommandFailed, EXIT, type Line } from './command.ts'
import { createProgress, print, printJson, say, write } from './terminal.ts'

const PIECE_LENGTH = 64 * 1024

export async function runExport({ operands, switches }: Line): Promise<number> {
  const config = loadConfig()
  await using operator = await openOperator(config)
  const [file] = operands
  const progress = createProgress(count => `${count.toLocaleString('en')} services exported`)
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
  const head = JSON.stringify({ version: EXPORT_VERSION, source, exportedAt })
  let piece = `${head.slice(0, -1)},"endpoints":[`
  let separator = '\n'
  for await (const entry of operator.exportEntries()) {
    piece += separator + JSON.stringify(entry)
    separator = ',\n'
    onEntry()
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n]}\n`
}

/** The file appears whole or not at all. */
async function writeFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
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
    // The system names a call that failed; what the store says about itself goes on as it is.
    const { code, syscall } = error as NodeJS.ErrnoException
    throw syscall === undefined ? error : new CommandFailed(`The file ${path} cannot be written (${code}).`)
  }
}
