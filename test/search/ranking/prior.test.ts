import { describe, expect, test } from 'bun:test'
import { type PriorSignals, toPrior, toWeek } from '../../../src/search/ranking/prior.ts'
import { toScore } from '../../../src/search/ranking/rerank.ts'

const leaning = (given: Partial<PriorSignals>): PriorSignals => ({
  status: 'verified',
  proof: 80,
  since: 0,
  price: 0.01,
  currency: 'USDC',
  hasFreeQuota: false,
  latencyMs: undefined,
  ...given,
})

const factor = (wishes: Parameters<typeof toPrior>[0], given: Partial<PriorSignals>) =>
  toPrior(wishes, leaning(given)).factor
const ALL_TRUST = Array.from({ length: 101 }, (_, proof) => proof)

describe('status and trust weigh relevance', () => {
  test('so that an inactive entry never ranks above a live one of equal relevance and trust', () => {
    for (const proof of ALL_TRUST)
      expect(factor([], { status: 'inactive', proof })).toBeLessThan(
        factor([], { status: 'unverified', proof }),
      )
  })
  test('so that a verified entry ranks above an unverified one, and the more trusted of two first', () => {
    for (const proof of ALL_TRUST) {
      expect(factor([], { proof })).toBeGreaterThan(factor([], { status: 'unverified', proof }))
      if (proof > 0) expect(factor([], { proof })).toBeGreaterThan(factor([], { proof: proof - 1 }))
    }
    expect(factor([], { proof: 0 })).toBeGreaterThan(factor([], { status: 'unverified', proof: 10 }))
  })
  test('by a factor of at most 1, and more than 0.4 for a newcomer', () => {
    expect(factor([], { proof: 100 })).toBe(1)
    expect(factor([], { status: 'unverified', proof: 0 })).toBeGreaterThan(0.4)
  })
  test('and limit the relevance of an entry about which nothing is proved', () => {
    const newcomer = toPrior([], leaning({ status: 'unverified', proof: 0 }))
    const known = toPrior([], leaning({ proof: 40 }))
    expect(toScore(0.3, known)).toBeGreaterThan(toScore(1, newcomer))
    expect(toScore(1, newcomer)).toBeGreaterThan(toScore(0.9, newcomer))
    expect(toScore(0.5, newcomer)).toBeGreaterThan(toScore(0.2, known))
  })
})

describe('of two that have established payers', () => {
  const paid = (at: string) => toPrior([], leaning({ proof: 35, since: toWeek(at) }))
  const [older, newer] = [paid('2026-03-01T00:00:00Z'), paid('2026-03-09T00:00:00Z')]

  test('the one that had them first is first, as long as it fits as far as relevance counts', () => {
    const { limit } = older
    expect(toScore(limit, older)).toBeGreaterThan(toScore(1, newer))
    expect(toScore(limit - 0.05, older)).toBeLessThan(toScore(limit, newer))
  })
  test('within a week the better match is first', () => {
    const alike = paid('2026-03-02T00:00:00Z')
    expect(alike.seniority).toBe(older.seniority)
    expect(toScore(0.6, alike)).toBeGreaterThan(toScore(0.5, older))
  })
  test('either is before one that has newcomers alone', () => {
    expect(toScore(newer.limit, newer)).toBeGreaterThan(toScore(1, toPrior([], leaning({ proof: 35 }))))
  })
})

describe('a wish raises the prior', () => {
  test('of cheap entries, in any currency', () => {
    const lean = (price: number, currency: string) => factor(['cheap'], { price, currency })
    expect(lean(0.001, 'USDC')).toBeGreaterThan(lean(0.01, 'USDC'))
    expect(lean(1, 'JPYC')).toBeGreaterThan(lean(1, 'USDC'))
    expect(lean(0, 'USDC')).toBeGreaterThan(lean(0.001, 'USDC'))
  })
  test('of reliable entries', () => {
    const lean = (proof: number, status: PriorSignals['status']) => factor(['reliable'], { proof, status })
    expect(lean(90, 'verified')).toBeGreaterThan(lean(40, 'verified'))
    expect(lean(40, 'verified')).toBeGreaterThan(lean(90, 'unverified'))
  })
  test('of fast entries, those without a measurement last', () => {
    const lean = (latencyMs: number | undefined) => factor(['fast'], { latencyMs })
    expect(lean(40)).toBeGreaterThan(lean(400))
    expect(lean(400)).toBeGreaterThan(lean(4000))
    expect(lean(4000)).toBeGreaterThan(lean(undefined))
  })
  test('of free entries', () => {
    expect(factor(['free'], { hasFreeQuota: true })).toBeGreaterThan(factor(['free'], {}))
  })
})
