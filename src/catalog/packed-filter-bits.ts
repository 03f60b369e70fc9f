// What filters ask about most, of each entry in two bytes: its status, whether it has a free quota, roughly what it costs,
// and of the chains and currencies that came first which are its own. Thousands of entries are tested for one answer, here
// and there in memory: two bytes of each stay near, a column a field does not.
import { type PriceWords, toRough } from '../domain/money.ts'
import { STATUSES } from '../domain/standing.ts'

const STATUS_BITS = 0b11
const FREE_BIT = 0b100
const LEVEL_SHIFT = 3
const KIND_SHIFT = 8
const CHAINS_BITS = 4
const BYTES = 256
/** Stands for all numbers from here on. */
const OTHER = 15
/** The highest that a price has. */
export const TOP_LEVEL = 31
/** Prices from 2^-20, about a millionth, to 2^9 have a level for each power of two; below and above they share one. */
const POWERS = Array.from({ length: TOP_LEVEL }, (_, i) => (i === 0 ? 0 : 2 ** (i - 21)))

/** Never falls where a price rises; 0 where nothing is paid, and only there. */
export function levelOf([billions, units, billionths, rest]: PriceWords): number {
  if (billions === 0 && units === 0 && billionths === 0 && rest === 0) return 0
  const rough = toRough(billions, units, billionths, rest)
  return POWERS.findLastIndex(power => power <= rough) + 1
}

export type UnpackedBits = {
  /** Their numbers among all. */
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

/** What a byte of the packed bits says of a filter: the entry cannot pass, it passes, or its own columns must be asked. */
export const FAILS = 0b00
export const PASSES = 0b11
export const UNSURE = 0b01

/** What one of the two bytes says of a filter, for each value that it can have. */
export type PackedTest = { readonly half: 'low' | 'high'; readonly verdicts: Uint8Array }

// A loop, because it is made for every search with a filter: `from` takes several times as long.
function toVerdicts(verdictOfByte: (byte: number) => number): Uint8Array {
  const verdicts = new Uint8Array(BYTES)
  for (let byte = 0; byte < BYTES; byte++) verdicts[byte] = verdictOfByte(byte)
  return verdicts
}
const passesIf = (holds: boolean): number => (holds ? PASSES : FAILS)

// Of these there are few, so that each is worked out once.
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
    // What costs less by a level costs less.
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

/** @param isWanted 1 for the numbers that are wanted */
export const chainSetBits = (isWanted: ArrayLike<number>): PackedTest => ({
  half: 'high',
  verdicts: toVerdicts(byte => amongFirst(isWanted, byte & OTHER)),
})

/** @param isWanted 1 for the numbers that are wanted */
export const currencyBits = (isWanted: ArrayLike<number>): PackedTest => ({
  half: 'high',
  verdicts: toVerdicts(byte => amongFirst(isWanted, byte >>> CHAINS_BITS)),
})

/** Of a number that shares its place with all later ones nothing is known. */
const amongFirst = (isWanted: ArrayLike<number>, number: number): number =>
  number === OTHER ? UNSURE : passesIf(isWanted[number] === 1)

/** What each of the two bytes says of all filters together. */
export type BitsTest = { readonly low: Uint8Array; readonly high: Uint8Array }

const ANYTHING = new Uint8Array(BYTES).fill(PASSES)

export function combineTests(tests: readonly PackedTest[]): BitsTest {
  const together: { low: Uint8Array; high: Uint8Array } = { low: ANYTHING, high: ANYTHING }
  for (const { half, verdicts } of tests) together[half] = both(together[half], verdicts)
  return together
}

function both(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a === ANYTHING) return b
  const verdicts = new Uint8Array(BYTES)
  for (let byte = 0; byte < BYTES; byte++) verdicts[byte] = a[byte]! & b[byte]!
  return verdicts
}

/** What both bytes say together. */
export const verdictOf = ({ low, high }: BitsTest, bits: number): number =>
  low[bits & (BYTES - 1)]! & high[bits >>> KIND_SHIFT]!
