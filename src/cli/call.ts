// Prints text that calls a service and pays for it.
import { parseCallQuery } from '../domain/call/call.ts'
import { toLines } from '../domain/unseen.ts'
import { openDirectory, parametersOf, parse } from './ask.ts'
import { EXIT, type Line } from './command.ts'
import { print, printJson } from './terminal.ts'

export async function runCall(line: Line): Promise<number> {
  const query = parse(parseCallQuery, parametersOf(line.flags))
  // A directory elsewhere wrote it: nothing in it may steer the terminal.
  const text = toLines(await openDirectory(line).call(line.operands[0]!, query))
  await (line.switches.has('json') ? printJson({ for: query.for, text }) : print(text.trimEnd()))
  return EXIT.fine
}
