// What became of a purchase, from what was answered and what was taken: pure, so that it can be asked again when the chain tells more.
import type { AnswerEvidence, Purchase, PurchaseOutcome } from '../domain/purchases.ts'
import { type Message, say } from '../messages/message.ts'

export type Taken = 'settled' | 'unsettled' | 'unknown'

/** null where it cannot be said yet, or nobody saw the answer. */
export function classify(answer: AnswerEvidence | undefined, taken: Taken): PurchaseOutcome | null {
  if (!answer || taken === 'unknown') return null
  if (taken === 'unsettled') return 'not_settled'
  if (answer.status === null) return 'settled_silent'
  if (answer.second) return answer.second.isSame ? 'refused_after_payment' : 'charged_other'
  if (answer.chargedOther !== null) return 'charged_other'
  if (answer.isError || answer.status < 200 || answer.status > 299) return 'refused_after_payment'
  if (answer.conformance === 'unread') return 'settled_silent'
  return answer.conformance === 'not_as_declared' ? 'delivered_not_as_declared' : 'delivered'
}

/** What is told beside the outcome: how the payment is known, then what was wrong with the answer. */
export function reasonsOf(
  { detail: { answer, receipt } }: Pick<Purchase, 'detail'>,
  taken: Taken,
  seen: { readonly transaction: string | null; readonly isRead: boolean },
): readonly Message[] {
  const told = receipt ? [receipt.reason] : []
  return [...paymentReasons(answer, taken, seen), ...(answer?.reasons ?? []), ...told]
}

function paymentReasons(
  answer: AnswerEvidence | undefined,
  taken: Taken,
  { transaction, isRead }: { readonly transaction: string | null; readonly isRead: boolean },
): Message[] {
  const claimed = answer?.claimed ?? null
  if (taken === 'settled') {
    if (isRead) return [say('settled_on_chain', { transaction: transaction ?? claimed ?? '?' })]
    return [say('settled_unseen', { transaction: claimed ?? '?' })]
  }
  const missing = claimed !== null && isRead ? [say('settlement_missing', { transaction: claimed })] : []
  return taken === 'unsettled' && isRead ? [...missing, say('authorization_expired')] : missing
}
