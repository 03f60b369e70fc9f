// English, and any other language in Latin letters with spaces between words: stems, stop words, the steps of a request, reasons.
import { categoryLabels } from '../../../../domain/listing/categories.ts'
import type { Language, ReasonWords } from '../language.ts'
import {
  ENGLISH_CONCESSION,
  ENGLISH_EXCLUSION,
  ENGLISH_FREE,
  ENGLISH_NEGATION,
  ENGLISH_PROTOCOL,
  ENGLISH_STATUS,
  ENGLISH_WISHES,
  toEnglishCategory,
} from './exclusions-and-wishes.ts'
import { ENGLISH_CHAIN, ENGLISH_MONEY, toEnglishCurrency, toEnglishPrice } from './prices-and-chains.ts'

// Maps the inflected forms of an English word to one row of the embedding: plural, past and -ing endings, and a final e.
// The rows are trained on exactly these stems: a change requires a new training run.
const VOWEL = /[aeiouy]/
const DOUBLED = /([^aeiouylsz])\1$/
/** Where English drops an e before -ing and -ed: creat(e), enabl(e), pric(e), chang(e), remov(e), measur(e). */
const LOST_E = /(at|bl|iz|uc|as|ag|eg|iv|ang|arg|erg|uir|ur|ut|ot|ap|[aeiou]c|rc|nc)$/
const SHORT_SYLLABLE = /^[^aeiou]*[aeiouy][^aeiouwxy]$/

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word
  if (!word.endsWith('s') || /(ss|us|is)$/.test(word)) return word
  return word.slice(0, -1)
}

function withoutSuffix(word: string): string {
  if (word.endsWith('eed')) return word
  let base = word
  if (word.endsWith('ed') && word.length > 4) base = word.slice(0, -2)
  else if (word.endsWith('ing') && word.length > 5) base = word.slice(0, -3)
  if (base === word || !VOWEL.test(base)) return word
  if (base.length > 2 && LOST_E.test(base)) return `${base}e`
  if (DOUBLED.test(base)) return base.slice(0, -1)
  return SHORT_SYLLABLE.test(base) ? `${base}e` : base
}

/** Returns the stem of a lower-case word. Words with digits and words of up to three letters are unchanged. */
export function toStem(word: string): string {
  if (word.length < 4 || /[0-9]/.test(word)) return word
  const base = withoutSuffix(withoutPlural(word))
  // The e is dropped rather than restored, so that forms whose e cannot be guessed get the same stem.
  return base.length > 4 && base.endsWith('e') ? base.slice(0, -1) : base
}

// English stop words and stems.

const STOP_WORDS = `a about above after again all also am an and any are as at be because been before being below between both but by
can cannot could couldnt did didnt do does doesnt doing dont down during each either else etc ever every few for from further had
has hasnt have havent having he her here hers him his how however i id if ill im in into is isnt it its itself ive just let lets
many may maybe me might mine more most much must my myself no nor not now of off on once one ones only onto or other our ours out over own
per please quite rather same shall she should so some somebody someone something somehow somewhere such than that thats the their
theirs them then there theres these they theyre this those though through to too under until up upon us use used useful user users
using very via was wasnt we well were werent what whats whatever when whenever where wherever whether which while who whom whose why
will with within without wont would wouldnt yes yet you youd youll your youre yours`

/** The phrasing of a request: "I am looking for…", "can you help me find…", "is there anything like…". */
const REQUEST_WORDS = `able anybody anyone anything find finding get gets getting give given gives gimme got hello help helps hey hi
know like look looking looks make makes making need needed needing needs show showing tell thank thanks there try trying wanna want
wanted wanting wants way wish
asap btw gonna kinda lemme ok okay pls plz smth sth thx ur wats
additionally afterwards finally firstly furthermore lastly moreover secondly thirdly
appreciate assist assistance assisting curious eager grateful hoping interested kindly provide provided provides providing wondering
called including includes include named regarding specifically titled`

const FILLER = new Set(`${STOP_WORDS} ${REQUEST_WORDS}`.split(/\s+/))

/** Returns whether a word is a stop word or phrases a request. `word` is lower-case, without apostrophes. */
const isEnglishFiller = (word: string): boolean => FILLER.has(word)

/** Words that only look inflected. */
const UNCHANGED = new Set([
  'news',
  'aws',
  'gps',
  'sms',
  'dns',
  'ios',
  'https',
  'css',
  'rss',
  'series',
  'species',
])

