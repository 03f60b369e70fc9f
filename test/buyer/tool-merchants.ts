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

/** Settles, and asks for money once more. */
const askingAgain =
  (terms?: object) =>
  async ({ settle, askAgain }: ToolSale) => {
    await settle()
    return askAgain(terms)
  }
const never = () => new Promise<Response>(() => {})

type Row = readonly [
  name: string,
  paid: ToolMerchant['paid'],
  reason?: Code | undefined,
  more?: Partial<ToolMerchant>,
]
const become = (what: Pick<ToolMerchant, 'outcome' | 'state' | 'isSilent'>, rows: readonly Row[]) =>
  rows.map(
    ([name, paid, reason, more]): ToolMerchant => ({
      ...{ name, paid, ...what, ...(reason && { reason }), ...more },
    }),
  )

export const TOOL_MERCHANTS: readonly ToolMerchant[] = [
  // Honest ones.
  ...become(DELIVERED, [
    ['a tool that gives text', selling(text('sunny'))],
    [
      'a tool that gives what it declares',
      selling({ ...text(JSON.stringify(GOOD)), structuredContent: GOOD }),
      undefined,
      { outputSchema: SCHEMA },
    ],
    ['a tool of version 1', selling(text('sunny')), undefined, { version: 1 }],
    ['a tool with its terms as text', selling(text('sunny')), undefined, { asks: 'text' }],
    ['a tool with its terms in a wrapper', selling(text('sunny')), undefined, { asks: 'wrapped' }],
    ['a tool with its terms in an error', selling(text('sunny')), undefined, { asks: 'error' }],
    ['a server with sessions', selling(text('sunny')), undefined, { keepsSessions: true }],
    [
      'a tool that gives a picture',
      selling({ content: [{ type: 'image', data: 'iVBORw==', mimeType: 'image/png' }] }),
    ],
    [
      'a stream that stays open behind the result',
      raw(({ id }, settled) =>
        openStream(
          ': hello\n\n',
          event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }),
          event(message(id, { ...text('sunny'), _meta: { [META]: settled } })),
        ),
      ),
    ],
    [
      'a tool that settles without a word',
      async ({ settle }) => {
        await settle()
        return text('sunny')
      },
      'settled_on_chain',
    ],
    [
      'a tool that settles twice',
      async sale => {
        const result = await selling(text('sunny'))(sale)
        if ((await sale.settle()).success) throw new Error('An authorization was used twice.')
        return result
      },
    ],
  ]),
  // What is not as declared.
  ...become(DIFFERS, [
    ['a result without content', selling({ content: [] }), 'answer_empty'],
    ['a result of spaces', selling(text('  \n')), 'answer_empty'],
    ['structured content that is empty', selling({ ...text('ok'), structuredContent: {} }), 'answer_empty'],
    [
      'structured content of another schema',
      rawResult({ ...text('ok'), structuredContent: { ...GOOD, degrees: 'warm' } }),
      'answer_other_schema',
      { outputSchema: SCHEMA },
    ],
    [
      'words in place of the structured content',
      rawResult(text('warm')),
      'answer_not_json',
      { outputSchema: SCHEMA },
    ],
    ['a huge result', selling(text('x'.repeat(300_000))), 'answer_too_large'],
    [
      'a stream without an end',
      raw(
        () =>
          new Response(
            new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(65_536).fill(32)) }),
            STREAM,
          ),
      ),
      'answer_too_large',
    ],
    [
      'a page in place of a message',
      raw(() => new Response('<h1>Thanks</h1>', { headers: { 'content-type': 'text/html' } })),
      'answer_no_result',
    ],
    [
      'the answer to another message',
      raw(({ id }) => Response.json(message(Number(id) + 1, text('sunny')))),
      'answer_no_result',
    ],
    ['nothing', raw(() => new Response(null, { status: 202 })), 'answer_empty'],
  ]),
  // Paid, and then nothing.
  ...become(REFUSES, [
    ['paid, then an error of the tool', selling({ ...text('out of stock'), isError: true }), 'tool_failed'],
    [
      'paid, then an error of the protocol',
      raw(({ id }) =>
        Response.json({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'Internal error' } }),
      ),
      'tool_failed',
    ],
    ['paid, then the same terms again', askingAgain(), 'asked_again'],
    ['paid, then an HTTP error', raw(() => new Response('', { status: 500 })), 'answer_status'],
    [
      'paid, then the session is gone',
      raw(({ id }) =>
        Response.json(
          { jsonrpc: '2.0', id, error: { code: -32_001, message: 'Session not found' } },
          { status: 404 },
        ),
      ),
      'answer_status',
      { keepsSessions: true },
    ],
    [
      'paid, then a redirect elsewhere',
      raw(() => new Response(null, { status: 307, headers: { location: 'http://127.0.0.1:9/' } })),
      'answer_redirects',
    ],
  ]),
  ...become(OTHER, [
    ['paid, then a higher quote', askingAgain({ amount: '9000' }), 'asked_again'],
    [
      'paid, then a quote for another wallet',
      askingAgain({ payTo: `0x${'66'.repeat(20)}` }),
      'asked_for_another',
    ],
    [
      'paid, then a quote in an error of the protocol',
      raw(({ id, askAgain }) => {
        const data = askAgain({ amount: '1' }).structuredContent
        return Response.json({ jsonrpc: '2.0', id, error: { code: 402, message: 'Payment required', data } })
      }),
      'asked_again',
    ],
    [
      'a tool that says it charged more',
      async ({ settle }) => ({
        ...text('sunny'),
        _meta: { [META]: { ...(await settle()), amount: '5000' } },
      }),
      'charged_amount',
    ],
  ]),
  ...become(SILENT, [
    ['settles, then never answers', raw(never), 'answer_missing'],
    [
      'settles, then a stream of anything but the result',
      raw(() => openStream(': wait\n\n', event({ jsonrpc: '2.0', id: 'ping', method: 'ping' }))),
      'answer_missing',
    ],
  ]),
  // Not paid.
  ...become(NOT_SETTLED, [
    ['answers and never settles', () => text('sunny'), 'settlement_silent'],
    ['asks again and never settles', ({ askAgain }) => askAgain()],
    ['never answers and never settles', never, undefined, { isSilent: true }],
    [
      'a server that lies about a settlement',
      () => ({
        ...text('sunny'),
        _meta: { [META]: { success: true, transaction: FAKE, network: 'eip155:8453' } },
      }),
      'settlement_missing',
    ],
    [
      'a settlement that failed',
      ({ askAgain }) => {
        const { structuredContent, ...result } = askAgain()
        const failed = { success: false, errorReason: 'facilitator_away', transaction: '' }
        return { ...result, structuredContent: { ...(structuredContent as object), [META]: failed } }
      },
      'settlement_denied',
    ],
  ]),
]
