// Parses sums of money in a sentence of any language: "0.01 USDC", "$0.005", "half a cent", "1円".
import { CURRENCY_FAMILIES, DECIMAL } from '../../domain/money/money.ts'
import {
  type BoundOptions,
  DIGITS,
  type FoundConstraint,
  type Groups,
  type SharedRules,
} from '../text/languages/constraint-rules.ts'
import type { Languages } from '../text/languages/languages.ts'

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

export function createSums({ all }: Languages): Omit<SharedRules, 'categoryName' | 'toCategory'> {
  const money = all.map(({ sentence }) => sentence.money)
  const units = new Map<string, Money>(Object.entries(COMMON_UNITS))
  for (const words of money)
    for (const [unit, names] of Object.entries(words.units))
      for (const name of names) units.set(name, UNITS[unit as keyof typeof UNITS])
  const numbers = money.flatMap(({ number }) => number ?? [])
  const goods = new RegExp(anyOf(money.flatMap(words => words.goods ?? [])))
  const service = new RegExp(all.flatMap(({ sentence }) => sentence.generic).join('|'))
  const saysEach = new RegExp(anyOf(money.flatMap(words => words.saysEach ?? [])))
  const names = [...units.keys(), ...CODES]
  // A number in words has a space after it.
  const hints = names.flatMap(name =>
    name.length === 1 && name < '\x7f' ? [` ${name}`, `-${name}`] : [name],
  )
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
    sumHints: [
      DIGITS,
      ...hints.filter(hint => !hints.some(other => other !== hint && hint.includes(other))),
    ].join('|'),
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
