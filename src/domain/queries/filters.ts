// The tables of orders and filters, which every list, search, page, tool and flag loops over, and what their values mean.

import { z } from 'zod'
import { type Message, say } from '../../messages/message.ts'
import { chainKey, findChain, knownChains } from '../chains/chains.ts'
import { KNOWN_CATEGORY_IDS } from '../languages/languages.ts'
import type { Marks } from '../listing/backing.ts'
import { CATEGORY_ID, CATEGORY_ID_SCHEMA, categoryKey, isKnownCategory } from '../listing/categories.ts'
import type { Entry, Service } from '../listing/service.ts'
import { CURRENCY_FAMILIES, currencyKey, DECIMAL, isKnownCurrency } from '../money/money.ts'
import { dollarPriceOf, type Rates } from '../money/rates.ts'
import { expecting } from '../problems.ts'
import {
  LEVELS,
  type Level,
  levelsUpTo,
  MAX_LATENCY_MS,
  STATUSES,
  type Status,
} from '../standing/standing.ts'
import { costOf, PROTOCOLS, type Protocol } from '../terms/terms.ts'
import { findMistypedName, findSimilarName } from '../text/nearest.ts'
import { lowerCaseName, visible } from '../text/text.ts'

// The table of sort orders. Names in every interface, keys that are indexed and compared, default directions and the content of
// cursors come from it; web/languages/ has the words of each order on pages.

export const DIRECTIONS = ['asc', 'desc'] as const
export type Direction = (typeof DIRECTIONS)[number]

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

type OrderDefinition = {
  readonly key: Key
  /** The default direction. */
  readonly direction: Direction
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

export const directionOf = (order: IndexedOrder): Direction =>
  order === 'age' ? 'desc' : ORDERS[order].direction

// The table of filters of lists and searches. Every interface takes its parameters from it; lists, searches, sentences, facets and
// pages loop over it. catalog/filters.ts tests a filter on the columns, and web/languages/ has its words on pages.

/** Parameters, as every interface takes them. */
export type Filters = {
  readonly category?: string | undefined
  readonly chain?: string | undefined
  readonly status?: Status | undefined
  readonly level?: Level | undefined
  readonly maxPricePerRequest?: string | undefined
  readonly maxUsdPrice?: string | undefined
  readonly currency?: string | undefined
  readonly freeQuota?: true | undefined
  readonly protocol?: Protocol | undefined
}
export type FilterName = keyof Filters

/** The form in which filters are applied. A sentence can express more than a parameter: a word for money covers several currencies. */
export type AppliedFilters = {
  readonly category?: string
  /** In any spelling; one of several is sufficient. */
  readonly chain?: string | readonly string[]
  readonly status?: Status
  /** At least this. */
  readonly level?: Level
  /** `below`: the price must be less. */
  readonly maxPricePerRequest?: { readonly amount: string; readonly below: boolean }
  readonly maxUsdPrice?: { readonly amount: string; readonly below: boolean }
  /** Keys of the accepted currencies. */
  readonly currency?: readonly string[]
  /** quota: requires a free quota; any: free of charge is sufficient as well. */
  readonly freeQuota?: 'quota' | 'any'
  readonly protocol?: Protocol
}

/** The values by which a filter divides the catalog, for counts and choices. */
type Facet = {
  readonly of: (
    service: Service,
    marks: Pick<Marks, 'level'> & { readonly protocols: readonly Protocol[] },
  ) => readonly string[]
  /** The value that a parameter means. */
  readonly toValue: (parameter: string) => string
  /** A parameter that means the value. */
  readonly toParameter: (value: string) => string
}

/** An order in which all entries that pass are adjacent: at the start (`atMost`), or at the end (`atLeast`). */
export type Bound<Applied> = {
  readonly order: SortKey
  readonly is: 'atMost' | 'atLeast'
  readonly key: (applied: Applied) => string | number
  /** Whether entries with this exact key are excluded. */
  readonly isStrict?: (applied: Applied) => boolean
}

type FilterDefinition<Parameter, Applied> = {
  readonly parameter: z.ZodType<Parameter>
  readonly apply: (parameter: Parameter) => Applied
  readonly bound?: Bound<Applied>
  readonly facet?: Facet
  readonly known?: KnownValues
} & Control

/**
 * Values that are known whether or not a service has them: another one is perhaps a typing error, and the nearest name is suggested.
 */
type KnownValues = {
  readonly has: (parameter: string) => boolean
  readonly names: () => readonly string[]
}

/** The form control on a page: all values visible, a list of values, a text field, or a checkbox; the latter three are in a section. */
type Control =
  | { readonly control: 'choice' }
  | { readonly control: 'select' | 'decimal' | 'tick'; readonly section: 'price' | 'more' }

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: expecting('not_one_of', { values }) })

const foldedOneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(value => (typeof value === 'string' ? value.toLowerCase() : value), oneOf(values))

const itself = <T>(value: T): T => value

const decimal = z.string({ error: expecting('price_malformed') }).regex(DECIMAL, expecting('price_malformed'))

export const FILTERS = {
  category: {
    parameter: z
      .string()
      .regex(CATEGORY_ID, expecting('category_expected'))
      .meta(CATEGORY_ID_SCHEMA)
      .describe('Category id, without regard to case'),
    apply: itself,
    facet: { of: ({ category }) => [categoryKey(category)], toValue: categoryKey, toParameter: itself },
    known: { has: isKnownCategory, names: () => KNOWN_CATEGORY_IDS },
    control: 'choice',
  },
  chain: {
    parameter: visible(64, 'chain', { spaced: true }).describe(
      'Name, alias or CAIP-2 id of a chain: base, Base, eip155:8453 and 8453 are the same',
    ),
    apply: itself,
    facet: {
      of: ({ supportedChains }) => [...new Set(supportedChains.map(chainKey))],
      toValue: chainKey,
      toParameter: chain => findChain(chain)?.name ?? chain,
    },
    known: {
      has: chain => findChain(chain) !== undefined,
      names: () => knownChains().flatMap(({ name, aliases }) => [name, ...aliases]),
    },
    control: 'choice',
  },
  status: {
    parameter: foldedOneOf(STATUSES).describe('Status of the service'),
    apply: itself,
    facet: { of: ({ status }) => [status], toValue: itself, toParameter: itself },
    control: 'select',
    section: 'more',
  },
  level: {
    parameter: foldedOneOf(LEVELS).describe(
      'Lowest level: paid also finds delivers, for which one purchase within 30 days is enough, whatever others brought; danger finds only what must not be paid',
    ),
    apply: itself,
    facet: { of: (_, { level }) => levelsUpTo(level), toValue: itself, toParameter: itself },
    control: 'choice',
  },
  maxPricePerRequest: {
    parameter: decimal.describe(
      'Highest price per request, inclusive, compared exactly, in the currency of each price; services seen to charge more are left out',
    ),
    apply: amount => ({ amount, below: false }),
    bound: { order: 'price', is: 'atMost', key: ({ amount }) => amount, isStrict: ({ below }) => below },
    control: 'decimal',
    section: 'price',
  },
  currency: {
    parameter: visible(32, 'currency_code', { spaced: true }).describe(
      'Only prices in this currency, without regard to case',
    ),
    apply: currency => [currencyKey(currency)],
    facet: {
      of: ({ pricing }) => [currencyKey(pricing.currency)],
      toValue: currencyKey,
      toParameter: itself,
    },
    known: {
      has: currency => isKnownCurrency(currencyKey(currency)),
      names: () =>
        Object.values(CURRENCY_FAMILIES)
          .flat()
          .map(each => each.toUpperCase()),
    },
    control: 'select',
    section: 'price',
  },
  maxUsdPrice: {
    parameter: decimal.describe(
      'Highest price per request in US dollars, inclusive, whatever the currency; services in a currency without a known rate are left out',
    ),
    apply: amount => ({ amount, below: false }),
    bound: { order: 'usdPrice', is: 'atMost', key: ({ amount }) => amount, isStrict: ({ below }) => below },
    control: 'decimal',
    section: 'price',
  },
  freeQuota: {
    parameter: z
      .preprocess(
        value => (value === 'true' ? true : value),
        z.literal(true, { error: expecting('true_expected') }),
      )
      .meta({ type: 'boolean' })
      .describe('true: only services with a free quota'),
    apply: () => 'quota',
    control: 'tick',
    section: 'more',
  },
  protocol: {
    parameter: foldedOneOf(PROTOCOLS).describe('Protocol that pays it'),
    apply: itself,
    facet: { of: (_, { protocols }) => protocols, toValue: itself, toParameter: itself },
    control: 'select',
    section: 'more',
  },
} satisfies {
  readonly [N in FilterName]-?: FilterDefinition<NonNullable<Filters[N]>, NonNullable<AppliedFilters[N]>>
}

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** Filters that have an index: the entries with a value are found without a look at the others. */
export const INDEXED_FILTERS = ['category', 'chain', 'status'] as const satisfies readonly FilterName[]

