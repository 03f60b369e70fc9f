// Copies a whole store: to a file, or into another database.
import { loadConfig } from '../../app/config.ts'
import { openOperator } from '../../app/operator.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { CommandFailed, EXIT, type Line } from '../syntax/command.ts'
import { createProgress } from '../text/progress.ts'
import { print, printJson } from '../text/terminal.ts'

export async function runBackup({ operands, switches }: Line): Promise<number> {
  const file = operands[0]!
  await using operator = await openOperator(loadConfig())
  await operator.backup(file).catch(explain)
  await (switches.has('json') ? printJson({ file }) : print(`Saved ${file}.`))
  return EXIT.fine
}

export async function runCopy({ operands, switches }: Line): Promise<number> {
  await using operator = await openOperator(loadConfig())
  let share: number | undefined
  const progress = createProgress({ what: 'rows copied', fraction: () => share })
  const onProgress = (rows: number, total: number) => {
    share = rows / total
    progress.reach(rows)
  }
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
