// What was taken: asked of the chain where a node is set, else the seller's word. The state of a purchase follows from it.
import { isExcused } from '../domain/delivery.ts'
import type { AnswerEvidence, Lifetime, Purchase } from '../domain/purchases.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Conclusion } from '../store/purchases.ts'
import { classify, reasonsOf, type Taken } from './classify.ts'

export type SignedAuthorization = {
  readonly chain: string
  readonly asset: string
  readonly payer: string
  readonly nonce: string
  readonly validBefore: number
  /** Of a transaction: the blocks in which it can be used. */
  readonly lifetime?: Lifetime | undefined
  /** The transaction that the seller names, to look there first. */
  readonly claimed: string | null
}

/** used: the money has moved. unused: it may still. expired: it has not, and by the chain's own time it never can. */
export type AuthorizationState =
  | { readonly state: 'used'; readonly transaction: string | null }
  | { readonly state: 'unused' | 'expired' }

/** What a transaction of Solana is made of besides what is quoted, and in which blocks it can be used. */
export type Recent = Lifetime & {
  readonly blockhash: string
  /** That holds the mint. */
  readonly program: string
  readonly decimals: number
}

/** The operator's or the user's own nodes. */
export interface SettlementReader {
  /** Whether there is a node for the chain. */
  reads(chain: string): boolean
  /** For a payment by a transaction. @throws where the node is away, or the mint is not as the tables say */
  recent(chain: string, mint: string): Promise<Recent>
  /** @throws where the node is away: then nothing is known */
  look(authorization: SignedAuthorization): Promise<AuthorizationState>
}

export const NO_READER: SettlementReader = {
  reads: () => false,
  recent: async chain => {
    throw new Error(`There is no node for ${chain}.`)
  },
  look: async () => ({ state: 'unused' }),
}

/** A transaction that was just sent is seen by another node a moment later. */
const LOOKS = 5
const LOOK_EVERY_MS = 1_000

export async function lookFor(
  reader: SettlementReader,
  purchase: Purchase,
  clock: Clock,
): Promise<AuthorizationState | undefined> {
  const { chain, asset, payer, nonce, validBefore } = purchase
  if (nonce === null || validBefore === null || !reader.reads(chain)) return undefined
  const { answer, lifetime } = purchase.detail
  const { claimed = null } = answer ?? {}
  const authorization = { chain, asset, payer, nonce, validBefore, lifetime, claimed }
  for (let looks = 1; ; looks++) {
    const found = await reader.look(authorization).catch(() => undefined)
    // Only who says that it was settled is waited for.
    if (found?.state !== 'unused' || claimed === null || looks >= LOOKS) return found
    await clock.sleep(LOOK_EVERY_MS)
  }
}

/** @param isLast nothing more will be known of it. @returns undefined where nothing is known that was not before */
export function concludeFrom(
  purchase: Purchase,
  {
    found,
    isRead,
    isLast,
  }: {
    readonly found: AuthorizationState | undefined
    readonly isRead: boolean
    readonly isLast: boolean
  },
): Conclusion {
  const { answer } = purchase.detail
  const taken = takenOf(answer, found, isRead)
  const transaction = found?.state === 'used' ? found.transaction : (answer?.claimed ?? null)
  const isTaken = taken === 'settled'
  const told: Taken = taken === 'unknown' && isLast ? 'unsettled' : taken
  const outcome = classify(answer, told)
  return {
    state: isTaken ? 'settled' : taken === 'unsettled' ? 'released' : isLast ? 'unknown' : 'signed',
    // What only the seller says is told as its word, among the reasons.
    charged: isTaken && isRead ? purchase.amount : null,
    transaction: isTaken ? transaction : null,
    outcome,
    detail: {
      ...purchase.detail,
      reasons: [
        ...reasonsOf(purchase, taken, { transaction, isRead }),
        ...(isExcused({ outcome, detail: purchase.detail }) ? [say('sample_made_up')] : []),
      ],
    },
  }
}

/** A seller who says that it took nothing may still hold the authorization: its word releases nothing. */
function takenOf(
  answer: AnswerEvidence | undefined,
  found: AuthorizationState | undefined,
  isRead: boolean,
): Taken {
  if (found?.state === 'used') return 'settled'
  if (found?.state === 'expired') return 'unsettled'
  return !isRead && answer?.settlement === 'claimed' ? 'settled' : 'unknown'
}
