import { describe, expect, test } from 'bun:test'
import { createEntry } from '../../../src/domain/listing/service.ts'
import { wilsonLowerBound } from '../../../src/domain/standing/delivery.ts'
import {
  CREDIT_GROUNDS,
  EMPTY_TALLY,
  PROBE_OUTCOMES,
  type ProbeRecord,
  STATUSES,
  type Tally,
  toTally,
} from '../../../src/domain/standing/standing.ts'
import {
  type PaymentFacts,
  scoreOf,
  TRUST_POINTS,
  type TrustFacts,
  toTrust,
  weighTrust,
} from '../../../src/domain/standing/trust.ts'
import { tellInEnglish } from '../../../src/messages/message.ts'
import { draft, entry } from '../../entries.ts'
import { fc } from '../../fast-check.ts'
import { addTallies, probeOf } from '../../probes.ts'

const someEntry = entry()
const pointsOf = (facts: TrustFacts, status: (typeof STATUSES)[number] = 'verified') =>
  weighTrust(someEntry, status, facts)
const score = (facts: TrustFacts, status?: (typeof STATUSES)[number]) => scoreOf(pointsOf(facts, status))
/** Of a claimed wallet that was paid by wallets who have nothing to do with each other. */
const paidBy = (unrelated: number, parts: Partial<PaymentFacts> = {}): PaymentFacts => ({
  settlements: unrelated,
  payers: unrelated,
  credited: 'claim',
  inRing: 0,
  tooSmall: 0,
  unrelated,
  established: unrelated,
  since: null,
  recent: unrelated,
  largestShare: unrelated > 1 ? 1 / unrelated : 1,
  ...parts,
})
const facts = (
  probes: readonly ProbeRecord[],
  ageDays = 10,
  payments: PaymentFacts | null = paidBy(3),
): TrustFacts => ({ tally: addTallies(probes.map(toTally)), ageDays, payments })

const anyProbe: fc.Arbitrary<ProbeRecord> = fc
  .record({
    outcome: fc.constantFrom(...PROBE_OUTCOMES),
    httpStatus: fc.option(fc.integer({ min: 200, max: 599 })),
    latencyMs: fc.option(fc.integer({ min: 0, max: 20_000 })),
    asListed: fc.boolean(),
  })
  .map(parts => probeOf('svc', parts))
