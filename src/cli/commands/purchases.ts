// A directory's purchases from a service, as text.
import { type PurchasesAnswer, parsePurchasesQuery } from '../../domain/purchases/purchases-view.ts'
import { toOneLine } from '../../domain/text/invisible.ts'
import { EXIT, type Line } from '../syntax/command.ts'
import { formatAnswer } from '../text/service-text.ts'
import { print, printJson } from '../text/terminal.ts'
import { openDirectory, parametersOf, parse } from './ask.ts'

export async function runPurchases(line: Line): Promise<number> {
  const query = parse(parsePurchasesQuery, parametersOf(line.flags))
  const found = (await openDirectory(line).purchases(line.operands[0]!, query)).decode()
  if (line.switches.has('json')) await printJson(found)
  else await print(formatAnswer(line, () => purchasesText(found)))
  return EXIT.fine
}

function purchasesText({ delivery, purchases }: PurchasesAnswer): string {
  if (purchases.length === 0) return 'The directory has not bought from it.'
  const { delivered, purchases: counted, failedInARow } = delivery
  return [
    `Delivered in ${delivered} of ${counted} purchases that count${failedInARow > 0 ? `; the last ${failedInARow} failed` : ''}`,
    ...purchases.flatMap(({ at, outcome, counts, through, quoted, transaction, answer, reasons }) => [
      '',
      `${at}  ${outcome}${counts ? '' : ' (not counted)'}  ${quoted.price} ${quoted.currency}${transaction ? `  ${transaction}` : ''}`,
      ...(through ? [`  bought through ${through}, another listing of the same place and payee`] : []),
      ...(answer
        ? [`  answer ${answer.status ?? 'none'}, ${answer.bytes} bytes, ${answer.conformance}`]
        : []),
      ...reasons.map(reason => `  ${reason}`),
    ]),
  ]
    .map(toOneLine)
    .join('\n')
}
