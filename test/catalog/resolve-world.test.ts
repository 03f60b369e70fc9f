// Whatever strangers, thieves and a dishonest seller do with listings of a host: a price rise, a new payee and a hijack are never clear while
// they are new, and nobody makes payments to an honest seller doubtful. The listings are probed and judged as a directory does it.
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { editEntry, restoreEntry, retireEntry, toDraft } from '../../src/domain/listing/edit.ts'
import type { Entry, ServiceDraft } from '../../src/domain/listing/service.ts'
import { parseResolveQuery } from '../../src/domain/resolve/resolution.ts'
import { type Judgement, judge, LOOK_BACK } from '../../src/domain/standing/judge.ts'
import { type ProbeRecord, toTally } from '../../src/domain/standing/standing.ts'
import { comparePrice } from '../../src/domain/terms/terms.ts'
import { dayOf } from '../../src/domain/time.ts'
import { verbatim } from '../../src/messages/message.ts'
import { entry } from '../entries.ts'
import { fc } from '../fast-check.ts'
import { addTallies } from '../probes.ts'
import { requirements, resource } from '../terms.ts'

const HOUR_MS = 3_600_000
const wallet = (digit: number) => `0x${String(digit).repeat(40)}`
const [SELLER, THIEF, OTHERS] = [wallet(1), wallet(6), [wallet(2), wallet(3), wallet(4)]] as const
const SOLANA_THIEF = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const BASE = { network: 'base', chain: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }
const SOLANA = {
  network: 'solana',
  chain: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
}
const PATHS = ['', '/v1', '/v1/a', '/v1?q=1', '/v1?q=1&r=2', '/v1?r=2', '/v1/a?x=1']
const URLS = PATHS.map(path => `https://api.shop.dev${path}`)
const PRICES = ['0.0001', '0.001', '0.01', '0.1', '1']

/** What an endpoint asks for. */
type Asking = { price: string; payTo: string; onSolana?: string }
type Listed = { entry: Entry; finding: Judgement['finding'] | null; probes: ProbeRecord[] }

const micros = (price: string): string => String(Math.round(Number(price) * 1e6))

