// Turns whatever went wrong into a sentence and an exit code.
import { ConfigError } from '../config.ts'
import { DirectoryError } from '../domain/errors.ts'
import { CommandFailed, EXIT } from './command.ts'
import { say } from './terminal.ts'

/** An error of our own making is a sentence; anything else is a fault of the program, and its trace helps to find it. */
export function explain(error: unknown): number {
  if (error instanceof ConfigError) {
    say(error.message)
    return EXIT.usage
  }
  if (error instanceof DirectoryError && error.problems.length > 0) {
    for (const { path, message } of error.problems) say(`${path} ${message}.`.trim())
  } else if (error instanceof DirectoryError || error instanceof CommandFailed) {
    say(error.message)
  } else {
    say(`Something went wrong inside: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
  }
  return EXIT.failed
}
