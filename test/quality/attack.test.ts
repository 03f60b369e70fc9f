// Limits on how far hostile listings get by wording alone, and on newcomers that are not found. A limit may fall; it never rises.
import { describe, expect, test } from 'bun:test'
import { ATTACK_NAMES, openAttacks, PLACES, WORDING_NAMES } from './attacked-catalog.ts'

const MAX_FIRST = 0.01
/** All kinds together, verified and unpaid. Raised from 0.01 when rules of language were dropped: 4 of 112 queries, before 1 of 117. */
const MAX_FIRST_TOGETHER = 0.04
/** In other wording, with a real endpoint that nobody has paid. Raised from 0.02 for the same reason: 3 of 112. */
const MAX_FIRST_WORDED = 0.03
/** Over all that a verified service answers, by whatever words. */
const MAX_FIRST_ANSWERED = { list: 0.12, keyword: 0.24, intent: 0.09 }
/** Where a verified service that does something else has one of the words and a newcomer says the rest in others. */
const MAX_HIDDEN = { list: 0, keyword: 0, intent: 3 }

const { attack, hiddenNewcomers } = await openAttacks()

describe('a hostile listing is first in at most one of a hundred queries that a verified service matches', () => {
  test.each([...ATTACK_NAMES])('by %s', name => {
    const { listings, reached } = attack([name])
    expect(listings).toBeGreaterThan(20)
    for (const place of PLACES) {
      // All of them together are asked every sentence.
      const { first, queries, lost } = reached(place, 'matched', { every: place === 'intent' ? 3 : 1 })
      expect(queries).toBeGreaterThan(30)
      expect({ place, lost: first <= MAX_FIRST ? [] : lost }).toEqual({ place, lost: [] })
    }
  })

  // The tests of all attacks together follow each other, so that their listings are made once.
  test('by all of them together, with a real but unpaid endpoint', () => {
    const { reached } = attack(ATTACK_NAMES, 'verified')
    for (const place of PLACES)
      expect(reached(place, 'matched').first).toBeLessThanOrEqual(MAX_FIRST_TOGETHER)
  })

  test('by all of them together, inactive or unverified', () => {
    for (const standing of ['inactive', 'unverified'] as const) {
      const { listings, reached } = attack(ATTACK_NAMES, standing)
      expect(listings).toBeGreaterThan(500)
      for (const place of PLACES) {
        expect(reached(place, 'matched').first).toBeLessThanOrEqual(MAX_FIRST)
        expect(reached(place, 'answered').first).toBeLessThanOrEqual(MAX_FIRST_ANSWERED[place])
      }
    }
  })
})

test('a newcomer with an original text is first for its unique task', () => {
  for (const names of [ATTACK_NAMES, []]) {
    const hidden = hiddenNewcomers(names)
    for (const place of PLACES) expect(hidden[place].length).toBeLessThanOrEqual(MAX_HIDDEN[place])
  }
})

test('hostile listings in other wording are first hardly more often', () => {
  for (const [standing, most] of [
    ['unverified', MAX_FIRST],
    ['verified', MAX_FIRST_WORDED],
  ] as const) {
    const { listings, reached } = attack(WORDING_NAMES, standing)
    expect(listings).toBeGreaterThan(2_000)
    for (const place of PLACES) expect(reached(place, 'matched').first).toBeLessThanOrEqual(most)
  }
})
