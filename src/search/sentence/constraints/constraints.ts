// Reads the constraints of a sentence and tells them from its subject.
import type { Constraints } from '../../../domain/answers.ts'
import type { IntentFilter } from '../../../domain/intent-filter.ts'
import { CHAIN_READERS } from './chain.ts'
import { PRICE_READERS } from './price.ts'
import {
  type ConstraintKey,
  type Reader,
  type Reading,
  readAll,
  toSentence,
  type Why,
  type Wish,
} from './reading.ts'
import { WORD_READERS } from './standing.ts'

/** A stretch of the sentence: a part of the subject, or of a constraint. */
export type Stretch = {
  readonly text: string
  readonly role: 'subject' | 'applied' | 'wish' | 'unapplied'
  /** What an applied constraint is about. */
  readonly keys?: readonly ConstraintKey[]
}

export type ReadConstraints = {
  /** The whole sentence in order. */
  readonly stretches: readonly Stretch[]
  readonly filter: IntentFilter
  readonly constraints: Constraints
  readonly wishes: readonly Wish[]
}

const READERS: readonly Reader[] = [...PRICE_READERS, ...WORD_READERS, ...CHAIN_READERS]

const TWICE: Why = { en: 'only one of a kind can be applied', ja: '同じ種類の条件は一つだけ指定できます' }

const overlaps = (a: Reading, b: Reading): boolean => a.start < b.end && b.start < a.end

/** Earlier readers win; within one reader the longer reading does. */
function readEach(text: string): Reading[] {
  const sentence = toSentence(text)
  const readings: Reading[] = []
  for (const reader of READERS) {
    const found = readAll(reader, sentence, readings)
    if (!found) continue
    found.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)
    for (const reading of found) if (!readings.some(other => overlaps(reading, other))) readings.push(reading)
  }
  return readings.sort((a, b) => a.start - b.start)
}

export function readConstraints(text: string, language: 'en' | 'ja'): ReadConstraints {
  const echo: Partial<Record<ConstraintKey, string | true>> = {}
  let filter: IntentFilter = {}
  const wishes = new Set<Wish>()
  const unapplied: { text: string; why: string }[] = []
  const stretches: Stretch[] = []
  let at = 0
  for (const reading of readEach(text)) {
    const written = text.slice(reading.start, reading.end)
    if (reading.start > at) stretches.push({ text: text.slice(at, reading.start), role: 'subject' })
    at = reading.end
    const clash = Object.entries(reading.echo ?? {}).some(
      ([key, value]) => (echo[key as ConstraintKey] ?? value) !== value,
    )
    const why = reading.unapplied ?? (clash ? TWICE : undefined)
    if (why) {
      unapplied.push({ text: written.trim(), why: why[language] })
      // What is not a constraint after all belongs to the subject.
      stretches.push({ text: written, role: clash ? 'unapplied' : 'subject' })
      continue
    }
    if (reading.wish) wishes.add(reading.wish)
    Object.assign(echo, reading.echo)
    filter = { ...filter, ...reading.filter }
    stretches.push(
      reading.wish
        ? { text: written, role: 'wish' }
        : { text: written, role: 'applied', keys: Object.keys(reading.echo ?? {}) as ConstraintKey[] },
    )
  }
  if (at < text.length) stretches.push({ text: text.slice(at), role: 'subject' })
  return {
    stretches,
    filter,
    constraints: { ...(echo as Omit<Constraints, 'unapplied'>), unapplied },
    wishes: [...wishes],
  }
}
