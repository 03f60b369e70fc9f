// The commands that query a running directory, through the common Directory interface.
import { loadConfig } from '../../app/config.ts'
import type { Directory } from '../../directory/directory.ts'
import { readUnknownFilters } from '../../directory/lists.ts'
import { findTerms, readMarks } from '../../directory/service-records.ts'
import { DirectoryError } from '../../domain/errors.ts'
import type { Service } from '../../domain/listing/service.ts'
import {
  type IntentAnswer,
  parseHistoryQuery,
  parseIntentQuery,
  parseListQuery,
} from '../../domain/queries/queries.ts'
import { toOneLine } from '../../domain/text/invisible.ts'
import { createClient } from '../../http/client/client.ts'
import { tellInEnglish } from '../../messages/message.ts'
import { readText } from '../input-value.ts'
import { CommandFailed, EXIT, type Line, UsageError } from '../syntax/command.ts'
import { toFlag } from '../syntax/parameters.ts'
import { answerText, serviceTable, serviceText, termsText } from '../text/service-text.ts'
import { print, printJson, printMessage } from '../text/terminal.ts'

export async function runList(line: Line): Promise<number> {
  const query = parse(parseListQuery, parametersOf(line.flags))
  const directory = openDirectory(line)
  const page = await directory.list(query)
  const services: Service[] = page.services.decode()
  if (line.switches.has('json')) await printJson(services)
  else if (services.length > 0) {
    const ids = services.map(({ id }) => id)
    await print(serviceTable(services, await readMarks(directory, ids)))
  }
  await printUnknownFilters(directory, query, page.total ?? 1)
  const outside = page.suppressed ? `; a policy leaves out ${page.suppressed} more` : ''
  if (!line.switches.has('json'))
    printMessage(`${services.length} of ${page.total ?? 'more than 10,000'} services${outside}`)
  return EXIT.fine
}

export async function runSearch(line: Line): Promise<number> {
  const query = parse(parseIntentQuery, { ...parametersOf(line.flags), q: line.operands.join(' ') })
  const directory = openDirectory(line)
  const answer: IntentAnswer = (await directory.searchByIntent(query)).decode()
  await (line.switches.has('json') ? printJson(answer) : print(answerText(answer)))
  await printUnknownFilters(directory, query, answer.total)
  return EXIT.fine
}

export async function runShow(line: Line): Promise<number> {
  const directory = openDirectory(line)
  const id = line.operands[0]!
  const service = (await directory.get(id)).decode()
  if (line.switches.has('json')) await printJson(service)
  else {
    const [standing, trust, history, provenance, backing, terms] = await Promise.all([
      directory.status(id),
      directory.trust(id),
      directory.history(id, parseHistoryQuery({ limit: String(NEWEST_ITEMS) })),
      directory.provenance(id),
      directory.backing(id),
      findTerms(directory, id),
    ])
    const records = {
      standing: standing.decode(),
      trust: trust.decode(),
      history: history.decode(),
      provenance: provenance.decode(),
      backing: backing.decode(),
    }
    await print(serviceText(service, records))
    await print(`\n${terms ? termsText(terms) : NO_TERMS}`)
  }
  return EXIT.fine
}

/** Enough to have the newest probe among the newest events. */
const NEWEST_ITEMS = 20
const NO_TERMS = 'Its endpoint has not been seen asking for a payment yet.'

export async function runRegister(line: Line): Promise<number> {
  const { key } = loadConfig(line.flags)
  if (key === undefined) throw new UsageError('A key is needed to register: pass --key, or set SHIRUBE_KEY.')
  const body = await readBody(line.operands[0]!)
  // The idempotency key makes it safe to retry when the directory is busy.
  const idempotencyKey = line.flags['idempotency-key'] ?? crypto.randomUUID()
  const { service, notices, ignored } = await openDirectory(line).register(body, {
    key,
    idempotencyKey,
  })
  for (const notice of notices) printMessage(toOneLine(`Notice: ${notice}`))
  if (ignored.length > 0) printMessage(toOneLine(`Not used: ${ignored.join(', ')}`))
  const registered: Service = service.decode()
  await (line.switches.has('json')
    ? printJson(registered)
    : print(toOneLine(`Registered ${registered.name} as ${registered.id}.`)))
  return EXIT.fine
}

export const openDirectory = ({ flags }: Line): Directory => createClient(loadConfig(flags))

async function printUnknownFilters(...of: Parameters<typeof readUnknownFilters>): Promise<void> {
  for (const message of await readUnknownFilters(...of)) printMessage(toOneLine(tellInEnglish(message)))
}

/** Flags are named after parameters: `--max-price-per-request` is maxPricePerRequest. */
export function parametersOf(flags: Line['flags']): Record<string, string> {
  const { url: _, key: __, ...parameters } = flags
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [toParameter(name), value]))
}

const toParameter = (flag: string) => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Parameters typed as operands, without a flag. */
const OPERANDS: Readonly<Record<string, string>> = { q: 'What to look for', url: 'The URL to pay' }

/** Reports the problems of a query by the flags that were typed. */
export function parse<Q>(parseQuery: (input: unknown) => Q, input: unknown): Q {
  try {
    return parseQuery(input)
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    const problems = error.problems.map(
      ({ path, message }) => `${OPERANDS[path] ?? `--${toFlag(path)}`} ${message}.`,
    )
    throw new UsageError(problems.join('\n'))
  }
}

export async function readBody(path: string): Promise<unknown> {
  const text = await readText(path)
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailed(`${path === '-' ? 'Standard input' : path} does not hold one JSON object.`)
  }
}
