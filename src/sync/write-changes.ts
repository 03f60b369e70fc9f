// Writes the changes of another Shirube to the store. They apply only to its own listings, so that two directories can follow each
// other without an echo, and neither can take over or hide entries of another.
import type { DraftPolicy } from '../domain/listing/draft.ts'
import type { Origin } from '../domain/listing/service.ts'
import type { EntryOrTombstone, Store } from '../store/store.ts'
import type { EntryCount } from './bounds.ts'
import { type Claims, contest, namesOtherPayee, type Verdict } from './claims.ts'
import { type Dispute, relistLosers, reportDisputes } from './disputes.ts'
import { createFollowedEntry, followDraft, follows, removeFollowedEntry } from './followed-entries.ts'
import { readChanges, type Upsert } from './read-changes.ts'
import type { Tally } from './tally.ts'

export type WriteParts = {
  readonly store: Pick<
    Store,
    'insert' | 'update' | 'remove' | 'lookUp' | 'ofSource' | 'paidTo' | 'removedSellers'
  >
  readonly policy: DraftPolicy
  /** The address of the source. */
  readonly sourceUrl: string
  readonly claims: Claims
  readonly count: EntryCount
}

/** The writes for a page; entries by local id. */
type Plan = {
  readonly added: Map<string, Upsert>
  readonly changed: Map<string, Upsert>
  readonly gone: readonly string[]
  readonly disputes: readonly Dispute[]
}

export async function writeChanges(
  parts: WriteParts,
  changes: readonly unknown[],
  now: Date,
  tally: Tally,
): Promise<void> {
  const { store, sourceUrl, count } = parts
  const { upserts, removed } = readChanges(changes, parts.policy, now, tally)
  const { added, changed, gone, disputes } = await plan(parts, upserts, removed, tally)
  await count.grow(added.size - gone.length)
  await relistLosers(parts, disputes, now)
  if (added.size > 0) {
    await store.insert(
      [...added].map(([id, upsert]) =>
        createFollowedEntry(upsert.draft, { id, now, sourceUrl, origin: toOrigin(upsert) }),
      ),
    )
    tally.added += added.size
  }
  if (changed.size > 0) tally.changed += await change(parts, changed, now)
  await reportDisputes(parts, disputes, tally)
  for (const id of gone) if (await removeFollowedEntry(store, id, sourceUrl, now)) tally.removed++
}

async function plan(
  { store, sourceUrl, claims }: WriteParts,
  upserts: readonly Upsert[],
  removed: readonly string[],
  tally: Tally,
): Promise<Plan> {
  const ids = [...upserts.map(({ id }) => id), ...removed]
  const homeKeys = upserts.flatMap(({ homeKey }) => homeKey ?? [])
  const known = await store.lookUp([...ids, ...ids.map(id => claims.aliasOf(id)), ...homeKeys])
  const isOwn = (localId: string, key: string): boolean => {
    const entry = known.get(localId)?.entry
    return !!entry && follows(entry, sourceUrl) && entry.provenance.origin!.key === key
  }
  const added = new Map<string, Upsert>()
  const changed = new Map<string, Upsert>()
  const disputes: Dispute[] = []
  for (const upsert of upserts) {
    const alias = claims.aliasOf(upsert.id)
    // A listing that has an alias keeps it.
    const localId = known.has(alias) ? alias : upsert.id
    const holder = known.get(localId)
    const verdict = localId === alias ? judgeAlias(holder!) : claims.judge(upsert, holder)
    const isListedUnderHomeKey = upsert.homeKey !== undefined && known.has(upsert.homeKey)
    if (verdict === 'free' && !isListedUnderHomeKey) added.set(localId, upsert)
    else if (verdict === 'own' || verdict === 'takes') changed.set(localId, upsert)
    else if (verdict === 'contested' || verdict === 'disputes') {
      const isWon = verdict === 'disputes'
      disputes.push({ claim: upsert, holder: holder!, isWon })
      if (isWon) changed.set(localId, upsert)
      else added.set(alias, upsert)
    } else if (upsert.home) tally.known++
    else if (holder?.entry && namesOtherPayee(upsert, holder.entry))
      tally.countConflict(
        `${upsert.id}: ${sourceUrl} passes it on with another payment address than ${holder.entry.provenance.sourceUrl}, by which it came; follow its home to know.`,
      )
  }
  const gone = removed.flatMap(id => [id, claims.aliasOf(id)].filter(localId => isOwn(localId, id)))
  return { added, changed, gone, disputes }
}

/** Only the source can have an alias; it may have been removed, by the source or locally. */
function judgeAlias(holder: EntryOrTombstone): Verdict {
  if (holder.entry) return 'own'
  return holder.removedBy ? 'free' : 'known'
}

/** Resolves to the number of edited entries. */
async function change(
  { store, sourceUrl, claims }: WriteParts,
  upserts: ReadonlyMap<string, Upsert>,
  now: Date,
): Promise<number> {
  const edited = new Set<string>()
  await store.update([...upserts.keys()], entry => {
    const upsert = upserts.get(entry.id)!
    edited.delete(entry.id)
    // Checked again inside the transaction: an owner may have claimed it meanwhile.
    const verdict = follows(entry, sourceUrl)
      ? 'own'
      : entry.owner === null && claims.judge(upsert, { entry })
    if (verdict !== 'own' && verdict !== 'takes' && verdict !== 'disputes') return undefined
    const contested = verdict === 'disputes' ? contest(entry, entry.provenance.sourceUrl!) : undefined
    const from = { sourceUrl, origin: toOrigin(upsert) }
    const followed = followDraft(contested ?? entry, upsert.draft, { by: 'source', now }, from)
    if (followed?.isEdited) edited.add(entry.id)
    return followed?.to
  })
  return edited.size
}

const toOrigin = ({ id, seq, home, homeUrl, homeKey }: Upsert): Origin => ({
  key: id,
  seq,
  ...(home && { home }),
  ...(homeUrl !== undefined && { homeUrl }),
  ...(homeKey !== undefined && { homeKey }),
})
