// What demotion of hits is based on, and its results.
import type { Danger } from '../../domain/standing/danger.ts'
import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { CandidateGroups, CandidatePairs } from './candidate-pairs.ts'
import type { FingerprintRows } from './fingerprint.ts'

/** What the catalog knows of an entry, by slot. */
export type FinalOrderSource = {
  readonly fingerprints: FingerprintRows
  readonly candidates: CandidatePairs
  /** Breaks ties between equal scores. */
  readonly order: SlotOrder
  isVerified(slot: number): boolean
  /** Whether it is verified, or has more trust than costs nothing. */
  hasStanding(slot: number): boolean
  isInactive(slot: number): boolean
  isClaimed(slot: number): boolean
  /** Whether the wallet that listed it is not the one it pays, and its domain does not confirm it. */
  isByStranger(slot: number): boolean
  isSameEndpoint(a: number, b: number): boolean
  /** Whether it is invented, in a catalog that has real entries: nothing invented comes before what is real. */
  isSample(slot: number): boolean
  /** Why it must not be paid as it is listed: such an entry comes after all others. */
  dangerOf(slot: number): Danger | undefined
  trustOf(slot: number): number
  /** When it got its endpoint. */
  sinceOf(slot: number): number
  /** When it got its name. */
  nameSinceOf(slot: number): number
  /** When it got its description. */
  textSinceOf(slot: number): number
}

/** Why a hit is demoted. */
export type DemotionCause = 'seller' | 'copy' | 'reversed' | Danger

/** Flags of a demoted hit. */
export const IS_SURPLUS = 1
export const IS_COPY = 2
export const IS_BEHIND = 4

/** This many entries of one seller keep their places; this many verified ones with its text demote an unproved entry. */
export const MAX_ALIKE = 2

/** Best first. Hits are identified by their index. */
export type Hits = {
  readonly slots: ArrayLike<number>
  readonly scores: Float64Array
  /** The offset of each fingerprint. */
  readonly entries: Int32Array
  readonly candidates: CandidateGroups
  /** 1 for entries that do the opposite of the query. */
  readonly reversed: Uint8Array | undefined
}
