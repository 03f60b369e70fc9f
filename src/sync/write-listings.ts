// Writes a whole list to the store: adds new listings, changes those that differ, and retires or marks those that are no longer listed.

import { placeOf, placesOf } from '../domain/hosts/endpoint.ts'
import { type createIdSource, deriveId, idTimeMs, isServiceId } from '../domain/ids.ts'
import { isByStranger, placedSinceMs, toBackingFacts } from '../domain/listing/backing.ts'
import { type EditResult, restoreEntry, retireEntry } from '../domain/listing/edit.ts'
import { listingOf, sellerHash, sellerOf } from '../domain/listing/seller.ts'
import type { Entry, Origin, ServiceDraft } from '../domain/listing/service.ts'
import { comparePrice } from '../domain/terms/terms.ts'
import { DAY_MS } from '../domain/time.ts'
import { say } from '../messages/message.ts'
import type { Store } from '../store/store.ts'
import { changeFollowed, createFollowedEntry, followDraft } from './followed-entries.ts'
import { joinDescriptions, type Listing, type Listings, merge, payeesOf } from './group-resources.ts'
import type { Tally } from './source-reader.ts'
import type { WriteDeps } from './write-changes.ts'

const PAGE = 1_000

export async function writeListings(
  deps: WriteDeps & { readonly newId: ReturnType<typeof createIdSource> },
  { listings, isPartial = false, dropsUnused = false }: Listings,
  now: Date,
  tally: Tally,
): Promise<void> {
  const { store, sourceUrl, newId } = deps
  const stored = await readFollowers(store, sourceUrl)
  const wanted = new Map(listings.map(listing => [listing.key, listing]))
  const missing = [...wanted.values()].filter(({ key }) => !stored.has(key))
  for (let at = 0; at < missing.length; at += PAGE) {
    const page = missing.slice(at, at + PAGE)
    const isTaken = await findTaken(deps, page)
    const added = page
      .filter(listing => !isTaken(listing))
      .map(listing => {
        const { key, draft, id, resource } = listing
        const isUsable = id !== undefined && isServiceId(id) && idTimeMs(id) <= now.getTime()
        const localId = isUsable ? deriveId(id, sourceUrl) : newId(now)
        return createFollowedEntry(draft, {
          id: localId,
          now,
          sourceUrl,
          origin: withClaim({ key, seq: 0, ...(resource !== undefined && { resource }) }, listing, now),
        })
      })
    if (added.length > 0) await store.insert(added)
    tally.added += added.length
    tally.known += page.length - added.length
  }
  const ids = [...stored].filter(([key]) => wanted.has(key)).map(([, id]) => id)
  tally.changed += await changeFollowed(store, ids, sourceUrl, entry => {
    const listing = wanted.get(entry.provenance.origin!.key)!
    return followListing(entry, listing, goneMessage(sourceUrl), now)
  })
  const gone = [...stored].filter(([key]) => !wanted.has(key)).map(([, id]) => id)
  // A list that is suddenly empty more likely has an outage than removed everything.
  if (listings.length === 0 && gone.length > 0)
    tally.countSkipped('the list is empty now; what it listed stays as it is')
  else if (!isPartial) tally.vanished += await (dropsUnused ? markAll : retireAll)(deps, gone, now)
}

/** Marks entries that their list dropped. Whether they still work, probes tell. */
const markAll = (deps: WriteDeps, ids: readonly string[], now: Date): Promise<number> =>
  changeFollowed(deps.store, ids, deps.sourceUrl, entry => {
    const { provenance } = entry
    const { origin } = provenance
    if (!origin || origin.droppedAt !== undefined || entry.retired !== null) return undefined
    const marked = { ...origin, droppedAt: now.toISOString() }
    return { entry: { ...entry, provenance: { ...provenance, origin: marked } }, events: [] }
  })

/** Between two updates of what a list claims: its counts change with every call. */
const CLAIMED_FOR_MS = DAY_MS

/** It is listed now, with what the list says of it. */
function withClaim({ droppedAt: _, ...origin }: Origin, { claim }: Listing, now: Date): Origin {
  const isRecent = origin.claim && now.getTime() - Date.parse(origin.claim.at) < CLAIMED_FOR_MS
  return isRecent || !claim ? origin : { ...origin, claim: { at: now.toISOString(), ...claim } }
}

/** Retires entries that their source no longer lists. */
const retireAll = (deps: WriteDeps, ids: readonly string[], now: Date): Promise<number> =>
  changeFollowed(deps.store, ids, deps.sourceUrl, entry =>
    entry.retired === null
      ? retireEntry(
          entry,
          goneMessage(deps.sourceUrl),
          { by: 'source', now },
          say('unlisted_by_source', { url: deps.sourceUrl }),
        )
      : undefined,
  )

/**
 * A listing that already exists, or was removed here, is not added by this source. It is identified by its id if the source gives one,
 * otherwise by its seller. Entries by third parties, entries that another list dropped and entries that another source removed do not
 * count.
 */
