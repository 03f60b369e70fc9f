// The options of a command: its own, and those that stand for parameters of a query.
import type { Command, Option } from './command.ts'

const HELP: Option = { help: 'Say how this command is used.' }

/** All that may be typed with it. The schemas of queries take longer to load than all else that reads a line, so they wait. */
export async function optionsOf({ options, parameters }: Command): Promise<Readonly<Record<string, Option>>> {
  const ofQuery = parameters && (await import('./parameters.ts')).optionsOfQuery(parameters)
  return { ...ofQuery, ...options, help: HELP }
}