const anyProbes = fc.array(anyProbe, { maxLength: 60 })
const anyFacts = fc.record({
  tally: anyProbes.map(probes => addTallies(probes.map(toTally))),
  ageDays: fc.nat(1_000),
  payments: fc.option(
    fc.record({
      settlements: fc.nat(1_000_000),
      payers: fc.nat(100_000),
      credited: fc.constantFrom(null, ...CREDIT_GROUNDS),
      inRing: fc.nat(1_000),
      tooSmall: fc.nat(1_000),
      unrelated: fc.nat(100_000),
      established: fc.nat(1_000),
      since: fc.constant(null),
      recent: fc.nat(1_000),
      largestShare: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  ),
})
const anyStatus = fc.constantFrom(...STATUSES)
const failure = probeOf('svc', { outcome: 'unreachable', httpStatus: null, latencyMs: null, asListed: false })
const good = probeOf('svc')

describe('the trust score', () => {
  test('is always a whole number from 0 to 100, and the sum of its components', () => {
    fc.assert(
      fc.property(anyFacts, anyStatus, (some, status) => {
        const components = pointsOf(some, status)
        for (const { points, most, reason } of components) {
          expect(points === null || (Number.isInteger(points) && points >= 0 && points <= most)).toBe(true)
          expect(tellInEnglish(reason)).toMatch(/^[A-Z0-9].*\.$/)
        }
        expect(scoreOf(components)).toBeLessThanOrEqual(100)
      }),
    )
  })

  test('reaches 60 without purchases, and the rest needs deliveries', () => {
    expect(Object.values(TRUST_POINTS).reduce((sum, most) => sum + most, 0)).toBe(100)
    expect(score(facts(Array<ProbeRecord>(2_000).fill(good), 400, paidBy(1_000)))).toBe(60)
  })

  test('is never raised by a failure, a mismatched answer or a slower answer', () => {
    fc.assert(
      fc.property(anyProbes, anyProbe, (probes, other) => {
        const before = score(facts(probes))
        expect(score(facts([...probes, failure]))).toBeLessThanOrEqual(before)
        const fine = score(facts([...probes, good]))
        expect(score(facts([...probes, { ...good, outcome: 'mismatched' }]))).toBeLessThanOrEqual(fine)
        expect(score(facts([...probes, { ...good, asListed: false }]))).toBeLessThanOrEqual(fine)
        const slower = { ...other, latencyMs: (other.latencyMs ?? 0) + 5_000 }
        expect(score(facts([...probes, slower]))).toBeLessThanOrEqual(score(facts([...probes, other])))
      }),
      { numRuns: 500 },
    )
  })

  test('is never lowered by a good answer, age, payers or verification', () => {
    fc.assert(
      fc.property(anyFacts, some => {
        const better: TrustFacts[] = [
          { ...some, tally: addTallies([some.tally, toTally(good)]) },
          { ...some, ageDays: some.ageDays + 1 },
          ...(some.payments === null
            ? [{ ...some, payments: paidBy(2) }]
            : [
                { ...some, payments: { ...some.payments, unrelated: some.payments.unrelated + 1 } },
                { ...some, payments: { ...some.payments, established: some.payments.unrelated } },
                { ...some, payments: { ...some.payments, credited: 'claim' as const } },
                { ...some, payments: { ...some.payments, largestShare: 0 } },
              ]),
        ]
        for (const next of better) expect(score(next)).toBeGreaterThanOrEqual(score(some))
        expect(score(some, 'verified')).toBeGreaterThan(score(some, 'unverified'))
      }),
      { numRuns: 500 },
    )
  })

  test('is not changed by refusals', () => {
    const refused: ProbeRecord = { ...failure, outcome: 'refused', httpStatus: 429 }
    fc.assert(
      fc.property(anyProbes, probes => {
        expect(pointsOf(facts([...probes, refused]))).toEqual(pointsOf(facts(probes)))
      }),
    )
  })

  test('is lower for few probes than for many with the same share of answers', () => {
    const tally = (times: number): Tally => ({ ...EMPTY_TALLY, up: 9 * times, failed: times })
    const uptime = (times: number) =>
      pointsOf({ tally: tally(times), ageDays: 0, payments: paidBy(100) })[1]!.points!
    expect(uptime(1)).toBeLessThan(uptime(10))
    expect(uptime(10)).toBeLessThan(uptime(1_000))
  })
})

const YEAR = Array<ProbeRecord>(8_760).fill(good)
const YEAR_FACTS = facts(YEAR, 365)
/** What an endpoint has that was kept up for a year, by its payments. */
const kept = (payments: PaymentFacts | null) => score({ ...YEAR_FACTS, payments })

describe('an attacker gets', () => {
  const FREE = 40

  test('no more than forty points for an endpoint that is kept up for a year', () => {
    expect(kept(null)).toBe(FREE)
    expect(kept(paidBy(0))).toBe(FREE)
  })

  test('nothing for payers of an unclaimed wallet, for dust, for a ring or for a single payer', () => {
    for (const payments of [
      paidBy(10_000, { credited: null }),
      paidBy(0, { payers: 100, tooSmall: 100 }),
      paidBy(0, { payers: 100, inRing: 100 }),
      paidBy(1, { settlements: 1_000 }),
    ])
      expect(kept(payments)).toBe(FREE)
  })

  test('an explanation of which payers do not count', () => {
    const told = (payments: PaymentFacts | null) =>
      tellInEnglish(pointsOf(facts(YEAR, 365, payments)).find(({ name }) => name === 'payers')!.reason)
    expect(told(paidBy(4, { payers: 9, established: 1, inRing: 3, tooSmall: 2, largestShare: 0.8 }))).toBe(
      '9 wallets paid it on chain, and count because its wallet claimed it. 1 has paid it for 30 days, and other sellers, and counts in full, 2 count as a tenth. 50 in full give all points. Not counted: 3 received money from it, directly or through others that it paid, 2 paid too little in total, one paid 80% of the rest.',
    )
    expect(told(paidBy(7, { credited: null }))).toContain('or a facilitator lists it')
    expect(told(null)).toBe(
      'This directory does not count who pays on Base: at most, it looks up its own purchases and the payments that are reported.',
    )
  })

  test('a tenth for new wallets, and points for established ones up to 60', () => {
    const walletsFor = (points: number, parts: (wallets: number) => Partial<PaymentFacts>) => {
      for (let wallets = 2; wallets <= 1_000; wallets++)
        if (kept(paidBy(wallets, parts(wallets))) >= points) return wallets
      return undefined
    }
    // docs/trust.md tells these.
    const points = [42, 45, 50, 55, 60, 61]
    expect(points.map(each => walletsFor(each, () => ({})))).toEqual([2, 2, 6, 17, 46, undefined])
    expect([42, 45, 47].map(each => walletsFor(each, () => ({ established: 0 })))).toEqual([4, 27, 389])
    expect(kept(paidBy(40_000, { established: 0 }))).toBe(49)
  })

  test('points for delivered purchases, in addition to those for payers', () => {
    const bought = (delivered: number, payments: PaymentFacts | null = null) => {
      const last = { id: 'pur', at: '2026-11-01T00:00:00.000Z', outcome: 'delivered' as const }
      const delivery = { purchases: delivered, delivered, failedInARow: 0, last, told: [] }
      return scoreOf(weighTrust({ ...someEntry, delivery }, 'verified', { ...YEAR_FACTS, payments }))
    }
    // docs/trust.md tells these.
    expect([1, 3, 7, 20].map(times => bought(times))).toEqual([48, 58, 66, 74])
    expect([2, 10, 50].map(wallets => bought(20, paidBy(wallets)))).toEqual([80, 86, 94])
  })
})

test('what is not known has no points, and says why', () => {
  const unknown = { tally: EMPTY_TALLY, ageDays: 0, payments: null } as const
  expect(
    Object.fromEntries(
      pointsOf(unknown, 'unverified').map(({ name, points, reason }) => [name, [points, reason.code]]),
    ),
  ).toEqual({
    verification: [0, 'host_reserved'],
    uptime: [null, 'host_reserved'],
    stability: [null, 'host_reserved'],
    latency: [null, 'host_reserved'],
    age: [0, 'age'],
    payers: [null, 'payers_unknown'],
    delivery: [null, 'never_bought'],
  })
})

describe('the lower end of the interval', () => {
  test('agrees with published values of Wilson’s interval', () => {
    expect(wilsonLowerBound(1, 1)).toBeCloseTo(0.2065, 4)
    expect(wilsonLowerBound(81, 263)).toBeCloseTo(0.2553, 4)
    expect(wilsonLowerBound(0, 20)).toBe(0)
  })

  test('rises with good samples and falls with others', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.nat(2_000), (good, bad) => {
        const now = wilsonLowerBound(good, good + bad)
        expect(now).toBeGreaterThanOrEqual(0)
        expect(now).toBeLessThan(1)
        expect(wilsonLowerBound(good + 1, good + 1 + bad)).toBeGreaterThanOrEqual(now)
        expect(wilsonLowerBound(good, good + bad + 1)).toBeLessThanOrEqual(now)
      }),
    )
  })
})

test('a sample entry says that its status is invented', () => {
  const sample = createEntry(draft(), { id: someEntry.id, now: new Date(0), source: 'sample' })
  const trusted = { ...sample, standing: { ...sample.standing, trustScore: 72 } }
  expect(toTrust(trusted, null)).toMatchObject({
    trustScore: 72,
    components: [{ name: 'sample', points: 72, most: 100 }],
  })
})
