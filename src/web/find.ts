// Asks the directory what a search page shows: a page of hits, how many there are, and what each filter would leave.
import type { LocalDirectory } from '../directory/directory.ts'
import type { IntentAnswer } from '../domain/answers.ts'
import type { Marks } from '../domain/backing.ts'
import type { Count, Facets } from '../domain/facets.ts'
import {
  type AppliedFilters,
  CONSTRAINTS,
  type ConstraintName,
  FACET_NAMES,
  type FacetName,
  facetOf,
} from '../domain/filters.ts'
import type { LanguageCode } from '../domain/languages/languages.ts'
import { directionOf } from '../domain/orders.ts'
import { parseIntentQuery, parseListQuery } from '../domain/queries.ts'
import type { Service } from '../domain/service.ts'
import { compareCodePoints } from '../domain/text.ts'
import { PAGE_SIZE, type Search } from './search-query.ts'
import { type Figures, readFigures } from './service-figures.ts'

export type Hit = {
  readonly service: Service
  readonly figures: Figures
  readonly reason?: string
  readonly matchedTokens: readonly string[]
  readonly backing: Marks
}

export type Found = Answered & {
  /** Whether nothing is listed at all. */
  readonly isVacant: boolean
}

type Answered = {
  /** Those of the page asked for. */
  readonly hits: readonly Hit[]
  readonly total: number
  /** Those that do not fit, shown because too few do. */
  readonly weak: readonly Hit[]
  /** Whether more exist than were looked for, so that counts are at least what they say. */
  readonly isCut: boolean
  readonly facets: Facets
  /** What was understood, where a sentence was asked. */
  readonly answer: IntentAnswer | undefined
  /** Whether a price must be less than the limit that is told ("under 1 cent"). */
  readonly isBelow: boolean
  /** Where it asks for several things in a row: each of them. */
  readonly steps: readonly { readonly text: string; readonly hits: readonly Hit[] }[]
  /** What relaxing a condition gives, where all of them leave nothing. */
  readonly nearest: { readonly relaxed: string; readonly hits: readonly Hit[] } | undefined
}

/** As many as the API gives to one question. */
const MAX_HITS = 100

type Reader = {
  /** The language of what is said of the hits. */
  readonly speaks: LanguageCode
  /** Where the request comes from: a search that finds nothing counts by that. */
  readonly from: string
}

export function find(directory: LocalDirectory, search: Search, reader: Reader): Found {
  const answered = search.q === '' ? findListed(directory, search) : findByIntent(directory, search, reader)
  const isVacant = answered.total === 0 && directory.reads.list(parseListQuery({ limit: 1 })).total === 0
  return { ...answered, isVacant }
}

function findListed({ reads }: LocalDirectory, { filters, sortBy, sortOrder, offset }: Search): Answered {
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
      backing: reads.marks(service.id),
    })),
    total,
    weak: [],
    isCut: false,
    facets: reads.facets(filters),
    answer: undefined,
    isBelow: false,
    steps: [],
    nearest: undefined,
  }
}

function findByIntent(directory: LocalDirectory, search: Search, { speaks, from }: Reader): Answered {
  const onNothing = (words: readonly string[]) => directory.countUnmet(words, from)
  let isBelow = false
  const onFilter = ({ maxPricePerRequest }: AppliedFilters) => {
    isBelow = maxPricePerRequest?.below ?? false
  }
  const answer = ask(directory, search, { speaks, onFilter, onNothing })
  const fitting = answer.results.filter(({ weak }) => !weak)
  const sorted = sort(directory, fitting, search)
  const toHits = (results: IntentAnswer['results']): Hit[] =>
    results.map(result => ({ ...result, figures: readFigures(directory.reads, result.service) }))
  const { steps = [], nearest } = answer
  return {
    hits: toHits(sorted.slice(search.offset, search.offset + PAGE_SIZE)),
    total: sorted.length,
    weak: toHits(answer.results.filter(({ weak }) => weak)),
    isCut: sorted.length >= MAX_HITS,
    facets: countFound(directory, search, answer),
    answer,
    isBelow,
    steps: steps.map(({ text, results }) => ({ text, hits: toHits(results) })),
    nearest: nearest && { relaxed: nearest.relaxed, hits: toHits(nearest.results.slice(0, PAGE_SIZE)) },
  }
}

function ask(
  { reads }: LocalDirectory,
  { q, filters, without }: Search,
  options: Parameters<LocalDirectory['reads']['searchByIntent']>[1] = {},
): IntentAnswer {
  return reads
    .searchByIntent(
      { ...parseIntentQuery({ q, limit: MAX_HITS }), ...filters, without: [...without] },
      { isBrief: true, ...options },
    )
    .decode()
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

const isConstraint = (name: string): name is ConstraintName => Object.hasOwn(CONSTRAINTS, name)

/**
 * What is asked for hides what other values would leave, so the question is asked once more without it: any value that is
 * chosen takes its place.
 */
function countFound(directory: LocalDirectory, search: Search, answer: IntentAnswer): Facets {
  const count = (name: FacetName): Count[] => {
    const { filters, without } = search
    const isRead = isConstraint(name) && answer.constraints[name] !== undefined
    const { results } =
      isRead || filters[name] !== undefined
        ? ask(directory, {
            ...search,
            filters: { ...filters, [name]: undefined },
            without: isConstraint(name) ? [...without, name] : without,
          })
        : answer
    const counts = new Map<string, number>()
    for (const { service, weak } of results)
      for (const id of weak ? [] : facetOf(name).of(service)) counts.set(id, (counts.get(id) ?? 0) + 1)
    return [...counts]
      .map(([id, count]) => ({ id, count }))
      .sort((a, b) => b.count - a.count || compareCodePoints(a.id, b.id))
  }
  return Object.fromEntries(FACET_NAMES.map(name => [name, count(name)])) as unknown as Facets
}
