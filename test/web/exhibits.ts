// One service for every state that a service page can show, except the states in troubles.ts.

import { applyPurchases } from '../../packages/buyer/src/rounds.ts'
import { type AuthorizationState, concludeFrom } from '../../packages/buyer/src/settlements.ts'
import { findAsset } from '../../src/domain/chains/assets.ts'
import { chainLabel } from '../../src/domain/chains/chains.ts'
import { createIdSource } from '../../src/domain/ids.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { toDecimal } from '../../src/domain/money/money.ts'
import {
  type AnswerEvidence,
  PURCHASE_OUTCOMES,
  type Purchase,
  type PurchaseDetail,
  type PurchaseOutcome,
} from '../../src/domain/purchases/purchases.ts'
import { judge } from '../../src/domain/standing/judge.ts'
import type { ProbeRecord } from '../../src/domain/standing/standing.ts'
import type { ResourceTerms } from '../../src/domain/terms/terms.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { hideService } from '../hiding.ts'
import { body, KEY } from '../http/directory-server.ts'
import { recordProbe } from '../probes.ts'
import { purchase, report, reported } from '../store/purchases.ts'
import { requirements, resource, seen } from '../terms.ts'
import type { PageDirectory } from './page-directory.ts'

const PAYEE = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'
const FERRY_WALLET = `0x${'2c'.repeat(20)}`
const CAPS = { perCall: 1e9, perService: 1e9, perHost: 1e9, perDay: 1e9 }
const HOUR_MS = 3_600_000
const newId = createIdSource()
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

/** Returns the id of each. */
export async function addExhibits(site: PageDirectory) {
  const register = async (parts: object): Promise<string> =>
    (await (await site.register(body(parts))).json()).id
  await using store = await openStore(site.databaseUrl, { clock: systemClock })
  const waiting = await register({
    name: '港の波浪予報 Wave Watch',
    description: '全国の港の波の高さと周期を、3時間ごとに5日先まで予報します。',
  })
  const long = await addLong(store, (await store.find(waiting))!.entry.owner)
  const retired = await register({
    name: 'Noon Exchange Rates',
    description: 'Reference rates of 32 currencies against the euro, each working day at noon.',
    endpoint: 'https://rates.example.com/v1',
    category: 'finance',
  })
  await fetch(`${site.url}/api/services/${retired}/retire`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'We have closed. The central bank publishes the same rates.' }),
  })
  const backed = await addBacked(store)
  const stranger = await register({
    name: 'Animal Photo Lookup',
    description: 'Tells which animal is on a photograph.',
    endpoint: 'https://dunnart.example/v1',
    category: 'image',
  })
  const namesake = await register({
    // Its second letter is Cyrillic.
    name: 'Hаrbour Tides 潮見表',
    description: 'Tides of all harbours, and the weather on the way.',
    endpoint: 'https://tidebook.example/v1',
  })
  const deep = await register({
    name: '航空写真の切り抜きと地図タイルの検索 Deep Tiles',
    description: `地図の座標から航空写真のタイルを切り抜いて返します。使い方は ${DEEP_URL} をご覧ください。`,
    endpoint: DEEP_URL,
    category: 'maps',
  })
  const tool = await addTool(store)
  const unprobed = await register({
    name: LONG_NAME,
    description: LONG_TEXT,
    endpoint: 'https://sky.example/v1',
  })
  const mppOnly = await addMppOnly(store)
  await addPurchases(store, site.probedId)
  await addFailure(store, long)
  const hidden = await register({ name: 'Posing Tides' })
  await hideService(site.databaseUrl, hidden, 'It poses as another service.')
  while ((await site.get(`/services/${hidden}`)).status !== 410) await Bun.sleep(5)
  for (const id of [tool, long, mppOnly])
    while ((await site.get(`/services/${id}`)).status !== 200) await Bun.sleep(5)
  return { long, waiting, retired, backed, stranger, namesake, deep, tool, unprobed, mppOnly, hidden }
}

/** With a query that fills a telephone. */
const DEEP_URL = `https://tiles.aerial-photographs.example/v2/regions/asia/japan/hokkaido/tiles?layers=${'orthophoto,elevation,landuse,'.repeat(8)}boundaries&format=geotiff&crs=EPSG:6677`

const LONG_NAME =
  'Hyperlocal Weather, Air Quality, Pollen and Ultraviolet Forecasts for Every Harbour, Airfield, Vineyard and Ski Resort in Europe, with Radar, Lightning, Sea State and Avalanche Warnings in a Single Reply (weatherairpollenultravioletradarlightningseastate)'

