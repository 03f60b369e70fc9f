// The guard before the official client: what is as listed and seen is paid, and of everything else nothing is signed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { dirname } from 'node:path'
import { wrapAxiosWithPayment } from '@x402/axios'
import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { ExactEvmSchemeV1 } from '@x402/evm/v1'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { DirectoryError } from '../../src/domain/errors.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { parseResolveQuery } from '../../src/domain/resolve/resolution.ts'
import type { Seen } from '../../src/domain/terms/terms.ts'
import { direct, type GuardOptions, guard, type Question } from '../../src/http/client/guard.ts'
import { entry } from '../entries.ts'

const PAYEE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const EURC = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42'
const account = privateKeyToAccount(`0x${'1'.repeat(64)}`)
const NOW = new Date()
const DAY_MS = 86_400_000

type Terms = Record<string, unknown>
/** Seen since the first, and arrived lately. */
const SOLANA_PAYEES = [
  '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
  '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
]
const ON_SOLANA = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
}
const USDC_ON_POLYGON = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const THIEF = `0x${'2'.repeat(40)}`
const COIN = { name: 'USD Coin', version: '2' }
const DEPOSIT = { ...COIN, receiverAuthorizer: THIEF, minDeposit: '5000000', withdrawDelay: 2_592_000 }
const FEE = {
  ...{ ...COIN, captureAuthorizer: THIEF, feeRecipient: THIEF, minFeeBps: 10_000, maxFeeBps: 10_000 },
  ...{ captureDeadline: 4_000_000_000, refundDeadline: 4_000_000_000 },
}
const AS_LISTED: Terms = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '2500',
  asset: USDC,
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  extra: { ...COIN, facilitatorAddress: PAYEE },
}
type Answer = { version?: 1 | 2; terms?: Terms; beside?: Terms; claims?: string; to?: string }

/** Asks for whatever the test says, and knows whether it was paid. */
let answer: Answer = {}
let isPaid = false
const ask402 = (request: Request): Response => {
  const url = new URL(request.url)
  if (request.headers.has('payment-signature') || request.headers.has('x-payment')) {
    isPaid = true
    return new Response('paid')
  }
  if (answer.to !== undefined && url.pathname === '/v1/moved') return Response.redirect(answer.to, 307)
  const { version = 2, terms = {}, beside = {}, claims = request.url } = answer
  const { amount, ...way } = { ...AS_LISTED, ...terms }
  if (version === 1) {
    const old = { network: terms.network ?? 'base', maxAmountRequired: amount, resource: claims }
    const accepts = [{ ...way, ...old, description: '', mimeType: '', ...beside }]
    return Response.json({ x402Version: 1, accepts, error: '' }, { status: 402 })
  }
  const required = { x402Version: 2, resource: { url: claims }, accepts: [{ ...way, amount, ...beside }] }
  return Response.json({}, { status: 402, headers: { 'payment-required': btoa(JSON.stringify(required)) } })
}

const catalog = new Catalog()
const merchant = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: ask402 })
const stranger = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: ask402 })
const directory = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    try {
      const query = parseResolveQuery(Object.fromEntries(new URL(request.url).searchParams))
      return new Response(catalog.resolve(query, NOW).bytes.slice(), {
        headers: { 'content-type': 'application/json' },
      })
    } catch (error) {
      const { code, message: detail } = error as DirectoryError
      const headers = { 'content-type': 'application/problem+json' }
      return Response.json({ code, detail, status: 400 }, { status: 400, headers })
    }
  },
})
const at = (server: { port: number | undefined }) => `http://127.0.0.1:${server.port}`
const [HERE, ELSEWHERE] = [at(merchant), at(stranger)]
const options: GuardOptions = { directory: at(directory) }

