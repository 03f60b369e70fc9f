// One constraint as it was read: where it stands in the sentence and what it asks for.
import type { IntentFilter } from '../../../domain/intent-filter.ts'
import { type Hint, type HintedText, holdsHint, toHint, toHintedText } from '../../text/bigram-filter.ts'

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
  readonly hinted: HintedText
  readonly isAscii: boolean
  readonly hasDigit: boolean
}

export function toSentence(text: string): Sentence {
  const lower = /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : text
  return {
    text,
    lower,
    hinted: toHintedText(lower),
    isAscii: !/[^\x00-\x7f]/.test(text),
    hasDigit: /\d/.test(text),
  }
}

/** A pattern and what stands wherever it matches, one of several: most sentences need not be searched for it. */
export type Pattern = RegExp & { readonly hints?: readonly Hint[]; readonly isJapanese?: true }

/** Stands for any of them. */
export const DIGITS = '0…9'

export const hinted = (hints: string, pattern: RegExp): Pattern =>
  Object.assign(pattern, { hints: hints.split('|').map(toHint) })

/** A pattern that holds Japanese wherever it matches. */
export const japanese = (hints: string, pattern: RegExp): Pattern =>
  Object.assign(hinted(hints, pattern), { isJapanese: true as const })

function isHinted({ hinted, hasDigit }: Sentence, hints: readonly Hint[]): boolean {
  for (let i = 0; i < hints.length; i++) {
    const hint = hints[i]!
    if (hint.text === DIGITS ? hasDigit : holdsHint(hinted, hint)) return true
  }
  return false
}

type Found = Omit<Reading, 'start' | 'end'>

/** What a match of a pattern says; undefined leaves the words to the subject. `earlier` was read by the rules before. */
export type Rule = {
  readonly pattern: Pattern
  readonly handle: (
    match: RegExpExecArray,
    sentence: Sentence,
    earlier: readonly Reading[],
  ) => Found | undefined
}

/** Rules of which the longer reading wins. */
export type Reader = readonly Rule[]

/** Everything that the rules read in a sentence; undefined where that is nothing, as it is for most. */
export function readAll(
  rules: Reader,
  sentence: Sentence,
  earlier: readonly Reading[],
): Reading[] | undefined {
  let readings: Reading[] | undefined
  for (const { pattern, handle } of rules) {
    if (sentence.isAscii && pattern.isJapanese) continue
    if (pattern.hints && !isHinted(sentence, pattern.hints)) continue
    for (const match of sentence.lower.matchAll(pattern)) {
      const found = handle(match as RegExpExecArray, sentence, earlier)
      if (!found) continue
      readings ??= []
      readings.push({ start: match.index, end: match.index + match[0].length, ...found })
    }
  }
  return readings
}