const LONG_TEXT = `Everything that the sky does above one place, hour by hour. All fields at once: https://docs.weather.example/v1?fields=${'temperature_2m,relative_humidity_2m,dew_point_2m,'.repeat(9)}all ${'空模様を一度に返します。'.repeat(60)}`

/** As much text as a listing may have, in words that hardly break. Its host and payee are those of `waiting`. */
async function addLong(store: Store, owner: Entry['owner']): Promise<string> {
  const long = entry({ name: LONG_NAME, description: LONG_TEXT }, { now: ago(80) })
  const listed = { ...long, id: newId(ago(80)), owner }
  await store.insert([listed])
  return listed.id
}

/** Its wallet has signed for it, and its domain names that wallet. */
async function addBacked(store: Store): Promise<string> {
  const wallet = `0x${'ab'.repeat(20)}`
  const parts = {
    name: 'Dunnart',
    description:
      'Names the animal on a photograph, down to the species, with what it eats and where it lives.',
    endpoint: 'https://dunnart.example/v1',
    category: 'image',
    x402Config: { paymentAddress: wallet, network: 'base' },
  }
  const own = entry(parts, { now: ago(60) })
  const proof = { at: own.createdAt, names: 'wallet' } as const
  await store.insert([{ ...own, owner: `eip155:${wallet}`, proof }])
  const accepts = [{ ...requirements, payTo: wallet }]
  const terms = resource({ url: parts.endpoint, accepts })
  for (let i = 0; i < 4; i++) await addProbe(store, own, ago(48 - i * 12), terms)
  return own.id
}

/** A tool of an MCP server that is paid in another currency than dollars. */
async function addTool(store: Store): Promise<string> {
  const url = 'https://mcp.example.com/mcp'
  const listed = entry(
    {
      name: 'Ferry Timetables',
      description: 'Departures of ferries between islands, with the quay and the weather on the way.',
      endpoint: url,
      category: 'travel',
      pricing: { currency: 'JPYC', pricePerRequest: '0.5', freeQuota: 20 },
      x402Config: { paymentAddress: FERRY_WALLET, network: 'polygon' },
    },
    { now: ago(50) },
  )
  await store.insert([{ ...listed, id: newId(ago(50)) }].map(each => Object.assign(listed, each)))
  const accepts = [
    {
      ...requirements,
      payTo: FERRY_WALLET,
      network: 'eip155:137',
      chain: 'eip155:137',
      asset: '0xE7C3D8C9a439feDe00D2600032D5dB0Be71C3c29',
      assetName: 'JPYC',
      amount: '500000000000000000',
      price: '0.5',
      currency: 'JPY',
      extra: { name: 'JPY Coin', version: '1' },
    },
  ]
  const tool: ResourceTerms = resource({
    url,
    method: 'POST',
    tool: 'find_ferries',
    accepts,
    input: {
      type: 'object',
      properties: { from: { type: 'string' }, to: { type: 'string', description: 'An island or a quay' } },
      required: ['from', 'to'],
      example: { from: 'Takamatsu', to: 'Naoshima' },
    },
  })
  for (let i = 0; i < 3; i++) await addProbe(store, listed, ago(40 - i * 12), tool)
  return listed.id
}

const MPP_CHARGE = { method: 'evm', credentialTypes: ['authorization'] }

/** No client of x402 can pay it. */
async function addMppOnly(store: Store): Promise<string> {
  const parts = {
    name: 'Quarry Index',
    description: 'Prices of sand, gravel and stone in 40 regions, each working day.',
    endpoint: 'https://quarry.example/v1',
    category: 'data',
  }
  const listed = entry(parts, { now: ago(55) })
  await store.insert([listed])
  const accepts = [{ ...requirements, protocol: 'mpp' as const, scheme: 'charge', extra: MPP_CHARGE }]
  for (let i = 0; i < 3; i++)
    await addProbe(store, listed, ago(40 - i * 12), resource({ url: parts.endpoint, accepts }))
  return listed.id
}

