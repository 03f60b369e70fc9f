import { describe, expect, test } from 'bun:test'
import type { Entry } from '../../../src/domain/listing/service.ts'
import { LEVELS, levelsUpTo } from '../../../src/domain/standing/standing.ts'
import { levelOf, proofOf } from '../../../src/domain/standing/trust.ts'
import { entry } from '../../entries.ts'

const CHECKED = '2026-11-01T00:00:00.000Z'
const verified = entry({}, { standing: { status: 'verified', lastChecked: CHECKED } })
const paid: Entry = { ...verified, standing: { ...verified.standing, payers: { weight: 3, recent: 2 } } }
const delivered = (deliveredAt: string, failedInARow = 0): Entry => ({
  ...paid,
  delivery: {
    purchases: 4,
    delivered: 4,
    failedInARow,
    deliveredAt,
    last: { id: 'pur', at: deliveredAt, outcome: 'delivered' },
    told: [],
  },
})
const withStatus = (each: Entry, status: Entry['standing']['status']): Entry => ({
  ...each,
  standing: { ...each.standing, status },
})

describe('the level', () => {
  test.each([
    ['listed', entry()],
    ['verified', verified],
    ['paid', paid],
    ['verified', { ...paid, standing: { ...paid.standing, payers: { weight: 3, recent: 0 } } }],
    ['delivers', delivered('2026-10-02T00:00:00.000Z')],
    ['paid', delivered('2026-10-01T00:00:00.000Z')],
    ['delivers', delivered('2026-10-20T00:00:00.000Z', 1)],
    ['danger', delivered('2026-10-20T00:00:00.000Z', 2)],
    ['listed', withStatus(paid, 'unverified')],
    ['listed', withStatus(delivered('2026-10-20T00:00:00.000Z', 2), 'inactive')],
  ] as const)('is %s', (level, each) => {
    expect(levelOf(each)).toBe(level)
  })

  test('passes the filters of the levels below it, but danger only its own', () => {
    expect(Object.fromEntries(LEVELS.map(level => [level, levelsUpTo(level).length]))).toEqual({
      danger: 1,
      listed: 1,
      verified: 2,
      paid: 3,
      delivers: 4,
    })
  })
})

test('only payers and purchases are proof, and payers prove no more from three established ones on', () => {
  const by = (weight: number) => proofOf({ standing: { ...paid.standing, payers: { weight, recent: 1 } } })
  expect([proofOf(verified), by(0.2), by(1), by(2), by(3), by(500)]).toEqual([0, 2, 12, 23, 35, 35])
  expect(proofOf(delivered(CHECKED))).toBe(66)
})
