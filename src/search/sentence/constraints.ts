// Parses the conditions of a sentence: sums of money, and everything that the rules of a language find.

import { KNOWN_CATEGORIES } from '../../domain/listing/categories.ts'
import { CURRENCY_FAMILIES, DECIMAL } from '../../domain/money/money.ts'
import type { AppliedFilters, ConstraintName } from '../../domain/queries/filters.ts'
import type { Constraints, Wish } from '../../domain/queries/queries.ts'
import type {
  BoundOptions,
  ConstraintRules,
  Echo,
  Excluded,
  FoundConstraint,
  Groups,
  Language,
  Reader,
  Reading,
  Sentence,
  SharedRules,
  UnappliedCode,
} from '../text/languages/language.ts'
import type { Languages } from '../text/languages/languages.ts'

// Parses sums of money in a sentence of any language: "0.01 USDC", "$0.005", "half a cent", "1円".

type Money = {
  readonly echo: string
  readonly currencies: readonly string[]
  readonly cents: boolean
  readonly max: number
}

/** A higher sum is hardly the price of one request, but of its subject: hotels under $100. */
const MAX_SUM = { USD: 10, EUR: 10, JPY: 1000 } as const
/** From a tenth of it on, the sentence must mention a service; from a hundredth on, it must not mention goods. */
const USUAL = 1 / 10
const SMALL = 1 / 100

const family = (echo: 'USD' | 'EUR' | 'JPY', currencies: readonly string[], cents = false): Money => ({
  echo,
  currencies,
  cents,
  max: MAX_SUM[echo] * (cents ? 100 : 1),
})
const UNITS = {
  dollar: family('USD', CURRENCY_FAMILIES.dollar),
  cent: family('USD', CURRENCY_FAMILIES.dollar, true),
  euro: family('EUR', CURRENCY_FAMILIES.euro),
  yen: family('JPY', CURRENCY_FAMILIES.yen),
}
const SIGNS: Readonly<Record<string, Money>> = {
  $: UNITS.dollar,
  '€': UNITS.euro,
  '¥': UNITS.yen,
}
/** Units that are the same in every language. */
const COMMON_UNITS: Readonly<Record<string, Money>> = {
  '¢': UNITS.cent,
  usd: UNITS.dollar,
  eur: UNITS.euro,
  jpy: UNITS.yen,
}
const COINS =
  'eth weth sol btc wbtc xrp pol matic avax bnb algo xlm ton trx near sui apt hbar celo dai'.split(' ')
const CODES = [...new Set([...Object.values(CURRENCY_FAMILIES).flat(), ...COINS])]

/** 1,000 and 0.01, but also 0,01 and 2,50. */
const DECIMAL_COMMA = '(?:0,\\d+|\\d+,\\d{1,2})(?![\\d,.])'
const NUMBER = `${DECIMAL_COMMA}|(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?|\\.\\d+`
const HAS_DECIMAL_COMMA = new RegExp(`^${DECIMAL_COMMA}$`)
const toPlain = (digits: string): string =>
  HAS_DECIMAL_COMMA.test(digits.trim()) ? digits.trim().replace(',', '.') : digits.replaceAll(',', '').trim()
const NEVER = '(?!)'

const anyOf = (sources: readonly string[]): string => (sources.length === 0 ? NEVER : sources.join('|'))

