// What the pages call filters and orders, in each language; a filter or an order without words does not compile.
import type { FilterName } from '../../domain/queries/filters.ts'
import type { SortKey, SortOrder } from '../../domain/queries/orders.ts'

/** Currencies with a sign or a word of their own. Dollars, euros and yen also stand for the stablecoins of each. */
export type MoneyWords = Readonly<Record<string, (amount: string) => string>>

export type FilterWords = {
  readonly [N in FilterName]: {
    /** Above its control. */
    readonly label: string
    /** Within a sentence: what a condition is about. */
    readonly name: string
    /** A value that is set, as it stands on a chip or beside a choice. */
    readonly value: (value: string) => string
    /** The same of a limit that must not be reached. */
    readonly below?: (value: string) => string
    /** Where none is chosen, unless what is said of all filters will do. */
    readonly any?: string
  }
}

/** Each order in both directions. `best`: by relevance; `newest`: the order of the API where none is asked for. */
export type SortWords = Readonly<Record<SortKey | 'best' | 'newest', Readonly<Record<SortOrder, string>>>>