beforeAll(() => {
  const endpoint = `${HERE}/v1`
  const way = (more: object = {}) => ({
    ...{ scheme: 'exact', chain: 'eip155:8453', asset: USDC, amount: '2500', payTo: PAYEE, ...more },
  })
  const offer = (name: string, ...ways: ReturnType<typeof way>[]) => ({
    ...{ url: `${endpoint}/${name}`, method: 'GET' as const, ways },
  })
  const onSolana = { chain: ON_SOLANA.network, asset: ON_SOLANA.asset }
  const seen: Seen = {
    at: NOW.toISOString(),
    price: 'same',
    asks: { amount: '0.0025', currency: 'USDC' },
    resources: [
      offer('weather', way()),
      offer('schemes', way({ scheme: 'batch-settlement' }), way({ scheme: 'auth-capture' })),
      offer(
        'chains',
        way(),
        way({ chain: 'eip155:137', asset: USDC_ON_POLYGON, payTo: THIEF }),
        way({ asset: EURC, amount: '900000000' }),
        way({ ...onSolana, payTo: SOLANA_PAYEES[0]! }),
        way({
          ...onSolana,
          payTo: SOLANA_PAYEES[1]!,
          since: new Date(NOW.getTime() - 2 * DAY_MS).toISOString(),
        }),
      ),
    ],
  }
  const draft = {
    endpoint,
    pricing: { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 0 },
    x402Config: { paymentAddress: PAYEE, network: 'base' },
  }
  const listed = { ...entry(draft, { standing: { status: 'verified' } }), seen } as Entry
  const other = entry({ ...draft, endpoint: `${HERE}/other` }, {})
  catalog.apply(
    [listed, other].map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })),
  )
})
afterAll(() => Promise.all([merchant, stranger, directory].map(server => server.stop(true))))

const createClient = () =>
  new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    .register('eip155:*', new UptoEvmScheme(account))
    .register('eip155:*', new BatchSettlementEvmScheme(account as never))
    .register('eip155:*', new AuthCaptureEvmScheme(account))
    .registerV1('base', new ExactEvmSchemeV1(account))
    .registerV1('polygon', new ExactEvmSchemeV1(account))
    .setSpendControls(false)

/** Whether it was paid, and what the client said where it was not. */
async function call(
  given: Answer & { path?: string; host?: string },
  guarded: Partial<GuardOptions> = {},
  send: typeof direct = direct,
) {
  const { path = '/v1/weather', host = HERE, ...asked } = given
  answer = asked
  isPaid = false
  const client = guard(new x402HTTPClient(createClient()), { ...options, ...guarded })
  const said = await wrapFetchWithPayment(
    send(fetch),
    client,
  )(`${host}${path}`).then(
    response => `answered ${response.status}`,
    (error: Error) => error.message,
  )
  return { isPaid, said }
}

describe('a payment that matches the listing and the terms seen', () => {
  test.each<[string, Answer & { path?: string }]>([
    ['of version 2', {}],
    ['of version 1', { version: 1 }],
    ['at another resource below the endpoint', { path: '/v1/tides?harbour=7' }],
    ['of less', { terms: { amount: '1' } }],
    [
      'in another spelling of the address',
      { terms: { payTo: PAYEE.toLowerCase(), asset: USDC.toLowerCase() } },
    ],
    ['that says it is elsewhere, and is not', { claims: 'https://elsewhere.example/' }],
  ])('%s is made', async (_, given) => {
    expect(await call(given)).toEqual({ isPaid: true, said: 'answered 200' })
  })
})

const other = (digit: string) => `0x${digit.repeat(40)}`
const mistyped = [`${PAYEE.slice(0, 41)}0`, `0x6${PAYEE.slice(3)}`]
const payees = [other('2'), other('0'), ...mistyped, USDC, EURC, account.address]
const amounts = ['2501', '25000', '2500000000', '9'.repeat(60), '3000', '2600', '10000']
const assets = [EURC, other('3'), PAYEE, '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA', other('0')]
const networks = ['eip155:1', 'eip155:137', 'eip155:84532', 'eip155:10', 'eip155:8454', 'eip155:845']
const paths = [
  ...'/ /v2/weather /v10/weather /v1.evil/weather /V1/weather /v1%2fweather /other/weather'.split(' '),
  ...'/v1/%2e%2e/admin /weather /v1/../v2'.split(' '),
]

