// A probe: sends its requests, without paying, and returns what conclude.ts concludes from the responses. checker.ts reports the
// conclusion; service-prober.ts has the service judged by it.
import { type CallRequest, toCallRequest } from '../domain/call/request.ts'
import { addressKey } from '../domain/chains/addresses.ts'
import { NO_RATES, type Rates } from '../domain/money/rates.ts'
import type { ProbeRequest } from '../domain/standing/judge.ts'
import type { ResourceTerms } from '../domain/terms/terms.ts'
import type { Clock } from '../runtime/clock.ts'
import { conclude, type ProbeResult, type Target, type Transcript } from './conclude.ts'
import {
  type DocumentedResource,
  fitsEndpoint,
  isSendable,
  isTemplate,
  isUnder,
} from './documents/documented.ts'
import { Documents, toProbeRequests } from './documents/documents.ts'
import { toShownTerms } from './documents/resource-terms.ts'
import { callTool, findTerms, requestToolTerms } from './find-terms.ts'
import {
  DocumentCache,
  hasTerms,
  isFinal,
  type ProbeResponse,
  ProbeSession,
  toProbeRequest,
} from './probe-session.ts'
import type { HostGate, Patience } from './requests/host-gate.ts'
import type { ResolvedHost, SafeFetch } from './requests/safe-fetch.ts'
import { matchListing } from './terms/match-listing.ts'

/** @throws HostBusy if the host stays busy too long for the first request; later ones wait longer for the same host */
export type Probe = (target: Target, patience?: Patience) => Promise<ProbeResult>

const NO_HURRY: Patience = { patienceMs: 60_000 }
const BEGUN_PATIENCE_MS = 30_000

/** Of later probes: whoever answers clients without a name otherwise is found within eight probes with a probability of 9/10. */
const CUSTOMER_SHARE = 1 / 4
/** Documents of known services: once a day at one probe an hour. */
const DOCUMENTS_SHARE = 1 / 24

export function createProbe({
  fetch,
  userAgent,
  gate,
  clock,
  rates = () => NO_RATES,
  random = Math.random,
}: {
  readonly fetch: SafeFetch
  readonly userAgent: string
  /** For hosts shared with other probes. */
  readonly gate?: Pick<HostGate, 'enter'>
  /** Limits the lifetime of cached documents. */
  readonly clock?: Clock
  /** Current exchange rates, to compare other currencies with listed prices. */
  readonly rates?: () => Rates
  /** From 0 to 1, like Math.random. */
  readonly random?: () => number
}): Probe {
  const documentCache = clock && new DocumentCache(clock)
  return async (given, patience = NO_HURRY) => {
    const target = { rates: rates(), ...given }
    const { endpoint, firstRequest: known, hasNoTerms = false } = target
    const isCustomer = hasNoTerms || known?.asCustomer === true || random() < CUSTOMER_SHARE
    const session = new ProbeSession(
      { fetch, userAgent, documentCache },
      endpoint,
      {
        ...(patience.signal && { signal: patience.signal }),
        ...(gate && { enter: createEnter(gate, endpoint, patience) }),
      },
      isCustomer ? 'customer' : 'directory',
    )
    // What an earlier probe found harmful is requested first, until it is fixed.
    const repeated = known?.recheck && (await sendRequest(session, toProbeRequest(known.recheck)))
    // A host that is down or limits our rate gets no further request.
    const found =
      repeated && isFinal(repeated)
        ? { response: repeated, documents: undefined }
        : await findTerms(session, endpoint, known)
    const { response } = found
    const { reading } = response
    const isMismatched =
      reading?.readable === true &&
      reading.payments.length > 0 &&
      matchListing(reading, target).undeclaredAddresses.length > 0
    const hasDynamicPayee = isMismatched && (await findDynamicPayee(session, response))

    // A client that reads documents too is soon recognised as the prober, so a probe as a customer reads none.
    const isWanted = hasNoTerms || (!isCustomer && !known?.recheck && random() < DOCUMENTS_SHARE)
    const documents = found.documents ?? (isWanted ? new Documents(session, endpoint, 'openapi') : undefined)
    const furtherOf = (answer: ProbeResponse) =>
      toFurtherRequests(
        session,
        answer,
        endpoint,
        toShownTerms(answer, documents?.found ?? [], target.storedTerms),
      )
    // A request that a customer would send is worth more than another document.
    const isLast = () =>
      hasTerms(response) && session.requestsLeft === 1 && furtherOf(response).known.length > 0
    while (documents && !documents.isAtEnd && session.requestsLeft > 0 && !isFinal(response) && !isLast())
      await documents.readNext()
    const declared = documents && (await requestByDeclaredMethod(session, response, documents.found))
    const counted = declared ?? response
    if (hasTerms(counted) && !repeated)
      await sendFurtherRequest(session, furtherOf(counted), { hasNoTerms, random })
    const transcript: Transcript = {
      response: counted,
      repeated,
      session,
      hasDynamicPayee,
      documented: documents?.found ?? [],
      hasReadDocuments: documents?.isComplete ?? false,
    }
    return {
      ...conclude(transcript, target),
      forListing: listed => conclude(transcript, { ...target, ...listed }),
    }
  }
}

