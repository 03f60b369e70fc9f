// What was understood of a sentence, and the same with other or fewer conditions.

import { type Rates, toDollars } from '../../domain/money/rates.ts'
import {
  type AppliedFilters,
  CONSTRAINT_NAMES,
  CONSTRAINTS,
  type ConstraintName,
  type FilterName,
  type Filters,
  type Revocable,
  toApplied,
} from '../../domain/queries/filters.ts'
import type { Constraints, Wish } from '../../domain/queries/queries.ts'
import type { Equivalent } from '../text/equivalents.ts'
import type { Language } from '../text/languages/language.ts'

export type Intent = {
  /** As received. */
  readonly query: string
  /** The language of the answer. */
  readonly language: Language
  /** Content words: NFKC, lower-case, not stemmed, in order, without duplicates. */
  readonly tokens: readonly string[]
  /** The tokens that count for relevance. */
  readonly contentTokens: readonly string[]
  /** The tokens of the applied constraints: every entry that passes matches them. */
  readonly constraintTokens: readonly string[]
  /** The same by constraint. */
  readonly constraintWords: readonly ConstraintWords[]
  /** The words inside tokens that are written like code: getTokenPrice. */
  readonly pieces: ReadonlyMap<string, readonly string[]>
  /** The equivalents of tokens that have any. */
  readonly equivalents: ReadonlyMap<string, readonly Equivalent[]>
  /** The sentence without constraints and wishes. */
  readonly subject: string
  /** The steps of a request; empty for a request of one step. */
  readonly steps: readonly Step[]
  readonly filter: AppliedFilters
  readonly constraints: Constraints
  /** What is excluded from the results. */
  readonly excluded: ExcludedEntries
  /** What changes the order without excluding anything. */
  readonly wishes: readonly Wish[]
}

/** One step of a request. */
export type Step = Pick<Intent, 'tokens' | 'contentTokens' | 'subject' | 'pieces' | 'equivalents'> & {
  readonly text: string
}

export type ExcludedEntries = {
  /** Excludes entries that have all words of one of these. */
  readonly words: readonly (readonly string[])[]
  /** Excludes entries that have all words of an equivalent of these. */
  readonly others: readonly (readonly string[])[]
  /** Excludes entries that are paid on one of these. */
  readonly chains: readonly string[]
}

export const NOTHING_EXCLUDED: ExcludedEntries = { words: [], others: [], chains: [] }

type ConstraintWords = {
  readonly keys: readonly ConstraintName[]
  readonly tokens: readonly string[]
}

/** Returns the tokens of the constraints, without those of the constraints in `left`. */
export const toConstraintTokens = (
  words: readonly ConstraintWords[],
  left: readonly ConstraintName[] = [],
): string[] => [
  ...new Set(words.flatMap(({ keys, tokens }) => (keys.some(key => left.includes(key)) ? [] : tokens))),
]

// Converts a limit in a unit of account, such as 「1円以下」, to a limit for every comparable currency.

/** Whether the currency is only the unit of the limit: a word for money covers several currencies, the name of an asset one. */
export const isUnitOfLimit = ({ maxPricePerRequest, currency }: AppliedFilters): boolean =>
  maxPricePerRequest !== undefined && currency !== undefined && currency.length > 1

/** Returns the filters unchanged when no exchange rate gives the limit in dollars, or a limit in dollars is given as well. */
export function inOneMeasure(filter: AppliedFilters, rates: Rates): AppliedFilters {
  if (!isUnitOfLimit(filter) || filter.maxUsdPrice !== undefined) return filter
  const { maxPricePerRequest, currency, ...rest } = filter
  const { amount, below } = maxPricePerRequest!
  const limit = toDollars(amount, currency![0]!, rates)
  return limit ? { ...rest, maxUsdPrice: { amount: limit.amount, below } } : filter
}

// Applies what the caller overrides in a sentence: constraints to drop, and filters to add.

type Refinement = Filters & { readonly without?: readonly Revocable[] | undefined }

/** Each filter replaces a constraint of its kind; a limit in dollars any limit, with its unit. */
export function refineIntent(intent: Intent, refinement: Refinement): Intent {
  const set = toApplied(refinement)
  const limit: readonly Revocable[] = isUnitOfLimit(intent.filter)
    ? ['maxPricePerRequest', 'currency']
    : ['maxPricePerRequest']
  const without = [...(refinement.without ?? []), ...(set.maxUsdPrice === undefined ? [] : limit)]
  if (without.length === 0 && Object.keys(set).length === 0) return intent
  const filter: Partial<Record<FilterName, unknown>> = { ...intent.filter }
  const constraints = { ...intent.constraints }
  const left: ConstraintName[] = []
  for (const name of CONSTRAINT_NAMES) {
    if (!without.includes(name) && !(name in set)) continue
    left.push(name)
    delete filter[name]
    delete constraints[name]
  }
  const constraintTokens = toConstraintTokens(intent.constraintWords, left)
  if (without.includes('excluded')) delete constraints.excluded
  const excluded = constraints.excluded ? intent.excluded : NOTHING_EXCLUDED
  return {
    ...intent,
    wishes: without.includes('wishes') ? [] : intent.wishes,
    excluded,
    filter: { ...filter, ...set } as AppliedFilters,
    constraints,
    constraintTokens,
  }
}

// The relaxations of a sentence, for answers without a result: the same request with one condition less.

/** The order in which constraints are relaxed: the price first, the chain last. */
const RELAX_ORDER = CONSTRAINT_NAMES.toSorted((a, b) => CONSTRAINTS[a].relaxRank - CONSTRAINTS[b].relaxRank)

/** Returns the intent without one of its constraints, for each of them. */
export function relaxations(intent: Intent): { readonly relaxed: ConstraintName; readonly intent: Intent }[] {
  // A limit of one yen without its unit would be one of any currency, so both are relaxed together.
  const isOne = isUnitOfLimit(intent.filter)
  return RELAX_ORDER.filter(name => intent.filter[name] !== undefined && !(isOne && name === 'currency')).map(
    relaxed => {
      const left: ConstraintName[] =
        isOne && relaxed === 'maxPricePerRequest' ? [relaxed, 'currency'] : [relaxed]
      const filter = { ...intent.filter }
      for (const name of left) delete filter[name]
      const constraintTokens = toConstraintTokens(intent.constraintWords, left)
      return { relaxed, intent: { ...intent, filter, constraintTokens } }
    },
  )
}
