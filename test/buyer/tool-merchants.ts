// What tools of MCP servers of every kind do once they are paid, and how each such purchase ends.
import type { PurchaseOutcome, PurchaseState } from '../../src/domain/purchases/purchases.ts'
import type { Code } from '../../src/messages/message.ts'
import { DELIVERED, DIFFERS, FAKE, GOOD, NOT_SETTLED, OTHER, REFUSES, SCHEMA, SILENT } from './sold.ts'

const META = 'x402/payment-response'
export const TOOL = 'weather'

export type Settled = { readonly success: boolean; readonly transaction: string }
export type Result = Record<string, unknown>

export type ToolSale = {
  settle(): Promise<Settled>
  /** A result that asks for money. */
  askAgain(terms?: object): Result
  /** Of the message. */
  readonly id: unknown
}

export type ToolMerchant = {
  readonly name: string
  readonly version?: 1 | 2
  readonly outputSchema?: Readonly<Record<string, unknown>>
  /** Where the terms stand. */
  readonly asks?: 'result' | 'text' | 'wrapped' | 'error'
  readonly keepsSessions?: true
  /** The result, as the official server sends it, or whatever is sent in place of it. */
  readonly paid: (sale: ToolSale) => Promise<Result | Response> | Result | Response
  readonly outcome: PurchaseOutcome | null
  readonly state?: PurchaseState
  readonly reason?: Code
  readonly isSilent?: true
}

const text = (words: string): Result => ({ content: [{ type: 'text', text: words }] })

/** Settles, says so, and gives this. */
const selling =
  (result: Result) =>
  async ({ settle }: ToolSale): Promise<Result> => ({ ...result, _meta: { [META]: await settle() } })

const message = (id: unknown, result: Result) => ({ jsonrpc: '2.0', id, result })
const event = (sent: object) => `event: message\ndata: ${JSON.stringify(sent)}\n\n`
const STREAM = { headers: { 'content-type': 'text/event-stream' } }

/** Sends these, and leaves the stream open. */
const openStream = (...parts: readonly string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      },
    }),
    STREAM,
  )

/** What the official server would not send. */
const raw =
  (toResponse: (sale: ToolSale, settled: Settled) => Response | Promise<Response>) =>
  async (sale: ToolSale): Promise<Response> =>
    toResponse(sale, await sale.settle())
const rawResult = (result: Result) =>
  raw(({ id }, settled) => Response.json(message(id, { ...result, _meta: { [META]: settled } })))

const never = () => new Promise<Response>(() => {})

