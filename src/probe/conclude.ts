// What follows from the answers of one probe: its outcome with the reasons, the checks one by one, and what the next probe should
// know. It decides no status: that follows from several probes, in domain/judge-status.ts.
import type { Resource } from '../domain/finding.ts'
import type { SignedOffer } from '../domain/terms.ts'
import { type Message, say, together } from '../messages/message.ts'
import type { Comparison } from './as-customer.ts'
import { type Asked, isAway, isUnreadable, isUnseen, toAsk } from './asked.ts'
import type { Asking } from './asking.ts'
import { type Documented, isAskable } from './documented.ts'
import { toResources } from './documented-terms.ts'
import { findHarm, type Harm, requestKeyOf, unaskedMethod } from './find-harm.ts'
import { type Check, type Match, matchListing } from './match-listing.ts'
import type { Outcome, Target } from './outcome.ts'
import { toOwnTerms } from './own-terms.ts'
import type { ParsedRequirements } from './payment-requirements.ts'
import { shown } from './untrusted-text.ts'

export type Evidence = {
  readonly asked: Asked
  /** What a customer may ask besides. */
  readonly besides?: Asked | undefined
  /** What an earlier probe was answered badly. */
  readonly again?: Asked | undefined
  readonly asking: Pick<Asking, 'identity' | 'client' | 'requests' | 'terms' | 'unreached'>
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
  const { comparison, asking } = evidence
  const harm = findHarm(evidence, asking.terms, target)
  const unasked = toUnasked(evidence, target)
  const judged = judgeAnswers(evidence, target, harm, unasked)
  const found = comparison ? withComparison(judged, comparison, evidence) : judged
  return {
    ...found,
    requests: [...asking.requests],
    resource: toKept(found, evidence, target, harm, unasked),
  }
}

type Judged = Omit<Outcome, 'resource' | 'requests'>

/** A payer gets any one of the answers: where one does not hold what the listing says, it decides. */
function judgeAnswers(
  evidence: Evidence,
  target: Target,
  { bad }: Harm,
  unasked: string | undefined,
): Judged {
  const judged = judgeAnswer(evidence, target)
  if (judged.outcome !== 'payable') return judged
  if (bad && isUnseen(bad))
    return withHidden(
      judged,
      say(isUnreadable(bad) ? 'request_unreadable' : 'request_unanswered', requestOf(bad)),
    )
  const { signedOffers: _, ...rest } = evidence
  if (bad) return judgeAnswer({ ...rest, asked: bad }, target)
  const { reading } = evidence.asked
  const declared = reading?.readable ? reading.described.method : undefined
  const method = isAskable(declared) ? unasked : declared
  return method === undefined ? judged : withHidden(judged, say('method_not_asked', { method }))
}

/** What documents said before holds until they are read again. */
const toUnasked = ({ asked, documented, hasReadDocuments }: Evidence, { resource }: Target) =>
  unaskedMethod(asked, documented) ?? (hasReadDocuments ? undefined : resource?.unasked)

/** What a payer is asked to some request cannot be seen: the rest proves nothing. */
function withHidden(judged: Judged, reason: Message): Judged {
  const answers: Check = { check: 'answers_402', passed: false, detail: reason }
  const reachable = judged.checks.filter(({ check }) => check === 'reachable')
  return { ...judged, outcome: 'unpayable', reasons: [reason], checks: [...reachable, answers] }
}

function judgeAnswer(evidence: Evidence, target: Target): Judged {
  const judged = judgeOne(evidence, target)
  return judged.outcome === 'payable'
    ? judged
    : { ...judged, reasons: withRequests(judged.reasons, judged.outcome, evidence) }
}

