// Determines the settlement of a purchase from the chain, or from the seller's claim if there is no node, and the state that follows.

import type { AnswerEvidence, Lifetime, Purchase } from '../domain/purchases/purchases.ts'
import { isExcused } from '../domain/standing/delivery.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Conclusion } from '../store/purchases.ts'
import { classify, reasonsOf, type SettlementState } from './classify.ts'

export type SignedAuthorization = {
  readonly chain: string
  readonly asset: string
  readonly payer: string
  readonly nonce: string
  readonly validBefore: number
  /** For a transaction: the blocks in which it is valid. */
  readonly lifetime?: Lifetime | undefined
  /** The transaction that the seller claims, looked up first. */
  readonly claimed: string | null
}

/** used: the money has moved. unused: it still may. expired: it has not, and by the chain's time it never can. */
export type AuthorizationState =
  | { readonly state: 'used'; readonly transaction: string | null }
  | { readonly state: 'unused' | 'expired' }

/** What a Solana transaction needs in addition to the quote, and in which blocks it is valid. */
export type RecentChainState = Lifetime & {
  readonly blockhash: string
  /** The program that owns the mint. */
  readonly program: string
  readonly decimals: number
}

/** The operator's or the user's own nodes. */
export interface SettlementReader {
  /** Whether there is a node for the chain. */
  reads(chain: string): boolean
  /** For a payment by transaction. @throws if the node is unavailable, or the mint differs from our tables */
  recent(chain: string, mint: string): Promise<RecentChainState>
  /** @throws if the node is unavailable: then nothing is known */
  look(authorization: SignedAuthorization): Promise<AuthorizationState>
}

export const NO_READER: SettlementReader = {
  reads: () => false,
  recent: async chain => {
    throw new Error(`There is no node for ${chain}.`)
  },
  look: async () => ({ state: 'unused' }),
}

/** Another node sees a transaction a moment after it was sent. */
const MAX_LOOKUPS = 5
const LOOKUP_EVERY_MS = 1_000

export async function lookUpUse(
  reader: SettlementReader,
  purchase: Purchase,
  clock: Clock,
): Promise<AuthorizationState | undefined> {
  const { chain, asset, payer, nonce, validBefore } = purchase
  if (nonce === null || validBefore === null || !reader.reads(chain)) return undefined
  const { answer, lifetime } = purchase.detail
  const { claimed = null } = answer ?? {}
  const authorization = { chain, asset, payer, nonce, validBefore, lifetime, claimed }
  for (let lookups = 1; ; lookups++) {
    const use = await reader.look(authorization).catch(() => undefined)
    // Waits only if the seller claims a settlement.
    if (use?.state !== 'unused' || claimed === null || lookups >= MAX_LOOKUPS) return use
    await clock.sleep(LOOKUP_EVERY_MS)
  }
}

/** @param isLast nothing more will become known */
export function concludeFrom(
  purchase: Purchase,
  {
    use,
    isRead,
    isLast,
  }: {
    readonly use: AuthorizationState | undefined
    readonly isRead: boolean
    readonly isLast: boolean
  },
): Conclusion {
  const { answer } = purchase.detail
  const settlement = settlementStateOf(answer, use, isRead)
  const transaction = use?.state === 'used' ? use.transaction : (answer?.claimed ?? null)
  const isSettled = settlement === 'settled'
  // What is never known stays undecided: that nothing was taken is for the chain to say.
  const outcome = classify(answer, settlement)
  return {
    state: isSettled ? 'settled' : settlement === 'unsettled' ? 'released' : isLast ? 'unknown' : 'signed',
    // A seller's claim is reported among the reasons only.
    charged: isSettled && isRead ? purchase.amount : null,
    transaction: isSettled ? transaction : null,
    outcome,
    detail: {
      ...purchase.detail,
      reasons: [
        ...reasonsOf(purchase, settlement, { transaction, isRead }),
        ...(isExcused({ outcome, detail: purchase.detail }) ? [say('sample_made_up')] : []),
      ],
    },
  }
}

/** A seller who denies the settlement may still hold the authorization, so the denial releases nothing. */
function settlementStateOf(
  answer: AnswerEvidence | undefined,
  use: AuthorizationState | undefined,
  isRead: boolean,
): SettlementState {
  if (use?.state === 'used') return 'settled'
  if (use?.state === 'expired') return 'unsettled'
  return !isRead && answer?.settlement === 'claimed' ? 'settled' : 'unknown'
}
