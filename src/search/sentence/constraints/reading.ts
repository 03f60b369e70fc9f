// Reads a sentence by the rules of a language.
import {
  DIGITS,
  type Pattern,
  type Reader,
  type Reading,
  type Sentence,
} from '../../text/languages/constraint-rules.ts'

/** With what tells quickly that a pattern does not match. */
export type HintedSentence = Sentence & {
  readonly isAscii: boolean
  readonly hasDigit: boolean
}

export function toSentence(text: string): HintedSentence {
  const lower = /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : text
  return {
    text,
    lower,
    isAscii: !/[^\x00-\x7f]/.test(text),
    hasDigit: /\d/.test(text),
  }
}

function mayMatch({ lower, isAscii, hasDigit }: HintedSentence, { hints, isBeyondAscii }: Pattern): boolean {
  if (isAscii && isBeyondAscii) return false
  if (hints === undefined) return true
  return hints.some(hint => (hint === DIGITS ? hasDigit : lower.includes(hint)))
}

/** Everything that the rules read in a sentence; undefined where that is nothing, as it is for most. */
export function readAll(
  rules: Reader,
  sentence: HintedSentence,
  earlier: readonly Reading[],
): Reading[] | undefined {
  let readings: Reading[] | undefined
  for (const { pattern, handle } of rules) {
    if (!mayMatch(sentence, pattern)) continue
    for (const match of sentence.lower.matchAll(pattern)) {
      const found = handle(match as RegExpExecArray, sentence, earlier)
      if (!found) continue
      readings ??= []
      readings.push({ start: match.index, end: match.index + match[0].length, ...found })
    }
  }
  return readings
}
