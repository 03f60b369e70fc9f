// What hits are judged by before some of them give way, and what becomes of those.
import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { CandidateGroups, CandidatePairs } from './candidate-pairs.ts'
import type { FingerprintRows } from './fingerprint.ts'

/** What the catalog knows of entries, by slot. */
export type FinalOrderSource = {
  readonly fingerprints: FingerprintRows
  readonly candidates: CandidatePairs
  /** Decides between equal scores. */
  readonly order: SlotOrder
  isVerified(slot: number): boolean
  /** Whether it is verified, or has more trust than costs nothing. */
  isProved(slot: number): boolean
  isInactive(slot: number): boolean
  isClaimed(slot: number): boolean
  /** Whether a wallet listed it that it does not pay, and its domain says nothing of it. */
  isByStranger(slot: number): boolean
  isSameEndpoint(a: number, b: number): boolean
  trustOf(slot: number): number
  /** When it came to where it is. */
  sinceOf(slot: number): number
  /** When it got the name that it has. */
  nameSinceOf(slot: number): number
  /** When it got the description that it has. */
  textSinceOf(slot: number): number
}

/** Why a hit stands further back than its score says. */
export type HeldBack = 'seller' | 'copy' | 'reversed'

/** Bits that say what becomes of a hit. */
export const IS_SURPLUS = 1
export const IS_COPY = 2
export const IS_BEHIND = 4

/** So many entries of one seller keep their places; so many verified ones with its text put an unproved entry behind. */
export const MAX_ALIKE = 2

/** Best first, each known by its place. */
export type Hits = {
  readonly slots: ArrayLike<number>
  readonly scores: Float64Array
  /** Where the fingerprint of each begins. */
  readonly entries: Int32Array
  readonly candidates: CandidateGroups
  /** 1 for those that do the opposite of what the others do. */
  readonly reversed: Uint8Array | undefined
}
