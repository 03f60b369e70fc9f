// Who backs each entry, which entries share a name, an endpoint or a seller, and which of those at one endpoint represents it.

import { addressKey } from '../domain/chains/addresses.ts'
import { endpointHost, endpointKey, registrableDomain } from '../domain/hosts/endpoint.ts'
import {
  type Backing,
  type BackingFacts,
  compareBacking,
  isBacked,
  MAX_OTHERS,
  type Marks,
  type Precedence,
  placedSinceMs,
  SHARED_PARTS,
  type SharedPart,
  toBackingFacts,
  toDomain,
  yields,
} from '../domain/listing/backing.ts'
import type { DomainProof, Entry } from '../domain/listing/service.ts'
import { lettersOf, lookalikeKey, skeletonOf, wordsSince } from '../domain/text/text.ts'
import { SlotMarks } from '../memory/bitset.ts'
import { grown } from '../memory/growing.ts'
import { HashedTexts } from '../memory/hash-table.ts'
import type { SlotTest } from '../memory/sorted-slots.ts'
import { FINGERPRINT_PARTS, type FingerprintPart } from '../search/ranking/final-order.ts'
import type { Columns } from './columns.ts'
import type { Offers } from './offers.ts'
import type { Records, SlotTable } from './records.ts'

/** Maximum number of entries read for one name. */
const MAX_NAMESAKES = 1_000
const NO_OWNER = 0

/** Finds services of other owners with a name that can be mistaken for a given one, by lookalike key. About 25 bytes per entry. */
export class Namesakes {
  readonly #names = new HashedTexts()
  /** A hash of each owner. A collision only hides the namesakes of two owners from each other. */
  #owners = new Uint32Array(0)
  #seed = crypto.getRandomValues(new Uint32Array(1))

  get bytes(): number {
    return this.#names.bytes + this.#owners.byteLength
  }

  write(slot: number, { name, owner }: Pick<Entry, 'name' | 'owner'>): void {
    this.#owners = grown(this.#owners, slot + 1)
    this.#owners[slot] = owner === null ? NO_OWNER : this.#hash(owner)
    this.#names.write(slot, lookalikeKey(name))
  }

  release(slot: number): void {
    this.#names.release(slot)
    this.#owners[slot] = NO_OWNER
  }

