// Brings what another Shirube tells about its entries into the store: ids stay, standing is our own, and what is at home here or
// has an owner here is never touched, so that two directories can follow each other without an echo.
import { type DraftPolicy, readDraft } from '../domain/draft.ts'
import { type Act, editEntry } from '../domain/edit.ts'
import { DirectoryError } from '../domain/errors.ts'
import { withHeld, yieldToHeld } from '../domain/held.ts'
import { idTimeMs, isServiceId } from '../domain/ids.ts'
import { createEntry, type Entry, type Origin, type ServiceDraft } from '../domain/service.ts'
import type { Changed, Store } from '../store/store.ts'
import { fieldsOf } from './ask-source.ts'
import type { EntryCount } from './bounds.ts'
import type { Tally } from './tally.ts'

export type WriteParts = {
  readonly store: Pick<
    Store,
    'insert' | 'update' | 'remove' | 'known' | 'ofSource' | 'paidTo' | 'removedOutlets'
  >
  readonly policy: DraftPolicy
  /** The address of the source. */
  readonly sourceUrl: string
  readonly count: EntryCount
}

type Upsert = {
  readonly id: string
  readonly seq: number
  readonly draft: ServiceDraft
  /** The source speaks for it itself. */
  readonly home: boolean
}
type Wanted = { readonly upserts: readonly Upsert[]; readonly removed: readonly string[] }

/** Lists put the newest in front, and an id holds its time: one from the future would stand there for ever. */
const CLOCKS_DIFFER_MS = 24 * 60 * 60 * 1000

/** Whether the source may change the entry. */
export const follows = ({ owner, provenance }: Entry, sourceUrl: string): boolean =>
  owner === null && provenance.origin !== undefined && provenance.sourceUrl === sourceUrl

/** Who speaks for an entry itself is followed rather than somebody who has it from elsewhere. */
const isNearer = ({ owner, provenance: { origin } }: Entry, { id, home }: Upsert): boolean =>
  owner === null && home && origin !== undefined && origin.key === id && !origin.home

export async function writeChanges(
  { store, policy, sourceUrl, count }: WriteParts,
  changes: readonly unknown[],
  now: Date,
  tally: Tally,
): Promise<void> {
  const { upserts, removed } = read(changes, policy, now, tally)
  const known = await store.known([...upserts.map(({ id }) => id), ...removed])
  const added = upserts.filter(({ id }) => !known.has(id))
  const gone = removed.filter(id => {
    const entry = known.get(id)
    return entry && follows(entry, sourceUrl)
  })
  await count.grow(added.length - gone.length)
  if (added.length > 0) {
    await store.insert(
      added.map(({ id, draft, seq, home }) =>
        createFollower(draft, { id, now, sourceUrl, key: id, seq, home }),
      ),
    )
    tally.added += added.length
  }

  const wanted = new Map(
    upserts
      .filter(upsert => {
        const entry = known.get(upsert.id)
        return entry && (follows(entry, sourceUrl) || isNearer(entry, upsert))
      })
      .map(upsert => [upsert.id, upsert]),
  )
  const changed = new Set<string>()
  if (wanted.size > 0) {
    await store.update([...wanted.keys()], entry => {
      const upsert = wanted.get(entry.id)!
      changed.delete(entry.id)
      // Asked again inside the transaction: an owner may have claimed it in the meantime.
      const isOwn = follows(entry, sourceUrl)
      if (isOwn ? upsert.seq <= entry.provenance.origin!.seq : !isNearer(entry, upsert)) return undefined
      const origin = { key: entry.id, seq: upsert.seq, ...(upsert.home && { home: true as const }) }
      const followed = followDraft(entry, upsert.draft, { by: 'Its source', now }, { sourceUrl, origin })
      if (followed?.isEdited) changed.add(entry.id)
      return followed?.to
    })
    tally.changed += changed.size
  }

  for (const id of gone) if (await remove(store, id, sourceUrl, now)) tally.removed++
}

/** What a source tells about an entry of its own: all but what is held here. undefined where nothing of it is new. */
export function followDraft(
  entry: Entry,
  told: ServiceDraft,
  act: Act,
  from: { readonly sourceUrl: string; readonly origin: Origin },
): { readonly to: Changed; readonly isEdited: boolean } | undefined {
  const { sourceUrl, origin: before } = entry.provenance
  const { draft, held } = yieldToHeld(entry, told)
  const edited = editEntry(entry, draft, act)
  const isSame = held.length === (before?.held?.length ?? 0) && from.sourceUrl === sourceUrl
  if (!edited && isSame) return undefined
  const origin = withHeld(from.origin, held)
  const { entry: after, ...rest } = edited ?? { entry, events: [] }
  const provenance = { ...after.provenance, sourceUrl: from.sourceUrl, origin }
  return { to: { ...rest, entry: { ...after, provenance } }, isEdited: edited !== undefined }
}

/** False where it has gone, or has got an owner, in the meantime. */
async function remove(
  store: WriteParts['store'],
  id: string,
  sourceUrl: string,
  now: Date,
): Promise<boolean> {
  const claimed = new Error('It has an owner here.')
  try {
    const reason = `Its source, ${sourceUrl}, has removed it.`
    const seq = await store.remove(id, now, reason, entry => {
      if (!follows(entry, sourceUrl)) throw claimed
      return 'for_now'
    })
    return seq !== undefined
  } catch (error) {
    if (error === claimed) return false
    throw error
  }
}

/** An entry of a source, with nothing found out about it yet: it is probed like any other before it counts for anything. */
export function createFollower(
  draft: ServiceDraft,
  about: {
    readonly id: string
    readonly now: Date
    readonly sourceUrl: string
    readonly key: string
    readonly seq: number
    readonly home?: boolean
  },
): Entry {
  const { id, now, sourceUrl, key, seq, home = false } = about
  const origin: Origin = { key, seq, ...(home && { home }) }
  const entry = createEntry(draft, { id, now, source: 'imported' })
  return { ...entry, provenance: { ...entry.provenance, sourceUrl, origin } }
}

function read(changes: readonly unknown[], policy: DraftPolicy, now: Date, tally: Tally): Wanted {
  const upserts: Upsert[] = []
  const removed: string[] = []
  for (const change of changes.map(fieldsOf)) {
    const { id, seq, type, service, followed } = change
    const isSane =
      typeof id === 'string' &&
      isServiceId(id) &&
      idTimeMs(id) <= now.getTime() + CLOCKS_DIFFER_MS &&
      typeof seq === 'number' &&
      Number.isSafeInteger(seq)
    if (!isSane) tally.skip(`${JSON.stringify(id)?.slice(0, 64)}: the change cannot be read`)
    else if (type === 'delete') removed.push(id)
    else {
      try {
        upserts.push({ id, seq, draft: readDraft(service, policy).draft, home: followed !== true })
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        tally.skip(`${id}: ${error.message}`)
      }
    }
  }
  return { upserts, removed }
}
