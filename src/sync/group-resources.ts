// Makes services of the items of a list: the resources of one origin with one payee are one service.
import { addressSpellings } from '../domain/chains/addresses.ts'
import { findAsset } from '../domain/chains/assets.ts'
import { DirectoryError, invalid, toProblem } from '../domain/errors.ts'
import { asRecord, isRecord } from '../domain/json.ts'
import { categoryFromLabel, isCategoryId, KNOWN_CATEGORIES } from '../domain/listing/categories.ts'
import { sellerOf } from '../domain/listing/seller.ts'
import {
  type DraftPolicy,
  readDraft,
  type ServiceDraft,
  type SourceClaim,
} from '../domain/listing/service.ts'
import { compareDecimals, toDecimal } from '../domain/money/money.ts'
import { countCodePoints, isPlainText } from '../domain/text/text.ts'
import { type Message, say, unique } from '../messages/message.ts'

type Claim = Omit<SourceClaim, 'at'>

export type Listing = {
  /** Stable over all syncs of the source. */
  readonly key: string
  readonly draft: ServiceDraft
  /** What it is merged from, newest first; absent if it is not merged. */
  readonly items?: readonly ServiceDraft[]
  /** Of a merged service, one that asks its price. */
  readonly resource?: string
  /** Used as the local id if it is free. */
  readonly id?: string | undefined
  readonly claim?: Claim | undefined
}

export type Listings = {
  readonly listings: readonly Listing[]
  readonly problems: readonly string[]
  /** Whether a part of the source could not be read: missing listings may still exist. */
  readonly isPartial?: boolean
  /** Whether it is a list of what is paid for, and not of what there is. */
  readonly dropsUnused?: boolean
}

const MAX_DESCRIPTION = 2_000
const MAX_KEY = 128

/** Groups the items of a list; items that cannot be listed become problems. */
export function groupResources(items: readonly unknown[], policy: DraftPolicy): Listings {
  const { drafts, problems } = readItems(items, 'items', policy)
  const newestFirst = drafts.toSorted((a, b) => b.updatedMs - a.updatedMs)
  const groups = Map.groupBy(newestFirst, ({ draft }) => sellerOf(draft))
  const listings = [...groups].map(([key, group]) => {
    const items = group.map(({ draft }) => draft)
    const claim = joinClaims(group.map(({ item }) => readClaim(item)))
    if (items.length === 1) return { key, draft: items[0]!, claim }
    return { key, draft: merge(items), items, resource: usualOf(items).endpoint, claim }
  })
  return { listings, problems }
}

/** Reads the entries of an export document, each of which is a service. */
export function readExport(document: unknown, policy: DraftPolicy): Listings {
  const entries = asRecord(document).endpoints as readonly unknown[]
  const { drafts, problems } = readItems(entries, 'endpoints', policy)
  const listings = drafts.map(({ item, draft }) => {
    const { id } = asRecord(item)
    return isKey(id) ? { key: id, id, draft } : { key: sellerOf(draft), draft }
  })
  return { listings, problems }
}

/** Ids of other directories may have any form; the length is limited, as each is stored with its entry. */
const isKey = (id: unknown): id is string => typeof id === 'string' && isPlainText(MAX_KEY, id)

type ReadItem = { readonly item: unknown; readonly draft: ServiceDraft; readonly updatedMs: number }

function readItems(items: readonly unknown[], list: string, policy: DraftPolicy) {
  const drafts: ReadItem[] = []
  const problems: string[] = []
  for (const [index, item] of items.entries()) {
    try {
      const { draft } = readDraft(toBody(item, list), policy)
      drafts.push({ item, draft, updatedMs: toTimeMs(asRecord(item).lastUpdated) })
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      problems.push(`item ${index + 1}: ${error.message}`)
    }
  }
  return { drafts, problems }
}

/** Lists use ISO 8601 text, seconds or milliseconds. */
function toTimeMs(value: unknown): number {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof number === 'number') return number < 1e11 ? number * 1_000 : number
  return (typeof number === 'string' && Date.parse(number)) || 0
}

