// Draws the conclusion from the responses of one probe: the outcome with its reasons, and the single checks. The status of a service follows from several probes, in domain/standing/judge-status.ts.
import { clientNotes } from '../domain/terms/terms-view.ts'
import { type Message, say, together } from '../messages/message.ts'
import { type DocumentedResource, isSendable } from './documents/documented.ts'
import { toResources } from './documents/documented-terms.ts'
import { findHarm, type Harm, unsentMethod } from './find-harm.ts'
import { toNextResource } from './next-resource.ts'
import type { Outcome, Target } from './outcome.ts'
import { isGatewayError, isUnreadable, isUnseen, type ProbeResponse } from './probe-response.ts'
import type { ProbeSession } from './probe-session.ts'
import { type Check, type Match, matchListing } from './terms/match-listing.ts'
import { toOwnTerms } from './terms/own-terms.ts'
import type { ParsedRequirements } from './terms/payment-requirements.ts'
import { shown } from './untrusted/untrusted-text.ts'

export type Evidence = {
  readonly response: ProbeResponse
  /** The response to a request that a customer may send instead. */
  readonly further?: ProbeResponse | undefined
  /** The response to a request that an earlier probe found harmful or inconclusive. */
  readonly repeated?: ProbeResponse | undefined
  readonly session: Pick<ProbeSession, 'identity' | 'requests' | 'terms' | 'unreached'>
  readonly hasDynamicPayee: boolean
  readonly documented: readonly DocumentedResource[]
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
  const { session } = evidence
  const harm = findHarm(evidence, session.terms, target)
  const unasked = toUnasked(evidence, target)
  const judged = judgeAnswers(evidence, target, harm, unasked)
  return {
    ...judged,
    requests: [...session.requests],
    resource: toNextResource(judged.outcome, evidence, target, { harm, unasked }),
  }
}

type Judged = Omit<Outcome, 'resource' | 'requests'>

/** A payer may get any of the responses, so one that contradicts the listing decides. */
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
  if (bad) return judgeAnswer({ ...evidence, response: bad }, target)
  const { reading } = evidence.response
  const declared = reading?.readable ? reading.described.method : undefined
  const method = isSendable(declared) ? unasked : declared
  return method === undefined ? judged : withHidden(judged, say('method_not_asked', { method }))
}

/** What documents declared before holds until they are read again. */
const toUnasked = ({ response, documented, hasReadDocuments }: Evidence, { resource }: Target) =>
  unsentMethod(response, documented) ?? (hasReadDocuments ? undefined : resource?.unasked)

/** The terms of one request cannot be seen, so the others prove nothing. */
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
  const { response, documented, hasReadDocuments, session } = evidence
  const { reading, failure, status, request } = response
  const own = toOwnTerms(response)
  const unreached = [...session.unreached]
  const observed = {
    httpStatus: status,
    failure: failure?.reason ?? null,
    latencyMs: response.latencyMs,
    payments: reading?.readable ? reading.payments : [],
    x402Version: reading?.readable ? reading.version : null,
    resources: toResources(own, documented, request),
    hasReadDocuments,
    otherRails: reading?.otherRails ?? [],
    signIn: reading?.signIn ?? false,
    notes: [
      ...(reading?.readable ? reading.notes : []),
      ...clientNotes(own?.accepts ?? []),
      ...(unreached.length > 0 ? [say('addresses_unreached', { addresses: unreached })] : []),
    ],
  }
  const isReadable = reading?.readable && reading.payments.length > 0
  const broken = failure && !isReadable ? failure : undefined
  const unreachable = broken && isBrokenOff(response) ? broken.message : gatewayMessage(response)
  const reachable: Check = {
    check: 'reachable',
    passed: !unreachable,
    detail: unreachable ?? say('answers', { status: status! }),
  }
  if (unreachable)
    return {
      ...observed,
      ...NOTHING_SEEN,
      outcome: 'unreachable',
      reasons: [unreachable],
      checks: [reachable],
    }

  if (isReadable) {
    const answers: Check = { check: 'answers_402', passed: true, detail: requestMessage(response) }
    const readable: Check = {
      check: 'readable_terms',
      passed: true,
      detail: say('terms_version', { version: reading.version }),
    }
    const match = matchListing(reading, target)
    const judgedMatch = evidence.hasDynamicPayee ? withDynamicPayee(match, reading.payments) : match
    const isRead = match.outcome !== 'unpayable'
    return {
      ...observed,
      ...judgedMatch,
      checks: [reachable, answers, ...(isRead ? [readable] : []), ...judgedMatch.checks],
    }
  }
  const answers: Check = { check: 'answers_402', passed: status === 402, detail: requestMessage(response) }
  const refused = status === 401 || status === 403 || status === 429
  const reasons = refused ? [say('answers_with_refusal', { status })] : unpayableReasons(response)
  const unreadable: Check[] =
    status === 402 ? [{ check: 'readable_terms', passed: false, detail: together(reasons) }] : []
  return {
    ...observed,
    ...NOTHING_SEEN,
    outcome: refused ? 'refused' : 'unpayable',
    reasons,
    checks: [reachable, answers, ...unreadable],
  }
}

