// Status, free quota, category and wishes in an English sentence.
import {
  asksFree,
  asksProtocol,
  asksStatus,
  hinted,
  type Reader,
  type SharedRules,
  wishes,
} from '../constraint-rules.ts'
import { ENGLISH_GOODS } from './price.ts'

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