/** taxes, boxes, buses: for these, the stem of the embedding keeps the e. */
const SHORT_PLURAL = /^(?:[a-z]{2}xes|buses|gases)$/

/** Words that stripping would make another word: the stats of a player are not the United States. Each is the stem of its plural. */
const DISTINCT = new Set(
  'state plane paste grade globe tense slope spare scare stare prime mission passion portion pension director'.split(
    ' ',
  ),
)

/**
 * Agent and action nouns share the stem of the verb: translator, translation, translate. Stripping further suffixes reduces
 * relevance.
 */
const DERIVED = /^(.*[aeiou].{2,})(?:ion|or)$/
const MIN_DERIVED = 7

const ENDINGS =
  'es ed ing ings ion ions or ors er ers ment able ably al ally ly ful ness ity ive ist ic ance'.split(' ')
/** The endings, and each with a letter missing: translat|on. */
const SPELT = [
  ...new Set(
    ENDINGS.flatMap(each => [each, ...[...each].map((_, i) => each.slice(0, i) + each.slice(i + 1))]),
  ),
]

/** Returns whether a word with this after its stem may be a form of it: translat|io is, text|ure is not. */
const isEnglishEnding = (ending: string): boolean => SPELT.some(each => each.startsWith(ending))

const withoutAccents = (word: string): string =>
  /[^\x00-\x7f]/.test(word)
    ? word
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
    : word

/** The last letters of all endings that are stripped: -s, -ed, -ing, -e, -ion, -or. */
const LAST_LETTERS = new Set('sdgenr')

/** Returns the stem: forecasts, forecasting → forecast; translate, translation → translat. */
export function toEnglishTerm(written: string): string {
  const word = withoutAccents(written)
  if (!LAST_LETTERS.has(word.at(-1)!) || UNCHANGED.has(word)) return word
  if (SHORT_PLURAL.test(word)) return word.slice(0, -2)
  const one = word.endsWith('s') ? word.slice(0, -1) : word
  if (DISTINCT.has(one)) return one
  const stem = toStem(word)
  const isDerived = stem.length >= MIN_DERIVED && (stem.endsWith('ion') || stem.endsWith('or'))
  return isDerived ? stem.replace(DERIVED, '$1') : stem
}

const IS_LETTER = /[\p{L}\p{N}]/u
/** The maximum length of a word after its stem: forecast|ing. */
const LONGEST_ENDING = 5

function findWord(text: string, stem: string): string | undefined {
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    if (at > 0 && IS_LETTER.test(text[at - 1]!)) continue
    let end = at + stem.length
    while (end < text.length && /[a-z]/.test(text[end]!)) end++
    if (end - at - stem.length <= LONGEST_ENDING) return text.slice(at, end)
  }
  return undefined
}

/** Returns the word of a lower-case text that has the stem. The y of a plural in -ies is not in the text: currenc|ies. */
const findEnglishForm = (text: string, stem: string): string | undefined =>
  findWord(text, stem) ?? (stem.endsWith('y') ? findWord(text, stem.slice(0, -1)) : undefined)

// The steps of an English request: "translate a PDF, summarise it and send it to Slack".

/** The verbs of a step. A part that begins with none of these continues the one before. */
const VERBS =
  'add|alert|analy[sz]e|annotate|answer|archive|ask|blur|book|bridge|build|buy|calculate|call|caption|capture|categori[sz]e|chart|check|classify|clean|collect|compare|compose|compress|compute|convert|count|crawl|create|crop|cut|delete|deploy|describe|detect|download|draft|draw|e-?mail|embed|encrypt|estimate|evaluate|execute|explain|export|extract|fetch|fill|filter|find|forecast|format|gather|generate|geocode|get|give|grab|group|identify|import|label|list|look up|mail|make|measure|merge|message|mint|moderate|monitor|narrate|notify|obtain|optimi[sz]e|order|paraphrase|parse|pay|pin|ping|plan|plot|post|predict|print|proofread|publish|put|rank|read|recommend|record|remind|remove|render|reply|report|reserve|resize|retrieve|rewrite|rotate|run|save|scan|schedule|score|scrape|search|sell|send|share|shorten|show|sign|simplify|simulate|solve|sort|speak|split|stake|store|subtitle|suggest|summari[sz]e|swap|tag|take|tell|test|text|track|transcribe|transfer|translate|trim|turn|tweet|upload|validate|verify|visuali[sz]e|write'
/** Words that only say that another step follows, or the order of the steps. */
const ORDER_WORDS =
  'and|first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|also|finally|lastly|afterwards|after that|in addition|additionally|furthermore|moreover|besides(?: that)?|it would (?:also )?be [a-z]+ if you could(?: also)?'
