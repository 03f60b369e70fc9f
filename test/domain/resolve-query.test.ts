// What is asked about a payment: its parameters, and the places that its URL is at and below.
import { describe, expect, test } from 'bun:test'
import { hasQuery, placeOf, placesOf, queryOf, readQueryValues } from '../../src/domain/hosts/endpoint.ts'
import { parseResolveQuery } from '../../src/domain/resolve/resolution.ts'
import { ASKED } from './resolve-listings.ts'

describe('a place', () => {
  test('is the same for every spelling of its URL', () => {
    for (const url of [
      'https://A.example/v1',
      'https://a.example:443/v1/?q=1',
      'https://a.example./v1//',
      'https://a.example/%76%31#x',
    ])
      expect(placeOf(url)).toBe('a.example/v1')
  })

  test('is below the places of its parent paths', () => {
    expect(placesOf('https://a.example/v1/x/?q')).toEqual(['a.example/v1/x', 'a.example/v1', 'a.example'])
    expect(placesOf('https://a.example')).toEqual(['a.example'])
    expect(placesOf('https://a.example/v1/../v2')).toEqual(['a.example/v2', 'a.example'])
    expect(placesOf(`https://a.example${'/x'.repeat(900)}`)).toHaveLength(901)
    expect(placesOf(`https://a.example${'/x'.repeat(900)}`).at(-1)).toBe('a.example')
  })

  test('has the query of a listing if it has all of its values', () => {
    const query = queryOf('https://a.example/pay?t=a&t=b&u=%41')
    expect(hasQuery(readQueryValues('https://a.example/pay?x=1&u=A&t=b&t=a'), query)).toBe(true)
    for (const other of ['t=a&u=A', 't=a&t=b', 't=a&t=b&u=A&u=B', 'T=a&T=b&u=A', ''])
      expect(hasQuery(readQueryValues(`https://a.example/pay?${other}`), query)).toBe(false)
    expect(hasQuery(readQueryValues('https://a.example/pay?t=a'), queryOf('https://a.example/pay'))).toBe(
      true,
    )
    expect(queryOf('https://a.example/pay#?t=a')).toBe('')
    expect(queryOf('https://a.example/pay?&&')).toBe('')
    // A very long query is compared as a whole: parameter by parameter, a thousand such listings would take a second.
    const long = Array.from({ length: 40 }, (_, i) => `p${i}=`).join('&')
    expect(hasQuery(readQueryValues(`https://a.example/pay?${long}`), long)).toBe(true)
    expect(hasQuery(readQueryValues(`https://a.example/pay?${long}&x=1`), long)).toBe(false)
  })
})

test.each([
  [{ url: 'api.weather.jp' }, 'url'],
  [{ url: 'https://user:secret@api.weather.jp/' }, 'url'],
  [{ url: 'ftp://api.weather.jp/' }, 'url'],
  [{ amount: '0.5' }, 'amount'],
  [{ amount: '-1' }, 'amount'],
  [{ payto: 'x' }, 'payto'],
])('%j is refused with the name of the parameter', (change, path) => {
  expect(() => parseResolveQuery({ ...ASKED, ...change })).toThrow(new RegExp(`^${path}: `))
})

test.each(['payTo', 'amount', 'asset', 'network', 'scheme', 'method'])('an empty %s is refused', name => {
  expect(() => parseResolveQuery({ ...ASKED, [name]: '' })).toThrow()
})
