/** Measures one service: asks its endpoint without paying and reports what was seen. It judges no history and stores nothing. */

import { endpointHost } from '../domain/endpoint.ts'
import type { ResourceTerms } from '../domain/terms.ts'
import { type Message, say, together } from '../messages/message.ts'
import type { Payment } from './accepted-payment.ts'
import { toResourceTerms } from './describe-resource.ts'
import { isUnder, type Resource, resourcesOfManifest, resourcesOfOpenApi } from './discovery.ts'
import type { HostGate, Patience } from './host-gate.ts'
import { type Check, type Claims, type Match, matchListing } from './match-listing.ts'
import type { Failure, FailureReason } from './remote-failure.ts'
import type { Place, SafeFetch, SafeRequest, SafeResponse } from './safe-fetch.ts'
import { type Reading, readTerms } from './x402.ts'

export type Target = Claims & {
  /** A base URL: what is paid for may lie below it. */
  readonly endpoint: string
  /** What an earlier probe found payable. */
  readonly resource?: Resource
}

export type Outcome = Omit<Match, 'outcome'> & {
  readonly outcome: 'payable' | 'mismatched' | 'unpayable' | 'unreachable' | 'refused'
  /** What an owner could put right although it does not decide the outcome. */
  readonly notes: readonly Message[]
  readonly httpStatus: number | null
  /** What broke the exchange; null where the answer came whole. */
  readonly failure: FailureReason | null
  readonly latencyMs: number
  /** To be asked first next time; null: the endpoint itself, by GET. */
  readonly resource: Resource | null
  /** Every way to pay that was offered. */
  readonly payments: readonly Payment[]
  /** Of the terms that were read; null where none were. */
  readonly x402Version: 1 | 2 | null
  /** What was read of the resource that was asked comes first. */
  readonly resources: readonly ResourceTerms[]
  readonly otherRails: readonly string[]
  readonly signIn: boolean
}

/** @throws HostBusy where the patience is not enough to begin; what has begun waits longer for its own host */
export type Probe = (target: Target, patience?: Patience) => Promise<Outcome>

type Asked = {
  readonly status: number | null
  readonly latencyMs: number
  readonly failure: Failure | undefined
  readonly reading: Reading | undefined
  readonly body: Uint8Array
}

/** Besides the endpoint itself: two documents and what they name, or one document and two tries at what it names. */
const DISCOVERY_REQUESTS = 3

const NO_HURRY: Patience = { patienceMs: 60_000 }
const BEGUN_PATIENCE_MS = 30_000

const isMissing = (asked: Asked) => asked.status === 404 || asked.status === 405

/** A gateway that says that nobody is behind it; 52x and 530 are what the large ones say. */
const isAway = ({ status }: Asked) =>
  status !== null && ((status >= 502 && status <= 504) || (status >= 520 && status <= 530))

/** Nothing more is to be learnt from this host now: it has answered with 402, is away, or asks for peace. */
const isDecisive = (asked: Asked) =>
  asked.status === null || asked.status === 402 || asked.status === 429 || isAway(asked)

export function createProber({
  fetch,
  userAgent,
  gate,
}: {
  readonly fetch: SafeFetch
  readonly userAgent: string
  /** Where hosts are asked by others too. */
  readonly gate?: Pick<HostGate, 'enter'>
}): Probe {
  const ask = async (
    { url, method = 'GET' }: Resource,
    { signal, enter }: Pick<SafeRequest, 'signal' | 'enter'>,
  ): Promise<Asked> => {
    const headers = { 'user-agent': userAgent, accept: 'application/json' }
    const more = { ...(signal && { signal }), ...(enter && { enter }) }
    return toAsked(
      method === 'GET'
        ? await fetch(url, { method, headers, ...more })
        : await fetch(url, {
            method,
            headers: { ...headers, 'content-type': 'application/json' },
            body: '{}',
            ...more,
          }),
    )
  }

  return async (target, patience = NO_HURRY) => {
    const { endpoint, resource } = target
    const ownHost = endpointHost(endpoint)
    let hasBegun = false
    const enter =
      gate &&
      (async (place: Place) => {
        // To give up in the middle would waste what the host has answered; a host it redirects to is nobody's right to wait for.
        const patienceMs = hasBegun && place.host === ownHost ? BEGUN_PATIENCE_MS : patience.patienceMs
        const leave = await gate.enter(place, { ...patience, patienceMs })
        hasBegun = true
        return leave
      })
    const more = { ...(patience.signal && { signal: patience.signal }), ...(enter && { enter }) }
    if (resource && isUnder(resource.url, endpoint)) {
      const asked = await ask(resource, more)
      if (isDecisive(asked)) return conclude(asked, target, resource)
    }
    const own = await ask({ url: endpoint }, more)
    if (isDecisive(own)) return conclude(own, target, null)
    if (isMissing(own)) {
      const posted: Resource = { url: endpoint, method: 'POST' }
      const asked = await ask(posted, more)
      if (isDecisive(asked)) return conclude(asked, target, posted)
    }
    const found = await discover(endpoint, other => ask(other, more))
    return found ? conclude(found.asked, target, found.resource) : conclude(own, target, null)
  }
}