const ASKING =
  "please|kindly|(?:i|we) (?:also )?(?:need|want|would(?: also)? like|wish)(?: you)? to|i'd (?:also )?like(?: you)? to|(?:can|could|would) you(?: also)?|how (?:can|could|do|should) (?:i|we)|let me|help me(?: to| with)?|be able to"
/** Bounded, so that a text of such words alone is read in linear time. */
const toLead = (words: string): string => `(?:(?:${words})[, ]{1,2}){0,6}`
const LEAD = toLead(`${ORDER_WORDS}|${ASKING}`)
const ORDER_LEAD = toLead(`${ORDER_WORDS}|please|kindly`)
/** Verbs that are nouns in a list, unless an object follows: "the name, email and order number", "and order a pizza". */
const NOUNS =
  '(?:answer|book|call|caption|chart|e-?mail|estimate|filter|forecast|format|group|label|list|mail|message|order|pin|ping|plan|plot|post|print|rank|record|report|score|search|share|sign|tag|test|text|track)'
const OBJECT =
  '(?:an?|the|it|them|this|that|these|those|my|our|your|his|her|its|their|me|us|him|all|each|every|some|any|one|both|to)'
const toVerb = (verbs: string): string => `(?:${verbs})(?![a-z])`
const INNER_VERB = `(?!${NOUNS}(?![a-z])(?!\\s+(?:for\\s+|in\\s+)?${OBJECT}(?![a-z])))${toVerb(VERBS)}`
/** Without the flag `u`, with which ignoring case takes five times as long; NFKC leaves no letter that it would match in addition. */
const BORDER = new RegExp(
  `[;:]\\s+(?=${LEAD}${toVerb(VERBS)})|(?:,\\s*(?:and |then |and then )?|\\s+(?:and then|then|and)\\s+)(?=${ORDER_LEAD}${INNER_VERB})`,
  'gi',
)
/** A sentence that begins with its place in the order is a step, whatever its verb. */
const SENTENCE_BORDER = new RegExp(`[.!?]\\s+(?=(?:${ORDER_WORDS})[, ])`, 'gi')
const BEGINS = new RegExp(`^\\s*${LEAD}${toVerb(VERBS)}`, 'i')
const AT_LEAD = new RegExp(`^\\s*${LEAD}`, 'i')
const ONLY_ORDER = new RegExp(`^(?:(?:${ORDER_WORDS}|please|kindly)[, ]*){1,6}$`, 'i')
/** Separates two steps. */
const HINT = /[.,;:!?]|(?:and|then)\s/i

/** Verbs that need no object. */
const TASK = /^(?:transcribe|translate|summari[sz]e|proofread|moderate|geocode|scrape)$/i
/** Words that only give the order of the steps. */
const ORDER = /[\s,]+(?:first|at first|afterwards|in the end|at the end|too|as well)[\s.,]*$/i

const withoutLead = (part: string): string => part.replace(AT_LEAD, '')

/** A verb without an object shares that of the next: read and write files. Some verbs are a task by themselves. */
const needsObject = (part: string): boolean => {
  const said = withoutLead(part)
  return /^\p{L}+$/u.test(said) && !TASK.test(said)
}

/** Joins a verb without an object to the next part. */
function joined(parts: readonly string[]): string[] {
  const requests: string[] = []
  for (const part of parts) {
    const before = requests.pop()
    if (before === undefined) requests.push(part)
    else if (needsObject(before)) requests.push(`${before} and ${part}`)
    else requests.push(before, part)
  }
  return requests
}

/** Returns the steps of a request in order; fewer than two for a request of one step. */
function toEnglishSteps(text: string): string[] {
  if (!HINT.test(text)) return []
  const sentences = text.split(SENTENCE_BORDER)
  const parts = sentences.length > 1 ? sentences : stepsOf(text)
  return parts.map(part => withoutLead(part.trim()).replace(/^know\s+|[.?!]+$/gi, ''))
}

/** Returns the steps of one sentence. */
function stepsOf(sentence: string): string[] {
  const parts = sentence.split(BORDER).map(part => part.trim().replace(ORDER, ''))
  return joined(parts.filter(part => !ONLY_ORDER.test(part))).filter(
    part => BEGINS.test(part) && !needsObject(part),
  )
}

// Reasons in English.

const within = (conditions: string): string => (conditions === '' ? '' : ` (${conditions})`)

