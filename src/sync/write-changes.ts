// Writes the changes in the feed of another Shirube to the store. Its entries have ids of their own here, so that no source can take
// over or hide what another source lists, or what was registered here.
import { z } from 'zod'
import { chainKey } from '../domain/chains/chains.ts'
import { DirectoryError } from '../domain/errors.ts'
import { deriveId, idTimeMs, isServiceId } from '../domain/ids.ts'
import { asRecord } from '../domain/json.ts'
import { listingOf } from '../domain/listing/seller.ts'
import {
  type DraftPolicy,
  type Entry,
  type Origin,
  readDraft,
  type ServiceDraft,
} from '../domain/listing/service.ts'
import {
  type PeerPurchase,
  PURCHASE_OUTCOMES,
  payeeOf,
  sellingDomain,
  toPurchaseId,
} from '../domain/purchases/purchases.ts'
import type { Store } from '../store/store.ts'
import {
  changeFollowed,
  createFollowedEntry,
  followDraft,
  follows,
  removeFollowedEntries,
} from './followed-entries.ts'
import type { SourceReader, Tally } from './source-reader.ts'

export type WriteDeps = {
  readonly store: Pick<
    Store,
    'insert' | 'update' | 'remove' | 'lookUp' | 'ofSource' | 'paidTo' | 'removedSellers'
  >
  readonly policy: DraftPolicy
  /** The address of the source. */
  readonly sourceUrl: string
}

/** @param grow called before so many entries are added; throws BoundReached if none may be */
export async function writeChanges(
  deps: WriteDeps & { readonly grow: (by: number) => void },
  changes: readonly unknown[],
  now: Date,
  tally: Tally,
): Promise<void> {
  const { store, sourceUrl } = deps
  const { upserts, removed } = readChanges(changes, deps.policy, now, tally)
  const toLocalId = (id: string) => deriveId(id, sourceUrl)
  const known = await store.lookUp(
    [...upserts.map(({ id }) => id), ...removed].flatMap(id => [id, toLocalId(id)]),
  )
  const isFollowed = (localId: string): boolean => {
    const entry = known.get(localId)?.entry
    return !!entry && follows(entry, sourceUrl)
  }
  const added = new Map<string, Upsert>()
  const changed = new Map<string, Upsert>()
  for (const upsert of upserts) {
    const localId = toLocalId(upsert.id)
    const holder = known.get(localId)
    const imported = known.get(upsert.id)?.entry
    // A file of the source that the operator imported has the ids of the source.
    const isImported = imported && listingOf(imported) === listingOf(upsert.draft)
    if (isFollowed(localId)) changed.set(localId, upsert)
    else if (!isImported && (!holder || (holder.entry === null && holder.removedBy)))
      added.set(localId, upsert)
    else tally.known++
  }
  const gone = removed.map(toLocalId).filter(isFollowed)
  deps.grow(added.size - gone.length)
  if (added.size > 0) {
    await store.insert(
      [...added].map(([id, upsert]) =>
        createFollowedEntry(upsert.draft, { id, now, sourceUrl, origin: toOrigin(upsert) }),
      ),
    )
    tally.added += added.size
  }
  tally.changed += await changeFollowed(store, [...changed.keys()], sourceUrl, entry => {
    const upsert = changed.get(entry.id)!
    return followDraft(entry, upsert.draft, { by: 'source', now }, toOrigin(upsert))
  })
  tally.removed += await removeFollowedEntries(store, gone, sourceUrl, now)
}

const toOrigin = ({ id, seq }: Upsert): Origin => ({ key: id, seq, home: true })

// Reads a page of the feed of another Shirube; invalid changes are reported and skipped.

type Upsert = {
  /** Its id at the source. */
  readonly id: string
  /** The source's own number of the change. */
  readonly seq: number
  readonly draft: ServiceDraft
}
type ReadChanges = { readonly upserts: readonly Upsert[]; readonly removed: readonly string[] }

/** Tolerated clock difference. Lists show the newest first, and an id contains its time: one from the future would be first for ever. */
const MAX_CLOCK_DIFFERENCE_MS = 24 * 60 * 60 * 1000

