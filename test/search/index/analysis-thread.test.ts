import { describe, expect, test } from 'bun:test'
import { createSearchIndex, type SearchDocument, type SearchIndex } from '../../../src/search/search-index.ts'

const WORDS =
  `weather forecasts Tokyo rain getPrices token e-mail images speech don't 1,000 天気予報 翻訳 画像認識 café`.split(
    ' ',
  )
const documents: SearchDocument[] = Array.from({ length: 300 }, (_, i) => ({
  name: `${WORDS[i % WORDS.length]} ${i}`,
  description: `${WORDS[(i * 5) % WORDS.length]} and ${WORDS[(i * 3) % WORDS.length]} for ${WORDS[(i + 1) % WORDS.length]}`,
  category: ['weather', 'finance', 'a-thing-of-our-own'][i % 3]!,
  endpoint: `https://${i % 40}-api.example/v1`,
}))
const QUERIES = [
  'weather',
  'forecast tokyo',
  'price',
  'email',
  'image 天気',
  '天気 翻訳',
  '画像',
  'cafe',
  '7',
  'weathr',
  'api',
]

const bySlot = (a: number, b: number) => a - b
const answers = (index: SearchIndex) => QUERIES.map(query => index.searchAny(query, 50, bySlot))

function readHere(): SearchIndex {
  const index = createSearchIndex()
  for (const [slot, document] of documents.entries()) index.set(slot, document, { more: true })
  index.settle()
  return index
}

describe('words read ahead on another thread', () => {
  test('are found as if they had been read here, in whatever batches, with gaps, after others', async () => {
    const index = createSearchIndex()
    index.set(0, documents[0]!)
    using ahead = index.openWordsAhead()
    const [first, second] = [documents.slice(1, 100), documents.slice(100)]
    const gap = [null, ...second.slice(0, 50), null, ...second.slice(50)]
    const [words, more] = await Promise.all([ahead.read(first), ahead.read(gap)])
    for (const [i, document] of first.entries()) index.set(i + 1, document, { more: true, words: words![i] })
    let slot = 100
    for (const [i, document] of gap.entries())
      if (document) index.set(slot++, document, { more: true, words: more![i] })
    index.settle()
    expect(answers(index)).toEqual(answers(readHere()))
    expect(answers(index).every(({ total }) => total > 0)).toBe(true)
  })

  test('can be replaced and removed like any', async () => {
    const [index, plain] = [createSearchIndex(), readHere()]
    using ahead = index.openWordsAhead()
    const words = await ahead.read(documents)
    for (const [slot, document] of documents.entries())
      index.set(slot, document, { more: true, words: words![slot] })
    for (const each of [index, plain]) {
      each.set(3, { ...documents[3]!, name: 'lottery' }, { before: documents[3] })
      each.delete(4, documents[4]!)
      each.settle()
    }
    expect(answers(index)).toEqual(answers(plain))
    expect(index.searchAny('lottery', 10, bySlot).hits.map(({ slot }) => slot)).toEqual([3])
  })

  test('are not waited for when the thread is gone', async () => {
    const ahead = createSearchIndex().openWordsAhead()
    const unread = ahead.read(documents)
    ahead[Symbol.dispose]()
    expect(await unread).toBeUndefined()
    expect(await ahead.read(documents)).toBeUndefined()
  })
})