async function findTaken(
  { store, sourceUrl }: WriteDeps,
  listings: readonly Listing[],
): Promise<(listing: Listing) => boolean> {
  const known = await store.lookUp(
    listings.flatMap(({ id }) => (id === undefined ? [] : [id, deriveId(id, sourceUrl)])),
  )
  const drafts = listings.flatMap(({ id, draft }) => (id === undefined ? [draft] : []))
  const [paid, removed] = await Promise.all([
    store.paidTo(payeesOf(drafts)),
    store.removedSellers(drafts.map(draft => sellerHash(sellerOf(draft)))),
  ])
  const isDropped = ({ owner, retired, provenance }: Entry) =>
    owner === null && retired !== null && provenance.origin !== undefined
  const isStrangers = (entry: Entry) => entry.owner !== null && isByStranger(toBackingFacts(entry))
  const present = new Set(paid.filter(entry => !isDropped(entry) && !isStrangers(entry)).map(sellerOf))
  return ({ id, draft }) => {
    if (id !== undefined) {
      const holder = known.get(deriveId(id, sourceUrl))
      if (holder) return holder.entry !== null || holder.removedBy === null
      const imported = known.get(id)?.entry
      return !!imported && listingOf(imported) === listingOf(draft)
    }
    return present.has(sellerOf(draft)) || removed.has(sellerHash(sellerOf(draft)))
  }
}

const goneMessage = (sourceUrl: string): string => `It is no longer listed at ${sourceUrl}.`.slice(0, 500)

/** The id of each entry of the source, by its key there. */
export async function readFollowers(
  store: Pick<Store, 'ofSource'>,
  sourceUrl: string,
): Promise<Map<string, string>> {
  const present = new Map<string, string>()
  for (let after = ''; ; ) {
    const page = await store.ofSource(sourceUrl, after, PAGE)
    for (const { id, provenance } of page) present.set(provenance.origin!.key, id)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return present
    after = last.id
  }
}

/** A retired entry that is listed again is restored, in the same update as its other changes. */
function followListing(entry: Entry, listing: Listing, gone: string, now: Date): EditResult | undefined {
  const draft = keepConfirmed(entry, chooseDraft(entry, listing, now))
  const act = { by: 'source', now } as const
  const restored = entry.retired === gone ? restoreEntry(entry, act) : undefined
  const origin = withClaim(entry.provenance.origin!, listing, now)
  const edited = followDraft(restored?.entry ?? entry, draft, act, origin)
  if (!restored || !edited) return edited ?? restored
  return { ...edited, events: [...restored.events, ...edited.events], dueAt: now }
}

/**
 * A list may not change everything. Lists take items from anybody, and those of one origin and payee are one service: what the
 * endpoint itself confirms changes only when it confirms something else.
 */
function keepConfirmed(entry: Entry, draft: ServiceDraft): ServiceDraft {
  const { standing, seen, endpoint, x402Config, pricing } = entry
  if (standing.status !== 'verified') return draft
  const isAsked = comparePrice(seen?.asks ?? null, draft.pricing) === 'same'
  const { freeQuota } = draft.pricing
  return { ...draft, endpoint, x402Config, pricing: isAsked ? draft.pricing : { ...pricing, freeQuota } }
}

// Which version of a merged service its entry follows. Lists take items from anybody, and those of one origin and payee are one service:
// only probes tell the items of the seller from others.

/** How long other endpoints are tried: each one is an event. */
const TRIED_FOR_MS = 2 * DAY_MS

function chooseDraft(entry: Entry, { draft, items }: Listing, now: Date): ServiceDraft {
  if (!items) return draft
  if (entry.standing.status === 'verified') return describeVerified(entry.endpoint, draft, items)
  const candidates = toCandidates(draft, items)
  const at = candidates.findIndex(({ endpoint }) => endpoint === entry.endpoint)
  if (entry.seen) return withAskedPrice(candidates[at] ?? draft, entry.seen, items)
  if (now.getTime() - Date.parse(entry.provenance.firstSeen) > TRIED_FOR_MS) return draft
  const next = hasAnswered(entry) ? (at + 1) % candidates.length : at
  return candidates[next] ?? draft
}

/** The common folder of all items may answer nothing, and items that lead nowhere would keep it from ever being verified. */
const toCandidates = (draft: ServiceDraft, items: readonly ServiceDraft[]): readonly ServiceDraft[] => {
  const each = items.map(({ endpoint, pricing }) => ({ ...draft, endpoint, pricing }))
  return [...new Map([draft, ...each].map(candidate => [candidate.endpoint, candidate])).values()]
}

/** Whether a probe was answered at its present endpoint, without terms. A host that is down is not asked for more. */
const hasAnswered = (entry: Entry): boolean =>
  entry.standing.uptimeScore > 0 && Date.parse(entry.standing.lastChecked) > placedSinceMs(entry)

/** Of the prices in the list, the one that the endpoint asks for. */
function withAskedPrice(
  draft: ServiceDraft,
  { asks }: NonNullable<Entry['seen']>,
  items: readonly ServiceDraft[],
): ServiceDraft {
  const asked = items.find(({ pricing }) => comparePrice(asks, pricing) === 'same')
  return asked ? { ...draft, pricing: asked.pricing } : draft
}

/** What is confirmed is its endpoint: items elsewhere neither name nor price it, and describe it last. */
function describeVerified(
  endpoint: string,
  draft: ServiceDraft,
  items: readonly ServiceDraft[],
): ServiceDraft {
  const place = placeOf(endpoint)
  const { own = [], others = [] } = Object.groupBy(items, item =>
    placesOf(item.endpoint).includes(place) ? 'own' : 'others',
  )
  return own.length === 0 ? draft : { ...merge(own), description: joinDescriptions([...own, ...others]) }
}
