// What filters ask about most, of each entry in two bytes: its status, whether it has a free quota, roughly what it costs,
// and of the chains and currencies that came first which are its own. Thousands of entries are tested for one answer, here
// and there in memory: two bytes of each stay near, a column a field does not.
import { type PriceWords, toRough } from '../domain/money.ts'

const STATUS_BITS = 0b11
const FREE_BIT = 0b100
const LEVEL_SHIFT = 3
const KIND_SHIFT = 8
const CHAINS_BITS = 4
const BYTES = 256
/** Stands for all numbers from here on. */
const LATER = 15
/** The highest that a price has. */
export const TOP_LEVEL = 31
/** Prices from 2^-21, half a millionth, to 2^9 have a level of their own; below and above they share one. */
const EXPONENT_OF_LEVEL_0 = -22

const double = new Float64Array(1)
const halves = new Uint32Array(double.buffer)
/** Of the half that holds the exponent; every machine this runs on has it second. */
const EXPONENT_SHIFT = 20
const EXPONENT_BIAS = 1023

/** Never falls where a price rises; 0 where nothing is paid, and only there. */
export function levelOf([billions, units, billionths, rest]: PriceWords): number {
  if (billions === 0 && units === 0 && billionths === 0 && rest === 0) return 0
  double[0] = toRough(billions, units, billionths, rest)
  // Read from the bits: a logarithm may be off beside a power of two, where levels meet.
  const exponent = (halves[1]! >>> EXPONENT_SHIFT) - EXPONENT_BIAS
  return Math.min(TOP_LEVEL, Math.max(1, exponent - EXPONENT_OF_LEVEL_0))
}

export type Traits = {
  /** Their numbers among all. */
  readonly status: number
  readonly chainSet: number
  readonly currency: number
  readonly hasFreeQuota: boolean
  readonly level: number
}

export const toTraits = ({ status, chainSet, currency, hasFreeQuota, level }: Traits): number =>
  status |
  (hasFreeQuota ? FREE_BIT : 0) |
  (level << LEVEL_SHIFT) |
  (Math.min(chainSet, LATER) << KIND_SHIFT) |
  (Math.min(currency, LATER) << (KIND_SHIFT + CHAINS_BITS))

export const statusIn = (traits: number): number => traits & STATUS_BITS
export const hasFreeQuotaIn = (traits: number): boolean => (traits & FREE_BIT) !== 0
export const levelIn = (traits: number): number => (traits >>> LEVEL_SHIFT) & TOP_LEVEL

/** What a byte of the traits says of a filter: the entry cannot pass, it passes, or its own columns must be asked. */
export const FAILS = 0b00
export const PASSES = 0b11
export const UNSURE = 0b01

export type WantedTraits = {
  /** 1 for the numbers that are wanted; undefined: any will do. */
  readonly statuses?: ArrayLike<number> | undefined
  readonly chainSets?: ArrayLike<number> | undefined
  readonly currencies?: ArrayLike<number> | undefined
  readonly free?: 'quota' | 'any' | undefined
  /** The level of the highest price that is wanted. */
  readonly maxLevel?: number | undefined
}

const ANYTHING = new Uint8Array(BYTES).fill(PASSES)

/** What each of the two bytes says of a filter. */
export type TraitsTest = { readonly low: Uint8Array; readonly high: Uint8Array }

export const toTraitsTest = (wanted: WantedTraits): TraitsTest => ({
  low: toLow(wanted),
  high: toHigh(wanted),
})

/** What both bytes say together. */
export const judge = ({ low, high }: TraitsTest, traits: number): number =>
  low[traits & (BYTES - 1)]! & high[traits >>> KIND_SHIFT]!

/** For each byte with status, free quota and level. */
function toLow({ statuses, free, maxLevel }: WantedTraits): Uint8Array {
  if (statuses === undefined && free === undefined && maxLevel === undefined) return ANYTHING
  const said = new Uint8Array(BYTES)
  for (let traits = 0; traits < BYTES; traits++) {
    const level = levelIn(traits)
    const isFree = free === undefined || hasFreeQuotaIn(traits) || (free === 'any' && level === 0)
    // What costs less by a level costs less.
    const price = maxLevel === undefined || level < maxLevel ? PASSES : level === maxLevel ? UNSURE : FAILS
    said[traits] = isFree ? price & isAmong(statuses, statusIn(traits)) : FAILS
  }
  return said
}

/** For each byte with chains and currency. */
function toHigh({ chainSets, currencies }: WantedTraits): Uint8Array {
  if (chainSets === undefined && currencies === undefined) return ANYTHING
  const said = new Uint8Array(BYTES)
  for (let kind = 0; kind < BYTES; kind++) {
    const chainSet = kind & LATER
    const currency = kind >>> CHAINS_BITS
    // Of a number that shares its place with all later ones nothing is known.
    const chains = chainSets && chainSet === LATER ? UNSURE : isAmong(chainSets, chainSet)
    said[kind] = chains & (currencies && currency === LATER ? UNSURE : isAmong(currencies, currency))
  }
  return said
}

const isAmong = (numbers: ArrayLike<number> | undefined, number: number): number =>
  numbers === undefined || numbers[number] === 1 ? PASSES : FAILS