const MUTATIONS: (readonly [string, Answer & { path?: string; host?: string }])[] = [
  ...payees.map(payTo => [`payee ${payTo}`, { terms: { payTo } }] as const),
  ...payees.map(payTo => [`payee ${payTo}, version 1`, { version: 1, terms: { payTo } }] as const),
  ...amounts.map(amount => [`amount ${amount}`, { terms: { amount } }] as const),
  ...amounts.slice(0, 4).map(amount => [`${amount}, version 1`, { version: 1, terms: { amount } }] as const),
  ...assets.map(asset => [`asset ${asset}`, { terms: { asset } }] as const),
  ...networks.map(network => [`network ${network}`, { terms: { network } }] as const),
  ['network polygon, version 1', { version: 1, terms: { network: 'polygon' } }],
  [
    'less in the words of version 2 beside version 1',
    { version: 1, terms: { amount: '2500000' }, beside: { amount: '2500' } },
  ],
  [
    'less in the words of version 1 beside version 2',
    { terms: { amount: '2500000' }, beside: { maxAmountRequired: '2500' } },
  ],
  ['scheme upto', { terms: { scheme: 'upto' } }],
  ['scheme upto with more', { terms: { scheme: 'upto', amount: '5000' } }],
  ...paths.map(path => [`path ${path}`, { path }] as const),
  ['host by another name', { host: HERE.replace('127.0.0.1', 'localhost') }],
  ['another port', { host: ELSEWHERE }],
  ['another port that says it is the listed place', { host: ELSEWHERE, claims: `${HERE}/v1/weather` }],
  ['redirect to a stranger', { path: '/v1/moved', to: `${ELSEWHERE}/v1/weather` }],
  [
    'redirect to a stranger that says it is the listed place',
    { path: '/v1/moved', to: `${ELSEWHERE}/x`, claims: `${HERE}/v1/weather` },
  ],
  ['redirect to a listing that is not verified', { path: '/v1/moved', to: `${HERE}/other/x` }],
  ['redirect to a place beside the endpoint', { path: '/v1/moved', to: `${HERE}/v2/x` }],
  [
    'redirect of a stranger to the listed place',
    { host: ELSEWHERE, path: '/v1/moved', to: `${HERE}/v1/weather` },
  ],
  ['redirect within the listed place', { path: '/v1/moved', to: `${HERE}/v1/weather` }],
  ['redirect and another payee', { path: '/v1/moved', to: `${HERE}/v1/x`, terms: { payTo: other('8') } }],
  ['payee and amount', { terms: { payTo: other('9'), amount: '1' } }],
  ['asset and payee', { terms: { asset: EURC, payTo: other('9') } }],
  ['network and asset', { terms: { network: 'eip155:137', asset: USDC_ON_POLYGON } }],
  ['an amount that is no number', { terms: { amount: '0x9c4' } }],
  ['an amount of dollars', { terms: { amount: '0.0025' } }],
  ['no amount', { terms: { amount: '' } }],
]

describe(`${MUTATIONS.length} payments that are not`, () => {
  test.each(MUTATIONS)('%s is not made', async (_, given) => {
    const { isPaid, said } = await call(given)
    expect(isPaid).toBe(false)
    expect(said).toMatch(/Failed to create payment payload|Failed to parse|redirects to/)
  })

  test.each(MUTATIONS)('%s is not made with a fetch that is not direct', async (_, given) => {
    expect(await call(given, {}, plain => plain)).toMatchObject({ isPaid: false })
  })

  test('are what a client without the guard would pay, nearly all', async () => {
    let paid = 0
    for (const [, { path = '/v1/weather', host = HERE, ...asked }] of MUTATIONS) {
      answer = asked
      isPaid = false
      await wrapFetchWithPayment(fetch, createClient())(`${host}${path}`).catch(() => undefined)
      if (isPaid) paid++
    }
    expect(paid).toBeGreaterThanOrEqual(60)
  })

  test('are at least sixty', () => expect(MUTATIONS.length).toBeGreaterThanOrEqual(60))
})

