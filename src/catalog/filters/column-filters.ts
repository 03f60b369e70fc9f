// How each filter is tested against the columns, which sorted indexes it has, and its values. A filter that bounds an order is tested
// by the keys of that order and needs no entry here.

import { chainKey } from '../../domain/chains/chains.ts'
import { categoryKey } from '../../domain/listing/categories.ts'
import { isKnownCurrency, toPriceWords } from '../../domain/money/money.ts'
import {
  type AppliedFilters,
  type Bound,
  type BoundName,
  type FacetName,
  type FilterName,
  filterOf,
} from '../../domain/queries/filters.ts'
import { STATUSES } from '../../domain/standing/standing.ts'
import type { Columns, FieldValues } from '../columns/columns.ts'
import {
  chainSetBits,
  currencyBits,
  freeQuotaBits,
  levelBits,
  levelOf,
  type PackedTest,
  statusBits,
  statusIn,
} from '../columns/packed-filter-bits.ts'

export type SlotTest = (slot: number) => boolean

/** Valid until the catalog changes. */
export type CompiledFilter = {
  readonly passes: SlotTest
  /** A faster test by packed bits, if they cover the filter. */
  readonly packed?: PackedTest
}

/** A single value; filters by several values are not indexed. */
type Single<Applied> = Applied extends object ? never : Applied

/** Maps entries to value numbers, for the sorted indexes. */
type Index<Applied> = {
  /** undefined if the value never occurred. */
  readonly find: (columns: Columns, applied: Applied) => number | undefined
  readonly numbersOf: (columns: Columns, slot: number) => readonly number[]
  /** Entries with equal codes have equal values; an entry whose code changes moves to other sets. */
  readonly codeOf: (values: FieldValues) => number
}

/** The values of a filter. */
type Values = {
  readonly texts: (columns: Columns) => readonly string[]
  /** For filters with too many values to count one by one: value number per slot, entries per value, and which values are well known. */
  readonly counted?: {
    readonly numbers: (columns: Columns) => ArrayLike<number>
    readonly countOf: (columns: Columns, number: number) => number
    readonly isKnown: (text: string) => boolean
  }
}

type ColumnFilter<Applied> = {
  /** undefined if nothing can pass, because the value never occurred. */
  readonly compile: (columns: Columns, applied: Applied) => CompiledFilter | undefined
  readonly index?: Index<Single<Applied>>
}

type Applied<N extends FilterName> = NonNullable<AppliedFilters[N]>

const COLUMN_FILTERS = {
  category: {
    compile({ category, categories }, id) {
      const wanted = categories.find(categoryKey(id))
      return wanted === undefined ? undefined : { passes: slot => category[slot] === wanted }
    },
    index: {
      find: ({ categories }, id) => categories.find(categoryKey(id)),
      numbersOf: ({ category }, slot) => [category[slot]!],
      codeOf: ({ category }) => category,
    },
  },
  chain: {
    compile({ chains, chainsOfSet, chainSet }, wantedChains) {
      const wanted = [wantedChains].flat().flatMap(chain => chains.find(chainKey(chain)) ?? [])
      if (wanted.length === 0) return undefined
      const isWanted = Uint8Array.from(chainsOfSet, chains => (chains.some(n => wanted.includes(n)) ? 1 : 0))
      return { passes: slot => isWanted[chainSet[slot]!] === 1, packed: chainSetBits(isWanted) }
    },
    index: {
      find: ({ chains }, chain) => chains.find(chainKey(chain)),
      numbersOf: ({ chainsOfSet, chainSet }, slot) => chainsOfSet[chainSet[slot]!]!,
      codeOf: ({ chainSet }) => chainSet,
    },
  },
  status: {
    compile(columns, status) {
      const wanted = STATUSES.indexOf(status)
      return { passes: slot => columns.statusNumber(slot) === wanted, packed: statusBits(wanted) }
    },
    index: {
      find: (_, status) => STATUSES.indexOf(status),
      numbersOf: (columns, slot) => [columns.statusNumber(slot)],
      codeOf: ({ bits }) => statusIn(bits),
    },
  },
  currency: {
    compile({ currency, currencies }, wanted) {
      const isWanted = new Uint8Array(currencies.texts.length)
      for (const text of wanted) isWanted[currencies.find(text) ?? isWanted.length] = 1
      if (!isWanted.includes(1)) return undefined
      return { passes: slot => isWanted[currency[slot]!] === 1, packed: currencyBits(isWanted) }
    },
  },
  freeQuota: {
    compile(columns, free) {
      const price = columns.keys.price.comparisonTo('0')
      return {
        passes: slot => columns.hasFreeQuota(slot) || (free === 'any' && price(slot) === 0),
        packed: freeQuotaBits(free),
      }
    },
  },
} satisfies { readonly [N in Exclude<FilterName, BoundName>]: ColumnFilter<Applied<N>> }

type ColumnFilters = typeof COLUMN_FILTERS
/** The filters with a sorted index. */
export type IndexedName = {
  [N in keyof ColumnFilters]: ColumnFilters[N] extends { readonly index: object } ? N : never
}[keyof ColumnFilters]

/** Packed-bits tests of filters that bound an order. */
const BOUND_BITS: { readonly [N in BoundName]?: (applied: Applied<N>) => PackedTest } = {
  maxPricePerRequest: ({ amount }) => levelBits(levelOf(toPriceWords(amount))),
}

/** The filter combinations that have sorted indexes; larger combinations first. */
export const INDEXED_SETS: readonly (readonly IndexedName[])[] = [
  ['category', 'chain'],
  ['category'],
  ['chain'],
  ['status'],
]

/** In the order in which facets are counted until the budget is spent. */
export const VALUES: { readonly [N in FacetName]: Values } = {
  status: { texts: () => STATUSES },
  category: { texts: ({ categories }) => categories.texts },
  chain: { texts: ({ chains }) => chains.texts },
  currency: {
    texts: ({ currencies }) => currencies.texts,
    counted: {
      numbers: ({ currency }) => currency,
      countOf: (columns, number) => columns.countOfCurrency(number),
      isKnown: isKnownCurrency,
    },
  },
}

/** Whether the slot's key is within the bound. */
export function withinBound(
  columns: Columns,
  { order, is, key, isStrict }: Bound<unknown>,
  applied: unknown,
): SlotTest {
  const compare = columns.keys[order].comparisonTo(key(applied))
  const isEqualOut = isStrict?.(applied) ?? false
  if (is === 'atMost') return isEqualOut ? slot => compare(slot) < 0 : slot => compare(slot) <= 0
  return isEqualOut ? slot => compare(slot) > 0 : slot => compare(slot) >= 0
}

/** undefined if nothing can pass. */
export function compileFilter(
  columns: Columns,
  name: FilterName,
  applied: unknown,
): CompiledFilter | undefined {
  const { bound } = filterOf(name)
  if (bound) {
    const packed = (BOUND_BITS as Partial<Record<FilterName, (applied: unknown) => PackedTest>>)[name]
    const passes = withinBound(columns, bound, applied)
    return packed ? { passes, packed: packed(applied) } : { passes }
  }
  return columnFilterOf(name)!.compile(columns, applied)
}

export const indexOf = (name: IndexedName): Index<unknown> => COLUMN_FILTERS[name].index as Index<unknown>

const columnFilterOf = (name: FilterName): ColumnFilter<unknown> | undefined =>
  (COLUMN_FILTERS as Partial<Record<FilterName, ColumnFilter<unknown>>>)[name]
