// Classifies a purchase by its response and its settlement: pure, so that it can be repeated when the chain reports more.
import type { AnswerEvidence, Purchase, PurchaseOutcome } from '../domain/purchases/purchases.ts'
import { type Message, say } from '../messages/message.ts'

export type SettlementState = 'settled' | 'unsettled' | 'unknown'

/** @returns null if undecided, or if the response was lost */
export function classify(
  answer: AnswerEvidence | undefined,
  settlement: SettlementState,
): PurchaseOutcome | null {
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
export function reasonsOf(
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
