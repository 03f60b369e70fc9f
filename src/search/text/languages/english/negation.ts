// Exclusions in an English sentence: "not Google", "other than OpenWeatherMap", "without login".
import { type FoundConstraint, hinted, isProvider, type Reader, type Sentence } from '../constraint-rules.ts'

/** Negates the condition that follows. */
export const ENGLISH_NEGATION = {
  before:
    /(?:(?:that|which) (?:is|are) )?(?<![a-z])(?:(?:do |does |is |are |must |should )?not|(?:is|are|do|does)n['’]?t|never|except(?: for)?|excluding|other than|without|with no)(?: (?:an?|the|any|be|those|ones))?\s*$/,
}

/** Words that end an exclusion. */
const STOPS = new Set(
  `for with without on in at that which and or but nor under below above over please because since if when while to from by as is are was
were has have using via than so then of only`.split(/\s+/),
)
/** After "not", these do not start an exclusion. */
const NOTHING = new Set(
  `only just sure too so very other vice more less over above exceeding safe working available enough necessarily yet now here there really all
every always ever even quite much many any be been being a the an it to in on at by for from with if what how why when where who
know want need like have has do does did going able possible matter problem mind limited`.split(/\s+/),
)
const ARTICLE = /^(?:an?|the|any|some|those|ones?|services?|apis?) /
const WORD = /[\p{L}\p{N}][\p{L}\p{N}.&'’+-]*/uy
const MAX_WORDS = 3

type Words = { readonly words: string; readonly end: number; readonly isName: boolean }

/** Returns the words from here on, up to the end of the exclusion. */
function readWords({ text, lower }: Sentence, start: number): Words | undefined {
  let at = start
  for (let article = ARTICLE.exec(lower.slice(at)); article; article = ARTICLE.exec(lower.slice(at)))
    at += article[0].length
  const from = at
  const words: string[] = []
  let end = at
  while (words.length < MAX_WORDS) {
    WORD.lastIndex = at
    const word = WORD.exec(lower)?.[0].replace(/[.'’&-]+$/, '')
    if (!word || STOPS.has(word)) break
    words.push(word)
    end = at + word.length
    if (lower[end] !== ' ') break
    at = end + 1
  }
  if (NOTHING.has(words[0]!) || !words.some(word => /\p{L}/u.test(word))) return undefined
  return { words: words.join(' '), end, isName: /\p{Lu}/u.test(text[from]!) || isProvider(words[0]!) }
}

const LAST = /(?:,? (?:or|nor|and)|,) /y

/** Several names in a row: not Google or Bing; except OpenAI, Anthropic and Google. After a comma alone, only a known name is one more. */
function readNames(sentence: Sentence, start: number): Words | undefined {
  let names = readWords(sentence, start)
  while (names?.isName) {
    LAST.lastIndex = names.end
    const joint = LAST.exec(sentence.lower)?.[0]
    const next = joint === undefined ? undefined : readWords(sentence, names.end + joint.length)
    if (!next?.isName || (joint === ', ' && !isListed(sentence, next))) break
    names = { ...next, words: `${names.words}\n${next.words}` }
  }
  return names
}

/** Returns whether a name after a comma is followed by the rest of the list, or is a known one. */
function isListed(sentence: Sentence, { words, end }: Words): boolean {
  if (isProvider(words)) return true
  LAST.lastIndex = end
  const joint = LAST.exec(sentence.lower)?.[0]
  return joint !== undefined && readWords(sentence, end + joint.length)?.isName === true
}

const LEFT_OUT = hinted(
  "not |n't |n’t |isnt |except|excluding|other than|apart from|aside from|anything but|nothing ",
  /(?:(?:[,;]\s*|(?<![a-z])(?:but|and)\s+)(?:just )?not|(?<![a-z])(?:(?:that|which)(?: (?:is|are)|['’]s|['’]re) not|(?:that|which) (?:is|are)n['’]?t|except(?: for| from)?|excluding|other than|apart from|aside from|anything but|nothing (?:from|by|with|like)|not from|not by))(?: (?:from|by|via|with|through|using|about|for|called|named|including|related to|based on|made by))? (?=[\p{L}\p{N}])/gu,
)
/** After these, "not" is part of a statement and not an exclusion: a page that Google has not indexed. */
const DENYING =
  '(?:is|are|was|were|am|be|do|does|did|can|could|will|would|should|may|might|has|have|had|why|if|or|whether)'
/** With these, only a name is excluded: "translation not Google", "instead of Google", but not "instead of typing". */
const NAME_LEFT_OUT = hinted(
  "not |no |instead of|rather than|avoid|besides|never use|n't use|n’t use|dont use",
  new RegExp(
    `(?:(?<=^|[,;:(–—-] ?|(?<![a-z])(?:but|please) )no|(?<![a-z])(?:(?:please )?never use|(?:please )?do(?: not|n['’]?t) use|not using)|(?<!(?<![a-z])${DENYING} )(?<![a-z])not|(?<![a-z])(?:instead of|rather than|avoid|avoiding|besides)) (?=[\\p{L}\\p{N}])`,
    'gu',
  ),
)

const STATED = /(?<![a-z])(?:whether|if|that|see|check|verify) [^.,;]*(?<![a-z])(?:is|are) (?:an? )?[a-z]+ ?$/

const OF_SERVICE =
  /(?<![a-z])(?:apis?|services?|endpoints?|providers?|sellers?|tools?|models?|bots?|ones?|something|anything|stuff),? ?$/
/** An agreement made but not documented in writing: a statement too. */
const SAID_OF_IT = /^[a-z]+ed (?:in|by|on|at|to|with|as|for|yet)(?![a-z])/
/** Candles, excluding volume data: parts of an answer. */
const PARTS =
  /(?<![a-z])(?:data|information|info|details|values?|fields?|columns?|metadata|spaces|whitespace|punctuation|weekends?|holidays?|tax(?:es)?|vat|shipping|bounds?)$/

const leaveOut =
  (onlyNames: boolean) =>
  ({ index, 0: lead }: RegExpExecArray, sentence: Sentence): FoundConstraint | undefined => {
    const found = readNames(sentence, index + lead.length)
    if (!found || (onlyNames && !found.isName)) return undefined
    // In capitals, both are words of a query language: NOT NULL.
    if (/\bNOT\b/.test(sentence.text.slice(index, index + lead.length))) return undefined
    // Whether a number is a mobile and not a landline: a statement about the subject.
    if (!found.isName && STATED.test(sentence.lower.slice(0, index))) return undefined
    if (!found.isName && SAID_OF_IT.test(found.words + sentence.lower.slice(found.end))) return undefined
    // Characters that are not alphanumeric: what is meant is not the service.
    if (!found.isName && /^(?:that|which)/.test(lead) && !OF_SERVICE.test(sentence.lower.slice(0, index)))
      return undefined
    // What the answer should leave out says nothing about the service.
    if (!found.isName && PARTS.test(found.words))
      return { unapplied: { code: 'undecidable' }, end: found.end }
    return { excluded: { words: found.words }, end: found.end }
  }

/** As in search engines: "weather -radar". */
const MINUS = hinted(' -|　-', /(?<=(?<!\d)\s)-(?<what>\p{L}[\p{L}\p{N}.&+]{2,})(?=$|\s|[,;])/gu)

/** "I don't want translation, I want language detection": the clause ends after what is not wanted. */
const UNWANTED = hinted(
  "not want|not need|n’t want|n’t need|n't want|n't need|dont want|dont need",
  /(?<![a-z])(?:(?:i|we) |(?<=^|[.,;!?] ?|but |and ))(?:do not|don['’]?t) (?:want|need)(?: to use| anything (?:from|by|with|like))? (?=[\p{L}\p{N}])/gu,
)
const CLAUSE_END = /^\s*(?:$|[.,;!?)]|(?:but|only|just|i|we|give|show|instead|please)(?![a-z]))/
/** What is needed before a service can be used. */
const ACCESS =
  /^(?:(?:user |my |own )?accounts?|api[- ]?keys?|keys?|log-?ins?|logging in|sign-?ups?|sign(?:ing)? up|registration|registering|subscriptions?|credit cards?|cards?|contracts?|wallets?|passwords?|installs?|installation)(?![a-z])/

const WITHOUT = hinted(
  "without |w/o |with no |no |not requir|n't requir|n’t requir|not need|n't need|n’t need",
  /(?<![a-z-])(?:(?:without|w\/o)(?: (?:having to|needing|requiring|using))?|with no|(?<=[,;] ?)no|no need (?:for|to)|(?:that |which )?(?:(?:does|do|is|are) not|(?:does|do)n['’]?t) (?:require|need))(?= [\p{L}])/gu,
)
/** What is required before a service can be used. Any other activity describes the task itself: without losing quality. */
const BEFOREHAND =
  /^(?:logging|signing|registering|paying|installing|subscribing|creating|authenticating|verifying)(?![a-z])/
const NEEDED = / (?:is |are )?(?:required|needed|necessary)(?![a-z])/y

export const ENGLISH_EXCLUSION: Reader = [
  { pattern: LEFT_OUT, handle: leaveOut(false) },
  { pattern: NAME_LEFT_OUT, handle: leaveOut(true) },
  { pattern: MINUS, handle: ({ groups }) => ({ excluded: { words: groups!.what! } }) },
  {
    pattern: UNWANTED,
    handle({ index, 0: lead }, sentence) {
      const found = readNames(sentence, index + lead.length)
      if (!found || !CLAUSE_END.test(sentence.lower.slice(found.end))) return undefined
      return ACCESS.test(found.words)
        ? { unapplied: { code: 'undecidable' }, end: found.end }
        : { excluded: { words: found.words }, end: found.end }
    },
  },
  {
    pattern: WITHOUT,
    handle({ index, 0: lead }, sentence) {
      const provider = readNames(sentence, index + lead.length + 1)
      if (
        provider &&
        isProvider(provider.words.split(/\s/, 1)[0]!) &&
        CLAUSE_END.test(sentence.lower.slice(provider.end))
      )
        return { excluded: { words: provider.words }, end: provider.end }
      const found = readWords(sentence, index + lead.length + 1)
      if (!found || (/^[a-z]+ing(?![a-z])/.test(found.words) && !BEFOREHAND.test(found.words)))
        return undefined
      NEEDED.lastIndex = found.end
      const needed = NEEDED.exec(sentence.lower)?.[0] ?? ''
      return { unapplied: { code: 'undecidable' }, end: found.end + needed.length }
    },
  },
]
