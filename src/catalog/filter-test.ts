// Tests entries for a filter: by their traits, and by their columns where traits do not tell.
import { categoryKey } from '../domain/categories.ts'
import { chainKey } from '../domain/chains.ts'
import type { IntentFilter } from '../domain/intent-filter.ts'
import { toPriceWords } from '../domain/money.ts'
import { STATUSES } from '../domain/standing.ts'
import { bitOf, lowestSlot, WORD_SHIFT } from '../memory/bits.ts'
import type { Columns } from './columns.ts'
import { FAILS, judge, levelOf, PASSES, type TraitsTest, toTraitsTest, UNSURE } from './packed-filter-bits.ts'

const WORD = 1 << WORD_SHIFT
/** Where no value is asked for. */
const ANY = -1

type SlotTest = (slot: number) => boolean

type FilterTest = {
  readonly said: TraitsTest
  /** The number of the one that is wanted, or ANY. */
  readonly category: number
  /** Of an entry whose traits do not tell. */
  readonly passes: SlotTest
}

/**
 * A test for the filter, good until the catalog changes; undefined when some value never occurred, so that nothing can
 * pass. It is one function for all kinds of filters, because thousands of slots may be asked about.
 */
export function toAcceptor(columns: Columns, filter: IntentFilter): SlotTest | undefined {
  const test = toTest(columns, filter)
  if (test === undefined) return undefined
  const { said, category, passes } = test
  const { traits, category: categories } = columns
  return slot => {
    const judged = judge(said, traits[slot]!)
    return (
      judged !== FAILS &&
      (judged === PASSES || passes(slot)) &&
      (category === ANY || categories[slot] === category)
    )
  }
}

/** Finds which slots pass, as bits, for the words of 32 slots from `from` to `to`. Of slots without an entry it may say anything. */
export function markPassing(
  columns: Columns,
  filter: IntentFilter,
  passing: Int32Array,
  from: number,
  to: number,
): void {
  const test = toTest(columns, filter)
  for (let word = from; word < to; word++)
    passing[word] = test === undefined ? 0 : passingOf(columns, test, word)
}

function passingOf(columns: Columns, { said, category, passes }: FilterTest, word: number): number {
  const { traits, category: categories } = columns
  const first = word * WORD
  const end = Math.min(first + WORD, traits.length)
  let passing = 0
  let unsure = 0
  for (let slot = first; slot < end; slot++) {
    const judged = judge(said, traits[slot]!)
    if (judged === PASSES) passing |= bitOf(slot)
    else if (judged === UNSURE) unsure |= bitOf(slot)
  }
  for (; unsure !== 0; unsure &= unsure - 1) if (passes(lowestSlot(unsure, word))) passing |= unsure & -unsure
  if (category !== ANY)
    for (let left = passing; left !== 0; left &= left - 1)
      if (categories[lowestSlot(left, word)] !== category) passing &= ~(left & -left)
  return passing
}

/** undefined when some value never occurred. */
function toTest(columns: Columns, filter: IntentFilter): FilterTest | undefined {
  const { category, chain, status, currencies, maxPrice, free } = filter
  const wantedCategory = category === undefined ? ANY : columns.categories.find(categoryKey(category))
  const isWantedChain = chain === undefined ? undefined : chainSetsWith(columns, chain)
  const isWantedCurrency = currencies && currenciesAmong(columns, currencies)
  if (wantedCategory === undefined) return undefined
  if ((chain !== undefined && !isWantedChain) || (currencies && !isWantedCurrency)) return undefined
  const max = maxPrice && toPriceWords(maxPrice.amount)
  const highest = maxPrice?.below ? -1 : 0
  const said = toTraitsTest({
    statuses: status && STATUSES.map(other => (other === status ? 1 : 0)),
    chainSets: isWantedChain,
    currencies: isWantedCurrency,
    free,
    maxLevel: max && levelOf(max),
  })
  const { chainSet, currency } = columns
  const passes: SlotTest = slot =>
    (isWantedChain === undefined || isWantedChain[chainSet[slot]!] === 1) &&
    (isWantedCurrency === undefined || isWantedCurrency[currency[slot]!] === 1) &&
    (max === undefined || columns.comparePriceTo(slot, max) <= highest)
  return { said, category: wantedCategory, passes }
}

/** For each combination of chains whether the chain is in it; undefined where it never occurred. */
function chainSetsWith({ chains, chainsOfSet }: Columns, chain: string): Uint8Array | undefined {
  const wanted = chains.find(chainKey(chain))
  if (wanted === undefined) return undefined
  return Uint8Array.from(chainsOfSet, chains => (chains.includes(wanted) ? 1 : 0))
}

/** For each currency whether it is one of these; undefined where none of them ever occurred. */
function currenciesAmong(
  { currencies: known }: Columns,
  currencies: readonly string[],
): Uint8Array | undefined {
  const isWanted = new Uint8Array(known.texts.length)
  for (const currency of currencies) {
    const number = known.find(currency)
    if (number !== undefined) isWanted[number] = 1
  }
  return isWanted.includes(1) ? isWanted : undefined
}
