// Checks an endpoint, or a payment, through a running directory.
import { loadConfig } from '../../app/config.ts'
import { askedBy, type CheckReport } from '../../domain/check.ts'
import { parseResolveQuery, type Resolution } from '../../domain/resolve/resolution.ts'
import { toOneLine } from '../../domain/text/invisible.ts'
import { EXIT, type Line, UsageError } from '../syntax/command.ts'
import { paint, print, printJson } from '../text/terminal.ts'
import { openDirectory, parametersOf, parse } from './ask.ts'

const COLORS = { passed: 'green', failed: 'red', skipped: 'dim' } as const

/** Fails if it would not be verified, so that a script can wait for a provider to be ready. */
export async function runCheck(line: Line): Promise<number> {
  const { operands, flags, switches } = line
  const { key } = loadConfig(flags)
  if (key === undefined) throw new UsageError('A key is needed to check: pass --key, or set SHIRUBE_KEY.')
  const { address, network, price, currency } = flags
  if ((price === undefined) !== (currency === undefined))
    throw new UsageError('--price and --currency belong together.')
  const body = {
    endpoint: operands[0]!,
    x402Config: { ...(address && { paymentAddress: address }), ...(network && { network }) },
    ...(price && { pricing: { currency, pricePerRequest: price } }),
  }
  const { report: checked } = await openDirectory(line).check(body, { key })
  const missing = Object.entries({ '--network': network, '--address': address })
    .filter(([, value]) => !value)
    .map(([flag]) => flag)
  const verdict = verdictOf(checked, missing)
  await (switches.has('json')
    ? printJson(checked)
    : print(`${checkText(checked)}\n${VERDICTS[verdict](missing)}`))
  return verdict === 'refused' ? EXIT.failed : EXIT.fine
}

const VERDICTS = {
  verified: () => 'Listed like this, it would be verified.',
  refused: () => 'Listed like this, it would not be verified.',
  undecided: (missing: readonly string[]) =>
    `No check failed. Whether it would be verified is decided with ${missing.join(' and ')}.`,
}

function verdictOf({ wouldVerify, checks }: CheckReport, missing: readonly string[]): keyof typeof VERDICTS {
  if (wouldVerify) return 'verified'
  return missing.length === 0 || checks.some(({ result }) => result === 'failed') ? 'refused' : 'undecided'
}

function checkText(report: CheckReport): string {
  const { checks, notes, requests, domain } = report
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
    ...askedBy(report).map(({ scheme, network, payTo, price, assetName, amount, asset }) =>
      toOneLine(
        `Takes    ${price === undefined ? `${amount} units of ${asset}` : `${price} ${assetName}`} (${scheme}) on ${network} to ${payTo}`,
      ),
    ),
    ...(domain ? [toOneLine(`Domain   ${domain.host} names the wallet`)] : []),
    ...notes.map(note => toOneLine(`Note     ${note}`)),
  ].join('\n')
}

// Asks a running directory whether a URL is safe to pay.

const VERDICT_COLORS = { clear: 'green', caution: 'yellow', stop: 'red', unknown: 'dim' } as const

/** Succeeds only for the verdict `clear`, so that a script pays nothing else. */
export async function runResolve(line: Line): Promise<number> {
  const { operands, flags, switches } = line
  const query = parse(parseResolveQuery, { ...parametersOf(flags), url: operands[0]! })
  const resolution: Resolution = (await openDirectory(line).resolve(query)).decode()
  const isClear = resolution.verdict === 'clear'
  await (switches.has('json') ? printJson(resolution) : print(resolutionText(resolution)))
  return isClear ? EXIT.fine : EXIT.failed
}

function resolutionText({ verdict, reasons, service, listed, seenAt }: Resolution): string {
  return [
    paint(VERDICT_COLORS[verdict] ?? 'dim', toOneLine(verdict)),
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
