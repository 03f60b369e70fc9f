// Entries that come from files and sources. Their standing is determined here, and entries that are registered or owned here are never
// changed by a source.
import { readFileSync } from 'node:fs'
import { type EditContext, type EditResult, editEntry } from '../domain/listing/edit.ts'
import { listingOf } from '../domain/listing/seller.ts'
import { createEntry, type Entry, type Origin, type ServiceDraft } from '../domain/listing/service.ts'
import { lazily } from '../memory/memoize.ts'
import { say } from '../messages/message.ts'
import { packageFile } from '../package/files.ts'
import type { Store } from '../store/store.ts'

/** Whether the source may change the entry. */
export const follows = ({ owner, provenance }: Entry, sourceUrl: string): boolean =>
  owner === null && provenance.origin !== undefined && provenance.sourceUrl === sourceUrl

/** A new entry from a source, without standing: it is probed like any other before it can be verified. */
export function createFollowedEntry(
  draft: ServiceDraft,
  about: { readonly id: string; readonly now: Date; readonly sourceUrl: string; readonly origin: Origin },
): Entry {
  const { id, now, sourceUrl, origin } = about
  const entry = createImportedEntry(draft, { id, now })
  return { ...entry, provenance: { ...entry.provenance, sourceUrl, origin } }
}

/** Applies a source's version to its entry. undefined if nothing changes. */
export function followDraft(
  entry: Entry,
  draft: ServiceDraft,
  act: EditContext,
  origin: Origin,
): EditResult | undefined {
  const before = entry.provenance.origin
  const edited = editEntry(entry, draft, act)
  const isSaid = origin.claim === before?.claim && origin.droppedAt === before?.droppedAt
  if (!edited && isSaid) return undefined
  const { entry: after, ...rest } = edited ?? { entry, events: [] }
  const provenance = { ...after.provenance, origin }
  return { ...rest, entry: { ...after, provenance } }
}

const CHANGED_TOGETHER = 1_000

/** Changes entries that the source may change, in large transactions; resolves to the number of changed ones. */
export async function changeFollowed(
  store: Pick<Store, 'update'>,
  ids: readonly string[],
  sourceUrl: string,
  change: (entry: Entry) => EditResult | undefined,
): Promise<number> {
  let count = 0
  for (let at = 0; at < ids.length; at += CHANGED_TOGETHER) {
    const changed = new Set<string>()
    await store.update(ids.slice(at, at + CHANGED_TOGETHER), entry => {
      // Checked inside the transaction: an owner may have claimed it meanwhile.
      const to = follows(entry, sourceUrl) ? change(entry) : undefined
      if (to) changed.add(entry.id)
      else changed.delete(entry.id)
      return to
    })
    count += changed.size
  }
  return count
}

/** False if it is already gone, has an owner, or is hidden locally. Its tombstone names the source and binds that source alone. */
async function removeFollowedEntry(
  store: Pick<Store, 'remove'>,
  id: string,
  sourceUrl: string,
  now: Date,
): Promise<boolean> {
  const refusal = new Error('It has an owner here.')
  try {
    const reason = say('removed_by_source', { url: sourceUrl })
    const seq = await store.remove(id, now, reason, entry => {
      // A hidden entry is not removed: otherwise its source could remove it and list it again.
      if (!follows(entry, sourceUrl) || entry.hidden) throw refusal
      return { sourceUrl }
    })
    return seq !== undefined
  } catch (error) {
    if (error === refusal) return false
    throw error
  }
}

/** Concurrent removals, which share commits. */
const REMOVED_TOGETHER = 100

/** Removes entries that a source no longer lists; resolves to the number removed. */
export async function removeFollowedEntries(
  store: Pick<Store, 'remove'>,
  ids: readonly string[],
  sourceUrl: string,
  now: Date,
): Promise<number> {
  let count = 0
  for (let at = 0; at < ids.length; at += REMOVED_TOGETHER) {
    const removed = ids
      .slice(at, at + REMOVED_TOGETHER)
      .map(id => removeFollowedEntry(store, id, sourceUrl, now))
    count += (await Promise.all(removed)).filter(Boolean).length
  }
  return count
}

// New entries from files and sources. The listings of the sample catalog are recognised, so that nobody who takes them over shows
// invented services as real. A mark in a file would not do: the fields of an export document are fixed, and a list could mark the
// service of somebody else.

const FILE = packageFile('data/sample.ndjson')

const readListings = lazily((): ReadonlySet<string> => {
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n')
  return new Set(lines.map(line => listingOf(JSON.parse(line) as ServiceDraft)))
})

/** A new entry from a file or a source. */
export const createImportedEntry = (
  draft: ServiceDraft,
  about: { readonly id: string; readonly now: Date },
): Entry => ({
  ...createEntry(draft, { ...about, source: 'imported' }),
  sample: readListings().has(listingOf(draft)),
})
