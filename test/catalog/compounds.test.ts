// Compounds that queries and entries write differently, in keyword and intent search.
import { expect, test } from 'bun:test'
import { entry } from '../entries.ts'
import { open } from './listings.ts'

const service = (name: string, description: string) =>
  entry({ name, description, category: 'other', endpoint: 'https://one.example/v1' })

const ENTRIES = [
  service('Mail One', 'Sends an email to anybody.'),
  service('Mail Two', 'Sends an e-mail to anybody.'),
  service('Place One', 'Geocoding of addresses.'),
  service('Place Two', 'Geo coding of addresses.'),
  service('Square One', 'Draws a QR code.'),
  service('Square Two', 'Draws a qrcode.'),
  service('Hook One', 'Receives webhooks.'),
  service('Hook Two', 'Receives web hooks.'),
  service('Clock One', 'Real-time quotes.'),
  service('Clock Two', 'Real time quotes.'),
  service('Clock Three', 'Realtime quotes.'),
  service('Coin One', 'Token price of every pool.'),
  service('Voice One', 'Turns text into speech.'),
  service('Letter One', 'Sends a letter through the post.'),
  service('Genome One', 'Coding sequences of a gene.'),
  service('Code One', 'Reviews code.'),
]
const catalog = open(...ENTRIES)

const byWords = (q: string) =>
  catalog
    .search({ q, limit: 20, offset: 0 })
    .services.decode()
    .map(({ name }) => name)
const byList = (query: string) =>
  catalog
    .list({ query, limit: 20, offset: 0 })
    .services.decode()
    .map(({ name }) => name)
const bySentence = (q: string) =>
  catalog
    .searchByIntent({ q, limit: 20 })
    .decode()
    .results.map(({ service }) => service.name)

test.each([
  ['email', ['Mail One', 'Mail Two']],
  ['QR code', ['Square One', 'Square Two']],
  ['web hook', ['Hook One', 'Hook Two']],
  ['real-time', ['Clock One', 'Clock Two', 'Clock Three']],
  ['getTokenPrice', ['Coin One']],
  ['text_into_speech', ['Voice One']],
  ['sendLetter', ['Letter One']],
  ['gene-coding', ['Genome One']],
])('a compound is found however it is written: %s', (query, names) => {
  const first = (found: string[]) => found.slice(0, names.length).sort()
  expect(first(byWords(query))).toEqual([...names].sort())
  expect(first(bySentence(`I need ${query}, please`))).toEqual([...names].sort())
  expect(byList(query).sort()).toEqual([...names].sort())
})

test.each([
  ['geology', 'Place Two'],
  ['webinar', 'Hook Two'],
  ['qr2', 'Square One'],
  ['unreal', 'Clock Two'],
  ['encoder', 'Square One'],
])('parts of a word that is not a compound find nothing: %s', (query, name) => {
  expect(byWords(query)).not.toContain(name)
  expect(byList(query)).not.toContain(name)
})

test('words that do not form a compound are found as they are', () => {
  expect(byList('gene sequences')).toEqual(['Genome One'])
  expect(byList('post letter')).toEqual(['Letter One'])
  expect(byWords('code')).toContain('Code One')
})
