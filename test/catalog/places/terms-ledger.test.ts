// Terms that were seen are remembered for a week, whatever else is added.
import { expect, test } from 'bun:test'
import { type SeenTerms, TermsLedger } from '../../../src/catalog/places/terms-ledger.ts'
import { readQueryValues } from '../../../src/domain/resolve/place.ts'

const DAY_MS = 86_400_000
const START = Date.now() - 10 * DAY_MS
const PAYEE = { chain: 'eip155:8453', payTo: `0x${'ab'.repeat(20)}` }
const seen = (place: string, parts: Partial<SeenTerms> & { days?: number } = {}): SeenTerms => {
  const { days = 0, ...rest } = parts
  const at = new Date(START + days * DAY_MS).toISOString()
  const prices = [{ amount: '0.001', currency: 'USDC', until: at }]
  return { place, query: '', isByStrangerToEndpoint: false, prices, named: [PAYEE], at, ...rest }
}
const ask = (ledger: TermsLedger, place: string, query = '', own: readonly string[] = ['', query]) =>
  ledger.at(place, readQueryValues(`https://a.example/?${query}`), own).map(({ asks }) => asks?.amount)

test('seen terms are found however many other places, queries and strangers are added', () => {
  const ledger = new TermsLedger()
  ledger.add(seen('own'))
  ledger.add(seen('own', { query: 'plan=a' }))
  for (let i = 0; i < 20_000; i++) ledger.add(seen(`other ${i}`))
  for (let i = 0; i < 2_000; i++) {
    ledger.add(seen('own', { query: `i=${i}` }))
    ledger.add(seen('own', { query: `i=${i}`, isByStrangerToEndpoint: true }))
  }
  expect(ask(ledger, 'own')).toEqual(['0.001', undefined])
  expect(ask(ledger, 'own', 'plan=a')).toEqual(['0.001', undefined, '0.001', undefined])
  // A URL with more parameters has it through the listing, and through the newest queries of its place.
  expect(ask(ledger, 'own', 'plan=a&city=x', ['plan=a'])).toEqual(['0.001', undefined])
  expect(ask(ledger, 'own', 'i=1999&city=x', [])).toContain('0.001')
})

test('seen terms are forgotten after a week, and not before', () => {
  const ledger = new TermsLedger()
  ledger.add(seen('own', { query: 'plan=a' }))
  ledger.add(seen('another', { days: 7 }))
  expect(ask(ledger, 'own', 'plan=a')).toEqual(['0.001', undefined])
  ledger.add(seen('another', { days: 7.1 }))
  expect(ask(ledger, 'own', 'plan=a')).toEqual([])
  // A clock that is ahead forgets nothing.
  ledger.add(seen('third', { at: '2999-01-01T00:00:00.000Z' }))
  expect(ask(ledger, 'another')).toEqual(['0.001', undefined])
})
