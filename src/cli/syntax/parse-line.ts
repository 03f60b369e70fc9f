// Parses a command line by the table of commands, and writes its help; errors suggest the nearest name.

import { parseArgs } from 'node:util'
import { findSimilarName } from '../../domain/text/nearest.ts'
import { type Command, type Line, type Option, UsageError } from './command.ts'
import { COMMAND_GROUPS } from './commands.ts'

const HELP: Option = { help: 'Show how this command is used.' }

/** All options of the command. The query schemas take longer to load than the rest of the parser, so they are loaded on demand. */
export async function optionsOf({ options, parameters }: Command): Promise<Readonly<Record<string, Option>>> {
  const ofQuery = parameters && (await import('./parameters.ts')).optionsOfQuery(parameters)
  return { ...ofQuery, ...options, help: HELP }
}

type ParsedCommand =
  | { readonly kind: 'run'; readonly command: Command; readonly line: Line }
  | { readonly kind: 'help'; readonly commands: readonly Command[] }
  | { readonly kind: 'version' }

/** @throws UsageError */
export async function parseLine(
  args: readonly string[],
  commands: readonly Command[],
): Promise<ParsedCommand> {
  const [first, ...rest] = args
  if (first === undefined || first === '--help' || first === '-h') return { kind: 'help', commands }
  if (first === '--version' || first === '-v' || first === '-V') return { kind: 'version' }
  if (first === 'help')
    return { kind: 'help', commands: rest.length === 0 ? commands : [findCommand(rest[0]!, commands)] }
  const command = findCommand(first, commands)
  const line = await readLine(rest, command)
  return line === 'help' ? { kind: 'help', commands: [command] } : { kind: 'run', command, line }
}

function findCommand(word: string, commands: readonly Command[]): Command {
  const command = commands.find(({ name }) => name === word)
  if (command) return command
  const names = commands.map(({ name }) => name)
  if (word.startsWith('-'))
    throw new UsageError(`Begin with a command, like "${names[0]}", and then its options.`)
  throw new UsageError(`There is no command "${word}".${suggestion(word, names, '"')}`)
}

/** Suggests a similar name, if there is one. */
function suggestion(written: string, known: readonly string[], quote = ''): string {
  const name = findSimilarName(written, known)
  return name === undefined ? '' : ` Did you mean ${quote}${name}${quote}?`
}

async function readLine(args: readonly string[], command: Command): Promise<Line | 'help'> {
  const options = await optionsOf(command)
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string' },
      ]),
    ),
  })
  const operands: string[] = []
  const flags: Record<string, string> = {}
  const switches = new Set<string>()
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    if (token.rawName === '-h' || token.name === 'help') return 'help'
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (option === undefined || !token.rawName.startsWith('--'))
      throw unknownOption(token.rawName, command.name, options)
    if (option.value === undefined) {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`)
      switches.add(token.name)
    } else if (token.value === undefined || (!token.inlineValue && /^-./.test(token.value))) {
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${option.value}.`)
    } else {
      flags[token.name] = token.value
    }
  }
  checkOperands(operands, command)
  return { operands, flags, switches }
}

function unknownOption(
  rawName: string,
  command: string,
  options: Readonly<Record<string, Option>>,
): UsageError {
  const known = Object.keys(options).map(name => `--${name}`)
  return new UsageError(`"${command}" has no option ${rawName}.${suggestion(rawName, known)}`)
}

function checkOperands(given: readonly string[], { name, operands, parameters }: Command): void {
  const needed = operands.filter(operand => operand.startsWith('<'))
  if (given.length < needed.length) throw new UsageError(`"${name}" needs ${needed[given.length]}.`)
  const max = operands.some(operand => operand.includes('…')) ? Number.POSITIVE_INFINITY : operands.length
  if (given.length > max) {
    const hint = parameters === 'list' ? ` Did you mean --query ${JSON.stringify(given.join(' '))}?` : ''
    throw new UsageError(`"${name}" does not understand "${given[max]}".${hint}`)
  }
}

// The help, generated from the table of commands.

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
