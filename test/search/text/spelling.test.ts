import { expect, test } from 'bun:test'
import { createSearchIndex } from '../../../src/search/search-index.ts'
import { createSentenceReader } from '../../../src/search/sentence/read-intent.ts'
import { toAmerican } from '../../../src/search/text/languages/english/spelling.ts'

test.each([
  ['summarise', 'summarize'],
  ['tokenisation', 'tokenization'],
  ['analysing', 'analyzing'],
  ['colours', 'colors'],
  ['favourite', 'favorite'],
  ['colourise', 'colorize'],
  ['centre', 'center'],
  ['catalogues', 'catalog'],
  ['modelling', 'modeling'],
  ['weather', undefined],
  ['rise', undefined],
  ['flour', undefined],
  ['analysis', undefined],
])('the American spelling of %j is %j', (british, american) => expect(toAmerican(british)).toBe(american))

const index = createSearchIndex()
const texts = [
  'Gist Summarizer',
  'Colorizer of old films',
  'Merchandise finder',
  'Promises kept',
  'Literature search',
]
for (const [slot, name] of texts.entries())
  index.set(slot, { name, description: '', category: 'ai', endpoint: `https://s${slot}.example` })
const found = (query: string) =>
  index
    .retrieverOfAny(
      query,
      (a, b) => a - b,
    )(10)
    .hits.map(({ slot }) => texts[slot])

test('a British spelling finds forms of the American one if no entry has it', () => {
  expect(found('summarise')).toEqual(['Gist Summarizer'])
  expect(found('colourise')).toEqual(['Colorizer of old films'])
})

test('a short word does not find words that begin like its American spelling', () => {
  expect(found('litre')).toEqual([])
})

test('a word that entries have is searched as written', () => {
  expect(found('merchandise')).toEqual(['Merchandise finder'])
  expect(found('promises')).toEqual(['Promises kept'])
})

test('a sentence reports the word as it was received', () => {
  const { tokens } = createSentenceReader()('summarise a report')
  expect(tokens).toContain('summarise')
})
