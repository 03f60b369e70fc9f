// One constraint as it was read: where it stands in the sentence and what it asks for.
import type { IntentFilter } from '../domain/intent-filter.ts'

export type ConstraintKey = 'maxPricePerRequest' | 'currency' | 'chain' | 'status' | 'category' | 'freeQuota'
export type Wish = 'cheap' | 'reliable' | 'free'

/** Why something that was read is not applied, in both languages. */
export type Why = { readonly en: string; readonly ja: string }

export type Reading = {
  readonly start: number
  readonly end: number
  readonly filter?: IntentFilter
  /** As echoed in the answer. */
  readonly echo?: Partial<Readonly<Record<ConstraintKey, string | true>>>
  readonly wish?: Wish
  readonly unapplied?: Why
}

/** The sentence with ASCII capitals lowered, so that every position is the same in both. */
export type Sentence = {
  readonly text: string
  readonly lower: string
  readonly isAscii: boolean
  readonly hasDigit: boolean
}

export const toSentence = (text: string): Sentence => ({
  text,
  lower: text.replace(/[A-Z]+/g, letters => letters.toLowerCase()),
  isAscii: !/[^\x00-\x7f]/.test(text),
  hasDigit: /\d/.test(text),
})

/** A way to read constraints; `earlier` are those read before it, sorted by nothing. */
export type Reader = (sentence: Sentence, earlier: readonly Reading[]) => Reading[]

/** A pattern and what stands wherever it matches, one of several: most sentences need not be searched for it. */
export type Pattern = RegExp & { readonly hints?: readonly string[]; readonly isJapanese?: true }

/** Stands for any of them. */
export const DIGITS = '0…9'

export const hinted = (hints: string, pattern: RegExp): Pattern =>
  Object.assign(pattern, { hints: hints.split('|') })

/** A pattern that holds Japanese wherever it matches. */
export const japanese = (hints: string, pattern: RegExp): Pattern =>
  Object.assign(hinted(hints, pattern), { isJapanese: true as const })

function isHinted({ lower, hasDigit }: Sentence, hints: readonly string[]): boolean {
  for (const hint of hints) if (hint === DIGITS ? hasDigit : lower.includes(hint)) return true
  return false
}

const NOTHING: Reading[] = []

type Found = Omit<Reading, 'start' | 'end'>

/** Reads every match of a pattern; a handler that answers undefined leaves the words to the subject. */
export function readAll(
  sentence: Sentence,
  pattern: Pattern,
  handle: (match: RegExpExecArray) => (Found & { start?: number; end?: number }) | undefined,
): Reading[] {
  if (sentence.isAscii && pattern.isJapanese) return NOTHING
  if (pattern.hints && !isHinted(sentence, pattern.hints)) return NOTHING
  const readings: Reading[] = []
  for (const match of sentence.lower.matchAll(pattern)) {
    const found = handle(match as RegExpExecArray)
    if (found) readings.push({ start: match.index, end: match.index + match[0].length, ...found })
  }
  return readings
}
