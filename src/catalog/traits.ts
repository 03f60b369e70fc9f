// What filters ask about most, of each entry in one byte: its status, whether it has a free quota and roughly what it costs.
// Thousands of entries are tested for one answer, here and there in memory: a byte of each stays near, a column a field does not.
import { type PriceWords, toRough } from '../domain/money.ts'

const STATUS_BITS = 0b11
const FREE_BIT = 0b100
const LEVEL_SHIFT = 3
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

/** @param status its number among all */
export const toTraits = (status: number, hasFreeQuota: boolean, level: number): number =>
  status | (hasFreeQuota ? FREE_BIT : 0) | (level << LEVEL_SHIFT)

export const statusIn = (traits: number): number => traits & STATUS_BITS
export const hasFreeQuotaIn = (traits: number): boolean => (traits & FREE_BIT) !== 0
export const levelIn = (traits: number): number => traits >>> LEVEL_SHIFT
