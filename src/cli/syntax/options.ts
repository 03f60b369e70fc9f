// The options of a command: its own, and those for parameters of a query.
import type { Command, Option } from './command.ts'

const HELP: Option = { help: 'Show how this command is used.' }

/** All options of the command. The query schemas take longer to load than the rest of the parser, so they are loaded on demand. */
export async function optionsOf({ options, parameters }: Command): Promise<Readonly<Record<string, Option>>> {
  const ofQuery = parameters && (await import('./parameters.ts')).optionsOfQuery(parameters)
  return { ...ofQuery, ...options, help: HELP }
}
