// Parses what a person or an agent needs from a sentence: the words of the subject, the constraints, the exclusions, the wishes.
import type { Constraints } from '../../domain/queries/queries.ts'
import { type Analyzer, createAnalyzer, eachWord, foldWidth } from '../text/analyzer.ts'
import type { Equivalent } from '../text/equivalents.ts'
import type { Excluded, Language } from '../text/languages/language.ts'
import { createConstraintReader, type Stretch } from './constraints.ts'
import {
  type ExcludedEntries,
  type Intent,
  NOTHING_EXCLUDED,
  type Step,
  toConstraintTokens,
} from './intent.ts'

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

function createExclusions({ analyzer, toTokens, toSelective }: Parts): ApplyExclusions {
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

const MAX_TOKENS = 64
const MAX_STEPS = 3
/** The end of a web address is no word: every host has one. */
const WEB_ENDING = /(?<=[a-z0-9])(?<!@[a-z0-9.-]+)\.(?:com|org|io|gov|edu|co\.jp|jp)(?![a-z0-9-])/gi
const withoutWebEnding = (text: string): string => (text.includes('.') ? text.replace(WEB_ENDING, ' ') : text)

/** @param replyCode the code of the language of the answer. Default: that of the query */
type SentenceReader = (query: string, replyCode?: string) => Intent

export function createSentenceReader(analyzer: Analyzer = createAnalyzer()): SentenceReader {
  const { languages } = analyzer
  const readConstraints = createConstraintReader(languages)
  const generic = new Set(languages.all.flatMap(({ sentence }) => sentence.generic))

  /** A sentence may also have fillers of another language: 天気 API please. */
  function toTokens(text: string, language: Language, pieces?: Map<string, string[]>): string[] {
    const { sentence } = language
    const tokens: string[] = []
    let whole = ''
    analyzer.forEachWord(
      withoutWebEnding(text),
      eachWord((word, kind) => {
        if (kind === 'word') whole = word
        if (kind === 'joined' || sentence.isFiller(word)) return
        const other = languages.ofWord(word)
        if (other !== language && other.sentence.isFiller(word)) return
        if (kind === 'word') tokens.push(word)
        else pieces?.set(whole, [...(pieces.get(whole) ?? []), word])
      }),
    )
    return tokens
  }

  const toSelective = (text: string, language: Language): string[] =>
    toTokens(text, language).filter(token => !generic.has(token))
  const applyExclusions = createExclusions({ analyzer, toTokens, toSelective })

  const equivalentsIn = (text: string) => languages.equivalentsIn(text.toLowerCase())

  /** Returns the text with the word instead of each reading that segmentation cuts apart: ね|こ is 猫. */
  function withWords(text: string, found: readonly Equivalent[], language: Language): string {
    let written = text
    let tokens: Set<string> | undefined
    for (const { written: reading, others, isReading } of found) {
      const [word] = others
      // A word inside a compound was not cut apart: 顔写真.
      if (word === undefined || !isReading) continue
      tokens ??= new Set(toTokens(text, language))
      if (toTokens(reading, language).some(token => tokens!.has(token))) continue
      const at = written.toLowerCase().indexOf(reading)
      if (at >= 0) written = written.slice(0, at) + word + written.slice(at + reading.length)
    }
    return written
  }

  function toContent(tokens: readonly string[], constrained: boolean): readonly string[] {
    const selective = tokens.filter(token => !generic.has(token))
    return selective.length > 0 || constrained ? selective : tokens
  }

  function toEquivalents(found: readonly Equivalent[], language: Language): Map<string, Equivalent[]> {
    const equivalents = new Map<string, Equivalent[]>()
    for (const each of found)
      for (const token of toTokens(each.written, language))
        equivalents.set(token, [...(equivalents.get(token) ?? []), each])
    return equivalents
  }

  /** The equivalents of a step are those of the sentence that it also has. */
  function toSteps(subject: string, language: Language, known: Intent['equivalents']): Step[] {
    const texts = language.sentence.toSteps?.(subject) ?? []
    const steps: Step[] = []
    for (const text of texts) {
      const pieces = new Map<string, string[]>()
      const tokens = [...new Set(toTokens(text, language, pieces))]
      const contentTokens = tokens.filter(token => !generic.has(token))
      if (contentTokens.length === 0) continue
      const lower = text.toLowerCase()
      const equivalents = new Map<string, readonly Equivalent[]>()
      for (const token of contentTokens) {
        const found = known.get(token)?.filter(({ written }) => lower.includes(written)) ?? []
        if (found.length > 0) equivalents.set(token, found)
      }
      steps.push({ text, tokens, contentTokens, subject: text, pieces, equivalents })
      if (steps.length === MAX_STEPS) break
    }
    return steps.length < 2 ? [] : steps
  }

  return (query, replyCode) => {
    const folded = foldWidth(query)
    const language = languages.ofText(folded)
    const text = withWords(folded, equivalentsIn(folded), language)
    const replyLanguage = languages.all.find(({ code }) => code === replyCode) ?? language
    const {
      stretches,
      filter,
      constraints: read,
      excluded: exclusions,
      wishes,
    } = readConstraints(text, replyLanguage)
    const pieces = new Map<string, string[]>()
    const parts = stretches.map(({ text, role, keys = [] }) => ({
      role,
      keys,
      tokens: toTokens(text, language, pieces),
    }))
    const constraintWords = parts.filter(({ role }) => role === 'applied')
    const tokensOf = (role?: Stretch['role']): string[] => [
      ...new Set(parts.flatMap(part => (role === undefined || part.role === role ? part.tokens : []))),
    ]
    const subject = tokensOf('subject').slice(0, MAX_TOKENS)
    const subjectText = stretches
      .filter(({ role }) => role === 'subject')
      .map(stretch => stretch.text)
      .join(' ')
    const { excluded, constraints } = applyExclusions(exclusions, {
      constraints: read,
      subject,
      language,
      replyLanguage,
    })
    const equivalents = toEquivalents(equivalentsIn(subjectText), language)
    return {
      query,
      language: replyLanguage,
      tokens: tokensOf().slice(0, MAX_TOKENS),
      contentTokens: toContent(subject, Object.keys(filter).length > 0 || wishes.length > 0),
      constraintTokens: toConstraintTokens(constraintWords),
      constraintWords,
      subject: subjectText,
      steps: toSteps(subjectText, language, equivalents),
      pieces,
      equivalents,
      filter,
      constraints,
      excluded,
      wishes,
    }
  }
}
