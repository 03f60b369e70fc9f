// The columns that the x402 discovery list filters by: asset, payee, schemes, and whether a service is active.

import { addressKey, addressKeys, sameAddress } from '../domain/chains/addresses.ts'
import type { Asset } from '../domain/chains/assets.ts'
import { chainKey } from '../domain/chains/chains.ts'
import {
  type BazaarItem,
  OFFER_EXTENSION,
  OFFER_SCHEME,
  OFFER_TYPE,
  type OfferFilters,
  TOOL_TYPE,
  toBazaarItem,
  toOfferedAsset,
} from '../domain/formats/bazaar.ts'
import type { Entry } from '../domain/listing/service.ts'
import { type AppliedFilters, FILTER_NAMES, toApplied } from '../domain/queries/filters.ts'
import { grown } from '../memory/growing.ts'
import { HashedTexts } from '../memory/hash-table.ts'
import type { SlotTest } from '../memory/sorted-slots.ts'
import { Interner } from '../memory/string-table.ts'
import { type RankingSource, rankSlots } from '../search/ranking/answer.ts'
import type { Columns } from './columns.ts'
import { toAcceptor } from './filters.ts'
import type { Records, SlotTable } from './records.ts'
import type { SortedIndexes } from './sorted-indexes.ts'

type OfferTest = {
  readonly accepts: SlotTest
  /** The only slots that can pass, unordered, if they are few. */
  readonly candidates: readonly number[] | undefined
}

const EXACT = 1
const UPTO = 2
const OTHER_SCHEME = 4
const SEEN = 8
const TOOL = 16

/** The service is not in the list: its endpoint was not read, and the asset of its listing is unknown. */
const NOT_LISTED = 0
/** Its endpoint was read, but the asset of its listing is unknown. */
const SEEN_ONLY = 1
const FIRST_ASSET = 2

/** Above this share of all entries, scanning them in order costs less than sorting the candidates. */
const MAX_CANDIDATE_SHARE = 1 / 32

export class Offers {
  /** Every asset of any entry. */
  readonly #assets = new Interner()
  /** NOT_LISTED, SEEN_ONLY, or the asset's number from FIRST_ASSET on. */
  #asset = new Uint16Array(0)
  readonly #payees = new HashedTexts()
  #isLive = new Uint8Array(0)
  /** Bits: its payment schemes, whether they were observed, and whether it is an MCP tool. */
  #schemes = new Uint8Array(0)

  get bytes(): number {
    return this.#asset.byteLength + this.#schemes.byteLength + this.#payees.bytes + this.#isLive.byteLength
  }

  write(slot: number, entry: Entry): void {
    this.#asset = grown(this.#asset, slot + 1)
    this.#isLive = grown(this.#isLive, slot + 1)
    this.#schemes = grown(this.#schemes, slot + 1)
    const asset = toOfferedAsset(entry)
    this.#asset[slot] = asset
      ? FIRST_ASSET + this.#assets.number(toAssetKey(asset))
      : entry.seen
        ? SEEN_ONLY
        : NOT_LISTED
    this.#schemes[slot] = schemesOf(entry)
    this.#isLive[slot] = entry.standing.status === 'inactive' ? 0 : 1
    const { paymentAddress, network } = entry.x402Config
    this.#payees.write(slot, addressKey(paymentAddress, network))
  }

  release(slot: number): void {
    this.#asset[slot] = NOT_LISTED
    this.#payees.release(slot)
  }

  isSamePayee(slot: number, other: number): boolean {
    return this.#payees.has(other, this.#payees.wordsOf(slot))
  }

  /** Slots with the same payee as this one, itself included, unordered. */
  withPayeeOf(slot: number, limit: number): number[] {
    return this.#payees.findSome(this.#payees.wordsOf(slot), limit)
  }

