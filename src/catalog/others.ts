// What stands beside an entry: listings of other owners that it can be taken for, and the one that speaks for its endpoint.
import {
  type Backing,
  compareSpeakers,
  isBacked,
  MAX_OTHERS,
  type Marks,
  SHARED_PARTS,
  type SharedPart,
  type Speaker,
  toDomain,
} from '../domain/backing.ts'
import type { Backings } from './backings.ts'
import type { SlotTable } from './id-table.ts'
import type { Namesakes } from './namesakes.ts'
import type { Offers } from './offers.ts'
import type { Records } from './records.ts'

/** What thousands have in common is not looked through to its end. */
const MAX_LOOKS = 1_000

type Parts = {
  readonly ids: SlotTable
  readonly records: Records
  readonly offers: Offers
  readonly namesakes: Namesakes
  readonly backings: Backings
}

export function toBackingOf(parts: Parts, slot: number): Backing {
  const { ids, records, backings } = parts
  const { endpoint } = records.service(slot).decode()
  const speaker = speakerOf(parts, slot, endpoint)
  return {
    id: ids.id(slot),
    claimed: backings.speaker(slot).isClaimed,
    domain: toDomain(endpoint, backings.proof(slot)),
    speaker: speaker === undefined ? null : toNamed(parts, speaker),
    others: othersOf(parts, slot).map(({ slot, shares }) => ({ ...toNamed(parts, slot), shares })),
  }
}

/** The same in short, for a list: without reading a record where it stands alone, as nearly all do. */
export function marksOf(parts: Parts, slot: number): Marks {
  const { records, backings, namesakes } = parts
  const { isClaimed, isProved } = backings.speaker(slot)
  const isAlone = backings.atEndpointOf(slot, MAX_LOOKS).length < 2
  return {
    claimed: isClaimed,
    domain: isProved,
    stranger: !isAlone && speakerOf(parts, slot, records.service(slot).decode().endpoint) !== undefined,
    namesake: namesakes.of(slot).some(other => isOfOthers(parts, slot, other)),
  }
}

/** The entry of another owner that speaks for its endpoint, where somebody stands behind that one and not behind this. */
function speakerOf({ ids, backings, namesakes }: Parts, slot: number, endpoint: string): number | undefined {
  if (isBacked(backings.speaker(slot))) return undefined
  const toSpeaker = (slot: number): Speaker => ({ id: ids.id(slot), ...backings.speaker(slot) })
  const [first] = backings
    .backedAt(endpoint, MAX_LOOKS)
    .toSorted((a, b) => compareSpeakers(toSpeaker(a), toSpeaker(b)))
  return first !== undefined && namesakes.isOthers(slot, first) ? first : undefined
}

/** What nobody owns is told apart by whom it pays: lists name the resources of one seller one by one. */
const isOfOthers = ({ namesakes, offers }: Parts, slot: number, other: number): boolean =>
  namesakes.isOthers(slot, other) &&
  (namesakes.isOwned(slot) || namesakes.isOwned(other) || !offers.isSamePayee(slot, other))

function othersOf(parts: Parts, slot: number): { readonly slot: number; readonly shares: SharedPart[] }[] {
  const { ids, backings, namesakes, offers } = parts
  const having: Record<SharedPart, ReadonlySet<number>> = {
    name: new Set(namesakes.of(slot)),
    endpoint: new Set(backings.atEndpointOf(slot, MAX_LOOKS)),
    payee: new Set(offers.withPayeeOf(slot, MAX_LOOKS)),
  }
  const slots = new Set(SHARED_PARTS.flatMap(part => [...having[part]]))
  return [...slots]
    .filter(other => other !== slot && isOfOthers(parts, slot, other))
    .sort((a, b) => ids.compare(a, b))
    .slice(0, MAX_OTHERS)
    .map(other => ({ slot: other, shares: SHARED_PARTS.filter(part => having[part].has(other)) }))
}

const toNamed = ({ ids, records }: Parts, slot: number) => ({
  id: ids.id(slot),
  name: records.service(slot).decode().name,
})
