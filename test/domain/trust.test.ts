import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  addTallies,
  EMPTY_TALLY,
  PROBE_OUTCOMES,
  type ProbeRecord,
  type Tally,
  toTally,
} from '../../src/domain/probes.ts'
import { createEntry } from '../../src/domain/service.ts'
import { STATUSES } from '../../src/domain/standing.ts'
import {
  scoreOf,
  surelyAtLeast,
  TRUST_POINTS,
  type TrustFacts,
  toTrust,
  weighTrust,
} from '../../src/domain/trust.ts'
import { tellInEnglish } from '../../src/messages/tell.ts'
import { draft, entry } from '../entries.ts'

const someEntry = entry()
const pointsOf = (facts: TrustFacts, status: (typeof STATUSES)[number] = 'verified') =>
  weighTrust(someEntry, status, facts)
const score = (facts: TrustFacts, status?: (typeof STATUSES)[number]) => scoreOf(pointsOf(facts, status))
const facts = (probes: readonly ProbeRecord[], ageDays = 10, payers: number | null = 3): TrustFacts => ({
  tally: addTallies(probes.map(toTally)),
  ageDays,
  payers,
})

const anyProbe: fc.Arbitrary<ProbeRecord> = fc
  .record({
    outcome: fc.constantFrom(...PROBE_OUTCOMES),
    httpStatus: fc.option(fc.integer({ min: 200, max: 599 })),
    latencyMs: fc.option(fc.integer({ min: 0, max: 20_000 })),
    asListed: fc.boolean(),
  })
  .map(parts => ({
    serviceId: 'svc',
    at: '2026-11-01T00:00:00.000Z',
    priceSeen: null,
    reasons: [],
    ...parts,
  }))
const anyProbes = fc.array(anyProbe, { maxLength: 60 })
const anyFacts = fc.record({
  tally: anyProbes.map(probes => addTallies(probes.map(toTally))),
  ageDays: fc.nat(1_000),
  payers: fc.option(fc.nat(100_000)),
})
const anyStatus = fc.constantFrom(...STATUSES)
const failure: ProbeRecord = {
  serviceId: 'svc',
  at: '2026-11-01T00:00:00.000Z',
  outcome: 'unreachable',
  httpStatus: null,
  latencyMs: null,
  priceSeen: null,
  asListed: false,
  reasons: [],
}
const good: ProbeRecord = { ...failure, outcome: 'payable', httpStatus: 402, latencyMs: 90, asListed: true }

describe('the trust score', () => {
  test('is always a whole number from 0 to 100, and the sum of its components', () => {
    fc.assert(
      fc.property(anyFacts, anyStatus, (some, status) => {
        const components = pointsOf(some, status)
        for (const { points, most, reason } of components) {
          expect(Number.isInteger(points) && points >= 0 && points <= most).toBe(true)
          expect(tellInEnglish(reason)).toMatch(/^[A-Z0-9].*\.$/)
        }
        expect(scoreOf(components)).toBeLessThanOrEqual(100)
      }),
    )
  })

  test('the components can give 100 together, and the best service nearly does', () => {
    expect(Object.values(TRUST_POINTS).reduce((sum, most) => sum + most, 0)).toBe(100)
    expect(score(facts(Array<ProbeRecord>(2_000).fill(good), 400, 1_000))).toBe(100)
  })

  test('does not depend on the order of probes', () => {
    fc.assert(
      fc.property(
        anyProbes.chain(probes =>
          fc.tuple(fc.constant(probes), fc.shuffledSubarray(probes, { minLength: probes.length })),
        ),
        ([probes, shuffled]) => {
          expect(pointsOf(facts(shuffled))).toEqual(pointsOf(facts(probes)))
        },
      ),
    )
  })

  test('is never raised by a failure, by an answer that pays another, or by a slower answer', () => {
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

  test('is never lowered by a good answer, by age, by payers, or by being verified', () => {
    fc.assert(
      fc.property(anyFacts, some => {
        const better: TrustFacts[] = [
          { ...some, tally: addTallies([some.tally, toTally(good)]) },
          { ...some, ageDays: some.ageDays + 1 },
          { ...some, payers: (some.payers ?? 0) + 1 },
        ]
        for (const next of better) expect(score(next)).toBeGreaterThanOrEqual(score(some))
        expect(score(some, 'verified')).toBeGreaterThan(score(some, 'unverified'))
      }),
      { numRuns: 500 },
    )
  })

  test('is not moved by refusals', () => {
    const refused: ProbeRecord = { ...failure, outcome: 'refused', httpStatus: 429 }
    fc.assert(
      fc.property(anyProbes, probes => {
        expect(pointsOf(facts([...probes, refused]))).toEqual(pointsOf(facts(probes)))
      }),
    )
  })

  test('gives a share of few probes less than the same share of many', () => {
    const tally = (times: number): Tally => ({ ...EMPTY_TALLY, up: 9 * times, failed: times })
    const uptime = (times: number) => pointsOf({ tally: tally(times), ageDays: 0, payers: null })[1]!.points
    expect(uptime(1)).toBeLessThan(uptime(10))
    expect(uptime(10)).toBeLessThan(uptime(1_000))
  })
})

describe('the lower end of the interval', () => {
  test('agrees with published values of Wilson’s interval', () => {
    expect(surelyAtLeast(1, 1)).toBeCloseTo(0.2065, 4)
    expect(surelyAtLeast(81, 263)).toBeCloseTo(0.2553, 4)
    expect(surelyAtLeast(0, 20)).toBe(0)
  })

  test('rises with good samples and falls with others', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.nat(2_000), (good, bad) => {
        const now = surelyAtLeast(good, good + bad)
        expect(now).toBeGreaterThanOrEqual(0)
        expect(now).toBeLessThan(1)
        expect(surelyAtLeast(good + 1, good + 1 + bad)).toBeGreaterThanOrEqual(now)
        expect(surelyAtLeast(good, good + bad + 1)).toBeLessThanOrEqual(now)
      }),
    )
  })
})

test('a sample entry says that its standing is invented', () => {
  const sample = createEntry(draft(), { id: someEntry.id, now: new Date(0), source: 'sample' })
  const trusted = { ...sample, standing: { ...sample.standing, trustScore: 72 } }
  expect(toTrust(trusted, null)).toMatchObject({
    trustScore: 72,
    components: [{ name: 'sample', points: 72, most: 100 }],
  })
})
