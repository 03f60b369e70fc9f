// Hides a service or shows it again, directly in the store.
import { loadConfig } from '../../app/config.ts'
import { openOperator } from '../../app/operator.ts'
import { toOneLine } from '../../domain/text/unseen.ts'
import { EXIT, type Line, UsageError } from '../syntax/command.ts'
import { print, printJson } from '../text/terminal.ts'

export async function runHide({ operands, flags, switches }: Line): Promise<number> {
  const { why } = flags
  if (why === undefined) throw new UsageError('A reason is needed: --why <text>.')
  await using operator = await openOperator(loadConfig())
  const { id, name, hidden } = await operator.hide(operands[0]!, why)
  await (switches.has('json') ? printJson({ id, hidden }) : print(toOneLine(`Hidden: ${name} (${id}).`)))
  return EXIT.fine
}

export async function runUnhide({ operands, switches }: Line): Promise<number> {
  await using operator = await openOperator(loadConfig())
  const { entry, wasHidden } = await operator.unhide(operands[0]!)
  const { id, name } = entry
  await (switches.has('json')
    ? printJson({ id, hidden: null })
    : print(toOneLine(`${wasHidden ? 'Shown again' : 'It was not hidden'}: ${name} (${id}).`)))
  return EXIT.fine
}
