// Merchants that ask by MPP, alone or beside x402: made with the official package where it can make them, served byte by byte, and asked by
// the real prober. A client that knows both often takes MPP, so each of its charges is judged like a payment option of x402.
import { describe, expect, test } from 'bun:test'
import { Challenge, Mcp } from 'mppx'
import { assets, Methods as evmMethods } from 'mppx/evm'
import { evm, Mppx, stripe, tempo } from 'mppx/server'
import { Methods as tempoMethods } from 'mppx/tempo'
import { type Rates, readRates } from '../../src/domain/money/rates.ts'
import type { Conclusion, Target } from '../../src/probe/conclude.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { openHostile } from './hostile.ts'
import { listing, onBase, PAYEE, SIGNABLE, SOLANA_PAYEE, STRANGER, USDC_ON_BASE } from './merchant.ts'

const probe = createProbe({
  fetch: createSafeFetch({ allowPrivate: true }),
  userAgent: 'Shirube-Prober/1',
  random: () => 1,
})

const USDC_ON_TEMPO = '0x20C000000000000000000000b9537d11c60E8b50'
const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const onTempo = { ...listing, network: 'tempo' }
const onSolana = { ...listing, paymentAddress: SOLANA_PAYEE, network: 'solana' }

type Line = readonly [name: string, value: string]
type Answer = { readonly lines: readonly Line[]; readonly body?: string; readonly status?: string }
/** By the body of the request: a server over MCP answers each message otherwise. */
type Merchant = readonly Line[] | Answer | ((request: string) => Answer)

const settings = { realm: 'weather.test', secretKey: 'a secret of at least thirty-two bytes' }
const bound = { id: 'kM9xPqWvT2nJrHsY4aDfEb', realm: 'weather.test' }

/** The 402 of a server of the official package, line by line. */
async function answerOf(handle: (request: Request) => Promise<unknown>): Promise<Answer> {
  const result = (await handle(new Request('https://weather.test/v1'))) as { challenge: Response }
  const lines = [...result.challenge.headers].filter(([name]) => name !== 'content-length')
  return { lines, body: await result.challenge.text() }
}

const evmServer = (options: object = {}) =>
  evm.charge({
    currency: assets.base.USDC,
    recipient: PAYEE,
    settle: async () => ({ reference: '0x1' }),
    ...options,
  } as never)
const tempoServer = tempo.charge({ recipient: PAYEE, currency: USDC_ON_TEMPO, chainId: 4217 } as never)
const stripeServer = stripe.charge({
  secretKey: 'sk_test_1',
  networkId: 'profile_1',
  paymentMethodTypes: ['card'],
  currency: 'usd',
  decimals: 2,
} as never)
// biome-ignore lint/suspicious/noExplicitAny: the types of the package name the options of each method, which tests mix.
const serverOf = (...methods: readonly unknown[]): any => Mppx.create({ ...settings, methods } as never)

const pay = (challenge: string): Line => ['WWW-Authenticate', challenge]
const serialize = (challenge: unknown) => Challenge.serialize(challenge as Challenge.Challenge)
/** Validated by the official package. */
const byEvm = (request: object = {}) =>
  serialize(
    Challenge.fromMethod(evmMethods.charge, {
      ...bound,
      request: {
        amount: '0.0025',
        chainId: 8453,
        currency: USDC_ON_BASE,
        decimals: 6,
        recipient: PAYEE,
        ...request,
      },
    } as never),
  )
const byTempo = (request: object = {}, more: object = {}) =>
  serialize(
    Challenge.fromMethod(tempoMethods.charge, {
      ...bound,
      ...more,
      request: {
        amount: '0.0025',
        chainId: 4217,
        currency: USDC_ON_TEMPO,
        decimals: 6,
        recipient: PAYEE,
        ...request,
      },
    } as never),
  )
/** Whatever its request says. */
const by = (method: string, request: object, intent = 'charge') =>
  serialize(Challenge.from({ ...bound, method, intent, request } as never))
const request = { amount: '2500', currency: USDC_ON_BASE, recipient: PAYEE, methodDetails: { chainId: 8453 } }
const solana = {
  amount: '2500',
  currency: USDC_ON_SOLANA,
  recipient: SOLANA_PAYEE,
  methodDetails: { network: 'mainnet', decimals: 6 },
}
const session = by(
  'tempo',
  { amount: '25', currency: USDC_ON_TEMPO, recipient: STRANGER, unitType: 'token' },
  'session',
)
/** With a request that no package would write. */
const raw = (text: string, parameters = 'method="evm", intent="charge"') =>
  `Payment id="1", realm="weather.test", ${parameters}, request="${Buffer.from(text).toString('base64url')}"`