/** If the OpenAPI document declares only another method for the resource, that method counts, provided it returns terms. */
async function requestByDeclaredMethod(
  session: ProbeSession,
  { request }: ProbeResponse,
  documented: readonly DocumentedResource[],
): Promise<ProbeResponse | undefined> {
  const url = request.place?.url ?? request.url
  const own = documented.filter(each => each.source === 'openapi' && fitsEndpoint(each.url, url))
  if (own.length === 0 || own.some(({ method }) => method === request.method) || request.tool !== undefined)
    return undefined
  const [other] = own.filter(({ method }) => isSendable(method)).flatMap(toProbeRequests)
  if (!other || session.requestsLeft === 0) return undefined
  const response = await session.request(other)
  return hasTerms(response) ? response : undefined
}

/** Giving up in the middle would waste the responses so far. */
function createEnter(gate: Pick<HostGate, 'enter'>, endpoint: string, patience: Patience) {
  const ownHost = URL.parse(endpoint)?.host
  let hasBegun = false
  return async (resolved: ResolvedHost) => {
    const patienceMs = hasBegun && resolved.host === ownHost ? BEGUN_PATIENCE_MS : patience.patienceMs
    const leave = await gate.enter(resolved, { ...patience, patienceMs })
    hasBegun = true
    return leave
  }
}

// Requests that a customer of the listing may send instead of the main one: the listed URL by GET and POST, known resources and tools
// below it, and the request that the directory itself shows. Each probe draws one, so that a provider who is honest to a single request
// is found out.

/** An unpaid POST to a resource known for GET may start work if the provider forgot the payment check: a few per day at most. */
const UNKNOWN_SHARE = 1 / 2
/** A tool call needs a session: three requests. */
const TOOL_COST = 3

type FurtherRequests = {
  /** Known from documents or from the resource's own response. */
  readonly known: readonly ProbeRequest[]
  /** By a method that nothing declares. */
  readonly posts: readonly ProbeRequest[]
  /** As a client of MPP sends it: servers may leave out, or add, ways to pay by what the client says that it can. */
  readonly byMpp: readonly ProbeRequest[]
}

const BY_MPP = { 'accept-payment': 'evm/charge, solana/charge, tempo/charge' }

/** @param shownTerms the resource as the directory shows it */
function toFurtherRequests(
  session: Pick<ProbeSession, 'requests'>,
  { request }: ProbeResponse,
  endpoint: string,
  shownTerms: ResourceTerms | undefined,
): FurtherRequests {
  const isUntried = (other: ProbeRequest) =>
    bytesKey(other) !== bytesKey(request) && !(isBare(other) && isSent(session.requests, other))
  const urls = new Set([request.place?.url ?? request.url, endpoint].filter(url => !isTemplate(url)))
  const bare = (method: 'GET' | 'POST') => [...urls].map(url => ({ url, method }))
  const isKnownForPost = request.method === 'POST'
  return {
    known: [
      ...(shownTerms ? toCalls(shownTerms, endpoint) : []),
      ...(isKnownForPost ? bare('POST') : []),
      ...bare('GET'),
    ].filter(isUntried),
    posts: isKnownForPost ? [] : bare('POST').filter(isUntried),
    byMpp: request.tool === undefined ? [{ ...request, headers: { ...request.headers, ...BY_MPP } }] : [],
  }
}

