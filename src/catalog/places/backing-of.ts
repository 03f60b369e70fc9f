// Relations of an entry: listings of other owners that it can be mistaken for, and the one that represents its endpoint.
import {
  type Backing,
  type BackingFacts,
  compareBacking,
  isBacked,
  MAX_OTHERS,
  type Marks,
  type Precedence,
  SHARED_PARTS,
  type SharedPart,
  toDomain,
  yields,
} from '../../domain/listing/backing.ts'
import type { Fingerprints } from '../columns/fingerprints.ts'
import type { SlotTable } from '../columns/id-table.ts'
import type { Offers } from '../columns/offers.ts'
import type { Records } from '../records/records.ts'
import type { Backings } from './backings.ts'
import type { Namesakes } from './namesakes.ts'
import type { Places } from './places.ts'

/** Maximum number of entries read per shared property. */
const MAX_READ = 1_000

type Parts = {
  readonly ids: SlotTable
  readonly records: Records
  readonly offers: Offers
  readonly namesakes: Namesakes
  readonly backings: Backings
  readonly places: Places
  readonly fingerprints: Pick<Fingerprints, 'sinceMs'>
}

export function toBackingOf(parts: Parts, slot: number): Backing {
  const { ids, records, backings, places } = parts
  const { endpoint } = records.service(slot).decode()
  const representative = representativeOf(parts, slot, endpoint)
  return {
    id: ids.id(slot),
    claimed: backings.facts(slot).isClaimed,
    domain: toDomain(endpoint, backings.proof(slot)),
    representative: representative === undefined ? null : toNamed(parts, representative),
    others: othersOf(parts, slot).map(({ slot, ...rest }) => ({ ...toNamed(parts, slot), ...rest })),
    sample: places.isSample(slot),
  }
}

/** The short form for lists; reads no record if the entry is alone at its endpoint, as nearly all are. */
export function marksOf(parts: Parts, slot: number): Marks {
  const { records, backings, namesakes, places } = parts
  const { isClaimed, hasDomainProof } = backings.facts(slot)
  const isAlone = backings.atEndpointOf(slot, MAX_READ).length < 2
  return {
    claimed: isClaimed,
    domain: hasDomainProof,
    stranger:
      !isAlone && representativeOf(parts, slot, records.service(slot).decode().endpoint) !== undefined,
    namesake: namesakes
      .of(slot)
      .some(other => isOfOthers(parts, slot, other) && !yieldsByName(parts, slot, other)),
    sample: places.isSample(slot),
  }
}

/** The backed entry of another owner that represents the endpoint of an unbacked one. */
function representativeOf(
  { ids, backings, namesakes }: Parts,
  slot: number,
  endpoint: string,
): number | undefined {
  if (isBacked(backings.facts(slot))) return undefined
  const toBackingFacts = (slot: number): BackingFacts => ({ id: ids.id(slot), ...backings.facts(slot) })
  const [first] = backings
    .backedAt(endpoint, MAX_READ)
    .toSorted((a, b) => compareBacking(toBackingFacts(a), toBackingFacts(b)))
  return first !== undefined && namesakes.hasOtherOwner(slot, first) ? first : undefined
}

/**
 * Entries without an owner are distinguished by payee: sources list the resources of one seller one by one. Nobody is behind a sample,
 * so nothing is mistaken for it.
 */
const isOfOthers = ({ namesakes, offers, places }: Parts, slot: number, other: number): boolean =>
  !places.isSample(other) &&
  namesakes.hasOtherOwner(slot, other) &&
  (namesakes.isOwned(slot) || namesakes.isOwned(other) || !offers.isSamePayee(slot, other))

const precedenceOf = ({ backings, fingerprints }: Parts, slot: number): Precedence => ({
  ...backings.facts(slot),
  nameSinceMs: fingerprints.sinceMs(slot, 'name'),
})

const yieldsByName = (parts: Parts, slot: number, other: number): boolean =>
  yields(
    precedenceOf(parts, other),
    precedenceOf(parts, slot),
    parts.backings.isSameEndpoint(slot, other) ? ['name', 'endpoint'] : ['name'],
  )

type Other = { readonly slot: number; readonly shares: SharedPart[]; readonly yields: boolean }

function othersOf(parts: Parts, slot: number): Other[] {
  const { ids, backings, namesakes, offers } = parts
  const slotsBy: Record<SharedPart, ReadonlySet<number>> = {
    name: new Set(namesakes.of(slot)),
    endpoint: new Set(backings.atEndpointOf(slot, MAX_READ)),
    payee: new Set(offers.withPayeeOf(slot, MAX_READ)),
  }
  const own = precedenceOf(parts, slot)
  const slots = new Set(SHARED_PARTS.flatMap(part => [...slotsBy[part]]))
  return (
    [...slots]
      .filter(other => other !== slot && isOfOthers(parts, slot, other))
      .map(other => {
        const shares = SHARED_PARTS.filter(part => slotsBy[part].has(other))
        return { slot: other, shares, yields: yields(precedenceOf(parts, other), own, shares) }
      })
      // Those that yield are no reason for a warning, so they must not crowd out one that is.
      .sort((a, b) => Number(a.yields) - Number(b.yields) || ids.compare(a.slot, b.slot))
      .slice(0, MAX_OTHERS)
  )
}

/** The oldest other entry of the same owner at the same endpoint. */
export function ownNeighbourOf({ ids, backings, namesakes }: Parts, slot: number): string | undefined {
  const [oldest] = backings
    .atEndpointOf(slot, MAX_READ)
    .filter(other => other !== slot && !namesakes.hasOtherOwner(slot, other))
    .sort((a, b) => ids.compare(a, b))
  return oldest === undefined ? undefined : ids.id(oldest)
}

const toNamed = ({ ids, records }: Parts, slot: number) => ({
  id: ids.id(slot),
  name: records.service(slot).decode().name,
})
