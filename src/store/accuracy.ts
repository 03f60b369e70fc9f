// How often a verdict turned out wrong, from the stored history.
import { DAY_MS } from '../domain/time.ts'
import type { Message } from '../messages/message.ts'
import type { Query } from './session.ts'

export type Accuracy = {
  /** Purchases of services that were `verified` then, and those of them that did not deliver. */
  readonly purchases: number
  readonly failed: number
  /** How often a service became `verified`, and how often a probe or a purchase ended that within a week. */
  readonly verified: number
  readonly withdrawn: number
}

export type AccuracyPeriod = { readonly since: Date; readonly until: Date }

const WEEK_MS = 7 * DAY_MS

/** Changes of the listing, which say nothing about the verdict. */
const EDITS: ReadonlySet<string> = new Set([
  'edited',
  'restored_by',
  'retired_by',
] satisfies Message['code'][])

const VERDICTS = `SELECT count(*) FROM events WHERE type = 'status' AND at >= $1 AND at < $2 AND after = '"verified"'`

/** Those that did not last, with the time and the reason of their end. */
const ENDED = `
  SELECT at, ended_at, reason FROM (
    SELECT at, after, lead(at) OVER later AS ended_at, lead(reason) OVER later AS reason, lead(after) OVER later AS ended
    FROM events WHERE type = 'status' AND at >= $1
    WINDOW later AS (PARTITION BY service_id ORDER BY number)
  ) AS changes WHERE after = '"verified"' AND ended = '"unverified"' AND at < $2`

/** Without those where nothing was taken, and refusals of values that were made up here. */
const BOUGHT = `
  SELECT count(*), count(*) FILTER (WHERE outcome <> 'delivered') FROM purchases
  WHERE source = 'operator' AND at >= $1 AND at < $2 AND outcome IS NOT NULL AND outcome <> 'not_settled'
    AND NOT (outcome = 'refused_after_payment' AND detail LIKE '%"isMadeUp":true%')
    AND (SELECT after FROM events WHERE events.service_id = purchases.service_id AND type = 'status' AND events.at <= purchases.at
      ORDER BY number DESC LIMIT 1) = '"verified"'`

export async function readAccuracy(query: Query, { since, until }: AccuracyPeriod): Promise<Accuracy> {
  const period = [since.toISOString(), until.toISOString()]
  const [[verdicts], ended, [bought]] = await Promise.all([
    query<[number]>(VERDICTS, period),
    query<[string, string, string | null]>(ENDED, period),
    query<[number, number]>(BOUGHT, period),
  ])
  const isWithdrawn = ([at, endedAt, reason]: readonly [string, string, string | null]): boolean =>
    Date.parse(endedAt) - Date.parse(at) <= WEEK_MS &&
    !EDITS.has((JSON.parse(reason ?? '{}') as { readonly code?: string }).code ?? '')
  return {
    purchases: bought![0],
    failed: bought![1],
    verified: verdicts![0],
    withdrawn: ended.filter(isWithdrawn).length,
  }
}