class World {
  readonly asking: Map<string, Asking>
  readonly listed: Listed[] = []
  /** When each endpoint was last probed before it changed. */
  readonly lastBefore = new Map<string, number>()
  readonly changed = new Set<string>()
  nowMs = Date.parse('2026-06-01T00:00:00Z')
  readonly #catalog = new Catalog()
  #seq = 0
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
    this.asking = new Map(URLS.map(url => [url, { price: this.pick(PRICES.slice(1, 4)), payTo: SELLER }]))
  }

  get now(): Date {
    return new Date(this.nowMs)
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * limit)
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }

  /** @param owner null: it is from a followed list */
  register(endpoint: string, payTo: string, price: string, owner: string | null, network = 'base'): Listed {
    const pricing = { currency: 'USDC', pricePerRequest: price, freeQuota: 0 }
    const created = entry(
      { endpoint, pricing, x402Config: { paymentAddress: payTo, network } },
      { now: this.now },
    )
    const origin = { key: created.id, seq: 0 }
    const followed = { ...created.provenance, sourceUrl: 'https://list.dev', origin }
    const listed: Listed = {
      entry: { ...created, owner, provenance: owner === null ? followed : created.provenance },
      finding: null,
      probes: [],
    }
    this.listed.push(listed)
    this.#put(listed)
    return listed
  }

  probe(listed: Listed): void {
    const { endpoint, pricing, x402Config, retired, id } = listed.entry
    if (retired !== null) return
    const { price, payTo, onSolana } = this.asking.get(endpoint)!
    const accepts = [
      { ...requirements, ...BASE, amount: micros(price), payTo },
      ...(onSolana ? [{ ...requirements, ...SOLANA, amount: micros(price), payTo: onSolana }] : []),
    ]
    const own = accepts.filter(({ network }) => network === x402Config.network)
    const asks = { amount: price, currency: 'USDC' }
    const compared = comparePrice(asks, pricing)
    const isPayable =
      own.length > 0 && own.every(way => way.payTo === x402Config.paymentAddress) && compared !== 'higher'
    const probe: ProbeRecord = {
      serviceId: id,
      at: this.now.toISOString(),
      outcome: isPayable ? 'payable' : 'mismatched',
      httpStatus: 402,
      latencyMs: 9,
      priceSeen: null,
      asListed: isPayable,
      reasons: [verbatim('Probed.')],
    }
    listed.probes.push(probe)
    const further = accepts.filter(({ network }) => network !== x402Config.network)
    const judged = judge(
      listed.entry,
      {
        probe,
        terms: {
          payTo: own.map(way => way.payTo),
          price: asks,
          furtherChains: further.map(({ network }) => network),
          furtherPayees: further.map(way => ({ chain: way.chain, payTo: way.payTo })),
          seen: { x402Version: 2, asks, price: compared, resources: [resource({ url: endpoint, accepts })] },
        },
      },
      {
        latest: listed.probes.toReversed().slice(0, LOOK_BACK),
        latencies: [],
        tally: addTallies(listed.probes.map(toTally)),
        lastPayableDay: dayOf(probe.at),
        newestAt: probe.at,
        payments: null,
        purchases: [],
        finding: listed.finding,
      },
    )
    Object.assign(listed, { entry: judged.entry, finding: judged.finding })
    this.#put(listed)
    if (!this.changed.has(endpoint)) this.lastBefore.set(endpoint, this.nowMs)
  }

  edit(listed: Listed, change: Partial<ServiceDraft>): void {
    const edited = editEntry(
      listed.entry,
      { ...toDraft(listed.entry), ...change },
      { by: 'owner', now: this.now },
    )
    if (!edited) return
    if (edited.forget?.includes('probes')) Object.assign(listed, { finding: null, probes: [] })
    listed.entry = edited.entry
    this.#put(listed)
  }

  reprice(listed: Listed, pricePerRequest: string): void {
    this.edit(listed, { pricing: { ...listed.entry.pricing, pricePerRequest } })
  }

  retireOrRestore(listed: Listed): void {
    const act = { by: 'owner', now: this.now } as const
    const { entry } = listed
    listed.entry = (
      entry.retired === null ? retireEntry(entry, 'Closed.', act) : restoreEntry(entry, act)
    )!.entry
    this.#put(listed)
  }

  remove(listed: Listed): void {
    this.listed.splice(this.listed.indexOf(listed), 1)
    const { id, endpoint } = listed.entry
    this.#catalog.apply([{ seq: ++this.#seq, objectSeq: this.#seq, id, entry: null, endpoint }])
  }

  ask(url: string, payTo: string, { network, asset } = BASE): string {
    const amount = micros(this.asking.get(url)!.price)
    const query = parseResolveQuery({ url, payTo, network, asset, amount, scheme: 'exact' })
    const { verdict, reasons } = this.#catalog.resolve(query, this.now).decode()
    return [verdict, ...reasons.map(({ code }) => code)].join(' ')
  }

  /** Somebody lists any URL, for any wallet at any price. */
  registerAny(): Listed {
    const owner = this.pick([...OTHERS.map(address => `eip155:${address}`), null])
    return this.register(this.pick(URLS), this.pick([SELLER, ...OTHERS]), this.pick(PRICES), owner)
  }

  #put({ entry }: Listed): void {
    this.#catalog.apply([{ seq: ++this.#seq, objectSeq: this.#seq, id: entry.id, entry }])
  }
}

const STEPS = 20
const runs = { numRuns: 25 }

