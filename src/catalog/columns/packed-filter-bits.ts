// The most filtered fields of each entry in two bytes: status, free quota, price level, and chain set and currency if they are among
// the first 15. One request tests thousands of scattered entries: two bytes each stay in the processor's cache, separate columns do not.
import { type PriceWords, toRough } from '../../domain/money/money.ts'
import { STATUSES } from '../../domain/standing/standing.ts'

const STATUS_BITS = 0b11
const FREE_BIT = 0b100
const LEVEL_SHIFT = 3
const KIND_SHIFT = 8
const CHAINS_BITS = 4
const BYTES = 256
/** Shared by all numbers from here on. */
const OTHER = 15
/** The highest price level. */
export const TOP_LEVEL = 31
/** Prices from 2^-20, about a millionth, to 2^9 have one level per power of two; those below share a level, and those above. */
const POWERS = Array.from({ length: TOP_LEVEL }, (_, i) => (i === 0 ? 0 : 2 ** (i - 21)))

/** Monotonic in the price; 0 if and only if the price is 0. */
export function levelOf([billions, units, billionths, rest]: PriceWords): number {
  if (billions === 0 && units === 0 && billionths === 0 && rest === 0) return 0
  const rough = toRough(billions, units, billionths, rest)
  return POWERS.findLastIndex(power => power <= rough) + 1
}

export type UnpackedBits = {
  /** Status, chain set and currency are numbers of their interned values. */
  readonly status: number
  readonly chainSet: number
  readonly currency: number
  readonly hasFreeQuota: boolean
  readonly level: number
}

export const packBits = ({ status, chainSet, currency, hasFreeQuota, level }: UnpackedBits): number =>
  status |
  (hasFreeQuota ? FREE_BIT : 0) |
  (level << LEVEL_SHIFT) |
  (Math.min(chainSet, OTHER) << KIND_SHIFT) |
  (Math.min(currency, OTHER) << (KIND_SHIFT + CHAINS_BITS))

export const statusIn = (bits: number): number => bits & STATUS_BITS
export const hasFreeQuotaIn = (bits: number): boolean => (bits & FREE_BIT) !== 0
export const levelIn = (bits: number): number => (bits >>> LEVEL_SHIFT) & TOP_LEVEL

/** The verdict of a byte of the packed bits: the entry fails, it passes, or its columns must be tested. */
export const FAILS = 0b00
export const PASSES = 0b11
export const UNSURE = 0b01

/** The verdicts of one of the two bytes, for each of its values. */
export type PackedTest = { readonly half: 'low' | 'high'; readonly verdicts: Uint8Array }

// A loop, because it runs for every search with a filter: `Uint8Array.from` takes several times as long.
function toVerdicts(verdictOfByte: (byte: number) => number): Uint8Array {
  const verdicts = new Uint8Array(BYTES)
  for (let byte = 0; byte < BYTES; byte++) verdicts[byte] = verdictOfByte(byte)
  return verdicts
}
const passesIf = (holds: boolean): number => (holds ? PASSES : FAILS)

// There are few of these, so each is computed once.
const STATUS_BITS_OF = STATUSES.map(
  (_, wanted): PackedTest => ({
    half: 'low',
    verdicts: toVerdicts(byte => passesIf(statusIn(byte) === wanted)),
  }),
)
const LEVEL_BITS_OF = Array.from(
  { length: TOP_LEVEL + 1 },
  (_, max): PackedTest => ({
    half: 'low',
    // A lower level means a lower price.
    verdicts: toVerdicts(byte => (levelIn(byte) < max ? PASSES : levelIn(byte) === max ? UNSURE : FAILS)),
  }),
)
const FREE_QUOTA_BITS_OF: Readonly<Record<'quota' | 'any', PackedTest>> = {
  quota: { half: 'low', verdicts: toVerdicts(byte => passesIf(hasFreeQuotaIn(byte))) },
  any: { half: 'low', verdicts: toVerdicts(byte => passesIf(hasFreeQuotaIn(byte) || levelIn(byte) === 0)) },
}

/** @param wanted the number of the status */
export const statusBits = (wanted: number): PackedTest => STATUS_BITS_OF[wanted]!
/** @param max the level of the highest price */
export const levelBits = (max: number): PackedTest => LEVEL_BITS_OF[max]!
export const freeQuotaBits = (free: 'quota' | 'any'): PackedTest => FREE_QUOTA_BITS_OF[free]

/** @param isWanted 1 for each accepted number */
export const chainSetBits = (isWanted: ArrayLike<number>): PackedTest => ({
  half: 'high',
  verdicts: toVerdicts(byte => verdictOfNumber(isWanted, byte & OTHER)),
})

/** @param isWanted 1 for each accepted number */
export const currencyBits = (isWanted: ArrayLike<number>): PackedTest => ({
  half: 'high',
  verdicts: toVerdicts(byte => verdictOfNumber(isWanted, byte >>> CHAINS_BITS)),
})

/** OTHER is inconclusive: all later numbers share it. */
const verdictOfNumber = (isWanted: ArrayLike<number>, number: number): number =>
  number === OTHER ? UNSURE : passesIf(isWanted[number] === 1)

/** The verdicts of each of the two bytes for all filters combined. */
export type BitsTest = { readonly low: Uint8Array; readonly high: Uint8Array }

const ALL_PASS = new Uint8Array(BYTES).fill(PASSES)

export function combineTests(tests: readonly PackedTest[]): BitsTest {
  const combined: { low: Uint8Array; high: Uint8Array } = { low: ALL_PASS, high: ALL_PASS }
  for (const { half, verdicts } of tests) combined[half] = intersect(combined[half], verdicts)
  return combined
}

function intersect(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a === ALL_PASS) return b
  const verdicts = new Uint8Array(BYTES)
  for (let byte = 0; byte < BYTES; byte++) verdicts[byte] = a[byte]! & b[byte]!
  return verdicts
}

/** The combined verdict of both bytes. */
export const verdictOf = ({ low, high }: BitsTest, bits: number): number =>
  low[bits & (BYTES - 1)]! & high[bits >>> KIND_SHIFT]!
