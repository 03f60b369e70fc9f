// The help, generated from the table of commands.
import type { Command, Option } from './command.ts'
import { COMMAND_GROUPS } from './commands.ts'
import { optionsOf } from './options.ts'

const PROGRAM = 'shirube'
const HELP_WIDTH = 100

export async function usage(commands: readonly Command[]): Promise<string> {
  return commands.length === 1 ? commandUsage(commands[0]!) : overview(commands)
}

function overview(commands: readonly Command[]): string {
  const left = Math.max(...commands.map(command => synopsis(command).length))
  const groups = COMMAND_GROUPS.flatMap(group => {
    const shown = group.commands.filter(command => commands.includes(command))
    const rows = shown.map((command): [string, string] => [synopsis(command), command.summary])
    return shown.length > 0 ? [`${group.title}:`, ...columns(rows, left), ''] : []
  })
  return [
    'Shirube, a directory of API services that take a payment per request over x402.',
    '',
    `Usage: ${PROGRAM} <command> [options]`,
    '',
    ...groups,
    `"${PROGRAM} <command> --help" explains one command; "${PROGRAM} --version" prints the version.`,
    'Settings come from the environment or a .env file; .env.example lists them all.',
  ].join('\n')
}

async function commandUsage(command: Command): Promise<string> {
  const options = Object.entries(await optionsOf(command))
  return [
    `Usage: ${PROGRAM} ${synopsis(command)} [options]`,
    '',
    ...wrap(
      command.about === undefined ? command.summary : `${command.summary} ${command.about}`,
      HELP_WIDTH,
    ),
    '',
    ...columns(options.map(([name, option]): [string, string] => [flag(name, option), option.help])),
  ].join('\n')
}

const synopsis = ({ name, operands }: Command) => [name, ...operands].join(' ')
const flag = (name: string, { value }: Option) => (value === undefined ? `--${name}` : `--${name} ${value}`)

function columns(
  rows: readonly (readonly [string, string])[],
  width = Math.max(...rows.map(([name]) => name.length)),
): string[] {
  const left = width + 4
  return rows.flatMap(([name, text]) =>
    wrap(text, HELP_WIDTH - left).map((line, i) => `  ${(i === 0 ? name : '').padEnd(left - 2)}${line}`),
  )
}

function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}