const ENGLISH_REASONS: ReasonWords = {
  statuses: { verified: 'verified', unverified: 'not verified', inactive: 'not answering now' },
  unapplied: {
    chain_as_subject: () => 'read as the subject, not as the chain to pay on',
    lowest_price: () => 'a lowest price cannot be asked for, only a highest',
    price_of_something_else: () =>
      'so much is hardly the price of one request, so it is read as part of the subject',
    unknown_category: name => `${name} is not a known category`,
    second_of_a_kind: () => 'only one of a kind can be applied',
    negated: () => 'this condition can be asked for, not left out',
    undecidable: () =>
      'listings do not say what a service works without, so this does not affect the results',
    no_rate: name => `no exchange rate for ${name} is set here, so only prices in ${name} are compared`,
    unmet_name: () => 'no service that fits the other words mentions it',
    same_word: () => 'this is also a word of what is looked for, so no service is left out for it',
  },
  otherCurrencies: 'other currencies',
  matches: words => `Matches ${words.join(', ')}; `,
  meetsConditions: 'Meets the conditions; ',
  closeInMeaning: 'Close in meaning; ',
  weak: 'Distantly related; ',
  price: (price, currency, chain) => `${price} ${currency} on ${chain}`,
  between: '; ',
  freeRequests: count => `${count} free requests`,
  inCategory: label => `category ${label}`,
  demotion: {
    seller: above =>
      `ranked lower because a service ${above === undefined ? '' : `of ${above} `}with the same wallet or domain is listed above`,
    copy: () => 'ranked lower because another service has the same name or text',
    terms: () => 'ranked last because its endpoint asks for another payment than is listed',
    delivery: () => 'ranked last because it was paid and did not deliver, several times in a row',
  },
  end: '.',
  gap: ' ',
  conditions: {
    below: sum => `under ${sum} a request`,
    atMost: sum => `at most ${sum} a request`,
    paidIn: currency => `paid in ${currency}`,
    on: chain => `on ${chain}`,
    inCategory: label => `in ${label}`,
    by: protocol => `paid by ${protocol}`,
    free: 'with free requests',
    excluded: name => `without ${name}`,
    wishes: {
      cheap: 'preferably cheap',
      reliable: 'preferably reliable',
      fast: 'preferably fast',
      free: 'preferably free',
    },
    join: conditions => conditions.join(', '),
  },
  noWord: 'No word in the query says what to look for.',
  nothing: (subject, conditions) =>
    `Nothing here fits ${subject.length === 0 ? 'the conditions' : subject.join(', ')}${within(conditions)}.`,
  onlyWeak: ' The results are only distantly related.',
  mentionedByNone: words => ` No service here mentions ${words.join(', ')}.`,
  found(count, subject, matched, conditions) {
    const services = count === 1 ? '1 service' : `${count} services`
    if (matched.length > 0) return `${services} for ${matched.join(', ')}${within(conditions)}.`
    return subject.length === 0
      ? `${services} meet${count === 1 ? 's' : ''} the conditions${within(conditions)}.`
      : `${services} close in meaning${within(conditions)}.`
  },
}

const LATIN = /\p{Script=Latin}/u
const STARTS_LATIN = /^\p{Script=Latin}/u

export const ENGLISH: Language = {
  code: 'en',
  recognises: text => LATIN.test(text),
  owns: word => STARTS_LATIN.test(word),
  text: {
    isEnding: isEnglishEnding,
    toStem: toEnglishTerm,
    toParts: () => [],
    continues: (_word, _edge, neighbour) => /[a-z0-9]/.test(neighbour),
    minFuzzyLength: 6,
    joint: ' ',
    findForm: findEnglishForm,
  },
  sentence: {
    isFiller: isEnglishFiller,
    generic: ['api', 'apis', 'service', 'services', 'endpoint', 'endpoints', 'provider', 'providers', 'x402'],
    toSteps: toEnglishSteps,
    money: ENGLISH_MONEY,
    negation: ENGLISH_NEGATION,
    constraints: shared => ({
      concession: ENGLISH_CONCESSION,
      price: toEnglishPrice(shared),
      currency: toEnglishCurrency(shared),
      status: ENGLISH_STATUS,
      free: ENGLISH_FREE,
      protocol: ENGLISH_PROTOCOL,
      category: toEnglishCategory(shared),
      wish: ENGLISH_WISHES,
      chain: ENGLISH_CHAIN,
      exclusion: ENGLISH_EXCLUSION,
    }),
  },
  reasons: ENGLISH_REASONS,
  embedding: { toStem },
  categoryLabel: id => categoryLabels(id).en,
}
