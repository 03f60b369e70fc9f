// Receipts that sellers sign, beside what was really paid: kept where they hold, and told where they do not.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import {
  createOfferReceiptExtension,
  declareOfferReceiptExtension,
  type OfferReceiptIssuer,
} from '@x402/extensions/offer-receipt'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'
import { type Bought, BUYER_LIMITS, type Buyer, createBuyer } from '../../src/buyer/buyer.ts'
import { checkReceipt } from '../../src/buyer/receipt.ts'
import { openWallet } from '../../src/buyer/wallet.ts'
import { openAuthorizationReader } from '../../src/chain/authorizations.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { NO_RATES } from '../../src/domain/money/rates.ts'
import type { Purchase } from '../../src/domain/purchases/purchases.ts'
import { toPurchasesAnswer } from '../../src/domain/purchases/purchases-view.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { judgeReceipt } from '../../src/probe/signed/judge-receipt.ts'
import { judgeServiceReceipt } from '../../src/probe/signed/service-receipt.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { openEvmChain } from '../chain/evm-chain.ts'
import { entry } from '../entries.ts'
import { accountOf, type Facilitator, openFacilitator } from '../paid/facilitator.ts'
import { byWallet, createKeys } from '../probe/signed/issuers.ts'
import type { HostileMerchant } from './hostile-merchants.ts'
import { openHostileMerchants } from './hostile-server.ts'
import { toOrder } from './order.ts'

const payer = accountOf(4)
const seller = accountOf(8)
const stranger = byWallet(accountOf(7).key)
const CHAIN = 'eip155:8453'

type Receipt = (parts: {
  readonly url: string
  readonly transaction: string
  readonly before: unknown
}) => Promise<unknown> | unknown

/** Settles and delivers like an honest seller, and gives this receipt. */
const giving = (name: string, receipt: Receipt): HostileMerchant => ({
  name,
  terms: { payTo: seller.address },
  paid: async ({ settle, told }) => {
    const settled = await settle()
    const url = urlOf(name)
    const given = await receipt({ url, transaction: settled.transaction, before: kept })
    const extensions = { 'offer-receipt': { info: { receipt: given } } }
    return Response.json({ a: 1 }, { headers: told({ ...settled, extensions }) })
  },
  outcome: 'delivered',
})
const by =
  (
    issuer: OfferReceiptIssuer,
    parts: Partial<Record<'url' | 'payer' | 'network' | 'transaction', string>> = {},
  ): Receipt =>
  ({ url, transaction }) =>
    issuer.issueReceipt(
      parts.url ?? url,
      parts.payer ?? payer.address,
      parts.network ?? CHAIN,
      parts.transaction ?? transaction,
    )
