// Reads a sentence by the rules of a language.
import {
  DIGIT_PAIR,
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

function mayMatch({ lower, hasDigit, pairs }: HintedSentence, { hints, pairs: hinted }: Pattern): boolean {
  if (hints === undefined || hinted === undefined) return true
  for (let i = 0; i < hinted.length; i++) {
    const pair = hinted[i]!
    if (pair >= 0 ? pairs.has(pair) && lower.includes(hints[i]!) : isHere(pair, hints[i]!, lower, hasDigit))
      return true
  }
  return false
}

const isHere = (pair: number, hint: string, lower: string, hasDigit: boolean): boolean =>
  pair === DIGIT_PAIR ? hasDigit : lower.includes(hint)

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
