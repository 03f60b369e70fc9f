// Reads what a search page shows: a page of hits, their total number, and the number for each filter value.
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
  REVOCABLE,
  type Revocable,
} from '../../domain/queries/filters.ts'
import { type IntentAnswer, parseIntentQuery, parseListQuery } from '../../domain/queries/queries.ts'
import { compareCodePoints } from '../../domain/text/text.ts'
import { PAGE_SIZE } from '../layout.ts'
import { type Figures, readFigures } from '../service/service-reads.ts'
import { isByRelevance, type Search, withoutFilters } from './search-query.ts'

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

/** @property isLeast whether it was counted among the first hits, and there may be more */
export type FoundCount = Count & { readonly isLeast?: boolean }
type FoundFacets = { readonly [N in FacetName]: readonly FoundCount[] }

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
  /** The values of a filter that is set are those that could be chosen in its place. */
  readonly facets: FoundFacets
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
/** So many still stand on one page: nobody turns it for one or two. */
const MAX_ON_ONE_PAGE = 12
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

/** The values of all filters, those of each that is set counted without it. */
function withChosen(
  filters: Filters,
  facets: FoundFacets,
  countWithout: (others: Filters, name: FacetName) => FoundFacets,
): FoundFacets {
  const chosen = FACET_NAMES.filter(name => filters[name] !== undefined)
  const counts = chosen.map(
    name => [name, countWithout(withoutFilters(filters, [name]), name)[name]] as const,
  )
  return { ...facets, ...Object.fromEntries(counts) }
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
    facets: withChosen(filters, reads.facets(filters), others => reads.facets(others)),
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
  let applied: AppliedFilters | undefined
  // The first is that of the search; others count what could be chosen instead.
  const onFilter = (filter: AppliedFilters) => {
    applied ??= filter
  }
  const { q, filters: chosen, without, offset } = search
  // The reason speaks of a rank, which a page in another order does not have.
  const isRanked = isByRelevance(search)
  const rank = (limit: number, filters = chosen, revoked: readonly Revocable[] = without): IntentAnswer =>
    directory
      .requireCatalog()
      .searchByIntent(
        { ...parseIntentQuery({ q, limit }), ...filters, without: [...revoked] },
        { isBrief: true, ...(!isRanked && { explained: { from: 0, to: 0 } }), reasonLanguage, onFilter },
      )
      .decode()
  const answer = rank(isRanked ? HITS_A_PAGE : MAX_HITS)
  const isWhole = !isRanked || answer.results.filter(isFitting).length < HITS_A_PAGE
  // More hits are ranked among more candidates: the first are those that the API answers with.
  const results = isWhole ? answer.results : withFirst(answer.results, rank(MAX_HITS).results)
  const fitting = sort(directory, results.filter(isFitting), search).slice(0, MAX_HITS)
  const total = fitting.length
  const size = total <= MAX_ON_ONE_PAGE ? MAX_ON_ONE_PAGE : HITS_A_PAGE
  const toHits = (results: Results): Hit[] =>
    results.map(({ reason, ...result }) => ({
      ...result,
      ...(isRanked && { reason }),
      figures: readFigures(directory.requireCatalog(), result.service),
    }))
  const { steps = [], nearest } = answer
  return {
    hits: toHits(fitting.slice(offset, offset + size)),
    total,
    size,
    weak: toHits(onePerSeller(answer.results.filter(({ weak }) => weak)).slice(0, MAX_WEAK)),
    isCut: total >= MAX_HITS,
    facets: withChosen(
      chosen,
      nearest ? countFound(nearest.results, HITS_A_PAGE) : countFound(fitting, MAX_HITS),
      (others, name) => {
        // Another value would also take the place of what the sentence says.
        const revoked = [...without, ...REVOCABLE.filter(each => each === name)]
        return countFound(rank(MAX_HITS, others, revoked).results.filter(isFitting), MAX_HITS)
      },
    ),
    answer,
    isBelow: (applied?.maxPricePerRequest ?? applied?.maxUsdPrice)?.below ?? false,
    isConverted: applied?.maxUsdPrice !== undefined && search.filters.maxUsdPrice === undefined,
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

/** Counts hits per filter value. @param most how many hits there can be at most */
function countFound(results: Results, most: number): FoundFacets {
  const isLeast = results.length >= most
  const count = (name: FacetName): FoundCount[] => {
    const counts = new Map<string, number>()
    for (const { service, protocols, backing } of results)
      for (const id of facetOf(name).of(service, { ...backing, protocols }))
        counts.set(id, (counts.get(id) ?? 0) + 1)
    return [...counts]
      .map(([id, count]) => ({ id, count, isLeast }))
      .sort((a, b) => b.count - a.count || compareCodePoints(a.id, b.id))
  }
  return Object.fromEntries(FACET_NAMES.map(name => [name, count(name)])) as unknown as FoundFacets
}