/** Most fields are those of the newest; the price is the most frequent one, and the lower one of a tie. */
export function merge(drafts: readonly ServiceDraft[]): ServiceDraft {
  const [newest] = drafts as [ServiceDraft]
  if (drafts.length === 1) return newest
  const endpoint = commonBase(drafts.map(draft => draft.endpoint))
  const names = new Set(drafts.map(({ name }) => name))
  return {
    ...newest,
    name: names.size === 1 ? newest.name : new URL(endpoint).host,
    description: joinDescriptions(drafts),
    endpoint,
    category: drafts.find(({ category }) => category !== 'other')?.category ?? newest.category,
    pricing: usualOf(drafts).pricing,
  }
}

/** The newest of those with the most frequent price. */
function usualOf(drafts: readonly ServiceDraft[]): ServiceDraft {
  const prices = [...Map.groupBy(drafts, ({ pricing }) => `${pricing.currency} ${pricing.pricePerRequest}`)]
  const [, [usual]] = prices.toSorted(
    ([, a], [, b]) =>
      b.length - a.length || compareDecimals(a[0]!.pricing.pricePerRequest, b[0]!.pricing.pricePerRequest),
  )[0] as [string, [ServiceDraft]]
  return usual
}

/** The deepest common folder of all endpoints. */
function commonBase(endpoints: readonly string[]): string {
  const paths = endpoints.map(endpoint => new URL(endpoint).pathname.split('/').slice(1))
  const [first] = paths as [string[]]
  let depth = 0
  while (depth < first.length && paths.every(path => path[depth] === first[depth])) depth++
  return `${new URL(endpoints[0]!).origin}/${first.slice(0, depth).join('/')}`
}

/** Every spelling of the addresses that they are paid at. */
export const payeesOf = (drafts: readonly ServiceDraft[]): string[] => [
  ...new Set(drafts.flatMap(({ x402Config: to }) => addressSpellings(to.paymentAddress, to.network))),
]

/** Each once, as far as they fit. */
export function joinDescriptions(drafts: readonly ServiceDraft[]): string {
  let joined = ''
  for (const text of new Set(drafts.map(({ description }) => description))) {
    const longer = joined === '' ? text : `${joined}\n${text}`
    if (countCodePoints(longer) > MAX_DESCRIPTION) break
    joined = longer
  }
  return joined
}

/** The block `quality` of the lists of Coinbase and of those that publish in its form; undefined if it says nothing. */
function readClaim(item: unknown): Claim | undefined {
  const { quality, extensions } = asRecord(item)
  const fields = asRecord(quality ?? asRecord(asRecord(extensions).bazaar).quality)
  const lastMs = toTimeMs(fields.lastCalledAt)
  const claim = {
    calls: toCount(fields.l30DaysTotalCalls),
    payers: toCount(fields.l30DaysUniquePayers),
    lastCalledAt: lastMs > 0 && lastMs < MAX_TIME_MS ? new Date(lastMs).toISOString() : null,
  }
  return Object.values(claim).some(value => value !== null) ? claim : undefined
}

/** 9999-12-31. */
const MAX_TIME_MS = 253_402_214_400_000

const toCount = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null

/** One wallet may pay for several resources: the largest number of payers is certain, their sum is not. */
function joinClaims(read: readonly (Claim | undefined)[]): Claim | undefined {
  const claims = read.filter(claim => claim !== undefined)
  const known = <V>(values: readonly (V | null)[]) => values.filter(value => value !== null)
  const [calls, payers] = [known(claims.map(claim => claim.calls)), known(claims.map(claim => claim.payers))]
  return claims.length === 0
    ? undefined
    : {
        calls: calls.length === 0 ? null : calls.reduce((sum, count) => sum + count, 0),
        payers: payers.length === 0 ? null : Math.max(...payers),
        lastCalledAt:
          known(claims.map(({ lastCalledAt }) => lastCalledAt))
            .toSorted()
            .at(-1) ?? null,
      }
}

