// An unknown word that is far rarer than a similar one is also read as that one in a sentence; a known word is not.
import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { sharedEmbedder } from '../embedder.ts'
import { entry } from '../entries.ts'

const MAX_RARE = 256
const TIMES_AS_MANY = 8

function catalogOf(counts: Readonly<Record<string, number>>): Catalog {
  const catalog = new Catalog(createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) }))
  const words = Object.entries(counts).flatMap(([word, count]) => Array<string>(count).fill(word))
  catalog.apply(
    words.map((word, i) => {
      const listed = entry({
        name: `Vomb ${i}`,
        description: word,
        category: 'other',
        endpoint: `https://vomb${i}.example/v1`,
        x402Config: { paymentAddress: `0x${String(i + 1).padStart(40, '0')}`, network: 'base' },
      })
      return { seq: i + 1, objectSeq: i + 1, id: listed.id, entry: listed }
    }),
  )
  return catalog
}

/** Which of the words services that fit have. */
function found(catalog: Catalog, q: string): string[] {
  const { results } = catalog.searchByIntent({ q, limit: 50 }).decode()
  return [...new Set(results.filter(({ weak }) => !weak).map(({ service }) => service.description))].sort()
}

/** Each line: the word that one service has, the word that many have. */
const MISSPELT = `
adresse|address
forcasts|forecasts
wheather|weather
reciept|receipt
curency|currency
transscript|transcript
calender|calendar
langage|language
vidoes|videos
passwort|password`

/** Each line: a word that one service has, and another word, one letter away, that many have. */
const KNOWN = `
winter|winner
police|policy
carrot|parrot
bridge|bridle
battle|bottle
potion|motion
flight|fright
mother|bother
dinner|sinner
poetry|pottery`

const toPairs = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .map(line => line.split('|') as [string, string])

describe('a rare spelling also finds the frequent one', () => {
  test.each(toPairs(MISSPELT))('%s: %s', (rare, frequent) => {
    const catalog = catalogOf({ [rare]: 1, [frequent]: TIMES_AS_MANY })
    expect(found(catalog, `I need ${rare}`)).toEqual([rare, frequent].sort())
  })
})

describe('a known word finds only itself', () => {
  test.each(toPairs(KNOWN))('%s, not %s', (rare, frequent) => {
    expect(found(catalogOf({ [rare]: 1, [frequent]: TIMES_AS_MANY }), `I need ${rare}`)).toEqual([rare])
  })
})

describe('a word that is not far rarer finds only itself', () => {
  test.each([
    ['fewer than so many times as many have the other', 1, TIMES_AS_MANY - 1],
    ['just as many', 3, 3],
    ['more have it than a misspelt word would be in', MAX_RARE + 1, TIMES_AS_MANY * (MAX_RARE + 1)],
  ])('%s', (_, rare, frequent) => {
    expect(found(catalogOf({ wheather: rare, weather: frequent }), 'I need wheather')).toEqual(['wheather'])
  })
})
