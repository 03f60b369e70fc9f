// Entries that follow a source: ids stay, standing is our own, and what is at home here or has an owner here is never touched.
import { type EditContext, editEntry } from '../domain/edit.ts'
import { applyOverrides, withOverrides } from '../domain/local-overrides.ts'
import { createEntry, type Entry, type Origin, type ServiceDraft } from '../domain/service.ts'
import { say } from '../messages/message.ts'
import type { Changed, Store } from '../store/store.ts'

/** Whether the source may change the entry. */
export const follows = ({ owner, provenance }: Entry, sourceUrl: string): boolean =>
  owner === null && provenance.origin !== undefined && provenance.sourceUrl === sourceUrl

/** An entry of a source, with nothing found out about it yet: it is probed like any other before it counts for anything. */
export function createFollower(
  draft: ServiceDraft,
  about: { readonly id: string; readonly now: Date; readonly sourceUrl: string; readonly origin: Origin },
): Entry {
  const { id, now, sourceUrl, origin } = about
  const entry = createEntry(draft, { id, now, source: 'imported' })
  return { ...entry, provenance: { ...entry.provenance, sourceUrl, origin } }
}

/** What a source tells about an entry of its own: all but what is overridden here. undefined where nothing of it is new. */
export function followDraft(
  entry: Entry,
  told: ServiceDraft,
  act: EditContext,
  from: { readonly sourceUrl: string; readonly origin: Origin },
): { readonly to: Changed; readonly isEdited: boolean } | undefined {
  const { sourceUrl, origin: before } = entry.provenance
  const { draft, overrides } = applyOverrides(entry, told)
  const edited = editEntry(entry, draft, act)
  const isSame =
    overrides.length === (before?.held?.length ?? 0) &&
    from.sourceUrl === sourceUrl &&
    from.origin.home === before?.home &&
    from.origin.homeUrl === before?.homeUrl &&
    from.origin.homeKey === before?.homeKey
  if (!edited && isSame) return undefined
  const origin = withOverrides(from.origin, overrides)
  const { entry: after, ...rest } = edited ?? { entry, events: [] }
  const provenance = { ...after.provenance, sourceUrl: from.sourceUrl, origin }
  return { to: { ...rest, entry: { ...after, provenance } }, isEdited: edited !== undefined }
}

/** False where it has gone, has got an owner, or was hidden here. What is left of it is the word of its source alone. */
export async function removeFollower(
  store: Pick<Store, 'remove'>,
  id: string,
  sourceUrl: string,
  now: Date,
): Promise<boolean> {
  const claimed = new Error('It has an owner here.')
  try {
    const reason = say('removed_by_source', { url: sourceUrl })
    const seq = await store.remove(id, now, reason, entry => {
      // What was hidden here stays hidden: its source could remove it and list it anew.
      if (!follows(entry, sourceUrl) || entry.hidden) throw claimed
      const { home, homeUrl } = entry.provenance.origin!
      return { sourceUrl, ...(home && { home }), ...(homeUrl !== undefined && { homeUrl }) }
    })
    return seq !== undefined
  } catch (error) {
    if (error === claimed) return false
    throw error
  }
}

/** So many at once: they share commits. */
const REMOVED_TOGETHER = 100

/** Removes what a source does not list any more; how many there were. */
export async function removeFollowers(
  store: Pick<Store, 'remove'>,
  ids: readonly string[],
  sourceUrl: string,
  now: Date,
): Promise<number> {
  let count = 0
  for (let at = 0; at < ids.length; at += REMOVED_TOGETHER) {
    const removed = ids.slice(at, at + REMOVED_TOGETHER).map(id => removeFollower(store, id, sourceUrl, now))
    count += (await Promise.all(removed)).filter(Boolean).length
  }
  return count
}
