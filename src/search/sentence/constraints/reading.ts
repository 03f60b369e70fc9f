// Reads a sentence by the rules of a language.
import type { Reader, Reading, Rule, Sentence } from '../../text/languages/constraint-rules.ts'

export const toSentence = (text: string): Sentence => ({
  text,
  lower: /[^\x00-\x7f]/.test(text)
    ? text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
    : text.toLowerCase(),
})

/** Returns everything that the rules in `hinted` find in a sentence; undefined if that is nothing. */
export function readAll(
  rules: Reader,
  hinted: ReadonlySet<Rule>,
  sentence: Sentence,
  earlier: readonly Reading[],
): Reading[] | undefined {
  let readings: Reading[] | undefined
  for (const rule of rules) {
    const { pattern, handle } = rule
    // Most patterns do not match, and `search` is cheaper than `matchAll`.
    if (!hinted.has(rule) || sentence.lower.search(pattern) < 0) continue
    for (const match of sentence.lower.matchAll(pattern)) {
      const found = handle(match as RegExpExecArray, sentence, earlier)
      if (!found) continue
      readings ??= []
      readings.push({ start: match.index, end: match.index + match[0].length, ...found })
    }
  }
  return readings
}
