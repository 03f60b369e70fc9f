// Where an entry comes from, and who vouches for it.

import { z } from 'zod'
import { paysTo } from '../chains/addresses.ts'
import { dateTime } from '../problems.ts'
import { type CreditGround, levelSchema } from '../standing/standing.ts'
import { levelOf } from '../standing/trust.ts'
import { DAY_MS } from '../time.ts'
import type { DomainProof, Entry } from './service.ts'

// Who backs an entry: its payee wallet, the domain that it is on, or neither.

/** Returns whether the payee wallet of the entry has signed in and owns it. */
export const isClaimed = (entry: Pick<Entry, 'owner' | 'x402Config'>): boolean =>
  isByWallet(entry) && paysTo(entry, entry.owner!)

/** Returns whether the domain of the endpoint names the entry, or its payee wallet. */
export const hasDomainProof = ({ proof }: Pick<Entry, 'proof'>): boolean => proof !== undefined

/**
 * Returns whether the domain lets the owner of the entry speak for it. A domain that names only the wallet says who is paid there: anybody
 * can list that wallet, and so can a followed source, which has no owner.
 */
const isNamedByDomain = ({ proof, owner }: Pick<Entry, 'proof' | 'owner'>): boolean =>
  proof?.names === 'id' && owner !== null

/**
 * Returns whether anybody could have listed it: with a wallet, which costs nothing to create, or at a followed source, which accepts
 * entries from anybody. A key or a file comes from the operator.
 */
export const isByAnybody = (entry: Pick<Entry, 'owner' | 'provenance'>): boolean =>
  isByWallet(entry) || isFollowed(entry)

/** Returns whether a wallet listed it. Accounts have a namespace in front; ids of keys never do. */
export const isByWallet = ({ owner }: Pick<Entry, 'owner'>): boolean => owner?.includes(':') === true

/** Hosts of the lists that facilitators keep of what they settled for. An entry there costs a payment to its payee at its endpoint. */
const FACILITATOR_LISTS: ReadonlySet<string> = new Set([
  // Coinbase
  'api.cdp.coinbase.com',
  // PayAI
  'facilitator.payai.network',
  // Circle
  'api.circle.com',
])

/**
 * Returns why payments to the payee count for the entry once it is verified; null for what may be a stranger's copy. A wallet that lists
 * the payee of another writes the words of that entry, so the domain of the endpoint does not speak for it.
 */
export function creditGround(
  entry: Pick<Entry, 'owner' | 'x402Config' | 'provenance' | 'proof'>,
): CreditGround | null {
  if (isClaimed(entry)) return 'claim'
  if (isByWallet(entry)) return null
  const { sourceUrl, origin } = entry.provenance
  const list = origin && sourceUrl !== null ? URL.parse(sourceUrl) : null
  if (list?.protocol === 'https:' && FACILITATOR_LISTS.has(list.host)) return 'facilitator'
  return entry.proof?.names === 'wallet' ? 'domain' : null
}

/** The facts that decide which of several entries of one URL represents it. */
export type BackingFacts = {
  readonly id: string
  readonly isClaimed: boolean
  readonly hasDomainProof: boolean
  /** See `isNamedByDomain`. */
  readonly isNamedByDomain: boolean
  readonly isVerified: boolean
  /** Whether anybody could have listed it. Such a listing alone proves nothing against the entry of another owner. */
  readonly isByAnybody: boolean
  /** When it came to its present endpoint and payee, in milliseconds since 1970. */
  readonly sinceMs: number
}

/**
 * Returns when an entry came to its present endpoint and payee, in milliseconds since 1970. Not the time of its registration: an old
 * entry that moves to the place of another must not gain precedence by its age.
 */
export const placedSinceMs = ({ movedAt, provenance }: Pick<Entry, 'movedAt' | 'provenance'>): number =>
  Date.parse(movedAt ?? provenance.firstSeen)

/** Returns whether it was listed for a day or more before it came to its present endpoint and payee. A correction is no move. */
export const wasMoved = ({ movedAt, provenance }: Pick<Entry, 'movedAt' | 'provenance'>): boolean =>
  movedAt !== undefined && Date.parse(movedAt) - Date.parse(provenance.firstSeen) >= DAY_MS

