// Whose an id is. An id does not prove where it was made, so nobody can tell which of two sources that both say they are at home
// with it is right. What a source says therefore counts for its own listing and never for that of another: the id stays with
// whom it belongs to, or goes to whom the operator has followed longer, and the other's listing gets an id of its own.
import { chainKey } from '../domain/chains.ts'
import { deriveId } from '../domain/ids.ts'
import { sameAddress } from '../domain/same-address.ts'
import { listingOf } from '../domain/seller.ts'
import type { Entry, Origin, ServiceDraft } from '../domain/service.ts'
import type { SourceState } from '../store/sources.ts'
import type { Known } from '../store/store.ts'

/** What a source says about an id. */
export type Claim = {
  readonly id: string
  /** The source speaks for it itself. */
  readonly home: boolean
  /** Of what it has from elsewhere: the home, and the id there, as it tells. */
  readonly homeUrl?: string | undefined
  readonly homeKey?: string | undefined
  readonly draft: ServiceDraft
}

/** Who has an id here by the word of a source. */
type Holder = Pick<Origin, 'home' | 'homeUrl'> & { readonly sourceUrl: string | null }

export type Verdict =
  /** Nobody has it, or who had it has removed it. */
  | 'free'
  | 'own'
  /** It goes over to the source: this is its home, as its holder says; or the source was followed first. */
  | 'takes'
  | 'disputes'
  /** The listing of the source gets an id of its own. */
  | 'contested'
  /** It is here, or was removed here: nothing to do. */
  | 'known'

/** The sources that are followed, seen from one of them. */
export class Claims {
  readonly #sourceUrl: string
  readonly #sources: ReadonlyMap<string, SourceState>

  constructor(sourceUrl: string, sources: readonly SourceState[]) {
    this.#sourceUrl = sourceUrl
    this.#sources = new Map(sources.map(source => [source.url, source]))
  }

  /** The id that a listing of a source has here where its own is somebody else's. Nobody can tell it in advance, and take it. */
  aliasOf(id: string, sourceUrl = this.#sourceUrl): string {
    return deriveId(id, this.#sources.get(sourceUrl)?.aliasKey ?? '')
  }

  /** What becomes of what the source says about an id. */
  judge(claim: Claim, known: Known | undefined): Verdict {
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
    // An entry that is the source's own under another id comes back to it by those who pass it on.
    if (sourceUrl === this.#sourceUrl) return origin.key === claim.id ? 'own' : 'known'
    const verdict = this.#compare(claim, { ...origin, sourceUrl })
    if (entry.owner === null) return verdict
    // What has an owner here goes to nobody.
    return verdict === 'takes' ? 'known' : verdict === 'disputes' ? 'contested' : verdict
  }

  #compare(claim: Claim, holder: Holder): Verdict {
    // Who passes an entry on tells nothing about it that its holder does not know better.
    if (!claim.home) return 'known'
    if (!holder.home && holder.homeUrl !== undefined && isSamePlace(holder.homeUrl, this.#sourceUrl))
      return 'takes'
    return this.#rank(this.#sourceUrl) < this.#rank(holder.sourceUrl ?? '') ? 'disputes' : 'contested'
  }

  /** One that was followed before places were kept has the first; one that is not followed any more has none. */
  #rank(url: string): number {
    const source = this.#sources.get(url)
    return source ? (source.rank ?? 0) : Number.POSITIVE_INFINITY
  }
}

/** The most that are told; one is enough to look. */
const MAX_CONTESTING = 10

/** The entry with the source among those that say the id is theirs too; undefined where it was told before. */
export function contest(entry: Entry, sourceUrl: string): Entry | undefined {
  const before = entry.provenance.contestedBy ?? []
  if (before.includes(sourceUrl) || before.length >= MAX_CONTESTING) return undefined
  return { ...entry, provenance: { ...entry.provenance, contestedBy: [...before, sourceUrl] } }
}

/** Two who pass an entry on, neither of which is its home, and one of them is wrong or behind: it may be about money. */
export function namesOtherPayee({ draft }: Claim, { x402Config, provenance: { origin } }: Entry): boolean {
  if (!origin || origin.home || origin.held?.includes('x402Config')) return false
  const { paymentAddress, network } = draft.x402Config
  return (
    chainKey(network) !== chainKey(x402Config.network) ||
    !sameAddress(paymentAddress, x402Config.paymentAddress, network)
  )
}

/** Two spellings of the address of a directory: its base, or its feed. */
function isSamePlace(a: string, b: string): boolean {
  const [one, other] = [a, b].map(url =>
    URL.parse(url)
      ?.href.replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .replace(/\/api\/changes$/, ''),
  )
  return one !== undefined && one === other
}
