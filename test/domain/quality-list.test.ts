import { expect, test } from 'bun:test'
import { readQualities } from '../../src/domain/http-headers.ts'

test('of a list of thousands the first are read', () => {
  expect(readQualities('br,'.repeat(5_000)).length).toBeLessThan(100)
})
