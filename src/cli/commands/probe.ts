import { loadConfig } from '../../app/config.ts'
import { openOperator } from '../../app/operator.ts'
import { toBacking } from '../../domain/listing/backing.ts'
import { toOneLine } from '../../domain/text/unseen.ts'
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import type { Line } from '../syntax/command.ts'
import { EXIT } from '../syntax/command.ts'
import { print, printJson } from '../text/terminal.ts'

export async function runProbe({ operands, switches }: Line): Promise<number> {
  await using operator = await openOperator(loadConfig())
  const { probe, entry } = await operator.probe(operands[0]!)
  const { outcome, httpStatus, latencyMs, reasons } = probe
  const { status, trustScore, uptimeScore } = entry.standing
  if (switches.has('json')) {
    await printJson({
      id: entry.id,
      outcome,
      httpStatus,
      latencyMs,
      reasons: reasons.map(tellInEnglish),
      reasonCodes: reasons,
      status,
      trustScore,
      uptimeScore,
      domain: toBacking(entry).domain,
    })
    return EXIT.fine
  }
  const { domain } = toBacking(entry)
  const answered = httpStatus === null ? 'no answer' : `${httpStatus} after ${latencyMs} ms`
  await print(
    [
      `${entry.name}: ${outcome} (${answered})`,
      ...reasons.map(reason => `  ${tellInEnglish(reason)}`),
      `Status ${status}, trust ${trustScore} of 100, uptime ${uptimeScore} %`,
      domain ? `Proved by its domain, ${domain.host}` : 'Not proved by its domain',
    ]
      .map(toOneLine)
      .join('\n'),
  )
  return EXIT.fine
}
