// Groups the resources of a list into services: the resources of one origin with one payee are one service.

import { DirectoryError } from '../domain/errors.ts'
import { asRecord } from '../domain/json.ts'
import { type DraftPolicy, readDraft } from '../domain/listing/draft.ts'
import { sellerOf } from '../domain/listing/seller.ts'
import type { ServiceDraft } from '../domain/listing/service.ts'
import { compareDecimals } from '../domain/money/money.ts'
import { countCodePoints, isPlainText } from '../domain/text/text.ts'
import { toBody } from './to-body.ts'

export type Listing = {
  /** Stable over all syncs of the source. */
  readonly key: string
  readonly draft: ServiceDraft
  /** What it is merged from, newest first; absent if it is not merged. */
  readonly items?: readonly ServiceDraft[]
  /** Used as the local id if it is free. */
  readonly id?: string | undefined
}

export type Listings = {
  readonly listings: readonly Listing[]
  readonly problems: readonly string[]
  /** Whether a part of the source could not be read: missing listings may still exist. */
  readonly isPartial?: boolean
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
    return items.length === 1 ? { key, draft: items[0]! } : { key, draft: merge(items), items }
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
export function toTimeMs(value: unknown): number {
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
  const prices = [...Map.groupBy(drafts, ({ pricing }) => `${pricing.currency} ${pricing.pricePerRequest}`)]
  const [, [usual]] = prices.toSorted(
    ([, a], [, b]) =>
      b.length - a.length || compareDecimals(a[0]!.pricing.pricePerRequest, b[0]!.pricing.pricePerRequest),
  )[0] as [string, [ServiceDraft]]
  return {
    ...newest,
    name: names.size === 1 ? newest.name : new URL(endpoint).host,
    description: joinDescriptions(drafts),
    endpoint,
    category: drafts.find(({ category }) => category !== 'other')?.category ?? newest.category,
    pricing: usual.pricing,
  }
}

/** The deepest common folder of all endpoints. */
function commonBase(endpoints: readonly string[]): string {
  const paths = endpoints.map(endpoint => new URL(endpoint).pathname.split('/').slice(1))
  const [first] = paths as [string[]]
  let depth = 0
  while (depth < first.length && paths.every(path => path[depth] === first[depth])) depth++
  return `${new URL(endpoints[0]!).origin}/${first.slice(0, depth).join('/')}`
}

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