test('nobody can make payments to an honest seller doubtful', () => {
  const play = (seed: number) => {
    const world = new World(seed)
    for (let i = world.below(3); i > 0; i--) world.probe(world.registerAny())
    const url = world.pick(URLS)
    const own = world.register(url, SELLER, world.asking.get(url)!.price, `eip155:${SELLER}`)
    world.nowMs += 8 * 24 * HOUR_MS
    world.probe(own)
    for (let step = 0; step < STEPS; step++) {
      const theirs = world.listed.filter(each => each !== own)
      const one = theirs.length > 0 ? world.pick(theirs) : world.registerAny()
      const act = world.pick<() => void>([
        () => world.registerAny(),
        () => world.probe(one),
        () => world.reprice(one, world.pick(PRICES)),
        () => world.edit(one, { endpoint: world.pick(URLS) }),
        () => world.edit(one, { x402Config: { paymentAddress: world.pick(OTHERS), network: 'base' } }),
        () => world.retireOrRestore(one),
        () => world.remove(one),
        () => {
          const { endpoint, pricing, x402Config, owner } = one.entry
          for (let i = world.below(4) === 0 ? 22 : 2; i > 0; i--)
            world.probe(world.register(endpoint, x402Config.paymentAddress, pricing.pricePerRequest, owner))
        },
        () => {
          world.nowMs += world.below(30) * HOUR_MS
          world.probe(own)
        },
      ])
      act()
      expect([seed, step, world.ask(url, SELLER)]).toEqual([seed, step, 'clear as_listed_and_seen'])
    }
  }
  fc.assert(fc.property(fc.nat(), play), runs)
})

test.each([
  ['another payee', 7 * 24, (before: Asking) => ({ ...before, payTo: THIEF })],
  ['a payee on another chain', 7 * 24, (before: Asking) => ({ ...before, onSolana: SOLANA_THIEF })],
])('%s is not clear while it is new', (_, hours, change) => {
  const play = (seed: number) => {
    const world = new World(seed)
    for (let i = world.below(3); i > 0; i--) world.probe(world.registerAny())
    for (const url of URLS)
      if (world.below(2) === 0)
        world.probe(world.register(url, SELLER, world.asking.get(url)!.price, `eip155:${SELLER}`))
    const honest = new Set(world.listed)
    world.nowMs += world.below(30) * HOUR_MS
    for (const each of world.listed) if (world.below(3) > 0) world.probe(each)
    const target = world.pick(URLS)
    for (const [url, before] of world.asking) {
      if (url !== target && world.below(2) === 0) continue
      world.asking.set(url, change(before))
      world.changed.add(url)
    }
    const { payTo, onSolana } = world.asking.get(target)!
    const [payee, network] = onSolana ? ([onSolana, SOLANA] as const) : ([payTo, BASE] as const)
    const account = `${onSolana ? 'solana' : 'eip155'}:${payee}`
    const list = (url: string, owner = account) =>
      world.register(url, payee, world.asking.get(url)!.price, owner, network.network)
    for (let step = 0; step < STEPS; step++) {
      // Who raises the price is the seller; a thief has listings of his own alone.
      const theirs = world.listed.filter(each => payee === SELLER || !honest.has(each))
      const one = theirs.length > 0 ? world.pick(theirs) : list(target)
      const url = world.below(2) === 0 ? target : world.pick(URLS)
      const act = world.pick<() => void>([
        () => world.probe(list(url)),
        () => world.probe(list(url, `eip155:${world.pick(OTHERS)}`)),
        () => world.probe(world.pick(world.listed)),
        () => {
          world.reprice(one, world.asking.get(one.entry.endpoint)!.price)
          world.probe(one)
        },
        () => {
          world.edit(one, { endpoint: url })
          world.reprice(one, world.asking.get(url)!.price)
          world.probe(one)
        },
        () => world.retireOrRestore(one),
        () => world.remove(one),
        () => {
          for (let i = world.below(4) === 0 ? 22 : 2; i > 0; i--) world.probe(list(url))
        },
        () => {
          world.nowMs += world.below(hours / 5) * HOUR_MS
        },
      ])
      act()
      for (const each of world.changed) {
        const isListed = [...honest].some(
          ({ entry }) => entry.endpoint === each && entry.owner === `eip155:${SELLER}`,
        )
        if (!isListed) continue
        const lastMs = world.lastBefore.get(each)
        if (lastMs === undefined || world.nowMs - lastMs >= hours * HOUR_MS) continue
        expect([seed, step, each, world.ask(each, payee, network).split(' ')[0]]).not.toEqual([
          seed,
          step,
          each,
          'clear',
        ])
      }
    }
  }
  fc.assert(fc.property(fc.nat(), play), runs)
})
