import { describe, expect, test } from 'bun:test'
import { type PriorSignals, toPrior } from '../../../src/search/ranking/prior.ts'

const leaning = (given: Partial<PriorSignals>): PriorSignals => ({
  status: 'verified',
  trustScore: 80,
  price: 0.01,
  currency: 'USDC',
  hasFreeQuota: false,
  ...given,
})

describe('standing leans the order', () => {
  test('so that an inactive entry never leads a live one of equal relevance', () => {
    const dead = toPrior([], leaning({ status: 'inactive', trustScore: 100 }))
    expect(dead).toBeLessThan(toPrior([], leaning({ status: 'unverified', trustScore: 0 })))
  })
  test('by no more than a few hundredths between live entries', () => {
    const best = toPrior([], leaning({ trustScore: 100 }))
    const least = toPrior([], leaning({ status: 'unverified', trustScore: 0 }))
    expect(best).toBe(1)
    expect(best - least).toBeLessThanOrEqual(0.06)
  })
})

describe('a wish leans it further', () => {
  test('towards the cheap, in any currency', () => {
    const lean = (price: number, currency: string) => toPrior(['cheap'], leaning({ price, currency }))
    expect(lean(0.001, 'USDC')).toBeGreaterThan(lean(0.01, 'USDC'))
    expect(lean(1, 'JPYC')).toBeGreaterThan(lean(1, 'USDC'))
    expect(lean(0, 'USDC')).toBeGreaterThan(lean(0.001, 'USDC'))
  })
  test('towards the reliable', () => {
    const lean = (trustScore: number, status: PriorSignals['status']) =>
      toPrior(['reliable'], leaning({ trustScore, status }))
    expect(lean(90, 'verified')).toBeGreaterThan(lean(40, 'verified'))
    expect(lean(40, 'verified')).toBeGreaterThan(lean(90, 'unverified'))
  })
  test('towards the free', () => {
    expect(toPrior(['free'], leaning({ hasFreeQuota: true }))).toBeGreaterThan(toPrior(['free'], leaning({})))
  })
})