/** @param hasNoTerms of a listing whose terms no earlier probe read: it gets no undeclared method */
async function sendFurtherRequest(
  session: ProbeSession,
  { known, posts, byMpp }: FurtherRequests,
  { hasNoTerms, random }: { readonly hasNoTerms: boolean; readonly random: () => number },
): Promise<void> {
  const usual = random() < UNKNOWN_SHARE ? [...posts, ...byMpp] : known
  const request = pick(hasNoTerms ? [...known, ...byMpp] : usual, random())
  if (request && session.requestsLeft > 0) await sendRequest(session, request)
}

function sendRequest(session: ProbeSession, request: ProbeRequest): Promise<ProbeResponse | undefined> {
  if (request.tool === undefined) return session.request(request)
  return session.requestsLeft < TOOL_COST
    ? callTool(session, request)
    : requestToolTerms(session, request.url, request)
}

const toCalls = (shownTerms: ResourceTerms, endpoint: string): ProbeRequest[] =>
  toCallRequests(toCallRequest(shownTerms), shownTerms).filter(request => isUnder(request.url, endpoint))

function toCallRequests(
  { method, url, headers, body, tool }: CallRequest,
  shownTerms: ResourceTerms,
): ProbeRequest[] {
  if (tool) return [{ url, method: 'POST', tool: tool.name, body: JSON.stringify(tool.arguments) }]
  if (method !== 'GET' && method !== 'POST') return []
  const { routeTemplate } = shownTerms
  const named = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  return [
    {
      url,
      method,
      ...(body && {
        body: body.kind === 'json' ? JSON.stringify(body.value) : body.value,
        contentType: body.contentType,
      }),
      ...(headers.length > 0 && { headers: named }),
      ...(url !== shownTerms.url && {
        place: { url: shownTerms.url, ...(routeTemplate && { routeTemplate }) },
      }),
    },
  ]
}

const isBare = ({ body, headers, tool }: ProbeRequest): boolean =>
  tool === undefined && headers === undefined && (body ?? '{}') === '{}'

const isSent = (requests: ProbeSession['requests'], request: ProbeRequest): boolean =>
  requests.some(({ method, url }) => method === request.method && url === request.url)

/** Equal for requests that send the same bytes. */
const bytesKey = ({ method, url, body = '{}', headers = {}, tool = '' }: ProbeRequest): string =>
  JSON.stringify([method, url, method === 'GET' ? '' : body, headers, tool])

const pick = (requests: readonly ProbeRequest[], chance: number): ProbeRequest | undefined =>
  requests[Math.min(Math.floor(chance * requests.length), requests.length - 1)]

/** Repeats the request up to twice. A single difference may be a change. */
async function findDynamicPayee(session: ProbeSession, first: ProbeResponse): Promise<boolean> {
  const { request } = first
  const cost = request.tool === undefined ? 1 : TOOL_COST
  const responses = [first]
  while (responses.length < 3) {
    if (session.requestsLeft < cost) return false
    const next = await sendRequest(session, request)
    if (!next) return false
    responses.push(next)
    if (!differOnlyByPayee(responses)) return false
  }
  return true
}

function differOnlyByPayee(responses: readonly ProbeResponse[]): boolean {
  const readings = responses.flatMap(({ reading }) => (reading?.readable ? [reading] : []))
  if (readings.length < responses.length) return false
  const rest = readings.map(({ payments }) =>
    payments.map(({ scheme, chain, asset, amount }) => [scheme, chain, asset, amount].join(' ')).join('\n'),
  )
  const payees = readings.map(({ payments }) =>
    payments.map(({ payTo, chain }) => addressKey(payTo, chain)).join('\n'),
  )
  return new Set(rest).size === 1 && new Set(payees).size === payees.length
}
