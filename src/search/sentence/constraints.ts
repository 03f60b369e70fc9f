// Parses the constraints of a sentence by the rules of all languages, and separates them from its subject.

import { KNOWN_CATEGORIES } from '../../domain/listing/categories.ts'
import type { AppliedFilters, ConstraintName } from '../../domain/queries/filters.ts'
import type { Constraints, Wish } from '../../domain/queries/queries.ts'
import { PAIR_BITS, toPairBit } from '../text/equivalents.ts'
import {
  type ConstraintRules,
  DIGITS,
  type Echo,
  type Excluded,
  type Reader,
  type Reading,
  type Rule,
  type Sentence,
  type SharedRules,
  type UnappliedCode,
} from '../text/languages/constraint-rules.ts'
import type { Language } from '../text/languages/language.ts'
import type { Languages } from '../text/languages/languages.ts'
import { createSums } from './sums.ts'

/** Returns the rules with a hint that the sentence has; undefined if there are none. */
type FindRules = (sentence: Sentence) => ReadonlySet<Rule> | undefined

/** `next` is the index of another hint that begins alike. */
type Hint = { readonly text: string; readonly last: number; readonly rule: Rule; readonly next: number }

const NONE = -1

/** Every position of the sentence is looked up in a table of how hints begin. */
function createRuleFinder(rules: readonly Rule[]): FindRules {
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

// Reads a sentence by the rules of a language.

const toSentence = (text: string): Sentence => ({
  text,
  lower: /[^\x00-\x7f]/.test(text)
    ? text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
    : text.toLowerCase(),
})

/** Returns everything that the rules in `hinted` find in a sentence; undefined if that is nothing. */
function readAll(
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

/** A span of the sentence: part of the subject, or of a constraint. */
export type Stretch = {
  readonly text: string
  readonly role: 'subject' | 'applied' | 'excluded' | 'wish' | 'unapplied'
  /** The subject of an applied constraint. */
  readonly keys?: readonly ConstraintName[]
}

type ReadConstraints = {
  /** The whole sentence, in order. */
  readonly stretches: readonly Stretch[]
  readonly filter: AppliedFilters
  readonly constraints: Constraints
  readonly excluded: readonly Excluded[]
  readonly wishes: readonly Wish[]
}

function createSharedRules(languages: Languages): SharedRules {
  const ids = new Map<string, string>()
  for (const id of Object.keys(KNOWN_CATEGORIES)) {
    ids.set(id, id)
    for (const { categoryLabel } of languages.all) ids.set(categoryLabel(id).toLowerCase(), id)
  }
  return {
    ...createSums(languages),
    categoryName: [...ids.keys()].sort((a, b) => b.length - a.length).join('|'),
    toCategory(name) {
      const category = ids.get(name)
      return category === undefined ? undefined : { filter: { category }, echo: { category } }
    },
  }
}

/** The rules of all languages, in the order in which they are applied. */
function createReaders(languages: Languages): Reader[] {
  const shared = createSharedRules(languages)
  const rules = languages.all.map(({ sentence }) => sentence.constraints(shared))
  const each = (kind: keyof ConstraintRules): Reader[] => rules.map(({ [kind]: reader = [] }) => reader)
  const together = (kind: keyof ConstraintRules): Reader => each(kind).flat()
  return [
    // A word after a sum takes precedence over one before it (under 1円以下), and the first language is the one that puts
    // words before. For chains it is the other way round.
    ...each('price').reverse(),
    together('currency'),
    together('status'),
    together('free'),
    together('protocol'),
    together('category'),
    together('wish'),
    ...each('chain'),
    together('listed'),
    together('exclusion'),
  ]
}

const overlaps = (a: Reading, b: Reading): boolean => a.start < b.end && b.start < a.end

/** Earlier readers take precedence; within one reader, the longer reading. */
function readEach(
  readers: readonly Reader[],
  findRules: FindRules,
  text: string,
  languages: Languages,
): Reading[] {
  const sentence = toSentence(text)
  const hinted = findRules(sentence)
  if (hinted === undefined) return []
  const readings: Reading[] = []
  for (const reader of readers) {
    const found = readAll(reader, hinted, sentence, readings)
    if (!found) continue
    found.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)
    for (const reading of found) {
      if (readings.some(other => overlaps(reading, other))) continue
      const negated = negate(reading, sentence, languages)
      readings.push(readings.some(other => overlaps(negated, other)) ? reading : negated)
    }
  }
  return readings.sort((a, b) => a.start - b.start)
}

/** A condition with the words that negate it. */
function negate(reading: Reading, { lower }: Sentence, languages: Languages): Reading {
  if (!reading.filter && !reading.wish) return reading
  for (const { sentence } of languages.all) {
    const before = sentence.negation?.before?.exec(lower.slice(0, reading.start))
    const after = sentence.negation?.after?.exec(lower.slice(reading.end))
    if (!before && !after) continue
    const start = before ? before.index : reading.start
    const end = reading.end + (after?.[0].length ?? 0)
    const { chain } = reading.filter ?? {}
    if (chain !== undefined) return { start, end, excluded: { chains: [chain].flat() } }
    return { start, end, unapplied: { code: 'negated' } }
  }
  return reading
}

type ConstraintReader = (text: string, language: Language) => ReadConstraints

/** @returns a function that reads a text, and reports in a language what of it is not applied */
export function createConstraintReader(languages: Languages): ConstraintReader {
  const readers = createReaders(languages)
  const findRules = createRuleFinder(readers.flat())
  return (text, language) => toConstraints(text, readEach(readers, findRules, text, languages), language)
}

/** Not applied, and not part of the subject either: a condition on something other than the service. */
const NO_SUBJECT: ReadonlySet<UnappliedCode> = new Set([
  'lowest_price',
  'price_of_something_else',
  'second_of_a_kind',
  'negated',
  'undecidable',
])

function toConstraints(text: string, readings: readonly Reading[], language: Language): ReadConstraints {
  const echo: Partial<Record<ConstraintName, Echo>> = {}
  let filter: AppliedFilters = {}
  const wishes = new Set<Wish>()
  const excluded: Excluded[] = []
  const unapplied: { text: string; why: string }[] = []
  const stretches: Stretch[] = []
  const addUnapplied = (written: string, code: UnappliedCode, name = '') =>
    unapplied.push({ text: written.trim(), why: language.reasons.unapplied[code](name) })
  let at = 0
  for (const reading of readings) {
    const written = text.slice(reading.start, reading.end)
    if (reading.start > at) stretches.push({ text: text.slice(at, reading.start), role: 'subject' })
    at = reading.end
    const clash = Object.entries(reading.echo ?? {}).some(
      ([key, value]) => String(echo[key as ConstraintName] ?? value) !== String(value),
    )
    const why = reading.unapplied ?? (clash ? { code: 'second_of_a_kind' as const } : undefined)
    if (why) {
      addUnapplied(written, why.code, why.name)
      // What turns out not to be a constraint belongs to the subject.
      stretches.push({ text: written, role: NO_SUBJECT.has(why.code) ? 'unapplied' : 'subject' })
      continue
    }
    if (reading.lowerEnd !== undefined) addUnapplied(reading.lowerEnd, 'lowest_price')
    if (reading.wish) wishes.add(reading.wish)
    if (reading.excluded) excluded.push(reading.excluded)
    Object.assign(echo, reading.echo)
    filter = { ...filter, ...reading.filter }
    stretches.push(toStretch(written, reading))
  }
  if (at < text.length) stretches.push({ text: text.slice(at), role: 'subject' })
  return {
    stretches,
    filter,
    constraints: { ...(echo as Omit<Constraints, 'unapplied'>), unapplied },
    excluded,
    wishes: [...wishes],
  }
}

function toStretch(text: string, { wish, excluded, echo = {} }: Reading): Stretch {
  if (wish) return { text, role: 'wish' }
  return excluded
    ? { text, role: 'excluded' }
    : { text, role: 'applied', keys: Object.keys(echo) as ConstraintName[] }
}
