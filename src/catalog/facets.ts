// Counts entries per filter value and per category.

import { type Category, categoryKey, categoryLabels, KNOWN_CATEGORIES } from '../domain/listing/categories.ts'
import { isKnownCurrency } from '../domain/money/money.ts'
import type { AppliedFilters, Count, FacetName, Facets } from '../domain/queries/filters.ts'
import { LEVELS, levelsUpTo, STATUSES } from '../domain/standing/standing.ts'
import { PROTOCOLS } from '../domain/terms/terms.ts'
import { compareCodePoints } from '../domain/text/text.ts'
import type { SlotTest } from '../memory/sorted-slots.ts'
import type { Columns } from './columns.ts'
import { INDEXED_NAMES, type IndexedName, toAcceptor } from './filters.ts'
import type { SortedIndexes } from './sorted-indexes.ts'

type Parts = {
  readonly columns: Columns
  readonly sortedIndexes: SortedIndexes
}

/** Entries tested per page, a few milliseconds, during which nothing else is served. */
const MAX_TESTED = 250_000

/** The values of a filter: their texts by number, and the number of each slot. */
type Values = {
  readonly texts: (columns: Columns) => readonly string[]
  readonly numbers: (columns: Columns) => ArrayLike<number>
  /** If a number stands for several values: these. */
  readonly expand?: (columns: Columns) => readonly (readonly number[])[]
  /** Providers can invent any number of values: well-known ones come first among equals. */
  readonly isKnown?: (text: string) => boolean
}

/** In the order in which facets are counted until MAX_TESTED. */
const VALUES: { readonly [N in FacetName]: Values } = {
  status: { texts: () => STATUSES, numbers: ({ fields }) => fields.status },
  level: {
    texts: () => LEVELS,
    numbers: ({ fields }) => fields.level,
    expand: () => LEVELS.map(level => levelsUpTo(level).map(each => LEVELS.indexOf(each))),
  },
  category: { texts: ({ categories }) => categories.texts, numbers: ({ fields }) => fields.category },
  chain: {
    texts: ({ chains }) => chains.texts,
    numbers: ({ fields }) => fields.chainSet,
    expand: ({ chainsOfSet }) => chainsOfSet,
  },
  currency: {
    texts: ({ currencies }) => currencies.texts,
    numbers: ({ fields }) => fields.currency,
    isKnown: isKnownCurrency,
  },
  protocol: {
    texts: () => PROTOCOLS,
    numbers: ({ fields }) => fields.protocols,
    expand: () => [[], [0], [1], [0, 1]],
  },
}

export function countFacets(parts: Parts, filters: AppliedFilters, maxTested = MAX_TESTED): Facets {
  const budget = { left: maxTested }
  return Object.fromEntries(
    (Object.keys(VALUES) as FacetName[]).map(name => {
      const { [name]: _, ...others } = filters
      return [name, countFacet(parts, name, others, budget)]
    }),
  ) as unknown as Facets
}

/** Counts each value among the entries that pass the other filters. */
function countFacet(
  parts: Parts,
  name: FacetName,
  others: AppliedFilters,
  budget: { left: number },
): Count[] {
  const { columns } = parts
  const { texts, isKnown = () => false } = VALUES[name]
  const counts = countPassing(parts, name, others, budget)
  return texts(columns)
    .map((id, number) => ({ id, count: counts && (counts[number] ?? 0) }))
    .filter(({ count }) => count !== 0)
    .sort(
      (a, b) =>
        (b.count ?? 0) - (a.count ?? 0) ||
        Number(isKnown(b.id)) - Number(isKnown(a.id)) ||
        compareCodePoints(a.id, b.id),
    )
}

const isIndexed = (name: FacetName): name is FacetName & IndexedName =>
  (INDEXED_NAMES as readonly string[]).includes(name)

/** Counts by value number; undefined if it would exceed the budget. */
function countPassing(
  { columns, sortedIndexes }: Parts,
  name: FacetName,
  filters: AppliedFilters,
  budget: { left: number },
): ArrayLike<number> | undefined {
  const narrowed = sortedIndexes.narrow(filters)
  const accepts = narrowed && toAcceptor(columns, narrowed.rest)
  if (!narrowed || !accepts) return []
  const { age } = narrowed.set
  if (isIndexed(name) && age === sortedIndexes.all.age && Object.keys(narrowed.rest).length === 0)
    return VALUES[name].texts(columns).map((_, number) => sortedIndexes.countOf(name, number))
  if (age.size > budget.left) return undefined
  budget.left -= age.size
  return countValues(columns, VALUES[name], visit =>
    age.scan(0, 1, slot => {
      if (accepts(slot)) visit(slot)
      return true
    }),
  )
}

/** @param visitAll calls back with each slot to count */
function countValues(
  columns: Columns,
  { texts, numbers, expand }: Values,
  visitAll: (visit: (slot: number) => void) => void,
): Uint32Array {
  const numberOf = numbers(columns)
  const groups = expand?.(columns)
  const counts = new Uint32Array(groups ? groups.length : texts(columns).length)
  visitAll(slot => counts[numberOf[slot]!]!++)
  if (!groups) return counts
  const expanded = new Uint32Array(texts(columns).length)
  groups.forEach((group, number) => {
    for (const value of group) expanded[value]! += counts[number]!
  })
  return expanded
}

/** Counts the entries of every known or used category. */
export function countCategories({ columns, sortedIndexes }: Parts, passes?: SlotTest): Category[] {
  const passing =
    passes &&
    countValues(columns, VALUES.category, visit =>
      sortedIndexes.all.age.scan(0, 1, slot => {
        if (passes(slot)) visit(slot)
        return true
      }),
    )
  const used = columns.categories.texts.map((id, number) => ({
    id,
    count: passing ? passing[number]! : sortedIndexes.countOf('category', number),
  }))
  const counts = new Map(used.map(({ id, count }) => [id, count]))
  const others = used
    .filter(({ id, count }) => count > 0 && !Object.hasOwn(KNOWN_CATEGORIES, id))
    .map(({ id }) => id)
  return [...Object.keys(KNOWN_CATEGORIES), ...others.sort(compareCodePoints)].map(id => ({
    id,
    labels: categoryLabels(id),
    count: counts.get(categoryKey(id)) ?? 0,
  }))
}
