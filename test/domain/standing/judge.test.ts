import { describe, expect, test } from 'bun:test'
import type { Entry } from '../../../src/domain/listing/service.ts'
import {
  judge,
  judgeAgain,
  LOOK_BACK,
  type Measurement,
  type ReadTerms,
} from '../../../src/domain/standing/judge.ts'
import {
  isCounted,
  isFailed,
  PROBE_OUTCOMES,
  type ProbeOutcome,
  type ProbeRecord,
  toTally,
} from '../../../src/domain/standing/standing.ts'
import { toTrust } from '../../../src/domain/standing/trust.ts'
import type { ResourceTerms } from '../../../src/domain/terms/terms.ts'
import { dayOf } from '../../../src/domain/time.ts'
import { say, verbatim } from '../../../src/messages/message.ts'
import { entry } from '../../entries.ts'
import { fc } from '../../fast-check.ts'
import { addTallies, probeOf } from '../../probes.ts'
import { requirements, resource, seen } from '../../terms.ts'

const HOUR_MS = 3_600_000
const START = Date.parse('2026-11-01T00:00:00Z')
const WALLET = `0x${'1'.repeat(40)}`
const OTHER = `0x${'2'.repeat(40)}`

const terms = (parts: Partial<ReadTerms> = {}): ReadTerms => ({
  payTo: [WALLET],
  price: { amount: '0.002', currency: 'USDC' },
  furtherChains: [],
  seen: seen(),
  ...parts,
})

/** A service that is probed every hour, with the history as a store would keep it. */
function createCourse(start: Entry = entry()) {
  let current = start
  let finding = null as ReturnType<typeof judge>['finding'] | null
  let last: ReturnType<typeof judge> | undefined
  const probes: ProbeRecord[] = []
  return {
    get entry() {
      return current
    },
    get last() {
      return last!
    },
    set retired(message: string | null) {
      current = { ...current, retired: message }
    },
    probe(outcome: ProbeOutcome, parts: Partial<ProbeRecord> & Partial<Measurement> = {}) {
      const { terms: seen = outcome === 'payable' ? terms() : undefined, firstRequest, ...rest } = parts
      const probe = probeOf(current.id, {
        at: new Date(START + (probes.length + 1) * HOUR_MS).toISOString(),
        outcome,
        httpStatus: outcome === 'unreachable' ? null : 402,
        asListed: outcome === 'payable',
        reasons: [verbatim(`It was ${outcome}.`)],
        ...rest,
      })
      probes.push(probe)
      last = judge(
        current,
        { probe, terms: seen, firstRequest },
        {
          latest: probes
            .filter(isCounted)
            .toSorted((a, b) => (a.at < b.at ? 1 : -1))
            .slice(0, LOOK_BACK),
          latencies: probes.flatMap(({ latencyMs }) => latencyMs ?? []).toReversed(),
          tally: addTallies(probes.map(toTally)),
          lastPayableDay: dayOf(probes.findLast(each => each.outcome === 'payable')?.at ?? '') || null,
          newestAt: probes
            .map(({ at }) => at)
            .toSorted()
            .at(-1)!,
          payments: null,
          purchases: [],
          finding,
        },
      )
      current = last.entry
      finding = last.finding
      return current.standing.status
    },
  }
}

