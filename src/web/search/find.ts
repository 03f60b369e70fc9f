// Reads what a search page shows: a page of hits, their total number, and the values of filters to choose from.
import type { LocalDirectory } from '../../directory/directory.ts'
import type { LanguageCode } from '../../domain/languages/languages.ts'
import type { Marks } from '../../domain/listing/backing.ts'
import type { Service } from '../../domain/listing/service.ts'
import {
  type AppliedFilters,
  type Count,
  directionOf,
  FACET_NAMES,
  type FacetName,
  type Facets,
  FILTER_NAMES,
  type FilterName,
  type Filters,
  facetOf,
} from '../../domain/queries/filters.ts'
import { type IntentAnswer, parseIntentQuery, parseListQuery } from '../../domain/queries/queries.ts'
import { compareCodePoints } from '../../domain/text/text.ts'
import { PAGE_SIZE } from '../layout.ts'
import { type Figures, readFigures } from '../service/service-reads.ts'
import { isByRelevance, type Search } from './search-query.ts'

export type Hit = {
  readonly service: Service
  readonly figures: Figures
  readonly reason?: string
  readonly matchedTokens: readonly string[]
  readonly backing: Marks
}

export type Found = Answered & {
  /** Whether the directory is empty. */
  readonly isVacant: boolean
  /** The filters that no service passes, each by itself. */
  unmet(): readonly FilterName[]
  /** The values of filters in the whole directory. */
  all(): Facets
}

type Answered = {
  /** The hits of the requested page. */
  readonly hits: readonly Hit[]
  readonly total: number
  /** Hits on a page. */
  readonly size: number
  /** What hardly fits, shown because there is little else. */
  readonly weak: readonly Hit[]
  /** Whether there may be more hits than the total. */
  readonly isCut: boolean
  /** The values of filters. Those of a sentence are of its first hits: their counts say nothing of all. */
  readonly facets: Facets
  /** The answer of the intent search, if there was a question. */
  readonly answer: IntentAnswer | undefined
  /** Whether the price limit is exclusive ("under 1 cent"). */
  readonly isBelow: boolean
  /** Whether the price limit of the sentence is compared in dollars, whatever the currency. */
  readonly isConverted: boolean
  /** The steps of a question that has several. */
  readonly steps: readonly Step[]
  /** The hits without one of the conditions, if there are none with all of them. */
  readonly nearest: { readonly relaxed: string; readonly hits: readonly Hit[] } | undefined
}

export type Step = { readonly text: string; readonly first: Hit | undefined }

/** Hits of a sentence on a page: as many as the API ranks where no limit is given. */
const HITS_A_PAGE = 10
/** Who looks further changes the sentence. */
const MAX_HITS = 4 * HITS_A_PAGE

export function find(directory: LocalDirectory, search: Search, reasonLanguage: LanguageCode): Found {
  const answered =
    search.q === '' ? findListed(directory, search) : findByIntent(directory, search, reasonLanguage)
  const reads = directory.requireCatalog()
  const isNone = (filters: Filters) => reads.list(parseListQuery({ ...filters, limit: 1 })).total === 0
  const { filters } = search
  return {
    ...answered,
    isVacant: answered.total === 0 && isNone({}),
    unmet: () =>
      FILTER_NAMES.filter(name => filters[name] !== undefined && isNone({ [name]: filters[name] })),
    all: () => reads.facets({}),
  }
}

/** A service that was not searched for. */
export const toHit = (directory: LocalDirectory, service: Service): Hit => ({
  service,
  figures: readFigures(directory.requireCatalog(), service),
  matchedTokens: [],
  backing: directory.requireFound(directory.requireCatalog().marks(service.id), service.id),
})

function findListed(directory: LocalDirectory, { filters, sortBy, sortOrder, offset }: Search): Answered {
  const reads = directory.requireCatalog()
  const { services, total = 0 } = reads.list(
    parseListQuery({
      ...filters,
      sortBy: sortBy === 'newest' ? '' : (sortBy ?? 'trustScore'),
      sortOrder: sortOrder ?? '',
      limit: PAGE_SIZE,
      offset,
    }),
  )
  return {
    hits: services.decode().map(service => toHit(directory, service)),
    total,
    size: PAGE_SIZE,
    weak: [],
    isCut: false,
    facets: reads.facets(filters),
    answer: undefined,
    isBelow: false,
    isConverted: false,
    steps: [],
    nearest: undefined,
  }
}

