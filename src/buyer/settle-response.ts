// Reads the settle response of a paid request, from a header or a tool result. It is the seller's claim; with a node the chain decides.

import { isRecord } from '../domain/json/json-record.ts'
import type { ResponseHeaders } from '../probe/requests/exchange.ts'
import { shown } from '../probe/untrusted/untrusted-text.ts'

export type SettleResponse =
  | {
      readonly kind: 'claimed'
      readonly transaction: string
      /** The amount taken, if stated. */
      readonly amount: string | null
      readonly raw: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'denied'; readonly why: string }
  | { readonly kind: 'absent' }

const MAX_HEADER = 64 * 1024

export function readSettleResponse(headers: ResponseHeaders): SettleResponse {
  const text = headers.get('payment-response') ?? headers.get('x-payment-response')
  return toSettleResponse(text === undefined || text.length > MAX_HEADER ? undefined : decode(text))
}

/** @param raw the settle response as received */
export function toSettleResponse(raw: unknown): SettleResponse {
  if (!isRecord(raw)) return { kind: 'absent' }
  if (raw.success !== true)
    return { kind: 'denied', why: wordOf(raw.errorReason ?? raw.error ?? raw.errorMessage) }
  const amount = typeof raw.amount === 'string' && /^\d{1,78}$/.test(raw.amount) ? raw.amount : null
  return { kind: 'claimed', transaction: wordOf(raw.transaction ?? raw.txHash), amount, raw }
}

const wordOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? shown(value) : '?')

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}
