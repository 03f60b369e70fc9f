// What expanding the unknown terms of one query may cost.

/** So many of them are expanded. */
const MAX_UNKNOWN_TERMS = 3
/**
 * The expansions of one query have together fewer postings than one of so many entries, within bounds; those of a prefix
 * that was asked for three times as many, and what the unknown terms have left.
 */
const EXPANSION_SHARE = 32
const EXPANSION_POSTINGS = { min: 1 << 9, max: 1 << 12 }
const PREFIX_TIMES = 3

/** How many more unknown terms may be expanded, and how many postings their expansions may have. */
export type ExpansionBudget = { terms: number; postings: number }

const toPostingsBudget = (entries: number): number =>
  Math.min(EXPANSION_POSTINGS.max, Math.max(EXPANSION_POSTINGS.min, entries / EXPANSION_SHARE))

export const createExpansionBudget = (entries: number): ExpansionBudget => ({
  terms: MAX_UNKNOWN_TERMS,
  postings: toPostingsBudget(entries),
})

/** How many more postings the expansions of a prefix may have that was asked for. */
export const prefixPostings = (entries: number): number => PREFIX_TIMES * toPostingsBudget(entries)
