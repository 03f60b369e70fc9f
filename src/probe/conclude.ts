// What follows from the answers of a probe: the outcome with its reasons, the checks one by one, and what the next probe should know.
import type { Resource } from '../domain/judge.ts'
import { placeOf } from '../domain/resolve/place.ts'
import type { SignedOffer } from '../domain/terms.ts'
import { type Message, say, together } from '../messages/message.ts'
import type { Payment } from './accepted-payment.ts'
import type { Comparison } from './as-customer.ts'
import { type Ask, type Asked, isAway, isFinal, leadsAway } from './asked.ts'
import type { Asking } from './asking.ts'
import { toResourceTerms } from './describe-resource.ts'
import type { Documented } from './documented.ts'
import { toResources } from './documented-terms.ts'
import { type Check, hiddenWays, type Match, matchListing } from './match-listing.ts'
import type { Outcome, Target } from './outcome.ts'
import { shown } from './strangers-text.ts'

export type Evidence = {
  readonly asked: Asked
  /** What was asked besides at the same place. */
  readonly besides?: Asked | undefined
  readonly asking: Pick<Asking, 'identity' | 'client' | 'requests' | 'terms'>
  /** What was found of the signed offers in the first of these. */
  readonly signedOffers?: readonly SignedOffer[]
  readonly comparison: Comparison | undefined
  readonly hasDynamicPayee: boolean
  readonly documented: readonly Documented[]
  readonly hasReadDocuments: boolean
}

const NOTHING_SEEN = {
  priceSeen: null,
  currencySeen: null,
  asks: null,
  price: 'unknown',
  furtherChains: [],
  undeclaredAddresses: [],
} as const

export function conclude(evidence: Evidence, target: Target): Outcome {
  const { judged, bad } = judgeAnswers(evidence, target)
  const { comparison, asking, asked } = evidence
  const found = comparison ? withComparison(judged, comparison, asked) : judged
  return { ...found, requests: [...asking.requests], resource: toKept(found, evidence, target, bad) }
}

type Judged = Omit<Outcome, 'resource' | 'requests'>

/** A payer gets any one of the answers: where one does not hold what the listing says, it decides. */
function judgeAnswers(evidence: Evidence, target: Target): { readonly judged: Judged; readonly bad?: Asked } {
  const judged = judgeAnswer(evidence, target)
  if (judged.outcome !== 'payable') return { judged }
  const { asked, besides, asking } = evidence
  // What was answered badly before, and is not answered now, is not mended.
  const isOpen = besides && target.resource?.besides && isFinal(besides)
  const bad = asking.terms.find(each => doesHarm(each, asked, target)) ?? (isOpen ? besides : undefined)
  const { signedOffers: _, ...rest } = evidence
  return bad ? { judged: judgeAnswer({ ...rest, asked: bad }, target), bad } : { judged }
}

/** Another resource may have a price of its own, but nobody else to be paid. */
function doesHarm(each: Asked, asked: Asked, target: Target): boolean {
  const isSamePlace = placeOf(each.ask.url) === placeOf(asked.ask.url)
  if (leadsAway(each)) return isSamePlace
  if (!each.reading?.readable) return hiddenWays(each.reading?.unread ?? [], target).length > 0
  const { outcome, price, undeclaredAddresses, checks } = matchListing(each.reading, target)
  if (keyOf(each) === keyOf(asked)) return outcome !== 'payable'
  const isDearer = price === 'higher' || checks.some(({ detail }) => detail.code === 'asks_more_by_rates')
  return undeclaredAddresses.length > 0 || (isSamePlace && (isDearer || outcome === 'unpayable'))
}

const keyOf = ({ ask: { method, url, body, tool } }: Asked): string =>
  JSON.stringify([method, url, body, tool])

