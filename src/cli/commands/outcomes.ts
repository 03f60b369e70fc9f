// Payers' reports about a service.
import { type OutcomesAnswer, parseOutcomesQuery } from '../../domain/purchases/outcomes.ts'
import { toOneLine } from '../../domain/text/invisible.ts'
import { EXIT, type Line } from '../syntax/command.ts'
import { formatAnswer } from '../text/service-text.ts'
import { print, printJson } from '../text/terminal.ts'
import { openDirectory, parametersOf, parse } from './ask.ts'

export async function runOutcomes(line: Line): Promise<number> {
  const query = parse(parseOutcomesQuery, parametersOf(line.flags))
  const found = (await openDirectory(line).outcomes(line.operands[0]!, query)).decode()
  if (line.switches.has('json')) await printJson(found)
  else await print(formatAnswer(line, () => outcomesText(found)))
  return EXIT.fine
}

function outcomesText({ payers, outcomes }: OutcomesAnswer): string {
  if (outcomes.length === 0) return 'No payer has reported an outcome.'
  const { delivered, payers: reporting } = payers.settlement
  return [
    `Reported by payers: it delivered to ${delivered} of ${reporting} whose payment was seen on chain.`,
    ...outcomes.map(({ at, outcome, proof, amount, currency, payer, transaction }) =>
      [at, outcome, proof, amount === null ? '' : `${amount} ${currency}`, payer, transaction ?? '']
        .filter(text => text !== '')
        .join('  '),
    ),
  ]
    .map(toOneLine)
    .join('\n')
}