export const toBackingFacts = (entry: Entry): BackingFacts => ({
  id: entry.id,
  isClaimed: isClaimed(entry),
  hasDomainProof: hasDomainProof(entry),
  isNamedByDomain: isNamedByDomain(entry),
  isVerified: entry.standing.status === 'verified',
  isByAnybody: isByAnybody(entry),
  sinceMs: placedSinceMs(entry),
})

/** Returns whether a stranger may have listed it: anybody could, its payee wallet has not claimed it, and its domain does not name it. */
export const isByStranger = (
  facts: Pick<BackingFacts, 'isByAnybody' | 'isClaimed' | 'isNamedByDomain'>,
): boolean => facts.isByAnybody && !facts.isClaimed && !facts.isNamedByDomain

/**
 * Returns whether the entry is backed at its endpoint. A claim only proves that the payee has listed it, and a domain can name the
 * wallets of many sellers. Either counts once the endpoint itself requests payment there: otherwise anybody could list the URL of
 * another provider with a wallet of their own, claim it and represent it.
 */
export const isBacked = ({
  isClaimed,
  hasDomainProof,
  isVerified,
}: Pick<BackingFacts, 'isClaimed' | 'hasDomainProof' | 'isVerified'>): boolean =>
  isVerified && (isClaimed || hasDomainProof)

/** The entry that represents the URL sorts first: verified before others, among them claimed, then proved, then any; then the oldest. */
export const compareBacking = (a: BackingFacts, b: BackingFacts): number =>
  rankOf(b) - rankOf(a) || a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : 1)

const rankOf = ({ isClaimed, hasDomainProof, isVerified }: BackingFacts): number =>
  isVerified ? 1 + (isClaimed ? 2 : 0) + (hasDomainProof ? 1 : 0) : 0

/** What entries of different owners can have in common. */
export const SHARED_PARTS = ['name', 'endpoint', 'payee'] as const
export type SharedPart = (typeof SHARED_PARTS)[number]

/** What decides which of two entries of different owners came by what they share. */
export type Precedence = Omit<BackingFacts, 'id' | 'sinceMs'> & {
  /** When it got its name, at its present endpoint and payee, in milliseconds since 1970. */
  readonly nameSinceMs: number
}

/**
 * Returns whether the entry of another owner yields to this one: it then carries the warning, and this one does not. At one endpoint, the
 * backed entry precedes one that is not. A name goes to whoever had it first, unless only the other is backed. A claim and the proof of
 * a domain of one's own cost little, so neither takes a name from an older entry.
 */
export function yields(other: Precedence, own: Precedence, shares: readonly SharedPart[]): boolean {
  if (shares.includes('endpoint')) return isBacked(own) && !isBacked(other)
  return shares.includes('name') && own.nameSinceMs < other.nameSinceMs && (isBacked(own) || !isBacked(other))
}

/** How many entries of other owners are returned. */
export const MAX_OTHERS = 10

export const domainSchema = z
  .object({
    host: z.string().describe('The host that proves it'),
    names: z.enum(['wallet', 'id']).describe('The payee wallet of the entry, or its id here'),
    since: dateTime.describe('When the proof was first found'),
  })
  .meta({ id: 'DomainProof', title: 'A proof by the domain of the endpoint' })

const SAMPLE = z.boolean().describe('Whether it is an invented entry of the sample catalog: nobody offers it')

export const backingSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    level: levelSchema,
    claimed: z
      .boolean()
      .describe('Whether its payee wallet has signed for it. By itself it proves nothing about the endpoint'),
    domain: domainSchema
      .nullable()
      .describe('How the domain of the endpoint vouches for it; null if it does not'),
    representative: z
      .object({
        id: z.string().describe('Id of the service'),
        name: z.string().describe('Name of the service'),
      })
      .nullable()
      .describe(
        'The entry of another owner that represents the same endpoint: verified, and claimed by its wallet or proved by the domain. This entry was then listed by a stranger; null if there is none',
      ),
    others: z
      .array(
        z.object({
          id: z.string().describe('Id of the service'),
          name: z.string().describe('Name of the service'),
          shares: z.array(z.enum(SHARED_PARTS)).describe('What they have in common'),
          yields: z
            .boolean()
            .describe(
              'Whether it yields to this entry, which then carries no warning of it: this one is backed at the endpoint and the other is not, or had the name first and is not less backed',
            ),
        }),
      )
      .describe(
        `Entries of other owners with the same endpoint, the same payee or a name that looks alike; those that do not yield first, then the oldest, up to ${MAX_OTHERS}`,
      ),
    sample: SAMPLE,
  })
  .meta({ id: 'Backing', title: 'Who backs a service' })