describe('the status', () => {
  test('of a service whose first probe was refused says so, and by what', () => {
    const course = createCourse()
    expect(course.probe('refused', { httpStatus: 403 })).toBe('unverified')
    const { code, values } = toTrust(course.entry, course.last.facts).components[0]!
    expect({ code, values }).toEqual({ code: 'answers_with_refusal', values: { status: 403 } })
    course.probe('mismatched')
    expect(toTrust(course.entry, course.last.facts).components[0]!.code).toBe('not_as_registered')
  })

  const PROBES = {
    P: ['payable', {}],
    m: ['mismatched', {}],
    u: ['unpayable', { httpStatus: 200 }],
    g: ['unpayable', { httpStatus: 410 }],
    s: ['unpayable', { httpStatus: 503 }],
    x: ['unreachable', {}],
    r: ['refused', { httpStatus: 403 }],
    l: ['refused', { httpStatus: 429 }],
  } as const
  /** A letter for each probe, and for the status after it. */
  test.each([
    ['is lost after three refusals in a row, and regained by a response', 'PlrlrPr', 'VVVUUVV'],
    ['is lost only by refusals in a row', 'PrrPrrPrrPrrP', 'VVVVVVVVVVVVV'],
    ['is lost at once by a response that is mismatched', 'PmP', 'VUV'],
    ['is lost at once by a response that is unpayable', 'PuP', 'VUV'],
    ['survives two failures in a row and becomes inactive with the third', 'Pxsg', 'VVVI'],
    ['of a service that was never verified becomes inactive after three failures too', 'xxx', 'UUI'],
    ['does not become inactive if an answer interrupts the failures', 'xxPxx', 'UUVVV'],
    ['leaves inactive with the second answer in a row', 'xxxxPxPP', 'UUIIIIIV'],
    ['leaves inactive for what that answer says', 'PxxxPm', 'VVVIIU'],
    ['counts a single refusal as neither answer nor failure', 'PxxlxPrP', 'VVVVIIIV'],
  ])('%s', (_, probes, statuses) => {
    const course = createCourse()
    const judged = [...probes].map(letter => {
      const [outcome, parts] = PROBES[letter as keyof typeof PROBES]
      return course.probe(outcome, parts)[0]!.toUpperCase()
    })
    expect(judged.join('')).toBe(statuses)
  })

  test('changes with an event that says what happened, how often in a row and what was seen', () => {
    const course = createCourse()
    /** The reason that the last of the probes is told with. */
    const reasonAfter = (...outcomes: readonly ProbeOutcome[]) => {
      for (const outcome of outcomes) course.probe(outcome)
      return course.last.events[0]?.reason
    }
    const inARow = (count: number, outcome: ProbeOutcome) => ({
      count,
      seen: [verbatim(`It was ${outcome}.`)],
    })
    expect(reasonAfter('payable', 'refused', 'refused', 'refused')).toEqual(
      say('refused_in_a_row', inARow(3, 'refused')),
    )
    expect(reasonAfter('refused')).toBeUndefined()
    expect(reasonAfter('unreachable', 'unreachable', 'unreachable')).toEqual(
      say('failed_in_a_row', inARow(3, 'unreachable')),
    )
    expect(course.last.finding.refusals).toBeUndefined()
    expect(reasonAfter('payable', 'payable')).toEqual(say('answered_again', inARow(2, 'payable')))
  })

  test('lost by refusals is not regained by an older answer', () => {
    const course = createCourse()
    course.probe('payable')
    for (let i = 0; i < 3; i++) course.probe('refused')
    expect(course.probe('payable', { at: '2026-11-01T01:30:00.000Z' })).toBe('unverified')
  })

  test('is lost after at most nine probes without an answer, refused or failed, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<ProbeOutcome>('refused', 'unreachable'), { minLength: 9, maxLength: 9 }),
        outcomes => {
          const course = createCourse()
          course.probe('payable')
          expect(outcomes.map(outcome => course.probe(outcome)).at(-1)).not.toBe('verified')
        },
      ),
    )
  })

  describe('of a service that relapses', () => {
    const relapse = (course: ReturnType<typeof createCourse>) => {
      expect(course.probe('mismatched')).toBe('unverified')
    }
    /** How many good answers, an hour apart, it takes to be verified. */
    const answersUntilVerified = (course: ReturnType<typeof createCourse>) => {
      for (let count = 1; ; count++) if (course.probe('payable') === 'verified') return count
    }

    test('is regained at once after the first loss in a week, and a day after any further one', () => {
      const course = createCourse()
      course.probe('payable')
      const waits = Array.from({ length: 4 }, () => {
        relapse(course)
        return answersUntilVerified(course)
      })
      expect(waits).toEqual([1, 24, 24, 24])
    })

    test('waits from the loss on, and reports when the wait ends', () => {
      const course = createCourse()
      course.probe('payable')
      relapse(course)
      course.probe('payable')
      relapse(course)
      expect(course.probe('payable')).toBe('unverified')
      const { reason } = toTrust(course.entry, course.last.facts).components[0]!
      expect(reason).toContain('again from 2026-11-02T04:00:00.000Z')
    })

    test('is rare for a service that is honest only while its owner triggers probes', () => {
      const course = createCourse()
      course.probe('payable')
      const MINUTE_MS = 60_000
      let verifiedMinutes = 0
      const days = 7
      for (let minute = 1; minute <= days * 24 * 60; minute++) {
        const at = new Date(START + 2 * HOUR_MS + minute * MINUTE_MS).toISOString()
        const isVerified = course.entry.standing.status === 'verified'
        if (isVerified) verifiedMinutes++
        // It robs while it is verified, until the probe that comes by itself; then it is honest, and asks for probes until it is again.
        if (minute % 60 === 0) course.probe(isVerified ? 'mismatched' : 'payable', { at })
        else if (!isVerified && minute % 10 === 1) course.probe('payable', { at })
      }
      expect(verifiedMinutes / (days * 24 * 60)).toBeLessThan(0.06)
    })

    test('is regained at once again a week after the last loss', () => {
      const course = createCourse()
      course.probe('payable')
      for (let i = 0; i < 3; i++) {
        relapse(course)
        answersUntilVerified(course)
      }
      for (let hour = 0; hour < 7 * 24; hour++) course.probe('payable')
      relapse(course)
      expect(answersUntilVerified(course)).toBe(1)
    })

    test('does not count failures, or older probes that are stored late, as relapses', () => {
      const course = createCourse()
      course.probe('payable')
      for (let i = 0; i < 4; i++) {
        for (let failure = 0; failure < 3; failure++) course.probe('unreachable')
        expect(course.entry.standing.status).toBe('inactive')
        course.probe('payable')
        expect(course.probe('payable')).toBe('verified')
      }
      course.probe('mismatched', { at: '2026-10-01T00:00:00.000Z' })
      relapse(course)
      expect(course.probe('payable')).toBe('verified')
    })
  })

  test('is reported as at risk with the first failure in a row, once, and only if it is verified', () => {
    const course = createCourse()
    course.probe('unreachable')
    expect(course.last.events).toEqual([])
    course.probe('payable')
    course.probe('unreachable', { reasons: [say('answers', { status: 503 })] })
    expect(course.last.events).toEqual([
      {
        type: 'at_risk',
        at: course.last.entry.standing.lastChecked,
        reason: say('verified_at_risk', { left: 2, seen: [say('answers', { status: 503 })] }),
        before: 'verified',
        after: 'verified',
      },
    ])
    course.probe('unreachable')
    expect(course.last.events).toEqual([])
    course.probe('unreachable')
    expect(course.last.events.map(({ type }) => type)).toEqual(['status'])
    course.probe('unreachable')
    expect(course.last.events).toEqual([])
  })

  test('is reported as at risk with the first refusal in a row, and not by an older probe', () => {
    const course = createCourse()
    course.probe('payable')
    const risks = () => course.last.events.filter(({ type }) => type === 'at_risk').length
    const told = (['refused', 'refused', 'payable', 'refused', 'unreachable'] as const).map(outcome => {
      course.probe(outcome)
      return risks()
    })
    expect(told).toEqual([1, 0, 0, 1, 1])
    course.probe('payable')
    course.probe('unreachable', { at: '2026-11-01T00:30:00.000Z' })
    expect(risks()).toBe(0)
  })

  test('of a retired service stays inactive, whatever it answers, until its owner restores it', () => {
    const course = createCourse()
    course.probe('payable')
    course.retired = 'Closed for good.'
    expect(course.probe('payable')).toBe('inactive')
    expect(course.last.events[0]?.reason).toEqual(say('retired', { message: 'Closed for good.' }))
    expect(course.probe('payable')).toBe('inactive')
    course.retired = null
    expect(course.probe('payable')).toBe('verified')
  })

  test('is never verified with an address that is invalid on its chain', () => {
    const course = createCourse(entry({ x402Config: { paymentAddress: '0x12', network: 'base' } }))
    expect(course.probe('payable')).toBe('unverified')
    const verification = toTrust(course.entry, course.last.facts).components[0]
    expect(verification).toMatchObject({ name: 'verification', points: 0 })
    expect(verification?.reason).toContain('can never be verified')
  })
})

