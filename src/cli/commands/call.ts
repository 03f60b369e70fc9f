// Prints code that calls a service and pays for it.
import { parseCallQuery } from '../../domain/call/call.ts'
import { toLines } from '../../domain/text/invisible.ts'
import { EXIT, type Line, UsageError } from '../syntax/command.ts'
import { print, printJson } from '../text/terminal.ts'
import { openDirectory, parametersOf, parse } from './ask.ts'

const UNPAID: readonly string[] = ['for', 'url', 'json']
const REPORTING: readonly string[] = ['transaction', 'payer', 'directory']

export async function runCall(line: Line): Promise<number> {
  const paying = [...Object.keys(line.flags), ...line.switches].find(name => !UNPAID.includes(name))
  if (paying !== undefined)
    throw new UsageError(
      REPORTING.includes(paying)
        ? `--${paying} needs --report.`
        : `--${paying} needs --pay: without it, nothing is called.`,
    )
  const query = parse(parseCallQuery, parametersOf(line.flags))
  // Written by a remote directory: it must not control the terminal.
  const text = toLines(await openDirectory(line).call(line.operands[0]!, query))
  await (line.switches.has('json') ? printJson({ for: query.for, text }) : print(text.trimEnd()))
  return EXIT.fine
}
