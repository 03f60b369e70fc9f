// Saves everything in a store, and restores it into an empty one.

import { loadConfig } from '../../app/config.ts'
import { openOperator } from '../../app/operator.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { toVisibleJson } from '../../domain/text/unseen.ts'
import { readLines } from '../read-lines.ts'
import { CommandFailed, EXIT, type Line } from '../syntax/command.ts'
import { createProgress } from '../text/progress.ts'
import { openMeasuredInput, print, printJson, printMessage, write } from '../text/terminal.ts'
import { assertWritable, writeFile } from '../write-file.ts'

/** A response stored for retries can contain a whole import. */
const MAX_LINE_BYTES = 1024 * 1024 * 1024
const PIECE_LENGTH = 64 * 1024

export async function runBackup(line: Line): Promise<number> {
  const { operands, switches } = line
  const file = operands[0]!
  await assertWritable(file, line)
  await using operator = await openOperator(loadConfig())
  let count = -2
  let total: number | undefined
  const fraction = () => (total ? count / total : undefined)
  const progress = createProgress({ what: 'rows saved', fraction })
  const lines = operator.backup(rows => {
    total = rows
  })
  const pieces = toPieces(lines, () => progress.reach(++count))
  // A file must be exact to the byte; a terminal gets printable JSON.
  const shown = process.stdout.isTTY ? toVisibleJson : (piece: string) => piece
  if (file === '-') for await (const piece of pieces) await write(shown(piece))
  else await writeFile(file, pieces, { isPrivate: true })
  progress.clear()
  const sentence = `Saved ${rows(count)}.`
  if (file === '-') printMessage(sentence)
  else await (switches.has('json') ? printJson({ rows: count, file }) : print(sentence))
  return EXIT.fine
}

export async function runRestore({ operands, switches }: Line): Promise<number> {
  const { input, fraction } = await openMeasuredInput(operands[0]!)
  await using operator = await openOperator(loadConfig())
  const progress = createProgress({ what: 'rows read', fraction })
  let count = -2
  try {
    await operator.restore(readTexts(input, () => progress.reach(++count)))
  } catch (error) {
    progress.clear()
    if (error instanceof DirectoryError && error.code === 'invalid_request')
      throw new CommandFailed(error.message)
    throw error
  }
  progress.clear()
  await (switches.has('json') ? printJson({ rows: count }) : print(`Restored ${rows(count)}.`))
  return EXIT.fine
}

const rows = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`

async function* toPieces(lines: AsyncIterable<string>, onLine: () => void): AsyncGenerator<string> {
  let piece = ''
  for await (const line of lines) {
    piece += `${line}\n`
    onLine()
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield piece
}

async function* readTexts(input: AsyncIterable<Uint8Array>, onLine: () => void): AsyncGenerator<string> {
  for await (const line of readLines(input, MAX_LINE_BYTES)) {
    if ('problem' in line)
      throw new CommandFailed(
        `The backup is damaged: line ${line.number} ${line.problem}. Nothing was restored.`,
      )
    onLine()
    yield line.text
  }
}
