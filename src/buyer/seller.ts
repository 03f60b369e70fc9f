// What a buyer needs of a seller, over either transport: a quote, and one paid request.
import type { ToolCall } from '../domain/call/request.ts'
import { type Message, say } from '../messages/message.ts'
import type { SafeFetch, SafeRequest, SafeResponse } from '../probe/requests/safe-fetch.ts'
import type { Reading } from '../probe/terms/x402.ts'
import type { PaymentPayload } from './pay.ts'
import type { Required } from './quote.ts'
import type { SettleResponse } from './settle-response.ts'

export type BuyRequest = {
  readonly method: string
  readonly url: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | undefined
  readonly contentType?: string | undefined
  /** A tool call on an MCP server: then nothing else is sent. */
  readonly tool?: ToolCall | undefined
}

export type PaidAnswer = Pick<SafeResponse & { ok: true }, 'status' | 'headers' | 'body'>

/** The response to a payment. */
export type Reply = {
  /** Its body is the delivery. */
  readonly response: SafeResponse
  readonly settleResponse: SettleResponse
  /** Set if it demands another payment. */
  readonly second: Reading | undefined
  /** Set for a tool. */
  readonly tool?: ToolReply
}

/** error: the tool reports a failure. none: the response contains no result. */
export type ToolReply =
  | {
      readonly kind: 'result'
      /** The content to compare with the declared schema. */
      readonly judged: Uint8Array
      readonly contentType: string
      /** The schema that the tool declares. */
      readonly output: Readonly<Record<string, unknown>> | undefined
    }
  | { readonly kind: 'error'; readonly why: string }
  | { readonly kind: 'none' }

export type Payable = {
  readonly kind: 'quoted'
  readonly required: Required
  /** Sends the paid request, once. */
  readonly pay: (payment: PaymentPayload, maxBodyBytes: number) => Promise<Reply>
}

export type QuoteResult =
  | Payable
  | { readonly kind: 'unpaid'; readonly answer: PaidAnswer }
  | { readonly kind: 'refused'; readonly reason: Message }

/** For the unpaid request; a signed payment is sent at once and cannot be cancelled. */
export type QuoteOptions = Pick<SafeRequest, 'signal' | 'enter'>

export type RequestQuote = (
  fetch: SafeFetch,
  request: BuyRequest,
  options: QuoteOptions,
) => Promise<QuoteResult>

export const notQuoted = (problems: readonly Message[]): QuoteResult & { readonly kind: 'refused' } => ({
  kind: 'refused',
  reason: say('not_quoted', { problems }),
})
