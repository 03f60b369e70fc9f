// The first day of a directory, hour by hour on a clock of its own: it follows lists, probes what they name, reads who paid on chain,
// and buys. Merchants answer by what their list says of them, or otherwise.
import { PayeeListings } from '../../src/chain/credit.ts'
import { Ledger } from '../../src/chain/ledger.ts'
import { findChain } from '../../src/domain/chains/chains.ts'
import { createIdSource } from '../../src/domain/ids.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { toDecimal } from '../../src/domain/money/money.ts'
import { type PurchaseOutcome, sellingDomain, toPurchaseId } from '../../src/domain/purchases/purchases.ts'
import { say } from '../../src/messages/message.ts'
import { createProbe } from '../../src/probe/probe.ts'
import type { SafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { openRounds } from '../../src/probe/rounds.ts'
import { createServiceProber } from '../../src/probe/service-prober.ts'
import { openStore } from '../../src/store/open.ts'
import type { SettlementRecord } from '../../src/store/payments.ts'
import { createSync } from '../../src/sync/sync.ts'
import { createRandom } from '../probe/until-bad.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { purchase } from '../store/purchases.ts'

const CHAIN = 'eip155:8453'
const REFUSED = say('connection_refused', { host: 'the host', errno: null })
const HOUR_MS = 3_600_000
const STEP_MS = 15_000

/** asks: as its list says. elsewhere: for another wallet. dearer: for ten times as much. */
export type Merchant = 'asks' | 'elsewhere' | 'dearer' | 'gone' | 'dead' | 'refuses' | Response

export type Listed = {
  /** As its list has it. */
  readonly item: {
    readonly resource: string
    readonly accepts: readonly Readonly<Record<string, unknown>>[]
    readonly [field: string]: unknown
  }
  readonly merchant: Merchant
  /** How many wallets pay it on the first day. */
  readonly payers?: number
  /** What the operator's purchases came to. */
  readonly bought?: readonly PurchaseOutcome[]
}

/** @param lists by the address that is followed; every list fits on one page */
export async function simulateDay(
  lists: Readonly<Record<string, readonly Listed[]>>,
  databaseUrl = 'sqlite::memory:',
): Promise<Entry[]> {
  const all = Object.values(lists).flat()
  const clock = new ManualClock(new Date().toISOString())
  await using store = await openStore(databaseUrl, { clock })
  const fetch = createFetch(lists)
  const sync = createSync({
    store,
    fetch,
    clock,
    policy: { allowPrivateEndpoints: false, strictAddresses: false },
    userAgent: 'test',
    bounds: { bytes: 0, entries: 0 },
  })
  for (const url of Object.keys(lists)) await store.sources.add(url)
  const random = createRandom(5)
  const probe = createProbe({ fetch, userAgent: 'test', random })
  const prober = createServiceProber({ store, probe, clock, random })
  const faults: unknown[] = []
  await using _rounds = openRounds({ store, prober, clock, onTrouble: (_, error) => faults.push(error) })
  /** Reads the lists, as it does every six hours, and probes what is due until the next time. */
  const pass = async () => {
    for (const url of Object.keys(lists)) await sync(url)
    for (let ms = 0; ms < 6 * HOUR_MS; ms += STEP_MS) {
      clock.advance(STEP_MS)
      await new Promise<void>(resolve => setImmediate(resolve))
    }
  }
  const entries = async () => (await store.changes(0, 100_000)).flatMap(({ entry }) => entry ?? [])
  /** A group of resources at one origin is one service. */
  const of = (found: readonly Entry[], { item }: Listed) =>
    found.find(
      ({ endpoint, x402Config }) =>
        item.resource.startsWith(endpoint) && x402Config.paymentAddress === item.accepts[0]!.payTo,
    )

  await pass()
  const found = await entries()
  const listings = new PayeeListings([CHAIN])
  listings.apply(await store.changes(0, 100_000))
  const ledger = new Ledger({ chain: findChain(CHAIN)!, store, listings, clock, backfillBlocks: 0 })
  await store.payments.advance(CHAIN, undefined, { cursor: { block: 1 } })
  await ledger.load()
  while (await ledger.settleClaims(ledger.cursor!)) await ledger.load()
  await ledger.storeSettlements(
    ledger.cursor!,
    all.flatMap((listed, i) => toSettlements(listed, i, clock.now())),
  )
  const newId = createIdSource()
  const caps = { perCall: 1e9, perService: 1e9, perHost: 1e9, perDay: 1e9 }
  for (const listed of all)
    for (const outcome of listed.bought ?? []) {
      const { id: serviceId, endpoint, x402Config } = of(found, listed)!
      const made = purchase({
        ...{ id: toPurchaseId(newId(clock.now())), serviceId, at: clock.now().toISOString() },
        ...{ host: sellingDomain(endpoint), chain: CHAIN, payTo: x402Config.paymentAddress },
        detail: { url: endpoint, price: '0.01', currency: 'USDC', reasons: [] },
      })
      await store.purchases.reserve(made, caps)
      await store.purchases.sign(made.id, made.id, 1)
      const settled = { state: 'settled', charged: '100', transaction: '0xa', detail: made.detail } as const
      await store.purchases.conclude(made.id, { ...settled, outcome })
    }
  for (let times = 0; times < 3; times++) await pass()
  if (faults.length > 0) throw faults[0]
  return entries()
}

function createFetch(lists: Readonly<Record<string, readonly Listed[]>>): SafeFetch {
  const byUrl = new Map(Object.values(lists).flatMap(list => list.map(each => [each.item.resource, each])))
  return async url => {
    const { origin, pathname } = new URL(url)
    const page = lists[`${origin}${pathname}`]
    const listed = byUrl.get(url) ?? byUrl.get(`${origin}${pathname}`)
    const response = page
      ? Response.json({ items: page.map(({ item }) => item), pagination: { total: page.length, offset: 0 } })
      : listed
        ? answerOf(listed)
        : new Response('', { status: 404 })
    if (!response) return { ok: false, url, latencyMs: 9, reason: 'connect', message: REFUSED }
    const headers = new Map(response.headers)
    const body = new Uint8Array(await response.clone().arrayBuffer())
    return { ok: true, url, latencyMs: 90, status: response.status, headers, body }
  }
}

/** undefined: nobody is there. */
function answerOf({ item, merchant }: Listed): Response | undefined {
  if (merchant instanceof Response) return merchant
  if (merchant === 'dead') return undefined
  if (merchant === 'gone') return new Response('', { status: 404 })
  if (merchant === 'refuses') return new Response('', { status: 403 })
  const more = (amount: unknown) => (merchant === 'dearer' ? `${amount}0` : amount)
  const accepts = item.accepts.map(({ amount, maxAmountRequired, payTo, ...rest }) => ({
    ...rest,
    ...(amount !== undefined && { amount: more(amount) }),
    ...(maxAmountRequired !== undefined && { maxAmountRequired: more(maxAmountRequired) }),
    payTo: merchant === 'elsewhere' ? `0x${'9'.repeat(40)}` : payTo,
  }))
  const terms = { x402Version: item.x402Version, resource: { url: item.resource }, accepts }
  return item.x402Version === 1
    ? Response.json({ ...terms, error: 'Pay' }, { status: 402 })
    : Response.json({}, { status: 402, headers: { 'payment-required': btoa(JSON.stringify(terms)) } })
}

/** Each of its wallets pays once. */
function toSettlements(
  { item, payers = 0 }: Listed,
  of: number,
  now: Date,
): Omit<SettlementRecord, 'serviceId'>[] {
  const { asset, payTo, amount, maxAmountRequired } = item.accepts[0]!
  return Array.from({ length: payers }, (_, i) => ({
    chain: CHAIN,
    transaction: `0x${of}_${i}`,
    logIndex: 0,
    block: 1,
    at: now.toISOString(),
    asset: String(asset).toLowerCase(),
    payer: `0x${String(of * 1000 + i).padStart(40, '5')}`,
    payee: String(payTo).toLowerCase(),
    amount: toDecimal(BigInt((amount ?? maxAmountRequired) as string), 6),
    method: 'authorization' as const,
  }))
}
