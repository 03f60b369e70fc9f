// Runs the prober's checks for any URL, without listing it. Of the remote server's response only the terms are passed on.

import { CHECKS, type Checker, type CheckName, type CheckReport, type CheckRequest } from '../domain/check.ts'
import { createAllowance, DirectoryError } from '../domain/errors.ts'
import { declinedReason, type ProofReading } from '../domain/hosts/domain-proof.ts'
import {
  endpointHost,
  endpointSchema,
  isNeverProbed,
  privateEndpointProblem,
} from '../domain/hosts/endpoint.ts'
import { readIssue, toDetail, toMessageRecord } from '../domain/problems.ts'
import { type Message, say, tellInEnglish, together } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Conclusion, Target } from './conclude.ts'
import type { ReadProof } from './documents/proof-reader.ts'
import type { Probe } from './probe.ts'
import { HostBusy } from './requests/host-gate.ts'
import { shown } from './untrusted.ts'

const CHECKS_A_MINUTE = 10
const MAX_IN_FLIGHT = 16
const CHECK_PATIENCE_MS = 15_000

type Result = {
  readonly check: CheckName
  readonly result: 'passed' | 'failed' | 'skipped'
  readonly detail: Message
}

export function createChecker({
  probe,
  readProof,
  clock,
  allowPrivate,
}: {
  readonly probe: Probe
  /** Reads domain proofs; absent if they are not checked. */
  readonly readProof?: ReadProof
  readonly clock: Clock
  readonly allowPrivate: boolean
}): Checker {
  const spend = createAllowance(CHECKS_A_MINUTE, 'check')
  let inFlight = 0

  return async (request, ...names) => {
    const { endpoint } = request
    for (const name of names) spend(name, clock.now())
    const obstacle = obstacleOf(endpoint, allowPrivate)
    if (obstacle) return toReport(request, [...obstacle], undefined)
    if (inFlight >= MAX_IN_FLIGHT) throw tooMany()
    inFlight++
    try {
      const patience = { patienceMs: CHECK_PATIENCE_MS }
      const conclusion = await probe(toTarget(request), patience)
      const listing = toListing(request)
      // A server that does not respond gets no further requests.
      const proof =
        listing && conclusion.httpStatus !== null ? await readProof?.(listing, patience) : undefined
      return toReport(request, [PASSED_URL, ...toResults(conclusion)], conclusion, proof)
    } catch (error) {
      throw error instanceof HostBusy ? tooMany() : error
    } finally {
      inFlight--
    }
  }
}

const tooMany = () => new DirectoryError('rate_limited', say('checks_busy'))

const toTarget = ({ endpoint, x402Config, pricing }: CheckRequest): Target => ({
  endpoint,
  hasNoTerms: true,
  ...(x402Config?.paymentAddress !== undefined && { paymentAddress: x402Config.paymentAddress }),
  ...(x402Config?.network !== undefined && { network: x402Config.network }),
  ...(pricing && { pricing }),
})

/** @returns undefined if the request names no listing that a domain could prove */
function toListing({ endpoint, x402Config }: CheckRequest) {
  const { paymentAddress, network } = x402Config ?? {}
  if (paymentAddress === undefined || network === undefined) return undefined
  return { id: '', endpoint, x402Config: { paymentAddress, network } }
}

const PASSED_URL: Result = {
  check: 'url',
  result: 'passed',
  detail: say('url_well_formed'),
}

/** @returns the failed checks that need no request; undefined if the endpoint may be requested */
function obstacleOf(endpoint: string, allowPrivate: boolean): Result[] | undefined {
  const parsed = endpointSchema.safeParse(endpoint)
  if (!parsed.success)
    return [
      {
        check: 'url',
        result: 'failed',
        detail: say('url_malformed', { problem: readIssue(parsed.error.issues[0]!) }),
      },
    ]
  const problem = isNeverProbed(endpoint)
    ? say('reserved_name', { host: endpointHost(endpoint) })
    : allowPrivate
      ? undefined
      : privateEndpointProblem(endpoint)
  return problem ? [PASSED_URL, { check: 'public_address', result: 'failed', detail: problem }] : undefined
}

function toResults({ failure, reasons, checks }: Conclusion): Result[] {
  // A host name that resolves to a private address; nothing was requested there.
  if (failure === 'private_address')
    return [{ check: 'public_address', result: 'failed', detail: together(reasons) }]
  return [
    { check: 'public_address', result: 'passed', detail: say('address_may_be_asked') },
    ...checks.map(({ check, passed, detail }) => ({
      check,
      result: passed ? ('passed' as const) : ('failed' as const),
      detail,
    })),
  ]
}

function toReport(
  request: CheckRequest,
  results: readonly Result[],
  conclusion: Conclusion | undefined,
  proof?: ProofReading,
): CheckReport {
  const { endpoint, x402Config } = request
  const asked = conclusion?.firstRequest.url
  const host = URL.parse(endpoint)?.host ?? ''
  const isOfOthers = proof && 'missing' in proof && proof.missing === 'elsewhere'
  const isDeclined = proof?.declinesProbes === true
  const notes = [
    ...(conclusion?.notes ?? []),
    ...(isOfOthers ? [say('domain_names_others', { host })] : []),
    ...(isDeclined ? [declinedReason({ endpoint })] : []),
  ]
  const isCompared = x402Config?.paymentAddress !== undefined && x402Config.network !== undefined
  return {
    endpoint,
    outcome: conclusion?.outcome ?? null,
    wouldVerify: conclusion?.outcome === 'payable' && isCompared && !isDeclined,
    checks: CHECKS.map(name => {
      const found = results.find(({ check }) => check === name) ?? toSkipped(name, request, results)
      return { ...found, ...toDetail(found.detail) }
    }),
    notes: notes.map(tellInEnglish),
    noteCodes: notes.map(toMessageRecord),
    requests: (conclusion?.requests ?? []).map(({ method, url, status, as }) => {
      const { pathname = '', search = '' } = URL.parse(url) ?? {}
      return { method, path: shown(`${pathname}${search}`), status, as }
    }),
    domain: proof && 'found' in proof ? { host, names: proof.found } : null,
    httpStatus: conclusion?.httpStatus ?? null,
    latencyMs: conclusion?.latencyMs ?? null,
    resource: asked === undefined || asked === endpoint ? null : asked,
    resources: [...(conclusion?.resources ?? [])],
  }
}

function toSkipped(check: CheckName, request: CheckRequest, results: readonly Result[]): Result {
  const skipped = (detail: Message): Result => ({ check, result: 'skipped', detail })
  const failed = results.find(({ result }) => result === 'failed')
  if (failed) return skipped(say('check_before_failed', { check: failed.check }))
  const { network, paymentAddress } = request.x402Config ?? {}
  const needed: Partial<Record<CheckName, readonly unknown[]>> = {
    network: [network],
    address: [paymentAddress],
    other_payees: [paymentAddress, network],
    price: [request.pricing],
  }
  const isGiven = needed[check]?.every(value => value !== undefined) ?? true
  return skipped(say(isGiven ? 'nothing_to_compare' : 'nothing_given'))
}
