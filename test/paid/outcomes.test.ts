// What payers report, on a real chain: whoever paid is heard once, and whoever would like to be heard without having paid is not.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import {
  type OutcomeDraft,
  type PurchasesAnswer,
  toOutcomeMessage,
} from '../../src/domain/purchases/purchases-view.ts'
import { createClient } from '../../src/http/client/client.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { createShiftedClock } from '../buyer/clock.ts'
import { type EvmChain, openEvmChain } from '../chain/evm-chain.ts'
import { openRpcProxy, type RpcProxy } from '../chain/rpc-proxy.ts'
import { openFolder } from '../cli/shirube.ts'
import { body, openTestServer, type TestServer } from '../http/directory-server.ts'
import { accountOf } from './facilitator.ts'

const DIRECTORY = 'https://directory.example'
const CHAIN = 'eip155:8453'
const UNREAD = { network: 'polygon', chain: 'eip155:137' }
const ENDPOINT = 'https://api.seller.example/v1'
const seller = accountOf(1)
const payer = accountOf(2)
const other = accountOf(3)
const PRICE = 2_500n
const DAY_MS = 86_400_000

const clock = createShiftedClock()
const parts = new AsyncDisposableStack()
let chain: EvmChain
let proxy: RpcProxy
let server: TestServer
let store: Store
/** Claimed by its wallet. */
let id: string
/** Of the same wallet, for ten times as much. */
let dear: string
/** Of the same wallet, on a chain that no node of the directory reads. */
let unread: string

async function keyOf(wallet: { key: `0x${string}`; address: string }): Promise<string> {
  const { directory } = server.app
  const { message } = await directory.challenge({ address: wallet.address, network: 'base' })
  const signature = await privateKeyToAccount(wallet.key).signMessage({ message })
  return (await directory.signIn({ message, signature })).key
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-'))
  parts.defer(() => rmSync(folder, { recursive: true }))
  chain = parts.use(await openEvmChain())
  proxy = parts.use(openRpcProxy(chain.url))
  const databaseUrl = `sqlite:${join(folder, 'directory.db')}`
  server = parts.use(
    await openTestServer(
      { DATABASE_URL: databaseUrl, RPC_URL_BASE: proxy.url, PUBLIC_URL: DIRECTORY, RATE_LIMIT: '0' },
      { clock },
    ),
  )
  store = parts.use(await openStore(databaseUrl, { clock }))
  const key = await keyOf(seller)
  const register = async (name: string, endpoint: string, pricePerRequest: string, network = 'base') => {
    const registered = await server.register(
      body({
        name,
        endpoint,
        pricing: { currency: 'USDC', pricePerRequest },
        x402Config: { paymentAddress: seller.address, network },
      }),
      { authorization: `Bearer ${key}` },
    )
    const { id } = (await registered.json()) as { id: string }
    await server.app.directory.claim(id, { key })
    return id
  }
  id = await register('Weather', ENDPOINT, '0.0025')
  dear = await register('Weather, long', 'https://api.seller.example/v2', '0.025')
  unread = await register('Weather, elsewhere', ENDPOINT, '0.0025', UNREAD.network)
}, 120_000)
afterAll(() => parts.disposeAsync())

type Account = ReturnType<typeof accountOf>

/** Signed by who is named, unless the test says otherwise. */
async function signed(
  given: Partial<OutcomeDraft> & Pick<OutcomeDraft, 'transaction'>,
  {
    by = payer,
    service = id,
    directory = DIRECTORY,
    chain = CHAIN,
  }: { by?: Account; service?: string; directory?: string; chain?: string } = {},
): Promise<OutcomeDraft> {
  const draft = {
    outcome: 'delivered' as const,
    network: 'base',
    payer: by.address,
    at: clock.now().toISOString(),
    ...given,
  }
  const message = toOutcomeMessage(directory, service, chain, draft)
  return { ...draft, signature: await privateKeyToAccount(by.key).signMessage({ message }) }
}

const post = (draft: unknown, service = id) =>
  fetch(`${server.url}/api/services/${service}/purchases`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(draft),
  })