/** Returns each id once: if a page contains it twice, the later one wins. */
function readChanges(changes: readonly unknown[], policy: DraftPolicy, now: Date, tally: Tally): ReadChanges {
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
      tally.countSkipped(
        `${typeof id === 'string' ? JSON.stringify(id.slice(0, 64)) : 'a change'}: it cannot be read`,
      )
      continue
    }
    upserts.delete(id)
    removed.delete(id)
    if (type === 'delete') {
      removed.add(id)
      continue
    }
    // The source has it from another directory. It is taken from there or not at all, so that nothing goes round in circles.
    if (typeof change.home === 'string') {
      tally.forwarded++
      continue
    }
    try {
      upserts.set(id, { id, seq, draft: readDraft(service, policy).draft })
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      tally.countSkipped(`${id}: ${error.message}`)
    }
  }
  return { upserts: [...upserts.values()], removed: [...removed] }
}

// Takes over what another Shirube bought itself, as the word of that directory: it is shown under its name with the transaction, and
// does not count as a purchase of this one.

const PAGE = 100
/** Per reading; the next one continues. */
const MAX_PAGES = 100

/** Hashes, addresses, chains and symbols. */
const word = z.string().regex(/^[\w:.-]{1,128}$/)
const digits = z.string().regex(/^\d{1,78}$/)
const decimal = z.string().regex(/^\d{1,40}(\.\d{1,40})?$/)

/** One without a transaction proves nothing. */
const toldSchema = z.object({
  id: z.string().refine(id => isServiceId(toServiceId(id))),
  serviceId: z.string().refine(isServiceId),
  source: z.literal('operator'),
  at: z.iso.datetime(),
  outcome: z.enum(PURCHASE_OUTCOMES),
  chain: word,
  asset: word,
  transaction: word,
  payment: z.object({ payer: word, payTo: word, amount: digits, price: decimal, currency: word }),
})
type Told = z.output<typeof toldSchema>

/** Both kinds of ids have the same form. */
const toServiceId = (purchaseId: string): string => purchaseId.replace(/^pur_/, 'svc_')

/**
 * @param after where the last reading ended
 * @param onPage called with the last purchase that was read
 */
export async function takePurchases(
  { store, source, sourceUrl }: TakingDeps,
  base: string,
  { after, now, onPage }: { after: string; now: Date; onPage: (last: string) => Promise<void> },
): Promise<void> {
  let last = after
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(last !== '' && { after: last }) })
    // A directory of an earlier version publishes none.
    const page = asRecord(await source.maybeJson(`${base}/api/purchases?${query}`))
    if (!Array.isArray(page.purchases)) return
    const told = page.purchases.slice(0, PAGE).flatMap(each => toldSchema.safeParse(each).data ?? [])
    const toLocalId = ({ serviceId }: Told) => deriveId(serviceId, sourceUrl)
    const known = await store.lookUp(told.map(toLocalId))
    const taken = told.flatMap(each => {
      const entry = known.get(toLocalId(each))?.entry
      return entry && follows(entry, sourceUrl) ? (toPeerPurchase(entry, each, sourceUrl, now) ?? []) : []
    })
    if (taken.length > 0) await store.purchases.takeOver(taken)
    const { next } = page
    if (typeof next !== 'string' || !isServiceId(toServiceId(next)) || next <= last) return
    last = next
    await onPage(last)
  }
}

type TakingDeps = {
  readonly store: Pick<Store, 'purchases' | 'lookUp'>
  readonly source: SourceReader
  readonly sourceUrl: string
}

/** The same for one payment, however often it is told of; undefined for one to another wallet than the listed one, or from the future. */
function toPeerPurchase(
  { id: serviceId, endpoint, x402Config }: Entry,
  { id, at, outcome, chain, asset, transaction, payment }: Told,
  sourceUrl: string,
  now: Date,
): PeerPurchase | undefined {
  const { payer, payTo, amount, price, currency } = payment
  const isListed =
    chain === chainKey(x402Config.network) &&
    payeeOf(payTo, chain) === payeeOf(x402Config.paymentAddress, x402Config.network)
  const isPast = idTimeMs(toServiceId(id)) <= now.getTime() && Date.parse(at) <= now.getTime()
  if (!isListed || !isPast) return undefined
  return {
    id: toPurchaseId(deriveId(toServiceId(id), sourceUrl)),
    source: 'peer',
    purpose: `peer ${sourceUrl} ${transaction} ${payTo}`,
    serviceId,
    host: sellingDomain(endpoint),
    at: new Date(at).toISOString(),
    state: 'settled',
    microUsd: 0,
    ...{ chain, asset, payTo, payer, amount },
    nonce: null,
    validBefore: null,
    charged: null,
    transaction,
    outcome,
    detail: { url: endpoint, price, currency, from: sourceUrl, reasons: [] },
  }
}