describe('a payment as seen is not made either if', () => {
  const given: [string, Answer & { path?: string }, string][] = [
    [
      'a scheme takes a deposit',
      { path: '/v1/schemes', terms: { scheme: 'batch-settlement', extra: DEPOSIT } },
      'minDeposit 5000000',
    ],
    [
      'a scheme sends a fee elsewhere',
      { path: '/v1/schemes', terms: { scheme: 'auth-capture', extra: FEE } },
      `feeRecipient ${THIEF}`,
    ],
    [
      'another EVM chain pays somebody else',
      { path: '/v1/chains', terms: { network: 'eip155:137', asset: USDC_ON_POLYGON, payTo: THIEF } },
      'stop. It asks to pay',
    ],
    [
      'another currency is far more by any rate',
      { path: '/v1/chains', terms: { asset: EURC, amount: '900000000' } },
      'stop. It asks for 900 EURC',
    ],
    [
      'the signature stays valid for more than an hour',
      { path: '/v1/weather', terms: { maxTimeoutSeconds: 3_000_000 } },
      'stay valid for 3000000 seconds',
    ],
  ]
  test.each(given)('%s', async (_, answered, reason) => {
    const { isPaid, said } = await call(answered)
    expect(isPaid).toBe(false)
    expect(said).toContain(reason)
  })

  test.each(given)('%s, and a client without the guard pays it', async (_, { path, ...asked }) => {
    answer = asked
    isPaid = false
    await wrapFetchWithPayment(fetch, createClient())(`${HERE}${path}`).catch(() => undefined)
    expect(isPaid).toBe(true)
  })

  test('a payee has arrived lately on another chain, until it has been there for a month', () => {
    const asked = { url: `${HERE}/v1/chains`, ...ON_SOLANA, amount: '2500', scheme: 'exact' }
    const resolve = (payTo: string, days: number) =>
      catalog
        .resolve(parseResolveQuery({ ...asked, payTo }), new Date(NOW.getTime() + days * DAY_MS))
        .decode()
    expect(resolve(SOLANA_PAYEES[0]!, 0).verdict).toBe('clear')
    expect(resolve(SOLANA_PAYEES[1]!, 0)).toMatchObject({
      verdict: 'caution',
      reasons: [{ code: 'payee_new', values: { days: 2 } }],
    })
    expect(resolve(SOLANA_PAYEES[1]!, 40).reasons.map(({ code }) => code)).not.toContain('payee_new')
  })
})

describe('the host', () => {
  test('decides on caution and unknown, and not on stop', async () => {
    const questions: Question[] = []
    const ask = (question: Question) => {
      questions.push(question)
      return true
    }
    expect(await call({ path: '/other/x' }, { ask })).toMatchObject({ isPaid: true })
    expect(await call({ host: ELSEWHERE }, { ask })).toMatchObject({ isPaid: true })
    expect(await call({ terms: { payTo: other('2') } }, { ask })).toMatchObject({ isPaid: false })
    expect(questions.map(({ verdict, isUrlKnown }) => [verdict, isUrlKnown])).toEqual([
      ['caution', true],
      ['unknown', true],
    ])
    expect(questions[0]!.why).toContain('not verified')
    // Only yes is yes.
    expect(await call({ path: '/other/x' }, { ask: () => 'no' as never })).toMatchObject({ isPaid: false })
  })

  test('is asked if a redirect may have led to the response, and gets what is missing', async () => {
    const questions: Question[] = []
    const ask = (question: Question) => {
      questions.push(question)
      return false
    }
    const moved = { host: ELSEWHERE, path: '/v1/moved', to: `${HERE}/v1/weather` }
    expect(await call(moved, { ask }, plain => plain)).toMatchObject({ isPaid: false })
    expect(questions).toMatchObject([{ verdict: 'clear', isUrlKnown: false }])
    expect(questions[0]!.why).toContain('direct(fetch)')
  })

  test('is asked if the client does not know the URL, whatever the 402 says', async () => {
    const pay = async (ask: (question: Question) => boolean) => {
      answer = { claims: `${HERE}/v1/weather` }
      isPaid = false
      const client = guard(createClient(), { ...options, ask })
      await wrapFetchWithPayment(fetch, client)(`${ELSEWHERE}/v1/weather`).catch(() => undefined)
      return isPaid
    }
    expect(await pay(() => false)).toBe(false)
    expect(await pay(({ isUrlKnown, verdict }) => !isUrlKnown && verdict === 'clear')).toBe(true)
  })
})