describe('figures of a service:', () => {
  test('uptime is the percentage of answers, with two decimals', () => {
    const course = createCourse()
    for (const outcome of ['payable', 'unreachable', 'mismatched', 'refused'] as const) course.probe(outcome)
    expect(course.entry.standing.uptimeScore).toBe(66.67)
  })

  test('a client error without terms counts as up, a server error and 410 as down', () => {
    const course = createCourse()
    course.probe('unpayable', { httpStatus: 404 })
    expect(course.entry.standing.uptimeScore).toBe(100)
    course.probe('unpayable', { httpStatus: 500 })
    expect(course.entry.standing.uptimeScore).toBe(50)
  })
})

describe('public changes', () => {
  test('updatedAt changes only with the public object', () => {
    const course = createCourse()
    const { updatedAt } = course.entry
    course.probe('refused')
    expect(course.entry.updatedAt).toBe(updatedAt)
    expect(course.entry.standing.lastChecked).not.toBe(updatedAt)
    course.probe('payable')
    expect(course.entry.updatedAt).toBe('2026-11-01T02:00:00.000Z')
  })

  test('the chains are the registered one as written, then each other chain of the answer once', () => {
    const course = createCourse(entry({ x402Config: { paymentAddress: WALLET, network: 'Base' } }))
    course.probe('payable', { terms: terms({ furtherChains: ['polygon', 'eip155:8453', 'solana'] }) })
    expect(course.entry.supportedChains).toEqual(['Base', 'polygon', 'solana'])
    course.probe('payable', { terms: terms({ furtherChains: ['arbitrum', 'solana', 'polygon'] }) })
    expect(course.entry.supportedChains).toEqual(['Base', 'polygon', 'solana', 'arbitrum'])
    course.probe('mismatched', { terms: terms({ furtherChains: ['tron'] }) })
    expect(course.entry.supportedChains).toEqual(['Base', 'polygon', 'solana', 'arbitrum'])
    course.probe('payable')
    expect(course.entry.supportedChains).toEqual(['Base'])
  })

  test('a new address and a new price are one event each, with before and after', () => {
    const course = createCourse()
    course.probe('payable')
    course.probe('payable', { terms: terms({ payTo: [WALLET.toUpperCase().replace('0X', '0x')] }) })
    expect(course.last.events).toEqual([])
    const moved = terms({ payTo: [OTHER], price: { amount: '0.5', currency: 'USDC' } })
    course.probe('mismatched', { terms: moved })
    expect(course.last.events.map(({ type, before, after }) => [type, before, after])).toEqual([
      ['status', 'verified', 'unverified'],
      ['pay_to', [WALLET], [OTHER]],
      ['price', { amount: '0.002', currency: 'USDC' }, { amount: '0.5', currency: 'USDC' }],
    ])
    course.probe('mismatched', { terms: moved })
    expect(course.last.events).toEqual([])
    course.probe('unreachable')
    course.probe('payable')
    expect(course.last.events.map(({ type }) => type)).toEqual(['status', 'pay_to', 'price'])
  })

  describe('a payee on another chain', () => {
    const chain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
    const paying = (...payees: readonly string[]) =>
      terms({
        furtherPayees: payees.map(payTo => ({ chain, payTo })),
        seen: seen(
          resource({
            accepts: [
              requirements,
              ...payees.map(payTo => ({ ...requirements, chain, network: chain, payTo })),
            ],
          }),
        ),
      })
    const sinceOf = (course: ReturnType<typeof createCourse>) =>
      course.entry.seen!.resources[0]!.ways.map(({ payTo, since }) => [payTo, since])

    test('creates an event when it first appears, and not when it disappears or returns', () => {
      const course = createCourse()
      course.probe('payable', { terms: paying('A') })
      expect(course.last.events.map(({ type }) => type)).toEqual(['status'])
      course.probe('payable', { terms: paying('A', 'B') })
      expect(course.last.events).toMatchObject([
        { type: 'pay_to', reason: { code: 'further_payee' }, before: [`${chain}:A`], after: [`${chain}:B`] },
      ])
      course.probe('unreachable')
      for (const payees of [['A'], ['B', 'A']]) course.probe('payable', { terms: paying(...payees) })
      expect(course.last.events).toEqual([])
      expect(sinceOf(course)).toEqual([
        [requirements.payTo, undefined],
        ['B', '2026-11-01T02:00:00.000Z'],
        ['A', undefined],
      ])
    })

    test('that changes every time creates a limited number of events, and the stored list is bounded', () => {
      const course = createCourse()
      let told = 0
      for (let i = 0; i < 60; i++) {
        course.probe('payable', { terms: paying(`P${i}`) })
        told += course.last.events.filter(({ type }) => type === 'pay_to').length
      }
      expect(told).toBe(7)
      expect(course.last.finding.furtherPayees).toHaveLength(33)
      expect(sinceOf(course).at(-1)![1]).toBeDefined()
    })
  })

  test('terms are told as changed where they differ, and stay where none can be read', () => {
    const course = createCourse()
    const input = { type: 'object', properties: { city: { type: 'string' } } }
    const probe = (...resources: readonly ResourceTerms[]) =>
      course.probe('payable', { terms: terms({ seen: seen(...resources) }) })
    probe(resource({ input }))
    probe(resource({ input, method: 'POST' }))
    expect(course.last.terms?.isChanged).toBe(true)
    probe(resource({ input, method: 'POST' }))
    expect(course.last.terms?.isChanged).toBe(false)
    expect(course.last.events).toEqual([])
    course.probe('unpayable')
    expect(course.entry.seen?.resources[0]?.method).toBe('POST')
    expect(course.last.terms).toBeUndefined()
  })
})

