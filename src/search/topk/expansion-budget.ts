// Limits what expanding the unknown terms of one query may cost.

/** At most this many unknown terms are expanded. */
const MAX_UNKNOWN_TERMS = 3
/**
 * All expansions of one query together may have this share of the entries as postings, within bounds. The expansions of a
 * requested prefix may have PREFIX_TIMES as many, plus what the unknown terms have left.
 */
const EXPANSION_SHARE = 32
const EXPANSION_POSTINGS = { min: 1 << 9, max: 1 << 12 }
const PREFIX_TIMES = 3

/** How many more unknown terms may be expanded, and how many postings the expansions may have. */
export type ExpansionBudget = { terms: number; postings: number }

const toPostingsBudget = (entries: number): number =>
  Math.min(EXPANSION_POSTINGS.max, Math.max(EXPANSION_POSTINGS.min, entries / EXPANSION_SHARE))

export const createExpansionBudget = (entries: number): ExpansionBudget => ({
  terms: MAX_UNKNOWN_TERMS,
  postings: toPostingsBudget(entries),
})

/** Returns how many more postings the expansions of a requested prefix may have. */
export const prefixPostings = (entries: number): number => PREFIX_TIMES * toPostingsBudget(entries)
