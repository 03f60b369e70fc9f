// Status, free quota, category and wishes in an English sentence.
import {
  asksFree,
  asksStatus,
  DIGITS,
  hinted,
  isNotApplied,
  type Reader,
  type SharedRules,
  wishes,
} from '../constraint-rules.ts'

export const ENGLISH_MEASURE: Reader = isNotApplied(
  'measure',
  hinted(
    DIGITS,
    /(?<![a-z])(?:with )?(?:an? )?(?:uptime|trust ?score|latency|response time|rating)s? (?:of |is )?(?:over|above|under|below|at least|at most|more than|less than|of|>|<|>=|<=) ?\d+(?:\.\d+)? ?(?:%|percent|ms|milliseconds?|seconds?|s)?/gu,
  ),
)

/** What else can be verified: "verified contract source" is a subject. */
const VERIFIED_THINGS =
  '(?! (?:contracts?|source|e-?mails?|address(?:es)?|phones?|numbers?|identit|credentials?|accounts?|users?|badges?|reviews?|customers?|humans?|buyers?|carbon|list|checkmark|purchases?|leads|facts|signatures?|claims?))'
const WHO = '(?: (?:services?|providers?|apis?|ones|sellers?|endpoints?|vendors?))?'

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
        `(?<![a-z])(?:only |from |already |must be |has to be )*verified(?![a-z])${VERIFIED_THINGS}${WHO}(?: only)?`,
        'gu',
      ),
    ),
    hinted(
      'work|active|running|online|live',
      /(?<![a-z])(?:(?:only|currently|actually) (?:working|active|running|online|live|alive)(?: (?:ones|services?|apis?))?|(?:working|active|running|online|alive) only|up and running|that (?:actually|really) works?)(?![a-z])/gu,
    ),
  ),
]

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
      /(?<![a-z-])(?:for free|free of charge|at no cost|without paying|at no charge)(?![a-z])/gu,
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

export const ENGLISH_WISHES: Reader = [
  ...wishes(
    'cheap',
    hinted(
      'cheap|affordable|inexpensive|low|budget',
      /(?<![a-z])(?:cheap(?:est|er|ly)?|affordable|inexpensive|low[ -]cost|low[ -]priced?|budget[ -]friendly)(?![a-z])(?! than)/gu,
    ),
  ),
  ...wishes(
    'reliable',
    hinted(
      'reliabl|trust|dependable|reputable',
      /(?<![a-z])(?:(?:most )?reliable|reliably|trusted|trustworthy|dependable|reputable)(?![a-z])/gu,
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
