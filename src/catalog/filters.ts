// How each filter is tested against the columns, which sorted indexes it has, and what it bounds. A filter that bounds an order is tested
// by the keys of that order and needs no entry here.

import { chainKey } from '../domain/chains/chains.ts'
import { categoryKey } from '../domain/listing/categories.ts'
import { type Policy, readNamed } from '../domain/policy.ts'
import {
  type AppliedFilters,
  type Bound,
  type BoundName,
  FILTER_NAMES,
  type FilterName,
  filterOf,
  INDEXED_FILTERS,
  type IndexedOrder,
  type SortKey,
} from '../domain/queries/filters.ts'
import { LEVELS, levelsUpTo, STATUSES } from '../domain/standing/standing.ts'
import { PROTOCOLS } from '../domain/terms/terms.ts'
import type { SlotTest, SortedSlots } from '../memory/sorted-slots.ts'
import type { Columns, FieldValues } from './columns.ts'

/** The same entries in each order, ascending. */
export type FilterSet = Readonly<Record<IndexedOrder, SortedSlots>>

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

type ColumnFilter<Applied> = {
  /** undefined if nothing can pass, because the value never occurred. */
  readonly compile: (columns: Columns, applied: Applied) => SlotTest | undefined
  readonly index?: Index<Single<Applied>>
}

type Applied<N extends FilterName> = NonNullable<AppliedFilters[N]>

const COLUMN_FILTERS = {
  category: {
    compile({ fields: { category }, categories }, id) {
      const wanted = categories.find(categoryKey(id))
      return wanted === undefined ? undefined : slot => category[slot] === wanted
    },
    index: {
      find: ({ categories }, id) => categories.find(categoryKey(id)),
      numbersOf: ({ fields }, slot) => [fields.category[slot]!],
      codeOf: ({ category }) => category,
    },
  },
  chain: {
    compile({ chains, chainsOfSet, fields: { chainSet } }, wantedChains) {
      const wanted = [wantedChains].flat().flatMap(chain => chains.find(chainKey(chain)) ?? [])
      if (wanted.length === 0) return undefined
      const isWanted = Uint8Array.from(chainsOfSet, chains => (chains.some(n => wanted.includes(n)) ? 1 : 0))
      return slot => isWanted[chainSet[slot]!] === 1
    },
    index: {
      find: ({ chains }, chain) => chains.find(chainKey(chain)),
      numbersOf: ({ chainsOfSet, fields }, slot) => chainsOfSet[fields.chainSet[slot]!]!,
      codeOf: ({ chainSet }) => chainSet,
    },
  },
  status: {
    compile({ fields }, status) {
      const wanted = STATUSES.indexOf(status)
      const statuses = fields.status
      return slot => statuses[slot] === wanted
    },
    index: {
      find: (_, status) => STATUSES.indexOf(status),
      numbersOf: ({ fields }, slot) => [fields.status[slot]!],
      codeOf: ({ status }) => status,
    },
  },
  level: {
    compile({ fields: { level: levels } }, level) {
      const passes = Uint8Array.from(LEVELS, each => (levelsUpTo(each).includes(level) ? 1 : 0))
      return slot => passes[levels[slot]!] === 1
    },
  },
  currency: {
    compile({ fields: { currency }, currencies }, wanted) {
      const isWanted = new Uint8Array(currencies.texts.length)
      for (const text of wanted) isWanted[currencies.find(text) ?? isWanted.length] = 1
      return isWanted.includes(1) ? slot => isWanted[currency[slot]!] === 1 : undefined
    },
  },
  protocol: {
    compile({ fields: { protocols } }, protocol) {
      const wanted = 1 << PROTOCOLS.indexOf(protocol)
      return slot => (protocols[slot]! & wanted) !== 0
    },
  },
  freeQuota: {
    compile(columns, free) {
      const price = columns.keys.price.comparisonTo('0')
      return slot => columns.hasFreeQuota(slot) || (free === 'any' && price(slot) === 0)
    },
  },
} satisfies { readonly [N in Exclude<FilterName, BoundName>]: ColumnFilter<Applied<N>> }

type ColumnFilters = typeof COLUMN_FILTERS
/** The filters with a sorted index. */
export type IndexedName = {
  [N in keyof ColumnFilters]: ColumnFilters[N] extends { readonly index: object } ? N : never
}[keyof ColumnFilters]

export const INDEXED_NAMES: readonly IndexedName[] = INDEXED_FILTERS

export const indexOf = (name: IndexedName): Index<unknown> => COLUMN_FILTERS[name].index as Index<unknown>

