// Reads a page of the feed of another Shirube; invalid changes are reported and skipped.

import { DirectoryError } from '../domain/errors.ts'
import { idTimeMs, isServiceId } from '../domain/ids.ts'
import { asRecord } from '../domain/json.ts'
import { type DraftPolicy, readDraft } from '../domain/listing/draft.ts'
import type { ServiceDraft } from '../domain/listing/service.ts'
import type { Tally } from './tally.ts'

export type Upsert = {
  /** Its id at the source. */
  readonly id: string
  /** The source's own number of the change. */
  readonly seq: number
  readonly draft: ServiceDraft
}
export type ReadChanges = { readonly upserts: readonly Upsert[]; readonly removed: readonly string[] }

/** Tolerated clock difference. Lists show the newest first, and an id contains its time: one from the future would be first for ever. */
const MAX_CLOCK_DIFFERENCE_MS = 24 * 60 * 60 * 1000

/** Returns each id once: if a page contains it twice, the later one wins. */
export function readChanges(
  changes: readonly unknown[],
  policy: DraftPolicy,
  now: Date,
  tally: Tally,
): ReadChanges {
  const upserts = new Map<string, Upsert>()
  const removed = new Set<string>()
  for (const change of changes.map(asRecord)) {
    const { id, seq, type, service } = change
    const isValid =
      typeof id === 'string' &&
      isServiceId(id) &&
      idTimeMs(id) <= now.getTime() + MAX_CLOCK_DIFFERENCE_MS &&
      typeof seq === 'number' &&
      Number.isSafeInteger(seq)
    if (!isValid) {
      tally.countSkipped(
        `${typeof id === 'string' ? JSON.stringify(id.slice(0, 64)) : 'a change'}: it cannot be read`,
      )
      continue
    }
    upserts.delete(id)
    removed.delete(id)
    if (type === 'delete') {
      removed.add(id)
      continue
    }
    // The source has it from another directory. It is taken from there or not at all, so that nothing goes round in circles.
    if (typeof change.home === 'string') {
      tally.forwarded++
      continue
    }
    try {
      upserts.set(id, { id, seq, draft: readDraft(service, policy).draft })
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      tally.countSkipped(`${id}: ${error.message}`)
    }
  }
  return { upserts: [...upserts.values()], removed: [...removed] }
}
