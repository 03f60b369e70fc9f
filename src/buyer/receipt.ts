// Judges the receipt in a paid response against the purchase.

import { isRecord } from '../domain/json/json-record.ts'
import type { Purchase, ReceiptEvidence } from '../domain/purchases/purchases.ts'
import { say } from '../messages/message.ts'
import { judgeReceipt } from '../probe/signed/judge-receipt.ts'
import type { KeySource } from '../probe/signed/key-source.ts'
import type { SettleResponse } from './settle-response.ts'

/** @returns undefined if the settle response contains none */
export function receiptIn(settleResponse: SettleResponse): unknown {
  const { extensions } = settleResponse.kind === 'claimed' ? settleResponse.raw : {}
  const extension = isRecord(extensions) ? extensions['offer-receipt'] : undefined
  return isRecord(extension) && isRecord(extension.info) ? extension.info.receipt : undefined
}

export async function checkReceipt(
  sent: unknown,
  { at, chain, payTo, payer, detail: { url, tool, answer } }: Purchase,
  now: Date,
  keys: KeySource,
): Promise<ReceiptEvidence> {
  const until = now.getTime()
  const paid = {
    url,
    tool,
    chain,
    payTo,
    payer,
    transaction: answer?.claimed ?? null,
    since: Date.parse(at),
    until,
  }
  const judged = await judgeReceipt(sent, paid, keys)
  if (!judged.valid) {
    const reason = say('receipt_invalid', { problem: judged.problem })
    return { valid: false, signer: judged.signer ?? null, speaksFor: null, reason, signed: null }
  }
  const { signer, speaksFor, signed } = judged
  const reason = say('receipt_valid', { signed: say('signed_by', { by: speaksFor, signer }) })
  return { valid: true, signer, speaksFor, reason, signed }
}
