// What a directory shows a day after its start: levels and scores of services from facilitators' lists. Options: services (2,000), seed (1).
//
// The lists are made up in the shapes of CDP, PayAI and Circle, with the market's measured skew: ten sellers take nine tenths of the
// payments, one service in 28 is paid by more than its own seller. Everything after the lists is real: reading, crediting, judging.

import { chainKey } from '../src/domain/chains/chains.ts'
import { createIdSource } from '../src/domain/ids.ts'
import type { Entry } from '../src/domain/listing/service.ts'
import type { Terms } from '../src/domain/standing/finding.ts'
import { judge } from '../src/domain/standing/judge.ts'
import { levelOf } from '../src/domain/standing/level.ts'
import { LEVELS, type ProbeRecord } from '../src/domain/standing/standing.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { openStore } from '../src/store/open.ts'
import type { SettlementRecord } from '../src/store/payments.ts'
import { createFollowedEntry } from '../src/sync/followed-entries.ts'
import { groupResources } from '../src/sync/group-resources.ts'
import { requirements, resource, seen } from '../test/terms.ts'

const [count = 2_000, seed = 1] = process.argv.slice(2).map(Number)
let state = seed
/** Mulberry32: the same figures every time. */
const random = (): number => {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}
const among = <T>(...weighted: readonly (readonly [T, number])[]): T => {
  let rest = random()
  for (const [value, weight] of weighted) {
    rest -= weight
    if (rest < 0) return value
  }
  return weighted.at(-1)![0]
}
const wallet = (number: number): string =>
  `0x${new Bun.CryptoHasher('sha256').update(String(number)).digest('hex').slice(0, 40)}`

const CHAIN = 'eip155:8453'
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const LISTS = [
  ['https://api.cdp.coinbase.com/platform/v2/x402/discovery/resources', 0.7],
  ['https://facilitator.payai.network/discovery/resources', 0.2],
  ['https://api.circle.com/v2/x402/discovery/resources', 0.1],
] as const

const now = new Date()
const DAY_MS = 86_400_000
const PROBES = 8

type Kind = 'good' | 'slow' | 'down' | 'other_price' | 'other_payee' | 'refusing'
/** Of 100 listed endpoints that were looked at: 58 asked as listed, a fifth were gone, the rest differed or refused. */
const KINDS = [
  ['good', 0.5],
  ['slow', 0.08],
  ['down', 0.2],
  ['other_price', 0.1],
  ['other_payee', 0.04],
  ['refusing', 0.08],
] as const

type Made = { readonly entry: Entry; readonly kind: Kind; readonly payers: number }

function makeListed(): Made[] {
  const newId = createIdSource()
  return Array.from({ length: count }, (_, index): Made => {
    const sourceUrl = among(...LISTS)
    const payers = random() < 1 / 28 ? Math.ceil(2 ** (random() * 7)) : random() < 0.3 ? 1 : 0
    const calls = payers * Math.ceil(random() * 40)
    const isSolana = sourceUrl.includes('payai') && random() < 0.5
    const way = isSolana
      ? {
          network: SOLANA,
          asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
          payTo: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
        }
      : { network: CHAIN, asset: USDC, payTo: wallet(index + 1) }
    const item = {
      resource: `https://service-${index}.example.com/v1/data`,
      type: 'http',
      x402Version: 2,
      description: `Service ${index}`,
      accepts: [{ scheme: 'exact', amount: '10000', maxTimeoutSeconds: 60, ...way }],
      lastUpdated: now.toISOString(),
      ...(sourceUrl.includes('cdp') && {
        quality: { l30DaysTotalCalls: calls, l30DaysUniquePayers: payers },
      }),
    }
    const { listings, problems } = groupResources([item], {
      allowPrivateEndpoints: false,
      strictAddresses: false,
    })
    if (!listings[0]) throw new Error(problems.join())
    const { key, draft, claim } = listings[0]
    const origin = { key, seq: 0, ...(claim && { claim: { at: now.toISOString(), ...claim } }) }
    const entry = createFollowedEntry(draft, { id: newId(now), now, sourceUrl, origin })
    return { entry, kind: among(...KINDS), payers: isSolana ? 0 : payers }
  })
}

const OUTCOMES: Readonly<
  Record<Kind, Pick<ProbeRecord, 'outcome' | 'httpStatus' | 'latencyMs' | 'asListed' | 'priceSeen'>>