/** More of what hardly fits is no help. */
const MAX_WEAK = 3

type Results = IntentAnswer['results']

const onePerSeller = (results: Results): Results =>
  results.filter(({ service }, i) => {
    const { paymentAddress } = service.x402Config
    return results.findIndex(each => each.service.x402Config.paymentAddress === paymentAddress) === i
  })

const isFitting = ({ weak }: Results[number]) => !weak

const withFirst = (first: Results, all: Results): Results => {
  const ids = new Set(first.map(({ service }) => service.id))
  return [...first, ...all.filter(({ service }) => !ids.has(service.id))]
}

function findByIntent(directory: LocalDirectory, search: Search, reasonLanguage: LanguageCode): Answered {
  let applied: AppliedFilters = {}
  const onFilter = (filter: AppliedFilters) => {
    applied = filter
  }
  const { q, filters, without, offset } = search
  // The reason speaks of a rank, which a page in another order does not have.
  const isRanked = isByRelevance(search)
  const rank = (limit: number): IntentAnswer =>
    directory
      .requireCatalog()
      .searchByIntent(
        { ...parseIntentQuery({ q, limit }), ...filters, without: [...without] },
        { isBrief: true, ...(!isRanked && { explained: { from: 0, to: 0 } }), reasonLanguage, onFilter },
      )
      .decode()
  const isFirst = isRanked && offset === 0
  const limit = isFirst ? HITS_A_PAGE : MAX_HITS
  const answer = rank(limit)
  // More hits are ranked among more candidates: those of the first page have been shown there.
  const results = isRanked && !isFirst ? withFirst(rank(HITS_A_PAGE).results, answer.results) : answer.results
  const fitting = sort(directory, results.filter(isFitting), search).slice(0, MAX_HITS)
  const total = fitting.length < limit ? fitting.length : Math.min(answer.total, MAX_HITS)
  const toHits = (results: Results): Hit[] =>
    results.map(({ reason, ...result }) => ({
      ...result,
      ...(isRanked && { reason }),
      figures: readFigures(directory.requireCatalog(), result.service),
    }))
  const { steps = [], nearest } = answer
  return {
    hits: toHits(fitting.slice(offset, offset + HITS_A_PAGE)),
    total,
    size: HITS_A_PAGE,
    weak: toHits(onePerSeller(results.filter(({ weak }) => weak)).slice(0, MAX_WEAK)),
    isCut: total >= MAX_HITS,
    facets: countFound(fitting.length > 0 ? fitting : (nearest?.results ?? [])),
    answer,
    isBelow: (applied.maxPricePerRequest ?? applied.maxUsdPrice)?.below ?? false,
    isConverted: applied.maxUsdPrice !== undefined && search.filters.maxUsdPrice === undefined,
    steps: steps.map(({ text, results }) => ({
      text,
      first: toHits(results.filter(isFitting).slice(0, 1))[0],
    })),
    nearest: nearest && { relaxed: nearest.relaxed, hits: toHits(nearest.results.slice(0, HITS_A_PAGE)) },
  }
}

function sort(directory: LocalDirectory, results: Results, { sortBy, sortOrder }: Search): Results {
  if (sortBy === undefined) return sortOrder === 'asc' ? results.toReversed() : results
  const order = sortBy === 'newest' ? 'age' : sortBy
  const byId = new Map(results.map(result => [result.service.id, result]))
  const ids = directory.requireCatalog().sorted([...byId.keys()], order, sortOrder ?? directionOf(order))
  return ids.map(id => byId.get(id)!)
}

/** Counts hits per filter value. A filter that is set has no values to choose. */
function countFound(results: Results): Facets {
  const count = (name: FacetName): Count[] => {
    const counts = new Map<string, number>()
    for (const { service, protocols, backing } of results)
      for (const id of facetOf(name).of(service, { ...backing, protocols }))
        counts.set(id, (counts.get(id) ?? 0) + 1)
    return [...counts]
      .map(([id, count]) => ({ id, count }))
      .sort((a, b) => b.count - a.count || compareCodePoints(a.id, b.id))
  }
  return Object.fromEntries(FACET_NAMES.map(name => [name, count(name)])) as unknown as Facets
}
