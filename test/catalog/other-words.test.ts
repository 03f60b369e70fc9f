// Words that no service has, or only one with another meaning: which other words they match, and which they do not.
import { describe, expect, test } from 'bun:test'
import { entry } from '../entries.ts'
import { openSemantic } from './listings.ts'

const service = (name: string, description: string, i = 0) =>
  entry({ name, description, endpoint: `https://s${i}.example/v1`, category: 'data' })
/** So many entries have a word that it is no rare one. */
const often = (count: number, name: string, description: string) =>
  Array.from({ length: count }, (_, i) => service(`${name} ${i}`, description, i))

const ENTRIES = [
  ...often(9, 'Plainscript', 'Keeps text and sends it on'),
  ...often(9, 'Accounts', 'Lists every user of a site'),
  service('Sky Eight', 'Weather forecast for every town'),
  service('Scribe', 'We transcribe what was said'),
  service('Open Answers', 'Ask a large language model'),
  service('Coin Table', 'Crypto prices by the minute'),
  service('Surface Works', 'Patterns for the surface of a model'),
]
const catalog = openSemantic(...ENTRIES)
const matchesOf = (q: string) =>
  catalog
    .searchByIntent({ q, limit: 20 })
    .decode()
    .results.filter(({ matchedTokens }) => matchedTokens.length > 0)

describe('a word is cut only at an ending of its language', () => {
  test.each([
    ['texts', 'Plainscript'],
    ['texting', 'Plainscript'],
    ['userly', 'Accounts'],
  ])('%s', (q, first) => {
    const words = catalog.search({ q, limit: 5, offset: 0 }).services.decode()
    expect(words[0]?.name).toStartWith(first)
  })

  test.each(['texture', 'textile', 'textuality'])('%s does not match text', q => {
    expect(catalog.search({ q, limit: 5, offset: 0 }).services.decode()).toEqual([])
    expect(matchesOf(q).filter(({ service }) => service.name.startsWith('Plainscript'))).toEqual([])
  })
})

describe('the reason names the word that was matched instead', () => {
  const reasonOf = (q: string) => catalog.searchByIntent({ q, limit: 1 }).decode().results[0]?.reason
  test.each([
    ['LLM', 'llm → language model'],
    ['価格の言語モデル', '言語モデル → language'],
  ])('%s', (q, told) => expect(reasonOf(q)).toContain(told))

  test('the name of a coin is not named as a match of a service about coins', () => {
    const { results } = catalog.searchByIntent({ q: 'polygon prices', limit: 5 }).decode()
    expect(results[0]?.service.name).toBe('Coin Table')
    expect(results.flatMap(({ matchedTokens }) => matchedTokens)).toEqual(['prices'])
  })
})
