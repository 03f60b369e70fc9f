// What is asked of the prober, and what it reports.
import type { Resource } from '../domain/finding.ts'
import type { ResourceTerms } from '../domain/terms.ts'
import type { Message } from '../messages/message.ts'
import type { RequestRecord } from './asking.ts'
import type { Claims, Match } from './match-listing.ts'
import type { ParsedRequirements } from './payment-requirements.ts'
import type { FailureReason } from './remote-failure.ts'

export type Target = Claims & {
  /** A base URL: what is paid for may lie below it. */
  readonly endpoint: string
  /** What an earlier probe found payable; null: the endpoint itself, by GET. */
  readonly resource?: Resource | null
  /** What earlier probes read of it and of what its documents name. */
  readonly kept?: readonly ResourceTerms[]
  /** Nothing is known of it: the documents of its origin are read, and it is asked as a customer too. */
  readonly isNew?: boolean
}

/** What was answered does not change with the listing: another price is judged by the same answers. */
export type Probed = Outcome & { readonly against: (claims: Claims) => Outcome }

export type Outcome = Omit<Match, 'outcome'> & {
  readonly outcome: 'payable' | 'mismatched' | 'unpayable' | 'unreachable' | 'refused'
  /** What an owner could put right although it does not decide the outcome. */
  readonly notes: readonly Message[]
  readonly httpStatus: number | null
  /** What broke the exchange; null where the answer came whole. */
  readonly failure: FailureReason | null
  readonly latencyMs: number
  /** To be asked first next time; null: the endpoint itself, by GET. */
  readonly resource: Resource | null
  /** Every way to pay that was offered. */
  readonly payments: readonly ParsedRequirements[]
  /** Of the terms that were read; null where none were. */
  readonly x402Version: 1 | 2 | null
  /** What was read of the resource that was asked comes first, then what documents name. */
  readonly resources: readonly ResourceTerms[]
  /** Whether every document of the origin was read: what is not among the resources is then not named any more. */
  readonly hasReadDocuments: boolean
  readonly otherRails: readonly string[]
  readonly signIn: boolean
  /** In the order they were made. */
  readonly requests: readonly RequestRecord[]
}