const own = byWallet(seller.key)
/** What the first seller has signed, for whoever plays it again. */
let kept: unknown
const SELLERS: readonly (readonly [HostileMerchant, code: string])[] = [
  [
    giving('its own', async parts => {
      kept = await by(own)(parts)
      return kept
    }),
    'receipt_valid',
  ],
  [
    giving('without a transaction', ({ url }) => own.issueReceipt(url, payer.address, CHAIN)),
    'receipt_valid',
  ],
  [giving('by a stranger', by(stranger)), 'signed_by_others'],
  [giving('for another payer', by(own, { payer: seller.address })), 'signed_other_payer'],
  [giving('for another payment', by(own, { transaction: `0x${'ab'.repeat(32)}` })), 'signed_other_payment'],
  [giving('for another place', by(own, { url: 'https://elsewhere.example/' })), 'signed_other_resource'],
  [giving('on another network', by(own, { network: 'eip155:137' })), 'signed_other_network'],
  [giving('played again', ({ before }) => before), 'signed_other_resource'],
  [
    giving('that is old', async parts => {
      const receipt = (await by(own)(parts)) as { payload: { issuedAt: number } }
      return { ...receipt, payload: { ...receipt.payload, issuedAt: receipt.payload.issuedAt - 86_400 } }
    }),
    'signed_other_time',
  ],
  [giving('that is no receipt', () => 'thanks'), 'signed_unreadable'],
  [giving('that is deep', () => JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`)), 'signed_unreadable'],
]
const urlOf = (name: string) => server.url(SELLERS.find(([merchant]) => merchant.name === name)![0])

const parts = new AsyncDisposableStack()
const clock = systemClock
let facilitator: Facilitator
let server: ReturnType<typeof openHostileMerchants>
let store: Store
let buyer: Buyer

beforeAll(async () => {
  const chain = parts.use(await openEvmChain())
  facilitator = parts.use(openFacilitator(chain))
  server = parts.use(
    openHostileMerchants(
      facilitator,
      SELLERS.map(([merchant]) => merchant),
    ),
  )
  store = parts.use(await openStore('sqlite::memory:', { clock }))
  buyer = createBuyer({
    wallets: [await openWallet(new Secret(payer.key))],
    purchases: store.purchases,
    caps: { perCall: 10_000, perService: 1_000_000, perHost: 1_000_000, perDay: 1_000_000 },
    fetch: createSafeFetch({ allowPrivate: true, limits: BUYER_LIMITS }),
    clock,
    rates: () => NO_RATES,
    reader: parts.use(openAuthorizationReader({ [CHAIN]: chain.url }, clock)),
  })
}, 120_000)
afterAll(() => parts.disposeAsync())

async function buy(merchant: HostileMerchant, url: string): Promise<Purchase> {
  const bought = (await buyer.buy(toOrder(merchant, { url, payTo: seller.address, clock }))) as Bought
  expect(bought).toMatchObject({ kind: 'bought', purchase: { state: 'settled', outcome: 'delivered' } })
  return (await store.purchases.find(bought.purchase.id))!
}

test.each(SELLERS.map(([merchant, code]) => [merchant.name, code, merchant] as const))(
  'a receipt %s: %s',
  async (_, code, merchant) => {
    const { detail } = await buy(merchant, server.url(merchant))
    const { receipt } = detail
    const isValid = code === 'receipt_valid'
    expect(receipt).toMatchObject({ valid: isValid, speaksFor: isValid ? 'payee' : null })
    expect(detail.reasons).toContainEqual(receipt!.reason)
    if (receipt!.reason.code === 'receipt_invalid')
      expect(receipt!.reason.values.problem.code).toBe(code as never)
    else expect(receipt!.reason.code).toBe('receipt_valid')
    expect(receipt!.signed === null).toBe(!isValid)
  },
)

/** A seller as people build one: the official middleware with the official extension. */
function openOfficial(issuer: (origin: string) => OfferReceiptIssuer, document?: (origin: string) => object) {
  const app = new Hono()
  const listening = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => app.fetch(request) })
  const origin = `http://127.0.0.1:${listening.port}`
  const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator.url }))
    .register(CHAIN, new ExactEvmScheme())
    .registerExtension(createOfferReceiptExtension(issuer(origin)))
  const terms = {
    accepts: [{ scheme: 'exact', network: CHAIN, payTo: seller.address, price: '$0.002' }],
    description: 'Weather',
    mimeType: 'application/json',
    extensions: declareOfferReceiptExtension({ includeTxHash: true }),
  }
  if (document) app.get('/.well-known/did.json', context => context.json(document(origin)))
  app.use(paymentMiddleware({ 'GET /weather': terms as never }, resources))
  app.get('/weather', context => context.json({ sunny: true }))
  return { url: `${origin}/weather`, [Symbol.asyncDispose]: () => listening.stop(true) }
}

const listingOf = ({ serviceId }: Purchase): Entry => ({ ...entry(), id: serviceId! })

const OFFICIAL: HostileMerchant = { name: 'official', paid: () => new Response(), outcome: 'delivered' }

