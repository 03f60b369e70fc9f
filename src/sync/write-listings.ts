// Writes a whole list to the store: adds new listings, changes those that differ, and retires those that are no longer listed.

import { addressSpellings } from '../domain/chains/addresses.ts'
import { type createIdSource, deriveId, idTimeMs, isServiceId } from '../domain/ids.ts'
import { isByStranger } from '../domain/listing/backing.ts'
import {
  type DraftPart,
  type EditResult,
  overridesStatus,
  restoreEntry,
  retireEntry,
} from '../domain/listing/edit.ts'
import { listingOf, sellerHashes, sellerOf, toPresentSeller } from '../domain/listing/seller.ts'
import type { Entry } from '../domain/listing/service.ts'
import { comparePrice } from '../domain/terms/terms.ts'
import { say } from '../messages/message.ts'
import { chooseDraft } from './choose-draft.ts'
import { createFollowedEntry, followDraft, follows } from './followed-entries.ts'
import type { Listing, Listings } from './group-resources.ts'
import type { Tally } from './tally.ts'
import type { WriteParts } from './write-changes.ts'

const PAGE = 1_000

export async function writeListings(
  parts: WriteParts & { readonly newId: ReturnType<typeof createIdSource> },
  { listings, isPartial = false }: Listings,
  now: Date,
  tally: Tally,
): Promise<void> {
  const { store, sourceUrl, newId } = parts
  const stored = await readFollowers(parts)
  const wanted = new Map(listings.map(listing => [listing.key, listing]))
  const missing = [...wanted.values()].filter(({ key }) => !stored.has(key))
  for (let at = 0; at < missing.length; at += PAGE) {
    const page = missing.slice(at, at + PAGE)
    const isTaken = await findTaken(parts, page)
    const added = page
      .filter(listing => !isTaken(listing))
      .map(({ key, draft, id }) => {
        const isUsable = id !== undefined && isServiceId(id) && idTimeMs(id) <= now.getTime()
        const localId = isUsable ? deriveId(id, sourceUrl) : newId(now)
        return createFollowedEntry(draft, { id: localId, now, sourceUrl, origin: { key, seq: 0 } })
      })
    if (added.length > 0) await store.insert(added)
    tally.added += added.length
    tally.known += page.length - added.length
  }
  const ids = [...stored].filter(([key]) => wanted.has(key)).map(([, id]) => id)
  tally.changed += await changeEach(parts, ids, entry => {
    const listing = wanted.get(toPresentSeller(entry.provenance.origin!.key))!
    return followListing(entry, chooseDraft(entry, listing, now), goneMessage(sourceUrl), now)
  })
  const gone = [...stored].filter(([key]) => !wanted.has(key)).map(([, id]) => id)
  // A list that is suddenly empty more likely has an outage than removed everything.
  if (listings.length === 0 && gone.length > 0)
    tally.countSkipped('the list is empty now; what it listed stays as it is')
  else if (!isPartial) tally.vanished += await retireAll(parts, gone, now)
}

/** Retires entries that their source no longer lists. */
const retireAll = (parts: WriteParts, ids: readonly string[], now: Date): Promise<number> =>
  changeEach(parts, ids, entry =>
    entry.retired === null && !overridesStatus(entry)
      ? retireEntry(
          entry,
          goneMessage(parts.sourceUrl),
          { by: 'source', now },
          say('unlisted_by_source', { url: parts.sourceUrl }),
        )
      : undefined,
  )

/**
 * A listing that already exists, or was removed here, is not added by this source. It is identified by its id if the source gives one,
 * otherwise by its seller. Entries by third parties, entries that another list dropped and entries that another source removed do not
 * count.
 */
async function findTaken(
  { store, sourceUrl }: WriteParts,
  listings: readonly Listing[],
): Promise<(listing: Listing) => boolean> {
  const known = await store.lookUp(
    listings.flatMap(({ id }) => (id === undefined ? [] : [id, deriveId(id, sourceUrl)])),
  )
  const drafts = listings.flatMap(({ id, draft }) => (id === undefined ? [draft] : []))
  const payees = new Set(
    drafts.flatMap(({ x402Config: { paymentAddress, network } }) =>
      addressSpellings(paymentAddress, network),
    ),
  )
  const [paid, removed] = await Promise.all([
    store.paidTo([...payees]),
    store.removedSellers(drafts.flatMap(sellerHashes)),
  ])
  const isDropped = ({ owner, retired, provenance }: Entry) =>
    owner === null && retired !== null && provenance.origin !== undefined
  const isStrangers = (entry: Entry) => entry.owner !== null && isByStranger(entry)
  const present = new Set(paid.filter(entry => !isDropped(entry) && !isStrangers(entry)).map(sellerOf))
  return ({ id, draft }) => {
    if (id !== undefined) {
      const holder = known.get(deriveId(id, sourceUrl))
      if (holder) return holder.entry !== null || holder.removedBy === null
      const imported = known.get(id)?.entry
      return !!imported && listingOf(imported) === listingOf(draft)
    }
    return present.has(sellerOf(draft)) || sellerHashes(draft).some(hash => removed.has(hash))
  }
}

const goneMessage = (sourceUrl: string): string => `It is no longer listed at ${sourceUrl}.`.slice(0, 500)

/** The id of each entry of the source, by its key there. */
export async function readFollowers({ store, sourceUrl }: WriteParts): Promise<Map<string, string>> {
  const present = new Map<string, string>()
  for (let after = ''; ; ) {
    const page = await store.ofSource(sourceUrl, after, PAGE)
    for (const { id, provenance } of page) {
      const { key } = provenance.origin!
      const seller = toPresentSeller(key)
      // One seller under two spellings of its address: the second entry counts as no longer listed.
      present.set(present.has(seller) ? key : seller, id)
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return present
    after = last.id
  }
}

/** A retired entry that is listed again is restored, in the same update as its other changes. */
function followListing(
  entry: Entry,
  draft: Listing['draft'],
  gone: string,
  now: Date,
): EditResult | undefined {
  const act = { by: 'source', now } as const
  const restored = entry.retired === gone ? restoreEntry(entry, act) : undefined
  const { origin } = entry.provenance
  const edited = followDraft(restored?.entry ?? entry, draft, act, origin!, confirmedParts(entry, draft))
  if (!restored || !edited) return edited?.to ?? restored
  return { ...edited.to, events: [...restored.events, ...edited.to.events], dueAt: now }
}

/**
 * The parts that a list may not change now. Lists take items from anybody, and those of one origin and payee are one service: what the
 * endpoint itself confirms changes only when it confirms something else.
 */
function confirmedParts({ standing, seen }: Entry, { pricing }: Listing['draft']): readonly DraftPart[] {
  if (standing.status !== 'verified') return []
  const isAsked = comparePrice(seen?.asks ?? null, pricing) === 'same'
  return isAsked ? ['endpoint', 'x402Config'] : ['endpoint', 'x402Config', 'price']
}

/** Resolves to the number of changed entries; entries with an owner are skipped. */
async function changeEach(
  { store, sourceUrl }: WriteParts,
  ids: readonly string[],
  change: (entry: Entry) => EditResult | undefined,
): Promise<number> {
  let count = 0
  for (let at = 0; at < ids.length; at += PAGE) {
    const changed = new Set<string>()
    await store.update(ids.slice(at, at + PAGE), entry => {
      const to = follows(entry, sourceUrl) ? change(entry) : undefined
      if (to) changed.add(entry.id)
      else changed.delete(entry.id)
      return to
    })
    count += changed.size
  }
  return count
}
