/** Probes one service: requests its endpoint without paying and reports the result. It judges no history and stores nothing. */

import { endpointHost } from '../domain/hosts/endpoint.ts'
import { NO_RATES, type Rates } from '../domain/money/rates.ts'
import type { Clock } from '../runtime/clock.ts'
import { conclude, type Evidence } from './conclude.ts'
import { DocumentCache } from './documents/document-cache.ts'
import { type DocumentedResource, fitsEndpoint, isSendable } from './documents/documented.ts'
import { Documents, toProbeRequests } from './documents/documents.ts'
import { findDynamicPayee } from './dynamic-payee.ts'
import { repeatRequest, sendFurtherRequest, toFurtherRequests } from './further-requests.ts'
import type { ProbeResult, Target } from './outcome.ts'
import { hasTerms, isFinal, type ProbeResponse } from './probe-response.ts'
import { ProbeSession } from './probe-session.ts'
import type { HostGate, Patience } from './requests/host-gate.ts'
import type { ResolvedHost, SafeFetch } from './requests/safe-fetch.ts'
import { findTerms } from './terms/find-terms.ts'
import { matchListing } from './terms/match-listing.ts'
import { toShownTerms } from './terms/own-terms.ts'

/** @throws HostBusy if the host stays busy too long for the first request; later ones wait longer for the same host */
export type Probe = (target: Target, patience?: Patience) => Promise<ProbeResult>

const NO_HURRY: Patience = { patienceMs: 60_000 }
const BEGUN_PATIENCE_MS = 30_000

/** Of later probes: whoever answers clients without a name otherwise is found within eight probes with a probability of 9/10. */
const CUSTOMER_SHARE = 1 / 4
/** Documents of known services: once a day at one probe an hour. */
const DOCUMENTS_SHARE = 1 / 24

export function createProber({
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
    const { endpoint, resource, isNew = false } = target
    const isCustomer = isNew || resource?.asCustomer === true || random() < CUSTOMER_SHARE
    const session = new ProbeSession(
      { fetch, userAgent, documentCache, clock },
      endpoint,
      {
        ...(patience.signal && { signal: patience.signal }),
        ...(gate && { enter: createEnter(gate, endpoint, patience) }),
      },
      isCustomer ? 'customer' : 'directory',
    )
    session.spread = { chance: random(), wanted: resource?.address }
    const repeated = resource?.besides && (await repeatRequest(session, resource.besides))
    const known = resource === null ? { url: endpoint, method: 'GET' as const } : resource
    const found = await findTerms(session, endpoint, known)
    const { response } = found
    const { reading } = response
    const isMismatched =
      reading?.readable === true &&
      reading.payments.length > 0 &&
      matchListing(reading, target).undeclaredAddresses.length > 0
    const hasDynamicPayee = isMismatched && (await findDynamicPayee(session, response))

    // Who reads documents is soon recognised as the prober.
    const isWanted = isNew || (!isCustomer && !resource?.besides && random() < DOCUMENTS_SHARE)
    const documents = found.documents ?? (isWanted ? new Documents(session, endpoint, 'openapi') : undefined)
    const furtherOf = (answer: ProbeResponse, draw: () => number) => {
      const documented = documents?.found ?? []
      return toFurtherRequests(
        session,
        answer,
        { endpoint, shownTerms: toShownTerms(answer, documented, target.storedTerms) },
        draw,
      )
    }
    // A request that a customer would send is worth more than another document.
    const isLast = () =>
      hasTerms(response) && session.requestsLeft === 1 && furtherOf(response, () => 0).known.length > 0
    while (documents && !documents.isAtEnd && session.requestsLeft > 0 && !isFinal(response) && !isLast())
      await documents.readNext()
    const declared = documents && (await requestByDeclaredMethod(session, response, documents.found))
    const counted = declared ?? response
    const further =
      hasTerms(counted) && !repeated
        ? await sendFurtherRequest(session, furtherOf(counted, random), { isFirst: isNew, random })
        : undefined
    const evidence: Evidence = {
      response: counted,
      further,
      repeated,
      session,
      hasDynamicPayee,
      documented: documents?.found ?? [],
      hasReadDocuments: documents?.isComplete ?? false,
    }
    return {
      ...conclude(evidence, target),
      against: listed => conclude(evidence, { ...target, ...listed }),
    }
  }
}

/** If the OpenAPI document declares only another method for the resource, that method counts, provided it returns terms. */
async function requestByDeclaredMethod(
  session: ProbeSession,
  { request }: ProbeResponse,
  documented: readonly DocumentedResource[],
): Promise<ProbeResponse | undefined> {
  const place = request.place?.url ?? request.url
  const own = documented.filter(each => each.source === 'openapi' && fitsEndpoint(each.url, place))
  if (own.length === 0 || own.some(({ method }) => method === request.method) || request.tool !== undefined)
    return undefined
  const [other] = own.filter(({ method }) => isSendable(method)).flatMap(toProbeRequests)
  if (!other || session.requestsLeft === 0) return undefined
  const response = await session.request(other)
  return hasTerms(response) ? response : undefined
}

/** Giving up in the middle would waste the responses so far. */
function createEnter(gate: Pick<HostGate, 'enter'>, endpoint: string, patience: Patience) {
  const ownHost = endpointHost(endpoint)
  let hasBegun = false
  return async (place: ResolvedHost) => {
    const patienceMs = hasBegun && place.host === ownHost ? BEGUN_PATIENCE_MS : patience.patienceMs
    const leave = await gate.enter(place, { ...patience, patienceMs })
    hasBegun = true
    return leave
  }
}
