// What sellers of every kind do once they are paid, and how each such purchase ends.
import type { PurchaseOutcome, PurchaseState } from '../../src/domain/purchases/purchases.ts'
import type { Code } from '../../src/messages/message.ts'
import { DELIVERED, DIFFERS, FAKE, GOOD, NOT_SETTLED, OTHER, REFUSES, SCHEMA, SILENT } from './sold.ts'

export type Settled = {
  readonly success: boolean
  readonly transaction: string
  readonly errorReason?: string
}

export type Paid = {
  /** Hands the payment in; what the facilitator says. */
  settle(): Promise<Settled>
  /** The header that tells a settlement. */
  told(settled: object): Record<string, string>
  /** Asks for money once more. */
  askAgain(terms?: object): Response
}

export type HostileMerchant = {
  readonly name: string
  readonly version?: 1 | 2
  readonly method?: 'GET' | 'POST'
  /** Overrides of its way to pay. */
  readonly terms?: object
  readonly output?: Readonly<Record<string, unknown>>
  readonly mimeType?: string
  readonly paid: (paid: Paid) => Response | Promise<Response>
  readonly outcome: PurchaseOutcome | null
  /** Once the chain has been asked after the authorization has expired. */
  readonly state?: PurchaseState
  readonly reason?: Code
  /** No answer comes, so that none is waited for. */
  readonly isSilent?: true
}

const picture = { mimeType: 'image/png' }
const json = { output: SCHEMA, mimeType: 'application/json' }

/** Settles, says so, and answers with this. */
const selling =
  (body: unknown, init: ResponseInit = {}) =>
  async ({ settle, told }: Paid) => {
    const headers = {
      'content-type': 'application/json',
      ...told(await settle()),
      ...(init.headers as object),
    }
    const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    return new Response(text as never, { ...init, headers })
  }

const typed = (type: string) => ({ headers: { 'content-type': type } })

/** Answers before the body is whole, and never ends it. */
const endless = (chunk: Uint8Array) => new ReadableStream({ pull: controller => controller.enqueue(chunk) })
const stalled = () =>
  new ReadableStream({ start: controller => controller.enqueue(new TextEncoder().encode('{')) })
/** Settles, and asks for money once more. */
const askingAgain =
  (terms?: object) =>
  async ({ settle, askAgain }: Paid) => {
    await settle()
    return askAgain(terms)
  }
const never = () => new Promise<Response>(() => {})

type Row = readonly [
  name: string,
  paid: HostileMerchant['paid'],
  reason?: Code | undefined,
  /** Where it is not the usual. */
  terms?: Partial<HostileMerchant>,
]
const become = (what: Pick<HostileMerchant, 'outcome' | 'state' | 'isSilent'>, rows: readonly Row[]) =>
  rows.map(
    ([name, paid, reason, terms = json]): HostileMerchant => ({
      ...{ name, paid, ...what, ...(reason && { reason }), ...terms },
    }),
  )

