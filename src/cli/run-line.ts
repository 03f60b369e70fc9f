// Parses the command line, runs the command, and turns errors into a sentence and an exit code.
import { accessSync, constants } from 'node:fs'
import { CommandFailed, EXIT, UsageError } from './syntax/command.ts'
import { COMMANDS } from './syntax/commands.ts'
import { parseLine, usage } from './syntax/parse-line.ts'
import { print, printMessage } from './text/terminal.ts'

/** Resolves to the exit code. */
export const runLine = (args: readonly string[]): Promise<number> =>
  run(args).catch(error => explainLine(error, args))

async function run(args: readonly string[]): Promise<number> {
  const parsed = await parseLine(args, COMMANDS)
  if (parsed.kind === 'run') {
    assertSettingsReadable()
    return await parsed.command.run(parsed.line)
  }
  await print(parsed.kind === 'help' ? await usage(parsed.commands) : await readVersion())
  return EXIT.fine
}

async function readVersion(): Promise<string> {
  const { packageFile } = await import('../package/files.ts')
  const { version } = await Bun.file(packageFile('package.json')).json()
  return version
}

/** Bun loads the file into the environment, and ignores it silently if it cannot be read. */
function assertSettingsReadable(): void {
  try {
    accessSync('.env', constants.R_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT')
      throw new CommandFailed(`The settings in .env cannot be read (${code}); check its permissions.`)
  }
}

async function explainLine(error: unknown, args: readonly string[]): Promise<number> {
  if (!(error instanceof UsageError)) return (await import('./text/explain.ts')).explain(error)
  const name = COMMANDS.map(command => command.name).find(name => `${args.join(' ')} `.startsWith(`${name} `))
  const help = name === undefined ? 'lists the commands' : 'says how it is used'
  printMessage(`${error.message}\n"shirube ${name === undefined ? '' : `${name} `}--help" ${help}.`)
  return EXIT.usage
}
