// What sellers of every kind do once they are paid, and how each such purchase ends.
import type { PurchaseOutcome, PurchaseState } from '../../src/domain/purchases/purchases.ts'
import type { Code } from '../../src/messages/message.ts'
import { DELIVERED, DIFFERS, FAKE, GOOD, NOT_SETTLED, REFUSES, SCHEMA, SILENT } from './sold.ts'

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
const never = () => new Promise<Response>(() => {})

export const MERCHANTS: readonly HostileMerchant[] = [
  // Honest ones.
  { name: 'an honest seller', ...json, paid: selling(GOOD), ...DELIVERED },
  { name: 'an honest seller of version 1', version: 1, ...json, paid: selling(GOOD), ...DELIVERED },
  { name: 'an honest seller by POST', method: 'POST', ...json, paid: selling(GOOD), ...DELIVERED },
  { name: 'one that declares nothing', paid: selling({ anything: 1 }), ...DELIVERED },
  { name: 'one that declares a type alone', mimeType: 'application/json', paid: selling([1]), ...DELIVERED },
  {
    name: 'one that declares an example alone',
    output: { example: { a: 1 } },
    paid: selling({ b: 2 }),
    ...DELIVERED,
  },
  {
    name: 'a seller of text',
    mimeType: 'text/plain',
    paid: selling('sunny', typed('text/plain; charset=utf-8')),
    ...DELIVERED,
  },
  {
    name: 'a seller of pictures',
    mimeType: 'image/png',
    paid: selling(new Uint8Array([137, 80]), typed('image/png')),
    ...DELIVERED,
  },
  { name: 'one that sends JSON as text', ...json, paid: selling(GOOD, typed('text/plain')), ...DELIVERED },
  {
    name: 'one that has more than it declares',
    ...json,
    paid: selling({ ...GOOD, more: true }),
    ...DELIVERED,
  },
  { name: 'one that found nothing in a search', output: { type: 'array' }, paid: selling([]), ...DELIVERED },
  { name: 'one that answers 201', ...json, paid: selling(GOOD, { status: 201 }), ...DELIVERED },
  {
    name: 'one that answers first and settles then, without a word',
    ...json,
    paid: async ({ settle }) => {
      await settle()
      return Response.json(GOOD)
    },
    ...DELIVERED,
    reason: 'settled_on_chain',
  },
  // What is not as declared.
  { name: 'an empty answer', ...json, paid: selling(''), ...DIFFERS, reason: 'answer_empty' },
  { name: 'no content', ...json, paid: selling('', { status: 204 }), ...DIFFERS, reason: 'answer_empty' },
  { name: 'an empty object', paid: selling({}), ...DIFFERS, reason: 'answer_empty' },
  { name: 'null', ...json, paid: selling('null'), ...DIFFERS, reason: 'answer_empty' },
  { name: 'spaces', ...json, paid: selling('  \n '), ...DIFFERS, reason: 'answer_empty' },
  {
    name: 'a missing field',
    ...json,
    paid: selling({ city: 'Tokyo' }),
    ...DIFFERS,
    reason: 'answer_other_schema',
  },
  {
    name: 'a field of another type',
    ...json,
    paid: selling({ ...GOOD, degrees: 'warm' }),
    ...DIFFERS,
    reason: 'answer_other_schema',
  },
  {
    name: 'an error with status 200',
    ...json,
    paid: selling({ error: 'out of stock' }),
    ...DIFFERS,
    reason: 'answer_other_schema',
  },
  {
    name: 'a list in place of an object',
    output: { example: { a: 1 } },
    paid: selling([1]),
    ...DIFFERS,
    reason: 'answer_other_schema',
  },
  {
    name: 'a page in place of JSON',
    ...json,
    paid: selling('<h1>Thanks</h1>', typed('text/html')),
    ...DIFFERS,
    reason: 'answer_other_type',
  },
  {
    name: 'a page that calls itself JSON',
    ...json,
    paid: selling('<h1>Thanks</h1>'),
    ...DIFFERS,
    reason: 'answer_not_json',
  },
  {
    name: 'text in place of a picture',
    mimeType: 'image/png',
    paid: selling('no', typed('text/plain')),
    ...DIFFERS,
    reason: 'answer_other_type',
  },
  {
    name: 'a huge answer that cannot be checked',
    ...json,
    paid: selling(`{"city":"${'x'.repeat(300_000)}"}`),
    ...DIFFERS,
    reason: 'answer_too_large',
  },
  {
    name: 'a huge picture',
    mimeType: 'image/png',
    paid: selling(new Uint8Array(300_000), typed('image/png')),
    ...DELIVERED,
  },
  {
    name: 'an answer without an end',
    ...json,
    paid: async ({ settle, told }) => {
      const headers = { 'content-type': 'application/json', ...told(await settle()) }
      return new Response(endless(new Uint8Array(65_536)), { headers })
    },
    ...DIFFERS,
    reason: 'answer_too_large',
  },
  // Paid, and then nothing.
  {
    name: 'paid, then 401',
    ...json,
    paid: selling({ error: 'key' }, { status: 401 }),
    ...REFUSES,
    reason: 'answer_status',
  },
  { name: 'paid, then 403', ...json, paid: selling({ error: 'region' }, { status: 403 }), ...REFUSES },
  { name: 'paid, then 404', ...json, paid: selling('', { status: 404 }), ...REFUSES },
  { name: 'paid, then 422', ...json, paid: selling({ error: 'days' }, { status: 422 }), ...REFUSES },
  { name: 'paid, then 429', ...json, paid: selling('', { status: 429 }), ...REFUSES },
  { name: 'paid, then 500', ...json, paid: selling('', { status: 500 }), ...REFUSES },
  {
    name: 'paid, then 500 of version 1',
    version: 1,
    ...json,
    paid: selling('', { status: 500 }),
    ...REFUSES,
  },
  {
    name: 'paid, then a redirect elsewhere',
    ...json,
    paid: selling('', { status: 307, headers: { location: 'http://127.0.0.1:9/' } }),
    ...REFUSES,
    reason: 'answer_redirects',
  },
  {
    name: 'paid, then the same 402 again',
    ...json,
    paid: async ({ settle, askAgain }) => {
      await settle()
      return askAgain()
    },
    ...REFUSES,
    reason: 'asked_again',
  },
  {
    name: 'paid, then a higher quote',
    ...json,
    paid: async ({ settle, askAgain }) => {
      await settle()
      return askAgain({ amount: '9000' })
    },
    outcome: 'charged_other',
    state: 'settled',
    reason: 'asked_again',
  },
  {
    name: 'paid, then a quote for another wallet',
    ...json,
    paid: async ({ settle, askAgain }) => {
      await settle()
      return askAgain({ payTo: `0x${'66'.repeat(20)}` })
    },
    outcome: 'charged_other',
    state: 'settled',
    reason: 'asked_for_another',
  },
  {
    name: 'one that says it charged more',
    ...json,
    paid: async ({ settle, told }) =>
      Response.json(GOOD, { headers: told({ ...(await settle()), amount: '5000' }) }),
    outcome: 'charged_other',
    state: 'settled',
    reason: 'charged_amount',
  },
  {
    name: 'settles, then never answers',
    ...json,
    paid: async ({ settle }) => {
      await settle()
      return never()
    },
    ...SILENT,
    reason: 'answer_missing',
  },
  {
    name: 'settles, then stops in the middle of its answer',
    ...json,
    paid: async ({ settle, told }) => {
      const headers = { 'content-type': 'application/json', ...told(await settle()) }
      return new Response(stalled(), { headers })
    },
    ...SILENT,
    reason: 'answer_missing',
  },
  {
    name: 'settles twice',
    ...json,
    paid: async ({ settle, told }) => {
      const first = await settle()
      const second = await settle()
      if (second.success) throw new Error('An authorization was used twice.')
      return Response.json(GOOD, { headers: told(first) })
    },
    ...DELIVERED,
  },
  // Not paid.
  {
    name: 'answers and never settles',
    ...json,
    paid: () => Response.json(GOOD),
    ...NOT_SETTLED,
    reason: 'settlement_silent',
  },
  { name: 'asks again and never settles', ...json, paid: ({ askAgain }) => askAgain(), ...NOT_SETTLED },
  {
    name: 'asks for more and never settles',
    ...json,
    paid: ({ askAgain }) => askAgain({ amount: '9000' }),
    ...NOT_SETTLED,
  },
  { name: 'never answers and never settles', ...json, paid: never, ...NOT_SETTLED, isSilent: true },
  {
    name: 'a facilitator that lies about a settlement',
    ...json,
    paid: ({ told }) =>
      Response.json(GOOD, { headers: told({ success: true, transaction: FAKE, network: 'eip155:8453' }) }),
    ...NOT_SETTLED,
    reason: 'settlement_missing',
  },
  {
    name: 'a facilitator that is away',
    ...json,
    paid: ({ askAgain, told }) => {
      const answer = askAgain()
      const failed = told({ success: false, transaction: '', errorReason: 'facilitator_away' })
      for (const [name, value] of Object.entries(failed)) answer.headers.set(name, value)
      return answer
    },
    ...NOT_SETTLED,
    reason: 'settlement_denied',
  },
  {
    name: 'says that nothing was settled, and has settled',
    ...json,
    paid: async ({ settle, told, askAgain }) => {
      await settle()
      const answer = askAgain()
      const lie = told({ success: false, transaction: '', errorReason: 'insufficient_funds' })
      for (const [name, value] of Object.entries(lie)) answer.headers.set(name, value)
      return answer
    },
    ...REFUSES,
    reason: 'settlement_denied',
  },
  {
    name: 'a settlement header that is no JSON',
    ...json,
    paid: () => Response.json(GOOD, { headers: { 'payment-response': '%%%' } }),
    ...NOT_SETTLED,
  },
]
