// Hiding by the operator: of an impostor, of malware, of a listing that defrauds its customers.
import { z } from 'zod'
import { say } from '../../messages/message.ts'
import { DirectoryError, invalid } from '../errors.ts'
import { toProblems } from '../problems.ts'
import { prose } from '../text/text.ts'
import type { EditResult } from './edit.ts'
import { type Entry, toService } from './service.ts'

const whySchema = z.object({ why: prose(500, { lines: true }) })

/** @throws DirectoryError `invalid_request` */
export function readHidingReason(body: { readonly why: string }): string {
  const parsed = whySchema.safeParse(body)
  if (!parsed.success) throw invalid(toProblems(parsed.error, body))
  return parsed.data.why
}

/**
 * Published as a removal, so that followers of the catalog drop the entry. Its findings are retained, and it is not probed.
 * Returns undefined if it is already hidden for the same reason.
 */
export function hideEntry(entry: Entry, why: string, now: Date): EditResult | undefined {
  if (entry.hidden?.why === why) return undefined
  const at = now.toISOString()
  return {
    entry: { ...entry, hidden: { at, why } },
    events: [
      {
        type: 'removed',
        at,
        reason: say('hidden_by_operator', { why }),
        before: toService(entry),
        after: null,
      },
    ],
    dueAt: null,
  }
}

/** Published as a registration, so that followers that dropped it add it again. Returns undefined if it is not hidden. */
export function unhideEntry(hidden: Entry, now: Date): EditResult | undefined {
  if (hidden.hidden === undefined) return undefined
  const { hidden: _, ...entry } = hidden
  const reason = say('unhidden_by_operator')
  return {
    entry,
    events: [{ type: 'registered', at: now.toISOString(), reason, before: null, after: null }],
    ...(entry.retired === null && { dueAt: now }),
  }
}

export const hiddenError = ({ why }: { readonly why: string }): DirectoryError =>
  new DirectoryError('hidden', say('hidden_by_operator', { why }))