/** The field and the code of the refusal, after which nothing is kept. */
async function refusal(draft: unknown, service = id): Promise<string> {
  const before = (await told(service)).purchases.length
  const response = await post(draft, service)
  const answer = (await response.json()) as { code: string; errors?: { path: string; code: string }[] }
  expect((await told(service)).purchases).toHaveLength(before)
  const [first] = answer.errors ?? []
  return first ? `${response.status} ${first.path} ${first.code}` : `${response.status} ${answer.code}`
}

const told = async (service = id): Promise<PurchasesAnswer> =>
  (
    await fetch(`${server.url}/api/services/${service}/purchases?limit=100`)
  ).json() as Promise<PurchasesAnswer>

/** Settles, and lets a block come on top. */
async function pay(from: Account, value = PRICE, to = seller.address): Promise<string> {
  const transaction = await chain.settle(privateKeyToAccount(from.key), to, value)
  await chain.mint(other.address, 1n)
  return transaction
}

describe('a payer', () => {
  test('can report once per payment, and the report is public and does not count', async () => {
    const transaction = await pay(payer)
    const draft = await signed({ transaction, outcome: 'refused_after_payment' })
    const response = await post(draft)
    expect(response.status).toBe(201)
    const kept = await response.json()
    expect(kept).toMatchObject({
      source: 'payer',
      outcome: 'refused_after_payment',
      counts: false,
      request: null,
      payment: {
        payer: payer.address.toLowerCase(),
        payTo: seller.address,
        amount: '2500',
        price: '0.0025',
        currency: 'USDC',
      },
      charged: '2500',
      chain: CHAIN,
      transaction,
    })
    // A retry is no second report.
    expect(await (await post(draft)).json()).toEqual(kept)
    expect(await told()).toEqual({
      id,
      payers: { payers: 1, delivered: 0 },
      peers: { purchases: 0, delivered: 0 },
      delivery: { purchases: 0, delivered: 0, failedInARow: 0, failing: false },
      purchases: [kept as never],
      next: null,
    })
    const { items } = await server.json(`/api/services/${id}/history`)
    expect(items[0]).toMatchObject({ type: 'purchase', code: 'outcome_reported' })
    const page = await (await server.get(`/services/${id}`)).text()
    expect(page).toContain('Reported by payers')
  })

  test('counts once, by the newest report, however often it paid', async () => {
    for (let i = 0; i < 2; i++) {
      const draft = await signed({ transaction: await pay(payer) })
      expect((await post(draft)).status).toBe(201)
    }
    expect((await told()).payers).toEqual({ payers: 1, delivered: 1 })
    expect((await server.json(`/api/services/${id}/trust`)).trustScore).toBe(
      (await server.json(`/api/services/${id}/status`)).trustScore,
    )
  })

  test('can report through the client too', async () => {
    const client = createClient({ url: server.url })
    const draft = await signed({ transaction: await pay(payer) })
    const { purchase, ignored } = await client.reportOutcome(id, { ...draft, more: 1 })
    expect(purchase).toMatchObject({ source: 'payer' })
    expect(ignored).toEqual(['more'])
  })

  test('can report about a service twenty times a day', async () => {
    const regular = accountOf(6)
    const answers = []
    for (let i = 0; i < 21; i++)
      answers.push((await post(await signed({ transaction: await pay(regular) }, { by: regular }))).status)
    expect(answers).toEqual([...Array(20).fill(201), 429])
  })

  test('reports by the command line, which signs nothing but the report', async () => {
    await using folder = await openFolder({})
    const path = await folder.file('own.key', payer.key)
    chmodSync(path, 0o600)
    const transaction = await pay(payer)
    const asked = ['--url', server.url, '--key-file', path]
    const report = ['call', id, '--report', 'delivered', ...asked, '--transaction', transaction]
    const elsewhere = await folder.run(report)
    expect(elsewhere).toMatchObject({ code: 1, stdout: '' })
    expect(elsewhere.stderr).toContain('must be that of the payer over this text')
    const reported = await folder.run([...report, '--directory', DIRECTORY, '--json'])
    expect(JSON.parse(reported.stdout)).toMatchObject({ outcome: 'delivered', transaction })
    expect(await folder.run(['call', id, '--report', 'great', ...asked])).toMatchObject({ code: 2 })
  })

  test('with several keys names the wallet that paid, in any spelling, and no other can', async () => {
    await using folder = await openFolder({})
    const path = await folder.file('own.keys', `${other.key}\n${payer.key}\n`)
    chmodSync(path, 0o600)
    const report = async (...given: string[]) => {
      const asked = ['--url', server.url, '--directory', DIRECTORY, '--key-file', path, '--json']
      return folder.run(['call', id, '--report', 'delivered', ...asked, ...given])
    }
    const transaction = await pay(payer)
    const unnamed = await report('--transaction', transaction)
    expect([unnamed.code, unnamed.stdout]).toEqual([2, ''])
    expect(unnamed.stderr).toContain(`with --payer: ${other.address}, ${payer.address}`)
    const stranger = await report('--transaction', transaction, '--payer', seller.address)
    expect([stranger.code, stranger.stdout]).toEqual([2, ''])
    expect(stranger.stderr).toContain(
      `None of the keys is that of ${seller.address}; they are those of ${other.address}, ${payer.address}.`,
    )
    // The key is there, and did not pay.
    const foreign = await report('--transaction', transaction, '--payer', other.address)
    expect([foreign.code, foreign.stdout]).toEqual([1, ''])
    const reported = await report('--transaction', transaction, '--payer', payer.address.toLowerCase())
    expect(JSON.parse(reported.stdout)).toMatchObject({
      payment: { payer: payer.address.toLowerCase() },
      transaction,
    })
    expect(JSON.stringify([unnamed, stranger, foreign, reported])).not.toContain(payer.key.slice(2))
  })
})

