// Concludes from the responses of one probe: the outcome with its reasons, the single checks, and what the next probe requests first.
// A service is judged by several probes, in domain/standing/judge.ts.
import { placeOf } from '../domain/hosts/endpoint.ts'
import type { FirstRequest, ProbeRequest } from '../domain/standing/judge.ts'
import type { ProbeOutcome } from '../domain/standing/standing.ts'
import type { ResourceTerms } from '../domain/terms/terms.ts'
import { clientNotes } from '../domain/terms/terms-view.ts'
import { type Message, say, together } from '../messages/message.ts'
import { type DocumentedResource, isSendable } from './documents/documented.ts'
import { toOwnTerms, toResources } from './documents/resource-terms.ts'
import {
  isFinal,
  isGatewayError,
  leadsUnseen,
  type ProbeResponse,
  type ProbeSession,
  type RequestRecord,
  toProbeRequest,
} from './probe-session.ts'
import type { FailureReason } from './requests/addresses.ts'
import {
  type ExpectedTerms,
  type Match,
  matchListing,
  toCheck,
  unreadableOptions,
} from './terms/match-listing.ts'
import type { ParsedRequirements } from './terms/payment-requirements.ts'
import { fewOf, shown } from './untrusted.ts'

/** What a probe sends its requests for, and compares the responses with. */
export type Target = ExpectedTerms & {
  /** A base URL: paid resources may be below it. */
  readonly endpoint: string
  /** What to request first, as an earlier probe found. */
  readonly firstRequest?: FirstRequest | undefined
  /** Terms that earlier probes read from the resource and from documents. */
  readonly storedTerms?: readonly ResourceTerms[]
  /** No terms are known yet: the origin's documents are read, and the probe poses as a customer. */
  readonly hasNoTerms?: boolean
}

/** All responses and documents of one probe. */
export type Transcript = {
  readonly response: ProbeResponse
  /** The response to a request that an earlier probe found harmful. */
  readonly repeated?: ProbeResponse | undefined
  readonly session: Pick<ProbeSession, 'identity' | 'requests' | 'terms'>
  readonly hasDynamicPayee: boolean
  readonly documented: readonly DocumentedResource[]
  readonly hasReadDocuments: boolean
}

/** What the responses say of the listing. */
export type Conclusion = Omit<Match, 'outcome'> & {
  readonly outcome: ProbeOutcome
  /** What the owner could improve, without effect on the outcome. */
  readonly notes: readonly Message[]
  readonly httpStatus: number | null
  /** Why the exchange broke; null for a complete response. */
  readonly failure: FailureReason | null
  readonly latencyMs: number
  /** What the next probe requests first. */
  readonly firstRequest: FirstRequest
  /** All payment requirements offered. */
  readonly payments: readonly ParsedRequirements[]
  /** null if no terms were read. */
  readonly x402Version: 1 | 2 | null
  /** The probed resource first, then those from documents. */
  readonly resources: readonly ResourceTerms[]
  /** Whether all documents of the origin were read: resources missing here are no longer declared. */
  readonly hasReadDocuments: boolean
  /** In the order sent. */
  readonly requests: readonly RequestRecord[]
}

/** The responses do not depend on the listing, so an edited listing can be compared with the same responses. */
export type ProbeResult = Conclusion & { readonly forListing: (listed: ExpectedTerms) => Conclusion }

const NOTHING_SEEN = {
  priceSeen: null,
  currencySeen: null,
  asks: null,
  price: 'unknown',
  furtherChains: [],
  undeclaredAddresses: [],
} as const

export function conclude(transcript: Transcript, target: Target): Conclusion {
  const { session } = transcript
  const harm = findHarm(transcript, session.terms, target)
  const assessed = assessAllResponses(transcript, target, harm)
  return {
    ...assessed,
    requests: [...session.requests],
    firstRequest: toFirstRequest(assessed.outcome, transcript, target, harm),
  }
}

/** What is concluded from one of the responses. */
type Assessment = Omit<Conclusion, 'firstRequest' | 'requests'>

/** A payer may get any of the responses, so one that contradicts the listing decides. */
function assessAllResponses(transcript: Transcript, target: Target, { bad }: Harm): Assessment {
  const assessed = assessWithRequest(transcript, target)
  if (assessed.outcome !== 'payable') return assessed
  if (bad) return assessWithRequest({ ...transcript, response: bad }, target)
  const { reading } = transcript.response
  const method = reading?.readable ? reading.described.method : undefined
  return isSendable(method) ? assessed : withHidden(assessed, say('method_not_asked', { method }))
}

/** The terms of one request cannot be seen, so the others prove nothing. */
function withHidden(assessed: Assessment, reason: Message): Assessment {
  const answers = toCheck('answers_402', false, reason)
  const reachable = assessed.checks.filter(({ check }) => check === 'reachable')
  return { ...assessed, outcome: 'unpayable', reasons: [reason], checks: [...reachable, answers] }
}

function assessWithRequest(transcript: Transcript, target: Target): Assessment {
  const assessed = assess(transcript, target)
  return assessed.outcome === 'payable'
    ? assessed
    : { ...assessed, reasons: withRequests(assessed.reasons, assessed.outcome, transcript) }
}