function judgeAnswer(evidence: Evidence, target: Target): Judged {
  const { asked, documented, hasReadDocuments, signedOffers = [] } = evidence
  const { reading, failure, status, ask } = asked
  const own = reading?.readable
    ? {
        ...asked.declared,
        ...toResourceTerms(reading, toPlace(ask)),
        ...(signedOffers.length > 0 && { signedOffers: [...signedOffers] }),
      }
    : undefined
  const seen = {
    httpStatus: status,
    failure: failure?.reason ?? null,
    latencyMs: asked.latencyMs,
    payments: reading?.readable ? reading.payments : [],
    x402Version: reading?.readable ? reading.version : null,
    resources: toResources(own, documented, ask),
    hasReadDocuments,
    otherRails: reading?.otherRails ?? [],
    signIn: reading?.signIn ?? false,
    notes: reading?.readable ? reading.notes : [],
  }
  const isReadable = reading?.readable && reading.payments.length > 0
  const broken = failure && !isReadable ? failure : undefined
  const away = broken && brokenOff(asked) ? broken.message : awayMessage(asked)
  const reachable: Check = {
    check: 'reachable',
    passed: !away,
    detail: away ?? say('answers', { status: status! }),
  }
  if (away) return { ...seen, ...NOTHING_SEEN, outcome: 'unreachable', reasons: [away], checks: [reachable] }

  if (isReadable) {
    const answers: Check = { check: 'answers_402', passed: true, detail: requestMessage(asked) }
    const readable: Check = {
      check: 'readable_terms',
      passed: true,
      detail: say('terms_version', { version: reading.version }),
    }
    const match = matchListing(reading, target)
    const told = evidence.hasDynamicPayee ? withDynamicPayee(match, reading.payments) : match
    const isRead = match.outcome !== 'unpayable'
    return { ...seen, ...told, checks: [reachable, answers, ...(isRead ? [readable] : []), ...told.checks] }
  }
  const answers: Check = { check: 'answers_402', passed: status === 402, detail: requestMessage(asked) }
  const refused = status === 401 || status === 403 || status === 429
  const reasons = refused ? [say('answers_with_refusal', { status })] : unpayableReasons(evidence)
  const unreadable: Check[] =
    status === 402 ? [{ check: 'readable_terms', passed: false, detail: together(reasons) }] : []
  return {
    ...seen,
    ...NOTHING_SEEN,
    outcome: refused ? 'refused' : 'unpayable',
    reasons,
    checks: [reachable, answers, ...unreadable],
  }
}

const toPlace = ({ method, url, tool, place }: Ask) => ({
  url,
  ...place,
  method,
  ...(tool !== undefined && { tool }),
})

/** As opposed to an answer that came whole but cannot be used. */
const brokenOff = ({ status, failure }: Asked) =>
  status === null || failure?.reason === 'total_timeout' || failure?.reason === 'closed'

const awayMessage = (asked: Asked): Message | undefined =>
  isAway(asked) ? say('answers_from_gateway', { status: asked.status! }) : undefined

/** Names the request, because several were made. */
function requestMessage({ ask, status, reading, elsewhere }: Asked): Message {
  const request = { method: ask.method, path: pathOf(ask.url) }
  if (ask.tool !== undefined && reading?.readable) return say('tool_asks', { tool: shown(ask.tool) })
  if (elsewhere !== undefined)
    return say('redirects_elsewhere', { ...request, status: status!, to: shown(elsewhere) })
  if (status === 402) return say('request_answers_402', request)
  const [problem] = reading && !reading.readable ? reading.problems : []
  const namesTerms = problem?.code === 'answers_without_402' && problem.values.namesTerms
  return say('request_without_402', { ...request, status: status!, namesTerms })
}

