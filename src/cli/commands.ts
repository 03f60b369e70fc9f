// The table of commands, from which help, parsing and dispatch are derived. It is loaded for every invocation, so each command loads
// its own code when it runs.
import type { Command } from './command.ts'
import { ASKING } from './commands-asking.ts'
import { BUYING } from './commands-buying.ts'
import { OPERATING } from './commands-operating.ts'
import { OWNING } from './commands-owning.ts'

export const COMMANDS: readonly Command[] = [
  ...OPERATING,
  ...ASKING,
  ...BUYING,
  ...OWNING,
  {
    name: 'completion',
    operands: ['<shell>'],
    summary: 'Print the completion for bash, zsh or fish.',
    about: 'In bash or zsh: source <(shirube completion bash). In fish: shirube completion fish | source.',
    options: {},
    run: async line => (await import('./completion.ts')).runCompletion(line, COMMANDS),
  },
]
