// Finds the rules that may match a sentence, by their hints. Most sentences have none.
import { DIGITS, type Rule, type Sentence } from '../../text/languages/constraint-rules.ts'
import { PAIR_BITS, toPairBit } from '../../text/pairs-of-units.ts'

/** Returns the rules with a hint that the sentence has; undefined if there are none. */
export type FindRules = (sentence: Sentence) => ReadonlySet<Rule> | undefined

/** `next` is the index of another hint that begins alike. */
type Hint = { readonly text: string; readonly last: number; readonly rule: Rule; readonly next: number }

const NONE = -1

/** Every position of the sentence is looked up in a table of how hints begin. */
export function createRuleFinder(rules: readonly Rule[]): FindRules {
  const hints: Hint[] = []
  const pairs = new Int16Array(PAIR_BITS).fill(NONE)
  /** The same for hints of one unit. */
  const units = new Int16Array(PAIR_BITS).fill(NONE)
  for (const rule of rules)
    for (const hint of rule.pattern.hints)
      for (const text of hint === DIGITS ? '0123456789' : [hint]) {
        const [table, key] = text.length > 1 ? [pairs, toPairBit(text, 0)] : [units, unitKey(text, 0)]
        table[key] = hints.push({ text, last: text.charCodeAt(text.length - 1), rule, next: table[key]! }) - 1
      }

  return ({ lower }) => {
    const isAscii = !/[^\x00-\x7f]/.test(lower)
    let found: Set<Rule> | undefined
    const collect = (first: number, at: number) => {
      for (let i = first; i !== NONE; i = hints[i]!.next) {
        const { text, last, rule } = hints[i]!
        const end = at + text.length - 1
        // The last unit rules out most, and `startsWith` is a call into the runtime.
        if (end >= lower.length || lower.charCodeAt(end) !== last || !lower.startsWith(text, at)) continue
        if (isAscii && rule.pattern.isBeyondAscii) continue
        found ??= new Set()
        found.add(rule)
      }
    }
    for (let at = 0; at < lower.length; at++) {
      const unit = units[unitKey(lower, at)]!
      if (unit !== NONE) collect(unit, at)
      const pair = at + 1 < lower.length ? pairs[toPairBit(lower, at)]! : NONE
      if (pair !== NONE) collect(pair, at)
    }
    return found
  }
}

const unitKey = (text: string, at: number): number => text.charCodeAt(at) % PAIR_BITS
