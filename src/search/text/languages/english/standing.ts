// What an English sentence excludes, and what it asks for in status, quota, category and wishes.

// Exclusions in an English sentence: "not Google", "other than OpenWeatherMap", "without login".
import {
  asksFree,
  asksProtocol,
  asksStatus,
  type FoundConstraint,
  hinted,
  isProvider,
  type Reader,
  type Sentence,
  type SharedRules,
  wishes,
} from '../language.ts'
import { ENGLISH_GOODS } from './terms.ts'

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

// Status, free quota, category and wishes in an English sentence.

/** Other things that can be verified: "verified contract source" is a subject. */
const VERIFIED_THINGS =
  '(?! (?:contracts?|source|e-?mails?|address(?:es)?|phones?|numbers?|identit|credentials?|accounts?|users?|badges?|reviews?|customers?|humans?|buyers?|sellers? of|carbon|list|checkmark|purchases?|leads|facts|signatures?|claims?|news|media|organi[sz]ations?|compan(?:y|ies)|business(?:es)?|sources?|profiles?|artists?|authors?|creators?|drivers?|hosts?|hotels?|doctors?|experts?|students?|owners?|domains?|wallets?|tokens?|transactions?|(?:on|by|with|at|in|as|against|through|via|or not|if)(?![a-z])))'
/** Before "verified", these make it a statement about the subject: whether a contract is verified. */
const ABOUT_SUBJECT =
  '(?<!(?<!that |which |must |to )(?:is|are|was|were|be|been|get|gets|got|become) )(?<!(?<![a-z])(?:my|our|your|their|his|her) [a-z]+ )'
const WHO = '(?: (?:services?|providers?|apis?|ones|sellers?|endpoints?|vendors?))?'

const SERVICE = '(?:services?|apis?|endpoints?|providers?|ones|sellers?|vendors?)'
/** States of a service that answers now. The second are also those of other things: active users, live scores. */
const UP =
  '(?:online|up(?: and running)?(?! (?:for|to|in|by|at)(?![a-z]))|alive|operational|reachable|responding|responsive)'
const RUNNING = `(?:${UP}|working|active|running|live|functional)`
const NOW = '(?:right now|now|at the moment|at present|today)'
/** Who or what else may be online. */
const OTHERS =
  '(?:users?|players?|people|friends?|members?|contacts?|drivers?|streamers?|streams?|followers?|sites?|websites?|pages?|servers?|hosts?|nodes?|devices?|machines?|games?|channels?|stores?|shops?|validators?)'
const IS = `(?:that|which|who)(?: (?:is|are)|['’](?:s|re))`

