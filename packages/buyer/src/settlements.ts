// The settlement of a purchase, from the chain or from the seller's claim, and what follows: outcome, state, and a later look at what is
// still open.
import type {
  AnswerEvidence,
  Lifetime,
  Purchase,
  PurchaseOutcome,
} from 'shirube/domain/purchases/purchases.ts'
import { isExcused } from 'shirube/domain/standing/delivery.ts'
import { type Message, say } from 'shirube/messages/message.ts'
import type { Clock } from 'shirube/runtime/clock.ts'
import type { Conclusion, PurchaseTable } from 'shirube/store/purchases.ts'
import { type Account, reportTo } from './account.ts'

type SettlementState = 'settled' | 'unsettled' | 'unknown'

/** @returns null if undecided, or if the response was lost */
function classify(answer: AnswerEvidence | undefined, settlement: SettlementState): PurchaseOutcome | null {
  if (!answer || settlement === 'unknown') return null
  if (settlement === 'unsettled') return 'not_settled'
  if (answer.status === null) return 'settled_silent'
  if (answer.second) return answer.second.isSame ? 'refused_after_payment' : 'charged_other'
  if (answer.chargedOther !== null) return 'charged_other'
  if (answer.isError || answer.status < 200 || answer.status > 299) return 'refused_after_payment'
  if (answer.conformance === 'unread') return 'settled_silent'
  return answer.conformance === 'not_as_declared' ? 'delivered_not_as_declared' : 'delivered'
}

/** The reasons for the outcome: how the payment is known, then what was wrong with the response. */
function reasonsOf(
  { detail: { answer } }: Pick<Purchase, 'detail'>,
  settlement: SettlementState,
  chainView: { readonly transaction: string | null; readonly isRead: boolean },
): readonly Message[] {
  return [...paymentReasons(answer, settlement, chainView), ...(answer?.reasons ?? [])]
}

function paymentReasons(
  answer: AnswerEvidence | undefined,
  settlement: SettlementState,
  { transaction, isRead }: { readonly transaction: string | null; readonly isRead: boolean },
): Message[] {
  const claimed = answer?.claimed ?? null
  if (settlement === 'settled') {
    if (isRead) return [say('settled_on_chain', { transaction: transaction ?? claimed ?? '?' })]
    return [say('settled_unseen', { transaction: claimed ?? '?' })]
  }
  const missing = claimed !== null && isRead ? [say('settlement_missing', { transaction: claimed })] : []
  return settlement === 'unsettled' && isRead ? [...missing, say('authorization_expired')] : missing
}

// Determines the settlement of a purchase from the chain, or from the seller's claim if there is no node, and the state that follows.

export type SignedAuthorization = {
  readonly chain: string
  readonly asset: string
  readonly payer: string
  /** Of a transaction: the hash of its message. */
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

// Concludes purchases that are still reserved or signed: after a process ended, a response without a clear result, or an unavailable
// node.

/** Longer than any purchase takes: a younger one may be in progress. */
const MIN_AGE_MS = 5 * 60_000
/** Allows for the clocks that date blocks. */
const LATE_SECONDS = 120
const PAGE = 100

export function createReconcile({
  purchases,
  reader,
  clock,
  account,
  onConcluded,
}: {
  readonly purchases: PurchaseTable
  readonly reader: SettlementReader
  readonly clock: Clock
  readonly account?: Account | undefined
  readonly onConcluded: ((purchase: Purchase) => Promise<void>) | undefined
}): () => Promise<readonly Purchase[]> {
  async function lookUp(purchase: Purchase): Promise<Conclusion | undefined> {
    // The process that reserved it will find it released, and sign nothing.
    if (purchase.state === 'reserved') return toReleased(purchase, say('reservation_lost'))
    const isRead = reader.reads(purchase.chain)
    const use = await lookUpUse(reader, purchase, clock)
    const isOver = (purchase.validBefore ?? 0) + LATE_SECONDS < clock.now().getTime() / 1000
    const conclusion = concludeFrom(purchase, { use, isRead, isLast: !isRead && isOver })
    return conclusion.state === 'signed' ? undefined : conclusion
  }

  return async () => {
    const concluded: Purchase[] = []
    for (let after = ''; ; ) {
      const page = await purchases.open(PAGE, after)
      for (const purchase of page) {
        if (clock.now().getTime() - Date.parse(purchase.at) < MIN_AGE_MS) continue
        const found = await lookUp(purchase)
        const conclusion = found && (await reportTo(account, purchase, found))
        if (!conclusion || conclusion.state === 'signed') continue
        if (!(await purchases.conclude(purchase.id, conclusion))) continue
        const ended = { ...purchase, ...conclusion }
        concluded.push(ended)
        await onConcluded?.(ended)
      }
      const last = page.at(-1)
      if (!last || page.length < PAGE) return concluded
      after = last.id
    }
  }
}

export const toReleased = (purchase: Purchase, reason: Message): Conclusion => ({
  state: 'released',
  charged: null,
  transaction: null,
  outcome: null,
  detail: { ...purchase.detail, reasons: [reason] },
})