/** As opposed to a complete response that cannot be used. */
const isBrokenOff = ({ status, failure }: ProbeResponse) =>
  status === null || failure?.reason === 'total_timeout' || failure?.reason === 'closed'

const gatewayMessage = (response: ProbeResponse): Message | undefined =>
  isGatewayError(response) ? say('answers_from_gateway', { status: response.status! }) : undefined

/** Names the request, because a probe sends several. */
function requestMessage(response: ProbeResponse): Message {
  const { request, status, reading, elsewhere, unfollowed } = response
  const named = requestOf(response)
  if (request.tool !== undefined && reading?.readable) return say('tool_asks', { tool: shown(request.tool) })
  if (elsewhere !== undefined)
    return say(unfollowed === 'origin' ? 'redirects_elsewhere' : 'redirect_unfollowed', {
      ...named,
      status: status!,
      to: shown(elsewhere),
    })
  if (status === 402) return say('request_answers_402', named)
  const [problem] = reading && !reading.readable ? reading.problems : []
  const namesTerms = problem?.code === 'answers_without_402' && problem.values.namesTerms
  return say('request_without_402', { ...named, status: status!, namesTerms })
}

function unpayableReasons(response: ProbeResponse): Message[] {
  const { status, reading, failure } = response
  if (status !== 402) return [requestMessage(response), ...(failure ? [failure.message] : [])]
  // The problems of a 402 include the failure.
  return reading && !reading.readable ? [...reading.problems] : [say('sign_in_only')]
}

/** Adds which request the reasons are about: a probe sends several, and each may get another response. */
function withRequests(
  reasons: readonly Message[],
  outcome: Judged['outcome'],
  { response, session: { requests } }: Pick<Evidence, 'response' | 'session'>,
): Message[] {
  const isNamed = reasons.some(({ values }) => 'path' in values)
  const tool = response.request.tool === undefined ? null : shown(response.request.tool)
  return [
    ...reasons,
    ...(isNamed ? [] : [say('request_was', { ...requestOf(response), tool })]),
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

const requestOf = ({ request: { method, url } }: ProbeResponse) => ({ method, path: pathOf(url) })

const pathOf = (url: string): string => {
  const { pathname = url, search = '' } = URL.parse(url) ?? {}
  return shown(`${pathname}${search}`)
}

/** The payee changes with every response, so no registered address can match. */
function withDynamicPayee(match: Match, payments: readonly ParsedRequirements[]): Match {
  const payees = [...new Set(payments.map(({ payTo }) => shown(payTo)))]
  const detail = say('payee_changes', { seen: payees.slice(0, 4), more: Math.max(0, payees.length - 4) })
  const isAboutPayee = ({ code }: Message) => code === 'other_address' || code === 'other_payees'
  return {
    ...match,
    outcome: 'mismatched',
    reasons: [
      detail,
      ...(match.outcome === 'payable' ? [] : match.reasons.filter(reason => !isAboutPayee(reason))),
    ],
    checks: match.checks.map(check => (isAboutPayee(check.detail) ? { ...check, detail } : check)),
  }
}
