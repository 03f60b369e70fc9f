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
  /** The values of filters in the whole directory. */
  all(): Facets
}

type Answered = {
  /** The hits of the requested page. */
  readonly hits: readonly Hit[]
  readonly total: number
  /** Weak hits, shown because there are few others. */
  readonly weak: readonly Hit[]
  /** Whether there may be more hits than were retrieved, so that counts are lower bounds. */
  readonly isCut: boolean
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

/** Hits of a sentence: two pages. Who looks further changes the sentence. */
const MAX_HITS = 40

export function find(directory: LocalDirectory, search: Search, reasonLanguage: LanguageCode): Found {
  const answered =
    search.q === '' ? findListed(directory, search) : findByIntent(directory, search, reasonLanguage)
  return {
    ...answered,
    isVacant: directory.reads.list(parseListQuery({ limit: 1 })).total === 0,
    all: () => directory.reads.facets({}),
  }
}

function findListed(directory: LocalDirectory, { filters, sortBy, sortOrder, offset }: Search): Answered {
  const { reads } = directory
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
    hits: services.decode().map(service => ({
      service,
      figures: readFigures(reads, service),
      matchedTokens: [],
      backing: directory.require(reads.marks(service.id), service.id),
    })),
    total,
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

const onePerSeller = (results: IntentAnswer['results']): IntentAnswer['results'] =>
  results.filter(({ service }, i) => {
    const { paymentAddress } = service.x402Config
    return results.findIndex(each => each.service.x402Config.paymentAddress === paymentAddress) === i
  })

const isFitting = ({ weak }: IntentAnswer['results'][number]): boolean => !weak

function findByIntent(directory: LocalDirectory, search: Search, reasonLanguage: LanguageCode): Answered {
  let applied: AppliedFilters = {}
  const onFilter = (filter: AppliedFilters) => {
    applied = filter
  }
  const { q, filters, without, offset } = search
  const explained = { from: offset, to: offset + PAGE_SIZE }
  const answer: IntentAnswer = directory.reads
    .searchByIntent(
      { ...parseIntentQuery({ q, limit: MAX_HITS }), ...filters, without: [...without] },
      { isBrief: true, explained, reasonLanguage, onFilter },
    )
    .decode()
  const isConverted = applied.maxUsdPrice !== undefined && search.filters.maxUsdPrice === undefined
  const sorted = sort(directory, answer.results.filter(isFitting), search)
  // The reason speaks of a rank, which a page in another order does not have.
  const isRanked = isByRelevance(search)
  const toHits = (results: IntentAnswer['results']): Hit[] =>
    results.map(({ reason, ...result }) => ({
      ...result,
      ...(isRanked && { reason }),
      figures: readFigures(directory.reads, result.service),
    }))
  const toWeak = (results: IntentAnswer['results']) =>
    toHits(onePerSeller(results.filter(result => !isFitting(result))).slice(0, MAX_WEAK))
  const { steps = [], nearest } = answer
  return {
    hits: toHits(sorted.slice(explained.from, explained.to)),
    total: sorted.length,
    weak: toWeak(answer.results),
    isCut: sorted.length >= MAX_HITS,
    facets: countFound(answer),
    answer,
    isBelow: (applied.maxPricePerRequest ?? applied.maxUsdPrice)?.below ?? false,
    isConverted,
    steps: steps.map(({ text, results }) => ({
      text,
      first: toHits(results.filter(isFitting))[0],
    })),
    nearest: nearest && { relaxed: nearest.relaxed, hits: toHits(nearest.results.slice(0, PAGE_SIZE)) },
  }
}

function sort(
  { reads }: LocalDirectory,
  results: IntentAnswer['results'],
  { sortBy, sortOrder }: Search,
): IntentAnswer['results'] {
  if (sortBy === undefined) return sortOrder === 'asc' ? results.toReversed() : results
  const order = sortBy === 'newest' ? 'age' : sortBy
  const byId = new Map(results.map(result => [result.service.id, result]))
  return reads.sorted([...byId.keys()], order, sortOrder ?? directionOf(order)).map(id => byId.get(id)!)
}

/** Counts hits per filter value: of the nearest ones, where nothing meets all conditions. A filter that is set has no values to choose. */
function countFound({ results, nearest }: IntentAnswer): Facets {
  const counted = results.length > 0 ? results : (nearest?.results ?? [])
  const count = (name: FacetName): Count[] => {
    const counts = new Map<string, number>()
    for (const { service, protocols, weak, backing } of counted)
      for (const id of weak ? [] : facetOf(name).of(service, { ...backing, protocols }))
        counts.set(id, (counts.get(id) ?? 0) + 1)
    return [...counts]
      .map(([id, count]) => ({ id, count }))
      .sort((a, b) => b.count - a.count || compareCodePoints(a.id, b.id))
  }
  return Object.fromEntries(FACET_NAMES.map(name => [name, count(name)])) as unknown as Facets
}
