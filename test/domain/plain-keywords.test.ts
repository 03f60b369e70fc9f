import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readPlainKeywords } from '../../src/domain/plain-keywords.ts'
import { parseKeywordQuery } from '../../src/domain/queries.ts'
import { toKept } from '../../src/http/pipeline/links.ts'
import { readQuery } from '../../src/http/pipeline/query-string.ts'

/** As the strict way reads it, with every problem told. */
function readStrictly(question: string) {
  const { parsed, parameters } = readQuery(question, parseKeywordQuery)
  return { query: parsed, kept: toKept(parameters) }
}

test('what is read as plain means what the schema makes of it, and leads to the same pages', () => {
  let plain = 0
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'aZ09._- ') }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...'a%2015&=+#?:') }),
  )
  const question = fc.oneof(
    text.map(words => `q=${encodeURIComponent(words.toWellFormed())}`),
    text.map(words => `q=${words}`),
    fc.tuple(text, text).map(([a, b]) => `q=${a}&${b}`),
  )
  fc.assert(
    fc.property(question, question => {
      const read = readPlainKeywords(question)
      if (read === undefined) return
      plain++
      expect(read).toEqual(readStrictly(question))
    }),
    { numRuns: 10_000 },
  )
  expect(plain).toBeGreaterThan(1_000)
})

test.each(['q=weather%20forecast', 'q=weather+forecast'])('two words are plain: %p', question => {
  expect(readPlainKeywords(question)).toEqual({
    query: { q: 'weather forecast', limit: 20, offset: 0 },
    kept: 'q=weather%20forecast&',
  })
})

test.each(['', 'q=', 'q=%20', 'q=+', 'q=%E5%A4%A9', 'q=a&limit=5', 'Q=a', `q=${'a'.repeat(501)}`])(
  'the schema judges %p',
  question => {
    expect(readPlainKeywords(question)).toBeUndefined()
  },
)