test('the official middleware signs receipts by the wallet that is paid, and the answer publishes what anybody can verify', async () => {
  await using official = openOfficial(() => own)
  const purchase = await buy(OFFICIAL, official.url)
  const told = toPurchasesAnswer(listingOf(purchase), [purchase], 10).purchases[0]!
  expect(told.receipt).toMatchObject({ result: 'valid', signer: seller.address, speaksFor: 'payee' })
  const { chain, payTo, at } = purchase
  const paid = {
    url: purchase.detail.url,
    chain,
    payTo,
    since: Date.parse(at),
    until: Date.parse(at) + 60_000,
  }
  const nobody = { document: async () => undefined, txt: async () => [] }
  const again = await judgeReceipt(JSON.parse(JSON.stringify(told.receipt.signed)), paid, nobody)
  expect(again).toMatchObject({ valid: true, receipt: { payer: payer.address } })
})

test('the official middleware signs receipts by a key that its host publishes', async () => {
  const keys = createKeys('ES256K')
  const didOf = (origin: string) => `did:web:${new URL(origin).host.replace(':', '%3A')}`
  await using official = openOfficial(
    origin => keys.issuer(`${didOf(origin)}#key-1`),
    origin => ({
      id: didOf(origin),
      verificationMethod: [{ id: `${didOf(origin)}#key-1`, publicKeyJwk: keys.jwk }],
    }),
  )
  const { detail } = await buy(OFFICIAL, official.url)
  expect(detail.receipt).toMatchObject({ valid: true, speaksFor: 'origin', signed: { format: 'jws' } })
})

test('a receipt for a tool names it as the transport does and is invalid for another tool', async () => {
  const nobody = { document: async () => undefined, txt: async () => [] }
  const at = systemClock.now()
  const detail = { ...PLAIN.detail, tool: 'tides' }
  const check = async (url: string) => {
    const sent = await own.issueReceipt(url, payer.address, CHAIN, undefined as never)
    return checkReceipt(sent, { ...PLAIN, at: at.toISOString(), detail }, at, nobody)
  }
  expect(await check('mcp://tool/tides')).toMatchObject({ valid: true, speaksFor: 'payee' })
  expect(await check('mcp://tool/other')).toMatchObject({ valid: false })
})

test('a report with a receipt of a tool is accepted for that tool only', async () => {
  const nobody = { document: async () => undefined, txt: async () => [] }
  const at = systemClock.now().getTime()
  const sent = await own.issueReceipt('mcp://tool/tides', payer.address, CHAIN, undefined as never)
  const judge = async (tool: string | undefined) => {
    const span = { since: at - 60_000, until: at + 60_000 }
    const paid = { endpoint: 'https://a.example/mcp', tool, chain: CHAIN, payTo: seller.address, ...span }
    return (await judgeServiceReceipt(sent, paid, nobody)).valid
  }
  expect([await judge('tides'), await judge('other'), await judge(undefined)]).toEqual([true, false, false])
})

test('a purchase without a receipt says so', () => {
  const bought = { ...PLAIN, detail: { ...PLAIN.detail, reasons: [] } }
  const [first] = toPurchasesAnswer(listingOf(bought), [bought], 10).purchases
  expect(first!.receipt).toEqual({ result: 'absent', signer: null, speaksFor: null, signed: null })
})

const PLAIN: Purchase = {
  id: 'pur_1',
  purpose: 'p',
  serviceId: 'svc_1',
  host: 'a.example',
  at: new Date(0).toISOString(),
  state: 'settled',
  microUsd: 1,
  chain: CHAIN,
  asset: '0x1',
  payTo: seller.address,
  payer: payer.address,
  amount: '1',
  nonce: null,
  validBefore: null,
  charged: '1',
  transaction: null,
  outcome: 'delivered',
  detail: {
    url: 'https://a.example',
    method: 'GET',
    x402Version: 2,
    price: '1',
    currency: 'USDC',
    reasons: [],
  },
}
