// The table of commands, from which help, parsing and dispatch are derived. It is loaded for every invocation, so each command loads
// its own code when it runs.
import type { Command } from './command.ts'
import { ASKING } from './commands-asking.ts'
import { BUYING } from './commands-buying.ts'
import { OPERATING } from './commands-operating.ts'
import { OWNING } from './commands-owning.ts'

type CommandGroup = { readonly title: string; readonly commands: readonly Command[] }

/** In the order of the help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: 'Run a directory', commands: OPERATING },
  { title: 'Find and call services of a running directory', commands: ASKING },
  { title: 'Pay, and see what was paid', commands: BUYING },
  { title: 'Manage your own services', commands: OWNING },
]

export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands)
