// What does a crowd of listings of one place cost: a write there, and a question about a payment there, beside an ordinary place?
// bun bench/crowds.ts [entries]
import { Catalog } from '../src/catalog/catalog.ts'
import { Places } from '../src/catalog/places.ts'
import { placeOf } from '../src/domain/hosts/endpoint.ts'
import { createIdSource } from '../src/domain/ids.ts'
import { createEntry, type Entry } from '../src/domain/listing/service.ts'
import { parseResolveQuery } from '../src/domain/resolve/resolution.ts'

const entries = Number(process.argv[2] ?? 100_000)
const BATCHES = 15
const CROWDS = [30, 1_000, 10_000]
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const now = new Date()
const newId = createIdSource()

/** A verified listing of a wallet of its own, whose endpoint was seen. */
function listing(endpoint: string, wallet: number): Entry {
  const payTo = `0x${wallet.toString(16).padStart(40, '0')}`
  const created = createEntry(
    {
      name: `Service ${wallet}`,
      description: 'Seven-day forecast for every city',
      endpoint,
      category: 'weather',
      pricing: { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 0 },
      x402Config: { paymentAddress: payTo, network: 'base' },
    },
    { id: newId(now), now },
  )
  const ways = [{ scheme: 'exact', chain: 'eip155:8453', asset: USDC, amount: '2500', payTo }]
  return {
    ...created,
    owner: `eip155:${payTo}`,
    standing: { ...created.standing, status: 'verified' },
    seen: {
      at: now.toISOString(),
      price: 'same',
      asks: { amount: '0.0025', currency: 'USDC' },
      resources: [{ url: endpoint, method: 'GET', ways }],
    },
  }
}

/** Microseconds of one run, in the quickest of several batches: what others do on the machine is no part of it. */
function time(runs: number, run: (i: number) => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < BATCHES; batch++) {
    const began = Bun.nanoseconds()
    for (let i = 0; i < runs; i++) run(i)
    least = Math.min(least, (Bun.nanoseconds() - began) / runs / 1_000)
  }
  return least
}
const ratio = (a: number, b: number): string => (a / b).toFixed(2)

const endpointOf = (i: number): string => `https://api${i % 977}.seller${i}.test/v1/forecast`
const ordinary = Array.from({ length: 1_000 }, (_, i) =>
  listing(endpointOf(Math.floor((i * entries) / 1_000)), i + 1),
)

const places = new Places()
for (let i = 0; i < entries; i++) places.write(i, listing(endpointOf(i), i + 1))
const slotOf = (i: number) => Math.floor((i * entries) / 1_000)
const write = time(1_000, i => places.write(slotOf(i), ordinary[i]!))
const found = ordinary.map(({ endpoint }) => placeOf(endpoint))
const lookup = time(1_000, i => places.at(found[i]!))
console.log(
  `${entries} entries: finding the others at a place takes ${ratio(lookup, write)} of writing the place`,
)

const catalog = new Catalog()
let seq = 0
const apply = (...all: readonly Entry[]) =>
  catalog.apply(all.map(entry => ({ seq: ++seq, objectSeq: seq, id: entry.id, entry })))
apply(...ordinary)
const ask = (url: string) => {
  const query = parseResolveQuery({
    url,
    payTo: `0x${'1'.padStart(40, '0')}`,
    network: 'base',
    amount: '2500',
  })
  return time(200, () => catalog.resolve(query, now))
}
const usualWrite = time(200, i => apply(ordinary[i]!))
const usualQuestion = ask(ordinary[0]!.endpoint)
console.log(`an ordinary write takes ${usualWrite.toFixed(0)} µs, a question ${usualQuestion.toFixed(0)} µs`)
for (const count of CROWDS) {
  const endpoint = `https://crowd${count}.test/v1`
  const crowd = Array.from({ length: count }, (_, i) => listing(endpoint, i + 1))
  apply(...crowd)
  const writing = time(200, i => apply(crowd[i % count]!))
  console.log(
    `${count} listings of one place: a write takes ${ratio(writing, usualWrite)} times an ordinary one, a question ${ratio(ask(endpoint), usualQuestion)} times`,
  )
}
const deep = `https://deep.test/v1${'/a'.repeat(950)}`
apply(listing('https://deep.test/v1', 1))
console.log(
  `a URL of 950 segments: a question takes ${ratio(ask(deep), usualQuestion)} times an ordinary one`,
)
