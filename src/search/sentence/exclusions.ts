// What a sentence excludes: the words and chains that results must not have, and what cannot be excluded.
import type { Constraints } from '../../domain/queries/answers.ts'
import type { Analyzer } from '../text/analyzer.ts'
import type { Excluded } from '../text/languages/constraint-rules.ts'
import type { Language } from '../text/languages/language.ts'
import { type ExcludedEntries, type Intent, NOTHING_EXCLUDED } from './intent.ts'

type ToTokens = (text: string, language: Language) => string[]
type Parts = {
  readonly analyzer: Analyzer
  readonly toTokens: ToTokens
  /** Without words that every service may have. */
  readonly toSelective: ToTokens
}
type Sentence = {
  readonly constraints: Constraints
  /** Its words. */
  readonly subject: readonly string[]
  readonly language: Language
  readonly replyLanguage: Language
}

/** Adds the exclusions of a sentence to its constraints. */
type ApplyExclusions = (
  exclusions: readonly Excluded[],
  sentence: Sentence,
) => Pick<Intent, 'constraints' | 'excluded'>

export function createExclusions({ analyzer, toTokens, toSelective }: Parts): ApplyExclusions {
  const { languages } = analyzer

  /**
   * Returns the words that are excluded, without those that the subject also has: in "news but not crypto news" that is
   * crypto. What has no other words, as booking.com in a request for bookings, is `kept`.
   */
  function toExcluded(
    excluded: readonly Excluded[],
    subject: readonly string[],
    language: Language,
  ): ExcludedEntries & { readonly kept: readonly string[] } {
    const wanted = new Set(subject.map(analyzer.toTerm))
    const phrases = excluded
      .flatMap(({ words = '' }) => words.split('\n'))
      .map(phrase => ({
        phrase,
        tokens: toSelective(phrase, language),
      }))
      .filter(({ tokens }) => tokens.length > 0)
      .map(({ phrase, tokens }) => {
        // A word of the lexicon is not taken apart: 仮想通貨 in a request for 通貨.
        const known = languages
          .equivalentsIn(phrase.toLowerCase())
          .filter(({ written }) => written === phrase.toLowerCase())
        const isWord = known.length > 0 && tokens.length > 1
        return {
          phrase,
          tokens: isWord ? tokens : tokens.filter(token => !wanted.has(analyzer.toTerm(token))),
          others: known.flatMap(each => each.others),
        }
      })
    const words = phrases.flatMap(({ tokens }) => (tokens.length > 0 ? [tokens] : []))
    const others = phrases.flatMap(({ tokens, others }) =>
      tokens.length === 0
        ? []
        : others.length > 0
          ? others
          : tokens.length === 1
            ? languages.equivalentsIn(tokens[0]!).flatMap(each => each.others)
            : [],
    )
    return {
      words,
      others: others.map(phrase => toTokens(phrase, language)),
      chains: [...new Set(excluded.flatMap(({ chains = [] }) => chains))],
      kept: phrases.flatMap(({ phrase, tokens }) => (tokens.length === 0 ? [phrase] : [])),
    }
  }

  return (exclusions, { constraints, subject, language, replyLanguage }) => {
    if (exclusions.length === 0) return { excluded: NOTHING_EXCLUDED, constraints }
    const { kept, ...excluded } = toExcluded(exclusions, subject, language)
    const names = [...excluded.chains, ...excluded.words.map(words => words.join(language.text.joint))]
    const why = replyLanguage.reasons.unapplied.same_word
    const unapplied = [...constraints.unapplied, ...kept.map(text => ({ text, why: why('') }))]
    return {
      excluded,
      constraints: { ...constraints, ...(names.length > 0 && { excluded: names }), unapplied },
    }
  }
}