type With<Part extends string> = {
  [N in FilterName]: (typeof FILTERS)[N] extends Readonly<Record<Part, object>> ? N : never
}[FilterName]
/** The filters that bound an order. */
export type BoundName = With<'bound'>
export type FacetName = With<'facet'>
export const FACET_NAMES = FILTER_NAMES.filter((name): name is FacetName => 'facet' in FILTERS[name])

/** For schemas of queries. */
export const FILTER_PARAMETERS = Object.fromEntries(
  FILTER_NAMES.map(name => [name, FILTERS[name].parameter.optional()]),
) as unknown as { readonly [N in FilterName]-?: z.ZodOptional<z.ZodType<NonNullable<Filters[N]>>> }

/** A definition with its types erased, for loops over all filters. */
export type AnyFilter = FilterDefinition<unknown, unknown>
export const filterOf = (name: FilterName): AnyFilter => FILTERS[name] as unknown as AnyFilter

export const facetOf = (name: FacetName): Facet => FILTERS[name].facet

export function toApplied(filters: Filters): AppliedFilters {
  const applied: Partial<Record<FilterName, unknown>> = {}
  for (const name of FILTER_NAMES) {
    const parameter = filters[name]
    if (parameter !== undefined) applied[name] = filterOf(name).apply(parameter)
  }
  return applied as AppliedFilters
}

/**
 * The filters that a sentence can set, in the order of the response: the schema of the value in the response, and the position in
 * which the constraint is relaxed where no service matches.
 */
export const CONSTRAINTS = {
  maxPricePerRequest: { schema: z.string().describe('Highest price of a request'), relaxRank: 1 },
  currency: { schema: z.string().describe('Currency of the price'), relaxRank: 4 },
  chain: {
    schema: z.union([z.string(), z.array(z.string())]).describe('Several: any of them is sufficient'),
    relaxRank: 6,
  },
  status: { schema: z.enum(STATUSES).describe('Only services with this status'), relaxRank: 3 },
  category: { schema: z.string().describe('Only services in this category'), relaxRank: 5 },
  freeQuota: { schema: z.boolean().describe('true: only services with a free quota'), relaxRank: 2 },
  protocol: { schema: z.enum(PROTOCOLS).describe('Only services paid by this protocol'), relaxRank: 7 },
} satisfies Partial<Record<FilterName, { readonly schema: z.ZodType; readonly relaxRank: number }>>

export type ConstraintName = keyof typeof CONSTRAINTS
export const CONSTRAINT_NAMES = Object.keys(CONSTRAINTS) as [ConstraintName, ...ConstraintName[]]

/** The parts of a sentence that a caller can revoke: its constraints, its exclusions and its wishes. */
export type Revocable = ConstraintName | 'excluded' | 'wishes'
export const REVOCABLE: readonly [Revocable, ...Revocable[]] = [...CONSTRAINT_NAMES, 'excluded', 'wishes']

// The distribution of a catalog: by filter values, by trust, by price.

export type Count = {
  /** The filter value. */
  readonly id: string
  /** How many entries pass it together with the other filters; undefined if counting takes too long. */
  readonly count: number | undefined
}

/** The values of each filter with facets, the most frequent first. Values without services are left out. */
export type Facets = { readonly [N in FacetName]: readonly Count[] }

// Values of filters that nothing here has by that name: a typing error looks like an honest answer without results.

export type UnknownFilter = {
  readonly name: FilterName
  /** The filter by itself. */
  readonly alone: Filters
  /** Empty if no known name is near. */
  readonly nearest: string
  readonly message: Message
}

/** Filters by a value that is not known by name, each by itself: one that some service has is known here after all. */
export const listUnnamed = (filters: Filters): Filters[] =>
  FILTER_NAMES.flatMap(name => {
    const { known } = filterOf(name)
    const value = filters[name]
    return known && typeof value === 'string' && !known.has(value) ? [{ [name]: value }] : []
  })

/** @param categories further ones to be suggested */
export function toUnknownFilter(alone: Filters, categories: readonly string[] = []): UnknownFilter {
  const [[name, value]] = Object.entries(alone) as [[FilterName, string]]
  const names = [...filterOf(name).known!.names(), ...(name === 'category' ? categories : [])]
  const nearest = findSimilarName(value, names) ?? ''
  return { name, alone, nearest, message: say('filter_unknown', { filter: name, value, nearest }) }
}

/** The known name of a network that it resembles; undefined for a known one, or if it resembles none. */
export function findMeantNetwork(network: string): string | undefined {
  if (findChain(network)) return undefined
  return findMistypedName(
    network,
    knownChains().flatMap(({ name, aliases }) => [name, ...aliases]),
  )
}
