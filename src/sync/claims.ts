// Decides to which source an id belongs. An id does not prove where it was created, so if two sources both claim to be its home, it
// cannot be verified which one is right. A claim therefore counts for the source's own listing and never for that of another: the id
// stays with its holder, or goes to the source that the operator has followed longer, and the other listing gets an alias id.
import { chainKey } from '../domain/chains/chains.ts'
import { sameAddress } from '../domain/chains/same-address.ts'
import { deriveId } from '../domain/ids.ts'
import { listingOf } from '../domain/listing/seller.ts'
import type { Entry, Origin, ServiceDraft } from '../domain/listing/service.ts'
import type { SourceState } from '../store/sources.ts'
import type { EntryOrTombstone } from '../store/store.ts'

/** The claim of a source about an id. */
export type Claim = {
  readonly id: string
  /** Whether the source claims to be its home. */
  readonly home: boolean
  /** For a relayed entry: its home, and its id there, as stated by the source. */
  readonly homeUrl?: string | undefined
  readonly homeKey?: string | undefined
  readonly draft: ServiceDraft
}

/** The source that holds an id. */
type Holder = Pick<Origin, 'home' | 'homeUrl'> & { readonly sourceUrl: string | null }

export type Verdict =
  /** The id is unused, or its holder has removed the entry. */
  | 'free'
  | 'own'
  /** The id passes to the source: its holder names the source as the home. */
  | 'takes'
  /** The id passes to the source, which was followed first; the listing of the holder gets an alias. */
  | 'disputes'
  /** The holder keeps the id; the listing of the source gets an alias. */
  | 'contested'
  /** It is already listed, or was removed locally: nothing to do. */
  | 'known'

/** Judges the claims of one source against all followed sources. */
export class Claims {
  readonly #sourceUrl: string
  readonly #sources: ReadonlyMap<string, SourceState>

  constructor(sourceUrl: string, sources: readonly SourceState[]) {
    this.#sourceUrl = sourceUrl
    this.#sources = new Map(sources.map(source => [source.url, source]))
  }

  /** The local id of a listing whose own id belongs to another entry. Derived from a secret, so that it cannot be predicted and taken. */
  aliasOf(id: string, sourceUrl = this.#sourceUrl): string {
    return deriveId(id, this.#sources.get(sourceUrl)?.aliasKey ?? '')
  }

  /** @param known the entry or tombstone with the id */
  judge(claim: Claim, known: EntryOrTombstone | undefined): Verdict {
    if (!known) return 'free'
    if (known.entry) return this.#judgeEntry(claim, known.entry)
    const { removedBy } = known
    if (!removedBy) return 'known'
    if (removedBy.sourceUrl === this.#sourceUrl) return 'free'
    const verdict = this.#compare(claim, removedBy)
    return verdict === 'takes' || verdict === 'disputes' ? 'free' : verdict
  }

  #judgeEntry(claim: Claim, entry: Entry): Verdict {
    const { sourceUrl, origin, source } = entry.provenance
    if (!origin) {
      const isSame = source === 'imported' && listingOf(entry) === listingOf(claim.draft)
      return claim.home && !isSame ? 'contested' : 'known'
    }
    // An own entry of the source under an alias may come back through relays.
    if (sourceUrl === this.#sourceUrl) return origin.key === claim.id ? 'own' : 'known'
    const verdict = this.#compare(claim, { ...origin, sourceUrl })
    if (entry.owner === null) return verdict
    // An entry with a local owner never passes to a source.
    return verdict === 'takes' ? 'known' : verdict === 'disputes' ? 'contested' : verdict
  }

  #compare(claim: Claim, holder: Holder): Verdict {
    // A relay never overrides the holder.
    if (!claim.home) return 'known'
    if (!holder.home && holder.homeUrl !== undefined && isSameDirectory(holder.homeUrl, this.#sourceUrl))
      return 'takes'
    return this.#rank(this.#sourceUrl) < this.#rank(holder.sourceUrl ?? '') ? 'disputes' : 'contested'
  }

  /** A source without a stored rank has the first; a source that is no longer followed has the last. */
  #rank(url: string): number {
    const source = this.#sources.get(url)
    return source ? (source.rank ?? 0) : Number.POSITIVE_INFINITY
  }
}

/** Sources listed per entry. */
const MAX_CONTESTING = 10

/** The entry with the source added to `contestedBy`; undefined if it is already there or the list is full. */
export function contest(entry: Entry, sourceUrl: string): Entry | undefined {
  const before = entry.provenance.contestedBy ?? []
  if (before.includes(sourceUrl) || before.length >= MAX_CONTESTING) return undefined
  return { ...entry, provenance: { ...entry.provenance, contestedBy: [...before, sourceUrl] } }
}

/** Whether a relay names another payee than the relay that the entry came from: one of them is wrong or outdated. */
export function namesOtherPayee({ draft }: Claim, { x402Config, provenance: { origin } }: Entry): boolean {
  if (!origin || origin.home || origin.held?.includes('x402Config')) return false
  const { paymentAddress, network } = draft.x402Config
  return (
    chainKey(network) !== chainKey(x402Config.network) ||
    !sameAddress(paymentAddress, x402Config.paymentAddress, network)
  )
}

/** Compares two URLs of a directory, each of which may be its base or its feed. */
function isSameDirectory(a: string, b: string): boolean {
  const [one, other] = [a, b].map(url =>
    URL.parse(url)
      ?.href.replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .replace(/\/api\/changes$/, ''),
  )
  return one !== undefined && one === other
}