describe('a report is refused', () => {
  test('if another wallet signed it, or for another service, directory, outcome or time', async () => {
    const transaction = await pay(payer)
    const own = await signed({ transaction })
    const { signature } = await signed({ transaction }, { by: other })
    const cases: readonly [unknown, string?][] = [
      [{ ...own, signature }],
      [{ ...own, outcome: 'settled_silent' }],
      [{ ...own, at: new Date(clock.now().getTime() - 1_000).toISOString() }],
      [{ ...own, transaction: `0x${'ab'.repeat(32)}` }],
      [{ ...own, payer: other.address }],
      [await signed({ transaction }, { directory: 'https://elsewhere.example' })],
      [own, dear],
    ]
    for (const [draft, service] of cases)
      expect(await refusal(draft, service)).toBe('400 signature outcome_signature')
    const response = await post({ ...own, signature })
    const { errors } = (await response.json()) as { errors: { values: { message: string } }[] }
    expect(errors[0]!.values.message).toBe(toOutcomeMessage(DIRECTORY, id, CHAIN, own))
  })

  test('if the payment was reported before, with any outcome and for any service', async () => {
    const transaction = await pay(payer, 25_000n)
    expect((await post(await signed({ transaction }, { service: dear }), dear)).status).toBe(201)
    const changed = await signed({ transaction, outcome: 'settled_silent' }, { service: dear })
    expect(await refusal(changed, dear)).toBe('400 transaction reported_before')
    const capitals = `0x${transaction.slice(2).toUpperCase()}`
    expect(
      await refusal(
        await signed({ transaction: capitals, outcome: 'settled_silent' }, { service: dear }),
        dear,
      ),
    ).toBe('400 transaction reported_before')
  })

  test('if it is below a tenth of the price, or matches another service by its amount', async () => {
    expect(await refusal(await signed({ transaction: await pay(payer, 249n) }))).toBe(
      '400 transaction settlement_dust',
    )
    expect(await refusal(await signed({ transaction: await pay(payer) }, { service: dear }), dear)).toBe(
      '400 transaction settlement_of_others',
    )
  })

  test('if the transaction has another payee, is a plain transfer, failed or does not exist', async () => {
    const cases: readonly [string, string][] = [
      [await pay(payer, PRICE, other.address as never), 'settlement_not_found'],
      [await pay(other), 'settlement_not_found'],
      [await chain.pay(payer.address, seller.address, PRICE), 'settlement_plain'],
      [`0x${'ab'.repeat(32)}`, 'settlement_not_found'],
      ['0x12', 'settlement_not_found'],
    ]
    await chain.mint(other.address, 1n)
    for (const [transaction, code] of cases)
      expect(await refusal(await signed({ transaction }))).toBe(`400 transaction ${code}`)
  })

  test('while its block is not final', async () => {
    proxy.finalized = await chain.head()
    const transaction = await chain.settle(privateKeyToAccount(payer.key), seller.address, PRICE)
    expect(await refusal(await signed({ transaction }))).toBe('400 transaction settlement_young')
    proxy.finalized = undefined
    expect((await post(await signed({ transaction }))).status).toBe(201)
  })

  test('if the seller pays itself or its payers', async () => {
    const own = await pay(seller)
    expect(await refusal(await signed({ transaction: own }, { by: seller }))).toBe(
      '400 payer payer_is_seller',
    )
    const friend = accountOf(4)
    const transaction = await pay(friend)
    await chain.pay(seller.address, friend.address, PRICE)
    await chain.mint(other.address, 1n)
    const isRing = () =>
      store.payments.isRing(CHAIN, seller.address.toLowerCase(), friend.address.toLowerCase(), 0.01)
    while (!(await isRing())) await clock.sleep(20)
    expect(await refusal(await signed({ transaction }, { by: friend }))).toBe('400 payer payer_related')
  })

  test('if no node of the directory reads the network', async () => {
    const { network, chain } = UNREAD
    const draft = await signed({ transaction: `0x${'ab'.repeat(32)}`, network }, { service: unread, chain })
    expect(await refusal(draft, unread)).toBe('400 transaction chain_not_read')
  })

  test('with the name of every invalid field', async () => {
    const response = await post({ outcome: 'great', network: 1, payer: '', at: 'now', signature: [] })
    const { errors } = (await response.json()) as { errors: { path: string }[] }
    expect(errors.map(({ path }) => path).sort()).toEqual(
      ['at', 'network', 'outcome', 'payer', 'signature', 'transaction'].sort(),
    )
    expect(await refusal(await signed({ network: 'polygon', transaction: `0x${'ab'.repeat(32)}` }))).toBe(
      '400 network outcome_network',
    )
    expect(await refusal(await signed({ outcome: 'not_settled' as never, transaction: '0x1' }))).toBe(
      '400 outcome not_one_of',
    )
    expect((await post(await signed({ transaction: '0x1' }), 'svc_nothing')).status).toBe(404)
  })

  // The last, because it moves the clock.
  test('if it was signed long ago or ahead of time, or its payment is a week old', async () => {
    const transaction = await pay(payer)
    const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
    expect(await refusal(await signed({ transaction, at: at(-11 * 60_000) }))).toBe('400 at outcome_stale')
    expect(await refusal(await signed({ transaction, at: at(5 * 60_000) }))).toBe('400 at outcome_stale')
    clock.advance(8 * DAY_MS)
    expect(await refusal(await signed({ transaction }))).toBe('400 transaction settlement_old')
  })
})

describe('the store is bounded', () => {
  test('a payer can cause at most fifty chain lookups a day', async () => {
    clock.advance(2 * DAY_MS)
    const busy = accountOf(5)
    const drafts = []
    for (let i = 0; i < 51; i++)
      drafts.push(await signed({ transaction: `0x${i.toString(16).padStart(64, '0')}` }, { by: busy }))
    const answers = []
    for (const draft of drafts) answers.push((await post(draft)).status)
    expect(answers.slice(0, 50)).toEqual(Array(50).fill(400))
    expect(answers[50]).toBe(429)
  })
})

test('a directory without PUBLIC_URL accepts no reports', async () => {
  await using closed = await openTestServer({})
  const registered = await closed.register(body())
  const { id: service } = (await registered.json()) as { id: string }
  const response = await fetch(`${closed.url}/api/services/${service}/purchases`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await signed({ transaction: '0x1' })),
  })
  expect([
    response.status,
    ((await response.json()) as { detailCode: { code: string } }).detailCode.code,
  ]).toEqual([403, 'outcomes_off'])
})
