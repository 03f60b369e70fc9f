// Collects evidence from the response to a paid request, without its content.
import { findAsset } from '../domain/chains/assets.ts'
import { sameAddress } from '../domain/chains/same-address.ts'
import { toDecimal } from '../domain/money/money.ts'
import type { AnswerEvidence, Purchase } from '../domain/purchases/purchases.ts'
import { type Message, say } from '../messages/message.ts'
import type { SafeResponse } from '../probe/requests/safe-fetch.ts'
import type { Reading } from '../probe/terms/x402.ts'
import { shown } from '../probe/untrusted/untrusted-text.ts'
import { type Conformance, type Declared, judgeAnswer, judgeNoResult } from './conformance.ts'
import type { Reply, ToolReply } from './seller.ts'
import type { SettleResponse } from './settle-response.ts'

type Paid = Pick<Purchase, 'amount' | 'payTo' | 'chain' | 'asset'>

/** Limit of untrusted text in a content type. */
const MAX_TYPE = 128

export function toEvidence(
  { response, settleResponse, second: secondReading, tool }: Reply,
  paid: Paid,
  declared: Declared,
  maxBytes: number,
): AnswerEvidence {
  const { status, headers } = response
  if (status === undefined || headers === undefined)
    return toSilence(response.latencyMs, (response as SafeResponse & { ok: false }).message)
  const body = response.ok ? response.body : undefined
  const contentType = headers.get('content-type') ?? null
  const asked = secondReading && readSecond(secondReading, paid)
  const second = asked?.second ?? null
  const charged = settleResponse.kind === 'claimed' ? settleResponse.amount : null
  const chargedOther = charged !== null && charged !== paid.amount ? charged : null
  const judged = judge(response, tool, declared, maxBytes)
  return {
    status,
    latencyMs: response.latencyMs,
    bytes: body?.length ?? 0,
    contentType: contentType === null ? null : shown(contentType.slice(0, MAX_TYPE)),
    sha256: body ? new Bun.CryptoHasher('sha256').update(body).digest('hex') : null,
    conformance: judged.conformance,
    ...(tool?.kind === 'error' && { isError: true }),
    settlement: settleResponse.kind,
    claimed: settleResponse.kind === 'claimed' ? settleResponse.transaction : null,
    second,
    chargedOther,
    reasons: [
      ...settlementReasons(settleResponse),
      ...judged.reasons,
      ...(asked ? secondReasons(asked, paid) : []),
      ...(chargedOther === null
        ? []
        : [
            say('charged_amount', {
              quoted: paid.amount,
              charged: chargedOther,
              quotedPrice: priceOf(paid, paid.amount),
              chargedPrice: priceOf(paid, chargedOther),
            }),
          ]),
    ],
  }
}

const toSilence = (latencyMs: number, problem: Message): AnswerEvidence => ({
  status: null,
  latencyMs,
  bytes: 0,
  contentType: null,
  sha256: null,
  conformance: 'unread',
  settlement: 'absent',
  claimed: null,
  second: null,
  chargedOther: null,
  reasons: [say('answer_missing', { problem })],
})

function judge(
  response: SafeResponse,
  tool: ToolReply | undefined,
  declared: Declared,
  maxBytes: number,
): Conformance {
  const status = response.status!
  if (status >= 300 && status < 400)
    return { conformance: 'unread', reasons: [say('answer_redirects', { status })] }
  if (status < 200 || status > 299)
    return { conformance: 'unread', reasons: [say('answer_status', { status })] }
  // A body that is too long was delivered; one that broke off was not.
  if (!response.ok && response.reason !== 'body_too_large')
    return { conformance: 'unread', reasons: [say('answer_missing', { problem: response.message })] }
  const body = response.ok ? response.body : undefined
  if (tool) return judgeTool(status, tool, body, declared, maxBytes)
  const contentType = response.headers?.get('content-type') ?? null
  return judgeAnswer({ status, contentType, body }, declared, maxBytes)
}

/**
 * Does not compare the MIME type: the official server declares `application/json` for every tool, whatever its result.
 * @param body undefined if it was too large, so that its content is unknown
 */
function judgeTool(
  status: number,
  tool: ToolReply,
  body: Uint8Array | undefined,
  declared: Declared,
  maxBytes: number,
): Conformance {
  if (tool.kind === 'error')
    return { conformance: 'unread', reasons: [say('tool_failed', { why: tool.why })] }
  if (tool.kind === 'result') {
    const { judged, contentType, output = declared.output } = tool
    return judgeAnswer({ status, contentType, body: judged }, { output }, maxBytes)
  }
  return judgeNoResult(body, maxBytes)
}

function settlementReasons(settleResponse: SettleResponse): Message[] {
  if (settleResponse.kind === 'denied') return [say('settlement_denied', { why: settleResponse.why })]
  return settleResponse.kind === 'absent' ? [say('settlement_silent')] : []
}

/** An amount in words; null if the asset is not known. */
function priceOf({ chain, asset }: Pick<Paid, 'chain' | 'asset'>, amount: string): string | null {
  const known = findAsset(chain, asset)
  return known ? `${toDecimal(BigInt(amount), known.decimals)} ${known.symbol}` : null
}

type Second = { readonly second: NonNullable<AnswerEvidence['second']>; readonly price: string | null }

/** @returns the requirements of a second 402, preferably those already paid; undefined if unreadable */
function readSecond(reading: Reading, paid: Paid): Second | undefined {
  if (!reading.readable) return undefined
  const options = reading.payments
  const isAsPaid = (requirements: (typeof options)[number]) =>
    requirements.chain === paid.chain &&
    sameAddress(requirements.asset, paid.asset, paid.chain) &&
    sameAddress(requirements.payTo, paid.payTo, paid.chain) &&
    requirements.amount.toString() === paid.amount
  const same = options.find(isAsPaid)
  const other = options.find(requirements => !isAsPaid(requirements))
  const quoted = same ?? other
  if (!quoted) return undefined
  const amount = quoted.amount.toString()
  return {
    second: { amount, payTo: shown(quoted.payTo), isSame: same !== undefined },
    price: priceOf(quoted, amount),
  }
}

function secondReasons({ second, price }: Second, { payTo, chain }: Paid): Message[] {
  const { amount, isSame } = second
  const isOther = !sameAddress(second.payTo, payTo, chain)
  return [
    say('asked_again', { amount, price, isSame }),
    ...(isOther ? [say('asked_for_another', { payTo: second.payTo })] : []),
  ]
}
