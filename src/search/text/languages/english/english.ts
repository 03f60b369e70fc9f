// English: the steps of a request, reasons, and the language itself.

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
import { ENGLISH_LEXICON } from './lexicon.ts'
import { ENGLISH_CHAIN, ENGLISH_MONEY, toEnglishCurrency, toEnglishPrice } from './prices-and-chains.ts'
import { findEnglishForm, isEnglishEnding, isEnglishFiller, toEnglishTerm, toStem } from './words.ts'

// The steps of an English request: "translate a PDF, summarise it and send it to Slack".

/** The verbs of a step. A part that begins with none of these continues the one before. */
const VERBS =
  'add|alert|analy[sz]e|annotate|answer|archive|ask|blur|book|bridge|build|buy|calculate|call|caption|capture|categori[sz]e|chart|check|classify|clean|collect|compare|compose|compress|compute|convert|count|crawl|create|crop|cut|delete|deploy|describe|detect|download|draft|draw|e-?mail|embed|encrypt|estimate|evaluate|execute|explain|export|extract|fetch|fill|filter|find|forecast|format|gather|generate|geocode|get|give|grab|group|identify|import|label|list|look up|mail|make|measure|merge|message|mint|moderate|monitor|narrate|notify|obtain|optimi[sz]e|order|paraphrase|parse|pay|pin|ping|plan|plot|post|predict|print|proofread|publish|put|rank|read|recommend|record|remind|remove|render|reply|report|reserve|resize|retrieve|rewrite|rotate|run|save|scan|schedule|score|scrape|search|sell|send|share|shorten|show|sign|simplify|simulate|solve|sort|speak|split|stake|store|subtitle|suggest|summari[sz]e|swap|tag|take|tell|test|text|track|transcribe|transfer|translate|trim|turn|tweet|upload|validate|verify|visuali[sz]e|write'
/** Verbs that are too common inside a sentence: "where I can see and explore". */
const SENTENCE_VERBS = `${VERBS}|confirm|determine|explore|know|provide|see|update`
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
/** Begins a request without a verb of the list: I'm also interested in…, Where can I… */
const SOUGHT =
  "i(?:'m| am) (?:also )?(?:interested in|looking for|searching for|curious about)\\s|i (?:also )?(?:need|want) (?!to\\s)|i(?:'d| would) (?:also )?like (?!to\\s)|(?:what|where|when|who|which|how)(?:'s|\\s)|(?:is|are) there\\s"
const REQUEST = `(?:${toVerb(SENTENCE_VERBS)}|${SOUGHT})`
/** Without the flag `u`, with which ignoring case takes five times as long; NFKC leaves no letter that it would match in addition. */
const BORDER = new RegExp(
  `[.;:!?]\\s+(?=${LEAD}${REQUEST})|(?:,\\s*(?:and |then |and then )?|\\s+(?:and then|then|and)\\s+)(?=${ORDER_LEAD}${INNER_VERB})`,
  'gi',
)
const BEGINS = new RegExp(`^\\s*${LEAD}${REQUEST}`, 'i')
const AT_LEAD = new RegExp(`^\\s*${LEAD}`, 'i')
const ONLY_ORDER = new RegExp(`^(?:(?:${ORDER_WORDS}|please|kindly)[, ]*){1,6}$`, 'i')
/** Begins another step, rather than saying once more what the sentence before asks for: Additionally…, fetch… */
const FOLLOWS = new RegExp(`^\\s*(?:(?:${ORDER_WORDS})[, ]|${toVerb(SENTENCE_VERBS)})`, 'i')

/** Separates two steps. */
const HINT = /[.,;:!?]|(?:and|then)\s/i

/** Verbs that need no object. */
const TASK = /^(?:transcribe|translate|summari[sz]e|proofread|moderate|geocode|scrape)$/i
/** Words that only give the order of the steps. */
const ORDER = /[\s,]+(?:first|at first|afterwards|in the end|at the end|too|as well)[\s.,]*$/i

const withoutLead = (part: string): string => part.replace(AT_LEAD, '')

/** Words that name no task: a sentence of these alone goes on with the one before. Can you give me some insights? */
const CONTINUING = new Set(
  `advice answer answers approach best better brief data detail detailed details determine example examples explain explore fetch
find gather get give good guidance idea ideas info information insight insights know list more necessary obtain options overview
possible provide recommend recommendations relevant result results retrieve right see share show specific start steps
suggest suggestions sure tell things tool tools understand work`.split(/\s+/),
)
const isContinuing = (part: string): boolean =>
  (
    withoutLead(part)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).every(word => isEnglishFiller(word) || CONTINUING.has(word))

/** A verb without an object shares that of the next: read and write files. Some verbs are a task by themselves. */
const needsObject = (part: string): boolean => {
  const said = withoutLead(part)
  return /^\p{L}+$/u.test(said) && !TASK.test(said)
}

/** Joins a verb without an object to the next part, and a sentence that asks once more to the request before. */
function joined(parts: readonly string[]): string[] {
  const requests: string[] = []
  for (const part of parts) {
    const before = requests.pop()
    if (before === undefined) requests.push(part)
    else if (needsObject(before)) requests.push(`${before} and ${part}`)
    else if (BEGINS.test(before) && !FOLLOWS.test(part)) requests.push(`${before}. ${part}`)
    else requests.push(before, part)
  }
  return requests
}

/** Returns the steps of a request in order; fewer than two for a request of one step. */
function toEnglishSteps(text: string): string[] {
  if (!HINT.test(text)) return []
  const found = text.split(BORDER)
  if (found.length < 2) return []
  const parts = found.map(part => part.trim().replace(ORDER, '')).filter(part => !ONLY_ORDER.test(part))
  return joined(parts)
    .filter(part => BEGINS.test(part) && !needsObject(part) && !isContinuing(part))
    .map(part => withoutLead(part).replace(/^know\s+|[.?!]+$/gi, ''))
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
    seller: 'ranked lower because its seller has another result',
    copy: 'ranked lower because another service has the same name or text',
    terms: 'ranked last because its endpoint asks for another wallet or network, or for more than is listed',
    delivery: 'ranked last because it was paid and did not deliver, several times in a row',
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
  fewMatched: (matched, words) => ` No result has more than ${matched} of the ${words} words.`,
  found(count, subject, matched, conditions) {
    const services = count === 1 ? '1 service' : `${count} services`
    if (matched.length > 0) return `${services} for ${matched.join(', ')}${within(conditions)}.`
    return subject.length === 0
      ? `${services} meet${count === 1 ? 's' : ''} the conditions${within(conditions)}.`
      : `${services} close in meaning${within(conditions)}.`
  },
}

// English, and any other language in Latin letters with spaces between words.

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
    lexicon: ENGLISH_LEXICON,
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