export const TOOL_MERCHANTS: readonly ToolMerchant[] = [
  // Honest ones.
  { name: 'a tool that gives text', paid: selling(text('sunny')), ...DELIVERED },
  {
    name: 'a tool that gives what it declares',
    outputSchema: SCHEMA,
    paid: selling({ ...text(JSON.stringify(GOOD)), structuredContent: GOOD }),
    ...DELIVERED,
  },
  { name: 'a tool of version 1', version: 1, paid: selling(text('sunny')), ...DELIVERED },
  { name: 'a tool with its terms as text', asks: 'text', paid: selling(text('sunny')), ...DELIVERED },
  { name: 'a tool with its terms in a wrapper', asks: 'wrapped', paid: selling(text('sunny')), ...DELIVERED },
  { name: 'a tool with its terms in an error', asks: 'error', paid: selling(text('sunny')), ...DELIVERED },
  { name: 'a server with sessions', keepsSessions: true, paid: selling(text('sunny')), ...DELIVERED },
  {
    name: 'a tool that gives a picture',
    paid: selling({ content: [{ type: 'image', data: 'iVBORw==', mimeType: 'image/png' }] }),
    ...DELIVERED,
  },
  {
    name: 'a stream that stays open behind the result',
    paid: raw(({ id }, settled) =>
      openStream(
        ': hello\n\n',
        event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }),
        event(message(id, { ...text('sunny'), _meta: { [META]: settled } })),
      ),
    ),
    ...DELIVERED,
  },
  {
    name: 'a tool that settles without a word',
    paid: async ({ settle }) => {
      await settle()
      return text('sunny')
    },
    ...DELIVERED,
    reason: 'settled_on_chain',
  },
  {
    name: 'a tool that settles twice',
    paid: async sale => {
      const result = await selling(text('sunny'))(sale)
      if ((await sale.settle()).success) throw new Error('An authorization was used twice.')
      return result
    },
    ...DELIVERED,
  },
  // What is not as declared.
  { name: 'a result without content', paid: selling({ content: [] }), ...DIFFERS, reason: 'answer_empty' },
  { name: 'a result of spaces', paid: selling(text('  \n')), ...DIFFERS, reason: 'answer_empty' },
  {
    name: 'structured content that is empty',
    paid: selling({ ...text('ok'), structuredContent: {} }),
    ...DIFFERS,
    reason: 'answer_empty',
  },
  {
    name: 'structured content of another schema',
    outputSchema: SCHEMA,
    paid: rawResult({ ...text('ok'), structuredContent: { ...GOOD, degrees: 'warm' } }),
    ...DIFFERS,
    reason: 'answer_other_schema',
  },
  {
    name: 'words in place of the structured content',
    outputSchema: SCHEMA,
    paid: rawResult(text('warm')),
    ...DIFFERS,
    reason: 'answer_not_json',
  },
  { name: 'a huge result', paid: selling(text('x'.repeat(300_000))), ...DIFFERS, reason: 'answer_too_large' },
  {
    name: 'a stream without an end',
    paid: raw(
      () =>
        new Response(
          new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(65_536).fill(32)) }),
          STREAM,
        ),
    ),
    ...DIFFERS,
    reason: 'answer_too_large',
  },
  {
    name: 'a page in place of a message',
    paid: raw(() => new Response('<h1>Thanks</h1>', { headers: { 'content-type': 'text/html' } })),
    ...DIFFERS,
    reason: 'answer_no_result',
  },
  {
    name: 'the answer to another message',
    paid: raw(({ id }) => Response.json(message(Number(id) + 1, text('sunny')))),
    ...DIFFERS,
    reason: 'answer_no_result',
  },
  {
    name: 'nothing',
    paid: raw(() => new Response(null, { status: 202 })),
    ...DIFFERS,
    reason: 'answer_empty',
  },
  // Paid, and then nothing.
  {
    name: 'paid, then an error of the tool',
    paid: selling({ ...text('out of stock'), isError: true }),
    ...REFUSES,
    reason: 'tool_failed',
  },
  {
    name: 'paid, then an error of the protocol',
    paid: raw(({ id }) =>
      Response.json({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'Internal error' } }),
    ),
    ...REFUSES,
    reason: 'tool_failed',
  },
  {
    name: 'paid, then the same terms again',
    paid: async ({ settle, askAgain }) => {
      await settle()
      return askAgain()
    },
    ...REFUSES,
    reason: 'asked_again',
  },
  {
    name: 'paid, then an HTTP error',
    paid: raw(() => new Response('', { status: 500 })),
    ...REFUSES,
    reason: 'answer_status',
  },
  {
    name: 'paid, then the session is gone',
    keepsSessions: true,
    paid: raw(({ id }) =>
      Response.json(
        { jsonrpc: '2.0', id, error: { code: -32_001, message: 'Session not found' } },
        { status: 404 },
      ),
    ),
    ...REFUSES,
    reason: 'answer_status',
  },
  {
    name: 'paid, then a redirect elsewhere',
    paid: raw(() => new Response(null, { status: 307, headers: { location: 'http://127.0.0.1:9/' } })),
    ...REFUSES,
    reason: 'answer_redirects',
  },
  {
    name: 'paid, then a higher quote',
    paid: async ({ settle, askAgain }) => {
      await settle()
      return askAgain({ amount: '9000' })
    },
    ...OTHER,
    reason: 'asked_again',
  },
  {
    name: 'paid, then a quote for another wallet',
    paid: async ({ settle, askAgain }) => {
      await settle()
      return askAgain({ payTo: `0x${'66'.repeat(20)}` })
    },
    ...OTHER,
    reason: 'asked_for_another',
  },
  {
    name: 'paid, then a quote in an error of the protocol',
    paid: raw(({ id, askAgain }) => {
      const data = askAgain({ amount: '1' }).structuredContent
      return Response.json({ jsonrpc: '2.0', id, error: { code: 402, message: 'Payment required', data } })
    }),
    ...OTHER,
    reason: 'asked_again',
  },
  {
    name: 'a tool that says it charged more',
    paid: async ({ settle }) => ({
      ...text('sunny'),
      _meta: { [META]: { ...(await settle()), amount: '5000' } },
    }),
    ...OTHER,
    reason: 'charged_amount',
  },
  { name: 'settles, then never answers', paid: raw(never), ...SILENT, reason: 'answer_missing' },
  {
    name: 'settles, then a stream of anything but the result',
    paid: raw(() => openStream(': wait\n\n', event({ jsonrpc: '2.0', id: 'ping', method: 'ping' }))),
    ...SILENT,
    reason: 'answer_missing',
  },
  // Not paid.
  {
    name: 'answers and never settles',
    paid: () => text('sunny'),
    ...NOT_SETTLED,
    reason: 'settlement_silent',
  },
  { name: 'asks again and never settles', paid: ({ askAgain }) => askAgain(), ...NOT_SETTLED },
  { name: 'never answers and never settles', paid: never, ...NOT_SETTLED, isSilent: true },
  {
    name: 'a server that lies about a settlement',
    paid: () => ({
      ...text('sunny'),
      _meta: { [META]: { success: true, transaction: FAKE, network: 'eip155:8453' } },
    }),
    ...NOT_SETTLED,
    reason: 'settlement_missing',
  },
  {
    name: 'a settlement that failed',
    paid: ({ askAgain }) => {
      const { structuredContent, ...result } = askAgain()
      const failed = { success: false, errorReason: 'facilitator_away', transaction: '' }
      return { ...result, structuredContent: { ...(structuredContent as object), [META]: failed } }
    },
    ...NOT_SETTLED,
    reason: 'settlement_denied',
  },
]