const honestX402 = JSON.stringify({
  x402Version: 2,
  resource: { url: 'https://weather.test/v1' },
  accepts: [{ ...onBase, extra: SIGNABLE }],
})
const x402: Line = ['PAYMENT-REQUIRED', Buffer.from(honestX402).toString('base64')]
const thief = byEvm({ amount: '1.125', recipient: STRANGER })
const splits = (...amounts: readonly string[]) =>
  amounts.map((amount, i) => ({ amount, recipient: `0x${`${i + 3}`.padStart(2, '2').repeat(20)}` }))

/** A server over MCP that answers a call of its tool like this. */
const overMcp =
  (reply: object): Merchant =>
  sent => {
    const { id, method } = JSON.parse(sent || '{}') as { id?: number; method?: string }
    const result =
      method === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } }
        : { tools: [{ name: 'forecast', description: 'Paid', inputSchema: { type: 'object' } }] }
    if (id === undefined) return { status: '202 Accepted', lines: [] }
    const message = { jsonrpc: '2.0', id, ...(method === 'tools/call' ? reply : { result }) }
    return { status: '200 OK', lines: [['content-type', 'application/json']], body: JSON.stringify(message) }
  }
const asError = (recipient: string) => ({
  error: {
    code: Mcp.paymentRequiredCode,
    message: 'Payment Required',
    data: {
      httpStatus: 402,
      challenges: [{ ...bound, method: 'evm', intent: 'charge', request: { ...request, recipient } }],
    },
  },
})
const asMeta = { result: { content: [], _meta: { [Mcp.paymentRequiredMetaKey]: asError(PAYEE).error.data } } }

/** Names a paid operation below the endpoint, where alone it asks. */
const documented: Merchant = sent =>
  sent.startsWith('GET /openapi.json')
    ? {
        status: '200 OK',
        lines: [['content-type', 'application/json']],
        body: JSON.stringify({
          openapi: '3.1.0',
          info: { title: 'Weather', version: '1' },
          'x-service-info': { categories: ['data'] },
          paths: {
            '/v1/forecast': {
              get: {
                'x-payment-info': {
                  offers: [
                    { intent: 'charge', method: 'tempo', amount: '2500', currency: USDC_ON_TEMPO },
                    { intent: 'charge', method: 'stripe', amount: null, currency: 'usd' },
                  ],
                },
                responses: { 402: { description: 'Payment Required' } },
              },
            },
          },
        }),
      }
    : sent.startsWith('GET /v1/forecast')
      ? { lines: [pay(byTempo())] }
      : { status: '404 Not Found', lines: [] }

async function outcomeOf(merchant: Merchant, claims: Partial<Target>, path = '/v1'): Promise<Conclusion> {
  await using server = await openHostile((socket, sent) => {
    const isMcp = path === '/mcp'
    const asked = isMcp ? sent.slice(sent.indexOf('\r\n\r\n') + 4) : sent
    const answer = typeof merchant === 'function' ? merchant(asked) : merchant
    const {
      status = '402 Payment Required',
      lines,
      body = '',
    } = 'lines' in answer ? answer : { lines: answer }
    const head = lines.map(([name, value]) => `${name}: ${value}`)
    const length = `content-length: ${Buffer.byteLength(body)}`
    socket.end([`HTTP/1.1 ${status}`, length, ...head, '', body].join('\r\n'))
  })
  return await probe({
    ...listing,
    ...claims,
    endpoint: `${server.url.slice(0, -1)}${path}`,
    hasNoTerms: true,
  })
}

const codesOf = ({ reasons }: Conclusion) => reasons.map(({ code }) => code)

const beside = (challenge: string) => () => [x402, pay(challenge)]
const alone = (challenge: string) => () => [pay(challenge)]

type Case = readonly [
  behaviour: string,
  merchant: () => Merchant | Promise<Merchant>,
  claims?: Partial<Target> | undefined,
  path?: string | undefined,
]

