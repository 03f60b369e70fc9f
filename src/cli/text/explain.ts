// Turns an error into a sentence and an exit code.
import { ConfigError } from '../../app/config.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { toOneLine } from '../../domain/text/invisible.ts'
import { CommandFailed, EXIT } from '../syntax/command.ts'
import { printMessage } from './terminal.ts'

/** A system error is reported by its own message: not a fault of the program. */
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error && typeof error.syscall === 'string'

/** Our own errors are sentences; anything else is a fault, reported with its stack trace. */
export function explain(error: unknown): number {
  if (error instanceof ConfigError) {
    printMessage(error.message)
    return EXIT.usage
  }
  if (error instanceof DirectoryError && error.problems.length > 0) {
    // Both may come from a remote directory, so each is limited to one line.
    for (const { path, message } of error.problems)
      printMessage(toOneLine(`${path} ${message.replace(/\.$/, '')}.`.trim()))
  } else if (error instanceof DirectoryError || error instanceof CommandFailed || isOfSystem(error)) {
    printMessage(toOneLine(error.message))
  } else {
    printMessage(
      `Something went wrong inside: ${error instanceof Error ? (error.stack ?? error.message) : error}`,
    )
  }
  return EXIT.failed
}
