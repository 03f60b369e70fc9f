// The project's own words: what the search knows by other names, and what is a kind of what.
import { SEARCH_LANGUAGES } from '../src/search/text/languages/languages.ts'
import { KINDS } from './kinds.ts'
import type { Pair, PairSources } from './pair.ts'

const toPairs = (from: readonly string[], to: readonly string[]): Pair[] =>
  from.flatMap(a => to.flatMap(b => (a === b ? [] : [{ a, b }])))

export function addLexiconPairs(sources: PairSources): void {
  const lexicon = SEARCH_LANGUAGES.all.flatMap(({ text }) => text.lexicon ?? [])
  sources.set(
    'lexicon',
    lexicon.flatMap(({ words, readings }) => [...toPairs(words, words), ...toPairs(readings, words)]),
  )
  sources.set(
    'kinds',
    KINDS.flatMap(({ names, members }) => [...toPairs(members, names), ...toPairs(names, names)]),
  )
}