const HONEST: readonly Case[] = [
  ['evm, by a server of the package', () => answerOf(serverOf(evmServer()).charge({ amount: '0.0025' }))],
  [
    'tempo, by a server of the package',
    () => answerOf(serverOf(tempoServer).charge({ amount: '0.0025' })),
    onTempo,
  ],
  [
    'tempo and Stripe, by a server of the package',
    () => {
      const server = serverOf(tempoServer, stripeServer)
      const offers = [tempoServer, stripeServer].map(method => [method, { amount: '0.05' }])
      return answerOf(server.compose(...offers))
    },
    { ...onTempo, pricing: { currency: 'USDC', pricePerRequest: '0.05' } },
  ],
  [
    'evm and x402 on one 402, by a server of the package',
    () =>
      answerOf(
        serverOf(
          evmServer({
            x402: { facilitator: 'https://facilitator.test', resource: 'https://weather.test/v1' },
          }),
        ).charge({ amount: '0.0025' }),
      ),
  ],
  ['evm beside x402', () => ({ lines: [x402, pay(byEvm())], body: '{}' })],
  ['less than listed', alone(byEvm({ amount: '0.001' }))],
  ['an address in lower case', alone(by('evm', { ...request, currency: USDC_ON_BASE.toLowerCase() }))],
  ['solana', alone(by('solana', solana)), onSolana],
  ['solana without a network', alone(by('solana', { ...solana, methodDetails: { decimals: 6 } })), onSolana],
  ['two challenges on two lines', () => [pay(byTempo()), pay(byEvm())]],
  ['two challenges on one line', alone(`${byTempo()}, ${byEvm()}`)],
  [
    'other schemes before, between and after',
    alone(`Bearer realm="a, b", error="x", ${byTempo()}, Negotiate YII==, ${byEvm()}, Basic realm="c"`),
  ],
  [
    'commas, quotes and other scripts in its description',
    alone(byTempo({}, { description: 'A "dry", Payment-free day — 東京' })),
    onTempo,
  ],
  [
    'parameters without quotes, and the scheme in small letters',
    alone(byEvm().replace('Payment', 'payment').replaceAll('"', '')),
  ],
  ['a split of a tenth', alone(byTempo({ splits: splits('0.00025') })), onTempo],
  [
    'splits to the listed address',
    alone(byTempo({ splits: [{ amount: '0.002', recipient: PAYEE }] })),
    onTempo,
  ],
  ['a session of somebody else beside it', () => [pay(session), pay(byEvm())]],
  [
    'a subscription that cannot be read beside it',
    () => [pay(byEvm()), pay(raw('{', 'method="tempo", intent="subscription"'))],
  ],
  ['play money of somebody else', beside(byEvm({ chainId: 84532, recipient: STRANGER }))],
  [
    'a card at the listed price',
    () => [pay(byEvm({ amount: '0.05' })), pay(by('card', { amount: '5', currency: 'usd' }))],
    { pricing: { currency: 'USDC', pricePerRequest: '0.05' } },
  ],
  ['Lightning beside x402', beside(by('lightning', { amount: '9', currency: 'sat' }))],
  ['over MCP, as an error', () => overMcp(asError(PAYEE)), {}, '/mcp'],
  ['over MCP, in the metadata of a result', () => overMcp(asMeta), {}, '/mcp'],
  ['a resource that OpenAPI names with its offers', () => documented, onTempo],
]

const told = (code: string, rows: readonly Case[]) =>
  rows.map(([behaviour, merchant, claims, path]) => [behaviour, merchant, code, claims, path] as const)
