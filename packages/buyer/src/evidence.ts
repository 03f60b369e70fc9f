// Evidence from the response to a paid request, without its content: what came back, and whether it is what the seller declared.

import { sameAddress } from 'shirube/domain/chains/addresses.ts'
import { findAsset } from 'shirube/domain/chains/assets.ts'
import { toDecimal } from 'shirube/domain/money/money.ts'
import type { AnswerEvidence, Purchase } from 'shirube/domain/purchases/purchases.ts'
import { truncate } from 'shirube/domain/text/text.ts'
import { type Message, say } from 'shirube/messages/message.ts'
import type { SafeResponse } from 'shirube/probe/requests/safe-fetch.ts'
import type { Reading } from 'shirube/probe/terms/x402.ts'
import { shown } from 'shirube/probe/untrusted.ts'
import { schemaProblems } from './schema-check.ts'
import type { Reply, SettleResponse, ToolReply } from './seller.ts'

export type Declared = {
  readonly output?: Readonly<Record<string, unknown>> | undefined
  readonly mimeType?: string | undefined
}

type Conformance = Pick<AnswerEvidence, 'conformance'> & { readonly reasons: readonly Message[] }

const MAX_PROBLEM = 200

/** @param body undefined if it was too large */
function judgeAnswer(
  {
    status,
    contentType,
    body,
  }: {
    readonly status: number
    readonly contentType: string | null
    readonly body: Uint8Array | undefined
  },
  declared: Declared,
  maxBytes: number,
): Conformance {
  const schema = declared.output && hasContent(declared.output) ? declared.output : undefined
  const wantsJson = schema !== undefined || isJson(declared.mimeType)
  const problem = typeProblem(declared, contentType, wantsJson)
  if (problem) return differs(problem)
  if (!body) return wantsJson ? differs(say('answer_too_large', { kib: maxBytes / 1024 })) : NOTHING
  const text =
    wantsJson || isJson(contentType ?? undefined) ? new TextDecoder().decode(body).trim() : undefined
  if (status === 204 || body.length === 0 || text === '') return differs(say('answer_empty'))
  if (text === undefined) return declared.mimeType ? AS_DECLARED : NOTHING
  const value = parse(text)
  if (value === undefined) return differs(say('answer_not_json'))
  if (isNothing(value)) return differs(say('answer_empty'))
  if (!schema) return declared.mimeType ? AS_DECLARED : NOTHING
  const problems = problemsOf(value, schema)
  return problems.length === 0 ? AS_DECLARED : differs(say('answer_other_schema', { problems }))
}

/** For a tool without a result message. @param body undefined if it was too large */
function judgeNoResult(body: Uint8Array | undefined, maxBytes: number): Conformance {
  if (!body) return differs(say('answer_too_large', { kib: maxBytes / 1024 }))
  return differs(say(new TextDecoder().decode(body).trim() === '' ? 'answer_empty' : 'answer_no_result'))
}

const AS_DECLARED: Conformance = { conformance: 'as_declared', reasons: [] }
const NOTHING: Conformance = { conformance: 'nothing_declared', reasons: [] }
const differs = (reason: Message): Conformance => ({ conformance: 'not_as_declared', reasons: [reason] })

const essenceOf = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase()
const isJson = (type: string | undefined): boolean =>
  type !== undefined && /^[\w.-]+\/(?:[\w.-]+\+)?json$/.test(essenceOf(type))

/** A response without a content type is judged by its content. */
function typeProblem(
  { mimeType }: Declared,
  contentType: string | null,
  wantsJson: boolean,
): Message | undefined {
  if (contentType === null || contentType.trim() === '') return undefined
  const wanted = mimeType?.includes('/') ? mimeType : wantsJson ? 'application/json' : undefined
  if (wanted === undefined) return undefined
  const isAlike = isJson(wanted)
    ? isJson(contentType) || isPlain(contentType)
    : essenceOf(wanted) === essenceOf(contentType)
  return isAlike
    ? undefined
    : say('answer_other_type', { declared: shown(essenceOf(wanted)), got: shown(essenceOf(contentType)) })
}

/** Some servers send JSON with these types: the content decides. */
const isPlain = (type: string): boolean =>
  ['text/plain', 'application/octet-stream'].includes(essenceOf(type))

const hasContent = (schema: Readonly<Record<string, unknown>>): boolean => Object.keys(schema).length > 0

/** An empty list may be a search result; these values are no result at all. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0)

function problemsOf(value: unknown, schema: Readonly<Record<string, unknown>>): string[] {
  const { example, ...rules } = schema
  try {
    const problems =
      Object.keys(rules).length > 0 ? schemaProblems(value, schema) : kindProblems(value, example)
    return problems.map(problem => truncate(problem.replace(/[\p{C}\u2028\u2029]/gu, ''), MAX_PROBLEM))
  } catch (error) {
    if (error instanceof RangeError) return ['it is nested too deeply']
    throw error
  }
}

/** If only an example is declared, the response must have its type. */
const kindProblems = (value: unknown, example: unknown): string[] =>
  example === undefined || kindOf(value) === kindOf(example)
    ? []
    : [`it must be ${kindOf(example)}, like the example`]

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Collects evidence from the response to a paid request, without its content.

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
              quoted: priceOf(paid, paid.amount),
              charged: priceOf(paid, chargedOther),
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

/** An amount in words. */
function priceOf({ chain, asset }: Pick<Paid, 'chain' | 'asset'>, amount: string): string {
  const known = findAsset(chain, asset)
  return known
    ? `${toDecimal(BigInt(amount), known.decimals)} ${known.symbol}`
    : `${amount} base units of an unknown token`
}

type Second = { readonly second: NonNullable<AnswerEvidence['second']>; readonly price: string }

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
  const { isSame } = second
  const isOther = !sameAddress(second.payTo, payTo, chain)
  return [
    say('asked_again', { price, isSame }),
    ...(isOther ? [say('asked_for_another', { payTo: second.payTo })] : []),
  ]
}
