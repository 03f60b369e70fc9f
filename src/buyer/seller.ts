// What a buyer needs of a seller, over whichever transport: an unpaid question, and one paid request.
import type { ToolCall } from '../domain/call/request.ts'
import { type Message, say } from '../messages/message.ts'
import type { SafeFetch, SafeRequest, SafeResponse } from '../probe/safe-fetch.ts'
import type { Reading } from '../probe/x402.ts'
import type { PaymentPayload } from './pay.ts'
import type { Required } from './quote.ts'
import type { SettleResponse } from './settle-response.ts'

export type BuyRequest = {
  readonly method: string
  readonly url: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | undefined
  readonly contentType?: string | undefined
  /** Where it is the call of a tool of an MCP server: then nothing else is sent. */
  readonly tool?: ToolCall | undefined
}

export type PaidAnswer = Pick<SafeResponse & { ok: true }, 'status' | 'headers' | 'body'>

/** What came for a payment. */
export type Reply = {
  /** Its body is what was delivered. */
  readonly response: SafeResponse
  readonly settleResponse: SettleResponse
  /** Where it asks for a payment once more. */
  readonly second: Reading | undefined
  /** Of a tool. */
  readonly tool?: ToolReply
}

/** error: the tool says that it failed. none: what came is no result. */
export type ToolReply =
  | {
      readonly kind: 'result'
      /** What is compared with the declared schema, and its type. */
      readonly judged: Uint8Array
      readonly contentType: string
      /** What the tool itself declares. */
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

export type Asked =
  | Payable
  | { readonly kind: 'unpaid'; readonly answer: PaidAnswer }
  | { readonly kind: 'refused'; readonly reason: Message }

/** How the unpaid question is sent; what is signed is sent at once, and is not called back. */
export type Manners = Pick<SafeRequest, 'signal' | 'enter'>

export type AskSeller = (fetch: SafeFetch, request: BuyRequest, manners: Manners) => Promise<Asked>

export const notQuoted = (problems: readonly Message[]): Asked & { readonly kind: 'refused' } => ({
  kind: 'refused',
  reason: say('not_quoted', { problems }),
})