const HOSTILE: readonly (readonly [Case[0], Case[1], code: string, Case[2]?, Case[3]?])[] = [
  ...told('other_payees', [
    ['450 times as much for another wallet, beside x402 as listed', beside(thief)],
    ['another wallet as the second of a line', alone(`${byEvm()}, ${thief}`)],
    ['another wallet on the second line', () => [pay(byEvm()), pay(thief)]],
    ['another wallet on another chain of its key', beside(byTempo({ recipient: STRANGER }))],
    [
      'another wallet on Solana',
      () => [pay(by('solana', solana)), pay(by('solana', { ...solana, recipient: USDC_ON_SOLANA }))],
      onSolana,
    ],
    ['another wallet, its intent in capitals', beside(thief.replace('charge', 'CHARGE'))],
    ['another wallet by a method that nobody knows', beside(by('usdc', { ...request, recipient: STRANGER }))],
    [
      'another wallet for clients that say what they can pay, as those of the package do',
      () => sent => ({ lines: /^accept-payment: /im.test(sent) ? [x402, pay(thief)] : [x402] }),
    ],
    ['a split of more than a tenth', alone(byTempo({ splits: splits('0.000251') })), onTempo],
    [
      'ten small splits that are most of it',
      alone(byTempo({ splits: splits(...Array(10).fill('0.00024')) })),
      onTempo,
    ],
  ]),
  ['450 times as much, beside x402 as listed', beside(byEvm({ amount: '1.125' })), 'asks_more'],
  ['a card that costs more', beside(by('stripe', { amount: '50', currency: 'usd' })), 'asks_more'],
  ['another wallet alone', alone(byEvm({ recipient: STRANGER })), 'other_address'],
  ['another wallet over MCP', () => overMcp(asError(STRANGER)), 'other_address', {}, '/mcp'],
  [
    'a card that costs more in another currency',
    beside(by('stripe', { amount: '50', currency: 'gbp' })),
    'asks_more_by_rates',
    { rates: readRates({ base: 'USD', date: '2026-11-16', rates: { GBP: 0.79 } }) as Rates },
  ],
  ...told('challenge_unreadable', [
    [
      'splits of the whole amount',
      alone(
        by('evm', {
          ...request,
          methodDetails: { chainId: 8453, splits: [{ amount: '2500', recipient: STRANGER }] },
        }),
      ),
    ],
    [
      'eleven splits',
      alone(
        by('evm', {
          ...request,
          methodDetails: { chainId: 8453, splits: Array(11).fill({ amount: '1', recipient: PAYEE }) },
        }),
      ),
    ],
    ['a method with the name of a chain', alone(by('base', request))],
  ]),
  ...told('way_unreadable', [
    ['a request that is no JSON', beside(raw('{"amount":'))],
    ['a request that is no base64', beside(byEvm().replace(/request="[^"]{9}/, '$& '))],
    [
      'two recipients in one request',
      beside(
        raw(`${JSON.stringify({ ...request, recipient: STRANGER }).slice(0, -1)},"recipient":"${PAYEE}"}`),
      ),
    ],
    ['a recipient in capitals for lenient clients', beside(by('evm', { ...request, Recipient: STRANGER }))],
    ['a request of more than 16 KiB', beside(by('evm', { ...request, description: 'x'.repeat(17_000) }))],
    ['no chain', beside(byTempo({ chainId: undefined }))],
    [
      'a chain that clients read differently',
      beside(by('evm', { ...request, recipient: STRANGER, methodDetails: { chainId: '8453_2' } })),
    ],
    ['whole units', beside(by('evm', { ...request, amount: '0.0025' }))],
    ['no recipient', beside(by('evm', { ...request, recipient: undefined }))],
    ['no id', beside(thief.replace(/id="[^"]+"/, 'id=""'))],
    ['a parameter twice', beside(`${byEvm()}, request="${/request="([^"]+)"/.exec(thief)![1]}"`)],
    ['a quote that never ends', beside(`${thief}, description="`)],
    [
      'behind an open quote of the line before, for clients that read line by line',
      () => [
        x402,
        pay('Basic realm="a'),
        pay(`${thief.replaceAll('"', '').replace(/id=[^,]+/, 'id=", b="')}, z="`),
      ],
    ],
  ]),
  ['101 challenges', () => Array.from({ length: 101 }, () => pay(byEvm())), 'too_many_ways'],
  ['nothing but a session', alone(session), 'no_terms'],
]

describe('honest', () => {
  test.each(HONEST)('%s', async (_, merchant, claims = {}, path = undefined) => {
    const outcome = await outcomeOf(await merchant(), claims, path)
    expect({ outcome: outcome.outcome, codes: codesOf(outcome) }).toMatchObject({ outcome: 'payable' })
    expect(outcome.payments.length).toBeGreaterThan(0)
  })
})

describe('hostile', () => {
  test.each(HOSTILE)('%s', async (_, merchant, code, claims = {}, path = undefined) => {
    const outcome = await outcomeOf(await merchant(), claims, path)
    expect(outcome.outcome).toBe(
      code.startsWith('other') || code.startsWith('asks_more') ? 'mismatched' : 'unpayable',
    )
    expect(codesOf(outcome) as string[]).toContain(code)
  })
})