describe('for any sequence of probes', () => {
  type Step = readonly [ProbeOutcome, Partial<ProbeRecord>]
  const step: fc.Arbitrary<Step> = fc.tuple(
    fc.constantFrom(...PROBE_OUTCOMES),
    fc.record({
      httpStatus: fc.constantFrom(null, 200, 402, 403, 410, 500),
      latencyMs: fc.constantFrom(0, 90, 900, 9_000),
      asListed: fc.boolean(),
    }),
  )
  const steps = fc.array(step, { maxLength: 40 })
  const failing: Step = ['unreachable', { httpStatus: null }]
  const courseOf = (course: readonly Step[]) => {
    const created = createCourse()
    for (const [outcome, parts] of course) created.probe(outcome, parts)
    return created
  }

  test('the score is a whole number from 0 to 100 and the sum of its breakdown', () => {
    fc.assert(
      fc.property(steps, course => {
        const judged = createCourse()
        for (const [outcome, parts] of course) {
          judged.probe(outcome, parts)
          const { trustScore, uptimeScore } = judged.entry.standing
          expect(Number.isInteger(trustScore) && trustScore >= 0 && trustScore <= 100).toBe(true)
          expect(uptimeScore >= 0 && uptimeScore <= 100).toBe(true)
          expect(toTrust(judged.entry, judged.last.facts).trustScore).toBe(trustScore)
        }
      }),
    )
  })

  test('one more failure never raises score or uptime, and never verifies a service', () => {
    fc.assert(
      fc.property(steps, course => {
        const judged = courseOf(course)
        const before = judged.entry.standing
        judged.probe(...failing)
        const after = judged.entry.standing
        expect(after.trustScore).toBeLessThanOrEqual(before.trustScore)
        expect(after.uptimeScore).toBeLessThanOrEqual(before.uptimeScore)
        if (before.status !== 'verified') expect(after.status).not.toBe('verified')
      }),
      { numRuns: 300 },
    )
  })

  test('the order of earlier responses does not affect the score', () => {
    // Later than the day that a service may have to wait.
    const tail = Array.from(
      { length: LOOK_BACK },
      (_, i): Step => ['payable', { asListed: true, httpStatus: 402, at: `2027-01-0${i + 1}T00:00:00.000Z` }],
    )
    const shuffled = steps.chain(course =>
      fc.tuple(fc.constant(course), fc.shuffledSubarray(course, { minLength: course.length })),
    )
    fc.assert(
      fc.property(shuffled, ([course, other]) => {
        const [one, two] = [courseOf([...course, ...tail]), courseOf([...other, ...tail])]
        expect(two.entry.standing).toEqual(one.entry.standing)
        expect(two.last.facts).toEqual(one.last.facts)
      }),
      { numRuns: 300 },
    )
  })

  test('a service is verified only if its last answer names the registered address', () => {
    fc.assert(
      fc.property(steps, course => {
        const { standing } = courseOf(course).entry
        const answers = course.filter(([outcome, parts]) => {
          const probe = { outcome, httpStatus: 402, ...parts } as ProbeRecord
          return isCounted(probe) && !isFailed(probe)
        })
        if (standing.status === 'verified') expect(answers.at(-1)?.[0]).toBe('payable')
      }),
      { numRuns: 300 },
    )
  })
})

