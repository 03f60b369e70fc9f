// Who stands behind an entry: the wallet that it pays, the domain that it is on, or nobody who has shown it.
import { z } from 'zod'
import { paysTo } from './accounts.ts'
import { overridesStatus } from './local-overrides.ts'
import type { DomainProof, Entry } from './service.ts'

/** Returns whether the wallet that it pays has signed in and owns it. */
export const isClaimed = (entry: Pick<Entry, 'owner' | 'x402Config'>): boolean =>
  isByWallet(entry) && paysTo(entry, entry.owner!)

/** Returns whether the domain that it is on names it, or the wallet that it pays. */
export const hasDomainProof = ({ proof }: Pick<Entry, 'proof'>): boolean => proof !== undefined

/** Returns whether anybody may have listed it, neither the wallet that it pays has claimed it nor its domain speaks for it. */
export const isByStranger = (entry: Entry): boolean =>
  isByAnybody(entry) && !isClaimed(entry) && !hasDomainProof(entry)

/**
 * Returns whether anybody may have listed it: with a wallet, which costs nothing, or at a source that is followed, which takes what
 * anybody brings. A key or a file comes from the operator, and so does a word about what a source has brought.
 */
export const isByAnybody = (entry: Pick<Entry, 'owner' | 'provenance'>): boolean =>
  isByWallet(entry) ||
  (entry.owner === null && entry.provenance.origin !== undefined && !overridesStatus(entry))

/** Returns whether a wallet listed it. No id of a key has a namespace in front, as accounts have. */
export const isByWallet = ({ owner }: Pick<Entry, 'owner'>): boolean => owner?.includes(':') === true

/** What decides which of several entries of one URL speaks for it. */
export type Speaker = {
  readonly id: string
  readonly isClaimed: boolean
  readonly isProved: boolean
  readonly isVerified: boolean
  /** Whether anybody may have listed it: the word of a listing alone is then no word against somebody else's. */
  readonly isByAnybody: boolean
  /** Milliseconds since 1970 at which it came to where it is. */
  readonly sinceMs: number
}

/**
 * Returns since when an entry is where it is, in milliseconds since 1970. Not since its registration: who moves an old entry to the
 * place of another does not bring its age along.
 */
export const hereSince = ({ movedAt, provenance }: Pick<Entry, 'movedAt' | 'provenance'>): number =>
  Date.parse(movedAt ?? provenance.firstSeen)

export const toSpeaker = (entry: Entry): Speaker => ({
  id: entry.id,
  isClaimed: isClaimed(entry),
  isProved: hasDomainProof(entry),
  isVerified: entry.standing.status === 'verified',
  isByAnybody: isByAnybody(entry),
  sinceMs: hereSince(entry),
})

/**
 * Returns whether somebody stands behind it at its endpoint. A claim shows only that who is paid has listed it, and a domain can
 * name the wallets of many sellers. Either counts once the endpoint itself asks to be paid there: otherwise anybody could list
 * somebody's URL with a wallet of their own, claim that and speak for it.
 */
export const isBacked = ({ isClaimed, isProved, isVerified }: Omit<Speaker, 'id'>): boolean =>
  isVerified && (isClaimed || isProved)

/** Who speaks comes first: of those that are verified the claimed one, then the proved one, then any; then the oldest. */
export const compareSpeakers = (a: Speaker, b: Speaker): number =>
  rankOf(b) - rankOf(a) || a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : 1)

const rankOf = ({ isClaimed, isProved, isVerified }: Speaker): number =>
  isVerified ? 1 + (isClaimed ? 2 : 0) + (isProved ? 1 : 0) : 0

/** What entries of different owners can have in common. */
export const SHARED_PARTS = ['name', 'endpoint', 'payee'] as const
export type SharedPart = (typeof SHARED_PARTS)[number]

/** So many others are told, the oldest first. */
export const MAX_OTHERS = 10

export const domainSchema = z
  .object({
    host: z.string(),
    by: z.enum(['well_known', 'dns']).describe('A file at a well-known path of the origin, or DNS'),
    names: z.enum(['wallet', 'id']).describe('The wallet that it pays, or its id here'),
    since: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'DomainProof' })

export const backingSchema = z
  .object({
    id: z.string(),
    claimed: z
      .boolean()
      .describe(
        'Whether the wallet that it pays has signed for it. By itself it says nothing about the endpoint',
      ),
    domain: domainSchema
      .nullable()
      .describe('How the domain of the endpoint speaks for it; null where it does not'),
    speaker: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe(
        'The entry of another owner that speaks for the same endpoint: verified, and claimed by its wallet or proved by the domain. This one was listed by a stranger then; null where there is none',
      ),
    others: z
      .array(z.object({ id: z.string(), name: z.string(), shares: z.array(z.enum(SHARED_PARTS)) }))
      .describe(
        `Entries of other owners that have its endpoint, its payee, or a name that looks like its own; the oldest ${MAX_OTHERS}`,
      ),
  })
  .meta({ id: 'Backing', title: 'Who stands behind a service' })
export type Backing = Readonly<z.output<typeof backingSchema>>

/** What a result in a list tells of it. */
export const marksSchema = z
  .object({
    claimed: z.boolean().describe('The wallet that it pays has signed for it'),
    domain: z.boolean().describe('The domain of its endpoint speaks for it'),
    stranger: z
      .boolean()
      .describe('An entry of another owner speaks for its endpoint: this one was listed by a stranger'),
    namesake: z.boolean().describe('An entry of another owner has a name that it can be taken for'),
  })
  .meta({ id: 'Marks', title: 'Who stands behind a service, in short' })
export type Marks = Readonly<z.output<typeof marksSchema>>

export const toMarks = ({ claimed, domain, speaker, others }: Omit<Backing, 'id'>): Marks => ({
  claimed,
  domain: domain !== null,
  stranger: speaker !== null,
  namesake: others.some(({ shares }) => shares.includes('name')),
})

/** Of what nobody was seen to stand behind. */
export const NO_MARKS: Marks = { claimed: false, domain: false, stranger: false, namesake: false }

export const toDomain = (endpoint: string, proof: DomainProof | undefined): Backing['domain'] =>
  proof ? { host: URL.parse(endpoint)?.host ?? '', by: proof.by, names: proof.names, since: proof.at } : null

/** Of an entry that is beside no others yet. */
export const toBacking = (entry: Entry): Backing => ({
  id: entry.id,
  claimed: isClaimed(entry),
  domain: toDomain(entry.endpoint, entry.proof),
  speaker: null,
  others: [],
})
