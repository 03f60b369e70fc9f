import { expect, test } from 'bun:test'
import { readQualities } from '../../src/domain/http-headers.ts'

test('an Accept header is read in its order, in lower case, with the quality of each item', () => {
  expect(readQualities('Text/HTML, br;level=3; q=0.5 ,gzip;q=0')).toEqual([
    { name: 'text/html', quality: 1 },
    { name: 'br', quality: 0.5 },
    { name: 'gzip', quality: 0 },
  ])
})

test('a quality that is not a number from 0 to 1 is refused', () => {
  for (const quality of ['2', '-1', 'high', 'NaN', 'Infinity'])
    expect(readQualities(`br;q=${quality}`)).toEqual([{ name: 'br', quality: 0 }])
})

test('without a header there are no items', () => {
  for (const header of [null, undefined, ''])
    expect(readQualities(header)).toEqual([{ name: '', quality: 1 }])
})

test('of a list of thousands the first are read', () => {
  expect(readQualities('br,'.repeat(5_000)).length).toBeLessThan(100)
})
