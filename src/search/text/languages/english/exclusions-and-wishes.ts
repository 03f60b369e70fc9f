// What an English sentence excludes, and what it asks for in status, quota, category and wishes.
import {
  asksFree,
  asksProtocol,
  asksStatus,
  concedes,
  type FoundConstraint,
  isProvider,
  type Reader,
  type Sentence,
  type SharedRules,
  wishes,
} from '../language.ts'

// Exclusions in an English sentence: "not Google", "other than OpenWeatherMap", "without login".

/** Negates the condition that follows. */
export const ENGLISH_NEGATION = {
  before:
    /(?:(?:that|which) (?:is|are) )?(?<![a-z])(?:(?:do |does |is |are |must |should )?not|(?:is|are|do|does)n['’]?t|never|except(?: for)?|excluding|other than|without|with no)(?: (?:an?|the|any|be|those|ones))?\s*$/,
}

/** It need not be on Base; not only Google; even if it costs more: up to the end of the clause. */
export const ENGLISH_CONCESSION: Reader = concedes(
  /(?<![a-z])(?:(?:does|do|is|are)(?: not|n['’]?t) (?:have to be|need to be|necessarily|matter)|need(?: not|n['’]?t) be|not (?:necessarily|only|just)|no (?:need to be|matter)|even if|whether or not)(?![a-z])[^,.;:!?]*/gu,
)

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

const LEFT_OUT =
  /(?:(?:[,;]\s*|(?<![a-z])but\s+)not|(?<![a-z])(?:except(?: for| from)?|excluding|other than|apart from|aside from|anything but|nothing (?:from|by|with|like)|not from|not by))(?: (?:from|by|via|with|through|using|about|for|called|named|including|related to|based on|made by))? (?=[\p{L}\p{N}])/gu
/** With these, only a name is excluded: "translation not Google", "instead of Google", but not "instead of typing". */
const NAME_LEFT_OUT =
  /(?:(?<=^|[,;:(–—-] ?|(?<![a-z])(?:but|please) )no|(?:that|which)(?: (?:is|are)|['’]s|['’]re) not|(?:that|which) (?:is|are)n['’]?t|(?<![a-z])(?:(?:please )?never use|(?:please )?do(?:es)?(?: not|n['’]?t) use|not using)|(?<!(?<![a-z])(?:is|are|was|were|do|does|did|can|has|have) )(?<![a-z])not|(?:but|and) not|(?<![a-z])(?:instead of|rather than|avoid|avoiding)) (?=[\p{L}\p{N}])/gu

const leaveOut =
  (onlyNames: boolean) =>
  ({ index, 0: lead }: RegExpExecArray, sentence: Sentence): FoundConstraint | undefined => {
    const found = readNames(sentence, index + lead.length)
    if (!found || (onlyNames && !found.isName)) return undefined
    // In capitals, both are words of a query language: NOT NULL.
    if (/\bNOT\b/.test(sentence.text.slice(index, index + lead.length))) return undefined
    return { excluded: { words: found.words }, end: found.end }
  }

/** As in search engines: "weather -radar". */
const MINUS = /(?<=(?<!\d)\s)-(?<what>\p{L}[\p{L}\p{N}.&+]{2,})(?=$|\s|[,;])/gu

/** "I don't want translation, I want language detection": the clause ends after what is not wanted. */
const UNWANTED =
  /(?<![a-z])(?:(?:i|we) |(?<=^|[.,;!?] ?|but |and ))(?:do not|don['’]?t) (?:want|need)(?: to use| anything (?:from|by|with|like))? (?=[\p{L}\p{N}])/gu
const CLAUSE_END = /^\s*(?:$|[.,;!?)]|(?:but|only|just|i|we|give|show|instead|please)(?![a-z]))/
/** What is needed before a service can be used. */
const ACCESS =
  /^(?:(?:user |my |own )?accounts?|api[- ]?keys?|keys?|log-?ins?|logging in|sign-?ups?|sign(?:ing)? up|registration|registering|subscriptions?|credit cards?|cards?|contracts?|wallets?|passwords?|installs?|installation)(?![a-z])/

const WITHOUT =
  /(?<![a-z-])(?:(?:without|w\/o)(?: (?:having to|needing|requiring|using))?|with no|(?<=[,;] ?)no|no need (?:for|to)|(?:that |which )?(?:(?:does|do|is|are) not|(?:does|do)n['’]?t) (?:require|need))(?= [\p{L}])/gu
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

// Status, free quota, category and wishes in an English sentence.

/** Other things that can be verified: "verified contract source" is a subject. */
const VERIFIED_THINGS =
  '(?! (?:contract|source|e-?mail|address|phone|number|identit|credential|account|user|review|customer|buyer|purchase|news|compan|profile|domain|wallet|token|transaction|(?:on|by|with|at|in|as|against|through|via|or not|if)(?![a-z])))'
/** Before "verified", these make it a statement about the subject: whether a contract is verified. */
const ABOUT_SUBJECT =
  '(?<!(?<!that |which |must |to )(?:is|are|was|were|be|been|get) )(?<!(?<![a-z])(?:my|our|your|their) [a-z]+ )'
const WHO = '(?: (?:services?|providers?|apis?|ones|sellers?|endpoints?|vendors?))?'

const SERVICE = '(?:services?|apis?|endpoints?|providers?|ones|sellers?|vendors?)'
const UP = '(?:online|up|working|active|running|live|alive|operational|reachable|responding)'
const STILL = '(?:currently|presently|still|actually)'
const NOW = '(?:right now|now|at the moment|today)'
export const ENGLISH_STATUS: Reader = [
  ...asksStatus(
    'verified',
    new RegExp(
      `(?<![a-z])${ABOUT_SUBJECT}(?:only |from |already |must be |has to be )*verified(?![a-z])${VERIFIED_THINGS}${WHO}(?: only)?`,
      'gu',
    ),
    // Only of services: users may be online as well.
    new RegExp(
      `(?<![a-z])(?:${[
        `(?:only |${STILL} )?${UP} ${SERVICE} only|(?:only |${STILL} )${UP}(?= (?:[a-z0-9-]+ )?${SERVICE}(?![a-z]))`,
        `(?<=${SERVICE},? )(?:(?:that|which) (?:is|are) )?(?:${STILL} ${UP}|${UP} ${NOW}|(?<=(?:is|are) )${UP}(?: and running)?(?= *(?:$|[.,;!?)])))`,
        `must be ${UP}|that (?:actually|really) works?`,
      ].join('|')})(?![a-z])`,
      'gu',
    ),
  ),
]

/** By MPP · that accepts MPP · MPP services; an MPP database is a subject. */
export const ENGLISH_PROTOCOL: Reader = asksProtocol(
  'mpp',
  /(?<![a-z])(?:(?:that|which) )?(?:(?:is |are |can be )?(?:paid|payable|pay|payments?) )?(?:(?:by|via|over|with|through|using|takes?|taking|accepts?|accepting|supports?|supporting) (?:the )?(?:mpp|machine payments? protocol)(?: payments?)?|mpp(?=[ -](?:only|services?|apis?|endpoints?|ones)(?![a-z])))(?![a-z])(?! (?:databases?|clusters?|engines?|queries|architectures?))/gu,
)

export const ENGLISH_FREE: Reader = [
  ...asksFree(
    'quota',
    /(?<![a-z-])(?:(?:with|has|have|having|offers?|offering|includes?|including) )?(?:(?:a|an|some) )?free[ -](?:tiers?|quotas?|plans?|trials?|requests?|calls?|allowance|credits?|usage|quota)(?![a-z])/gu,
  ),
  ...asksFree(
    'any',
    /(?<![a-z-])(?<!(?:available|watch|download|stream|play|read|listen) )(?:for free(?= (?:and|or|but|on|in|with|via|please|under|by)(?![a-z])|\s*$|\s*[^a-z\s])|free of charge|at no cost|without paying)(?![a-z])/gu,
  ),
]

const CATEGORY = [
  /(?<![a-z])(?:in|from|under|within|of) (?:the )?(?<name>[a-z][a-z-]*(?: tools)?) category/gu,
  /(?<![a-z])(?:in |from |under |within |of )?(?:the )?category(?: of|:| is|=)? ?["']?(?<name>[a-z][a-z-]*)["']?/gu,
]

export const toEnglishCategory = ({ toCategory }: SharedRules): Reader =>
  CATEGORY.map(pattern => ({
    pattern,
    handle({ groups, 0: matched }) {
      const name = groups!.name!
      const found = toCategory(name) ?? toCategory(name.replace(/ /g, '-'))
      if (found || /^(?:of|the|is|page|product|item|which|that|this)$/.test(name)) return found
      return matched.endsWith(' category') ? { unapplied: { code: 'unknown_category', name } } : undefined
    },
  }))

/** A wish only changes the order, so it is also read where it is said of what is looked for: cheap flights. */
export const ENGLISH_WISHES: Reader = [
  ...wishes(
    'cheap',
    /(?<![a-z])(?:cheap(?:est|er|ly)?|affordable|inexpensive|low[ -]cost|low[ -]priced?|budget[ -]friendly)(?![a-z])(?! than)/gu,
  ),
  ...wishes(
    'fast',
    /(?<![a-z])(?:(?:the )?(?:fastest|quickest)(?! (?:way|route|path|train))|low[ -]latency|(?<=, ?)(?:fast|quick)(?= *(?:$|[.!]))|(?:fast|quick)(?=,? (?:and )?(?:cheap|reliable)| (?:[a-z]+ )?(?:api|service|endpoint))|(?<=^|^(?:an?|find) )(?:fast|quick)(?! food)(?= [a-z]))(?![a-z])/gu,
  ),
  ...wishes(
    'reliable',
    /(?<![a-z])(?:(?:most )?reliable|reliably|trusted|trustworthy|dependable|reputable)(?![a-z])/gu,
  ),
  ...wishes(
    'free',
    /(?<=^|^(?:an?|find) )free(?= [a-z]+)(?! (?:text|form|speech|time|shipping|fall|space)(?![a-z]))/gu,
  ),
]