function createSums({ all }: Languages): Omit<SharedRules, 'categoryName' | 'toCategory'> {
  const money = all.map(({ sentence }) => sentence.money)
  const units = new Map<string, Money>(Object.entries(COMMON_UNITS))
  for (const words of money)
    for (const [unit, names] of Object.entries(words.units))
      for (const name of names) units.set(name, UNITS[unit as keyof typeof UNITS])
  const numbers = money.flatMap(({ number }) => number ?? [])
  const goods = new RegExp(anyOf(money.flatMap(words => words.goods ?? [])))
  const service = new RegExp(all.flatMap(({ sentence }) => sentence.generic).join('|'))
  const saysEach = new RegExp(anyOf(money.flatMap(words => words.saysEach ?? [])))
  const unit = `(?:${[...units.keys(), ...CODES.filter(code => !units.has(code))].join('|')})(?![a-z0-9])`

  function toMoney(word: string): Money {
    const known = SIGNS[word] ?? units.get(word)
    if (known) return known
    const stable = Object.values(UNITS).find(({ currencies }) => currencies.includes(word))
    const max = stable?.max ?? Number.POSITIVE_INFINITY
    return { echo: word.toUpperCase(), currencies: [word], cents: false, max }
  }

  function toNumber(text: string): number {
    const plain = toPlain(text)
    if (/^[\d.]+$/.test(plain)) return Number(plain)
    for (const words of money) {
      const number = words.toNumber?.(plain)
      if (number !== undefined) return number
    }
    return Number.NaN
  }

  /** Returns the digits as written if they are a decimal number, otherwise the computed value, to six places. */
  function toDecimal(text: string, { cents }: Money): string | undefined {
    const written = toPlain(text).replace(/^\./, '0.')
    if (!cents && DECIMAL.test(written)) return written
    const amount = toNumber(text) / (cents ? 100 : 1)
    if (!Number.isFinite(amount)) return undefined
    return amount.toFixed(8).replace(/\.?0+$/, '')
  }

  /** Returns whether a sum belongs to something else: hotels under $200, coffee under $5. */
  function isOfSomethingElse(amount: number, { max }: Money, { each, sentence }: BoundOptions): boolean {
    if (each || amount <= max * SMALL) return false
    if (amount > max) return true
    return goods.test(sentence.lower) || (amount > max * USUAL && !service.test(sentence.lower))
  }

  function toBound(groups: Groups, options: BoundOptions): FoundConstraint | undefined {
    const { below = false } = options
    const { sign, signed, code, coded, number, unit, bare } = groups
    const digits = signed ?? coded ?? number ?? bare ?? ''
    const word = sign ?? code ?? unit
    const money = word === undefined ? undefined : toMoney(word)
    const amount = toDecimal(digits, money ?? UNITS.dollar)
    if (amount === undefined || !DECIMAL.test(amount)) return undefined
    if (money && isOfSomethingElse(toNumber(digits), money, options))
      return { unapplied: { code: 'price_of_something_else' } }
    return {
      filter: { maxPricePerRequest: { amount, below }, ...(money ? { currency: money.currencies } : {}) },
      echo: { maxPricePerRequest: amount, ...(money ? { currency: money.echo } : {}) },
    }
  }

  return {
    unit,
    number: `(?:${NUMBER})`,
    sum: `(?:(?<sign>[${Object.keys(SIGNS).join('')}]) ?(?<signed>${NUMBER})(?: ?${unit})?|(?<code>usdc|usdt|usd|eurc|eur|jpyc|jpy) (?<coded>${NUMBER})|(?<number>${NUMBER}|(?:${anyOf(numbers)}))[ -]?(?<unit>${unit})|(?<bare>\\d*\\.\\d+))`,
    each: `(?:\\s*(?:${anyOf(money.flatMap(({ each }) => each ?? []))}))?`,
    saysEach: text => saysEach.test(text),
    toBound,
    toCurrency(unit) {
      const { echo, currencies } = toMoney(unit)
      return { filter: { currency: currencies }, echo: { currency: echo } }
    },
  }
}

// Parses the constraints of a sentence by the rules of all languages, and separates them from its subject.

// Reads a sentence by the rules of a language.

const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text)

const toSentence = (text: string): Sentence => ({
  text,
  lower: isAscii(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, letters => letters.toLowerCase()),
})

/** Returns everything that the rules find in a sentence. */
function readAll(rules: Reader, sentence: Sentence, earlier: readonly Reading[]): Reading[] {
  const readings: Reading[] = []
  for (const { pattern, handle } of rules) {
    // Most patterns do not match, and `search` is cheaper than `matchAll`.
    if (sentence.lower.search(pattern) < 0) continue
    for (const match of sentence.lower.matchAll(pattern)) {
      const found = handle(match as RegExpExecArray, sentence, earlier)
      if (!found) continue
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

/** The rules of these languages, in the order in which they are applied. */
function createReaders(languages: readonly Language[], shared: SharedRules): Reader[] {
  const rules = languages.map(({ sentence }) => sentence.constraints(shared))
  const each = (kind: keyof ConstraintRules): Reader[] => rules.map(({ [kind]: reader = [] }) => reader)
  const together = (kind: keyof ConstraintRules): Reader => each(kind).flat()
  return [
    together('concession'),
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
    together('exclusion'),
  ]
}

const overlaps = (a: Reading, b: Reading): boolean => a.start < b.end && b.start < a.end

/** Earlier readers take precedence; within one reader, the longer reading. */
function readEach(readers: readonly Reader[], text: string, languages: Languages): Reading[] {
  const sentence = toSentence(text)
  const readings: Reading[] = []
  for (const reader of readers) {
    const found = readAll(reader, sentence, readings)
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
  const shared = createSharedRules(languages)
  const readers = createReaders(languages.all, shared)
  const ofAscii = createReaders(
    languages.all.filter(({ sentence }) => !sentence.isBeyondAscii),
    shared,
  )
  return (text, language) =>
    toConstraints(text, readEach(isAscii(text) ? ofAscii : readers, text, languages), language)
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

function toStretch(text: string, { wish, excluded, echo }: Reading): Stretch {
  if (wish) return { text, role: 'wish' }
  if (excluded) return { text, role: 'excluded' }
  return echo
    ? { text, role: 'applied', keys: Object.keys(echo) as ConstraintName[] }
    : { text, role: 'subject' }
}
