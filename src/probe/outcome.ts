// Input and result of the prober.
import type { Resource } from '../domain/standing/finding.ts'
import type { ResourceTerms } from '../domain/terms/terms.ts'
import type { Message } from '../messages/message.ts'
import type { RequestRecord } from './probe-session.ts'
import type { FailureReason } from './requests/remote-failure.ts'
import type { ListedTerms, Match } from './terms/match-listing.ts'
import type { ParsedRequirements } from './terms/payment-requirements.ts'

export type Target = ListedTerms & {
  /** A base URL: paid resources may be below it. */
  readonly endpoint: string
  /** The resource that an earlier probe found payable; null: the endpoint itself, by GET. */
  readonly resource?: Resource | null
  /** Terms that earlier probes read from the resource and from documents. */
  readonly storedTerms?: readonly ResourceTerms[]
  /** No terms are known yet: the origin's documents are read, and the probe poses as a customer. */
  readonly isNew?: boolean
}

/** The responses do not depend on the listing, so an edited listing can be judged by the same responses. */
export type ProbeResult = Outcome & { readonly against: (listed: ListedTerms) => Outcome }

export type Outcome = Omit<Match, 'outcome'> & {
  readonly outcome: 'payable' | 'mismatched' | 'unpayable' | 'unreachable' | 'refused'
  /** What the owner could improve, without effect on the outcome. */
  readonly notes: readonly Message[]
  readonly httpStatus: number | null
  /** Why the exchange broke; null for a complete response. */
  readonly failure: FailureReason | null
  readonly latencyMs: number
  /** What the next probe requests first; null: the endpoint itself, by GET. */
  readonly resource: Resource | null
  /** All payment requirements offered. */
  readonly payments: readonly ParsedRequirements[]
  /** null if no terms were read. */
  readonly x402Version: 1 | 2 | null
  /** The probed resource first, then those from documents. */
  readonly resources: readonly ResourceTerms[]
  /** Whether all documents of the origin were read: resources missing here are no longer declared. */
  readonly hasReadDocuments: boolean
  readonly otherRails: readonly string[]
  readonly signIn: boolean
  /** In the order sent. */
  readonly requests: readonly RequestRecord[]
}
