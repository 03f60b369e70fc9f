// Reads a sentence by the rules of a language.
import {
  DIGITS,
  type Pattern,
  type Reader,
  type Reading,
  type Sentence,
} from '../../text/languages/constraint-rules.ts'
import { PairsOfUnits } from '../../text/pairs-of-units.ts'

/** With features that quickly rule out a pattern. */
export type HintedSentence = Sentence & {
  readonly isAscii: boolean
  readonly hasDigit: boolean
  readonly pairs: PairsOfUnits
}

export function toSentence(text: string): HintedSentence {
  const isAscii = !/[^\x00-\x7f]/.test(text)
  const lower = isAscii ? text.toLowerCase() : text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
  return {
    text,
    lower,
    isAscii,
    hasDigit: /\d/.test(text),
    pairs: new PairsOfUnits(lower),
  }
}

function mayMatch(
  { lower, isAscii, hasDigit, pairs }: HintedSentence,
  { hints, isBeyondAscii }: Pattern,
): boolean {
  if (isAscii && isBeyondAscii) return false
  if (hints === undefined) return true
  for (const { text, pair } of hints) {
    if (text === DIGITS ? hasDigit : (pair === undefined || pairs.has(pair)) && lower.includes(text))
      return true
  }
  return false
}

/** Returns everything that the rules find in a sentence; undefined if that is nothing, as in most cases. */
export function readAll(
  rules: Reader,
  sentence: HintedSentence,
  earlier: readonly Reading[],
): Reading[] | undefined {
  let readings: Reading[] | undefined
  for (const { pattern, handle } of rules) {
    // Most patterns do not match, and `search` is cheaper than `matchAll`.
    if (!mayMatch(sentence, pattern) || sentence.lower.search(pattern) < 0) continue
    for (const match of sentence.lower.matchAll(pattern)) {
      const found = handle(match as RegExpExecArray, sentence, earlier)
      if (!found) continue
      readings ??= []
      readings.push({ start: match.index, end: match.index + match[0].length, ...found })
    }
  }
  return readings
}
