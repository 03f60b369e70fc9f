// Asks a running directory whether a URL is safe to pay.
import { loadConfig } from '../../app/config.ts'
import { parseResolveQuery } from '../../domain/resolve/query.ts'
import type { Resolution } from '../../domain/resolve/resolution.ts'
import { toOneLine } from '../../domain/text/unseen.ts'
import { createClient } from '../../http/client/client.ts'
import { EXIT, type Line } from '../syntax/command.ts'
import { formatAnswer } from '../text/answers.ts'
import { paint, print, printJson } from '../text/terminal.ts'
import { parametersOf, parse } from './ask.ts'

const COLORS = { clear: 'green', caution: 'yellow', stop: 'red', unknown: 'dim' } as const

/** Succeeds only for the verdict `clear`, so that a script pays nothing else. */
export async function runResolve(line: Line): Promise<number> {
  const { operands, flags, switches } = line
  const query = parse(parseResolveQuery, { ...parametersOf(flags), url: operands[0]! })
  const resolution: Resolution = (await createClient(loadConfig(flags)).resolve(query)).decode()
  const isClear = formatAnswer(line, () => resolution.verdict === 'clear')
  await (switches.has('json') ? printJson(resolution) : print(formatAnswer(line, () => toText(resolution))))
  return isClear ? EXIT.fine : EXIT.failed
}

function toText({ verdict, reasons, service, listed, seenAt }: Resolution): string {
  return [
    paint(COLORS[verdict] ?? 'dim', toOneLine(verdict)),
    ...reasons.map(({ text }) => toOneLine(`  ${text}`)),
    ...(service
      ? [
          toOneLine(
            `Service  ${service.name} (${service.id}), ${service.status}, trust ${service.trustScore}`,
          ),
        ]
      : []),
    ...(listed
      ? [
          toOneLine(
            `Listed   ${listed.pricePerRequest} ${listed.currency} on ${listed.network} to ${listed.paymentAddress}`,
          ),
        ]
      : []),
    ...(seenAt ? [toOneLine(`Seen     ${seenAt}`)] : []),
  ].join('\n')
}
