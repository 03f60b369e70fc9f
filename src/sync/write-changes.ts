// Brings what another Shirube tells about its entries into the store. What it says counts for its own listings alone, so that two
// directories can follow each other without an echo, and none can take or hide what is another's.
import type { DraftPolicy } from '../domain/draft.ts'
import type { Origin } from '../domain/service.ts'
import type { Known, Store } from '../store/store.ts'
import type { EntryCount } from './bounds.ts'
import { type Claims, contest, namesOtherPayee, type Verdict } from './claims.ts'
import { type Dispute, keepLosers, tellDisputes } from './disputes.ts'
import { createFollower, followDraft, follows, removeFollower } from './followers.ts'
import { readChanges, type Upsert } from './read-changes.ts'
import type { Tally } from './tally.ts'

export type WriteParts = {
  readonly store: Pick<
    Store,
    'insert' | 'update' | 'remove' | 'known' | 'ofSource' | 'paidTo' | 'removedSellers'
  >
  readonly policy: DraftPolicy
  /** The address of the source. */
  readonly sourceUrl: string
  readonly claims: Claims
  readonly count: EntryCount
}

/** What is to be done with a page; entries by the ids that they have here. */
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
  await keepLosers(parts, disputes, now)
  if (added.size > 0) {
    await store.insert(
      [...added].map(([id, upsert]) =>
        createFollower(upsert.draft, { id, now, sourceUrl, origin: toOrigin(upsert) }),
      ),
    )
    tally.added += added.size
  }
  if (changed.size > 0) tally.changed += await change(parts, changed, now)
  await tellDisputes(parts, disputes, tally)
  for (const id of gone) if (await removeFollower(store, id, sourceUrl, now)) tally.removed++
}

async function plan(
  { store, sourceUrl, claims }: WriteParts,
  upserts: readonly Upsert[],
  removed: readonly string[],
  tally: Tally,
): Promise<Plan> {
  const ids = [...upserts.map(({ id }) => id), ...removed]
  const homeKeys = upserts.flatMap(({ homeKey }) => homeKey ?? [])
  const known = await store.known([...ids, ...ids.map(id => claims.aliasOf(id)), ...homeKeys])
  const isItsOwn = (here: string, key: string): boolean => {
    const entry = known.get(here)?.entry
    return !!entry && follows(entry, sourceUrl) && entry.provenance.origin!.key === key
  }
  const added = new Map<string, Upsert>()
  const changed = new Map<string, Upsert>()
  const disputes: Dispute[] = []
  for (const upsert of upserts) {
    const alias = claims.aliasOf(upsert.id)
    // A listing that was given an id of its own keeps it.
    const here = known.has(alias) ? alias : upsert.id
    const found = known.get(here)
    const verdict = here === alias ? judgeAlias(found!) : claims.judge(upsert, found)
    const isHereByItsId = upsert.homeKey !== undefined && known.has(upsert.homeKey)
    if (verdict === 'free' && !isHereByItsId) added.set(here, upsert)
    else if (verdict === 'own' || verdict === 'takes') changed.set(here, upsert)
    else if (verdict === 'contested' || verdict === 'disputes') {
      const isWon = verdict === 'disputes'
      disputes.push({ claim: upsert, holder: found!, isWon })
      if (isWon) changed.set(here, upsert)
      else added.set(alias, upsert)
    } else if (upsert.home) tally.known++
    else if (found?.entry && namesOtherPayee(upsert, found.entry))
      tally.conflict(
        `${upsert.id}: ${sourceUrl} passes it on with another payment address than ${found.entry.provenance.sourceUrl}, by which it came; follow its home to know.`,
      )
  }
  const gone = removed.flatMap(id => [id, claims.aliasOf(id)].filter(here => isItsOwn(here, id)))
  return { added, changed, gone, disputes }
}

/** Nobody but the source can have such an id; it may have been removed, by the source or here. */
function judgeAlias(found: Known): Verdict {
  if (found.entry) return 'own'
  return found.removedBy ? 'free' : 'known'
}

/** How many were edited. */
async function change(
  { store, sourceUrl, claims }: WriteParts,
  upserts: ReadonlyMap<string, Upsert>,
  now: Date,
): Promise<number> {
  const edited = new Set<string>()
  await store.update([...upserts.keys()], entry => {
    const upsert = upserts.get(entry.id)!
    edited.delete(entry.id)
    // Asked again inside the transaction: an owner may have claimed it in the meantime.
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
