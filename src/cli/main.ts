// Reads the typed line, runs the command, and turns whatever went wrong into a sentence and an exit code.
import { ConfigError } from '../config.ts'
import { DirectoryError } from '../domain/errors.ts'
import { CommandFailed, EXIT, UsageError } from './command.ts'
import { COMMANDS } from './commands.ts'
import { parseLine } from './parse-line.ts'
import { endQuietlyWithTheReader, print, say } from './terminal.ts'
import { usage } from './usage.ts'

async function main(args: readonly string[]): Promise<number> {
  const asked = parseLine(args, COMMANDS)
  if (asked.kind === 'run') return asked.command.run(asked.line)
  await print(asked.kind === 'help' ? usage(asked.commands) : await readVersion())
  return EXIT.fine
}

async function readVersion(): Promise<string> {
  const { version } = await Bun.file(new URL('../../package.json', import.meta.url)).json()
  return version
}

/** An error of our own making is a sentence; anything else is a fault of the program, and its trace helps to find it. */
function explain(error: unknown, args: readonly string[]): number {
  if (error instanceof UsageError) {
    const name = COMMANDS.map(command => command.name).find(name =>
      `${args.join(' ')} `.startsWith(`${name} `),
    )
    const help = name === undefined ? 'lists the commands' : 'says how it is used'
    say(`${error.message}\n"shirube ${name === undefined ? '' : `${name} `}--help" ${help}.`)
    return EXIT.usage
  }
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

endQuietlyWithTheReader()
const args = process.argv.slice(2)
process.exitCode = await main(args).catch(error => explain(error, args))