/** Looks for a payable resource under the endpoint, and asks it. */
async function discover(
  endpoint: string,
  ask: (resource: Resource) => Promise<Asked>,
): Promise<{ asked: Asked; resource: Resource } | undefined> {
  let left = DISCOVERY_REQUESTS
  const spend = (resource: Resource) => {
    left--
    return ask(resource)
  }
  const documents = [
    ['/.well-known/x402', resourcesOfManifest],
    ['/openapi.json', resourcesOfOpenApi],
  ] as const
  for (const [path, resourcesOf] of documents) {
    if (left < 2) return undefined
    const document = await spend({ url: new URL(path, endpoint).href })
    if (document.status === null || document.status === 429) return undefined
    const [named] = document.status === 200 ? resourcesOf(toJson(document.body), endpoint) : []
    if (!named) continue
    const methods = named.method ? [named.method] : (['GET', 'POST'] as const)
    for (const method of methods) {
      if (left === 0) return undefined
      const resource = { url: named.url, method }
      const asked = await spend(resource)
      if (asked.status === 402) return { asked, resource }
      if (!isMissing(asked)) break
    }
  }
  return undefined
}

function toAsked(response: SafeResponse): Asked {
  const { latencyMs } = response
  const failure = response.ok ? undefined : { reason: response.reason, message: response.message }
  if (response.status === undefined || response.headers === undefined)
    return { status: null, latencyMs, failure, reading: undefined, body: new Uint8Array() }
  const { status, headers } = response
  const body = response.ok ? response.body : new Uint8Array()
  // The terms may stand in the header, so a body that could not be read need not matter.
  return { status, latencyMs, failure, reading: readTerms({ status, headers, body }), body }
}

const NOTHING_SEEN = {
  priceSeen: null,
  currencySeen: null,
  asks: null,
  price: 'unknown',
  furtherChains: [],
  undeclaredAddresses: [],
} as const

function conclude(asked: Asked, target: Target, resource: Resource | null): Outcome {
  const { reading, failure, status } = asked
  const place = { url: resource?.url ?? target.endpoint, method: resource?.method ?? 'GET' }
  const seen = {
    httpStatus: status,
    failure: failure?.reason ?? null,
    latencyMs: asked.latencyMs,
    payments: reading?.readable ? reading.payments : [],
    x402Version: reading?.readable ? reading.version : null,
    resources: reading?.readable ? [toResourceTerms(reading, place)] : [],
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
  if (away)
    return {
      ...seen,
      ...NOTHING_SEEN,
      outcome: 'unreachable',
      reasons: [away],
      checks: [reachable],
      // A host that is away for an hour has not forgotten where its resources are.
      resource: resource ?? target.resource ?? null,
    }

  const answers: Check = { check: 'answers_402', passed: status === 402, detail: reachable.detail }
  if (isReadable) {
    const readable: Check = {
      check: 'readable_terms',
      passed: true,
      detail: say('terms_version', { version: reading.version }),
    }
    const match = matchListing(reading, target)
    const isRead = match.outcome !== 'unpayable'
    return {
      ...seen,
      ...match,
      checks: [reachable, answers, ...(isRead ? [readable] : []), ...match.checks],
      resource,
    }
  }
  const refused = status === 401 || status === 403 || status === 429
  const reasons = refused
    ? [say('answers_with_refusal', { status })]
    : unpayableReasons(asked, target.endpoint)
  const unreadable: Check[] =
    status === 402 ? [{ check: 'readable_terms', passed: false, detail: together(reasons) }] : []
  return {
    ...seen,
    ...NOTHING_SEEN,
    outcome: refused ? 'refused' : 'unpayable',
    reasons,
    checks: [reachable, answers, ...unreadable],
    resource: refused ? (resource ?? target.resource ?? null) : null,
  }
}

/** As opposed to an answer that came whole but cannot be used. */
const brokenOff = ({ status, failure }: Asked) =>
  status === null || failure?.reason === 'total_timeout' || failure?.reason === 'closed'

const awayMessage = (asked: Asked): Message | undefined =>
  isAway(asked) ? say('answers_from_gateway', { status: asked.status! }) : undefined

function unpayableReasons({ status, reading, failure }: Asked, endpoint: string): Message[] {
  const reasons = reading && !reading.readable ? [...reading.problems] : []
  if (reading?.readable) reasons.push(say('sign_in_only'))
  if (failure) reasons.push(failure.message)
  if (status !== 402) reasons.push(say('no_payable_resource', { endpoint }))
  return reasons
}

function toJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