export const MERCHANTS: readonly HostileMerchant[] = [
  // Honest ones.
  ...become(DELIVERED, [
    ['an honest seller', selling(GOOD)],
    ['an honest seller of version 1', selling(GOOD), undefined, { version: 1, ...json }],
    ['an honest seller by POST', selling(GOOD), undefined, { method: 'POST', ...json }],
    ['one that declares nothing', selling({ anything: 1 }), undefined, {}],
    ['one that declares a type alone', selling([1]), undefined, { mimeType: 'application/json' }],
    ['one that declares an example alone', selling({ b: 2 }), undefined, { output: { example: { a: 1 } } }],
    [
      'a seller of text',
      selling('sunny', typed('text/plain; charset=utf-8')),
      undefined,
      { mimeType: 'text/plain' },
    ],
    ['a seller of pictures', selling(new Uint8Array([137, 80]), typed('image/png')), undefined, picture],
    ['one that sends JSON as text', selling(GOOD, typed('text/plain'))],
    ['one that has more than it declares', selling({ ...GOOD, more: true })],
    ['one that found nothing in a search', selling([]), undefined, { output: { type: 'array' } }],
    ['one that answers 201', selling(GOOD, { status: 201 })],
    [
      'one that answers first and settles then, without a word',
      async ({ settle }) => {
        await settle()
        return Response.json(GOOD)
      },
      'settled_on_chain',
    ],
  ]),
  // What is not as declared.
  ...become(DIFFERS, [
    ['an empty answer', selling(''), 'answer_empty'],
    ['no content', selling('', { status: 204 }), 'answer_empty'],
    ['an empty object', selling({}), 'answer_empty', {}],
    ['null', selling('null'), 'answer_empty'],
    ['spaces', selling('  \n '), 'answer_empty'],
    ['a missing field', selling({ city: 'Tokyo' }), 'answer_other_schema'],
    ['a field of another type', selling({ ...GOOD, degrees: 'warm' }), 'answer_other_schema'],
    ['an error with status 200', selling({ error: 'out of stock' }), 'answer_other_schema'],
    ['a list in place of an object', selling([1]), 'answer_other_schema', { output: { example: { a: 1 } } }],
    ['a page in place of JSON', selling('<h1>Thanks</h1>', typed('text/html')), 'answer_other_type'],
    ['a page that calls itself JSON', selling('<h1>Thanks</h1>'), 'answer_not_json'],
    ['text in place of a picture', selling('no', typed('text/plain')), 'answer_other_type', picture],
    [
      'a huge answer that cannot be checked',
      selling(`{"city":"${'x'.repeat(300_000)}"}`),
      'answer_too_large',
    ],
    [
      'a huge picture',
      selling(new Uint8Array(300_000), typed('image/png')),
      undefined,
      { ...picture, ...DELIVERED },
    ],
    [
      'an answer without an end',
      async ({ settle, told }) => {
        const headers = { 'content-type': 'application/json', ...told(await settle()) }
        return new Response(endless(new Uint8Array(65_536)), { headers })
      },
      'answer_too_large',
    ],
  ]),
  // Paid, and then nothing.
  ...become(REFUSES, [
    ['paid, then 401', selling({ error: 'key' }, { status: 401 }), 'answer_status'],
    ['paid, then 403', selling({ error: 'region' }, { status: 403 })],
    ['paid, then 404', selling('', { status: 404 })],
    ['paid, then 422', selling({ error: 'days' }, { status: 422 })],
    ['paid, then 429', selling('', { status: 429 })],
    ['paid, then 500', selling('', { status: 500 })],
    ['paid, then 500 of version 1', selling('', { status: 500 }), undefined, { version: 1, ...json }],
    [
      'paid, then a redirect elsewhere',
      selling('', { status: 307, headers: { location: 'http://127.0.0.1:9/' } }),
      'answer_redirects',
    ],
    ['paid, then the same 402 again', askingAgain(), 'asked_again'],
  ]),
  ...become(OTHER, [
    ['paid, then a higher quote', askingAgain({ amount: '9000' }), 'asked_again'],
    [
      'paid, then a quote for another wallet',
      askingAgain({ payTo: `0x${'66'.repeat(20)}` }),
      'asked_for_another',
    ],
    [
      'one that says it charged more',
      async ({ settle, told }) =>
        Response.json(GOOD, { headers: told({ ...(await settle()), amount: '5000' }) }),
      'charged_amount',
    ],
  ]),
  ...become(SILENT, [
    ['settles, then never answers', async ({ settle }) => settle().then(never), 'answer_missing'],
    [
      'settles, then stops in the middle of its answer',
      async ({ settle, told }) => {
        const headers = { 'content-type': 'application/json', ...told(await settle()) }
        return new Response(stalled(), { headers })
      },
      'answer_missing',
    ],
  ]),
  ...become(DELIVERED, [
    [
      'settles twice',
      async ({ settle, told }) => {
        const first = await settle()
        const second = await settle()
        if (second.success) throw new Error('An authorization was used twice.')
        return Response.json(GOOD, { headers: told(first) })
      },
    ],
  ]),
  // Not paid.
  ...become(NOT_SETTLED, [
    ['answers and never settles', () => Response.json(GOOD), 'settlement_silent'],
    ['asks again and never settles', ({ askAgain }) => askAgain()],
    ['asks for more and never settles', ({ askAgain }) => askAgain({ amount: '9000' })],
    ['never answers and never settles', never, undefined, { ...json, isSilent: true }],
    [
      'a facilitator that lies about a settlement',
      ({ told }) =>
        Response.json(GOOD, { headers: told({ success: true, transaction: FAKE, network: 'eip155:8453' }) }),
      'settlement_missing',
    ],
    [
      'a facilitator that is away',
      ({ askAgain, told }) => {
        const answer = askAgain()
        const failed = told({ success: false, transaction: '', errorReason: 'facilitator_away' })
        for (const [name, value] of Object.entries(failed)) answer.headers.set(name, value)
        return answer
      },
      'settlement_denied',
    ],
    [
      'says that nothing was settled, and has settled',
      async ({ settle, told, askAgain }) => {
        await settle()
        const answer = askAgain()
        const lie = told({ success: false, transaction: '', errorReason: 'insufficient_funds' })
        for (const [name, value] of Object.entries(lie)) answer.headers.set(name, value)
        return answer
      },
      'settlement_denied',
      { ...json, ...REFUSES },
    ],
    [
      'a settlement header that is no JSON',
      () => Response.json(GOOD, { headers: { 'payment-response': '%%%' } }),
    ],
  ]),
]
