// Watches the results of a sentence: searches again after every change of the directory, and prints differences.
import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../domain/errors.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { IntentAnswer } from '../../domain/queries/answers.ts'
import { parseChangesQuery, parseIntentQuery, parseListQuery } from '../../domain/queries/queries.ts'
import { toOneLine, toVisibleJson } from '../../domain/text/unseen.ts'
import { systemClock } from '../../runtime/clock.ts'
import { listenForEnd } from '../end-signals.ts'
import { EXIT, type Line } from '../syntax/command.ts'
import { formatAnswer } from '../text/answers.ts'
import { paint, print, printMessage } from '../text/terminal.ts'
import { openDirectory, parametersOf, parse } from './ask.ts'

const WAIT_SECONDS = 30
/** Retry delay for an unavailable directory, doubled with each further failure up to the maximum. */
const RETRY_MS = { first: 1_000, max: 60_000 }
const AWAY: readonly string[] = ['internal', 'not_ready', 'rate_limited', 'store_unavailable']

type Found = ReadonlyMap<string, Service>
/** `gone`: no longer among the results. */
export type Difference =
  | { readonly event: 'found' | 'gone'; readonly service: Service }
  /** `fields`: those that differ. */
  | { readonly event: 'changed'; readonly service: Service; readonly fields: readonly string[] }

export async function runWatch(line: Line): Promise<number> {
  const query = parse(parseIntentQuery, { ...parametersOf(line.flags), q: line.operands.join(' ') })
  const ending = new AbortController()
  using signals = listenForEnd()
  void signals.first.then(() => ending.abort())
  const { signal } = ending
  const directory = openDirectory(line)
  let since = await currentPosition(directory)
  let found: Found = new Map()
  const report = async () => {
    const answer: IntentAnswer = (await directory.searchByIntent(query)).decode()
    const next = formatAnswer(line, () => toFound(answer))
    for (const difference of differences(found, next)) await printDifference(difference, line)
    found = next
  }
  await report()
  if (!line.switches.has('json')) printMessage(`Watching ${describe(found.size)}; Ctrl+C ends.`)
  for (let failures = 0; !signal.aborted; ) {
    try {
      const changed = await nextChange(directory, since, signal)
      if (changed.isChange) await report()
      since = changed.next
      failures = 0
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof DirectoryError && error.code === 'history_changed') since = '0'
      else if (!(error instanceof DirectoryError) || !AWAY.includes(error.code)) throw error
      if (failures === 0) printMessage(toOneLine(error.message))
      await systemClock.sleep(Math.min(RETRY_MS.first * 2 ** failures++, RETRY_MS.max), signal)
    }
  }
  return EXIT.fine
}

const describe = (count: number) =>
  count === 0 ? 'for the first service' : `${count} ${count === 1 ? 'service' : 'services'}`

/** The current position of the change feed. */
async function currentPosition(directory: Directory): Promise<string> {
  const { since } = await directory.list(parseListQuery({ limit: '1' }))
  return since ?? '0'
}

async function nextChange(
  directory: Directory,
  since: string,
  signal: AbortSignal,
): Promise<{ readonly next: string; readonly isChange: boolean }> {
  const query = parseChangesQuery({ since, wait: String(WAIT_SECONDS), limit: '1000' })
  const { changes, next } = (await directory.changes(query, signal)).decode()
  return { next, isChange: changes.length > 0 }
}

/** Weak matches are ignored. */
const toFound = ({ results }: IntentAnswer): Found =>
  new Map(results.filter(({ weak }) => !weak).map(({ service }) => [service.id, service]))

export function* differences(before: Found, after: Found): Generator<Difference> {
  for (const [id, service] of after) {
    const earlier = before.get(id)
    if (earlier === undefined) yield { event: 'found', service }
    else if (earlier.updatedAt !== service.updatedAt || earlier.status !== service.status)
      yield { event: 'changed', service, fields: changedFields(earlier, service) }
  }
  for (const [id, service] of before) if (!after.has(id)) yield { event: 'gone', service }
}

const changedFields = (before: Service, after: Service): string[] =>
  (Object.keys(after) as (keyof Service)[]).filter(
    name => name !== 'updatedAt' && !Bun.deepEquals(before[name], after[name]),
  )

const COLORS = { found: 'green', changed: 'yellow', gone: 'red' } as const

async function printDifference(difference: Difference, { switches }: Line): Promise<void> {
  if (switches.has('json')) return print(toVisibleJson(JSON.stringify(difference)))
  const { event, service } = difference
  const { name, pricing, status, id } = service
  const changed = event === 'changed' ? `  (${difference.fields.join(', ')})` : ''
  const text = `${name}  ${pricing.pricePerRequest} ${pricing.currency}  ${status}  ${id}${changed}`
  await print(`${paint(COLORS[event], event.padEnd(8))}${toOneLine(text)}`)
}