describe('a probe that is recorded late', () => {
  test('never moves updatedAt back', () => {
    const edited = { ...entry(), updatedAt: '2026-11-01T05:00:00.000Z' }
    const course = createCourse(edited)
    course.probe('payable')
    expect(course.entry.standing.status).toBe('verified')
    expect(course.entry.updatedAt).toBe(edited.updatedAt)
  })

  test('is counted, and the newer one still decides status, chains and findings', () => {
    const course = createCourse()
    course.probe('payable', { at: '2026-11-01T03:00:00.000Z', terms: terms({ furtherChains: ['solana'] }) })
    const { standing, supportedChains } = course.entry
    course.probe('mismatched', {
      at: '2026-11-01T02:00:00.000Z',
      terms: terms({ payTo: [OTHER] }),
      firstRequest: { url: 'https://weather.example/old' },
    })
    expect(course.last.events).toEqual([])
    expect(course.entry.supportedChains).toEqual(supportedChains)
    expect(course.entry.standing).toMatchObject({ status: 'verified', lastChecked: standing.lastChecked })
    expect(course.last.finding).toMatchObject({ payTo: [WALLET], price: terms().price })
    expect(course.last.finding.firstRequest).toBeUndefined()
    expect(course.last.facts.tally).toMatchObject({ up: 2, mismatched: 1 })
  })
})