export async function addProbe(
  store: Store,
  { id, x402Config }: Entry,
  at: Date,
  terms: ResourceTerms,
  latencyMs = 340,
): Promise<void> {
  const { payTo, chain, asset, amount, price = '', assetName = '' } = terms.accepts[0]!
  const known = findAsset(chain, asset)
  if (known?.symbol !== assetName || toDecimal(BigInt(amount), known.decimals) !== price)
    throw new Error(`No such terms can be seen: ${amount} of ${asset} is not ${price} ${assetName}.`)
  const probe: ProbeRecord = {
    serviceId: id,
    at: at.toISOString(),
    outcome: 'payable',
    httpStatus: 402,
    latencyMs,
    priceSeen: price,
    asListed: true,
    reasons: [say('network_as_registered', { network: chainLabel(x402Config.network) })],
  }
  const asks = { amount: price, currency: assetName }
  const read = { ...seen(terms), asks, price: 'same' } as const
  await recordProbe(store, probe, (kept, history) => ({
    ...judge(kept, { probe, terms: { payTo: [payTo], price: asks, furtherChains: [], seen: read } }, history),
    dueAt: null,
  }))
}

const TRANSACTION = `0x${'c'.repeat(64)}`

/** What came back for each outcome, as a buyer writes it down. */
const ANSWERS: Record<PurchaseOutcome, Partial<AnswerEvidence>> = {
  delivered: {},
  delivered_not_as_declared: { bytes: 0, conformance: 'not_as_declared', reasons: [say('answer_empty')] },
  refused_after_payment: {
    status: 500,
    conformance: 'unread',
    reasons: [say('answer_status', { status: 500 })],
  },
  charged_other: {
    status: 402,
    conformance: 'unread',
    second: { amount: '9000', payTo: PAYEE, isSame: false },
    reasons: [
      say('answer_status', { status: 402 }),
      say('asked_again', { price: '0.009 USDC', isSame: false }),
    ],
  },
  settled_silent: {
    status: null,
    bytes: 0,
    conformance: 'unread',
    settlement: 'absent',
    claimed: null,
    reasons: [
      say('answer_missing', {
        problem: say('connection_refused', { host: 'tides.example.com', errno: 'ECONNREFUSED' }),
      }),
    ],
  },
  not_settled: {
    status: 402,
    conformance: 'unread',
    settlement: 'denied',
    claimed: null,
    reasons: [say('settlement_denied', { why: 'insufficient_funds' })],
  },
}

/** Every way in which a purchase can end, and what payers say of it. */
export async function addPurchases(store: Store, serviceId: string): Promise<void> {
  const parts = { serviceId, host: 'tides.example.com', payTo: PAYEE, amount: '2000', microUsd: 2_000 }
  const detail = { url: 'https://tides.example.com/v1', price: '0.002' }
  for (const [i, ended] of [...PURCHASE_OUTCOMES, 'delivered' as const].entries())
    await buy(store, purchase({ ...parts, at: ago(100 - i * 10).toISOString() }), detail, ended)
  await applyPurchases(store, serviceId, systemClock)
  const paid = { url: 'https://tides.example.com/v1', price: '0.002', currency: 'USDC', reasons: [] }
  await report(store, reported({ serviceId, at: ago(5).toISOString(), detail: paid }))
}

/** It counts against every listing of the same place. */
async function addFailure(store: Store, serviceId: string): Promise<void> {
  const bought = purchase({ serviceId, at: ago(8).toISOString(), amount: '2500', microUsd: 2_500 })
  await buy(store, bought, { url: 'https://weather.example/v1', price: '0.0025' }, 'refused_after_payment')
  await applyPurchases(store, serviceId, systemClock)
}

async function buy(
  store: Store,
  reserved: Purchase,
  detail: Pick<PurchaseDetail, 'url' | 'price'>,
  ended: PurchaseOutcome,
): Promise<void> {
  const answer: AnswerEvidence = {
    status: 200,
    latencyMs: 320,
    bytes: 480,
    contentType: 'application/json',
    sha256: 'd'.repeat(64),
    conformance: 'as_declared',
    settlement: 'claimed',
    claimed: TRANSACTION,
    second: null,
    chargedOther: null,
    reasons: [],
    ...ANSWERS[ended],
  }
  const bought: Purchase = { ...reserved, detail: { ...reserved.detail, ...detail, answer, reasons: [] } }
  await store.purchases.reserve(bought, CAPS)
  await store.purchases.sign(bought.id, `0x${bought.id}`, 2_000_000_000)
  const use: AuthorizationState =
    ended === 'not_settled' ? { state: 'expired' } : { state: 'used', transaction: TRANSACTION }
  await store.purchases.conclude(bought.id, concludeFrom(bought, { use, isRead: true, isLast: true }))
}
