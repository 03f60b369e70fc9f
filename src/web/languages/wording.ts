// What the words of a language are made of: names of filters and orders, without which one does not compile, amounts and counts.
import type { Direction, FilterName, SortKey } from '../../domain/queries/filters.ts'

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
  }
}

/** Each order in both directions. `best`: by relevance; `newest`: the order of the API where none is asked for. */
export type SortWords = Readonly<
  Record<Exclude<SortKey, 'price'> | 'best' | 'newest', Readonly<Record<Direction, string>>>
>

/** $0.10 rather than $0.1; smaller amounts keep all of their digits. */
export const withCents = (amount: string): string => (/^\d+\.\d$/.test(amount) ? `${amount}0` : amount)

/** A number of things, in English. */
export const count = (number: string, one: string, many: string): string =>
  `${number} ${number === '1' ? one : many}`
