// The status that the newest probes of a service give it, and the events of a change.
import { type Message, say, together } from '../../messages/message.ts'
import { addressProblem } from '../chains/addresses.ts'
import type { ServiceEvent } from '../events.ts'
import type { Entry } from '../listing/service.ts'
import { isFailing } from './delivery.ts'
import { isCounted, isFailed, type ProbeRecord } from './probes.ts'
import type { Status } from './standing.ts'

const FAILURES_TO_INACTIVE = 3
const ANSWERS_TO_RETURN = 2
/** Verification ends after this many refusals in a row: a service that refuses us may respond to its customers with anything. */
export const REFUSALS_TO_UNVERIFIED = 3

/** One more than any rule of the standing needs: the interval between probes still grows with the fourth failure. */
export const LOOK_BACK = 4

/** The newest probe that counts decides, also where an older one is being judged. */
export function judgeStatus(entry: Entry, settled: ProbeRecord, latest: readonly ProbeRecord[]): Status {
  const { status } = entry.standing
  if (entry.retired !== null) return 'inactive'
  const [probe] = latest
  if (!probe || !isCounted(settled)) return status
  const failures = runLength(latest, isFailed)
  if (failures > 0) return failures >= FAILURES_TO_INACTIVE ? 'inactive' : status
  if (status === 'inactive' && runLength(latest, each => !isFailed(each)) < ANSWERS_TO_RETURN) return status
  return probe.outcome === 'payable' && canBeVerified(entry) ? 'verified' : 'unverified'
}

/** How many of the newest probes in a row match. */
export function runLength(latest: readonly ProbeRecord[], matches: (probe: ProbeRecord) => boolean): number {
  const end = latest.findIndex(probe => !matches(probe))
  return end < 0 ? latest.length : end
}

/** A service that repeatedly took payment without delivering is not verified by correct payment requirements. */
const canBeVerified = ({ x402Config: { paymentAddress, network }, delivery }: Entry): boolean =>
  addressProblem(paymentAddress, network) === undefined && !isFailing(delivery)

type JudgedProbe = {
  readonly entry: Entry
  /** After this judgement. */
  readonly status: Status
  readonly probe: ProbeRecord
  readonly latest: readonly ProbeRecord[]
  /** Number of refused probes in a row, newest first. */
  readonly refusals: number
}

export function statusEvents({ entry, status, probe, latest, refusals }: JudgedProbe): ServiceEvent[] {
  const before = entry.standing.status
  if (status === before) return []
  const seen = probe.reasons
  const reason: Message =
    entry.retired !== null
      ? say('retired', { message: entry.retired })
      : status === 'inactive'
        ? say('failed_in_a_row', { count: runLength(latest, isFailed), seen })
        : refusals >= REFUSALS_TO_UNVERIFIED
          ? say('refused_in_a_row', { count: refusals, seen })
          : probe.outcome === 'payable' && entry.delivery && isFailing(entry.delivery)
            ? say('not_delivering', { count: entry.delivery.failedInARow, seen: [] })
            : before === 'inactive'
              ? say('answered_again', { count: ANSWERS_TO_RETURN, seen })
              : together(seen)
  return [{ type: 'status', at: probe.at, reason, before, after: status }]
}

/**
 * Published once, with the first failing probe, so that the operator of a verified service can fix it before its customers see a
 * change. The probe is the newest.
 */
export function riskEvents({ entry, status, probe, latest, refusals }: JudgedProbe): ServiceEvent[] {
  if (entry.standing.status !== 'verified' || status !== 'verified') return []
  const limit = isFailed(probe) ? FAILURES_TO_INACTIVE : REFUSALS_TO_UNVERIFIED
  const run = isFailed(probe) ? runLength(latest, isFailed) : isCounted(probe) ? 0 : refusals
  if (run !== 1) return []
  const reason = say('verified_at_risk', { left: limit - run, seen: probe.reasons })
  return [{ type: 'at_risk', at: probe.at, reason, before: status, after: status }]
}
