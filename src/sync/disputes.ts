// Disputes about an id: neither source loses its listing, the provenance names both, and the operator is notified once.
import type { Entry } from '../domain/listing/service.ts'
import type { EntryOrTombstone, Store } from '../store/store.ts'
import { type Claim, type Claims, contest } from './claims.ts'
import { createFollowedEntry } from './followed-entries.ts'
import type { Tally } from './tally.ts'

export type Dispute = {
  readonly claim: Claim
  /** The entry or tombstone with the id. */
  readonly holder: EntryOrTombstone
  /** Whether the claiming source gets the id. */
  readonly isWon: boolean
}

type DisputeParts = {
  readonly store: Pick<Store, 'lookUp' | 'insert' | 'update'>
  readonly sourceUrl: string
  readonly claims: Claims
}

/** Inserts the listings that lose their id to the source under alias ids. To be called before the id is reassigned. */
export async function relistLosers(
  { store, claims }: DisputeParts,
  disputes: readonly Dispute[],
  now: Date,
): Promise<void> {
  const losers = disputes.flatMap(({ holder, isWon }): Entry[] => {
    if (!isWon || !holder.entry) return []
    const { id, provenance } = holder.entry
    const { held: _, ...origin } = provenance.origin!
    const sourceUrl = provenance.sourceUrl!
    return [createFollowedEntry(holder.entry, { id: claims.aliasOf(id, sourceUrl), now, sourceUrl, origin })]
  })
  if (losers.length === 0) return
  const known = await store.lookUp(losers.map(({ id }) => id))
  const missing = losers.filter(({ id }) => !known.has(id))
  if (missing.length > 0) await store.insert(missing)
}

function toHolder(holder: EntryOrTombstone): {
  readonly sourceUrl: string | null
  readonly home?: true | undefined
} {
  if (!holder.entry) return holder.removedBy!
  const { sourceUrl, origin } = holder.entry.provenance
  return { sourceUrl: origin ? sourceUrl : null, home: origin?.home }
}

/** Reports disputes to the operator, and adds the source to the provenance of entries that keep their id. */
export async function reportDisputes(
  { store, sourceUrl, claims }: DisputeParts,
  disputes: readonly Dispute[],
  tally: Tally,
): Promise<void> {
  for (const { claim, holder, isWon } of disputes) {
    const { id } = claim
    const { sourceUrl: other, home } = toHolder(holder)
    const whose =
      other === null
        ? 'it was registered here'
        : home
          ? `${other} lists it as its own too`
          : `it was forwarded by ${other}`
    const end = isWon
      ? `${sourceUrl} was followed first and has the id; the other listing is ${claims.aliasOf(id, other!)} here.`
      : `what ${sourceUrl} lists is ${claims.aliasOf(id)} here.`
    tally.countConflict(`${id}: ${whose}; ${end}`)
  }
  const lost = disputes.filter(({ isWon }) => !isWon).map(({ claim }) => claim.id)
  if (lost.length > 0)
    await store.update(lost, entry => {
      const contested = contest(entry, sourceUrl)
      return contested && { entry: contested, events: [] }
    })
}
