import { describe, expect, test } from 'bun:test'
import { toEnglishTerm } from '../../../src/search/text/languages/english/english.ts'

describe('the stem of an English word', () => {
  test.each([
    ['forecasting', 'forecasts'],
    ['translation', 'translate'],
    ['taxes', 'tax'],
    ['boxes', 'box'],
    ['buses', 'bus'],
    ['gases', 'gas'],
    ['states', 'state'],
    ['planes', 'plane'],
    ['directors', 'director'],
  ])('is shared by %s and %s', (one, other) => {
    expect(toEnglishTerm(one)).toBe(toEnglishTerm(other))
  })

  test.each([
    ['stats', 'states'],
    ['planning', 'planes'],
    ['past', 'paste'],
    ['grads', 'grades'],
    ['missing', 'mission'],
    ['ports', 'portions'],
    ['directions', 'directors'],
    ['cases', 'cas'],
  ])('is not shared by %s and %s', (one, other) => {
    expect(toEnglishTerm(one)).not.toBe(toEnglishTerm(other))
  })
})
