import { describe, expect, test } from 'bun:test'
import { type Leaning, toLean } from '../../../src/search/ranking/prior.ts'

const leaning = (given: Partial<Leaning>): Leaning => ({
  status: 'verified',
  trustScore: 80,
  price: 0.01,
  currency: 'USDC',
  hasFreeQuota: false,
  ...given,
})

describe('standing leans the order', () => {
  test('so that an inactive entry never leads a live one of equal relevance', () => {
    const dead = toLean([], leaning({ status: 'inactive', trustScore: 100 }))
    expect(dead).toBeLessThan(toLean([], leaning({ status: 'unverified', trustScore: 0 })))
  })
  test('by no more than a few hundredths between live entries', () => {
    const best = toLean([], leaning({ trustScore: 100 }))
    const least = toLean([], leaning({ status: 'unverified', trustScore: 0 }))
    expect(best).toBe(1)
    expect(best - least).toBeLessThanOrEqual(0.06)
  })
})

describe('a wish leans it further', () => {
  test('towards the cheap, in any currency', () => {
    const lean = (price: number, currency: string) => toLean(['cheap'], leaning({ price, currency }))
    expect(lean(0.001, 'USDC')).toBeGreaterThan(lean(0.01, 'USDC'))
    expect(lean(1, 'JPYC')).toBeGreaterThan(lean(1, 'USDC'))
    expect(lean(0, 'USDC')).toBeGreaterThan(lean(0.001, 'USDC'))
  })
  test('towards the reliable', () => {
    const lean = (trustScore: number, status: Leaning['status']) =>
      toLean(['reliable'], leaning({ trustScore, status }))
    expect(lean(90, 'verified')).toBeGreaterThan(lean(40, 'verified'))
    expect(lean(40, 'verified')).toBeGreaterThan(lean(90, 'unverified'))
  })
  test('towards the free', () => {
    expect(toLean(['free'], leaning({ hasFreeQuota: true }))).toBeGreaterThan(toLean(['free'], leaning({})))
  })
})
