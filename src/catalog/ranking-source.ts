// The catalog as the source of ranking: filters, entries that pass if they are few, standing, and records.
import { type AppliedFilters, toApplied } from '../domain/queries/filters.ts'
import { PROTOCOLS } from '../domain/terms/terms.ts'
import type { SlotOrder, SlotTest } from '../memory/sorted-slots.ts'
import type { RankingSource } from '../search/ranking/answer.ts'
import { type StandingSignals, UNPROVED } from '../search/ranking/prior.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { Fingerprints } from './backing.ts'
import { type Backings, marksOf, type Namesakes } from './backing.ts'
import type { Columns } from './columns.ts'
import { smallestRange, toAcceptor } from './filters.ts'
import type { Offers } from './offers.ts'
import type { Places } from './places.ts'
import type { Records, SlotTable } from './records.ts'
import type { SortedIndexes } from './sorted-indexes.ts'

type Parts = {
  readonly columns: Columns
  readonly sortedIndexes: SortedIndexes
  readonly index: SearchIndex
  readonly records: Records
  readonly fingerprints: Fingerprints
  readonly backings: Backings
  readonly namesakes: Namesakes
  readonly ids: SlotTable
  readonly offers: Offers
  readonly places: Places
  readonly order: SlotOrder
}

const VERIFIED = toApplied({ status: 'verified' })

export function createRankingSource(parts: Parts): RankingSource {
  const { columns, sortedIndexes, index, records, order, fingerprints, backings } = parts
  const { places, ids } = parts
  const amongVerified = (filter: AppliedFilters): SlotTest | undefined => {
    if (filter.status !== undefined && filter.status !== VERIFIED.status) return undefined
    const hasAny = (sortedIndexes.narrow(VERIFIED)?.set.age.size ?? 0) > 0
    return hasAny ? toAcceptor(columns, { ...filter, ...VERIFIED }) : undefined
  }
  const hasProof = (slot: number) => columns.fields.proof[slot]! > UNPROVED
  const standingOf = (slot: number): StandingSignals => ({
    status: columns.fields.undelivered[slot] === 1 ? 'unverified' : columns.status(slot),
    proof: columns.fields.proof[slot]!,
    since: columns.fields.since[slot]!,
  })
  return {
    index,
    get rates() {
      return columns.rates
    },
    order,
    acceptor: filter => toAcceptor(columns, filter),
    few: (filter, passes) => fewOf(parts, filter, passes),
    mostTrusted: (filter, accept, count) => mostTrusted(parts, filter, accept, count),
    // If the filter already requires a status, no others can crowd out the verified entries.
    verified: filter => (filter.status === undefined ? amongVerified(filter) : undefined),
    verifiedWithProof(filter) {
      const accept = amongVerified(filter)
      return accept && (slot => hasProof(slot) && accept(slot))
    },
    hasProof,
    keyOf: (slot, part) => fingerprints.keyOf(slot, part),
    wordedSince: (slot, part) => fingerprints.sinceMs(slot, part),
    marksOf: slot => marksOf(parts, slot),
    isVerified: slot => columns.status(slot) === 'verified',
    isClaimed: slot => backings.isClaimed(slot),
    isByStranger: slot => backings.isByStranger(slot),
    isRelisting: (slot, other) =>
      backings.isSameEndpoint(slot, other) && backings.sinceMs(other) < backings.sinceMs(slot),
    ranksBehindReal: slot => places.ranksBehindReal(slot, ids.size),
    dangerOf: slot => places.danger(slot),
    service: slot => records.service(slot),
    standingOf,
    dollarPriceOf: slot => columns.dollarPrice(slot),
    protocolsOf: slot => PROTOCOLS.filter((_, i) => (columns.fields.protocols[slot]! & (1 << i)) !== 0),
    signalsOf: slot => ({
      ...standingOf(slot),
      price: columns.keys.price.rough(slot),
      currency: columns.currencies.texts[columns.fields.currency[slot]!]!,
      hasFreeQuota: columns.hasFreeQuota(slot),
      latencyMs: columns.keys.latency.number(slot),
    }),
  }
}

/** Entries of a sorted index or bound that are tested, and passing ones up to which every one is a candidate. */
const MAX_TESTED = 6_000
const MAX_CANDIDATES = 1_200

/** All entries that pass a filter, if they are few. */
function fewOf(
  { columns, sortedIndexes }: Parts,
  filter: AppliedFilters,
  passes: SlotTest = () => true,
): number[] | undefined {
  const narrowed = sortedIndexes.narrow(filter)
  if (!narrowed) return []
  const { set, rest } = narrowed
  const range = smallestRange(columns, set, rest)
  const { order, from, to } = range ?? { order: 'age', from: 0, to: set.age.size }
  if (to - from > MAX_TESTED) return undefined
  // Entries within the range need no test for its filter.
  const accept = toAcceptor(columns, range ? { ...rest, [range.filter]: undefined } : rest)
  if (!accept) return []
  return set[order].fewOf(from, to, slot => accept(slot) && passes(slot), MAX_CANDIDATES)
}

/**
 * The most trusted entries that pass, at most `count`, the older first among equals. Samples follow, which nobody trusts, then what must
 * not be paid.
 */
function mostTrusted(
  { columns, sortedIndexes, places }: Parts,
  filter: AppliedFilters,
  accept: SlotTest,
  count: number,
): number[] {
  const { trust } = columns
  const byTrust = sortedIndexes.narrow(filter)?.set.trustScore
  const best: number[] = []
  const samples: number[] = []
  const dangerous: number[] = []
  for (let end = byTrust?.size ?? 0; byTrust && end > 0 && best.length < count; ) {
    let highest = 0
    byTrust.scan(end - 1, -1, slot => {
      highest = trust[slot]!
      return false
    })
    end = byTrust.countWhile(slot => trust[slot]! < highest)
    byTrust.scan(end, 1, slot => {
      if (trust[slot] !== highest) return false
      if (accept(slot))
        (places.danger(slot) !== undefined ? dangerous : places.isSample(slot) ? samples : best).push(slot)
      return best.length < count
    })
  }
  return [...best, ...samples, ...dangerous].slice(0, count)
}