function unpayableReasons({ asked, asking }: Evidence): Message[] {
  const { status, reading, failure } = asked
  const isNotAsked = status !== 402
  const reasons = isNotAsked
    ? [requestMessage(asked)]
    : reading && !reading.readable
      ? [...reading.problems]
      : [say('sign_in_only')]
  // Of a 402 it is among the problems already.
  if (failure && isNotAsked) reasons.push(failure.message)
  const { requests } = asking
  if (requests.length > 1)
    reasons.push(
      say('requests_made', {
        requests: requests.map(({ method, url, status }) => `${method} ${pathOf(url)} → ${status ?? '–'}`),
      }),
    )
  return reasons
}

const pathOf = (url: string): string => {
  const { pathname = url, search = '' } = URL.parse(url) ?? {}
  return shown(`${pathname}${search}`)
}

/** Whoever is paid changes with every answer: no address can be registered that fits. */
function withDynamicPayee(match: Match, payments: readonly Payment[]): Match {
  const payees = [...new Set(payments.map(({ payTo }) => shown(payTo)))]
  const detail = say('payee_changes', { seen: payees.slice(0, 4), more: Math.max(0, payees.length - 4) })
  const isOfPayee = ({ code }: Message) => code === 'other_address' || code === 'other_payees'
  return {
    ...match,
    outcome: 'mismatched',
    reasons: [
      detail,
      ...(match.outcome === 'payable' ? [] : match.reasons.filter(reason => !isOfPayee(reason))),
    ],
    checks: match.checks.map(check => (isOfPayee(check.detail) ? { ...check, detail } : check)),
  }
}

function withComparison(judged: Judged, { result, named }: Comparison, asked: Asked): Judged {
  const check = 'same_for_customers'
  const { checks, reasons } = judged
  if (result !== 'cloaked') {
    const detail = say(result === 'same' ? 'same_for_customers' : 'terms_unsteady')
    return { ...judged, checks: [...checks, { check, passed: true, detail }] }
  }
  const detail = say('cloaked', { customer: asked.status ?? 0, prober: named.status ?? 0 })
  return {
    ...judged,
    outcome: 'mismatched',
    reasons: [detail, ...(judged.outcome === 'mismatched' ? reasons : [])],
    checks: [...checks, { check, passed: false, detail }],
  }
}

/** What is asked first next time, and whether as a customer. */
function toKept(
  { outcome }: Judged,
  evidence: Evidence,
  { endpoint, resource }: Target,
  bad: Asked | undefined,
): Resource | null {
  const { asked, asking, comparison } = evidence
  const known = resource ?? null
  // A host that is away for an hour, or refuses, has not forgotten where its resources are; nor has one that hides them.
  const isKept = outcome === 'unreachable' || outcome === 'refused' || !asked.reading?.readable
  const before: Resource = outcome === 'unpayable' ? { url: endpoint } : (known ?? { url: endpoint })
  const {
    asCustomer: _,
    client: __,
    differed: ___,
    besides: ____,
    ...kept
  }: Resource = isKept ? before : asked.ask
  const isDoubtful =
    asking.identity === 'customer' &&
    (outcome === 'mismatched' || (known?.asCustomer === true && outcome !== 'payable'))
  const differed = comparison?.result === 'differs' || comparison?.result === 'cloaked'
  const besides =
    toBesides(evidence, bad) ?? (outcome === 'payable' && evidence.besides ? undefined : known?.besides)
  const bare =
    kept.body === undefined &&
    kept.tool === undefined &&
    (kept.method ?? 'GET') === 'GET' &&
    kept.url === endpoint
  if (bare && !isDoubtful && !differed && !besides) return null
  return {
    ...kept,
    ...((isDoubtful || differed) && { asCustomer: true, client: asking.client }),
    ...(differed && { differed: true }),
    ...(besides && { besides }),
  }
}

/** What the next probe would not come to by itself. */
function toBesides({ asked }: Evidence, bad: Asked | undefined): Resource['besides'] {
  if (!bad || bad.ask.tool !== undefined || keyOf(bad) === keyOf(asked)) return undefined
  const { tool: _, place: __, ...ask } = bad.ask
  return ask
}
