// Shell completion, generated from the table of commands.

import { write } from '../text/terminal.ts'
import { type Command, EXIT, type Line, UsageError } from './command.ts'
import { optionsOf } from './options.ts'

type Writer = (commands: readonly Command[]) => string

export async function runCompletion({ operands }: Line, commands: readonly Command[]): Promise<number> {
  const shell = operands[0]!
  if (!Object.hasOwn(WRITERS, shell))
    throw new UsageError(`Completion supports ${Object.keys(WRITERS).join(', ')}, not "${shell}".`)
  const whole = commands.map(async command => ({ ...command, options: await optionsOf(command) }))
  await write(WRITERS[shell]!(await Promise.all(whole)))
  return EXIT.fine
}

const firstWord = (name: string) => name.split(' ')[0]!

/** The first words with their descriptions, and the second words if there are any. */
function group(commands: readonly Command[]) {
  const first = new Map<string, string>()
  for (const { name, summary } of commands) {
    const word = firstWord(name)
    first.set(word, word === name ? summary : `${word} …`)
  }
  const second = Map.groupBy(
    commands.filter(({ name }) => name.includes(' ')),
    ({ name }) => firstWord(name),
  )
  return { first, second }
}

const lastWord = (name: string) => name.slice(name.indexOf(' ') + 1)
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function toBash(commands: readonly Command[]): string {
  const { first, second } = group(commands)
  const words = [...second].map(
    ([word, members]) => `    ${word}) words="${members.map(({ name }) => lastWord(name)).join(' ')}" ;;`,
  )
  const options = commands.map(
    command =>
      `    "${command.name} "*) words="${Object.keys(command.options)
        .map(name => `--${name}`)
        .join(' ')}" ;;`,
  )
  return `_shirube() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${[...first.keys()].join(' ')}"
  elif [ "$COMP_CWORD" -eq 2 ] && [ "\${cur#-}" = "$cur" ]; then
    case "\${COMP_WORDS[1]}" in
${words.join('\n')}
    esac
  elif [ "\${cur#-}" != "$cur" ]; then
    case "\${COMP_WORDS[*]:1} " in
${options.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _shirube shirube
`
}

function toZsh(commands: readonly Command[]): string {
  const { first, second } = group(commands)
  // A colon separates a word from its description.
  const entry = (word: string, text: string) => quoted(`${word.replaceAll(':', '\\:')}:${text}`)
  const list = (entries: readonly string[]) => entries.map(each => `        ${each}`).join('\n')
  const words = [...second].map(
    ([word, members]) =>
      `      (${word}) found=(\n${list(members.map(({ name, summary }) => entry(lastWord(name), summary)))}\n      ) ;;`,
  )
  const options = commands.map(
    command =>
      `      (${quoted(`${command.name} `)}*) found=(\n${list(
        Object.entries(command.options).map(([name, { help }]) => entry(`--${name}`, help)),
      )}\n      ) ;;`,
  )
  return `#compdef shirube
_shirube() {
  local -a found
  if (( CURRENT == 2 )); then
    found=(
${list([...first].map(([word, text]) => entry(word, text)))}
    )
  elif (( CURRENT == 3 )) && [[ $PREFIX != -* ]]; then
    case $words[2] in
${words.join('\n')}
    esac
  elif [[ $PREFIX == -* ]]; then
    case "\${words[2,-1]} " in
${options.join('\n')}
    esac
  fi
  if (( $#found )); then _describe -t commands shirube found; else _files; fi
}
if [[ $funcstack[1] == _shirube ]]; then _shirube "$@"; else compdef _shirube shirube; fi
`
}

function toFish(commands: readonly Command[]): string {
  const { first, second } = group(commands)
  const at = (pattern: string) => `-n ${quoted(`__shirube_typed '${pattern}'`).replaceAll(`'\\''`, "\\'")}`
  const say = (text: string) => `-d ${quoted(text).replaceAll(`'\\''`, "\\'")}`
  const lines = [
    ...[...first].map(([word, text]) => `complete -c shirube -f ${at('^$')} -a ${word} ${say(text)}`),
    ...[...second].flatMap(([word, members]) =>
      members.map(
        ({ name, summary }) =>
          `complete -c shirube -f ${at(`^${word}$`)} -a ${lastWord(name)} ${say(summary)}`,
      ),
    ),
    ...commands.flatMap(command =>
      Object.entries(command.options).map(
        ([name, { value, help }]) =>
          `complete -c shirube ${at(`^${command.name}( |$)`)} -l ${name}${value === undefined ? '' : ' -r'} ${say(help)}`,
      ),
    ),
  ]
  return `function __shirube_typed
  set -l words (commandline -opc)
  set -e words[1]
  string match -qr -- $argv[1] "$words"
end
${lines.join('\n')}
`
}

const WRITERS: Readonly<Record<string, Writer>> = { bash: toBash, zsh: toZsh, fish: toFish }
