import { expect, test } from 'bun:test'
import { findNearestName, findSimilarName } from '../../../src/domain/text/nearest.ts'

const NAMES = ['list', 'search', 'keys create', 'keys list', '--category', '--max-price-per-request']

test.each([
  ['lst', 'list'],
  ['serach', 'search'],
  ['lsit', 'list'],
  ['kyes list', 'keys list'],
  ['keys creat', 'keys create'],
  ['--cat', '--category'],
  ['--maxprice', '--max-price-per-request'],
  ['max_price', '--max-price-per-request'],
  ['x', undefined],
  ['frobnicate', undefined],
  ['delete', undefined],
  ['', undefined],
])('the nearest to %j is %j', (name, found) => expect(findSimilarName(name, NAMES)).toBe(found))

test('the nearest name is returned, however far it is', () =>
  expect(findNearestName('frobnicate', ['list'])).toBe('list'))

test('no more of an invented name is compared than a known one can have', () =>
  expect(findNearestName(`${'x'.repeat(32)}category`, ['list', '--category'])).toBe('list'))
