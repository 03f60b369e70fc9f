// Two that say an id is theirs: neither loses its listing, both are told of, and the operator hears of it once.
import type { Entry } from '../domain/service.ts'
import type { Known, Store } from '../store/store.ts'
import { type Claim, type Claims, contest } from './claims.ts'
import { createFollower } from './followers.ts'
import type { Tally } from './tally.ts'

export type Dispute = {
  readonly claim: Claim
  /** What stands, or stood, under the id. */
  readonly holder: Known
  /** The source of the claim gets the id. */
  readonly isWon: boolean
}

type DisputeParts = {
  readonly store: Pick<Store, 'known' | 'insert' | 'update'>
  readonly sourceUrl: string
  readonly claims: Claims
}

/** Keeps the listings of those who lose an id to the source, each under an id of its own. To be called before they lose it. */
export async function keepLosers(
  { store, claims }: DisputeParts,
  disputes: readonly Dispute[],
  now: Date,
): Promise<void> {
  const losers = disputes.flatMap(({ holder, isWon }): Entry[] => {
    if (!isWon || !holder.entry) return []
    const { id, provenance } = holder.entry
    const { held: _, ...origin } = provenance.origin!
    const sourceUrl = provenance.sourceUrl!
    return [createFollower(holder.entry, { id: claims.aliasOf(id, sourceUrl), now, sourceUrl, origin })]
  })
  if (losers.length === 0) return
  const known = await store.known(losers.map(({ id }) => id))
  const missing = losers.filter(({ id }) => !known.has(id))
  if (missing.length > 0) await store.insert(missing)
}

function toHolder(holder: Known): { readonly sourceUrl: string | null; readonly home?: true | undefined } {
  if (!holder.entry) return holder.removedBy!
  const { sourceUrl, origin } = holder.entry.provenance
  return { sourceUrl: origin ? sourceUrl : null, home: origin?.home }
}

/** Tells the operator, and in the provenance of those that keep an id who says that it is theirs too. */
export async function tellDisputes(
  { store, sourceUrl, claims }: DisputeParts,
  disputes: readonly Dispute[],
  tally: Tally,
): Promise<void> {
  for (const { claim, holder, isWon } of disputes) {
    const { id } = claim
    const { sourceUrl: other, home } = toHolder(holder)
    const whose =
      other === null
        ? 'it is at home here'
        : home
          ? `${other} lists it as its own too`
          : `it came by ${other}, from another home`
    const end = isWon
      ? `${sourceUrl} was followed first and has the id; the other listing is ${claims.aliasOf(id, other!)} here.`
      : `what ${sourceUrl} lists is ${claims.aliasOf(id)} here.`
    tally.conflict(`${id}: ${whose}; ${end}`)
  }
  const lost = disputes.filter(({ isWon }) => !isWon).map(({ claim }) => claim.id)
  if (lost.length > 0)
    await store.update(lost, entry => {
      const contested = contest(entry, sourceUrl)
      return contested && { entry: contested, events: [] }
    })
}