  /** Slots paid to an address on any chain, at most `limit` per spelling of the address, unordered. */
  withPayee(payTo: string, limit: number): number[] {
    const slots = addressKeys(payTo).flatMap(key => this.#payees.of(key, limit))
    return [...new Set(slots)]
  }

  /** A test for the discovery filters; undefined if nothing can pass. */
  acceptor(filters: OfferFilters): OfferTest | undefined {
    const isWanted = wantedAssets(this.#assets.texts, filters)
    const wantedSchemes = schemesWanted(filters)
    const wantedKind = kindWanted(filters)
    if (!isWanted.includes(1) || !wantedSchemes || wantedKind === 'none') return undefined
    const { payTo, network } = filters
    const [asset, payees, isLive, schemes] = [this.#asset, this.#payees, this.#isLive, this.#schemes]
    const wanted = payTo === undefined ? undefined : toPayeeKeys(payTo, network).map(key => payees.words(key))
    const accepts = (slot: number): boolean =>
      (wanted === undefined || wanted.some(payee => payees.has(slot, payee))) &&
      isWanted[asset[slot]!] === 1 &&
      wantedSchemes.every(bit => (schemes[slot]! & bit) !== 0) &&
      (wantedKind === 'any' || (schemes[slot]! & TOOL) === wantedKind) &&
      isLive[slot] === 1
    const most = Math.max(100, asset.length * MAX_CANDIDATE_SHARE)
    const candidates = wanted?.flatMap(payee => payees.findSome(payee, most + 1))
    return { accepts, candidates: candidates && candidates.length <= most ? candidates : undefined }
  }
}

/** The normalised spelling of an address depends on its chain; without a chain, every spelling is tried. */
const toPayeeKeys = (payTo: string, network: string | undefined): string[] =>
  network === undefined ? addressKeys(payTo) : [addressKey(payTo, network)]

/** An endpoint that was never read counts as `exact`, the most common scheme. The first resource is the one shown in an item. */
function schemesOf({ seen }: Entry): number {
  if (!seen) return EXACT
  const options = seen.resources.flatMap(resource => resource.ways)
  const kind = seen.resources[0]?.tool === undefined ? 0 : TOOL
  return options.reduce((bits, { scheme }) => bits | bitOf(scheme), SEEN | kind)
}

/** The required value of the TOOL bit. */
function kindWanted({ type }: OfferFilters): 0 | typeof TOOL | 'any' | 'none' {
  const kind = type?.toLowerCase()
  if (kind === undefined) return 'any'
  return kind === OFFER_TYPE ? 0 : kind === TOOL_TYPE ? TOOL : 'none'
}

const bitOf = (scheme: string): number =>
  scheme === OFFER_SCHEME ? EXACT : scheme === 'upto' ? UPTO : OTHER_SCHEME

/** The bits that an entry must all have; undefined if none can. */
function schemesWanted({ scheme, extensions }: OfferFilters): number[] | undefined {
  const keys = extensions?.split(',').map(key => key.trim()) ?? []
  if (keys.some(key => key !== OFFER_EXTENSION && key !== 'bazaar')) return undefined
  return [
    ...(scheme === undefined ? [] : [bitOf(scheme.toLowerCase())]),
    // Only observed endpoints have schemas.
    ...(keys.includes('bazaar') ? [SEEN] : []),
  ]
}

// No CAIP-2 id has a space.
const toAssetKey = ({ chain, address }: Asset): string => `${chain} ${address}`

/** 1 for each accepted asset, by its number. @param keys of all assets */
function wantedAssets(keys: readonly string[], { network, asset }: OfferFilters): Uint8Array {
  const wanted = network === undefined ? undefined : chainKey(network)
  const isWanted = (key: string) => {
    const chain = key.slice(0, key.indexOf(' '))
    const address = key.slice(chain.length + 1)
    return (
      (wanted === undefined || chain === wanted) &&
      (asset === undefined || sameAddress(address, asset, chain))
    )
  }
  const isAny = network === undefined && asset === undefined
  const isWantedOf = new Uint8Array(FIRST_ASSET + keys.length)
  isWantedOf[SEEN_ONLY] = isAny ? 1 : 0
  for (let i = 0; i < keys.length; i++) isWantedOf[FIRST_ASSET + i] = isWanted(keys[i]!) ? 1 : 0
  return isWantedOf
}

// The x402 discovery list and search, served from memory.

/** A page of items, newest first. */
export type OfferPage = {
  readonly items: readonly BazaarItem[]
  readonly total: number
  /** How many a policy leaves out. */
  readonly suppressed: number
}
export type OfferHits = {
  readonly items: readonly BazaarItem[]
  /** Whether there is a next page. */
  readonly hasNext: boolean
  /** Whether there may be more hits than can be paged through. */
  readonly isPartial: boolean
}

type Parts = {
  readonly columns: Columns
  readonly offers: Offers
  readonly records: Records
  readonly ranking: RankingSource
}

/** Maximum number of ranked hits; deeper ones would be found by a better query. */
const MAX_RANKED = 500

/** Newest first. @param passes what the policy of the caller allows */
export function listOffers(
  parts: Parts & { readonly sortedIndexes: SortedIndexes; readonly ids: SlotTable },
  { limit, offset, ...filters }: OfferFilters & { limit: number; offset: number },
  passes: SlotTest = () => true,
): OfferPage {
  const applied = toApplied(filters)
  const test = toTest(parts, filters, applied)
  const { chain = filters.network } = applied
  const narrowed = parts.sortedIndexes.narrow(chain === undefined ? applied : { ...applied, chain })
  if (!test || !narrowed) return { items: [], total: 0, suppressed: 0 }
  const end = offset + limit
  if (test.candidates) {
    const found = test.candidates.filter(test.accepts).sort((a, b) => parts.ids.compare(b, a))
    const passed = found.filter(passes)
    const total = passed.length
    return { items: toItems(parts, passed.slice(offset, end)), total, suppressed: found.length - total }
  }
  const slots: number[] = []
  const { age } = narrowed.set
  let count = 0
  let suppressed = 0
  age.scan(age.size - 1, -1, slot => {
    if (!test.accepts(slot)) return true
    if (passes(slot)) {
      if (count >= offset && count < end) slots.push(slot)
      count++
    } else suppressed++
    return true
  })
  return { items: toItems(parts, slots), total: count, suppressed }
}

/** Best first. */
export function searchOffers(
  parts: Parts,
  words: string,
  filters: OfferFilters,
  { offset, limit }: { offset: number; limit: number },
  passes?: SlotTest,
): OfferHits {
  const test = toTest(parts, filters, toApplied(filters))
  const accepts = test && passes ? (slot: number) => test.accepts(slot) && passes(slot) : test?.accepts
  const hits = accepts ? rankSlots(parts.ranking, words, MAX_RANKED, accepts) : []
  const end = offset + limit
  return {
    items: toItems(parts, hits.slice(offset, end)),
    hasNext: hits.length > end,
    isPartial: hits.length >= MAX_RANKED,
  }
}

/** Combines the discovery filters with the common ones; undefined if nothing can pass. */
function toTest(parts: Parts, filters: OfferFilters, applied: AppliedFilters): OfferTest | undefined {
  const test = parts.offers.acceptor(filters)
  if (!test || FILTER_NAMES.every(name => applied[name] === undefined)) return test
  const filter = toAcceptor(parts.columns, applied)
  return filter && { ...test, accepts: slot => test.accepts(slot) && filter(slot) }
}

function toItems({ records, ranking }: Parts, slots: readonly number[]): BazaarItem[] {
  return slots.map(slot =>
    toBazaarItem(records.service(slot).decode(), records.status(slot).decode(), ranking.marksOf(slot)),
  )
}
