// The table of sort orders. Names in every interface, keys that are indexed and compared, default directions and the content of
// cursors come from it; web/languages/ has the words of each order on pages.

import type { Entry } from '../listing/service.ts'
import { dollarPriceOf, type Rates } from '../money/rates.ts'
import { MAX_LATENCY_MS } from '../standing/latency.ts'
import { costOf } from '../terms/terms.ts'
import { lowerCaseName } from '../text/text.ts'

export const SORT_ORDERS = ['asc', 'desc'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** The part of an entry that its prices depend on. */
export type Priced = Pick<Entry, 'pricing' | 'seen'>

/** The sort key of an entry. */
type Key =
  /** A whole number from 0 to `max`, which is below 2^32 - 1. Unless it is total, undefined if the entry has none; sorts like below. */
  | {
      readonly kind: 'number'
      readonly max: number
      readonly isTotal: boolean
      readonly of: (entry: Entry) => number | undefined
    }
  /** A decimal, compared exactly; undefined if the entry has none, which sorts last in both directions. */
  | { readonly kind: 'decimal'; readonly of: (entry: Priced, rates: Rates) => string | undefined }
  /** A text, compared by code points. */
  | { readonly kind: 'text'; readonly of: (entry: Entry) => string }

export type OrderDefinition = {
  readonly key: Key
  /** The default direction. */
  readonly direction: SortOrder
}

export const ORDERS = {
  price: { key: { kind: 'decimal', of: costOf }, direction: 'asc' },
  trustScore: {
    key: { kind: 'number', max: 100, isTotal: true, of: ({ standing }) => standing.trustScore },
    direction: 'desc',
  },
  usdPrice: {
    key: { kind: 'decimal', of: (entry, rates) => dollarPriceOf(entry, rates)?.amount },
    direction: 'asc',
  },
  latency: {
    key: { kind: 'number', max: MAX_LATENCY_MS, isTotal: false, of: ({ latencyMs }) => latencyMs },
    direction: 'asc',
  },
  name: { key: { kind: 'text', of: ({ name }) => lowerCaseName(name) }, direction: 'asc' },
} as const satisfies Readonly<Record<string, OrderDefinition>>

export type SortKey = keyof typeof ORDERS
export const SORT_KEYS = Object.keys(ORDERS) as [SortKey, ...SortKey[]]

/** Every order with a sorted index; `age` is the id alone, and breaks ties in the others. */
export type IndexedOrder = SortKey | 'age'
export const INDEXED_ORDERS: readonly IndexedOrder[] = ['age', ...SORT_KEYS]

export const directionOf = (order: IndexedOrder): SortOrder =>
  order === 'age' ? 'desc' : ORDERS[order].direction

export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0
const isWord = (value: unknown) => isCount(value) && value <= 0xffff_ffff

/** Whether a cursor can hold these keys: a decimal takes four words. */
const KEY_CHECKS: Readonly<Record<Key['kind'], (keys: readonly unknown[]) => boolean>> = {
  number: keys => keys.length === 1 && isCount(keys[0]),
  decimal: keys => keys.length === 4 && keys.every(isWord),
  text: keys => keys.length === 1 && typeof keys[0] === 'string',
}

export const areKeysOf = (order: IndexedOrder, keys: readonly unknown[]): boolean =>
  order === 'age' ? keys.length === 0 : KEY_CHECKS[ORDERS[order].key.kind](keys)
