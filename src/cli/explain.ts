// Turns whatever went wrong into a sentence and an exit code.
import { ConfigError } from '../app/config.ts'
import { DirectoryError } from '../domain/errors.ts'
import { toOneLine } from '../domain/unseen.ts'
import { CommandFailed, EXIT } from './command.ts'
import { say } from './terminal.ts'

/** What the system refuses is told by its own words: no fault of the program. */
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error && typeof error.syscall === 'string'

/** An error of our own making is a sentence; anything else is a fault of the program, and its trace helps to find it. */
export function explain(error: unknown): number {
  if (error instanceof ConfigError) {
    say(error.message)
    return EXIT.usage
  }
  if (error instanceof DirectoryError && error.problems.length > 0) {
    // Both may come from a directory elsewhere: each is one line, whatever they hold.
    for (const { path, message } of error.problems) say(toOneLine(`${path} ${message}.`.trim()))
  } else if (error instanceof DirectoryError || error instanceof CommandFailed || isOfSystem(error)) {
    say(toOneLine(error.message))
  } else {
    say(`Something went wrong inside: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
  }
  return EXIT.failed
}