export type Backing = Readonly<z.output<typeof backingSchema>>

/** The backing of a service in short, as results of a list have it. */
export const marksSchema = z
  .object({
    level: levelSchema,
    claimed: z.boolean().describe('Whether its payee wallet has signed for it'),
    domain: z.boolean().describe('Whether the domain of its endpoint vouches for it'),
    stranger: z
      .boolean()
      .describe(
        'Whether an entry of another owner represents its endpoint: this one was listed by a stranger',
      ),
    namesake: z
      .boolean()
      .describe(
        'Whether an entry of another owner that does not yield to it has a name that can be mistaken for its own',
      ),
    sample: SAMPLE,
  })
  .meta({ id: 'Marks', title: 'Who backs a service, in short' })
export type Marks = Readonly<z.output<typeof marksSchema>>

export const toMarks = ({
  level,
  claimed,
  domain,
  representative,
  others,
  sample,
}: Omit<Backing, 'id'>): Marks => ({
  level,
  claimed,
  domain: domain !== null,
  stranger: representative !== null,
  namesake: others.some(({ shares, yields }) => shares.includes('name') && !yields),
  sample,
})

/** The marks of an entry without any backing. */
export const NO_MARKS: Marks = {
  level: 'listed',
  claimed: false,
  domain: false,
  stranger: false,
  namesake: false,
  sample: false,
}

export const toDomain = (endpoint: string, proof: DomainProof | undefined): Backing['domain'] =>
  proof ? { host: URL.parse(endpoint)?.host ?? '', names: proof.names, since: proof.at } : null

/** The backing of an entry that has not been compared with others yet. */
export const toBacking = (entry: Entry): Backing => ({
  id: entry.id,
  level: levelOf(entry),
  claimed: isClaimed(entry),
  domain: toDomain(entry.endpoint, entry.proof),
  representative: null,
  others: [],
  sample: entry.sample,
})

// Where an entry came from, as responses have it.

export const provenanceSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    source: z
      .enum(['registered', 'imported', 'sample'])
      .describe('registered here, imported from elsewhere, or part of the sample catalog'),
    sourceUrl: z
      .string()
      .nullable()
      .describe('Address of the directory, list or origin that it was read from; null if it was not'),
    firstSeen: dateTime.describe('When it was added here'),
    origin: z
      .object({
        key: z.string().describe('Its key at the source; at another Shirube its id'),
        seq: z.int().min(0).describe('Number at the source of the last change applied here; 0: it has none'),
      })
      .meta({ id: 'Origin', title: 'Where an entry comes from' })
      .nullable()
      .describe('Its record at the source; null if the source is not followed'),
    owned: z.boolean().describe('Whether a key or a wallet owns it here'),
    follows: z
      .boolean()
      .describe(
        'Whether changes at its source are applied here; an entry with an owner here is changed only by its owner',
      ),
  })
  .meta({ id: 'Provenance', title: 'Where a service came from' })
export type ProvenanceRecord = Readonly<z.output<typeof provenanceSchema>>

export function toProvenance(entry: Entry): ProvenanceRecord {
  const { id, owner, provenance } = entry
  const { source, sourceUrl, firstSeen, origin } = provenance
  return {
    id,
    source,
    sourceUrl,
    firstSeen,
    origin: origin ? { key: origin.key, seq: origin.seq } : null,
    owned: owner !== null,
    follows: isFollowed(entry),
  }
}

/** Returns whether changes at its source are applied here. */
const isFollowed = ({ owner, provenance }: Pick<Entry, 'owner' | 'provenance'>): boolean =>
  owner === null && provenance.origin !== undefined

/** The fields of a feed change about an entry that follows a source; null if this directory is its home. */
export function toFollowed(entry: Entry): { followed: true; home?: string } | null {
  const { sourceUrl, origin } = entry.provenance
  if (!isFollowed(entry) || !origin) return null
  return { followed: true, ...(origin.home && sourceUrl !== null && { home: sourceUrl }) }
}
