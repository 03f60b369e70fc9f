// Reads a page of the feed of another Shirube; invalid changes are reported and skipped.

import { DirectoryError } from '../domain/errors.ts'
import { idTimeMs, isServiceId } from '../domain/ids.ts'
import { asRecord } from '../domain/json/json-record.ts'
import { type DraftPolicy, readDraft } from '../domain/listing/draft.ts'
import type { Claim } from './claims.ts'
import type { Tally } from './tally.ts'

export type Upsert = Claim & { readonly seq: number }
export type ReadChanges = { readonly upserts: readonly Upsert[]; readonly removed: readonly string[] }

/** Tolerated clock difference. Lists show the newest first, and an id contains its time: one from the future would be first for ever. */
const MAX_CLOCK_DIFFERENCE_MS = 24 * 60 * 60 * 1000
const MAX_URL = 2_048

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
      tally.countSkipped(`${JSON.stringify(id)?.slice(0, 64)}: the change cannot be read`)
      continue
    }
    upserts.delete(id)
    removed.delete(id)
    if (type === 'delete') {
      removed.add(id)
      continue
    }
    try {
      upserts.set(id, { id, seq, draft: readDraft(service, policy).draft, ...readHome(change) })
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      tally.countSkipped(`${id}: ${error.message}`)
    }
  }
  return { upserts: [...upserts.values()], removed: [...removed] }
}

/** The home of an entry: the source itself, or where the source has it from. */
function readHome({
  followed,
  home,
  key,
}: Readonly<Record<string, unknown>>): Pick<Claim, 'home' | 'homeUrl' | 'homeKey'> {
  if (followed !== true) return { home: true }
  const url = typeof home === 'string' && home.length <= MAX_URL ? URL.parse(home) : null
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ''
  return {
    home: false,
    ...(isAddress && { homeUrl: home as string }),
    ...(isAddress && typeof key === 'string' && isServiceId(key) && { homeKey: key }),
  }
}