  /** Slots of an owner, possibly with some of other owners with the same hash, unordered. */
  ownedBy(owner: string): number[] {
    const [hash, owners] = [this.#hash(owner), this.#owners]
    const slots: number[] = []
    for (let slot = owners.indexOf(hash); slot !== -1; slot = owners.indexOf(hash, slot + 1)) slots.push(slot)
    return slots
  }

  /** Slots of other owners with the same name, unordered. */
  of(slot: number): number[] {
    return this.#names
      .findSome(this.#names.wordsOf(slot), MAX_NAMESAKES)
      .filter(other => other !== slot && this.hasOtherOwner(slot, other))
  }

  /** Whether two entries have different owners; an entry without an owner differs from all. */
  hasOtherOwner(slot: number, other: number): boolean {
    return !this.isOwned(slot) || this.#owners[other] !== this.#owners[slot]
  }

  isOwned(slot: number): boolean {
    return this.#owners[slot] !== NO_OWNER
  }

  #hash(owner: string): number {
    return Bun.hash.xxHash32(owner, this.#seed[0]!) || 1
  }
}

// Who backs each entry (claim, domain proof, status), and which entries share an endpoint. About 60 bytes per entry.

export class Backings {
  readonly #endpoints = new HashedTexts()
  /** Backed entries alone. One endpoint has few of them, however many third parties list it. */
  readonly #backed = new HashedTexts()
  readonly #marks = new SlotMarks(
    ...(['isClaimed', 'hasDomainProof', 'isNamedByDomain', 'isVerified', 'isByAnybody', 'namesId'] as const),
  )
  #since = new Float64Array(0)
  /** Milliseconds since 1970; set only for proved entries. */
  #provedAt = new Float64Array(0)

  get bytes(): number {
    const arrays = [this.#since.byteLength, this.#provedAt.byteLength, this.#marks.bytes]
    return arrays.reduce((sum, bytes) => sum + bytes, this.#endpoints.bytes + this.#backed.bytes)
  }

  write(slot: number, entry: Entry): void {
    this.#since = grown(this.#since, slot + 1)
    this.#provedAt = grown(this.#provedAt, slot + 1)
    const facts = toBackingFacts(entry)
    this.#marks.write(slot, { ...facts, namesId: entry.proof?.names === 'id' })
    if (entry.proof) this.#provedAt[slot] = Date.parse(entry.proof.at)
    this.#since[slot] = facts.sinceMs
    const endpoint = endpointKey(entry.endpoint)
    this.#endpoints.write(slot, endpoint)
    if (isBacked(facts)) this.#backed.write(slot, endpoint)
    else this.#backed.release(slot)
  }

  release(slot: number): void {
    this.#endpoints.release(slot)
    this.#backed.release(slot)
  }

  facts(slot: number): Omit<BackingFacts, 'id'> {
    return {
      isClaimed: this.#marks.has(slot, 'isClaimed'),
      hasDomainProof: this.#marks.has(slot, 'hasDomainProof'),
      isNamedByDomain: this.#marks.has(slot, 'isNamedByDomain'),
      isVerified: this.#marks.has(slot, 'isVerified'),
      isByAnybody: this.#marks.has(slot, 'isByAnybody'),
      sinceMs: this.#since[slot]!,
    }
  }

  isClaimed(slot: number): boolean {
    return this.#marks.has(slot, 'isClaimed')
  }

  isByStranger(slot: number): boolean {
    return (
      this.#marks.has(slot, 'isByAnybody') &&
      !this.#marks.has(slot, 'isClaimed') &&
      !this.#marks.has(slot, 'isNamedByDomain')
    )
  }

  isSameEndpoint(a: number, b: number): boolean {
    return this.#endpoints.has(a, this.#endpoints.wordsOf(b))
  }

  /** Since when it has its current endpoint, in milliseconds since 1970. */
  sinceMs(slot: number): number {
    return this.#since[slot]!
  }

  proof(slot: number): DomainProof | undefined {
    if (!this.#marks.has(slot, 'hasDomainProof')) return undefined
    return {
      at: new Date(this.#provedAt[slot]!).toISOString(),
      names: this.#marks.has(slot, 'namesId') ? 'id' : 'wallet',
    }
  }

  /** Slots with the same endpoint as this one, itself included, unordered. */
  atEndpointOf(slot: number, limit: number): number[] {
    return this.#endpoints.findSome(this.#endpoints.wordsOf(slot), limit)
  }

  /** Slots at an endpoint, unordered. */
  at(endpoint: string): readonly number[] {
    return this.#endpoints.of(endpointKey(endpoint), Number.POSITIVE_INFINITY)
  }

  /** Backed slots at an endpoint, unordered. */
  backedAt(endpoint: string, limit: number): readonly number[] {
    return this.#backed.of(endpointKey(endpoint), limit)
  }
}

// What shows that two entries have the same seller, or the same name or text: hashes of the payee, the registrable domain, the name and
// the description of each entry; and the times since which it has its name and its description.

const PARTS = FINGERPRINT_PARTS.length
/** Shorter texts are often equal by chance. */
const MIN_TEXT = 40

export class Fingerprints {
  #keys = new Float64Array(0)
  /** Since when each has its name, and its description, in milliseconds since 1970. */
  #nameSince = new Float64Array(0)
  #textSince = new Float64Array(0)
  /** Random per catalog, so that an attacker cannot construct hash collisions. */
  readonly #seed = crypto.getRandomValues(new BigUint64Array(1))[0]!
  readonly #hash = new BigUint64Array(1)
  readonly #halves = new Uint32Array(this.#hash.buffer)

  get bytes(): number {
    return this.#keys.byteLength + this.#nameSince.byteLength + this.#textSince.byteLength
  }

  write(slot: number, entry: Entry): void {
    const { name, endpoint, x402Config } = entry
    this.#keys = grown(this.#keys, (slot + 1) * PARTS)
    this.#nameSince = grown(this.#nameSince, slot + 1)
    this.#textSince = grown(this.#textSince, slot + 1)
    const { nameMs, textMs } = wordsSince(placedSinceMs(entry), entry.worded)
    this.#nameSince[slot] = nameMs
    this.#textSince[slot] = textMs
    const texts: Readonly<Record<FingerprintPart, string>> = {
      payee: addressKey(x402Config.paymentAddress, x402Config.network),
      domain: registrableDomain(endpointHost(endpoint)),
      name: skeletonOf(name),
      text: textKey(entry),
    }
    for (let i = 0; i < PARTS; i++) this.#keys[slot * PARTS + i] = this.#keyOf(texts[FINGERPRINT_PARTS[i]!])
  }

  /** A hash of 53 bits, which a number holds exactly. */
  #keyOf(text: string): number {
    this.#hash[0] = Bun.hash.xxHash64(text, this.#seed)
    return (this.#halves[0]! >>> 11) * 2 ** 32 + this.#halves[1]!
  }

  keyOf(slot: number, part: FingerprintPart): number {
    return this.#keys[slot * PARTS + FINGERPRINT_PARTS.indexOf(part)]!
  }

  /** Since when it has its name, or its description. */
  sinceMs(slot: number, part: 'name' | 'text'): number {
    return (part === 'name' ? this.#nameSince : this.#textSince)[slot]!
  }
}

/** The letters of the description; that of a short one is unique. */
function textKey({ id, description }: Entry): string {
  const letters = lettersOf(description)
  return letters.length < MIN_TEXT ? id : letters
}

// Relations of an entry: listings of other owners that it can be mistaken for, and the one that represents its endpoint.

/** Maximum number of entries read per shared property. */
const MAX_READ = 1_000

type Parts = {
  readonly ids: SlotTable
  readonly records: Records
  readonly offers: Offers
  readonly namesakes: Namesakes
  readonly backings: Backings
  readonly places: { readonly isSample: SlotTest }
  readonly fingerprints: Pick<Fingerprints, 'sinceMs'>
  readonly columns: Columns
}

export function toBackingOf(parts: Parts, slot: number): Backing {
  const { ids, records, backings, places, columns } = parts
  const { endpoint } = records.service(slot).decode()
  const representative = representativeOf(parts, slot, endpoint)
  return {
    id: ids.id(slot),
    level: columns.level(slot),
    claimed: backings.facts(slot).isClaimed,
    domain: toDomain(endpoint, backings.proof(slot)),
    representative: representative === undefined ? null : toNamed(parts, representative),
    others: othersOf(parts, slot).map(({ slot, ...rest }) => ({ ...toNamed(parts, slot), ...rest })),
    sample: places.isSample(slot),
  }
}

/** The short form for lists; reads no record if the entry is alone at its endpoint, as nearly all are. */
export function marksOf(parts: Parts, slot: number): Marks {
  const { records, backings, namesakes, places, columns } = parts
  const { isClaimed, hasDomainProof } = backings.facts(slot)
  const isAlone = backings.atEndpointOf(slot, MAX_READ).length < 2
  return {
    level: columns.level(slot),
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

const toNamed = ({ ids, records }: Parts, slot: number) => ({
  id: ids.id(slot),
  name: records.service(slot).decode().name,
})