describe('stored for later warnings:', () => {
  test('when the service ceased to be verified because of its terms, until it is verified again', () => {
    const course = createCourse()
    course.probe('payable')
    expect(course.entry.standing.status).toBe('verified')
    const stolen = { terms: terms({ payTo: [OTHER] }) }
    course.probe('mismatched', stolen)
    const lostAt = course.entry.seen?.lostAt
    expect(lostAt).toBeDefined()
    course.probe('mismatched', stolen)
    course.probe('unreachable')
    expect(course.entry.seen?.lostAt).toBe(lostAt!)
    while (course.probe('payable') !== 'verified');
    expect(course.entry.seen?.lostAt).toBeUndefined()
  })

  test('when the endpoint ceased to name the listed payee, even if it was never verified', () => {
    const course = createCourse()
    const paidTo = (payTo: string) => resource({ accepts: [{ ...requirements, payTo }] })
    course.probe('mismatched', { terms: terms({ seen: seen(paidTo(WALLET)) }) })
    expect(course.entry.seen?.lostAt).toBeUndefined()
    course.probe('mismatched', { terms: terms({ payTo: [OTHER], seen: seen(paidTo(OTHER)) }) })
    expect(course.entry.seen?.lostAt).toBe(course.entry.seen!.at)
  })

  test('nothing, if the service was never verified and never named its payee', () => {
    const course = createCourse()
    course.probe('mismatched', { terms: terms({ payTo: [OTHER], seen: { ...seen(), resources: [] } }) })
    expect(course.entry.seen?.lostAt).toBeUndefined()
  })
})

describe('Payers of whom a facilitator tells', () => {
  const list = 'https://api.cdp.coinbase.com/platform/v2/x402/discovery/resources'
  const told = (parts: object = {}): Entry => {
    const claim = { at: '2026-11-01T00:00:00.000Z', calls: 90, payers: 50, lastCalledAt: null }
    const origin = { key: 'https://weather.example/v1', seq: 0, claim, ...parts }
    const firstSeen = '2026-11-01T00:00:00.000Z'
    return { ...entry(), owner: null, provenance: { source: 'imported', sourceUrl: list, firstSeen, origin } }
  }
  const judged = (start: Entry) => {
    const course = createCourse(start)
    for (let i = 0; i < 3; i++) course.probe('payable')
    return course
  }

  test('count while its list has the service', () => {
    expect(judged(told()).last.facts.claimed).toEqual({ source: list, payers: 50 })
    expect(judged(told({ droppedAt: '2026-11-02T00:00:00.000Z' })).last.facts.claimed).toBeUndefined()
  })

  test('are forgotten when it is judged again and the list has it no more', () => {
    const { entry: verified, last } = judged(told())
    const sums = { tally: last.facts.tally, lastPayableDay: null, payments: null }
    const dropped = { ...verified, provenance: told({ droppedAt: '2026-11-02T00:00:00.000Z' }).provenance }
    const again = judgeAgain(dropped, last.facts, sums, new Date(START))
    expect(again.facts.claimed).toBeUndefined()
    expect(again.entry.standing.trustScore).toBeLessThan(verified.standing.trustScore)
  })
})

test('what a list claims counts for a month after it was read last', () => {
  const claimAt = (at: string): Entry => {
    const { provenance, ...plain } = entry()
    const origin = { key: 'a', seq: 0, claim: { at, calls: 90, payers: 9, lastCalledAt: null } }
    const sourceUrl = 'https://facilitator.payai.network/discovery/resources'
    return { ...plain, provenance: { ...provenance, sourceUrl, origin } }
  }
  const claimedBy = (at: string) => {
    const course = createCourse(claimAt(at))
    course.probe('payable')
    return course.last.facts.claimed?.payers
  }
  expect(claimedBy(new Date(START - 29 * 24 * HOUR_MS).toISOString())).toBe(9)
  expect(claimedBy(new Date(START - 31 * 24 * HOUR_MS).toISOString())).toBeUndefined()
})