> = {
  good: { outcome: 'payable', httpStatus: 402, latencyMs: 180, asListed: true, priceSeen: '0.01' },
  slow: { outcome: 'payable', httpStatus: 402, latencyMs: 1_900, asListed: true, priceSeen: '0.01' },
  down: { outcome: 'unreachable', httpStatus: null, latencyMs: null, asListed: false, priceSeen: null },
  other_price: { outcome: 'mismatched', httpStatus: 402, latencyMs: 200, asListed: false, priceSeen: '0.05' },
  other_payee: { outcome: 'mismatched', httpStatus: 402, latencyMs: 200, asListed: false, priceSeen: '0.01' },
  refusing: { outcome: 'refused', httpStatus: 403, latencyMs: 90, asListed: false, priceSeen: null },
}

/** As the endpoint asks: another price, or another wallet, where the kind says so. */
function toTerms({ endpoint, x402Config }: Entry, { priceSeen }: ProbeRecord, kind: Kind): Terms | undefined {
  if (priceSeen === null) return undefined
  const payTo = kind === 'other_payee' ? wallet(-1) : x402Config.paymentAddress
  const chain = chainKey(x402Config.network)
  const way = { ...requirements, network: x402Config.network, chain, payTo, price: priceSeen }
  const asks = { amount: priceSeen, currency: 'USDC' }
  const price = kind === 'other_price' ? 'higher' : 'same'
  const resources = [resource({ url: endpoint, accepts: [way] })]
  return { seen: { ...seen(...resources), asks, price }, payTo: [payTo], price: asks, furtherChains: [] }
}

await using store = await openStore('sqlite::memory:', { clock: systemClock })
const listed = makeListed()
await store.insert(listed.map(({ entry }) => entry))

// A public node gives the last day or two. Of the wallets that pay, a third pay several sellers.
let transactions = 0
const paid = listed.flatMap(({ entry, payers, kind }): SettlementRecord[] =>
  kind === 'down'
    ? []
    : Array.from({ length: payers }, (_, index) => ({
        ...{
          chain: CHAIN,
          transaction: `0x${(++transactions).toString(16)}`,
          logIndex: 0,
          block: transactions,
        },
        at: new Date(now.getTime() - random() * 2 * DAY_MS).toISOString(),
        asset: USDC.toLowerCase(),
        payer: wallet(1e9 + (random() < 1 / 3 ? index : transactions)),
        payee: entry.x402Config.paymentAddress.toLowerCase(),
        ...{ amount: '0.05', method: 'authorization', serviceId: entry.id },
      })),
)
await store.payments.advance(CHAIN, undefined, { payments: paid, cursor: { block: transactions } })

for (let round = 0; round < PROBES; round++) {
  const at = new Date(now.getTime() + ((round + 1) * DAY_MS) / PROBES).toISOString()
  for (const { entry, kind } of listed) {
    const probe: ProbeRecord = { serviceId: entry.id, at, reasons: [], ...OUTCOMES[kind] }
    const terms = toTerms(entry, probe, kind)
    await store.probes.record(probe, (kept, history) => ({
      ...judge(kept, { probe, terms, resource: null }, history),
      dueAt: null,
    }))
  }
}

const after = await Promise.all(listed.map(async ({ entry }) => (await store.find(entry.id))!.entry))
const share = (part: number) =>
  `${String(part).padStart(6)} ${((100 * part) / after.length).toFixed(1).padStart(5)} %`
console.log(`${after.length} services, ${paid.length} payments, ${PROBES} probes each`)
for (const level of LEVELS) {
  const scores = after
    .filter(entry => levelOf(entry) === level)
    .map(({ standing }) => standing.trustScore)
    .sort((a, b) => a - b)
  const at = (part: number) => scores[Math.floor(part * (scores.length - 1))] ?? '–'
  console.log(
    `${level.padEnd(9)} ${share(scores.length)}   score min ${at(0)}, median ${at(0.5)}, 90 % ${at(0.9)}, max ${at(1)}`,
  )
}
const scores = after.map(({ standing }) => standing.trustScore)
for (let from = 0; from < 60; from += 5) {
  const part = scores.filter(score => score >= from && score < from + 5).length
  console.log(
    `${String(from).padStart(2)}–${String(from + 4).padEnd(2)} ${share(part)} ${'#'.repeat(Math.ceil((60 * part) / after.length))}`,
  )
}
console.log(`${new Set(scores).size} different scores`)
