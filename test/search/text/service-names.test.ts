import { describe, expect, test } from 'bun:test'
import { SEARCH_LANGUAGES } from '../../../src/search/text/languages/languages.ts'

describe('the names of services in a language', () => {
  for (const language of SEARCH_LANGUAGES.all) {
    const others = SEARCH_LANGUAGES.all.filter(other => other !== language)
    const expanded = new Set(
      others.flatMap(({ text, sentence }) =>
        [
          ...(text.lexicon ?? []).flatMap(({ also, instead }) => [also, instead]),
          ...(sentence.namedConversions ?? []).map(({ names }) => names),
          ...(sentence.namedPairs ?? []).map(({ names }) => names),
          ...(sentence.phrasings ?? []).map(({ names }) => names),
        ].map(names => names?.[0]),
      ),
    )

    test(`${language.code}: each belongs to a request that another language expands`, () => {
      const names = [...(language.sentence.serviceNames?.keys() ?? [])]
      expect(names.filter(name => !expanded.has(name))).toEqual([])
    })
  }

  test('follow those of the language of the request', () => {
    const [english, japanese] = SEARCH_LANGUAGES.all
    expect(SEARCH_LANGUAGES.namesOf(english!, ['summary', 'summarize'])).toEqual([
      'summary',
      'summarize',
      '要約',
    ])
    expect(SEARCH_LANGUAGES.namesOf(japanese!, ['summary', 'summarize'])).toEqual(['summary', 'summarize'])
  })
})
