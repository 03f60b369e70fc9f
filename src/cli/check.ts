import { loadConfig } from '../app/config.ts'
import type { CheckReport } from '../domain/check.ts'
import { toOneLine } from '../domain/unseen.ts'
import { createClient } from '../http/client/client.ts'
import { formatAnswer } from './answers.ts'
import { EXIT, type Line, UsageError } from './command.ts'
import { paint, print, printJson } from './terminal.ts'

const COLORS = { passed: 'green', failed: 'red', skipped: 'dim' } as const

/** Fails if a check fails, so that a script can wait for a provider to be ready. */
export async function runCheck(line: Line): Promise<number> {
  const { operands, flags, switches } = line
  const config = loadConfig(flags)
  if (config.key === undefined)
    throw new UsageError('A key is needed to check: pass --key, or set SHIRUBE_KEY.')
  const { address, network, price, currency } = flags
  if ((price === undefined) !== (currency === undefined))
    throw new UsageError('--price and --currency belong together.')
  const body = {
    endpoint: operands[0]!,
    x402Config: { ...(address && { paymentAddress: address }), ...(network && { network }) },
    ...(price && { pricing: { currency, pricePerRequest: price } }),
  }
  const { report } = await createClient(config).check(body, { key: config.key })
  const checked: CheckReport = report.decode()
  const hasFailed = formatAnswer(line, () => checked.checks.some(({ result }) => result === 'failed'))
  await (switches.has('json') ? printJson(checked) : print(formatAnswer(line, () => checkText(checked))))
  return hasFailed ? EXIT.failed : EXIT.fine
}

function checkText({ checks, notes, payments, requests, domain, wouldVerify }: CheckReport): string {
  return [
    ...checks.map(
      ({ check, result, detail }) =>
        `${paint(COLORS[result] ?? 'dim', toOneLine(result).padEnd(8))} ${toOneLine(check).padEnd(18)} ${toOneLine(detail)}`,
    ),
    ...requests.map(({ method, path, status, as }) =>
      toOneLine(
        `Asked    ${method} ${path} → ${status ?? 'no answer'}${as === 'customer' ? ' (as a customer)' : ''}`,
      ),
    ),
    ...payments.map(({ scheme, network, payTo, price, currency, amount, asset }) =>
      toOneLine(
        `Takes    ${price === null ? `${amount} units of ${asset}` : `${price} ${currency}`} (${scheme}) on ${network} to ${payTo}`,
      ),
    ),
    ...(domain ? [toOneLine(`Domain   ${domain.host} names the wallet`)] : []),
    ...notes.map(note => toOneLine(`Note     ${note}`)),
    ...(wouldVerify ? ['Listed like this, it would be verified.'] : []),
  ].join('\n')
}