function judgeOne(evidence: Evidence, target: Target): Judged {
  const { asked, documented, hasReadDocuments, signedOffers, asking } = evidence
  const { reading, failure, status, ask } = asked
  const own = toOwnTerms(asked, signedOffers)
  const unreached = [...asking.unreached]
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
    notes: [
      ...(reading?.readable ? reading.notes : []),
      ...(unreached.length > 0 ? [say('addresses_unreached', { addresses: unreached })] : []),
    ],
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
  const reasons = refused ? [say('answers_with_refusal', { status })] : unpayableReasons(asked)
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

/** As opposed to an answer that came whole but cannot be used. */
const brokenOff = ({ status, failure }: Asked) =>
  status === null || failure?.reason === 'total_timeout' || failure?.reason === 'closed'

const awayMessage = (asked: Asked): Message | undefined =>
  isAway(asked) ? say('answers_from_gateway', { status: asked.status! }) : undefined

/** Names the request, because several were made. */
function requestMessage(asked: Asked): Message {
  const { ask, status, reading, elsewhere, unfollowed } = asked
  const request = requestOf(asked)
  if (ask.tool !== undefined && reading?.readable) return say('tool_asks', { tool: shown(ask.tool) })
  if (elsewhere !== undefined)
    return say(unfollowed === 'origin' ? 'redirects_elsewhere' : 'redirect_unfollowed', {
      ...request,
      status: status!,
      to: shown(elsewhere),
    })
  if (status === 402) return say('request_answers_402', request)
  const [problem] = reading && !reading.readable ? reading.problems : []
  const namesTerms = problem?.code === 'answers_without_402' && problem.values.namesTerms
  return say('request_without_402', { ...request, status: status!, namesTerms })
}

function unpayableReasons(asked: Asked): Message[] {
  const { status, reading, failure } = asked
  if (status !== 402) return [requestMessage(asked), ...(failure ? [failure.message] : [])]
  // Of a 402 the failure is among the problems already.
  return reading && !reading.readable ? [...reading.problems] : [say('sign_in_only')]
}

/** Several requests were made, and each may be answered otherwise: whoever reads what is wrong is told to which. */
function withRequests(
  reasons: readonly Message[],
  outcome: Judged['outcome'],
  { asked, asking: { requests } }: Pick<Evidence, 'asked' | 'asking'>,
): Message[] {
  const isNamed = reasons.some(({ values }) => 'path' in values)
  const tool = asked.ask.tool === undefined ? null : shown(asked.ask.tool)
  return [
    ...reasons,
    ...(isNamed ? [] : [say('request_was', { ...requestOf(asked), tool })]),
    ...(requests.length > 1 && outcome !== 'mismatched'
      ? [
          say('requests_made', {
            requests: requests.map(
              ({ method, url, status }) => `${method} ${pathOf(url)} → ${status ?? '–'}`,
            ),
          }),
        ]
      : []),
  ]
}

const requestOf = ({ ask: { method, url } }: Asked) => ({ method, path: pathOf(url) })

const pathOf = (url: string): string => {
  const { pathname = url, search = '' } = URL.parse(url) ?? {}
  return shown(`${pathname}${search}`)
}

/** Whoever is paid changes with every answer: no address can be registered that fits. */
function withDynamicPayee(match: Match, payments: readonly ParsedRequirements[]): Match {
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

function withComparison(judged: Judged, { result, named }: Comparison, evidence: Evidence): Judged {
  const { asked } = evidence
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
    reasons:
      judged.outcome === 'mismatched' ? [detail, ...reasons] : withRequests([detail], 'mismatched', evidence),
    checks: [...checks, { check, passed: false, detail }],
  }
}

/** What is asked first next time, and whether as a customer. */
function toKept(
  { outcome }: Judged,
  evidence: Evidence,
  { endpoint, resource }: Target,
  harm: Harm,
  unasked: string | undefined,
): Resource | null {
  const { asked, asking, comparison } = evidence
  const known = resource ?? null
  // A host that is away for an hour, or refuses, has not forgotten where its resources are; nor has one that hides them.
  const isKept = outcome === 'unreachable' || outcome === 'refused' || !asked.reading?.readable
  const before: Resource = outcome === 'unpayable' ? { url: endpoint } : (known ?? { url: endpoint })
  const kept = isKept ? toAsk(before) : asked.ask
  const isDoubtful =
    asking.identity === 'customer' &&
    // Who turns customers away, and answers us, would be proved again by the next probe under our name.
    (outcome === 'mismatched' ||
      outcome === 'refused' ||
      (known?.asCustomer === true && outcome !== 'payable'))
  const differed = comparison?.result === 'differs' || comparison?.result === 'cloaked'
  const besides = toBesides(asked, harm) ?? (harm.isMended ? undefined : known?.besides)
  // Another address of its name may answer otherwise.
  const address = outcome === 'payable' ? undefined : ((harm.bad ?? asked).address ?? known?.address)
  const isNamed = address !== undefined && !URL.parse(endpoint)?.hostname.includes(address)
  const more = {
    ...((isDoubtful || differed) && { asCustomer: true as const }),
    ...((isDoubtful || differed || besides) && { client: asking.client }),
    ...(differed && { differed: true as const }),
    ...(besides && { besides }),
    ...(isNamed && { address }),
    ...(unasked !== undefined && { unasked }),
  }
  const isBare =
    kept.body === undefined && kept.tool === undefined && kept.method === 'GET' && kept.url === endpoint
  return isBare && Object.keys(more).length === 0 ? null : { ...kept, ...more }
}

/** What the next probe would not come to by itself. */
function toBesides(asked: Asked, { bad, open }: Harm): Resource['besides'] {
  const found = bad ?? open
  if (!found || requestKeyOf(found) === requestKeyOf(asked)) return undefined
  return { ...found.ask, ...(!bad && { isOpen: true as const }) }
}