// Converts an imported item to a registration body.

type Fields = Readonly<Record<string, unknown>>

/** @throws DirectoryError `invalid_request` if an item of a Bazaar list contains no usable payment requirements. */
export function toBody(value: unknown, list: string): unknown {
  const fields = asFields(value)
  if (fields === undefined) return value
  if (Array.isArray(fields.accepts)) return fromBazaar(fields, fields.accepts)
  return list === 'endpoints' ? fromExport(fields) : fields
}

/** An export has no description, so the name is used where none was added; its category label is mapped back to an id. */
const fromExport = ({ name, description = name, endpoint, category, pricing, x402Config }: Fields) => ({
  name,
  description,
  endpoint,
  category: typeof category === 'string' ? categoryFromLabel(category) : category,
  pricing,
  x402Config,
})

function fromBazaar(item: Fields, accepts: readonly unknown[]) {
  const resource = asFields(item.resource) ?? {}
  const metadata = asFields(item.metadata) ?? {}
  const endpoint = firstText(item.resource, item.url, resource.url)
  const offer = chooseOffer(accepts)
  const name = firstText(item.serviceName, resource.serviceName, metadata.name, item.name) ?? nameOf(endpoint)
  return {
    name,
    description:
      firstText(item.description, resource.description, metadata.description, offer.description) ?? name,
    endpoint,
    category: chooseCategory(metadata.category ?? item.category, item.tags ?? resource.tags),
    pricing: { currency: offer.currency, pricePerRequest: offer.price },
    x402Config: { paymentAddress: offer.payTo, network: offer.network },
  }
}

/** The first payment requirements in an asset with known decimals: without them the price is unknown. */
function chooseOffer(accepts: readonly unknown[]) {
  const reasons: Message[] = []
  for (const accept of accepts.map(asFields)) {
    const { network, asset: address, payTo, amount, maxAmountRequired, description } = accept ?? {}
    if (typeof network !== 'string' || typeof address !== 'string') {
      reasons.push(say('way_without_asset'))
      continue
    }
    const asset = findAsset(network, address)
    const price = asset && readAtomicAmount(amount ?? maxAmountRequired, asset.decimals)
    if (asset && price !== undefined) return { currency: asset.symbol, price, payTo, network, description }
    reasons.push(
      asset
        ? say('way_without_amount')
        : say('way_in_unknown_asset', { asset: address.slice(0, 80), network: network.slice(0, 64) }),
    )
  }
  throw invalid([toProblem('accepts', say('no_price_told', { reasons: unique(reasons) }))])
}

/** A known category takes precedence over any other tag. */
function chooseCategory(category: unknown, tags: unknown): string {
  const words = [category, ...(Array.isArray(tags) ? tags : [])]
    .filter((word): word is string => typeof word === 'string')
    .map(categoryFromLabel)
    .filter(isCategoryId)
  return words.find(id => Object.hasOwn(KNOWN_CATEGORIES, id)) ?? words[0] ?? 'other'
}

/** Host and path, as the name of a service without one. */
function nameOf(endpoint: string | undefined): string | undefined {
  const url = endpoint === undefined ? null : URL.parse(endpoint)
  return url ? (url.host + url.pathname).replace(/\/$/, '').slice(0, 255) : undefined
}

const asFields = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined)

const firstText = (...candidates: readonly unknown[]): string | undefined =>
  candidates.find(
    (candidate): candidate is string => typeof candidate === 'string' && candidate.trim() !== '',
  )

/**
 * Converts an amount in an asset's atomic units to a decimal price; undefined if it is not an integer, as when a list gives dollars
 * instead of atomic units.
 */
export function readAtomicAmount(amount: unknown, decimals: number): string | undefined {
  const digits = typeof amount === 'number' && Number.isSafeInteger(amount) ? String(amount) : amount
  if (typeof digits !== 'string' || !/^\d{1,78}$/.test(digits)) return undefined
  return toDecimal(BigInt(digits), decimals)
}
