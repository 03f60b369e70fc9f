// Parses what a person or an agent needs from a sentence: the words of the subject, the constraints, the wishes.
import { type Analyzer, createAnalyzer, eachWord, foldWidth } from '../text/analyzer.ts'
import type { Equivalent } from '../text/equivalents.ts'
import type { Language } from '../text/languages/language.ts'
import { createConstraintReader, type Stretch } from './constraints/constraints.ts'
import { createExclusions } from './exclusions.ts'
import { type Intent, type Step, toConstraintTokens } from './intent.ts'

/** What is already known of a text. */
type ReadWords = { readonly found: readonly Equivalent[]; readonly tokens: readonly string[] }

const MAX_TOKENS = 64
const MAX_STEPS = 6
/** text2speech, pdf2md. */
const CONVERSION = /(?<![a-z0-9])([a-z]{2,})[24]([a-z]{2,})(?![a-z0-9])/gi

const withConversionSpelt = (text: string): string =>
  text.includes('2') || text.includes('4') ? text.replace(CONVERSION, '$1 to $2') : text

/** The end of a web address is no word: every host has one. */
const WEB_ENDING = /(?<=[a-z0-9])(?<!@[a-z0-9.-]+)\.(?:com|org|io|gov|edu|co\.jp|jp)(?![a-z0-9-])/gi
const withoutWebEnding = (text: string): string => (text.includes('.') ? text.replace(WEB_ENDING, ' ') : text)

/** @param replyCode the code of the language of the answer. Default: that of the query */
export type SentenceReader = (query: string, replyCode?: string) => Intent

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
      sentence.withoutRequest(withoutWebEnding(text)),
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

  /**
   * Returns the text with the word instead of each reading that segmentation cuts apart: ね|こ is 猫. Around a reading in
   * another script, function words are removed: kabuka wo shiritai.
   */
  function withWords(text: string, found: readonly Equivalent[], language: Language): string {
    let written = text
    let tokens: Set<string> | undefined
    for (const { written: reading, others, isReading } of found) {
      const [word] = others
      // A word inside a compound was not cut apart: 顔写真.
      if (word === undefined || !isReading) continue
      const own = languages.ofWord(word)
      if (own !== language && own !== languages.ofWord(reading))
        written = own.sentence.withoutRomanFillers?.(written) ?? written
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

  function toEquivalents(
    text: string,
    language: Language,
    { found = equivalentsIn(text), tokens = toTokens(text, language) }: Partial<ReadWords> = {},
  ): Map<string, Equivalent[]> {
    const equivalents = new Map<string, Equivalent[]>()
    const named = [
      ...toNamed(text, language),
      ...toNamedPairs(tokens, language),
      ...toPhrased(text, language),
    ]
    for (const each of [...found, ...named])
      for (const token of toTokens(each.written, language))
        equivalents.set(token, [...(equivalents.get(token) ?? []), each])
    return equivalents
  }

  /** The equivalents of the two words of a conversion are also those of its short form: speech2text. */
  function withConversions(equivalents: Map<string, Equivalent[]>, tokens: readonly string[]) {
    for (const token of tokens) {
      const words = withConversionSpelt(token)
      if (words === token || equivalents.has(token)) continue
      const others = languages.equivalentsIn(words).filter(({ written }) => written === words)
      if (others.length > 0) equivalents.set(token, [...others])
    }
    return equivalents
  }

  /** Adds the name of a conversion to its words: speech to text is transcription. */
  function toNamed(text: string, language: Language): Equivalent[] {
    const { toConversions, namedConversions = [] } = language.sentence
    return (toConversions?.(text) ?? []).flatMap(({ from, to }) => {
      const named = namedConversions.find(
        each => from.some(word => each.from.includes(word)) && to.some(word => each.to.includes(word)),
      )
      if (!named) return []
      // Other words of both ends keep their own meaning: a French letter into English.
      const words = [
        ...from.filter(word => named.from.includes(word)),
        ...to.filter(word => named.to.includes(word)),
      ]
      return [{ written: words.join(' '), others: [], also: languages.namesOf(language, named.names) }]
    })
  }

  /** The named pairs of each language as tokens, and the set of all these tokens. */
  const pairs = new Map(
    languages.all.map(language => {
      const { namedPairs = [] } = language.sentence
      const toNames = (names: readonly string[]) => names.map(name => toTokens(name, language))
      const named = namedPairs.map(({ of, names }) => ({
        of: of.map(toNames),
        names: languages.namesOf(language, names),
      }))
      return [language, { named, tokens: new Set(named.flatMap(({ of }) => of.flat(2))) }]
    }),
  )

  function toNamedPairs(allTokens: readonly string[], language: Language): Equivalent[] {
    const { named, tokens: known } = pairs.get(language)!
    const tokens = new Set(allTokens.filter(token => known.has(token)))
    if (tokens.size < 2) return []
    const isNamed = (name: readonly string[]) => name.length > 0 && name.every(token => tokens.has(token))
    return named.flatMap(({ of, names }) => {
      const found = of.flatMap(names => names.filter(isNamed).slice(0, 1))
      return found.length < 2 ? [] : [{ written: found.flat().join(' '), others: [], also: names }]
    })
  }

  function toPhrased(text: string, language: Language): Equivalent[] {
    const { phrasings = [], phrasingHint } = language.sentence
    const lower = text.toLowerCase()
    if (!phrasingHint?.test(lower)) return []
    return phrasings.flatMap(({ pattern, names }) =>
      [...lower.matchAll(pattern)].map(([written]) => ({
        written,
        others: [],
        also: languages.namesOf(language, names),
      })),
    )
  }

  function toSteps(subject: string, language: Language): Step[] {
    const texts = language.sentence.toSteps?.(subject) ?? []
    if (texts.length < 2) return []
    const steps = texts.flatMap((text): Step[] => {
      const pieces = new Map<string, string[]>()
      const tokens = [...new Set(toTokens(text, language, pieces))]
      const contentTokens = tokens.filter(token => !generic.has(token))
      return contentTokens.length === 0
        ? []
        : [
            {
              text,
              tokens,
              contentTokens,
              subject: text,
              pieces,
              equivalents: toEquivalents(text, language),
              asides: language.sentence.toAsides?.(text) ?? [],
            },
          ]
    })
    return steps.length < 2 ? [] : steps.slice(0, MAX_STEPS)
  }

  return (query, replyCode) => {
    const folded = languages.all.reduce(
      (text, { sentence }) => sentence.respell?.(text) ?? text,
      foldWidth(query),
    )
    const language = languages.ofText(folded)
    const found = equivalentsIn(folded)
    const text = withWords(folded, found, language)
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
      .map(stretch => withConversionSpelt(stretch.text))
      .join(' ')
    // A sentence without conditions is its own subject.
    const known = parts.length === 1 && subjectText === folded ? { found, tokens: parts[0]!.tokens } : {}
    const { excluded, constraints } = applyExclusions(exclusions, {
      constraints: read,
      subject,
      language,
      replyLanguage,
    })
    return {
      query,
      language: replyLanguage,
      tokens: tokensOf().slice(0, MAX_TOKENS),
      contentTokens: toContent(subject, Object.keys(filter).length > 0 || wishes.length > 0),
      constraintTokens: toConstraintTokens(constraintWords),
      constraintWords,
      asides: language.sentence.toAsides?.(subjectText) ?? [],
      subject: subjectText,
      steps: toSteps(subjectText, language),
      pieces,
      equivalents: withConversions(toEquivalents(subjectText, language, known), subject),
      filter,
      constraints,
      excluded,
      wishes,
    }
  }
}