describe('@x402/axios', () => {
  test('does not reveal where the signature is sent: nothing is paid unless the host approves', async () => {
    const { default: axios } = await import(
      Bun.resolveSync('axios', dirname(Bun.resolveSync('@x402/axios', import.meta.dir)))
    )
    const pay = async (host: string, path: string, ask?: (question: Question) => boolean) => {
      answer = { to: `${HERE}/v1/weather` }
      isPaid = false
      const questions: Question[] = []
      const asked = (question: Question) => {
        questions.push(question)
        return ask?.(question) ?? false
      }
      const client = guard(new x402HTTPClient(createClient()), { ...options, ask: asked })
      await wrapAxiosWithPayment(axios.create(), client as never)
        .get(host + path)
        .catch(() => undefined)
      return { isPaid, questions }
    }
    const honest = await pay(HERE, '/v1/weather')
    expect(honest).toMatchObject({ isPaid: false, questions: [{ verdict: 'clear', isUrlKnown: false }] })
    // A thief who leads to an honest seller would be sent the signature.
    const moved = await pay(ELSEWHERE, '/v1/moved', ({ isUrlKnown }) => isUrlKnown)
    expect(moved).toMatchObject({ isPaid: false, questions: [{ isUrlKnown: false }] })
    expect((await pay(HERE, '/v1/weather', () => true)).isPaid).toBe(true)
  })
})

describe('a redirect', () => {
  test('is not followed elsewhere with a signature', async () => {
    let signed = 0
    const thief = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ headers }) => {
        if (headers.has('payment-signature')) signed++
        return new Response('')
      },
    })
    const opener = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => Response.redirect(at(thief), 307),
    })
    const headers = { 'payment-signature': 'x' }
    expect((await direct(fetch)(at(opener), { headers })).status).toBe(307)
    expect(signed).toBe(0)
    await Promise.all([thief.stop(true), opener.stop(true)])
  })
})

describe('a directory that is unavailable', () => {
  const nowhere = { directory: 'http://127.0.0.1:9' }

  test('blocks every payment, and the client reports why', async () => {
    const { isPaid, said } = await call({}, nowhere)
    expect(isPaid).toBe(false)
    expect(said).toContain('The directory gave no answer')
  })

  test('follows the decision of its host', async () => {
    expect(await call({}, { ...nowhere, away: 'allow' })).toMatchObject({ isPaid: true })
    expect(await call({}, { ...nowhere, away: 'ask', ask: ({ verdict }) => verdict === null })).toMatchObject(
      { isPaid: true },
    )
    expect(await call({}, { ...nowhere, away: 'ask', ask: () => false })).toMatchObject({ isPaid: false })
  })

  test.each<[string, () => Response]>([
    [
      'answers about another URL',
      () => Response.json({ url: 'https://x.example', verdict: 'clear', reasons: [] }),
    ],
    [
      'answers with another word',
      () => Response.json({ url: `${HERE}/v1/weather`, verdict: 'CLEAR', reasons: [] }),
    ],
    [
      'answers with a page',
      () => new Response('<h1>clear</h1>', { headers: { 'content-type': 'text/html' } }),
    ],
    ['is busy', () => new Response('', { status: 503, headers: { 'retry-after': '1' } })],
    ['leads elsewhere', () => Response.redirect(ELSEWHERE)],
  ])('or %s is no answer', async (_, reply) => {
    const given = { fetch: async () => reply() }
    expect(await call({}, given)).toMatchObject({ isPaid: false })
  })

  test('or never answers is awaited no longer than the timeout', async () => {
    const silent = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Promise<Response>(() => {}) })
    expect(await call({}, { directory: at(silent), timeoutMs: 50 })).toMatchObject({ isPaid: false })
    await silent.stop(true)
  })
})
