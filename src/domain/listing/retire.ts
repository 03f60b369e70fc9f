// Retiring a service and restoring it; pure.
import { z } from 'zod'
import { type Message, say } from '../../messages/message.ts'
import { isAhead } from '../ahead.ts'
import { invalid } from '../errors.ts'
import { expecting, toProblems } from '../problems.ts'
import { prose } from '../text/text.ts'
import { type EditContext, type EditResult, statusEvent, withoutVerification } from './edit.ts'
import { type Entry, laterOf } from './service.ts'

/** Minimum time between the last probe and the first one after a restore. */
const RESTORED_APART_MS = 60_000

export const retirementSchema = z
  .object(
    { message: prose(500, { lines: true }).describe('What users of the service should know') },
    { error: expecting('object_expected', { fields: ['message'] }) },
  )
  .meta({ id: 'Retirement', title: 'Why a service is retired' })

/** @throws DirectoryError `invalid_request` */
export function readRetirement(body: unknown): string {
  const parsed = retirementSchema.safeParse(body)
  if (!parsed.success) throw invalid(toProblems(parsed.error, body))
  return parsed.data.message
}

/**
 * Returns undefined if it is already retired with the same message.
 * @param reason of the event; by default who retired it, with the message
 */
export function retireEntry(
  entry: Entry,
  message: string,
  act: EditContext,
  reason: Message = say('retired_by', { by: act.by, message }),
): EditResult | undefined {
  if (entry.retired === message) return undefined
  const at = act.now.toISOString()
  const isSeen = entry.standing.status !== 'inactive'
  const { trustScore } = withoutVerification(entry)
  return {
    entry: {
      ...entry,
      retired: message,
      standing: { ...entry.standing, status: 'inactive', trustScore },
      updatedAt: isSeen ? laterOf(entry.updatedAt, act.now) : entry.updatedAt,
    },
    events: isSeen
      ? statusEvent(entry, 'inactive', reason, act)
      : [{ type: 'updated', at, reason, before: { retired: entry.retired }, after: { retired: message } }],
    dueAt: null,
  }
}

/** Returns undefined if it is not retired. */
export function restoreEntry(entry: Entry, act: EditContext): EditResult | undefined {
  if (entry.retired === null) return undefined
  return {
    entry: {
      ...entry,
      retired: null,
      standing: { ...entry.standing, status: 'unverified' },
      updatedAt: laterOf(entry.updatedAt, act.now),
    },
    events: statusEvent(entry, 'unverified', say('restored_by', { by: act.by }), act),
    dueAt: restoredDue(entry, act.now),
  }
}

/** Retiring and restoring by turns must not trigger a probe each time: the schedule retains nothing about retired entries. */
function restoredDue({ standing }: Entry, now: Date): Date {
  const earliestMs = Date.parse(standing.lastChecked) + RESTORED_APART_MS
  return isAhead(earliestMs, now.getTime(), RESTORED_APART_MS) ? new Date(earliestMs) : now
}