export const ENGLISH_STATUS: Reader = [
  ...asksStatus(
    'unverified',
    hinted(
      'unverified',
      new RegExp(
        `(?<![a-z])(?:only )?unverified(?:${WHO} only|(?: (?:services?|providers?|apis?|ones)))`,
        'gu',
      ),
    ),
  ),
  ...asksStatus(
    'inactive',
    hinted(
      'inactive|dead',
      /(?<![a-z])(?:only )?(?:inactive|dead)(?: (?:services?|providers?|apis?|ones)| only)/gu,
    ),
  ),
  ...asksStatus(
    'verified',
    hinted(
      'verified',
      new RegExp(
        `(?<![a-z])${ABOUT_SUBJECT}(?:only |from |already |must be |has to be )*verified(?![a-z])${VERIFIED_THINGS}${WHO}(?: only)?`,
        'gu',
      ),
    ),
    hinted(
      'work|active|running|online|live',
      /(?<![a-z])(?:(?:only |currently |actually )*(?:working|active|running|online|live|alive) (?:ones|services?|apis?|endpoints?|providers?)(?: only)?(?<=(?:only|currently|actually) .*|only)|(?:working|active|running|online|alive) only(?= *(?:$|[.,;!?)]))|(?<!(?<![a-z])(?:get|gets|getting|got|have|bring|put)(?: [a-z'’-]+){1,5} )up and running|that (?:actually|really) works?)(?![a-z])/gu,
    ),
    // currently online OCR services · services up right now · OCR which is still reachable
    hinted(
      'currently|presently|still|actually|right now| now|at the moment|at present|today',
      new RegExp(
        `(?<![a-z])(?:${[
          `(?<!(?<![a-z])(?:is|are|was|were) )(?:only )?(?:currently|presently|still) ${UP}(?= (?!${OTHERS}(?![a-z]))(?:[a-z0-9-]+ ){0,3}${SERVICE}(?![a-z]))`,
          `(?<=${SERVICE},? )(?:${IS} )?(?:(?:currently|presently|still|actually) ${RUNNING}(?: ${NOW})?|${RUNNING} ${NOW})`,
          `(?<!(?<![a-z])${OTHERS} )${IS} (?:(?:currently|presently|still) ${UP}(?: ${NOW})?|${UP} ${NOW})`,
        ].join('|')})(?![a-z])`,
        'gu',
      ),
    ),
    // services that are online · must be up
    hinted(
      "that is|that are|which is|which are|that's|that’s|which's|must be|has to be|have to be|needs to be|should be",
      new RegExp(
        `(?<![a-z])(?:(?<=${SERVICE} )${IS}|(?:must|has to|have to|needs to|should) be(?: currently)?) ${RUNNING}(?: ${NOW})?(?= *(?:$|[.,;!?)]))`,
        'gu',
      ),
    ),
  ),
]

/** By MPP · that accepts MPP · MPP services; an MPP database is a subject. */
export const ENGLISH_PROTOCOL: Reader = asksProtocol(
  'mpp',
  hinted(
    'mpp|machine payment',
    /(?<![a-z])(?:(?:that|which) )?(?:(?:is |are |can be )?(?:paid|payable|pay|payments?) )?(?:(?:by|via|over|with|through|using|takes?|taking|accepts?|accepting|supports?|supporting) (?:the )?(?:mpp|machine payments? protocol)(?: payments?)?|mpp(?=[ -](?:only|services?|apis?|endpoints?|ones)(?![a-z])))(?![a-z])(?! (?:databases?|clusters?|engines?|queries|architectures?))/gu,
  ),
)

export const ENGLISH_FREE: Reader = [
  ...asksFree(
    'quota',
    hinted(
      'free',
      /(?<![a-z-])(?:(?:with|has|have|having|offers?|offering|includes?|including) )?(?:(?:a|an|some) )?free[ -](?:tiers?|quotas?|plans?|trials?|requests?|calls?|allowance|credits?|usage|quota)(?![a-z])/gu,
    ),
  ),
  ...asksFree(
    'any',
    hinted(
      'free|at no c|without paying',
      /(?<![a-z-])(?<!(?:available|watch|download|stream|ship|shipped|delivered|play|read|listen|given away|sent|visit|enter)(?: (?:it|them|to))? )(?<!preferably )(?:for free(?! (?!(?:and|or|but|on|in|with|at|from|via|using|please|that|which|to|without|under|by|if|because|so|today|now|online)(?![a-z]))[a-z])|free of charge|at no cost|without paying|at no charge)(?![a-z])/gu,
    ),
  ),
]

const CATEGORY = [
  hinted(
    'category',
    /(?<![a-z])(?:in|from|under|within|of) (?:the )?(?<name>[a-z][a-z-]*(?: tools)?) category/gu,
  ),
  hinted(
    'category',
    /(?<![a-z])(?:in |from |under |within |of )?(?:the )?category(?: of|:| is|=)? ?["']?(?<name>[a-z][a-z-]*)["']?/gu,
  ),
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

/** A wish may be about what is bought or looked for, and not about the service: affordable and quiet hotels, a reputable journal. */
const FOLLOWED_BY = '(?!(?:,? (?:and )?[a-z-]+){0,2} '
const NOT_OF_GOODS = `${FOLLOWED_BY}(?:${ENGLISH_GOODS}(?! (?:prices?|rates?|data|search|comparison)(?![a-z]))|(?:accommodations?|options?|places?|vehicles?|courses?|class(?:es)?|furniture|insurance)(?![a-z])))`
const NOT_OF_OTHERS = `${FOLLOWED_BY}(?:brands?|sources?|journals?|websites?|sites?|books?|attorneys?|lawyers?|doctors?|mechanics?|agenc(?:y|ies)|compan(?:y|ies)|schools?|universit(?:y|ies)|stores?|shops?|people|persons?|friends?|parts?|seals?)(?![a-z]))`

export const ENGLISH_WISHES: Reader = [
  ...wishes(
    'cheap',
    hinted(
      'cheap|affordable|inexpensive|low|budget',
      new RegExp(
        `(?<![a-z])(?:cheap(?:est|er|ly)?|affordable|inexpensive|low[ -]cost|low[ -]priced?|budget[ -]friendly)(?![a-z])(?! than)${NOT_OF_GOODS}`,
        'gu',
      ),
    ),
  ),
  ...wishes(
    'fast',
    hinted(
      'fast|quick|latency',
      /(?<![a-z])(?:(?:the )?(?:fastest|quickest)(?! (?:way|route|path|train|car|time|growing|animal|runner|lap|flight))|low[ -]latency|(?<=, ?)(?:fast|quick)(?= *(?:$|[.!]))|(?:fast|quick)(?=,? (?:and )?(?:cheap|reliable|affordable|accurate)| (?:[a-z]+ )?(?:api|service|endpoint))|(?<=^|^(?:an?|any|some|find|get|is there an?|i need an?|i want an?|looking for an?) )(?:fast|quick)(?= [a-z])(?! (?:food|fashion|track|forward|lane|charg|car|break|response|start|facts?|recipes?|meals?|dinner|lunch|route|way|train|math)))(?![a-z])/gu,
    ),
  ),
  ...wishes(
    'reliable',
    hinted(
      'reliabl|trust|dependable|reputable',
      new RegExp(
        `(?<![a-z])(?:(?:most )?reliable|reliably|trusted|trustworthy|dependable|reputable)(?![a-z])${NOT_OF_GOODS}${NOT_OF_OTHERS}`,
        'gu',
      ),
    ),
  ),
  ...wishes(
    'free',
    hinted(
      'free',
      /(?<=^|^(?:an?|any|some|find|get|is there an?|i need an?|i want an?|looking for an?) )free(?= [a-z]+)(?! (?:text|form|speech|range|fall|time|shipping|software|energy|throw|agent|delivery|space|disk|will|lance|style|hand|verse|trade|market|body|kick|flow|memory|slot|busy))/gu,
    ),
  ),
]