function assess(transcript: Transcript, target: Target): Assessment {
  const { response, documented, hasReadDocuments } = transcript
  const { reading, failure, status, request } = response
  const own = toOwnTerms(response)
  const observed = {
    httpStatus: status,
    failure: failure?.reason ?? null,
    latencyMs: response.latencyMs,
    payments: reading?.readable ? reading.payments : [],
    x402Version: reading?.readable ? reading.version : null,
    resources: toResources(own, documented, request),
    hasReadDocuments,
    notes: [...(reading?.readable ? reading.notes : []), ...(own ? clientNotes(own) : [])],
  }
  const isReadable = reading?.readable && reading.payments.length > 0
  const broken = failure && !isReadable ? failure : undefined
  const unreachable = broken && isBrokenOff(response) ? broken.message : gatewayMessage(response)
  const reachable = toCheck('reachable', !unreachable, unreachable ?? say('answers', { status: status! }))
  if (unreachable)
    return {
      ...observed,
      ...NOTHING_SEEN,
      outcome: 'unreachable',
      reasons: [unreachable],
      checks: [reachable],
    }

  if (isReadable) {
    const { version } = reading
    const answers = toCheck('answers_402', true, requestMessage(response))
    const terms = version === null ? say('terms_by_mpp') : say('terms_version', { version })
    const match = matchListing(reading, target)
    const foundMatch = transcript.hasDynamicPayee ? withDynamicPayee(match, reading.payments) : match
    const isRead = match.outcome !== 'unpayable'
    return {
      ...observed,
      ...foundMatch,
      checks: [
        reachable,
        answers,
        ...(isRead ? [toCheck('readable_terms', true, terms)] : []),
        ...foundMatch.checks,
      ],
    }
  }
  const answers = toCheck('answers_402', status === 402, requestMessage(response))
  const refused = status === 401 || status === 403 || status === 429
  const reasons = refused ? [say('answers_with_refusal', { status })] : unpayableReasons(response)
  const unreadable = status === 402 ? [toCheck('readable_terms', false, together(reasons))] : []
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
  outcome: ProbeOutcome,
  { response, session: { requests } }: Pick<Transcript, 'response' | 'session'>,
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
  const detail = say('payee_changes', fewOf(payments.map(({ payTo }) => shown(payTo))))
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

// Finds a response that harms payers, even though the main response matches the listing.

type Harm = {
  /** A response that contradicts the listing, and that a payer may get. */
  readonly bad?: ProbeResponse | undefined
  /** The earlier harmful request has a harmless response now. */
  readonly isFixed: boolean
}

/** @param repeated the response to a request that an earlier probe found harmful: silence fixes nothing */
function findHarm(
  { response, repeated }: Pick<Transcript, 'response' | 'repeated'>,
  terms: readonly ProbeResponse[],
  target: Target,
): Harm {
  const bad = terms.find(each => doesHarm(each, response, target))
  if (bad) return { bad, isFixed: false }
  return repeated && isFinal(repeated)
    ? { bad: repeated, isFixed: false }
    : { isFixed: repeated !== undefined }
}

/** Another resource may have its own price, but no other payee. */
function doesHarm(each: ProbeResponse, response: ProbeResponse, target: Target): boolean {
  const isAtListed = isAtListing(each, response, target)
  if (leadsUnseen(each)) return isAtListed
  if (!each.reading?.readable) return unreadableOptions(each.reading?.unread ?? [], target).length > 0
  const { outcome, price, undeclaredAddresses, checks } = matchListing(each.reading, target)
  if (requestKey(each) === requestKey(response)) return outcome !== 'payable'
  const isDearer = price === 'higher' || checks.some(({ detail }) => detail.code === 'asks_more_by_rates')
  return undeclaredAddresses.length > 0 || (isAtListed && (isDearer || outcome === 'unpayable'))
}

/** At the URL of the main response, or at the listed URL. */
const isAtListing = ({ request }: ProbeResponse, response: ProbeResponse, { endpoint }: Target): boolean =>
  [placeOf(urlOf(response.request)), placeOf(endpoint)].includes(placeOf(urlOf(request)))

const urlOf = ({ url, place }: ProbeRequest): string => place?.url ?? url

const requestKey = ({ request: { method, url, body, headers, tool } }: ProbeResponse): string =>
  JSON.stringify([method, url, body, headers, tool])

/** The request that the next probe sends first, and under which identity. */
function toFirstRequest(
  outcome: ProbeOutcome,
  { response, session }: Pick<Transcript, 'response' | 'session'>,
  { endpoint, firstRequest: known }: Target,
  harm: Harm,
): FirstRequest {
  // A host that is down for an hour, refuses, or hides its terms still has its resources where they were.
  const keepsBefore = outcome === 'unreachable' || outcome === 'refused' || !response.reading?.readable
  const before: FirstRequest = outcome === 'unpayable' ? { url: endpoint } : (known ?? { url: endpoint })
  const next = keepsBefore ? toProbeRequest(before) : response.request
  const recheck = toRepeat(response, harm) ?? (harm.isFixed ? undefined : known?.recheck)
  // A provider that is bad to customers but good to us would be verified again by the next probe under our name.
  const isDoubtful =
    outcome === 'unreachable'
      ? known?.asCustomer === true
      : session.identity === 'customer' && (outcome !== 'payable' || recheck !== undefined)
  return { ...next, ...(isDoubtful && { asCustomer: true as const }), ...(recheck && { recheck }) }
}

/** A request that the next probe would not send by itself. */
const toRepeat = (response: ProbeResponse, { bad }: Harm): FirstRequest['recheck'] =>
  bad && requestKey(bad) !== requestKey(response) ? bad.request : undefined