/** A test for the filters, valid until the catalog changes; undefined if some value never occurred, so that nothing can pass. */
export function toAcceptor(columns: Columns, filters: AppliedFilters): SlotTest | undefined {
  const tests: SlotTest[] = []
  for (const name of FILTER_NAMES) {
    const applied = filters[name]
    if (applied === undefined) continue
    const { bound } = filterOf(name)
    const test = bound
      ? withinBound(columns, bound, applied)
      : (COLUMN_FILTERS as Partial<Record<FilterName, ColumnFilter<unknown>>>)[name]!.compile(
          columns,
          applied,
        )
    if (test === undefined) return undefined
    tests.push(test)
  }
  const [first, second] = tests
  if (first === undefined) return () => true
  if (second === undefined) return first
  if (tests.length === 2) return slot => first(slot) && second(slot)
  return slot => {
    for (let i = 0; i < tests.length; i++) if (!tests[i]!(slot)) return false
    return true
  }
}

/** The parts of the catalog that find what a policy names. */
type NamedParts = {
  readonly columns: Columns
  readonly ids: { find(id: string): number | undefined }
  readonly offers: { withPayee(payee: string, limit: number): readonly number[] }
  readonly places: { onHost(host: string): readonly number[] }
}

const ALLOWED = 1
const REFUSED = 2

/** What a policy allows, until the catalog changes: every field of the policy narrows it. */
export type PolicyTest = {
  readonly passes: SlotTest
  /** How often `passes` was false: a search counts by it without a further call for each of thousands of entries. */
  readonly refusals: { count: number }
}

export function toPolicyTest(parts: NamedParts, policy: Policy): PolicyTest {
  const refusals = { count: 0 }
  const { columns } = parts
  const { levels, maxUsdPrice, chains, protocols, allow, deny } = policy
  const filters = toAcceptor(columns, {
    ...(chains && { chain: chains }),
    ...(maxUsdPrice !== undefined && { maxUsdPrice: { amount: maxUsdPrice, below: false } }),
  })
  const isLevel = Uint8Array.from(LEVELS, level => (!levels || levels.includes(level) ? 1 : 0))
  const wanted = (protocols ?? []).reduce((bits, protocol) => bits | (1 << PROTOCOLS.indexOf(protocol)), 0)
  const allowed = allow && slotsNamed(parts, allow)
  const denied = slotsNamed(parts, deny ?? [])
  const isAllowed: SlotTest = slot =>
    filters !== undefined &&
    isLevel[columns.fields.level[slot]!] === 1 &&
    (wanted === 0 || (columns.fields.protocols[slot]! & wanted) !== 0) &&
    (allowed === undefined || allowed.has(slot)) &&
    !denied.has(slot) &&
    filters(slot)
  // Prices are slow to compare, and a search tests the same entries again and again.
  const known = new Uint8Array(columns.capacity)
  const passes: SlotTest = slot => {
    known[slot] ||= isAllowed(slot) ? ALLOWED : REFUSED
    if (known[slot] === ALLOWED) return true
    refusals.count++
    return false
  }
  return { passes, refusals }
}

function slotsNamed({ ids, offers, places }: NamedParts, names: readonly string[]): ReadonlySet<number> {
  return new Set(
    names.flatMap(text => {
      const { kind, name } = readNamed(text) ?? {}
      if (name === undefined || kind === 'collection') return []
      if (kind === 'service') return ids.find(name) ?? []
      return kind === 'host' ? places.onHost(name) : offers.withPayee(name, Number.POSITIVE_INFINITY)
    }),
  )
}

/** Whether the slot's key is within the bound. */
function withinBound(
  columns: Columns,
  { order, is, key, isStrict }: Bound<unknown>,
  applied: unknown,
): SlotTest {
  const compare = columns.keys[order].comparisonTo(key(applied))
  const isEqualOut = isStrict?.(applied) ?? false
  if (is === 'atMost') return isEqualOut ? slot => compare(slot) < 0 : slot => compare(slot) <= 0
  return isEqualOut ? slot => compare(slot) > 0 : slot => compare(slot) >= 0
}

/** The positions in an order from `from` to before `to`. */
type Range = {
  readonly filter: FilterName
  readonly order: SortKey
  readonly from: number
  readonly to: number
}

/** A filter that bounds an order passes a contiguous range of its sorted index; undefined if the filter bounds none. */
export function rangeOf(
  columns: Columns,
  set: FilterSet,
  filter: FilterName,
  applied: unknown,
): Range | undefined {
  const { bound } = filterOf(filter)
  if (!bound) return undefined
  const { order, is } = bound
  const slots = set[order]
  const isWithin = withinBound(columns, bound, applied)
  return is === 'atMost'
    ? { filter, order, from: 0, to: slots.countWhile(isWithin) }
    : { filter, order, from: slots.countWhile(slot => !isWithin(slot)), to: slots.size }
}

/** The smallest range over all filters; undefined if none bounds an order. */
export function smallestRange(columns: Columns, set: FilterSet, filters: AppliedFilters): Range | undefined {
  let smallest: Range | undefined
  for (const name of FILTER_NAMES) {
    const range = filters[name] === undefined ? undefined : rangeOf(columns, set, name, filters[name])
    if (range && (!smallest || range.to - range.from < smallest.to - smallest.from)) smallest = range
  }
  return smallest
}
